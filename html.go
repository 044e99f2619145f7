package mcpapps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/mcpapps-go/mcpapps/internal/ondisk"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTML returns a handler that serves one document unchanged. Scripts in it can't
// import anything when the view runs, not even the view runtime "mcp-app"; the
// Handler of package view/bundle serves a document with everything inline that
// it imports and refers to.
//
// It panics if the document is empty.
func HTML(doc string) mcp.ResourceHandler {
	if strings.TrimSpace(doc) == "" {
		panic("mcpapps.HTML: the document is empty")
	}
	h := &htmlHandler{func(context.Context, *mcp.ReadResourceRequest) (string, error) { return doc, nil }, true}
	return h.serve
}

// HTMLFunc returns a handler that serves the document that f returns for each
// read. Hosts may read it before any tool was called, may cache it for all of a
// user's conversations, and pass no arguments: data that differs between calls
// belongs in the tool's result.
func HTMLFunc(f func(context.Context, *mcp.ReadResourceRequest) (string, error)) mcp.ResourceHandler {
	if f == nil {
		panic("mcpapps.HTMLFunc: the function is nil")
	}
	return (&htmlHandler{f, false}).serve
}

// An htmlHandler is what is behind the handlers of HTML, HTMLFile and HTMLFunc.
type htmlHandler struct {
	text       func(context.Context, *mcp.ReadResourceRequest) (string, error)
	unchanging bool // text always returns the same
}

func (h *htmlHandler) serve(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	if r, ok := ctx.(*reveal); ok {
		r.handler = h
		return nil, nil
	}
	doc, err := h.text(ctx, req)
	if err != nil {
		return nil, err
	}
	return htmlResult(doc)
}

// reveal is the context with which htmlHandlerOf calls serve.
type reveal struct {
	context.Context
	handler *htmlHandler
}

var serveCode = reflect.ValueOf((&htmlHandler{}).serve).Pointer()

// htmlHandlerOf returns the htmlHandler behind h, or nil if h is any other handler,
// which is not called.
func htmlHandlerOf(h mcp.ResourceHandler) *htmlHandler {
	if reflect.ValueOf(h).Pointer() != serveCode {
		return nil
	}
	r := &reveal{}
	_, _ = h(r, nil)
	return r.handler
}

// HTMLFile returns a handler that serves a file of fsys unchanged. For a file
// that imports or refers to others, such as the view runtime "mcp-app" or a style
// sheet, use the Handler of package view/bundle.
//
// An [embed.FS] is read once, and so is a sub-tree of one that [fs.Sub] returns. Any
// other file system is read for each request, so a directory serves what was saved
// last. A UTF-8 byte order mark is removed, as a browser does when it loads a file:
// hosts write the document into a frame, where the mark would precede the
// doctype.
//
// It panics if the name is invalid (see [fs.ValidPath]), or if an embed.FS has no
// such file: after "//go:embed ui" names begin with "ui/". In any other file system
// the file need not exist yet. To embed a file that a build writes, and to let the
// server start where it is not built, pass the sub-tree, as in fs.Sub(files, "dist"):
// until the file is there, its reads answer "not found".
//
// os.DirFS follows symbolic links out of its directory; the file system of an
// [os.Root] does not.
func HTMLFile(fsys fs.FS, name string) mcp.ResourceHandler {
	switch {
	case fsys == nil:
		panic("mcpapps.HTMLFile: the file system is nil")
	case !fs.ValidPath(name) || name == ".":
		panic(fmt.Sprintf("mcpapps.HTMLFile: %q is not a file's name in a file system: write it with slashes, without a leading / or ./, as in \"ui/index.html\"", name))
	}
	if err := embedded.Check(fsys, name); err != nil {
		panic("mcpapps.HTMLFile: " + err.Error())
	}
	file := ""
	if folder := ondisk.Find(fsys, name); folder != nil {
		fsys, file = folder, filepath.Join(folder.Dir, filepath.FromSlash(name))
	}
	read := func() (string, error) {
		data, err := fs.ReadFile(fsys, name)
		return string(bytes.TrimPrefix(data, byteOrderMark)), err
	}
	unchanging := embedded.Unchanging(fsys)
	if unchanging {
		read = sync.OnceValues(read)
	}
	h := &htmlHandler{func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		doc, err := read()
		if file != "" {
			devenv.Tell(ctx, doc, devenv.FilesKey, []any{file})
		}
		return doc, err
	}, unchanging}
	return h.serve
}

var byteOrderMark = []byte("\ufeff")

// A TemplateHandler reads an app whose URI has variables. vars is nil for a read
// of the shell, which has a URI without variables.
type TemplateHandler func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (*mcp.ReadResourceResult, error)

// HTMLTemplateFunc is [HTMLFunc] for a [TemplateHandler].
func HTMLTemplateFunc(f func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (string, error)) TemplateHandler {
	if f == nil {
		panic("mcpapps.HTMLTemplateFunc: the function is nil")
	}
	return func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (*mcp.ReadResourceResult, error) {
		doc, err := f(ctx, req, vars)
		if err != nil {
			return nil, err
		}
		return htmlResult(doc)
	}
}

func htmlResult(doc string) (*mcp.ReadResourceResult, error) {
	if strings.TrimSpace(doc) == "" {
		return nil, errEmpty
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{MIMEType: MIMEType, Text: doc}}}, nil
}

var errEmpty = errors.New("the document is empty, which hosts show as a blank frame")

// document serves an app: it calls the author's handler, and ensures that the
// result is an app with its metadata.
type document struct {
	meta mcp.Meta // of the list entry, or nil; never written to
	read mcp.ResourceHandler

	// For Options.VersionedURIs, if read is the handler of an htmlHandler.
	html   *htmlHandler
	listed *mcp.Resource
	last   atomic.Pointer[versionedText]
}

func (d *document) serve(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	ctx, note := devenv.WithNote(&readContext{ctx, d})
	res, err := d.read(ctx, req)
	if err != nil {
		return nil, readError(uri, err)
	}
	if res == nil {
		return nil, readError(uri, errors.New("the handler returned no result"))
	}
	c := *res // the SDK writes into the result, Meta included
	c.Meta = maps.Clone(res.Meta)
	if res.InputRequests != nil {
		if c.Contents == nil {
			// Without it, clients before 2026-07-28 get "nil information".
			c.Contents = []*mcp.ResourceContents{}
		}
		return &c, nil
	}
	c.Contents = make([]*mcp.ResourceContents, len(res.Contents))
	items := make([]mcp.ResourceContents, len(res.Contents))
	app := false
	for i, item := range res.Contents {
		if item == nil {
			return nil, readError(uri, fmt.Errorf("contents[%d] is nil", i))
		}
		items[i] = *item
		c.Contents[i] = &items[i]
		is, err := d.finish(&items[i], uri)
		if err != nil {
			return nil, readError(uri, fmt.Errorf("contents[%d]: %w", i, err))
		}
		if is {
			items[i].Meta = note.AddTo(items[i].Meta, items[i].Text)
		}
		app = app || is
	}
	if !app {
		return nil, readError(uri, errors.New("the handler returned no contents at this URI"))
	}
	return &c, nil
}

// finish completes a content item if it is the app, and reports whether it is.
func (d *document) finish(item *mcp.ResourceContents, uri string) (bool, error) {
	if item.URI != "" && item.URI != uri {
		return false, nil
	}
	if item.MIMEType != "" && !IsMIMEType(item.MIMEType) {
		return false, fmt.Errorf("the media type is %q, not %q: serve other content at a URI of its own", item.MIMEType, MIMEType)
	}
	item.URI, item.MIMEType = uri, MIMEType
	switch {
	case strings.TrimSpace(item.Text) == "" && len(bytes.TrimSpace(item.Blob)) == 0:
		return false, errEmpty
	case item.Text != "" && item.Blob != nil:
		return false, errors.New("it has both text and blob: return one")
	case !utf8.ValidString(item.Text) || !utf8.Valid(item.Blob):
		return false, errors.New("the document is not valid UTF-8")
	}
	item.Meta = d.merge(item.Meta)
	return true, nil
}

// merge returns the _meta of a content item: what the handler set, and what it did
// not set from the list entry. A ui of null counts as not set.
func (d *document) merge(item mcp.Meta) mcp.Meta {
	if len(d.meta) == 0 {
		return item
	}
	meta := make(mcp.Meta, len(item)+len(d.meta))
	maps.Copy(meta, d.meta)
	for k, v := range item {
		if k != keyUI || v != nil {
			meta[k] = v
		}
	}
	return meta
}

// readError returns the error that a client sees: JSON-RPC errors as they are, a
// missing resource for a missing file, and never a path of this machine.
func readError(uri string, err error) error {
	var rpc *jsonrpc.Error
	var build *devenv.BuildFailure
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &rpc):
		return rpc
	case errors.Is(err, fs.ErrNotExist):
		return mcp.ResourceNotFoundError(uri)
	case errors.As(err, &build): // in a process that the preview started
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("reading the app %q: %v", uri, err), Data: build.Data()}
	case errors.As(err, &path):
		err = fmt.Errorf("%s: %w", path.Op, path.Err)
	case errors.As(err, &link):
		err = fmt.Errorf("%s: %w", link.Op, link.Err)
	}
	return fmt.Errorf("reading the app %q: %w", uri, err)
}

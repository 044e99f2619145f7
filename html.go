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
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/mcpapps-go/mcpapps/internal/ondisk"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTML returns a handler that serves one document unchanged. Scripts in it can't
// import anything when the view runs, not even the view runtime "mcp-app"; the
// Handler of package view/bundle serves a document with everything inline that
// it imports and refers to.
//
// The document never changes, so from protocol version 2026-07-28 on the result of a read
// says that it may be cached for an hour (ttlMs), and by anybody unless it was read with a
// bearer token (cacheScope). For other values, set SetCacheable of [mcp.ServerOptions];
// middleware that decides who may read the document should set cacheScope to private. To
// replace the document earlier, register the app again and call [NotifyResourcesChanged].
//
// It panics if the document is empty.
func HTML(doc string) mcp.ResourceHandler {
	if strings.TrimSpace(doc) == "" {
		panic("mcpapps.HTML: the document is empty")
	}
	h := &htmldoc.Handler{Kind: htmldoc.Unchanging, Text: func(context.Context, *mcp.ReadResourceRequest) (string, error) { return doc, nil }}
	return h.Serve
}

// HTMLFunc returns a handler that serves the document that f returns for each
// read. Hosts may read it before any tool was called, may cache it for all of a
// user's conversations, and pass no arguments: data that differs between calls
// belongs in the tool's result. The result of a read says that only the client that
// asked may cache it, and for no time, in protocol versions that can say so.
func HTMLFunc(f func(context.Context, *mcp.ReadResourceRequest) (string, error)) mcp.ResourceHandler {
	if f == nil {
		panic("mcpapps.HTMLFunc: the function is nil")
	}
	return (&htmldoc.Handler{Text: f, Kind: htmldoc.PerRead}).Serve
}

// HTMLFile returns a handler that serves a file of fsys unchanged. For a file
// that imports or refers to others, such as the view runtime "mcp-app" or a style
// sheet, use the Handler of package view/bundle.
//
// An [embed.FS] is read once, and so is a sub-tree of one that [fs.Sub] returns; clients
// may cache it, as the document of [HTML]. Any other file system is read for each request,
// so a directory serves what was saved last. A UTF-8 byte order mark is removed, as a browser does when it loads a file:
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
	h := &htmldoc.Handler{Kind: htmldoc.Shared}
	if embedded.Unchanging(fsys) {
		h.Kind = htmldoc.Unchanging
		read = sync.OnceValues(read)
	}
	h.Text = func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		doc, err := read()
		if file != "" {
			devenv.Tell(ctx, doc, devenv.FilesKey, []any{file})
		}
		return doc, err
	}
	return h.Serve
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
		return htmldoc.Result(req, doc, htmldoc.PerRead)
	}
}

// document serves an app: it calls the author's handler, and ensures that the
// result is an app with its metadata.
type document struct {
	meta mcp.Meta // of the list entry, or nil; never written to
	read mcp.ResourceHandler

	// For Options.VersionedURIs, if read is the handler of package htmldoc.
	html   *htmldoc.Handler
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
		return false, htmldoc.ErrEmpty
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

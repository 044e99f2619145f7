package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler returns a handler that bundles the file name of fsys and serves the
// result, for [mcpapps.RegisterAppResource] and [mcpapps.View].
//
// The page is bundled at the first read, and again at a read that finds one of
// the files it was made from changed: by size and modification time, and by
// content where the file was written only just before it was read. A file
// system whose files have no modification time, as embed.FS and what fs.Sub
// makes of it, does not change. Readers that come while the page is being
// bundled wait for the one result. A page that does not bundle is an error of
// the read, with the reasons, and is tried again at the next.
//
// Make it once, outside of what builds a server per request: the bundle is kept
// in the handler. Call [HTML] with the same arguments in a test, to see the
// page's errors and warnings before a client does; the handler passes the
// warnings over.
//
// Give the CSP that the resource declares as [Options.CSP] too: with nil,
// whatever the page loads from outside is an error.
//
// It panics if fsys is nil, if name is not a file's name (see [fs.ValidPath]),
// or if an embed.FS has no such file.
func Handler(fsys fs.FS, name string, opts *Options) mcp.ResourceHandler {
	err := checkName(fsys, name)
	if err == nil {
		err = embedded.Check(fsys, name)
	}
	if err != nil {
		panic("bundle.Handler: " + err.Error())
	}
	v := newPage(fsys, name, opts.clone())
	if v.opts.CSP == nil {
		v.opts.CSP = &mcpapps.CSP{}
	}
	return mcpapps.HTMLFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		doc, _, err := v.get(ctx)
		if err != nil {
			return "", err
		}
		return doc.HTML, nil
	})
}

func checkName(fsys fs.FS, name string) error {
	if fsys == nil {
		return errors.New("the file system is nil")
	}
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%q is not a file's name in a file system: write it with slashes, without a leading / or ./, as in \"ui/index.html\"", name)
	}
	return nil
}

// clone copies options, which callers may change afterwards.
func (o *Options) clone() *Options {
	if o == nil {
		return &Options{}
	}
	c := *o
	c.CSP = cloneCSP(o.CSP)
	return &c
}

// cloneCSP returns a copy that shares nothing with csp, nil for nil.
func cloneCSP(csp *mcpapps.CSP) *mcpapps.CSP {
	if csp == nil {
		return nil
	}
	c := &mcpapps.CSP{
		ConnectDomains:  slices.Clone(csp.ConnectDomains),
		ResourceDomains: slices.Clone(csp.ResourceDomains),
		FrameDomains:    slices.Clone(csp.FrameDomains),
		BaseURIDomains:  slices.Clone(csp.BaseURIDomains),
	}
	if csp.Extra != nil {
		c.Extra = jsonvalue.Clone(csp.Extra).(map[string]any)
	}
	return c
}

// page is an HTML file with its current bundle.
type page struct {
	fsys fs.FS
	name string
	opts *Options
	gate chan struct{} // held by the one that bundles
	doc  atomic.Pointer[Document]
}

func newPage(fsys fs.FS, name string, opts *Options) *page {
	return &page{fsys: fsys, name: name, opts: opts, gate: make(chan struct{}, 1)}
}

// get returns the bundle of the files as they are now, and whether it had to be
// made for this call.
func (v *page) get(ctx context.Context) (doc *Document, made bool, err error) {
	if doc := v.doc.Load(); doc != nil && doc.immutable() {
		return doc, false, nil
	}
	select {
	case v.gate <- struct{}{}:
		defer func() { <-v.gate }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if doc := v.doc.Load(); doc != nil && !doc.stale(v.fsys) {
		return doc, false, nil
	}
	doc, err = HTML(v.fsys, v.name, v.opts)
	if err != nil {
		return nil, false, err
	}
	v.doc.Store(doc)
	return doc, true, nil
}

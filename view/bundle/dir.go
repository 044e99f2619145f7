package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/ondisk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// RegisterDir registers each HTML file of fsys, or of the folder [Options.Dir] in
// it, as a UI resource: "weather.html" becomes ui://HOST/weather.html, and
// "charts/bar.html" becomes ui://HOST/charts/bar.html. Folders named node_modules
// and names that begin with a dot are skipped.
//
// All pages are bundled before the first is registered. If a page has a mistake,
// or if the folder or its HTML files are missing, RegisterDir returns an error and
// registers nothing, so that a forgotten build does not become a blank view. For
// a server that is made per request this is too much work: there, use a [Handler]
// that is made once.
//
// Each resource declares [Options.CSP] or, if that is nil, what its page needs,
// and what [Options.Describe] adds. It is an error if the result is invalid (see
// [mcpapps.View.Validate]): of the registration, or of the reads after a change that
// made it so.
//
// Files on disk may change while the server runs. The next read serves the change
// and registers the resource again, so that clients get list_changed. With
// [Options.Watch], changed, new and removed files are noticed without a read; the
// server then stays in memory until the context ends.
func RegisterDir(s *mcp.Server, host string, fsys fs.FS, opts *Options) error {
	d := &dir{server: s, host: host, fsys: fsys, opts: opts.clone(), views: make(map[string]*page)}
	switch {
	case s == nil:
		return errors.New("bundle.RegisterDir: the server is nil")
	case fsys == nil:
		return errors.New("bundle.RegisterDir: the file system is nil")
	}
	root := "ui://" + host + "/"
	if u, err := url.Parse(root); err != nil || host == "" || u.Host != host || u.User != nil || appuri.Validate(root) != nil {
		return fmt.Errorf("bundle.RegisterDir: %q can't be the host of a ui:// URI: use a name such as \"my-server\"", host)
	}
	if d.opts.Dir == "" {
		d.opts.Dir = "."
	}
	if !fs.ValidPath(d.opts.Dir) {
		return fmt.Errorf("bundle.RegisterDir: %q is not a folder's name in a file system: write it with slashes, without a leading / or ./", d.opts.Dir)
	}
	names, err := d.list()
	if err != nil {
		return fmt.Errorf("bundle.RegisterDir: %w", err)
	}
	if folder := ondisk.Find(fsys, names[0]); folder != nil {
		d.fsys = folder
		if names, err = d.list(); err != nil {
			return fmt.Errorf("bundle.RegisterDir: %w", err)
		}
	}
	uris := make(map[string]string)
	var errs []error
	for _, name := range names {
		if other, taken := uris[d.uri(name)]; taken {
			errs = append(errs, fmt.Errorf("%q and %q would both be %s: rename one", other, name, d.uri(name)))
		}
		uris[d.uri(name)] = name
		v := newPage(fsys, name, d.opts, policy{})
		d.views[name] = v
		if _, _, err := v.get(context.Background()); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("bundle.RegisterDir: %w", errors.Join(errs...))
	}
	views := make([]mcpapps.View, len(names))
	for i, name := range names {
		var err error
		if views[i], err = d.view(d.views[name], d.views[name].doc.Load()); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("bundle.RegisterDir: %w", errors.Join(errs...))
	}
	for i, name := range names {
		d.register(d.views[name], views[i])
	}
	if d.opts.Watch == nil && ondisk.Enabled() {
		d.opts.Watch = context.Background() // the process is one author's own, and ends soon
	}
	if d.opts.Watch != nil && d.mayChange() {
		go d.watch(d.opts.Watch)
	}
	return nil
}

// dir is a folder whose views are registered on a server.
type dir struct {
	server *mcp.Server
	host   string
	fsys   fs.FS
	opts   *Options

	mu    sync.Mutex // held while resources are registered or removed
	views map[string]*page
}

// list returns the names of the HTML files, sorted. It is an error if there are
// none.
func (d *dir) list() ([]string, error) {
	var names []string
	err := fs.WalkDir(d.fsys, d.opts.Dir, func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			if name == d.opts.Dir && errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no folder %q in the file system: build the views first, or name another folder: %w", name, fs.ErrNotExist)
			}
			return fmt.Errorf("can't read the folder %q: %w", name, pathless(err))
		case entry.IsDir():
			if name != d.opts.Dir && (base == "node_modules" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
		case isHTML(name) && !strings.HasPrefix(base, "."):
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("the folder %q has no HTML file: build the views first, or name another folder", d.opts.Dir)
	}
	sort.Strings(names)
	return names, err
}

func isHTML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm"
}

// stem returns a file's path in the folder, without its extension.
func (d *dir) stem(name string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(name, d.opts.Dir), "/")
	return strings.TrimSuffix(rel, path.Ext(rel))
}

func (d *dir) uri(name string) string {
	parts := strings.Split(d.stem(name), "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "ui://" + d.host + "/" + strings.Join(parts, "/") + ".html"
}

// describe returns the resource and the metadata for a document.
func (d *dir) describe(v *page, doc *Document) (mcp.Resource, mcpapps.ResourceUIMetadata) {
	uri := d.uri(v.name)
	r := mcp.Resource{
		URI:      uri,
		Name:     d.stem(v.name),
		Title:    doc.Title,
		MIMEType: mcpapps.MIMEType,
	}
	declared := d.opts.CSP
	if declared == nil {
		declared = doc.CSP
	}
	ui := mcpapps.ResourceUIMetadata{CSP: cloneCSP(declared)}
	if d.opts.Describe != nil {
		if ui.CSP == nil {
			ui.CSP = new(mcpapps.CSP)
		}
		d.opts.Describe(v.name, &r, &ui)
		r.URI = uri
		if d.opts.CSP == nil && isEmpty(ui.CSP) {
			ui.CSP = nil // the page needs nothing and Describe added nothing
		}
	}
	return r, ui
}

func isEmpty(c *mcpapps.CSP) bool {
	return c != nil && len(c.ConnectDomains)+len(c.ResourceDomains)+len(c.FrameDomains)+len(c.BaseURIDomains)+len(c.Extra) == 0
}

// view returns the view for a document of a page, or why it can't be registered.
func (d *dir) view(v *page, doc *Document) (mcpapps.View, error) {
	r, ui := d.describe(v, doc)
	declared, err := json.Marshal(ui)
	if err != nil {
		return mcpapps.View{}, fmt.Errorf("%s: %w", v.name, err)
	}
	view := mcpapps.View{Resource: r, UI: ui, Document: func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return d.read(ctx, req, v, string(declared))
	}}
	if err := view.Validate(); err != nil {
		return mcpapps.View{}, fmt.Errorf("%s: %w", v.name, err)
	}
	if d.opts.Describe != nil {
		if err := doc.keptBy(ui.CSP); err != nil {
			return mcpapps.View{}, err
		}
	}
	return view, nil
}

// register adds a view to the server or replaces it, unless its file was removed in
// the meantime.
func (d *dir) register(v *page, view mcpapps.View) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.views[v.name] == v {
		mcpapps.RegisterAppResource(d.server, &view.Resource, view.UI, view.Document)
	}
}

// read serves a view. If the document has changed so that its metadata is no
// longer what was registered, the content item carries the new metadata.
func (d *dir) read(ctx context.Context, req *mcp.ReadResourceRequest, v *page, declared string) (*mcp.ReadResourceResult, error) {
	doc, made, err := v.get(ctx)
	if err != nil {
		return nil, err
	}
	v.tell(ctx, doc, doc.HTML)
	item := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: mcpapps.MIMEType, Text: doc.HTML}
	res := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{item}}
	if doc.immutable() && !made {
		return res, nil
	}
	view, err := d.view(v, doc)
	if err != nil {
		return nil, err
	}
	if made {
		d.register(v, view)
	}
	if now, err := json.Marshal(view.UI); err == nil && string(now) != declared {
		var generic map[string]any
		if err := json.Unmarshal(now, &generic); err != nil {
			return nil, err
		}
		item.Meta = mcp.Meta{"ui": generic}
	}
	return res, nil
}

// mayChange reports whether any file has a modification time.
func (d *dir) mayChange() bool {
	for _, v := range d.views {
		if !v.doc.Load().immutable() {
			return true
		}
	}
	return false
}

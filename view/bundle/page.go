package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/ondisk"
)

// page is an HTML file and its current bundle.
type page struct {
	fsys   fs.FS
	built  fs.FS // what the program embeds, if fsys is its folder on disk, else nil
	name   string
	opts   *Options
	policy policy
	lock   chan struct{} // has room for one: the goroutine that bundles; others may give up waiting
	doc    atomic.Pointer[Document]

	first   sync.Once // see pageFor
	mu      sync.Mutex
	failed  error            // why an unchanging page can't be bundled
	blocked map[string]error // why an unchanging page does not suit a CSP, by its JSON
}

// maxBlocked bounds the policies that a page is known not to suit.
const maxBlocked = 16

func newPage(fsys fs.FS, name string, opts *Options, policy policy) *page {
	v := &page{fsys: fsys, name: name, opts: opts, policy: policy, lock: make(chan struct{}, 1)}
	if folder := ondisk.Find(fsys, name); folder != nil {
		v.fsys, v.built = folder, fsys
	} else if ondisk.Enabled() && embedded.Unchanging(fsys) {
		v.logger().Warn(fmt.Sprintf("bundle: %s: the folder that was embedded is not found, so an edit is seen when the program is built again", name))
	}
	return v
}

// get returns the bundle of the files as they are now, and whether this call made
// it.
func (v *page) get(ctx context.Context) (doc *Document, made bool, err error) {
	maps := devenv.SourceMapsEnabled()
	if doc := v.doc.Load(); doc != nil && doc.immutable() && doc.suits(maps) {
		return doc, false, nil
	}
	if err := v.knownFailure(); err != nil {
		return nil, false, err
	}
	select {
	case v.lock <- struct{}{}:
		defer func() { <-v.lock }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	last := v.doc.Load()
	if last != nil && last.suits(maps) && !last.stale(v.fsys) {
		return last, false, nil
	}
	if err := v.knownFailure(); err != nil {
		return nil, false, err
	}
	b := newBundler(v.fsys, v.name, v.opts, v.policy)
	b.maps = maps
	if doc, err = b.document(); err != nil {
		if embedded.Unchanging(v.fsys) {
			v.mu.Lock()
			v.failed = v.failure(err)
			v.mu.Unlock()
		}
		return nil, false, v.failure(err)
	}
	v.doc.Store(doc)
	v.logWarnings(ctx, doc.Warnings)
	if last == nil {
		v.warnOfUnembedded(ctx, doc)
	}
	return doc, true, nil
}

func (v *page) knownFailure() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed
}

// getFor returns the bundle for a resource that declares a CSP: an error if it does
// not allow what the page loads.
func (v *page) getFor(ctx context.Context, declared *mcpapps.CSP) (*Document, error) {
	doc, _, err := v.get(ctx)
	if err != nil || len(doc.External) == 0 || doc.allowedBy(declared) && (v.opts.CSP == nil || doc.allowedBy(v.opts.CSP)) {
		return doc, err
	}
	encoded, err := json.Marshal(declared)
	if err != nil {
		return nil, err
	}
	key := string(encoded)
	v.mu.Lock()
	err = v.blocked[key]
	v.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case v.lock <- struct{}{}:
		defer func() { <-v.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	// Once more, for the places of the references.
	if again, err := newBundler(v.fsys, v.name, v.opts, policy{declared: declared, handler: true, data: v.policy.data}).document(); err == nil {
		return again, nil
	} else if !doc.immutable() {
		return nil, v.failure(err)
	} else {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.blocked == nil || len(v.blocked) >= maxBlocked {
			v.blocked = make(map[string]error)
		}
		v.blocked[key] = err
		return nil, err
	}
}

// failure adds to an error what the preview shows of it, in a process that the preview
// started.
func (v *page) failure(err error) error {
	var first *Error
	if !devenv.SourcesGiven() || !errors.As(err, &first) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	build := devenv.BuildError{File: first.File, Line: first.Line, Column: first.Column, Text: err.Error()}
	if data, err := fs.ReadFile(v.fsys, first.File); err == nil {
		build.SetExcerpt(string(data))
	}
	return &devenv.BuildFailure{Err: err, Build: build}
}

// tell tells the preview from what a document was made that is served as html, in a
// process that the preview started.
func (v *page) tell(ctx context.Context, doc *Document, html string) {
	if doc.sourceMap != nil && html == doc.HTML {
		devenv.Tell(ctx, html, devenv.MapKey, jsonvalue.Clone(doc.sourceMap))
	}
	dir := ondisk.Path(v.fsys)
	if dir == "" || !devenv.SourcesGiven() {
		return
	}
	files := make([]any, len(doc.Inputs))
	for i, name := range doc.Inputs {
		files[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	devenv.Tell(ctx, html, devenv.FilesKey, files)
}

// suits reports whether the document has a source map if that is wanted.
func (d *Document) suits(maps bool) bool { return !maps || d.sourceMap != nil }

// allowedBy reports whether a CSP allows all that the document loads.
func (d *Document) allowedBy(csp *mcpapps.CSP) bool {
	allows := csp.Matcher()
	for _, o := range d.External {
		if !allows(o.Directive, o.Origin) {
			return false
		}
	}
	return true
}

// keptBy returns an error if Options.Describe has left a CSP without what the page
// loads.
func (d *Document) keptBy(csp *mcpapps.CSP) error {
	allows := csp.Matcher()
	for _, o := range d.External {
		if ref := o.References[0]; !allows(o.Directive, o.Origin) {
			_, field := domains(&mcpapps.CSP{}, o.Directive)
			return &Error{File: ref.File, Line: ref.Line, Column: ref.Column, Text: fmt.Sprintf("%q is blocked when the view runs, since Options.Describe leaves %q out of the %s of ui.CSP: "+
				"append to what it holds", ref.URL, o.Origin, field)}
		}
	}
	return nil
}

func (v *page) logger() *slog.Logger {
	if v.opts.Logger == nil {
		return slog.Default()
	}
	return v.opts.Logger
}

// logWarnings reports the warnings of a new bundle, of which nobody else learns.
func (v *page) logWarnings(ctx context.Context, warnings []*Error) {
	const most = 20
	for _, w := range warnings[:min(len(warnings), most)] {
		v.logger().WarnContext(ctx, "bundle: "+w.Error())
	}
	if n := len(warnings) - most; n > 0 {
		v.logger().WarnContext(ctx, fmt.Sprintf("bundle: %s: and %d more warnings", v.name, n))
	}
}

// warnOfUnembedded warns of files on disk, without which the program as it was built
// can't make the bundle.
func (v *page) warnOfUnembedded(ctx context.Context, doc *Document) {
	if v.built == nil {
		return
	}
	var warnings []*Error
	for _, name := range doc.Inputs {
		if info, err := fs.Stat(v.built, name); err != nil || info.IsDir() {
			warnings = append(warnings, &Error{File: name, Text: "the program does not embed this file, and outside of the preview it serves embedded files alone: " +
				"add it to the go:embed pattern, if building the program again is not enough"})
		}
	}
	v.logWarnings(ctx, warnings)
}

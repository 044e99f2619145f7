package bundle

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are the options of [HTML], [Handler], [TemplateHandler] and [RegisterDir]. The zero value
// suits most.
type Options struct {
	// CSP is the policy by which HTML judges the page: a reference to an origin that
	// it does not allow is an error. If it is nil, HTML allows external scripts,
	// styles, images, media, fonts and frames and lists them in the [Document], and
	// scripts can import nothing over the network.
	//
	// Leave it nil for Handler and TemplateHandler. They judge by what the resource
	// declares, in the field UI of its [mcpapps.View] or in the argument of
	// [mcpapps.RegisterAppResource], which they learn from the read (see
	// [mcpapps.DeclaredUI]); without a CSP there, nothing external is allowed. If
	// this field is set, it has to allow an origin as well, and it is the policy
	// where a handler is registered by other means.
	//
	// RegisterDir declares it on the resources. If it is nil, RegisterDir declares
	// for each view what it needs, and scripts can import nothing over the network.
	CSP *mcpapps.CSP
	// PackagedRuntime makes the import "@modelcontextprotocol/ext-apps" mean the
	// package in node_modules. By default it means the runtime of package view,
	// which is far smaller.
	PackagedRuntime bool
	// SourceMaps adds source maps, with the sources in them, to bundled scripts.
	SourceMaps bool
	// Logger gets the warnings of Handler, TemplateHandler and RegisterDir, with file,
	// line and column, each time that a page is bundled, and the problems of an
	// embedded page when its handler is made. If it is nil, [slog.Default] does. HTML
	// returns warnings in the [Document].
	Logger *slog.Logger
	// Unminified keeps names, spaces and comments in bundled scripts and styles.
	Unminified bool

	// Dir is the folder of the file system whose HTML files RegisterDir registers.
	// "" means the whole file system. Views may import files from outside the
	// folder, such as from a node_modules folder beside it.
	Dir string
	// Describe is called by RegisterDir for each view before it is registered, to
	// set a title, a description, permissions and the like. The resource already
	// has its URI, its Name, its MIMEType and, from the document, its Title; the
	// URI can't be changed. ui.CSP is never nil and belongs to this call. It holds
	// Options.CSP or what the page needs; append the origins that scripts fetch
	// from. If it is empty afterwards and Options.CSP is nil, the resource declares
	// no CSP, which means the host's restrictive default.
	//
	// If files may change, Describe is called more than once for a view: at
	// registration, after a change, and when the view is read, also from several
	// goroutines. It should set the same values for the same name.
	Describe func(name string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata)
	// Watch makes RegisterDir look for changed, new and removed files on disk,
	// twice per second, until the context ends. If it is nil, a change is noticed
	// when the view is next read.
	Watch context.Context
}

// Document is a bundled view.
type Document struct {
	// HTML is the whole document.
	HTML string
	// Title is the text of its title element.
	Title string
	// External lists the origins that the document loads from when it runs,
	// sorted.
	External []Origin
	// CSP is what these origins need, nil if there are none. What scripts fetch is
	// not in it.
	CSP *mcpapps.CSP
	// Warnings are about what is likely to be blocked or missing when the view runs,
	// but not certain to be. Warnings of the compiler are among them.
	Warnings []*Error
	// Inputs are the names of the files that were read, sorted.
	Inputs []string

	signatures map[string]signature
	sourceMap  map[string]any // nil unless it was asked for
}

// HTML reads the file name of fsys and puts everything that it refers to inline.
// It reads only fsys. A path that leads out of it is an error, also through a
// symbolic link if fsys is an [fs.ReadLinkFS], as the file systems of os.DirFS and
// os.Root are. A leading slash in a reference means the root of fsys.
//
// The error contains the problems that were found, at most 100 of them in the order
// of their places, each an [*Error]. It is an
// [fs.ErrNotExist] if the page is missing, but not if a file is missing that the
// page names.
func HTML(fsys fs.FS, name string, opts *Options) (*Document, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := checkName(fsys, name); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return newBundler(fsys, name, opts, policy{}).document()
}

// immutable reports whether the files that the document was made from can't
// change.
func (d *Document) immutable() bool {
	for _, sig := range d.signatures {
		if !sig.modTime.IsZero() {
			return false
		}
	}
	return true
}

// stale reports whether a file that the document was made from has changed.
func (d *Document) stale(fsys fs.FS) bool {
	for name, sig := range d.signatures {
		if sig.changed(fsys, name) {
			return true
		}
	}
	return false
}

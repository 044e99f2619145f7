package bundle

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are for [HTML], [Handler] and [RegisterDir]. The zero value suits
// most.
type Options struct {
	// CSP is what the server declares for the view: RegisterDir does so by
	// itself, and where HTML or Handler makes the document, the same CSP has to
	// be in the [mcpapps.ResourceUIMetadata] of the resource, which is UI in a
	// [mcpapps.View] and an argument of [mcpapps.RegisterAppResource]. A reference
	// to an origin that it does not allow is then an error. With nil, HTML allows external
	// scripts, styles, images, media, fonts and frames and lists them in the
	// [Document]; Handler takes nil for what it means in a resource's metadata,
	// nothing external; RegisterDir declares for each view what it needs.
	// Scripts may import over the network only from an origin that is given here.
	CSP *mcpapps.CSP
	// PackagedRuntime takes "@modelcontextprotocol/ext-apps" from node_modules.
	// By default it is the runtime of package view, a fraction of its size.
	PackagedRuntime bool
	// SourceMaps puts source maps, with the sources, into the bundled scripts.
	SourceMaps bool
	// Unminified leaves names, spaces and comments in bundled scripts and
	// styles.
	Unminified bool

	// Dir is the folder within the file system whose HTML files RegisterDir
	// registers; "" is all of it. Views may import from outside of it, such as
	// from a node_modules folder beside it.
	Dir string
	// Describe is called by RegisterDir for each view before it is registered,
	// to set a title, a description, permissions and the like. The resource
	// has its URI, Name, MIMEType and, from the document, its Title already.
	// ui.CSP is never nil, and this call's own: it holds what Options.CSP or the
	// page says, and the origins that scripts fetch from may be appended to it.
	// Where nothing is in it in the end, and Options.CSP is nil, the resource
	// declares no CSP, which is the host's restrictive default. The URI can't be
	// changed.
	//
	// It is called more than once for a view, and from several goroutines, where
	// files may change: at registration, at a change, and when the view is read.
	// So it should give the same for the same name.
	Describe func(name string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata)
	// Watch makes RegisterDir look for changed, new and removed files of a
	// directory on disk, twice a second, until the context ends. Without it, a
	// change is noticed when the view is next read.
	Watch context.Context
}

// Document is a bundled view.
type Document struct {
	// HTML is the whole document.
	HTML string
	// Title is the text of its title element.
	Title string
	// External lists where the document still loads from when it runs, in the
	// order of the origins.
	External []Origin
	// CSP is what these need, nil where nothing is external. It knows nothing
	// of what scripts fetch.
	CSP *mcpapps.CSP
	// Warnings are what is likely, and not certain, to be blocked when the view
	// runs, and what the script and style compilers remark upon.
	Warnings []*Error
	// Inputs names the files that were read, sorted.
	Inputs []string

	signatures map[string]signature
}

// HTML reads the file name of fsys and puts all that it refers to inline. Only
// fsys is read; paths that lead out of it are errors, and symbolic links too
// where fsys is an [fs.ReadLinkFS], as the file systems of os.DirFS and
// os.Root are. A leading slash in a reference means the root of fsys.
//
// A missing page is an [fs.ErrNotExist]; a missing file that the page names is
// not, since the page is there. The error lists all problems that were found,
// each an [*Error].
func HTML(fsys fs.FS, name string, opts *Options) (*Document, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := checkName(fsys, name); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	doc, err := newBundler(fsys, name, opts).document()
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// immutable reports whether the files that it was made from can't change.
func (d *Document) immutable() bool {
	for _, sig := range d.signatures {
		if !sig.modTime.IsZero() {
			return false
		}
	}
	return true
}

// stale reports whether an input is no longer what it was.
func (d *Document) stale(fsys fs.FS) bool {
	for name, sig := range d.signatures {
		if sig.changed(fsys, name) {
			return true
		}
	}
	return false
}

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler returns a handler that bundles the file name of fsys and serves the
// result, for [mcpapps.RegisterAppResource] and [mcpapps.View].
//
// What the page may load from outside is what the resource declares, in
// [mcpapps.View.UI] for example. A reference to another origin makes the read fail
// with a message that names what to add there.
//
// An embedded page (of an embed.FS, or of a sub-tree of one that fs.Sub returned) is
// bundled once, when the handler is made, which takes some milliseconds. Its problems
// are logged then, other than those with the policy, which is not known yet; each read
// fails with them, and the rest of the server works. Handlers with the same embedded
// page and options share the bundle, and the first one's Logger gets the messages.
// Clients may cache it, as the document of [mcpapps.HTML].
//
// A page of any other file system is bundled at the first read, and again at a read
// after one of its files has changed. A change is noticed by size and modification time,
// and by content if the file was read within two seconds of being written. Files
// without a modification time are taken for unchanging. Reads that arrive while the page
// is being bundled wait for that result. If the page can't be bundled, the read fails
// with the reasons, and the next read tries again. The bundle is kept in the handler, so
// make the handler once and not for each request.
//
// Call [HTML] with the same arguments in a test to see the page's errors and warnings
// before the server starts. In a server that "mcpapps preview" starts with "go run",
// the handler serves the files on disk instead of the embedded ones, so that an edit is
// seen at once.
//
// Handler panics if fsys is nil, if name is not a file's name (see
// [fs.ValidPath]), or if fsys is an embed.FS without such a file.
func Handler(fsys fs.FS, name string, opts *Options) mcp.ResourceHandler {
	checkPage("Handler", fsys, name)
	v := pageFor(fsys, name, opts, false)
	h := &htmldoc.Handler{Kind: htmldoc.Shared, Text: func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		doc, err := v.getFor(ctx, declaredCSP(ctx, v.opts))
		if err != nil {
			return "", err
		}
		v.tell(ctx, doc, doc.HTML)
		return doc.HTML, nil
	}}
	if embedded.Unchanging(v.fsys) {
		h.Kind = htmldoc.Unchanging
	}
	return h.Serve
}

// checkPage panics if there can be no such page.
func checkPage(call string, fsys fs.FS, name string) {
	err := checkName(fsys, name)
	if err == nil {
		err = embedded.Check(fsys, name)
	}
	if err != nil {
		panic("bundle." + call + ": " + err.Error())
	}
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

// cloneCSP returns a deep copy of csp, nil for nil.
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

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/view"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TemplateHandler returns a handler for [mcpapps.RegisterAppResourceTemplate] that
// serves the bundle of a page with the data that belongs to the variables of a URI. The
// page has an element for them:
//
//	<script type="application/json" id="data"></script>
//
// and a script in it reads them, whichever characters a client put into a variable:
//
//	const data = JSON.parse(document.getElementById("data").textContent)
//
// data returns the value for the variables, which is encoded by [view.Data]; an error
// that is [fs.ErrNotExist] means that there is nothing at this URI. If data is nil, the
// value is an object with the variables themselves. For the shell, which has no
// variables, data is not called, and the value is null: a view then takes what it shows
// from the tool's result.
//
// The page is bundled as by [Handler], once for all variables. It panics where Handler
// does. A page without the element, or with two, fails as one that can't be bundled
// does.
func TemplateHandler(fsys fs.FS, name string, opts *Options, data func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (any, error)) mcpapps.TemplateHandler {
	checkPage("TemplateHandler", fsys, name)
	v := pageFor(fsys, name, opts, true)
	var last atomic.Pointer[parted]
	return mcpapps.HTMLTemplateFunc(func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
		doc, err := v.getFor(ctx, declaredCSP(ctx, v.opts))
		if err != nil {
			return "", err
		}
		p := last.Load()
		if p == nil || p.doc != doc {
			start, end, err := dataElement(doc.HTML)
			if err != nil {
				return "", fmt.Errorf("bundle: %s: %w", name, err)
			}
			p = &parted{doc, doc.HTML[:start], doc.HTML[end:]}
			last.Store(p)
		}
		var value any
		switch {
		case vars == nil:
		case data == nil:
			value = vars
		default:
			if value, err = data(ctx, req, vars); err != nil {
				return "", err
			}
		}
		text, err := view.Data(value)
		if err != nil {
			return "", fmt.Errorf("bundle: the data of %s: %w", name, err)
		}
		html := p.before + text + p.after
		v.tell(ctx, doc, html)
		if doc.sourceMap != nil {
			devenv.Tell(ctx, html, devenv.MapKey, sourcemap.Replaced(doc.sourceMap, strings.TrimPrefix(p.before, byteOrderMark), doc.HTML[len(p.before):len(doc.HTML)-len(p.after)], text))
		}
		return html, nil
	})
}

// parted is a document without the text of its data element.
type parted struct {
	doc           *Document
	before, after string
}

// checkData reports a page that has not one element for data.
func (b *bundler) checkData(scripts []*element) {
	var data []*element
	for _, el := range scripts {
		if el.isData() {
			data = append(data, el)
		}
	}
	switch len(data) {
	case 0:
		b.problems.add(&Error{File: b.name, Text: errNoData.Error()})
	case 1:
		b.breaks = []int{data[0].text, data[0].textEnd}
	default:
		b.fail(data[1].start, errTwoData)
	}
}

const dataID = "data"

// dataElement returns where the text of the data element of a document begins and ends.
func dataElement(doc string) (start, end int, err error) {
	for _, el := range elementsOf(doc) {
		if !el.isData() {
			continue
		}
		if end > 0 {
			return 0, 0, errTwoData
		}
		start, end = el.text, el.textEnd
	}
	if end == 0 {
		return 0, 0, errNoData
	}
	return start, end, nil
}

// isData reports whether the element is for the data of a template.
func (e *element) isData() bool {
	return e.name == "script" && e.attr("id") == dataID && !e.foreign && !e.template && e.end >= 0 && !e.has("src") &&
		htmlscan.EqualFold(strings.Trim(e.attr("type"), space), "application/json")
}

var (
	errNoData  = errors.New(`the page has no element for the data of the template: add <script type="application/json" id="data"></script> before the scripts that read it`)
	errTwoData = errors.New(`the page has two elements for the data of the template: leave one <script type="application/json" id="data">`)
)

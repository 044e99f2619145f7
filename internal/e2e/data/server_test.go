package data

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

//go:embed testdata/view.html
var viewHTML string

type input struct {
	City string `json:"city"`
}

type summary struct {
	Name string `json:"name"`
}

// fill is data of about a number of bytes.
type fill struct {
	Name   string `json:"name"`
	Filler string `json:"filler"`
}

type row struct {
	ID   int    `json:"id"`
	City string `json:"city"`
}

type board struct {
	State string `json:"state"`
}

type tick struct {
	N int64 `json:"n"`
}

type changed struct {
	Changed int64 `json:"changed"`
}

// Sizes of data: within the bound of data in a result, above it, and above the longest
// result that hosts pass on.
const small, large, huge = 100, 10_000, 160_000

// allRows is the number of rows that show_pages has.
const allRows = 3000

// A backend is what the tools of one server work on.
type backend struct {
	reports, changes, ticks atomic.Int64
}

// newServer returns a server with a tool, and a view of it, for each item of the matrix.
func newServer(b *backend, store viewstate.Store) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "data", Version: "1"}, nil)
	reads := func(name string) *mcp.Tool {
		return &mcp.Tool{Name: name, Description: "Shows data.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	}
	writes := func(name string) *mcp.Tool { return &mcp.Tool{Name: name, Description: "Changes data."} }
	filled := func(size int) func(context.Context, *mcp.CallToolRequest, input) (viewdata.Result[summary, fill], error) {
		return func(_ context.Context, _ *mcp.CallToolRequest, in input) (viewdata.Result[summary, fill], error) {
			return viewdata.Result[summary, fill]{Text: "The data of " + in.City + " are shown.", Out: summary{in.City}, Data: fill{in.City, strings.Repeat("x", size)}}, nil
		}
	}
	viewdata.Register(s, reads("show_small"), viewOf("data", "show_small_data"), filled(small), nil)
	viewdata.Register(s, reads("show_large"), viewOf("data", "show_large_data"), filled(large), nil)
	viewdata.Register(s, reads("show_huge"), viewOf("data", "show_huge_data"), filled(huge), &viewdata.Options{InlineBytes: 2 * huge})
	report := filled(large)
	viewdata.Register(s, writes("write_report"), viewOf("data", "write_report_data"), func(ctx context.Context, req *mcp.CallToolRequest, in input) (viewdata.Result[summary, fill], error) {
		b.reports.Add(1)
		return report(ctx, req, in)
	}, &viewdata.Options{Store: store})

	viewdata.RegisterPages(s, reads("show_pages"), viewOf("pages", "show_pages_data"), func(_ context.Context, in input, p viewdata.Page) ([]row, string, error) {
		first, _ := strconv.Atoi(p.Cursor)
		last := min(first+p.Size, allRows)
		rows := make([]row, 0, last-first)
		for i := first; i < last; i++ {
			rows = append(rows, row{i, in.City})
		}
		if last == allRows {
			return rows, "", nil
		}
		return rows, strconv.Itoa(last), nil
	}, &viewdata.PageOptions[input, row]{Size: 500})

	viewdata.Register(s, reads("show_board"), viewOf("state", "show_board_data"), func(ctx context.Context, req *mcp.CallToolRequest, in input) (viewdata.Result[summary, board], error) {
		id, ok := viewstate.For(ctx, req, []byte("a secret of this server"), "board "+in.City)
		if !ok {
			id = viewstate.New()
		}
		return viewdata.Result[summary, board]{Text: "The board is shown.", Out: summary{in.City}, Data: board{id}}, nil
	}, nil)
	viewstate.Register(s, store, nil)

	mcpapps.RegisterApp(s, reads("show_clock"), viewOf("live", "read_clock"), func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "The clock is shown."}}}, nil, nil
	})
	viewdata.RegisterLive(s, reads("read_clock"), func(context.Context, *mcp.CallToolRequest, struct{}) (string, error) { return "", nil },
		func(context.Context, string) (tick, error) { return tick{b.ticks.Add(1)}, nil },
		&viewdata.LiveOptions{Every: 20 * time.Millisecond})

	viewform.Register(s, writes("change"), viewOf("form", "change_submit"), viewform.Form[input, changed]{
		Store: store,
		Do: func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, changed, error) {
			return nil, changed{b.changes.Add(1)}, nil
		},
	})
	return s
}

// viewOf returns the view that shows an item with the data of a tool. All servers have the
// same, so that it is bundled once.
func viewOf(item, tool string) mcpapps.View {
	view, _ := views.LoadOrStore(tool, sync.OnceValue(func() mcpapps.View { return newView(item, tool) }))
	return view.(func() mcpapps.View)()
}

var views sync.Map // from a tool's name to func() mcpapps.View

func newView(item, tool string) mcpapps.View {
	page := strings.NewReplacer("ITEM", item, "TOOL", tool).Replace(viewHTML)
	files := fstest.MapFS{"index.html": {Data: []byte(page)}}
	return mcpapps.View{
		Resource: mcp.Resource{URI: "ui://data/" + tool + ".html", Name: tool},
		Document: bundle.Handler(files, "index.html", nil),
	}
}

package viewdata

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Page says which rows are wanted.
type Page struct {
	// Cursor is the position of the first row: "" at the beginning, else what the
	// function returned as next.
	Cursor string
	// Size is how many rows at most are wanted.
	Size int
	// Request is the call, for its user and its session.
	Request *mcp.CallToolRequest
}

// PageOptions are options of [RegisterPages].
type PageOptions[Query, Row any] struct {
	// Size is how many rows a page has at most. The default is 50.
	Size int
	// MaxBytes is the size that a page has at most, as JSON within a text block, where
	// each quotation mark takes two bytes. The default is 150,000: hosts pass about as
	// many characters.
	MaxBytes int
	// InlineBytes is the size up to which the first page is part of the result for the
	// model, under _meta: see [Options]. A page that is larger is asked for again with
	// fewer rows.
	InlineBytes int
	// Key signs cursors, so that only those that this tool gave to the same user for the
	// same query reach the function. It has at least 16 bytes, and replicas need the same.
	// Positions are signed and not encrypted: views can read them. If Key is nil, it is a
	// random one that ends with the process: a view that has a cursor from before a restart
	// gets an error, which says to begin again with the first page.
	Key []byte
	// Text returns the text for the model, which is in the structured output too. It is
	// called for each client: see [mcpapps.ClientSupportsUI] for whether it shows views. The
	// default says to those that do how many rows the first page has. To the others it
	// lists the rows as JSON, as many as fit into InlineBytes (4,096 if that is negative).
	Text func(ctx context.Context, req *mcp.CallToolRequest, first FirstPage[Query, Row]) string
	// Extra returns what else the view gets with the first page, as extra beside its rows:
	// how many rows there are in all, or the id of a state. It counts toward MaxBytes.
	// Without it there is nothing else.
	Extra func(ctx context.Context, req *mcp.CallToolRequest, q Query) (any, error)
}

// A FirstPage is what a text about the rows of a query can say.
type FirstPage[Query, Row any] struct {
	Query Query
	Rows  []Row
	// More is whether more pages follow.
	More bool
	// Extra is what [PageOptions].Extra returned for this call, nil without that function.
	Extra any
}

const (
	defaultPageSize = 50
	defaultMaxBytes = 150_000
)

// minKey is the length of the shortest key of cursors.
const minKey = 16

// argCursor is the argument of the twin of pages.
const argCursor = "view_cursor"

// shownRow is how much of a row that is too large an error shows, in bytes.
const shownRow = 100

// pageOutput is the structured output for the model. It has the text, because some models
// read nothing else.
type pageOutput struct {
	Text string `json:"text" jsonschema:"what was found"`
	Rows int    `json:"rows" jsonschema:"how many rows the first page has"`
	More bool   `json:"more" jsonschema:"whether more rows follow"`
}

// RegisterPages adds a view, a tool that opens it with the first page of a query's
// rows, and the tool's twin, t.Name+"_data", from which the view reads pages: of the
// same query, or of others, for a search or another order.
//
// f returns at most p.Size rows from p.Cursor on, and the position of the next row, ""
// at the end. A page may have no rows and a next one all the same. f only reads, and it
// is called again for the same position: with fewer rows where a page is larger than
// MaxBytes. One row that is larger is an error, which the view gets.
//
// It panics where [mcpapps.RegisterApp] does, if the twin's name is invalid, if the
// query has a property view_cursor, if the tool's annotations say that it destroys
// something, and if o.Key is shorter than 16 bytes and not nil. It then registers nothing.
func RegisterPages[Query, Row any](s *mcp.Server, t *mcp.Tool, v mcpapps.View, f func(ctx context.Context, q Query, p Page) (rows []Row, next string, err error), o *PageOptions[Query, Row]) {
	const call = "RegisterPages"
	var opts PageOptions[Query, Row]
	if o != nil {
		opts = *o
	}
	tt := checkTool(call, s, t, f == nil)
	if a := tt.Annotations; a != nil && a.DestructiveHint != nil && *a.DestructiveHint && !a.ReadOnlyHint {
		panic(fmt.Sprintf("viewdata.%s: tool %q: its annotations say that it destroys something, and pages are read again and again: use Register", call, tt.Name))
	}
	if opts.Size <= 0 {
		opts.Size = defaultPageSize
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = defaultMaxBytes
	}
	opts.InlineBytes = inlineBytes(opts.InlineBytes)
	if opts.Key != nil && len(opts.Key) < minKey {
		panic(fmt.Sprintf("viewdata.%s: tool %q: PageOptions.Key has %d bytes, so cursors could be forged: use at least %d random ones, or nil for a key of this process", call, tt.Name, len(opts.Key), minKey))
	}
	opts.Key = slices.Clone(opts.Key)
	if opts.Key == nil {
		opts.Key = processKey()
	}
	p := &pager[Query, Row]{f, opts, inputType[Query](call, tt), cursors{opts.Key, tt.Name}}
	twin := twinOf(call, tt, tt.Name+twinSuffix, p.in, map[string]*jsonschema.Schema{
		argCursor: {Type: "string", Description: "The position of a page, as the page before it has it. Without it: the first page."},
	})
	mcpapps.RegisterApp(s, tt, v, func(ctx context.Context, req *mcp.CallToolRequest, q Query) (*mcp.CallToolResult, pageOutput, error) {
		return p.first(ctx, req, q, twin.Name)
	})
	addTwin(s, twin, p.serve)
}

// A pager reads the pages of one tool.
type pager[Query, Row any] struct {
	f       func(context.Context, Query, Page) ([]Row, string, error)
	opts    PageOptions[Query, Row]
	in      *toolinput.Type[Query]
	cursors cursors
}

// first answers the model's tool.
func (p *pager[Query, Row]) first(ctx context.Context, req *mcp.CallToolRequest, q Query, twin string) (*mcp.CallToolResult, pageOutput, error) {
	canonical := canonical(p.in, req)
	extra, encoded, err := p.extra(ctx, req, q)
	if err != nil {
		return nil, pageOutput{}, err
	}
	rows, page, err := p.page(ctx, req, q, canonical, "", encoded, p.opts.Size, pageBound{p.opts.MaxBytes, pageData.inText})
	if err != nil {
		return nil, pageOutput{}, err
	}
	out := pageOutput{p.text(ctx, req, page, FirstPage[Query, Row]{q, rows, page.Next != "", extra}), len(rows), page.Next != ""}
	bound := pageBound{p.opts.InlineBytes, pageData.size}
	if n := bound.fitting(page); !bound.holds(page) && n > 0 && bound.holds(page.first(n)) {
		if _, fewer, err := p.page(ctx, req, q, canonical, "", encoded, n, bound); err == nil {
			page = fewer
		}
	}
	where := pointer{Tool: twin}
	if bound.holds(page) {
		data, err := encode(page)
		if err != nil {
			return nil, out, err
		}
		where = pointer{Data: data}
	}
	return forModel(out.Text, out, where), out, nil
}

// text returns the text about the first page for the client that calls.
func (p *pager[Query, Row]) text(ctx context.Context, req *mcp.CallToolRequest, page pageData, first FirstPage[Query, Row]) string {
	if p.opts.Text != nil {
		return p.opts.Text(ctx, req, first)
	}
	if mcpapps.ClientSupportsUI(ctx, req) {
		return describePage(len(first.Rows), first.More)
	}
	max := p.opts.InlineBytes
	if max < 0 {
		max = defaultInline
	}
	return listPage(page.Rows, first.More, max)
}

// serve answers the twin.
func (p *pager[Query, Row]) serve(ctx context.Context, req *mcp.CallToolRequest) (any, error) {
	q, taken, canonical, err := p.in.Decode(req.Params.Arguments, argCursor)
	if err != nil {
		return nil, err
	}
	cursor := ""
	if raw, ok := taken[argCursor]; ok {
		var sealed string
		if json.Unmarshal(raw, &sealed) != nil {
			return nil, errCursor
		}
		if cursor, err = p.cursors.open(ctx, req, canonical, sealed); err != nil {
			return nil, err
		}
	}
	var extra json.RawMessage
	if cursor == "" {
		if _, extra, err = p.extra(ctx, req, q); err != nil {
			return nil, err
		}
	}
	_, page, err := p.page(ctx, req, q, canonical, cursor, extra, p.opts.Size, pageBound{p.opts.MaxBytes, pageData.inText})
	if err != nil {
		return nil, err
	}
	data, err := encode(page)
	return answer{Data: data}, err
}

// extra returns what the first page has beside its rows, and its JSON, nil if it has
// nothing.
func (p *pager[Query, Row]) extra(ctx context.Context, req *mcp.CallToolRequest, q Query) (any, json.RawMessage, error) {
	if p.opts.Extra == nil {
		return nil, nil, nil
	}
	v, err := p.opts.Extra(ctx, req, q)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := encode(v)
	return v, encoded, err
}

// page reads a page of at most size rows within a bound.
func (p *pager[Query, Row]) page(ctx context.Context, req *mcp.CallToolRequest, q Query, canonical []byte, cursor string, extra json.RawMessage, size int, bound pageBound) ([]Row, pageData, error) {
	for {
		rows, next, err := p.f(ctx, q, Page{Cursor: cursor, Size: size, Request: req})
		if err != nil {
			return nil, pageData{}, err
		}
		page, err := p.encode(ctx, req, canonical, rows, next)
		page.Extra = extra
		if err != nil || bound.holds(page) {
			return rows, page, err
		}
		switch n := bound.measure(page); {
		case len(rows) > size:
			return nil, page, fmt.Errorf("a page of at most %d rows has %d, with %d bytes, and a page may have %d bytes: the function that reads rows has to honor Page.Size", size, len(rows), n, bound.bytes)
		case len(rows) == 1:
			return nil, page, fmt.Errorf("a page with one row has %d bytes, and may have %d: leave long values out of the row %s", n, bound.bytes, text.Shorten(string(page.Rows[0]), shownRow))
		case len(rows) == 0:
			return nil, page, fmt.Errorf("an empty page has %d bytes, and may have %d: raise MaxBytes", n, bound.bytes)
		}
		size = bound.fitting(page)
	}
}

func (p *pager[Query, Row]) encode(ctx context.Context, req *mcp.CallToolRequest, canonical []byte, rows []Row, next string) (page pageData, err error) {
	page.Rows = make([]json.RawMessage, len(rows))
	for i, row := range rows {
		if page.Rows[i], err = json.Marshal(row); err != nil {
			return page, fmt.Errorf("row %d of a page can't be encoded as JSON: %w", i, err)
		}
	}
	if next != "" {
		page.Next, err = p.cursors.seal(ctx, req, canonical, next)
	}
	return page, err
}

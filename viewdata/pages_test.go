package viewdata

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type search struct {
	Text string `json:"text"`
}

// table is a function that reads rows of one width, and records the pages asked for.
type table struct {
	rows, width int
	asked       []Page
}

func (tb *table) read(_ context.Context, q search, p Page) (rows []string, next string, err error) {
	tb.asked = append(tb.asked, p)
	from := 0
	if p.Cursor != "" {
		if from, err = strconv.Atoi(p.Cursor); err != nil {
			return nil, "", err
		}
	}
	to := min(from+p.Size, tb.rows)
	for i := from; i < to; i++ {
		row := fmt.Sprintf("%s %d ", q.Text, i)
		rows = append(rows, row+strings.Repeat(".", max(0, tb.width-len(row))))
	}
	if to < tb.rows {
		next = strconv.Itoa(to)
	}
	return rows, next, nil
}

// sizes returns the sizes of the pages asked for since the last call.
func (tb *table) sizes() (all []int) {
	for _, p := range tb.asked {
		all = append(all, p.Size)
	}
	tb.asked = nil
	return all
}

type testPage struct {
	Rows []string `json:"rows"`
	Next string   `json:"next"`
}

func decodePage(t testing.TB, raw string) testPage {
	t.Helper()
	var a struct{ Data testPage }
	require.NoError(t, json.Unmarshal([]byte(raw), &a))
	require.NotNil(t, a.Data.Rows, raw)
	return a.Data
}

func pagesServer(tb *table, o *PageOptions[search, string]) *mcp.Server {
	s := newServer()
	RegisterPages(s, readTool("list"), testView, tb.read, o)
	return s
}

// TestPages shows all pages on each wire.
func TestPages(t *testing.T) {
	server := func() *mcp.Server { return pagesServer(&table{rows: 120, width: 10}, nil) }
	eachWire(t, "ada", server, func(t *testing.T, c *client) {
		res := c.call("list", `{"text":"a"}`)
		require.Len(t, res.Content, 1)
		assert.Regexp(t, `^Found at least 50 rows:\n\["a 0 \.*",.*,"a 49 \.*"\]$`, res.Content[0].Text)
		assert.JSONEq(t, string(mustJSON(t, pageOutput{res.Content[0].Text, 50, true})), string(res.Structured))
		page := decodePage(t, string(res.Meta.Data))
		all := page.Rows
		for page.Next != "" {
			page = decodePage(t, c.ask("list_data", `{"text":"a","view_cursor":"`+page.Next+`"}`))
			all = append(all, page.Rows...)
		}
		require.Len(t, all, 120)
		for i, row := range all {
			require.True(t, strings.HasPrefix(row, fmt.Sprintf("a %d ", i)), row)
		}
		assert.Equal(t, 50, len(decodePage(t, c.ask("list_data", `{"text":"b"}`)).Rows), "the first page of another query")
		assert.Contains(t, c.fail("list_data", `{}`), `"text"`)
		assert.Equal(t, errCursor.Error(), c.fail("list_data", `{"text":"a","view_cursor":1}`))
	})
}

// TestPageBounds shows that each page holds its bound, and how often rows are read.
func TestPageBounds(t *testing.T) {
	for _, tt := range []struct {
		name       string
		width      int
		o          PageOptions[search, string]
		inline     int // rows in the result
		model      []int
		page       int // rows of the twin's page
		twinsSizes []int
	}{
		{"small", 20, PageOptions[search, string]{}, 50, []int{50}, 50, []int{50}},
		{"too large for the result", 300, PageOptions[search, string]{}, 12, []int{50, 12}, 50, []int{50}},
		{"a row too large for the result", 5000, PageOptions[search, string]{}, 0, []int{50, 25}, 25, []int{50, 25}},
		{"too large", 1000, PageOptions[search, string]{Size: 80, MaxBytes: 10_000}, 2, []int{80, 5, 2}, 5, []int{80, 5}},
		{"never in the result", 20, PageOptions[search, string]{InlineBytes: -1}, 0, []int{50}, 50, []int{50}},
		{"one row a page", 900, PageOptions[search, string]{MaxBytes: 1000, InlineBytes: 1000}, 1, []int{50, 1}, 1, []int{50, 1}},
	} {
		tb := &table{rows: 1000, width: tt.width}
		o := tt.o
		c := inMemory(t, pagesServer(tb, &o), modern)
		o.Size = 1 // options are copied
		res := c.call("list", `{"text":"a"}`)
		if tt.inline == 0 {
			assert.JSONEq(t, `{"tool":"list_data"}`, string(res.Meta.Data), tt.name)
		} else {
			assert.Len(t, decodePage(t, string(res.Meta.Data)).Rows, tt.inline, tt.name)
			assert.LessOrEqual(t, len(res.Meta.Data), max(tt.o.InlineBytes, defaultInline))
		}
		assert.Equal(t, tt.model, tb.sizes(), tt.name)
		raw := c.ask("list_data", `{"text":"a"}`)
		page := decodePage(t, raw)
		assert.Len(t, page.Rows, tt.page, tt.name)
		assert.Equal(t, tt.twinsSizes, tb.sizes(), tt.name)
		bound := tt.o.MaxBytes
		if bound == 0 {
			bound = defaultMaxBytes
		}
		assert.LessOrEqual(t, len(mustJSON(t, raw)), bound, tt.name)

		raw = c.ask("list_data", `{"text":"a","view_cursor":"`+page.Next+`"}`)
		assert.True(t, strings.HasPrefix(decodePage(t, raw).Rows[0], fmt.Sprintf("a %d ", tt.page)), tt.name)
	}
}

// TestPageSize shows that sizes are counted exactly.
func TestPageSize(t *testing.T) {
	for _, page := range []pageData{
		{Rows: []json.RawMessage{}},
		{Rows: []json.RawMessage{json.RawMessage(`1`)}, Next: "abc"},
		{Rows: []json.RawMessage{}, Extra: mustJSON(t, map[string]any{"a\"": "\\"})},
		{Rows: []json.RawMessage{mustJSON(t, "a\"b\\c\n<é\u2028"), mustJSON(t, map[string]any{"a": []int{1}})}},
	} {
		text := mustJSON(t, answer{Data: mustJSON(t, page)})
		comma := min(1, len(page.Rows)) // one more than there are
		assert.Equal(t, len(text)+comma, page.size())
		assert.Equal(t, len(mustJSON(t, string(text)))+comma, page.inText())
	}
}

// TestPageFaults shows what a view is told of pages that can't be sent.
func TestPageFaults(t *testing.T) {
	add := func(s *mcp.Server, name string, f func(Page) ([]string, string, error)) {
		RegisterPages(s, readTool(name), testView, func(_ context.Context, _ any, p Page) ([]string, string, error) { return f(p) },
			&PageOptions[any, string]{Size: 4, MaxBytes: 1000})
	}
	s := newServer()
	wide := strings.Repeat("w", 2000)
	add(s, "row", func(p Page) ([]string, string, error) { return []string{wide, wide}[:min(2, p.Size)], "", nil })
	add(s, "deaf", func(Page) ([]string, string, error) { return []string{wide, wide, wide, wide, wide}, "", nil })
	add(s, "few", func(Page) ([]string, string, error) { return strings.Split("abcde", ""), "", nil })
	add(s, "none", func(Page) ([]string, string, error) { return nil, "", nil })
	add(s, "later", func(p Page) ([]string, string, error) {
		if p.Cursor == "" {
			return nil, "x", nil
		}
		return []string{p.Cursor}, "", nil
	})
	add(s, "far", func(Page) ([]string, string, error) { return nil, wide + wide, nil })
	add(s, "long", func(Page) ([]string, string, error) { return nil, wide, nil })
	add(s, "error", func(Page) ([]string, string, error) { return nil, "", errors.New("no database") })
	RegisterPages(s, readTool("odd"), testView, func(context.Context, any, Page) ([]failingJSON, string, error) {
		return make([]failingJSON, 1), "", nil
	}, nil)
	c := inMemory(t, s, modern)
	for name, want := range map[string]string{
		"row":   "a page with one row has 2031 bytes, and may have 1000: leave long values out of the row \"www",
		"deaf":  "a page of at most 4 rows has 5, with 10051 bytes, and a page may have 1000 bytes: the function that reads rows has to honor Page.Size",
		"far":   "the position of the next page has 4000 bytes, and may have 2048",
		"long":  "an empty page has 2728 bytes, and may have 1000: raise MaxBytes",
		"error": "no database",
		"odd":   "row 0 of a page can't be encoded as JSON",
	} {
		for _, tool := range []string{name, name + "_data"} {
			text := c.fail(tool, `{}`)
			assert.Contains(t, text, want, tool)
			assert.Less(t, len(text), 300, tool)
		}
	}
	assert.Equal(t, `{"data":{"rows":["a","b","c","d","e"]}}`, c.ask("few_data", `{}`))
	assert.Equal(t, `{"data":{"rows":[]}}`, c.ask("none_data", `{}`))
	assert.Equal(t, `{"data":{"rows":[]}}`, string(c.call("none", `{}`).Meta.Data))
	next := decodePage(t, c.ask("later_data", `{}`)).Next
	assert.Equal(t, `{"data":{"rows":["x"]}}`, c.ask("later_data", `{"view_cursor":"`+next+`"}`))
}

// TestCursors shows that a cursor is good for one user, tool and query, and that the
// function is not called with any other.
func TestCursors(t *testing.T) {
	tb := &table{rows: 100, width: 10}
	key := []byte("a secret of 16 bytes")[:minKey]
	o := &PageOptions[search, string]{Key: key}
	s := pagesServer(tb, o)
	RegisterPages(s, readTool("other"), testView, tb.read, o)
	h := streamable(s, true)
	ada, bob := overHTTP(t, h, "ada", legacy), overHTTP(t, h, "bob", modern)
	nobody, local := overHTTP(t, h, "", modern), inMemory(t, s, legacy)
	next := decodePage(t, ada.ask("list_data", `{"text":"a"}`)).Next
	with := func(text, cursor string) string { return fmt.Sprintf(`{"text":%q,"view_cursor":%q}`, text, cursor) }
	_ = ada.ask("list_data", with("a", next))
	replica := overHTTP(t, streamable(pagesServer(tb, &PageOptions[search, string]{Key: key}), false), "ada", legacy)
	_ = replica.ask("list_data", with("a", next))
	key[0]++ // keys are copied
	_ = ada.ask("list_data", with("a", next))

	tb.asked = nil
	for _, c := range []*client{bob, nobody, local} {
		assert.Equal(t, errCursor.Error(), c.fail("list_data", with("a", next)))
	}
	assert.Equal(t, errCursor.Error(), ada.fail("list_data", with("b", next)))
	assert.Equal(t, errCursor.Error(), ada.fail("other_data", with("a", next)))
	b, err := base64.RawURLEncoding.DecodeString(next)
	require.NoError(t, err)
	for i := range b {
		altered := append([]byte(nil), b...)
		altered[i] ^= 1
		assert.Equal(t, errCursor.Error(), ada.fail("list_data", with("a", base64.RawURLEncoding.EncodeToString(altered))))
	}
	for _, cursor := range []string{"", "!", next + "A", next + "=", next[:len(next)-1], next[:20], strings.Repeat("A", 1_000_000)} {
		assert.Equal(t, errCursor.Error(), ada.fail("list_data", with("a", cursor)))
	}
	other := overHTTP(t, streamable(pagesServer(tb, &PageOptions[search, string]{Key: key}), true), "ada", modern)
	assert.Equal(t, errCursor.Error(), other.fail("list_data", with("a", next)), "another key")
	assert.Empty(t, tb.asked)
}

// TestPagesText shows what the model reads of a first page, in both eras: the text that
// the author makes of it, or a default, which depends on whether the client shows views.
func TestPagesText(t *testing.T) {
	author := func(ctx context.Context, req *mcp.CallToolRequest, first FirstPage[search, string]) string {
		return fmt.Sprintf("%s %s %d %v %v %v", req.Params.Name, first.Query.Text, len(first.Rows), first.More, first.Extra, mcpapps.ClientSupportsUI(ctx, req))
	}
	for _, tt := range []struct {
		rows, width   int
		o             PageOptions[search, string]
		shown, listed string
		count         int
		more          bool
	}{
		{0, 0, PageOptions[search, string]{}, "The view shows 0 rows, which are all.", "No rows.", 0, false},
		{1, 0, PageOptions[search, string]{}, "The view shows 1 row, which is all.", "Found 1 row:\n[\"a 0 \"]", 1, false},
		{2, 0, PageOptions[search, string]{}, "The view shows 2 rows, which are all.", "Found 2 rows:\n[\"a 0 \",\"a 1 \"]", 2, false},
		{3, 0, PageOptions[search, string]{Size: 2}, "The view shows the first 2 rows, and more on demand.", "Found at least 2 rows:\n[\"a 0 \",\"a 1 \"]", 2, true},
		{3, 0, PageOptions[search, string]{InlineBytes: 20}, "The view shows 3 rows, which are all.", "Found 3 rows. The first 2:\n[\"a 0 \",\"a 1 \"]", 3, false},
		{3, 0, PageOptions[search, string]{Size: 2, InlineBytes: 12}, "The view shows the first 2 rows, and more on demand.", "Found at least 2 rows. The first 1:\n[\"a 0 \"]", 2, true},
		{2, 0, PageOptions[search, string]{InlineBytes: -1}, "The view shows 2 rows, which are all.", "Found 2 rows:\n[\"a 0 \",\"a 1 \"]", 2, false},
		{2, 5000, PageOptions[search, string]{}, "The view shows 2 rows, which are all.", "Found 2 rows, of which the first has 5002 bytes, too many for this text.", 2, false},
		{3, 0, PageOptions[search, string]{Size: 2, Text: author}, "list a 2 true <nil> true", "list a 2 true <nil> false", 2, true},
		{2, 0, PageOptions[search, string]{Text: author, Extra: func(context.Context, *mcp.CallToolRequest, search) (any, error) { return &city{"Oslo", 7}, nil }},
			"list a 2 false &{Oslo 7} true", "list a 2 false &{Oslo 7} false", 2, false},
	} {
		s := pagesServer(&table{rows: tt.rows, width: tt.width}, &tt.o)
		for _, version := range []string{legacy, modern} {
			for c, want := range map[*client]string{showing(t, s, version): tt.shown, inMemory(t, s, version): tt.listed} {
				res := c.call("list", `{"text":"a"}`)
				require.Len(t, res.Content, 1)
				assert.Equal(t, want, res.Content[0].Text)
				assert.JSONEq(t, string(mustJSON(t, pageOutput{want, tt.count, tt.more})), string(res.Structured))
			}
		}
	}
}

// TestPagesWithoutRows: a first page may have no rows where others follow.
func TestPagesWithoutRows(t *testing.T) {
	assert.Equal(t, "The first page has no rows, and more pages follow.", listPage(nil, true, defaultInline))
}

// TestCursorsWithoutUsers shows cursors of clients that have no user, on another server
// of the process.
func TestCursorsWithoutUsers(t *testing.T) {
	tb := &table{rows: 100, width: 10}
	first := overHTTP(t, streamable(pagesServer(tb, nil), false), "", legacy)
	second := overHTTP(t, streamable(pagesServer(tb, nil), true), "", modern)
	next := decodePage(t, first.ask("list_data", `{"text":"a"}`)).Next
	page := decodePage(t, second.ask("list_data", `{"text":"a","view_cursor":"`+next+`"}`))
	assert.Len(t, page.Rows, 50)
	assert.Empty(t, page.Next)
}

// TestExtra: what is beside the first page's rows is on no other page, is asked for the
// caller, and counts toward the bounds.
func TestExtra(t *testing.T) {
	asked := 0
	o := &PageOptions[search, string]{Size: 10, MaxBytes: 1000, InlineBytes: 600,
		Extra: func(_ context.Context, req *mcp.CallToolRequest, q search) (any, error) {
			asked++
			if q.Text == "fails" {
				return nil, errors.New("no total")
			}
			return map[string]any{"total": 120, "tool": req.Params.Name, "quoted": strings.Repeat(`"`, 100)}, nil
		}}
	c := inMemory(t, pagesServer(&table{rows: 120, width: 60}, o), modern)
	type extra struct {
		Total        int
		Tool, Quoted string
	}
	read := func(raw string) (rows int, next string, e *extra) {
		var page struct {
			Rows  []string
			Next  string
			Extra *extra
		}
		require.NoError(t, json.Unmarshal([]byte(raw), &page))
		return len(page.Rows), page.Next, page.Extra
	}
	data := func(raw string) string {
		var a struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(raw), &a))
		quoted, err := json.Marshal(raw)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(quoted), 1000)
		return string(a.Data)
	}

	res := c.call("list", `{"text":"a"}`)
	assert.LessOrEqual(t, len(res.Meta.Data), 600)
	inline, _, e := read(data(string(res.Meta.Data)))
	assert.Equal(t, &extra{120, "list", strings.Repeat(`"`, 100)}, e)
	assert.NotZero(t, inline)
	rows, next, e := read(data(c.ask("list_data", `{"text":"a"}`)))
	assert.Equal(t, "list_data", e.Tool)
	assert.Greater(t, rows, inline)
	assert.Less(t, rows, 10, "without what is beside the rows, ten fit")
	assert.Equal(t, 2, asked, "once for each call")
	_, _, e = read(data(c.ask("list_data", `{"text":"a","view_cursor":"`+next+`"}`)))
	assert.Nil(t, e)
	assert.Equal(t, 2, asked)
	assert.Equal(t, "no total", c.fail("list_data", `{"text":"fails"}`))
	assert.Equal(t, "no total", c.fail("list", `{"text":"fails"}`))
}

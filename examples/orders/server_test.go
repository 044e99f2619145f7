package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

// newTestServer returns a server and its book, in which 10 orders of Berlin are open.
func newTestServer() (*mcp.Server, *book) {
	b := newBook(2000)
	open := 0
	for i := range b.orders {
		o := &b.orders[i]
		if o.City != "Berlin" {
			continue
		}
		if o.Status = "delivered"; open < 10 {
			o.Status = "open"
			open++
		}
	}
	return newServer(b, viewstate.NewMemory(nil), newSecret()), b
}

var openOfBerlin = Change{City: "Berlin", From: "open", To: "shipped"}

// An answer is the raw result of a tool, as far as the tests read it.
type answer struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	Meta              struct {
		Data struct {
			Data pageOfOrders
			Form struct{ Key, Tool string }
		} `json:"mcpapps/data"`
	} `json:"_meta"`
}

type pageOfOrders struct {
	Rows  []Order
	Next  string
	Extra *Listed
}

// call returns the answer of a tool.
func call(t *testing.T, session *mcp.ClientSession, tool string, args any) answer {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	data, err := json.Marshal(result)
	require.NoError(t, err)
	var a answer
	require.NoError(t, json.Unmarshal(data, &a), "%s", data)
	return a
}

// textAs decodes the text of an answer.
func textAs[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	require.False(t, a.IsError, "%+v", a.Content)
	require.Len(t, a.Content, 1)
	require.NoError(t, json.Unmarshal([]byte(a.Content[0].Text), &v), a.Content[0].Text)
	return v
}

// The server has no errors and no warnings of mcpapps check.
func TestCheck(t *testing.T) {
	server, _ := newTestServer()
	report := mcpappstest.Check(t, server)
	for _, f := range report.Findings {
		assert.Equal(t, "note", f.Severity.String(), "%+v", f)
	}
}

// The declarations with which the view is type-checked match the current tools.
func TestToolTypes(t *testing.T) {
	server, _ := newTestServer()
	list, err := mcpappstest.Client(t, server, mcpapps.SupportUI).ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}

// Each view is one document that loads nothing external.
func TestViews(t *testing.T) {
	for _, name := range []string{"ui/list.html", "ui/change.html"} {
		document, err := bundle.HTML(files, name, nil)
		require.NoError(t, err)
		assert.Empty(t, document.External, name)
		assert.Empty(t, document.Warnings, name)
	}
}

// The first page is in the result, and each other page is one call.
func TestShowOrders(t *testing.T) {
	server, b := newTestServer()
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	query := Query{Sort: "amount", Descending: true}
	opened := call(t, session, "show_orders", query)
	require.False(t, opened.IsError)
	assert.Regexp(t, `^Found 2,000 orders\.\n\d+: `, opened.Content[0].Text)
	read, err := json.Marshal(map[string]any{"text": opened.Content[0].Text, "rows": 50, "more": true})
	require.NoError(t, err)
	assert.JSONEq(t, string(read), string(opened.StructuredContent))

	want, _, err := b.page(query, "", 2000)
	require.NoError(t, err)
	page := opened.Meta.Data.Data
	require.NotEmpty(t, page.Rows)
	assert.Equal(t, 2000, page.Extra.Found)
	got := page.Rows
	for page.Next != "" {
		type data struct{ Data pageOfOrders }
		page = textAs[data](t, call(t, session, "show_orders_data", map[string]any{"sort": "amount", "descending": true, "view_cursor": page.Next})).Data
		got = append(got, page.Rows...)
		require.LessOrEqual(t, len(got), len(want))
		require.Nil(t, page.Extra, "only the first page has it")
	}
	assert.Equal(t, want, got)

	for name, args := range map[string]map[string]any{
		"sort": {"sort": "weight"}, "status": {"status": "lost"}, "search": {"search": string(make([]byte, 201))},
	} {
		failed := call(t, session, "show_orders", args)
		assert.True(t, failed.IsError)
		assert.Contains(t, failed.Content[0].Text, name)
	}
}

// The model reads some orders, and more of them where no view shows the list.
func TestFoundText(t *testing.T) {
	server, _ := newTestServer()
	for support, lines := range map[mcpapps.Support]int{mcpapps.SupportUI: 5, mcpapps.SupportNone: 20} {
		session := mcpappstest.Client(t, server, support)
		text := call(t, session, "show_orders", nil).Content[0].Text
		assert.Regexp(t, `^Found 2,000 orders\.(\n\d+: [A-Z]\S+ \S+, [A-Z][^,]+, €[\d,]+\.\d\d, \w+, 202\d-\d\d-\d\d){`+strconv.Itoa(lines)+`}\n…$`, text)
		text = call(t, session, "show_orders", Query{Status: "open", Search: "berlin"}).Content[0].Text
		assert.True(t, strings.HasPrefix(text, "Found 10 orders.\n"), text)
		assert.Equal(t, support == mcpapps.SupportNone, strings.Count(text, "\n") == 10 && !strings.Contains(text, "…"), "all are there")
		assert.Equal(t, "No order was found.", call(t, session, "show_orders", Query{Search: "nobody"}).Content[0].Text)
	}
}

// A client that shows views gets a form, and the work is done once, however often the
// form is submitted.
func TestChangeOrders(t *testing.T) {
	server, b := newTestServer()
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	opened := call(t, session, "change_orders", openOfBerlin)
	require.False(t, opened.IsError)
	form := opened.Meta.Data.Form
	require.Equal(t, "change_orders_submit", form.Tool)
	var effect Effect
	require.NoError(t, json.Unmarshal(call(t, session, "preview_change", openOfBerlin).StructuredContent, &effect))
	assert.Equal(t, 10, effect.Count)
	assert.Len(t, effect.Sample, sampleSize)
	assert.Zero(t, b.changed())

	// Which orders become shipped, packed or nothing is what the user submits.
	values := openOfBerlin
	values.To = "packed"
	type state struct {
		State, Text string
		Value       Changed
	}
	var submissions sync.WaitGroup
	for range 10 {
		submissions.Go(func() {
			got := textAs[state](t, call(t, session, "change_orders_submit", map[string]any{"confirm": form.Key, "values": values}))
			assert.Equal(t, state{"done", "10 orders are now packed.", Changed{10, "packed"}}, got)
		})
	}
	submissions.Wait()
	assert.Equal(t, 1, b.changed())
	rows := call(t, session, "show_orders", Query{Search: "berlin", Status: "packed"}).Meta.Data.Data.Rows
	assert.Len(t, rows, 10, "the list has the change at once")

	outcome := call(t, session, "change_orders", map[string]any{"city": "Berlin", "from": "open", "to": "shipped", "confirm": form.Key})
	assert.Contains(t, outcome.Content[0].Text, "10 orders are now packed.", "the model learns what happened")
}

// A client without views gets the work done, as with any other tool.
func TestChangeOrdersWithoutViews(t *testing.T) {
	server, b := newTestServer()
	session := mcpappstest.Client(t, server, mcpapps.SupportNone)
	done := call(t, session, "change_orders", openOfBerlin)
	require.False(t, done.IsError)
	assert.Equal(t, "10 orders are now shipped.", done.Content[0].Text)
	assert.JSONEq(t, `{"count":10,"to":"shipped"}`, string(done.StructuredContent))
	assert.Equal(t, 1, b.changed())

	refused := call(t, session, "change_orders", Change{To: "cancelled"})
	assert.True(t, refused.IsError)
	assert.Equal(t, errAllOrders.Error(), refused.Content[0].Text)
	assert.Equal(t, 1, b.changed())
}

// The selection has one id for a user, and one of its own in each result for a caller
// without a user.
func TestSelection(t *testing.T) {
	server, _ := newTestServer()
	local := mcpappstest.Client(t, server, mcpapps.SupportUI)
	selection := func(session *mcp.ClientSession, args any) string {
		return call(t, session, "show_orders", args).Meta.Data.Data.Extra.Selection
	}
	id := selection(local, nil)
	assert.NotEmpty(t, id)
	assert.Equal(t, id, selection(local, Query{Search: "oslo"}))
	// Where a host drops _meta, the view asks the tool's twin.
	type data struct{ Data pageOfOrders }
	assert.Equal(t, &Listed{2000, id}, textAs[data](t, call(t, local, "show_orders_data", nil)).Data.Extra)

	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close)
	anonymous, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
	require.NoError(t, err)
	defer anonymous.Close()
	assert.Len(t, map[string]bool{id: true, "": true, selection(anonymous, nil): true, selection(anonymous, nil): true}, 4)

	// The state is kept under the id, and another caller's id names another document.
	save := map[string]any{"id": id, "version": 0, "state": map[string]any{"orders": []int{7, 9}}}
	assert.JSONEq(t, `{"version":1}`, call(t, local, "view_state", save).Content[0].Text)
	assert.JSONEq(t, `{"state":{"orders":[7,9]},"version":1}`, call(t, local, "view_state", map[string]any{"id": id}).Content[0].Text)
	assert.JSONEq(t, `{"state":null,"version":0}`, call(t, anonymous, "view_state", map[string]any{"id": id}).Content[0].Text)
}

package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

func open(t *testing.T, server *mcp.Server, tool string, args any) *mcpappstest.Page {
	t.Helper()
	return mcpappstest.Open(t, server, tool, args, &mcpappstest.PageOptions{Width: 1000, Timeout: time.Minute})
}

// column returns the texts of a column of the list.
func column(page *mcpappstest.Page, name string) (texts []string) {
	page.Eval(`[...document.querySelectorAll("#orders td.`+name+`")].map((td) => td.textContent)`, &texts)
	return texts
}

// The list reads each page when its end comes into sight, and once. It is searched and
// sorted, says that a page can't be read, and tries again.
func TestList(t *testing.T) {
	t.Parallel()
	server, b := newTestServer()
	var fail atomic.Bool
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok && call.Params.Name == "show_orders_data" && fail.Load() {
				return nil, errors.New("not today")
			}
			return next(ctx, method, req)
		}
	})
	page := open(t, server, "show_orders", nil)
	page.Locator("#count").WaitText(" of 2,000 orders")
	seen := page.Locator("#orders tr").Count()
	assert.Less(t, seen, 200)
	layout(t, page)
	for seen < 300 {
		page.Locator("#more").Eval("(more) => more.scrollIntoView()")
		require.Eventually(t, func() bool { return page.Locator("#orders tr").Count() > seen }, time.Minute, 10*time.Millisecond)
		seen = page.Locator("#orders tr").Count()
	}
	want, _, err := b.page(Query{}, "", seen)
	require.NoError(t, err)
	for i, name := range column(page, "customer") {
		require.Equal(t, want[i].Customer, name, i)
	}

	page.Locator("#status").Select("Open")
	page.Locator("#search").Fill("berlin")
	page.Locator("#count").WaitText("10 orders")

	page.ByRole("button", "Amount").Click()
	page.Locator(`th.amount[aria-sort="ascending"]`).Wait()
	page.Locator("#rows:not([aria-busy])").Wait()
	ascending := column(page, "amount")
	require.Len(t, ascending, 10)
	page.ByRole("button", "Amount").Press("Enter")
	page.Locator(`th.amount[aria-sort="descending"]`).Wait()
	page.Locator("#rows:not([aria-busy])").Wait()
	descending := column(page, "amount")
	assert.Equal(t, ascending[0], descending[9])
	assert.Equal(t, ascending[9], descending[0])
	_, sorted := page.Locator("th.id").Attribute("aria-sort")
	assert.False(t, sorted)

	page.Locator("#status").Select("Delivered")
	page.Locator("#count").WaitText(" of ")
	page.Locator("#search").Fill("nobody")
	page.Locator("#count").WaitText("No order was found.")
	assert.Zero(t, page.Locator("#orders tr").Count())

	fail.Store(true)
	page.Locator("#search").Fill("oslo")
	page.Locator("#notice").WaitText("The orders can't be read: ")
	assert.Equal(t, "Try again", page.Locator("#more").Text())
	fail.Store(false)
	page.Locator("#more").Click()
	page.Locator("#notice").WaitGone()
	assert.Equal(t, "Oslo", column(page, "city")[0])
}

// layout shows that a view has the host's theme and fits frames of 320 to 1,200 pixels.
func layout(t *testing.T, page *mcpappstest.Page) {
	t.Helper()
	var light, dark string
	page.Eval("getComputedStyle(document.body).backgroundColor", &light)
	page.SetTheme(host.ThemeDark)
	page.Eval("getComputedStyle(document.body).backgroundColor", &dark)
	assert.NotEqual(t, light, dark)
	for _, width := range []int{320, 480, 600, 601, 1200} {
		page.SetSize(width, 700)
		var overflow [2]float64
		page.Eval(`[document.documentElement, document.querySelector("#rows, #change")].map((e) => e.scrollWidth - e.clientWidth)`, &overflow)
		assert.Equal(t, [2]float64{}, overflow, "%d pixels", width)
	}
}

// The view shows the orders of its result. They are selected by mouse and keyboard. The
// selection is there again when the view is opened again. What is selected changes through
// the same form, once.
func TestSelectionSurvives(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, b := newTestServer()
	query := Query{Status: "open", Search: "berlin"}
	rows, _, err := b.page(query, "", 10)
	require.NoError(t, err)
	page := open(t, server, "show_orders", query)
	page.Locator("#count").WaitText("10 orders")
	assert.Equal(t, "berlin", page.Locator("#search").Value())
	assert.Equal(t, "open", page.Locator("#status").Value())
	assert.Empty(t, page.Calls()[1:], "the orders are those of the result: the view asks only for the selection")
	assert.Empty(t, page.Accessibility())
	box := func(p *mcpappstest.Page, i int) *mcpappstest.Locator { return p.Locator("#orders input").Nth(i) }
	box(page, 0).Press("Space")
	page.Locator("#selected").WaitText("1 selected")
	box(page, 0).Press("ArrowDown")
	page.Press("Space")
	page.Locator("#selected").WaitText("2 selected")
	page.Locator("#orders td.customer").Nth(4).Click()
	page.Locator("#selected").WaitText("3 selected")
	page.Close()

	page = open(t, server, "show_orders", query)
	page.Locator("#selected").WaitText("3 selected")
	for i := range rows {
		assert.Equal(t, i == 0 || i == 1 || i == 4, box(page, i).Eval("(box) => box.checked"), i)
	}
	page.ByRole("button", "Clear").Click()
	page.Locator("#selection").WaitGone()
	page.ByRole("checkbox", "Select all orders shown").Click()
	page.Locator("#selected").WaitText("10 selected")
	page.ByRole("button", "Clear").Click()
	page.Locator("#selection").WaitGone()

	page.Locator("#orders input").Nth(2).Click()
	page.Locator("#orders input").Nth(3).Click()
	page.ByRole("button", "Change status…").Click()
	page.ByRole("dialog", "Change status").Wait()
	page.Locator("#what").WaitText("2 orders selected: 2 orders will change.")
	assert.Empty(t, page.Accessibility())
	page.ByRole("button", "Cancel").Click()
	page.Locator("#dialog").WaitGone()
	assert.Zero(t, b.changed())

	page.ByRole("button", "Change status…").Click()
	page.Locator("#to").Select("Shipped")
	page.ByRole("button", "Mark 2 orders as shipped").Wait()
	page.Locator("#confirm").Eval("(confirm) => { confirm.click(); confirm.click(); }")
	page.Locator("#outcome").WaitText("2 orders are now shipped.")
	assert.Equal(t, 1, b.changed())
	page.ByRole("button", "Close").Click()
	page.Locator("#count").WaitText("8 orders")
	page.Locator("#selection").WaitGone()
}

// The form that the model opens shows what will change, lets the user edit it, and
// changes the orders once.
func TestChangeOpenedByModel(t *testing.T) {
	t.Parallel()
	server, b := newTestServer()
	page := open(t, server, "change_orders", openOfBerlin)
	page.Locator("#what").WaitText("All open orders of Berlin: 10 orders will change.")
	assert.Equal(t, sampleSize+1, page.Locator("#sample li").Count())
	assert.Equal(t, "shipped", page.Locator("#to").Value())
	assert.Empty(t, page.Accessibility())
	layout(t, page)
	page.Locator("#to").Select("Open")
	page.ByRole("button", "Nothing to change").Wait()
	page.Locator("#to").Select("Packed")
	page.ByRole("button", "Mark 10 orders as packed").Wait()
	assert.Zero(t, b.changed())
	page.Locator("#confirm").Eval("(confirm) => { confirm.click(); confirm.click(); }")
	page.Locator("#outcome").WaitText("10 orders are now packed.")
	assert.Equal(t, 1, b.changed())
	assert.False(t, page.Locator("#confirm").Visible())
	submissions := 0
	for _, c := range page.Calls() {
		if c.Tool == "change_orders_submit" && strings.Contains(string(c.Arguments), "values") {
			submissions++
		}
	}
	assert.Equal(t, 1, submissions)
}

// The panel says why a change is refused.
func TestChangeRefused(t *testing.T) {
	t.Parallel()
	server, b := newTestServer()
	page := open(t, server, "change_orders", Change{To: "cancelled"})
	page.Locator("#what").WaitText(errAllOrders.Error())
	assert.False(t, page.Locator("#confirm").Eval("(confirm) => !confirm.disabled").(bool))
	assert.Zero(t, b.changed())
}

// A call of change_orders that failed leaves nothing to confirm, and the view says why.
func TestChangeFailed(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, b := newTestServer()
	page := open(t, server, "change_orders", map[string]any{"city": "Berlin", "to": "lost"})
	page.Locator("#outcome").WaitText("There is nothing to confirm: ")
	assert.Contains(t, page.Locator("#outcome").Text(), "lost")
	assert.False(t, page.Locator("#confirm").Visible())
	assert.Zero(t, b.changed())
}

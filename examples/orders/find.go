package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Query says which orders the list has, and in which order.
type Query struct {
	Search     string `json:"search,omitempty" jsonschema:"words that the customer, the city or the number of each order contains"`
	Status     string `json:"status,omitempty" jsonschema:"only orders with this status"`
	Sort       string `json:"sort,omitempty" jsonschema:"the column to sort by"`
	Descending bool   `json:"descending,omitempty" jsonschema:"sort from high to low"`
}

// columns compare two orders by each column that the list can be sorted by.
var columns = map[string]func(a, b Order) int{
	"id":       func(a, b Order) int { return a.ID - b.ID },
	"customer": func(a, b Order) int { return strings.Compare(a.Customer, b.Customer) },
	"city":     func(a, b Order) int { return strings.Compare(a.City, b.City) },
	"amount":   func(a, b Order) int { return a.Cents - b.Cents },
	"status":   func(a, b Order) int { return slices.Index(statuses, a.Status) - slices.Index(statuses, b.Status) },
	"date":     func(a, b Order) int { return strings.Compare(a.Date, b.Date) },
}

// compare returns the order of the list. Orders that are equal in the column are
// sorted by number, so that each order has one place.
func (q Query) compare() func(a, b Order) int {
	column, sign := columns[q.Sort], 1
	if column == nil {
		column = columns["id"]
	}
	if q.Descending {
		sign = -1
	}
	return func(a, b Order) int { return cmp.Or(sign*column(a, b), a.ID-b.ID) }
}

// matching calls f with each order that the query finds, by number.
func (b *book) matching(q Query, f func(Order)) {
	words := strings.Fields(strings.ToLower(q.Search))
	b.mu.RLock()
	defer b.mu.RUnlock()
	for i, o := range b.orders {
		if q.Status != "" && o.Status != q.Status {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(b.words[i], w) }) {
			f(o)
		}
	}
}

// count returns how many orders the query finds.
func (b *book) count(q Query) (n int) {
	b.matching(q, func(Order) { n++ })
	return n
}

// page returns the first size orders that come after a cursor, "" for the beginning,
// and the cursor after these, "" at the end. The cursor is the last order as it was
// when its page was made, so that a change in between neither skips nor repeats
// orders that did not change.
func (b *book) page(q Query, cursor string, size int) (rows []Order, next string, err error) {
	var last Order
	if cursor != "" {
		if err := json.Unmarshal([]byte(cursor), &last); err != nil {
			return nil, "", fmt.Errorf("the cursor %.40q is invalid: %w", cursor, err)
		}
	}
	compare := q.compare()
	b.matching(q, func(o Order) {
		if cursor != "" && compare(o, last) <= 0 {
			return
		}
		// rows has the first orders so far, sorted, and one more than fit.
		if len(rows) > size {
			if compare(o, rows[size]) >= 0 {
				return
			}
			rows = rows[:size]
		}
		at, _ := slices.BinarySearchFunc(rows, o, compare)
		rows = slices.Insert(rows, at, o)
	})
	if len(rows) <= size {
		return rows, "", nil
	}
	rows = rows[:size]
	data, err := json.Marshal(rows[size-1])
	return rows, string(data), err
}

// found describes the first page of a query, for the model: some orders where a view
// shows the list, and more of them where nothing does.
func found(ctx context.Context, req *mcp.CallToolRequest, first viewdata.FirstPage[Query, Order]) string {
	if len(first.Rows) == 0 {
		return "No order was found."
	}
	shown := 20
	if mcpapps.ClientSupportsUI(ctx, req) {
		shown = 5
	}
	text := fmt.Sprintf("Found %s orders.", thousands(first.Extra.(Listed).Found))
	for _, o := range first.Rows[:min(shown, len(first.Rows))] {
		text += fmt.Sprintf("\n%d: %s, %s, %s, %s, %s", o.ID, o.Customer, o.City, euros(o.Cents), o.Status, o.Date)
	}
	if first.More || len(first.Rows) > shown {
		text += "\n…"
	}
	return text
}

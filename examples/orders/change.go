package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Change sets the status of many orders. It changes the orders that all of Orders,
// City and From name, of which it needs at least one.
type Change struct {
	Orders []int  `json:"orders,omitempty" jsonschema:"numbers of the orders to change"`
	City   string `json:"city,omitempty" jsonschema:"change only orders of this city"`
	From   string `json:"from,omitempty" jsonschema:"change only orders that have this status"`
	To     string `json:"to" jsonschema:"the status that the orders get"`
}

// Changed is the outcome of a change.
type Changed struct {
	Count int    `json:"count" jsonschema:"how many orders were changed"`
	To    string `json:"to" jsonschema:"the status that they have now"`
}

// Effect is what a change would do now.
type Effect struct {
	Count  int     `json:"count" jsonschema:"how many orders would change"`
	Sample []Order `json:"sample" jsonschema:"the first of them"`
}

// sampleSize is how many orders of a change are shown before it is confirmed.
const sampleSize = 5

var errAllOrders = errors.New("this would change all orders: name the orders, a city or a status")

// orders calls f with each order of the book that c changes. The caller holds b.mu.
func (c Change) orders(b *book, f func(*Order)) error {
	if len(c.Orders) == 0 && c.City == "" && c.From == "" {
		return errAllOrders
	}
	matches := func(o *Order) bool {
		return o.Status != c.To && (c.From == "" || o.Status == c.From) && (c.City == "" || strings.EqualFold(o.City, c.City))
	}
	if len(c.Orders) == 0 {
		for i := range b.orders {
			if matches(&b.orders[i]) {
				f(&b.orders[i])
			}
		}
		return nil
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(c.Orders))) {
		if id >= 1 && id <= len(b.orders) && matches(&b.orders[id-1]) {
			f(&b.orders[id-1])
		}
	}
	return nil
}

// effect returns what c would do, and changes nothing.
func (b *book) effect(c Change) (Effect, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	e := Effect{Sample: []Order{}}
	err := c.orders(b, func(o *Order) {
		if e.Count++; e.Count <= sampleSize {
			e.Sample = append(e.Sample, *o)
		}
	})
	return e, err
}

// change sets the status of the orders that c names.
func (b *book) change(c Change) (Changed, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	done := Changed{To: c.To}
	err := c.orders(b, func(o *Order) {
		o.Status = c.To
		done.Count++
	})
	if err == nil {
		b.changes++
	}
	return done, err
}

func (c Changed) text() string {
	switch c.Count {
	case 0:
		return "No order was changed: none of them has another status."
	case 1:
		return "1 order is now " + c.To + "."
	}
	return fmt.Sprintf("%s orders are now %s.", thousands(c.Count), c.To)
}

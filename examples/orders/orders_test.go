package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBook(t *testing.T) {
	b := newBook(orderCount)
	require.Len(t, b.orders, orderCount)
	assert.Equal(t, newBook(orderCount).orders, b.orders, "the orders are the same in each process")
	first, last := b.orders[0], b.orders[orderCount-1]
	assert.Equal(t, 1, first.ID)
	assert.Equal(t, "2024-01-01", first.Date)
	assert.Equal(t, orderCount, last.ID)
	assert.Equal(t, "2025-12-30", last.Date)
	for _, status := range statuses {
		assert.Greater(t, b.count(Query{Status: status}), 1000, status)
	}
	for _, city := range cities {
		assert.Greater(t, b.count(Query{Search: city, Status: "open"}), 100, city)
	}
}

// changed returns how many changes were made, also those that found no order.
func (b *book) changed() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.changes
}

func TestFormats(t *testing.T) {
	for cents, want := range map[int]string{0: "€0.00", 5: "€0.05", 99_999: "€999.99", 123_456: "€1,234.56", 123_456_789_00: "€123,456,789.00"} {
		assert.Equal(t, want, euros(cents))
	}
}

// All pages together are what sorting all orders gives, in each order.
func TestPages(t *testing.T) {
	b := newBook(500)
	for column := range columns {
		for _, descending := range []bool{false, true} {
			for _, q := range []Query{{}, {Search: "berlin"}, {Status: "delivered", Search: "a o"}, {Search: "no such city"}} {
				q.Sort, q.Descending = column, descending
				var want []Order
				b.matching(q, func(o Order) { want = append(want, o) })
				slices.SortFunc(want, q.compare())
				var got []Order
				for cursor, n := "", 0; ; n++ {
					rows, next, err := b.page(q, cursor, 7)
					require.NoError(t, err)
					require.LessOrEqual(t, len(rows), 7)
					got = append(got, rows...)
					if cursor = next; cursor == "" {
						break
					}
					require.Less(t, n, 100)
				}
				assert.Equal(t, want, got, "%+v", q)
				assert.Equal(t, len(want), b.count(q))
			}
		}
	}
	_, _, err := b.page(Query{}, "no cursor", 5)
	assert.ErrorContains(t, err, `"no cursor"`)
}

// The last page has no cursor, even if it is full.
func TestFullLastPage(t *testing.T) {
	b := newBook(10)
	rows, next, err := b.page(Query{}, "", 10)
	require.NoError(t, err)
	assert.Len(t, rows, 10)
	assert.Empty(t, next)
	_, next, err = b.page(Query{}, "", 9)
	require.NoError(t, err)
	assert.NotEmpty(t, next)
}

// Orders that change between two pages move; all others are read once.
func TestChangeBetweenPages(t *testing.T) {
	b := newBook(200)
	q := Query{Sort: "status"}
	seen := make(map[int]int)
	changed := []int{}
	for cursor := ""; ; {
		rows, next, err := b.page(q, cursor, 10)
		require.NoError(t, err)
		for _, o := range rows {
			seen[o.ID]++
		}
		if cursor = next; cursor == "" {
			break
		}
		id := rand.IntN(200) + 1
		changed = append(changed, id)
		_, err = b.change(Change{Orders: []int{id}, To: "packed"})
		require.NoError(t, err)
	}
	for id := 1; id <= 200; id++ {
		if !slices.Contains(changed, id) {
			assert.Equal(t, 1, seen[id], "order %d", id)
		}
	}
}

func TestChange(t *testing.T) {
	b := newBook(10_000)
	berlin := Query{Search: "berlin", Status: "open"}
	count := b.count(berlin)
	require.Positive(t, count)
	c := Change{City: "berlin", From: "open", To: "shipped"}
	effect, err := b.effect(c)
	require.NoError(t, err)
	assert.Equal(t, count, effect.Count)
	assert.Len(t, effect.Sample, min(count, sampleSize))
	assert.Equal(t, count, b.count(berlin), "a preview changes nothing")

	done, err := b.change(c)
	require.NoError(t, err)
	assert.Equal(t, Changed{Count: count, To: "shipped"}, done)
	assert.Zero(t, b.count(berlin), "the list has the change at once")
	done, err = b.change(c)
	require.NoError(t, err)
	assert.Zero(t, done.Count)

	_, err = b.change(Change{To: "cancelled"})
	require.ErrorIs(t, err, errAllOrders)
	_, err = b.effect(Change{To: "cancelled"})
	require.ErrorIs(t, err, errAllOrders)

	for _, id := range []int{1, 2, 9999} {
		b.orders[id-1].Status = "open"
	}
	c = Change{Orders: []int{9999, 1, 2, 1, 0, -5, 10_001}, To: "packed"}
	effect, err = b.effect(c)
	require.NoError(t, err)
	assert.Equal(t, 3, effect.Count)
	done, err = b.change(c)
	require.NoError(t, err)
	assert.Equal(t, 3, done.Count, "a number that is named twice counts once, one without an order does not count")
	assert.Equal(t, "3 orders are now packed.", done.text())
	assert.Equal(t, "1 order is now open.", Changed{Count: 1, To: "open"}.text())
	assert.Equal(t, "No order was changed: none of them has another status.", Changed{}.text())
}

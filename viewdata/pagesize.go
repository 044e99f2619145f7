package viewdata

import (
	"bytes"
	"encoding/json"
	"slices"
)

// pageData is a page for the view.
type pageData struct {
	Rows  []json.RawMessage `json:"rows"`
	Next  string            `json:"next,omitempty"`
	Extra json.RawMessage   `json:"extra,omitempty"` // of the first page
}

// first returns a page with the first n rows only.
func (page pageData) first(n int) pageData { return pageData{page.Rows[:n], page.Next, page.Extra} }

// size returns the length of a page as JSON, with the object around it.
func (page pageData) size() int {
	n := len(`{"data":{"rows":[]}}`)
	for _, r := range page.Rows {
		n += len(r) + len(`,`)
	}
	if page.Next != "" {
		n += len(`,"next":""`) + len(page.Next)
	}
	if page.Extra != nil {
		n += len(`,"extra":`) + len(page.Extra)
	}
	return n
}

// inText returns the length of a page as JSON in a JSON string, as it is in a text
// block. The rows are JSON of package json, which has no control characters.
func (page pageData) inText() int {
	n := page.size() + len(`\\\\""`) // a backslash before each quotation mark, and two around it all
	for _, v := range append(slices.Clip(page.Rows), page.Extra) {
		n += bytes.Count(v, []byte(`"`)) + bytes.Count(v, []byte(`\`))
	}
	if page.Next != "" {
		n += len(`""""`)
	}
	if page.Extra != nil {
		n += len(`""`)
	}
	return n
}

// A pageBound is a number of bytes, and how they are counted.
type pageBound struct {
	bytes   int
	measure func(pageData) int
}

func (b pageBound) holds(page pageData) bool { return b.measure(page) <= b.bytes }

// fitting returns the number of rows to ask for again after a page that is too large:
// half of them, as often as needed.
func (b pageBound) fitting(page pageData) int {
	n := len(page.Rows) / 2
	for n > 1 && !b.holds(page.first(n)) {
		n /= 2
	}
	return n
}

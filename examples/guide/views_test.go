package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// Hosts accept what the server sends.
func TestApps(t *testing.T) {
	mcpappstest.Check(t, newServer("ui/books-paging.html"))
}

// The list grows by a page with each click, until all books are there.
func TestPaging(t *testing.T) {
	page := mcpappstest.Open(t, newServer("ui/books-paging.html"), "search_books", Search{Words: "gardening"})
	page.ByText("20 books so far").Wait()
	more := page.ByRole("button", "More")
	more.Click()
	page.ByText("40 books so far").Wait()
	more.Click()
	more.WaitGone()
	page.ByText("50 books").Wait()
	assert.Len(t, page.Calls(), 3)
	assert.Equal(t, 50, page.Locator("li").Count())
}

package mcpappstest

import (
	"testing"
	"time"
)

// Use lets a page fail another test, after another timeout, until the function is
// called.
func Use(p *Page, t testing.TB, timeout time.Duration) (end func()) {
	t0, timeout0 := p.t, p.timeout
	p.t, p.timeout = t, timeout
	return func() { p.t, p.timeout = t0, timeout0 }
}

// Errors is [Page.Errors] without counting as read.
func Errors(p *Page) []Error { return p.errors() }

// Look bounds each look of the page's waits.
func Look(p *Page, most time.Duration) { p.look = most }

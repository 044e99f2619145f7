package check

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// hopeFor is how long a view is waited for that shows no sign of a handshake to
// come.
const hopeFor = 3 * time.Second

// unpromising is true in a document that was loaded a while ago and has no
// script.
const unpromising = `(() => {
	const [load] = performance.getEntriesByType("navigation");
	const old = load && load.loadEventEnd > 0 && performance.now() - load.loadEventEnd > 3000;
	return { old: !!old, scripts: document.scripts.length };
})()`

// hopeless reports whether a view that is not initialized will not be, by all
// that is seen of it: its handshake was refused, it has no script, or one that
// failed before the handshake. Others are given the whole time: they may be
// waiting for data.
func (v *view) hopeless(ctx context.Context, p *chrome.Page, page string, quiet time.Duration) bool {
	if quiet < hopeFor {
		return false
	}
	if v.refusal != "" {
		return true
	}
	if slices.Contains(mapValues(v.methods), "ui/initialize") {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a view that is busy does not answer
	defer cancel()
	var document struct {
		Old     bool `json:"old"`
		Scripts int  `json:"scripts"`
	}
	if p.EvalIn(ctx, "/view", unpromising, &document) != nil || !document.Old {
		return false
	}
	return document.Scripts == 0 || len(viewExceptions(p, page)) > 0
}

// viewExceptions are the errors that were not caught in the view, not those of
// the preview's own page.
func viewExceptions(p *chrome.Page, page string) []chrome.Exception {
	return slices.DeleteFunc(slices.Clone(p.Exceptions()), func(e chrome.Exception) bool { return strings.HasPrefix(e.URL, page) })
}

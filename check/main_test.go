package check

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// Live returns options for a check whose live part uses the browser that the tests
// share. Limits that are 0 are shorter than usual where every view waits for them,
// and longer than any view should need elsewhere.
func Live(t testing.TB, opts Options, limits liveview.Limits) *Options {
	t.Helper()
	b := e2e.SharedBrowser(t)
	const patience = 3 * time.Minute // on a machine that does other things too
	limits = liveview.Limits{
		Open: patience, Ready: cmp.Or(limits.Ready, patience), Settle: patience,
		Quiet: cmp.Or(limits.Quiet, 700*time.Millisecond), GiveUp: cmp.Or(limits.GiveUp, 3*time.Second), Respond: cmp.Or(limits.Respond, patience),
	}
	opts.Live = true
	opts.live = liveSettings{
		browser: func(context.Context) (*chrome.Browser, func(), error) { return b, func() {}, nil },
		limits:  limits,
		tabs:    8,
	}
	return &opts
}

package preview

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// Restart restarts the server, and the page shows it. A page whose last call was of a
// tool that opens a view and says that it only reads makes it again, if the server runs
// on this machine and the page is a client with views; other calls it offers.
func (p *Preview) Restart(ctx context.Context) error {
	use, err := p.turns.use(ctx, withViews)
	if err != nil {
		return err
	}
	defer use.done()
	use.conn.Disconnect(errRestart)
	p.process.starts()
	p.startsAgain()
	if err := use.conn.Restart(use.ctx); err != nil {
		return err
	}
	p.offerLastCalls(use)
	return nil
}

var errRestart = errors.New("the server is restarted")

// A lastCall is what the user of a page called last.
type lastCall struct {
	tool string
	as   client
}

// offerLastCalls tells each page to make its last call again, or to offer it.
func (p *Preview) offerLastCalls(use use) {
	ctx, cancel := context.WithTimeout(use.ctx, time.Minute)
	defer cancel()
	var harmless map[string]bool
	for _, t := range p.allTabs() {
		t.mu.Lock()
		last := t.last
		t.mu.Unlock()
		if last.tool == "" {
			continue
		}
		if harmless == nil {
			tools, err := use.conn.Tools(ctx)
			if err != nil {
				return // which the page shows
			}
			harmless = repeatable(tools, p.onThisMachine())
		}
		repeat := "asks"
		if harmless[last.tool] && last.as == withViews {
			repeat = "called"
		}
		t.send(map[string]any{"type": "restarted", "repeat": repeat, "tool": last.tool})
	}
}

// onThisMachine reports whether the server runs on this machine, for all that the
// target says.
func (p *Preview) onThisMachine() bool {
	t := p.Connection().Target()
	return len(t.Command) > 0 || t.Server != nil || t.URL != "" && unasked.OnThisMachine(t.URL)
}

// repeatable returns the tools that may be called again without being asked, with
// arguments that a person has given before.
func repeatable(tools []*host.Tool, onThisMachine bool) map[string]bool {
	policy := unasked.New(nil, onThisMachine)
	count := make(map[string]int)
	for _, t := range tools {
		count[t.Tool.Name]++
	}
	names := make(map[string]bool)
	for _, t := range tools {
		var entry map[string]any
		if json.Unmarshal(t.Raw, &entry) != nil {
			continue
		}
		names[t.Tool.Name] = policy.Repeats(unasked.Tool{
			Name: t.Tool.Name, Entry: entry,
			OpensView: t.UIError == nil && t.UI.ResourceURI != "",
			// An entrypoint for files counts: here the user has chosen the file. The check, which
			// has none to give, leaves that type out.
			ForModel:  mcpapps.VisibleTo(t.Tool, mcpapps.VisibilityModel) || len(entrypointsOf(t.Tool).Entrypoints) > 0,
			Ambiguous: count[t.Tool.Name] > 1,
		})
	}
	return names
}

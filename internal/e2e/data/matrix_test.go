// Package data opens views that use the module mcp-app/data in a browser, under hosts
// that each drop something, and says what the views then show: when they are opened,
// loaded again in the same frame, and loaded in a new frame.
package data

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/e2e/hostpage"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// patience bounds the test, also on a machine that does other things too.
const patience = 5 * time.Minute

// A carried is what of a tool's call reaches one document of a view.
type carried struct{ meta, result, long, input, calls, name bool }

// carries says what a host passes on to the first document of a view, or to a later one.
func (e *emulation) carries(later bool) carried {
	lacks := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(e.lacks, name) })
	}
	c := carried{
		result: !lacks("result") && !(later && lacks("replay")),
		input:  !lacks("input") && !(later && lacks("input again")),
		calls:  !lacks("calls"),
		name:   !lacks("toolInfo"),
	}
	c.meta = c.result && !lacks("_meta")
	c.long = c.meta && !lacks("long result")
	return c
}

// An item is a tool whose view is opened, and what the view is expected to show.
type item struct {
	title, tool string
	shows       func(c carried, later bool) string
	// before runs in a document before the view is loaded again: it changes what
	// survives. It is empty where the view has nothing to change.
	before string
	// settled is what the first document shows after that.
	settled string
	// found is whether the view finds its data by the result or the input alone, as several do:
	// where these are missing, one of those views is opened.
	found bool
}

// items are the columns of the matrix.
var items = []item{
	{title: "small data", tool: "show_small", found: true, shows: func(c carried, _ bool) string { return fetched(c, small, c.meta) }},
	{title: "large data", tool: "show_large", found: true, shows: func(c carried, _ bool) string { return fetched(c, large, false) }},
	{title: "data of 160 kB in the result", tool: "show_huge", found: true, shows: func(c carried, _ bool) string { return fetched(c, huge, c.long) }},
	{title: "data of a tool that writes", tool: "write_report", shows: func(c carried, _ bool) string {
		c.input = c.input || c.result // the id in the result is enough
		c.name = c.name || c.meta
		return fetched(c, large, false)
	}},
	{title: "pages", tool: "show_pages", found: true, shows: func(c carried, _ bool) string {
		switch {
		case c.meta && !c.calls:
			return "missing: host" // for the second page
		case c.meta:
			return fmt.Sprint(allRows, " rows")
		}
		return needsCall(c, fmt.Sprint(allRows, " rows"))
	}},
	{
		title: "state", tool: "show_board", before: "add(); add()", settled: "state 2", found: true,
		shows: func(c carried, later bool) string {
			text := "state 0"
			if later {
				text = "state 2"
			}
			if c.meta && !c.calls {
				return "missing: host" // for the state
			}
			if c.meta {
				return text
			}
			return needsCall(c, text)
		},
	},
	{title: "live", tool: "show_clock", shows: func(c carried, _ bool) string {
		if !c.calls {
			return "missing: host"
		}
		return "live, more than once"
	}},
	{
		title: "form", tool: "change", before: "submit()", settled: "done: 1 changed",
		shows: func(c carried, later bool) string {
			switch {
			case !c.result:
				return "gone"
			case !c.calls || !c.meta && !c.name:
				return "missing: host"
			case later:
				return "done: 1 changed"
			}
			return "open for Berlin"
		},
	},
}

// fetched is what a view shows of data, which are in the result or are asked for.
func fetched(c carried, size int, inResult bool) string {
	if inResult {
		return fmt.Sprintf("Berlin %d, result", size)
	}
	return needsCall(c, fmt.Sprintf("Berlin %d, tool", size))
}

// needsCall is what a view shows that has to ask for its data, by the input.
func needsCall(c carried, text string) string {
	switch {
	case !c.calls || !c.meta && !c.name:
		return "missing: host"
	case !c.input:
		return "missing: input"
	}
	return text
}

// opened returns the items that are opened in each host. In ci/full these are all. In CI
// a view is opened in the first of the hosts in which it shows the same, and each host
// shows at least one; what the others would show is in the table as it is expected. Outside
// of CI only some views are opened, in the first host.
func opened() [][]bool {
	hosts := make([][]bool, len(emulations))
	outcomes := make(map[string]bool)
	for i := range emulations {
		e := &emulations[i]
		hosts[i] = make([]bool, len(items))
		if !testenv.InCI() && !golden.Updating() {
			for j, it := range items {
				hosts[i][j] = i == 0 && (j == 0 || it.before != "")
			}
			continue
		}
		for j, it := range items {
			first, later := e.expected(it)
			outcome := it.tool + "\n" + first + "\n" + later
			if strings.HasPrefix(later, "missing: ") && it.found {
				outcome = fmt.Sprint(first == later, later)
			}
			hosts[i][j] = testenv.Full() || !outcomes[outcome] || slices.Contains(e.alone, it.tool)
			outcomes[outcome] = true
		}
		if !slices.Contains(hosts[i], true) {
			hosts[i][i%len(items)] = true
		}
	}
	return hosts
}

// TestMatrix opens the views of items in hosts.
func TestMatrix(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	browser := e2e.SharedBrowser(t)
	var wg sync.WaitGroup
	pages := make(chan *hostpage.Page, 3) // each is used by one host after the other
	for range cap(pages) {
		page := hostpage.Start(t)
		require.NoError(t, page.Open(ctx, browser, 800, 600))
		defer page.Close()
		pages <- page
	}
	saw := make([]string, len(emulations)) // lines of the table
	hosts := opened()
	for i := range emulations {
		e := &emulations[i]
		wg.Go(func() {
			page := <-pages
			defer func() { pages <- page }()
			line, err := e.see(ctx, t, page, i, hosts[i])
			assert.NoError(t, err, e.name)
			saw[i] = line
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	assert.NoError(t, golden.Compare("../../../docs/data-matrix.md", []byte(table(saw))))
}

// see opens views in one host, compares what they show with what is expected, and returns
// the line of the table.
func (e *emulation) see(ctx context.Context, t *testing.T, page *hostpage.Page, number int, opened []bool) (string, error) {
	b := &backend{}
	conn, err := host.Connect(ctx, host.Target{Server: newServer(b, viewstate.NewMemory(nil))}, nil)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	cells := []string{e.name}
	for i, it := range items {
		if opened[i] {
			name := fmt.Sprintf("%s-%d", strings.ReplaceAll(it.tool, "_", "-"), number) // whose storage is empty
			if err := e.seeItem(ctx, conn, page, name, it); err != nil {
				return "", fmt.Errorf("%s: %w", it.title, err)
			}
		}
		first, later := e.expected(it)
		if first != later {
			first += "; then " + later
		}
		cells = append(cells, first)
		if it.tool == "write_report" && opened[i] {
			assert.EqualValues(t, 1, b.reports.Load(), "%s: a tool that writes is called once, however often its view is loaded", e.name)
		}
	}
	assert.LessOrEqual(t, b.changes.Load(), int64(1), "%s: a form is submitted once", e.name)
	return "| " + strings.Join(cells, " | ") + " |", nil
}

// expected is what the view of an item shows at first, and when it is loaded again.
func (e *emulation) expected(it item) (first, later string) {
	first = it.shows(e.carries(false), false)
	return first, it.shows(e.carries(true), it.before != "" && first == it.shows(everything, false))
}

var everything = carried{true, true, true, true, true, true}

// seeItem opens one view, loads it again in the same frame and in a new one, and compares
// what it shows with what is expected.
func (e *emulation) seeItem(ctx context.Context, conn *host.Connection, page *hostpage.Page, name string, it item) error {
	bridge, err := conn.Open(ctx, it.tool, input{"Berlin"}, &host.BridgeOptions{Emulation: e.host, AllowRead: func(string) bool { return true }})
	if err != nil {
		return err
	}
	defer bridge.Close(ctx, nil)
	if err := page.Show(ctx, name, bridge); err != nil {
		return err
	}
	first, later := e.expected(it)
	if err := waitFor(ctx, page, first); err != nil {
		return fmt.Errorf("first: %w", err)
	}
	if it.before != "" && first == it.shows(everything, false) {
		if err := page.EvalIn(ctx, "/view", it.before+", 0", nil); err != nil {
			return err
		}
		if it.tool != "show_board" { // a board's state is saved at the reload
			if err := waitFor(ctx, page, it.settled); err != nil {
				return fmt.Errorf("after %s: %w", it.before, err)
			}
		}
	}
	// A frame that is removed loses what was changed a moment ago, so it is the second. To a
	// view that keeps nothing, both are the same.
	loads := []func(context.Context) error{page.Reload, page.Replace}
	if it.before == "" && !testenv.Full() {
		loads = loads[:1]
	}
	for _, load := range loads {
		if err := page.EvalIn(ctx, "/view", "document.body.dataset.old = true", nil); err != nil {
			return err
		}
		if err := load(ctx); err != nil {
			return err
		}
		if err := waitFor(ctx, page, later); err != nil {
			return fmt.Errorf("loaded again: %w", err)
		}
	}
	return nil
}

// waitFor waits until the view shows a text.
func waitFor(ctx context.Context, page *hostpage.Page, want string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var text string
	for {
		err := page.EvalIn(ctx, "/view", `document.body.dataset.old ? "the old document" : document.querySelector("#shown").textContent`, &text)
		if err == nil && text == want {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the view shows %q, not %q (%v); %v %v", text, want, err, page.Console(), page.Exceptions())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// table returns the page of the documentation.
func table(lines []string) string {
	var b strings.Builder
	b.WriteString("# What views with `mcp-app/data` show\n\n" +
		"Written by a test, which opens each view in Chromium in a host that drops something, loads it again\n" +
		"in the same frame, and loads it in a new frame. A cell is what the view shows; after \"then\", what it\n" +
		"shows when it is loaded again. \"tool\" means that the view asked the server for the data, \"result\" that\n" +
		"it had them. A state of 2 was changed in the document before.\n\n| host |")
	for _, it := range items {
		b.WriteString(" " + it.title + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(items)) + "\n")
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

package preview

import (
	"fmt"
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// events collects the events that a preview passes to its program.
type events struct {
	mu  sync.Mutex
	all []Event
}

func (l *events) add(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
}

func (l *events) list() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Event(nil), l.all...)
}

// wait returns the first event of a kind.
func (l *events) wait(t *testing.T, kind EventKind) (found Event) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, e := range l.list() {
			if e.Kind == kind {
				found = e
				return true
			}
		}
		return false
	}, time.Minute, 5*time.Millisecond, "no event %q", kind)
	return found
}

func TestEvents(t *testing.T) {
	var got events
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{Event: got.add})
	p.do(`[{"op":"open","call":"1","page":"mine","tool":"both","args":{"n":1}}]`)
	v := p.waitType("view")
	name, origin := str(v["view"]), str(v["origin"])
	send := func(msg string) { p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, name, msg)) }
	sendNotice := func(n string) { p.do(fmt.Sprintf(`[{"op":"notice","view":%q,"notice":%s}]`, name, n)) }

	opened := got.wait(t, EventOpened)
	assert.Equal(t, []string{"mine", name, "both"}, []string{opened.Page, opened.View, opened.Tool})
	assert.WithinDuration(t, time.Now(), opened.Time, time.Minute)
	result := got.wait(t, EventResult)
	assert.NoError(t, result.Err)
	assert.Contains(t, string(result.Result), `"content":[{"type":"text","text":"both"}]`)

	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	got.wait(t, EventInitialized)
	send(`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"width":300,"height":432}}`)
	assert.Equal(t, host.Size{Width: 300, Height: 432}, got.wait(t, EventSized).Size)
	send(`{"jsonrpc":"2.0","method":"ui/notifications/nothing"}`)

	resp, _ := p.get(origin[len("http://"):], p.run.sandboxPort, "/view")
	path := regexp.MustCompile(`report-uri (\S+)`).FindStringSubmatch(resp.Header.Get("Content-Security-Policy"))[1]
	p.post(origin[len("http://"):], path, `{"csp-report":{"effective-directive":"script-src","blocked-uri":"eval","line-number":7,"script-sample":"draw()"}}`)
	violation := got.wait(t, EventViolation).Violation
	assert.Equal(t, []any{"script-src", "eval", 7, "draw()", host.LevelError, false},
		[]any{violation.Directive, violation.Blocked, violation.Line, violation.Sample, violation.Level, violation.InProxy})

	sendNotice(`{"kind":"silent","seconds":15}`)
	assert.Equal(t, 15*time.Second, got.wait(t, EventSilent).Silence)
	sendNotice(`{"kind":"back","seconds":20}`)
	assert.Equal(t, 20*time.Second, got.wait(t, EventBack).Silence)
	sendNotice(`{"kind":"view-left"}`)
	got.wait(t, EventViewLeft)
	sendNotice(`{"kind":"proxy-left"}`)
	got.wait(t, EventProxyLeft)
	sendNotice(`{"kind":"died"}`)
	got.wait(t, EventDied)
	assert.ErrorContains(t, got.wait(t, EventClosed).Err, "its process died")

	var dirs []host.Direction
	kinds := map[host.NoteKind]int{}
	for _, e := range got.list() {
		assert.Equal(t, name, e.View)
		if e.Kind == EventTrace {
			dirs = append(dirs, e.Entry.Direction)
			if e.Entry.Direction == host.Note {
				assert.NotEmpty(t, e.Entry.Kind, e.Entry.Text)
				kinds[e.Entry.Kind]++
			}
		}
	}
	assert.Contains(t, dirs, host.FromView)
	assert.Contains(t, dirs, host.ToView)
	assert.Equal(t, map[host.NoteKind]int{host.NoteUnknown: 1, host.NoteViewLost: 4, host.NoteClosed: 1}, kinds)
}

func TestEventFailed(t *testing.T) {
	for tool, want := range map[string]string{"missing-view": "the view can't be read", "no-such-tool": `no tool "no-such-tool"`} {
		var got events
		p := startPageFor(t, host.Target{Server: testServer()}, &Options{Event: got.add})
		p.do(fmt.Sprintf(`[{"op":"open","call":"1","page":"mine","tool":%q}]`, tool))
		failed := got.wait(t, EventFailed)
		assert.ErrorContains(t, failed.Err, want)
		assert.Equal(t, []string{"mine", tool}, []string{failed.Page, failed.Tool})
	}
	var got events
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{Event: got.add})
	p.do(`[{"op":"failed","page":"mine","text":"no tool of this server opens a view"}]`)
	assert.EqualError(t, got.wait(t, EventFailed).Err, "no tool of this server opens a view")
}

func TestViewURLKeepsQuery(t *testing.T) {
	p := startPage(t, testServer())
	u, err := url.Parse(p.run.ViewURL(url.Values{"name": {"mine"}}))
	require.NoError(t, err)
	assert.Equal(t, "mine", u.Query().Get("name"))
}

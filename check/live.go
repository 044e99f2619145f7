package check

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/callpolicy"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/preview"
)

// live opens each view of the surface in a browser, in the preview's sandbox
// under the strict policy, and judges what happens there. Its error says that
// it could not.
func (found *findings) live(ctx context.Context, o *Options, s *answers.Record, calls *callpolicy.Policy, d *dialer) error {
	path, err := chrome.Find()
	if err != nil {
		return err
	}
	tools := s.ToolsByName()
	wires := &wireTransport{connect: d.connect, oneAtATime: d.oneAtATime, allow: func(name string, args map[string]any) bool {
		t := tools[name]
		return t != nil && calls.Allows(t.ForPolicy(), args)
	}}
	defer wires.close()
	target := host.Target{Transport: func(context.Context) (mcp.Transport, error) { return wires, nil }}
	run, err := preview.Start(ctx, target, &preview.Options{
		Connect: &host.ConnectOptions{ProtocolVersion: rpc.MainVersion, MessageBytes: o.MaxBytes, ConnectTimeout: max(o.Timeout, o.firstTimeout)},
	})
	if err != nil {
		return err
	}
	defer run.Close()
	browser, err := chrome.Launch(ctx, path)
	if err != nil {
		return err
	}
	defer browser.Close()
	for _, uri := range s.AppURIs() {
		t := opener(s, uri, calls)
		if t == nil {
			continue // said by tool-view-unreachable, or resource-unused
		}
		if r := s.Reads[uri]; r == nil || r.Err != nil || len(r.Items) == 0 {
			continue // said by resource-unreadable and resource-contents
		}
		args, called := calls.Arguments(t.ForPolicy())
		v, err := openView(ctx, browser, run, t.Name, args, called, o.Timeout)
		if err != nil {
			return fmt.Errorf("the view %q: %w", uri, err)
		}
		found.judgeView(v, place{Tool: t.Name, URI: uri})
	}
	return nil
}

// opener returns the tool to open a view by: one that may be called, if there
// is one.
func opener(s *answers.Record, uri string, calls *callpolicy.Policy) *answers.Tool {
	var first *answers.Tool
	for _, t := range s.Tools {
		if t.URI != uri || !t.Model {
			continue
		}
		if _, ok := calls.Arguments(t.ForPolicy()); ok {
			return t
		}
		if first == nil {
			first = t
		}
	}
	return first
}

// A view is what was seen of one in the browser.
type view struct {
	called     bool // so that it got a result
	opened     bool // by the preview: before that, time is the machine's
	ready      bool
	sized      bool
	blank      bool
	failed     string // why the host did not open it
	gone       string
	refusal    string // of its handshake
	refused    []string
	violations []violation
	exceptions []chrome.Exception
	seen       int // events

	methods map[string]string // of its requests, by id
	result  bool
	waited  time.Duration
}

type violation struct {
	Directive string `json:"directive"`
	Blocked   string `json:"blocked"`
	Line      int    `json:"line"`
	Sample    string `json:"sample"`
	Remedy    string `json:"remedy"`
	Level     string `json:"level"`
	InProxy   bool   `json:"inProxy"`
}

// How long a view is watched: until it is ready and has its result, and then
// until nothing happens for a while.
const (
	quietFor  = 1500 * time.Millisecond
	watchFor  = 6 * time.Second
	startFor  = 30 * time.Second // for the browser and the preview's page
	pollEvery = 100 * time.Millisecond
)

// lookFor is how long a view's script may keep everybody else waiting.
var lookFor = 10 * time.Second

// openView opens a view and watches it.
func openView(ctx context.Context, b *chrome.Browser, run *preview.Preview, tool string, args map[string]any, called bool, timeout time.Duration) (*view, error) {
	if args == nil {
		args = map[string]any{}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	// What the browser and the preview need themselves is not the view's.
	ctx, cancel := context.WithTimeout(ctx, 2*timeout+watchFor+2*startFor)
	defer cancel()
	query := url.Values{"theme": {"light"}, "locale": {"en"}, "tool": {tool}, "args": {string(raw)}}
	p, err := b.Open(ctx, run.ViewURL(query), 800, 600, false)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	v := &view{called: called, methods: make(map[string]string)}
	start, most := time.Now(), startFor+timeout+watchFor
	quiet, settled, asked := start, time.Time{}, start
	for {
		before := v.opened
		events := p.Events()
		for _, e := range events[v.seen:] {
			if v.event(e) {
				quiet = time.Now()
			}
		}
		v.seen = len(events)
		now := time.Now()
		if v.opened && !before {
			start, most = now, timeout+watchFor
		}
		if v.ready && (v.result || !called) {
			if settled.IsZero() {
				settled = now
			}
			if now.Sub(quiet) > quietFor || now.Sub(settled) > watchFor {
				break
			}
		}
		if err := b.Err(); err != nil {
			return nil, err
		}
		if v.failed != "" || v.gone != "" || now.Sub(start) > most {
			break
		}
		if !v.ready && now.Sub(asked) > time.Second {
			asked = now
			if v.hopeless(ctx, p, run.URL(), now.Sub(quiet)) {
				break
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
	v.waited = time.Since(start).Round(time.Second)
	v.exceptions = viewExceptions(p, run.URL())
	if v.ready && v.gone == "" {
		v.look(ctx, p)
	}
	return v, nil
}

// look looks at the view's document. A view that does not let anybody look,
// where the page around it does, is busy with itself for ever.
func (v *view) look(ctx context.Context, p *chrome.Page) {
	var blank bool
	inside, cancel := context.WithTimeout(ctx, lookFor)
	err := p.EvalIn(inside, "/view", isBlank, &blank)
	late := inside.Err() != nil
	cancel()
	switch {
	case err == nil:
		v.blank = blank && v.result && v.called
	case late && ctx.Err() == nil:
		outside, cancel := context.WithTimeout(ctx, lookFor/2)
		defer cancel()
		if p.Eval(outside, "1", nil) == nil {
			v.gone = fmt.Sprintf("the view's script does not return: nothing else in the frame has had its turn for %v", lookFor)
		}
	}
}

// isBlank is true in a document that shows no text, no picture, no control and
// no colour.
const isBlank = `(() => {
	const body = document.body;
	if (!body || body.innerText.trim()) return !body;
	const shows = (e) => {
		const r = e.getBoundingClientRect(), s = getComputedStyle(e);
		return r.width > 0 && r.height > 0 && s.visibility !== "hidden" && Number(s.opacity) > 0;
	};
	const drawn = "img,svg,canvas,video,iframe,input,button,textarea,select,progress,meter,hr,object,embed";
	return ![...body.querySelectorAll("*")].some((e) => shows(e) && (e.shadowRoot || e.matches(drawn) ||
		getComputedStyle(e).backgroundImage !== "none" || !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(e).backgroundColor)));
})()`

// event takes one event of the preview's, and reports whether it is a sign that
// the view is still busy.
func (v *view) event(raw string) bool {
	var e struct {
		Type      string    `json:"type"`
		View      string    `json:"view"`
		Text      string    `json:"text"`
		Error     string    `json:"error"`
		Dir       string    `json:"dir"`
		Level     string    `json:"level"`
		Violation violation `json:"violation"`
		Msg       struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Error  *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		} `json:"msg"`
	}
	if json.Unmarshal([]byte(raw), &e) != nil {
		return false
	}
	switch e.Type {
	case "failed":
		v.failed = e.Text
	case "view":
		v.opened = true
	case "ready":
		v.ready = true
	case "size":
		v.sized = true
	case "result":
		v.result = true
		if e.Error != "" && e.View == "" {
			v.failed = e.Error
		}
	case "violation":
		v.violations = append(v.violations, e.Violation)
	case "entry":
		v.entry(host.Direction(e.Dir), e.Level, e.Text, string(e.Msg.ID), e.Msg.Method)
		if m := e.Msg.Error; m != nil && host.Direction(e.Dir) == host.ToView {
			method := v.methods[string(e.Msg.ID)]
			refusal := fmt.Sprintf("%s is answered with the error %d: %s", method, m.Code, m.Message)
			if method == "ui/initialize" {
				v.refusal = refusal
			}
			if method != "tools/call" && method != "resources/read" { // whose errors are the server's
				v.refused = append(v.refused, refusal)
			}
		}
	default:
		return false
	}
	return true
}

func (v *view) entry(dir host.Direction, level, text, id, method string) {
	switch {
	case dir == host.FromView && id != "":
		v.methods[id] = method
	case dir != host.Note || level == "" || level == string(host.LevelInfo):
	case strings.HasPrefix(text, "The view went to another page"), strings.HasPrefix(text, "The sandbox proxy went elsewhere"):
		v.gone = text
	case strings.HasPrefix(text, "left out of the policy"), strings.HasPrefix(text, "the resource's _meta"):
		// the static part says it better
	default:
		v.refused = append(v.refused, text)
	}
}

// judgeView judges what was seen.
func (found *findings) judgeView(v *view, at place) {
	ready := v.ready
	switch {
	case v.failed != "":
		if !slices.ContainsFunc(found.list, func(f Finding) bool {
			return f.URI == at.URI && f.Severity == SeverityError && strings.HasPrefix(f.Code, "resource-") // which says why
		}) {
			found.add(viewNotReady, at, "the host does not open the view: %s", text.Shorten(v.failed, maxSentence)).
				Remedy = "serve the document so that the host can read it"
		}
		return
	case v.gone != "":
		found.add(viewGone, at, "%s", text.Shorten(v.gone, maxSentence))
	case !ready:
		because := "it sends no ui/initialize"
		if slices.ContainsFunc(mapValues(v.methods), func(m string) bool { return m == "ui/initialize" }) {
			because = "it sends ui/initialize, and no ui/notifications/initialized after the answer"
		}
		if v.refusal != "" {
			because = v.refusal
		} else if len(v.exceptions) > 0 {
			because = "uncaught: " + v.exceptions[0].Text
		}
		found.add(viewNotReady, at, "the view is not initialized after %v: %s", v.waited, text.Shorten(because, maxSentence))
	}
	for _, refused := range v.refused {
		if refused != v.refusal || ready {
			found.add(viewMessage, at, "%s", text.Shorten(refused, maxSentence))
		}
	}
	for _, x := range v.violations {
		if x.InProxy && v.gone != "" {
			continue // the way by which it went
		}
		what := fmt.Sprintf("%s blocks %s", x.Directive, text.Quote(x.Blocked))
		if x.Sample != "" {
			what += fmt.Sprintf(" in %s", text.Quote(x.Sample))
		}
		if x.Blocked == "eval" && x.Level == string(host.LevelInfo) {
			found.add(viewProbe, at, "%s", what)
			continue
		}
		f := found.add(viewBlocked, at, "%s", what)
		if x.Remedy != "" {
			f.Remedy = strings.TrimSuffix(strings.ToLower(x.Remedy[:1])+x.Remedy[1:], ".")
		}
	}
	for _, e := range v.exceptions {
		found.add(viewException, at, "%s, at line %d, column %d", text.Shorten(e.Text, maxSentence), e.Line, e.Column)
	}
	if v.blank {
		found.add(viewBlank, at, "the view has its result and shows nothing")
	}
	if ready && !v.sized && v.gone == "" {
		found.add(viewSize, at, "the view sent no ui/notifications/size-changed")
	}
}

func mapValues(m map[string]string) []string {
	list := make([]string, 0, len(m))
	for _, v := range m {
		list = append(list, v)
	}
	return list
}

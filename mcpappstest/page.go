package mcpappstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// ctx bounds one step.
func (p *Page) ctx() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.t.Context(), p.timeout)
}

// pollEvery is how often a wait looks at the view.
const pollEvery = 20 * time.Millisecond

// until calls done until it reports true, the page's timeout is over, or the view is
// gone. It returns done's error: in the end that of the last look.
func (p *Page) until(done func(context.Context) (bool, error)) error {
	deadline := time.Now().Add(p.timeout)
	for {
		ctx, cancel := context.WithTimeout(p.t.Context(), max(p.look, time.Until(deadline)))
		ok, err := done(ctx)
		cancel()
		if ok {
			return unanswered(err)
		}
		if o := p.view.Outcome(); o.Gone() {
			return errors.New(gone(&o))
		}
		if err := p.browser.Err(); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			if err == nil {
				return fmt.Errorf("not within %v", p.timeout)
			}
			return fmt.Errorf("%w, for %v", unanswered(err), p.timeout)
		}
		time.Sleep(pollEvery)
	}
}

// errHangs is why the view's document does not answer.
var errHangs = errors.New("the view does not answer: probably a script of it does not return, so that nothing else has a turn")

// unanswered returns the error of a step, with the reason if the document was silent.
func unanswered(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w (%w)", errHangs, err)
	}
	return err
}

// WaitText waits until the view shows a text: a visible element has it, with each run
// of white space as one space.
func (p *Page) WaitText(text string) {
	p.t.Helper()
	p.ByText(text).Wait()
}

// Text returns the text that the view shows.
func (p *Page) Text() string {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	s, err := p.text(ctx)
	if err != nil {
		p.fatalf("reading its text: %v", err)
	}
	return s
}

func (p *Page) text(ctx context.Context) (s string, err error) {
	d, err := p.view.Document()
	if err != nil {
		return "", err
	}
	err = d.Eval(ctx, `(() => {
		const shadows = (root) => [...root.querySelectorAll("*")].filter((e) => e.shadowRoot).map((e) =>
			[...e.shadowRoot.children].map((c) => c.matches("style, script") ? "" : c.innerText ?? "").join("\n") + shadows(e.shadowRoot));
		return document.body ? [document.body.innerText, ...shadows(document)].join("\n").trim() : "";
	})()`, &s)
	return s, err
}

// Press presses a key in what has the focus: a character, or the name of another key,
// such as "Enter", "Tab" or "ArrowDown", after any of "Control+", "Shift+", "Alt+" and
// "Meta+". [Locator.Press] gives an element the focus first.
func (p *Page) Press(key string) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	if err := p.view.Page().Press(ctx, key); err != nil {
		p.fatalf("pressing a key: %v", err)
	}
}

// Eval evaluates a JavaScript expression in the view, waits for it if it is a promise,
// and decodes its value as JSON into v, unless v is nil.
func (p *Page) Eval(expression string, v any) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	d, err := p.view.Document()
	if err == nil {
		err = d.Eval(ctx, expression, v)
	}
	if err != nil {
		p.fatalf("evaluating %s: %v", expression, err)
	}
}

// SetTheme changes the host's theme and the browser's color scheme, and returns when
// the view has been told.
func (p *Page) SetTheme(theme host.Theme) {
	p.t.Helper()
	if theme != host.ThemeLight && theme != host.ThemeDark {
		p.t.Fatalf("mcpappstest: the theme %q: use host.ThemeLight or host.ThemeDark", theme)
	}
	ctx, cancel := p.ctx()
	defer cancel()
	if err := p.view.SetDark(ctx, theme == host.ThemeDark); err != nil {
		p.fatalf("changing the theme: %v", err)
	}
}

// SetSize changes the size of the view, in CSS pixels, and returns when the view has
// been told.
func (p *Page) SetSize(width, height int) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	err := p.view.Page().SetSize(ctx, width, height)
	if err == nil {
		err = p.until(func(ctx context.Context) (bool, error) {
			var now struct{ Width, Height int }
			d, err := p.view.Document()
			if err == nil {
				err = d.Eval(ctx, "({ width: innerWidth, height: innerHeight })", &now)
			}
			b := p.Bridge()
			return err == nil && b != nil && now.Width == width && now.Height == height && sized(b.Context(), width, height), err
		})
	}
	if err != nil {
		p.fatalf("setting its size to %d x %d: %v", width, height, err)
	}
	p.settle()
}

func sized(c host.HostContext, width, height int) bool {
	d := c.ContainerDimensions
	return d != nil && d.Width == width && d.Height == height
}

// Bridge returns the host's end of the view: what a host can do with it, such as
// setting its context or calling its tools. It returns nil once the view is closed.
func (p *Page) Bridge() *host.Bridge { return p.view.Bridge() }

// Close closes the view as a host does: it asks the view to clean up, and waits for
// the answer. What it called meanwhile is in [Page.Calls]. A test that does not call
// Close ends the view without.
func (p *Page) Close() {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	if b := p.Bridge(); b != nil {
		b.Close(ctx, host.ErrClosed)
	}
}

// A Request is something that the view asked of its host.
type Request struct {
	// Method is one of MCP or MCP Apps, such as "tools/call" or "ui/message".
	Method string
	Params json.RawMessage
	// Result is what the host answered. It is nil if the host has not answered yet or
	// refused, which Err says.
	Result json.RawMessage
	Err    error
}

// Requests returns what the view asked of its host so far, in order: tools and
// resources of the server, messages to the model, links, downloads, display modes. What
// a handler of a click asked for is among it when the click is done. The host of a test
// allows all that a server's author may want to try.
func (p *Page) Requests() []Request {
	ctx, cancel := p.ctx()
	defer cancel()
	p.view.Ping(ctx) // whose answer comes after what the view sent before
	var list []Request
	for _, x := range p.view.Exchanges() {
		list = append(list, request(x))
	}
	return list
}

func request(x liveview.Exchange) Request {
	r := Request{Method: x.Method, Params: x.Params, Result: x.Result}
	if x.Answered && x.Result == nil {
		r.Err = fmt.Errorf("%s (code %d)", x.Message, x.Code)
	}
	return r
}

// A Call is a call of a tool by the view.
type Call struct {
	Tool      string
	Arguments json.RawMessage
	// Result is nil while the call runs, and if the host refused it, which Err says.
	Result *mcp.CallToolResult
	Err    error
}

// Calls returns the calls of tools that the view made so far, in order. The one that
// opened it is not among them.
func (p *Page) Calls() []Call {
	p.t.Helper()
	var list []Call
	for _, r := range p.Requests() {
		if r.Method != "tools/call" {
			continue
		}
		var params struct {
			Name      string
			Arguments json.RawMessage
		}
		_ = json.Unmarshal(r.Params, &params) // the host has answered what is wrong with it
		c := Call{Tool: params.Name, Arguments: params.Arguments, Err: r.Err}
		if r.Result != nil {
			c.Result = new(mcp.CallToolResult)
			if err := json.Unmarshal(r.Result, c.Result); err != nil {
				c.Result, c.Err = nil, err
			}
		}
		list = append(list, c)
	}
	return list
}

// WaitCall waits until the view has called a tool and the last such call has its
// answer, and returns that call.
func (p *Page) WaitCall(tool string) Call {
	p.t.Helper()
	var last *Call
	var tools []string
	err := p.until(func(context.Context) (bool, error) {
		last, tools = nil, nil
		for _, c := range p.Calls() {
			tools = append(tools, c.Tool)
			if c.Tool == tool {
				last = &c
			}
		}
		return last != nil && (last.Result != nil || last.Err != nil), nil
	})
	switch {
	case err == nil:
	case last != nil:
		p.fatalf("waiting for the answer to its call of %q: %v", tool, err)
	default:
		p.fatalf("waiting for a call of %q: %v; it called %q", tool, err, tools)
	}
	return *last
}

// Screenshot returns a picture of the view as a PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	png, err := p.view.Screenshot(ctx)
	if err != nil {
		p.fatalf("taking a picture: %v", err)
	}
	return png
}

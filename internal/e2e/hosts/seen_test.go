package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

// A report is what the view says that one of its documents saw.
type report struct {
	Problem  string `json:"-"` // why the view did not report
	Done     bool
	Received []received
	Host     struct {
		HostInfo         struct{ Name string }
		HostCapabilities map[string]json.RawMessage
		HostContext      struct {
			AvailableDisplayModes []string
			ContainerDimensions   compat.Size
			ToolInfo              json.RawMessage
			Platform              string
		}
	}
	Answers     map[string]bool // whether a request was granted, by the key of the fact
	Modes       []string        // in which it was after it asked for pip, fullscreen, inline
	Permissions map[string]bool
}

// A received message is one that the host sent.
type received struct {
	Method string
	Params json.RawMessage
}

// params returns the parameters of the first message with a method, nil if none came.
func (r *report) params(method string) json.RawMessage {
	for _, m := range r.Received {
		if m.Method == method {
			return m.Params
		}
	}
	return nil
}

func (r *report) got(method string) bool {
	return slices.ContainsFunc(r.Received, func(m received) bool { return m.Method == method })
}

// ofTheCall returns which messages about the tool's call came, in their order, each kind
// once.
func (r *report) ofTheCall() (kinds []string) {
	for _, m := range r.Received {
		if kind, ok := strings.CutPrefix(m.Method, "ui/notifications/tool-"); ok {
			kinds = append(kinds, kind)
		}
	}
	return slices.Compact(kinds)
}

// A result is what the view received of a result.
type result struct {
	Content           []struct{ Text string }
	StructuredContent struct{ Data any }
	Meta              struct{ Private string } `json:"_meta"`
}

func (r *report) result() (res result, got bool) {
	params := r.params("ui/notifications/tool-result")
	return res, params != nil && json.Unmarshal(params, &res) == nil
}

// seen is what the view saw in one host.
type seen struct {
	noApps bool // it was not shown
	// first is of the first document, when it has tried everything and the theme has
	// changed; again of the same one that was loaded again; closed of that when the
	// view was closed. long is of a view with a long result, and slow of one whose
	// call was cancelled.
	first, again, closed, long, slow report

	border bool // drawn by the page
	called bool // whether the tool of the view was called
	left   bool // whether the host heard that the view asks to be closed
	large  bool // whether the large document was read
}

// tryArgs are the arguments with which the view tries everything.
var tryArgs = rowsArgs{Place: "Berlin", Note: "a longer text", Try: true}

// see opens the view on all occasions.
func (h *program) see(ctx context.Context) (*seen, error) {
	s := &seen{}
	v, err := h.open(ctx, "rows", "show_rows", tryArgs)
	if errors.Is(err, host.ErrNoApp) {
		s.noApps = true
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := v.wait(ctx, v.tried, "try all rows"); err != nil {
		return nil, err
	}
	if err := h.page.Eval(ctx, `getComputedStyle(frame).borderStyle !== "none"`, &s.border); err != nil {
		return nil, err
	}
	if answer, err := v.bridge.CallAppTool(ctx, "offered", nil, nil); err == nil {
		s.called = string(answer) == `{"content":[{"type":"text","text":"called"}]}`
	}
	now := v.bridge.Context()
	now.Theme = host.ThemeDark
	if err := v.bridge.SetContext(now); err != nil {
		return nil, err
	}
	if s.first, err = v.report(ctx); err != nil {
		return nil, err
	}
	if !slices.Contains(h.missing(), "ui/notifications/request-teardown") {
		if err := v.wait(ctx, v.leaves, "ask to be closed"); err != nil {
			return nil, err
		}
		s.left = true
	}
	if s.again, err = v.again(ctx); err != nil {
		return nil, err
	}
	v.bridge.Close(ctx, errors.New("closed by the user"))
	s.closed = v.told()
	s.left = s.left || len(v.leaves) > 0

	if s.long, err = h.seeOther(ctx, "long", "show_rows_long", func(v *view) error {
		_, err := v.bridge.WaitResult(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	if s.slow, err = h.seeOther(ctx, "slow", "show_rows_slow", func(v *view) error {
		v.bridge.Cancel(errors.New("no longer wanted"))
		if _, err := v.bridge.WaitResult(ctx); err == nil {
			return errors.New("the call was not cancelled")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	b, err := h.conn.Open(ctx, "show_large", nil, &host.BridgeOptions{Emulation: h.emulation})
	if err != nil {
		return nil, err
	}
	_, err = b.WaitApp(ctx)
	s.large = err == nil
	b.Close(ctx, err)
	return s, ctx.Err()
}

// seeOther opens the view by another tool, and closes it after what happens then.
func (h *program) seeOther(ctx context.Context, name, tool string, then func(*view) error) (r report, err error) {
	v, err := h.open(ctx, name, tool, rowsArgs{})
	if err != nil {
		return r, err
	}
	if err := then(v); err != nil {
		return r, err
	}
	r, err = v.report(ctx)
	v.bridge.Close(ctx, nil)
	return r, err
}

func (h *program) missing() []string {
	if h.emulation == nil {
		return nil
	}
	return h.emulation.Missing
}

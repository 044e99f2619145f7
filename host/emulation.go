package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
)

// An Emulation makes a bridge behave as another host does, for tests of views.
// [Emulate] makes one from what is known of a host; each field can also be set alone.
// The zero value changes nothing.
//
// An emulation restricts: what the bridge refuses without it is refused with it too,
// and what has no callback in [BridgeOptions] is not offered to the view. The bridge
// keeps it: do not change it. Input, Result and UI are called with the bridge locked,
// so they must not call the bridge. They must not change their arguments.
type Emulation struct {
	// HostInfo replaces [BridgeOptions.HostInfo].
	HostInfo *mcp.Implementation
	// Context has fields that replace those of the view's context, at the beginning
	// and in [Bridge.SetContext]. Zero fields replace nothing. ContainerDimensions
	// replace those of the inline mode only.
	Context HostContext
	// OmitToolInfo leaves toolInfo out of the context.
	OmitToolInfo bool
	// NoApps makes [Connection.Open] fail with [ErrNoApp], as in a host that shows
	// the text of a result only.
	NoApps bool

	// Hide names host capabilities that the view is not told, such as "serverTools".
	// What they stand for works.
	Hide []string
	// Missing names methods of the view that the host does not know. Requests are
	// answered with the error "method not found", notifications are ignored.
	// ui/initialize and ping cannot be missing.
	Missing []string
	// Refuse names methods of the view whose requests are declined, as if the
	// program's callback had returned an error.
	Refuse []string
	// Hold names methods that are never sent to the view: notifications such as
	// "ui/notifications/tool-cancelled", and requests such as "ui/resource-teardown",
	// of which the bridge behaves as if the view had not answered, without a wait.
	// The messages to a sandbox proxy are always sent.
	Hold []string

	// PartialInput sends the first document the input in pieces first, as a host does
	// while a model writes the arguments.
	PartialInput bool
	// Input returns what the view receives of the tool's input, which is the arguments
	// object; nil means that no input is sent. load counts the documents that the view
	// has loaded: 0 is the first, also after [Bridge.SetApp], and any other is one that
	// loads again, as when a chat is opened again; a handshake that a document repeats
	// before it was initialized does not count. If the field is nil, the input is
	// sent as it is.
	Input func(arguments json.RawMessage, load int) json.RawMessage
	// Result does the same for the result of the call that opened the view. Results
	// of the view's own calls are never changed.
	Result func(result json.RawMessage, load int) json.RawMessage
	// CallTimeout bounds calls in addition to [Limits.CallTimeout]. Zero means no
	// further bound.
	CallTimeout time.Duration

	// UI returns what the host honours of a view's metadata. The app that
	// [Bridge.WaitApp] returns has this metadata, so that the policy that the view is
	// served with, and what it is told of it, follow it. It must give the same for its
	// own result, and must not add anything: its result is taken as it is. If nil, all is
	// honoured.
	UI func(mcpapps.ResourceUIMetadata) mcpapps.ResourceUIMetadata
	// DocumentBytes bounds the document that [Connection.Open] reads, in addition to
	// [ConnectOptions.DocumentBytes]. Zero means no further bound.
	DocumentBytes int64

	// Emulated, Unknown and NotShown name the facts of the profile that the emulation
	// was made from, by [compat.Row.Key]: those that the bridge follows; those that no
	// source describes, in which the bridge behaves as without an emulation; and those
	// that a bridge cannot show, such as the browser engine or what the model reads.
	// They have no effect.
	Emulated, Unknown, NotShown []string
}

// An emulation is an [Emulation] in use. Nil emulates nothing.
type emulation struct {
	Emulation

	// Bridge.mu guards these.
	noted    map[string]bool // methods that were held back
	declared *mcpapps.CSP    // of the app, also what the host ignores of it
}

func newEmulation(e *Emulation) (*emulation, error) {
	if e == nil {
		return nil, nil
	}
	if err := e.Context.Validate(); err != nil {
		return nil, fmt.Errorf("Emulation.Context: %w", err)
	}
	return &emulation{Emulation: *e}, nil
}

// context returns the context with the fields that the emulation replaces.
func (e *emulation) context(c HostContext) HostContext {
	if e == nil {
		return c
	}
	set := e.Context.clone()
	replace(&c.Theme, set.Theme)
	replace(&c.Styles, set.Styles)
	replace(&c.DisplayMode, set.DisplayMode)
	replace(&c.Locale, set.Locale)
	replace(&c.TimeZone, set.TimeZone)
	replace(&c.UserAgent, set.UserAgent)
	replace(&c.Platform, set.Platform)
	replace(&c.DeviceCapabilities, set.DeviceCapabilities)
	replace(&c.SafeAreaInsets, set.SafeAreaInsets)
	if modes := set.AvailableDisplayModes; modes != nil {
		c.AvailableDisplayModes = modes
		if c.DisplayMode != "" && !slices.Contains(modes, c.DisplayMode) && len(modes) > 0 {
			c.DisplayMode = modes[0]
		}
	}
	if c.DisplayMode == "" || c.DisplayMode == DisplayInline {
		replace(&c.ContainerDimensions, set.ContainerDimensions)
	}
	if len(set.Extra) > 0 {
		extra := make(map[string]any, len(c.Extra)+len(set.Extra))
		for k, v := range c.Extra {
			extra[k] = v
		}
		for k, v := range set.Extra {
			extra[k] = v
		}
		c.Extra = extra
	}
	return c
}

func replace[T comparable](field *T, by T) {
	var zero T
	if by != zero {
		*field = by
	}
}

// app returns an app with the metadata that the host honours. Bridge.mu is held.
func (e *emulation) app(app *appclient.App) *appclient.App {
	if e == nil || e.UI == nil || app == nil {
		return app
	}
	now := *app
	e.declared = app.UI.CSP
	now.UI = e.UI(app.UI)
	return &now
}

// documentBytes returns the bound of a document, of which most is the program's: 0
// for the default.
func (e *emulation) documentBytes(most int64) int64 {
	if e == nil || e.DocumentBytes <= 0 {
		return most
	}
	if most <= 0 {
		return e.DocumentBytes
	}
	return min(most, e.DocumentBytes)
}

func (e *emulation) holds(method string) bool {
	return e != nil && slices.Contains(e.Hold, method)
}

func (e *emulation) misses(method string) bool {
	return e != nil && slices.Contains(e.Missing, method)
}

// input returns the parameters of tool-input, nil if none is sent.
func (e *emulation) input(params json.RawMessage, load int) json.RawMessage {
	if e == nil || e.Input == nil {
		return params
	}
	var p struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	args := e.Input(p.Arguments, load)
	if !isObject(args) || !json.Valid(args) {
		return nil
	}
	return slices.Concat(json.RawMessage(`{"arguments":`), args, json.RawMessage(`}`))
}

// result returns the parameters of tool-result, nil if none is sent.
func (e *emulation) result(params json.RawMessage, load int) json.RawMessage {
	if e == nil || e.Result == nil {
		return params
	}
	result := e.Result(params, load)
	if !isObject(result) || !json.Valid(result) {
		return nil
	}
	return result
}

// notify posts a notification, unless the emulated host never sends it. b.mu is held.
func (b *Bridge) notify(method string, params json.RawMessage) {
	if b.emulation.holds(method) {
		b.heldBack(method)
		return
	}
	b.post(encodeCall(nil, method, params))
}

// notifyOf posts a notification, unless the emulation has left nothing of its
// parameters. b.mu is held.
func (b *Bridge) notifyOf(method string, params json.RawMessage) {
	if params == nil {
		b.heldBack(method)
		return
	}
	b.notify(method, params)
}

// heldBack adds a note that the view is not sent something, once for each method.
// unlock and release write it. b.mu is held.
func (b *Bridge) heldBack(method string) {
	e := b.emulation
	if e.noted[method] {
		return
	}
	if e.noted == nil {
		e.noted = make(map[string]bool)
	}
	e.noted[method] = true
	b.notes = append(b.notes, "the emulated host does not send "+method)
}

// takeNotes returns the notes to write. b.mu is held.
func (b *Bridge) takeNotes() []string {
	notes := b.notes
	b.notes = nil
	return notes
}

// writeNotes writes the notes that were added while b.mu was held.
func (b *Bridge) writeNotes(notes []string) {
	for _, text := range notes {
		b.note(LevelInfo, NoteEmulated, text)
	}
}

// refuseEmulated answers a request that the emulated host does not know or declines,
// and reports whether it is one.
func (b *Bridge) refuseEmulated(m message) bool {
	e := b.emulation
	if e == nil {
		return false
	}
	switch {
	case e.misses(m.method):
		b.note(LevelWarning, NoteEmulated, "the emulated host does not know "+short(m.method))
		b.refuse(m, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("no such method: %q", short(m.method))})
	case slices.Contains(e.Refuse, m.method):
		b.declineEmulated(m)
	default:
		return false
	}
	return true
}

// declineEmulated answers a request as if the program's callback had declined it.
func (b *Bridge) declineEmulated(m message) {
	const why = "the emulated host declines it"
	switch m.method {
	case "ui/open-link", "ui/message", "ui/download-file":
		result, _ := b.resultOrToolError(m.method, errors.New(why))
		b.mu.Lock()
		b.postAnswer(m.id, result, nil)
		b.unlock()
	default:
		b.note(LevelWarning, NoteDeclined, fmt.Sprintf("%s declined: %s", short(m.method), why))
		b.refuse(m, denied("%s: %s", short(m.method), why))
	}
}

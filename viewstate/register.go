package viewstate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options configures [Register]. The zero value of each field is its default.
type Options struct {
	// MaxBytes is the largest size of a state as compact JSON, 64 KiB by default.
	MaxBytes int
	// Rate is how many times a second an owner may save, 20 by default, and twice as
	// many at once. Beyond it, the view waits and saves later. An owner has one rate for
	// all servers on one [Memory] or [SQL], and one for each server on other stores.
	// Over HTTP without a user, each id is an owner: see [KeyFor].
	Rate int
	// Logger gets the errors of the store, which views don't see. Nil: [slog.Default].
	Logger *slog.Logger
}

const (
	toolName  = "view_state"
	longestID = 128 // characters
	deepest   = 64  // levels of objects and arrays in a state

	mostWaiting = 64 // saves that wait for the one before them
)

// Register adds the tool view_state to a server, by which views load and save their state
// in a store. Hosts are told to offer it to views only, and some show it to the model all
// the same. It keeps no reference to o, which may be nil. A negative number in it is the
// default, as 0 is.
//
// A state is a JSON object. A view that replaces another version than the current one gets
// the current one, and saves again with its changes.
//
// Register panics if the server or the store is nil.
func Register(s *mcp.Server, st Store, o *Options) {
	if s == nil {
		panic("viewstate.Register: the server is nil")
	}
	if st == nil {
		panic("viewstate.Register: the store is nil: pass viewstate.NewMemory(nil), or viewstate.NewSQL for one that outlives the process")
	}
	schema := &jsonschema.Schema{
		Type:     "object",
		Required: []string{"id"},
		Properties: map[string]*jsonschema.Schema{
			"id":      {Type: "string", Description: "The id of the state, which the view has from a tool's result"},
			"version": {Type: "integer", Minimum: jsonschema.Ptr(0.0), Description: "The version that the save replaces, 0 if it replaces nothing"},
		},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	input, err := toolinput.For[stateInput](schema)
	if err == nil {
		schema, err = input.Schema(map[string]*jsonschema.Schema{
			"state": {Types: []string{"object", "null"}, Description: "The state to save; null to delete it; absent to load it"},
		})
	}
	if err != nil {
		panic(fmt.Sprintf("viewstate.Register: tool %q: %v", toolName, err))
	}
	no := false
	h := &handler{store: st, input: input}
	if o != nil {
		h.o = *o
	}
	h.o.MaxBytes = orDefault(h.o.MaxBytes, 64<<10)
	h.o.Rate = orDefault(h.o.Rate, 20)
	if h.o.Logger == nil {
		h.o.Logger = slog.Default()
	}
	h.rates = new(rates)
	if shared, ok := st.(interface{ sharedRates() *rates }); ok {
		h.rates = shared.sharedRates()
	}
	mcpapps.RegisterRawAppTool(s, &mcp.Tool{
		Name:        toolName,
		Title:       "View state",
		Description: "For views only: loads and saves what a view remembers, such as filters and drafts.",
		InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, mcpapps.AppOnly(""), h.call)
}

type stateInput struct {
	ID      string `json:"id"`
	Version *int64 `json:"version"`
}

type handler struct {
	store Store
	input *toolinput.Type[stateInput]
	o     Options
	rates *rates

	waiting atomic.Int64 // saves
}

// overtaken is when a save looks whether the one before it has come: not often, since
// every client may send saves for which nothing comes.
var overtaken = []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond}

// An answer is the text of a result. State is nil in answers without a state.
type answer struct {
	Conflict bool            `json:"conflict,omitempty"`
	State    json.RawMessage `json:"state,omitempty"`
	Version  int64           `json:"version"`
}

type retry struct {
	Retry int64 `json:"retry"` // milliseconds
}

func (h *handler) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, taken, _, err := h.input.Decode(req.Params.Arguments, "state")
	if err != nil {
		return failed(err.Error()), nil
	}
	if err := validateID(in.ID); err != nil {
		return failed(err.Error()), nil
	}
	key := KeyFor(ctx, req, in.ID)
	state, isSave := taken["state"]
	if !isSave {
		if in.Version != nil {
			return failed("version without state: leave it out to load the state"), nil
		}
		r, err := h.store.Get(ctx, key)
		if errors.Is(err, ErrNotFound) {
			r, err = Record{}, nil
		}
		if err != nil {
			return h.storeFailed(ctx, "loaded", err), nil
		}
		return result(answer{State: stateOf(r), Version: r.Version}), nil
	}
	if in.Version == nil {
		return failed("state without version: send the version that the save replaces, 0 if it replaces nothing"), nil
	}
	value, err := h.compact(state)
	if err != nil {
		return failed(err.Error()), nil
	}
	if wait, ok := h.rates.allow(key.owner(), h.o.Rate); !ok {
		return result(retry{int64((wait + time.Millisecond - 1) / time.Millisecond)}), nil
	}
	replace := h.save
	if string(value) == "null" {
		replace = h.remove
	}
	r, err := replace(ctx, key, value, *in.Version)
	if errors.Is(err, ErrConflict) {
		return result(answer{Conflict: true, State: stateOf(r), Version: r.Version}), nil
	}
	if err != nil {
		return h.storeFailed(ctx, "saved", err), nil
	}
	return result(answer{Version: r.Version}), nil
}

// save puts a document. A view that is about to be unloaded sends its last save before the
// one before it is answered. If that one comes later, it is waited for.
func (h *handler) save(ctx context.Context, key Key, value []byte, version int64) (Record, error) {
	r, err := h.store.Put(ctx, key, value, version)
	if h.waiting.Add(1) <= mostWaiting {
		for _, gap := range overtaken {
			if !errors.Is(err, ErrConflict) || r.Version != version-1 || ctx.Err() != nil {
				break
			}
			select {
			case <-ctx.Done():
			case <-time.After(gap):
				r, err = h.store.Put(ctx, key, value, version)
			}
		}
	}
	h.waiting.Add(-1)
	return r, err
}

// remove deletes a document of a version. What another view saves between the two steps
// is deleted too, as if it had been saved before them: that view finds no state when it
// saves again.
func (h *handler) remove(ctx context.Context, key Key, _ []byte, version int64) (Record, error) {
	r, err := h.store.Get(ctx, key)
	if errors.Is(err, ErrNotFound) {
		r, err = Record{}, nil
	}
	if err != nil {
		return Record{}, err
	}
	if r.Version != version {
		return r, ErrConflict
	}
	return Record{}, h.store.Delete(ctx, key)
}

func validateID(id string) error {
	if n := utf8.RuneCountInString(id); n < 1 || n > longestID {
		return fmt.Errorf("the id has %d characters: it must have 1 to %d", n, longestID)
	}
	for _, c := range id {
		if unicode.IsControl(c) { // documents that are not a view's have such ids
			return errors.New("the id has a control character")
		}
	}
	return nil
}

// compact returns a state without spaces, or why it can't be saved.
func (h *handler) compact(state json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, state); err != nil {
		return nil, fmt.Errorf("the state: %w", err)
	}
	value := b.Bytes()
	switch {
	case string(value) != "null" && value[0] != '{':
		return nil, errors.New("the state must be an object, or null to delete it")
	case len(value) > h.o.MaxBytes:
		return nil, fmt.Errorf("the state has %d bytes: it must have at most %d", len(value), h.o.MaxBytes)
	case depth(value) > deepest:
		return nil, fmt.Errorf("the state is nested more than %d levels deep", deepest)
	}
	return value, nil
}

// depth returns how deeply objects and arrays are nested in valid JSON.
func depth(value []byte) (most int) {
	level, inString := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case inString:
			if c == '\\' {
				i++
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			level++
			most = max(most, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return most
}

// stateOf returns the state in a record. An author's program may have put something else
// under the id of a view, which the view then does not get.
func stateOf(r Record) json.RawMessage {
	if !bytes.HasPrefix(bytes.TrimSpace(r.Value), []byte("{")) || !json.Valid(r.Value) {
		return json.RawMessage("null")
	}
	return r.Value
}

func (h *handler) storeFailed(ctx context.Context, what string, err error) *mcp.CallToolResult {
	if ctx.Err() == nil {
		h.o.Logger.ErrorContext(ctx, "viewstate: the state of a view can't be "+what, "error", err)
	}
	return failed("the state can't be " + what + " now: try again later")
}

func failed(why string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: why}}}
}

// result returns an answer as one text, which hosts that drop structured content pass on.
func result(v any) *mcp.CallToolResult {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // never: a state is valid JSON
		return failed(err.Error())
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))}}}
}

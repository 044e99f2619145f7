package viewform

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/viewmark"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The states of a form.
const (
	open    = "open"    // not submitted, or what was submitted has failed
	running = "running" // somebody has claimed the form and does the work
	done    = "done"
	unknown = "unknown" // whether the work was done; it is never done again
	gone    = "gone"    // the store does not have the form, or not for this caller
)

// answer is what the submit tool answers, as JSON.
type answer struct {
	State string          `json:"state"`
	Text  string          `json:"text,omitempty"`  // of the result, if it is done
	Value json.RawMessage `json:"value,omitempty"` // the output, if it is done
	Error string          `json:"error,omitempty"` // why the last submission failed, if it is open
	Data  json.RawMessage `json:"data,omitempty"`  // of Form.Prepare, if it is open
}

// encoded returns an answer as JSON in which nothing names a form. Its parts are of
// package json, so that this does not fail.
func (a answer) encoded() string {
	data, _ := json.Marshal(a)
	return viewmark.Neutral(string(data))
}

// record is what the store keeps of a form.
type record struct {
	answer
	// Until is when work that has not ended is unknown, in Unix milliseconds.
	Until int64 `json:"until,omitempty"`
}

// kept is a record with the place where the store keeps it.
type kept struct {
	record
	id      viewstate.Key
	version int64
}

// grace is how much longer than the timeout of the work it may take until its outcome is
// stored: half for the claim, half for the outcome. The clocks of servers may differ by
// what of it is left.
const grace = 30 * time.Second

// id returns where the store keeps a form. Each tool has forms of its own: the key of
// one does not submit another, and the tool by which views save their state can't write
// one, because it takes no ids with control characters.
func (f *forms) id(ctx context.Context, req *mcp.CallToolRequest, key string) viewstate.Key {
	return viewstate.KeyFor(ctx, req, "form\x00"+f.name+"\x00"+key)
}

// load returns a form, whose state is gone if the caller has no such form.
func (f *forms) load(ctx context.Context, req *mcp.CallToolRequest, key string) (kept, error) {
	if !isKey(key) {
		return kept{record: record{answer: answer{State: gone}}}, nil
	}
	return f.read(ctx, f.id(ctx, req, key))
}

func (f *forms) read(ctx context.Context, id viewstate.Key) (kept, error) {
	r, err := f.store.Get(ctx, id)
	if errors.Is(err, viewstate.ErrNotFound) {
		return kept{record{answer: answer{State: gone}}, id, 0}, nil
	}
	k := kept{id: id, version: r.Version}
	if err == nil {
		err = json.Unmarshal(r.Value, &k.record)
	}
	switch k.State {
	case open, done:
	case running:
		if time.Now().UnixMilli() > k.Until {
			k.State = unknown
		}
	default:
		k.State = unknown
	}
	return k, err
}

// put replaces a version of a form and returns the new one.
func (f *forms) put(ctx context.Context, id viewstate.Key, r record, version int64) (kept, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return kept{}, err
	}
	stored, err := f.store.Put(ctx, id, data, version)
	return kept{r, id, stored.Version}, err
}

// isKey reports whether a string can be the key of a form: what [viewstate.New] returns
// is. Others are not repeated in answers.
func isKey(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

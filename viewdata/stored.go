package viewdata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// argID is the argument of a stored twin that names the data.
const argID = "view_id"

// maxID bounds the ids that clients send; those of viewstate.New are shorter.
const maxID = 128

// pointerTries is how often the pointer to the last result is put where other calls
// with the same input put theirs at the same time.
const pointerTries = 5

// storeTimeout is how long a call waits for a store that has to keep its data.
const storeTimeout = 10 * time.Second

// stored keeps the data of one tool, each result under an id of its own. For callers
// with an owner it also keeps a pointer to the last result of each input.
type stored struct {
	store viewstate.Store
	tool  string
	log   *slog.Logger
}

// dataKey and lastKey return the keys of a result's data and of the pointer to the
// last one of an input. They differ for each tool, so that an id is good for the tool
// that gave it only.
func (s *stored) dataKey(ctx context.Context, req *mcp.CallToolRequest, id string) viewstate.Key {
	return viewstate.KeyFor(ctx, req, "viewdata\x00"+s.tool+"\x00data\x00"+id)
}

func (s *stored) lastKey(ctx context.Context, req *mcp.CallToolRequest, canonical []byte) (key viewstate.Key, ok bool) {
	if _, ok := viewstate.For(ctx, req, nil, ""); !ok || canonical == nil { // no owner: equal inputs of all clients would share it
		return key, false
	}
	return viewstate.KeyFor(ctx, req, "viewdata\x00"+s.tool+"\x00last\x00"+string(canonical)), true
}

// save keeps the data of a call and returns its id, "" if that fails.
func (s *stored) save(ctx context.Context, req *mcp.CallToolRequest, canonical []byte, data any) (id string) {
	// The work is done: that the client has left does not undo it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	last, hasLast := s.lastKey(ctx, req, canonical)
	value, err := encode(data)
	if err == nil {
		id = viewstate.New()
		_, err = s.store.Put(ctx, s.dataKey(ctx, req, id), value, 0)
	}
	if err != nil {
		s.log.Error("viewdata: the data of a result was not stored, its view says that it is gone", "tool", s.tool, "error", err)
		id = ""
	}
	if !hasLast {
		return id
	}
	if err == nil {
		if err = s.putLast(ctx, last, s.dataKey(ctx, req, id)); err != nil {
			s.log.Error("viewdata: a view that loses this result will not find its data", "tool", s.tool, "error", err)
		}
	}
	if err != nil { // the pointer would name the data of an earlier call
		if err := s.store.Delete(ctx, last); err != nil {
			s.log.Error("viewdata: the pointer to an earlier result was not removed", "tool", s.tool, "error", err)
		}
	}
	return id
}

// putLast lets a pointer name other data. The pointer is the key of the data and not
// its id, which can't be read from the store.
func (s *stored) putLast(ctx context.Context, last, data viewstate.Key) error {
	var version int64
	r, err := s.store.Get(ctx, last)
	if err == nil {
		version = r.Version
	} else if !errors.Is(err, viewstate.ErrNotFound) {
		return err
	}
	for range pointerTries {
		r, err = s.store.Put(ctx, last, data[:], version)
		if !errors.Is(err, viewstate.ErrConflict) {
			return err
		}
		version = r.Version
	}
	return err
}

// load returns the stored data of a key.
func (s *stored) load(ctx context.Context, key viewstate.Key) (answer, error) {
	r, err := s.store.Get(ctx, key)
	if errors.Is(err, viewstate.ErrNotFound) {
		return answer{Gone: true}, nil
	}
	if err != nil {
		s.log.Error("viewdata: stored data can't be read", "tool", s.tool, "error", err)
		return answer{}, errors.New("the stored data can't be read: try again")
	}
	if len(r.Value) == 0 {
		return answer{Gone: true}, nil
	}
	if !json.Valid(r.Value) {
		s.log.Error("viewdata: stored data is not JSON: something else has written to the store", "tool", s.tool, "bytes", len(r.Value))
		return answer{}, errors.New("the stored data is damaged and can't be shown")
	}
	return answer{Data: json.RawMessage(r.Value)}, nil
}

// loadStored answers the twin of a tool that does more than read.
func loadStored[In any](ctx context.Context, s *stored, in *toolinput.Type[In], req *mcp.CallToolRequest) (answer, error) {
	args, err := toolinput.Members(req.Params.Arguments)
	if err != nil {
		return answer{}, err
	}
	if raw, ok := args[argID]; ok {
		id, err := stringArgument(argID, raw, maxID)
		if err != nil {
			return answer{}, err
		}
		return s.load(ctx, s.dataKey(ctx, req, id))
	}
	_, _, canonical, err := in.Decode(req.Params.Arguments)
	if err != nil {
		return answer{}, err
	}
	last, ok := s.lastKey(ctx, req, canonical)
	if !ok {
		return answer{Gone: true}, nil
	}
	r, err := s.store.Get(ctx, last)
	var key viewstate.Key
	switch {
	case errors.Is(err, viewstate.ErrNotFound):
		return answer{Gone: true}, nil
	case err != nil:
		s.log.Error("viewdata: stored data can't be read", "tool", s.tool, "error", err)
		return answer{}, errors.New("the stored data can't be read: try again")
	case len(r.Value) != len(key):
		return answer{Gone: true}, nil
	}
	copy(key[:], r.Value)
	return s.load(ctx, key)
}

// storedTwinOf returns the twin of a tool that does more than read. It takes an id, or
// the input of t; which of the two, its handler validates.
func storedTwinOf[In any](call string, t *mcp.Tool, in *toolinput.Type[In]) *mcp.Tool {
	twin := twinOf(call, t, t.Name+twinSuffix, in, map[string]*jsonschema.Schema{
		argID: {Type: "string", Description: "The id of a result, as its view has it."},
	})
	full := twin.InputSchema.(*jsonschema.Schema)
	twin.InputSchema = &jsonschema.Schema{
		Schema: full.Schema, ID: full.ID, Defs: full.Defs, Definitions: full.Definitions,
		Type: "object", Properties: full.Properties, PropertyOrder: full.PropertyOrder,
	}
	no := false
	twin.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	twin.Description = fmt.Sprintf("The stored data of a result of %s for its view. Only the view calls it.", t.Name)
	return twin
}

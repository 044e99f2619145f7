package viewdata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// LiveOptions are options of [RegisterLive].
type LiveOptions struct {
	// Every is the period: a value is computed at most once in it for each key. The
	// default is a second, the maximum a day.
	Every time.Duration
	// Timeout bounds one computation. The default is 10 seconds, the maximum a day.
	Timeout time.Duration
	// Logger receives the panics of the function. The default is slog.Default().
	Logger *slog.Logger
}

const (
	defaultEvery       = time.Second
	defaultLiveTimeout = 10 * time.Second
	longest            = 24 * time.Hour // more could overflow where it is multiplied
)

// argVersion is the argument of a live tool: the version that the view has.
const argVersion = "view_version"

// maxVersion bounds the versions that clients send; a valid one has 12 bytes.
const maxVersion = 64

// maxArguments bounds the arguments of a call: the key that is made of them is kept.
const maxArguments = 16 << 10

// RegisterLive adds a tool for views that show a value which changes. Only views call
// it, again and again: see subscribe in mcp-app/data. A view sends the version that it
// has, and gets {} if that is the current one. The version is a hash of the value, so
// replicas need nothing in common.
//
// key runs for each call and returns what the value depends on: the user, if users see
// different values, and arguments. f computes the value of a key, once for all views of
// the key in a period. It does not run in the context of any of the calls, and its
// error is the answer for all of them. f sees the key alone: all that may change the
// value, such as the user, has to be in it.
//
// Values are kept for some periods after the last call: those of at most 10,000 keys,
// and 64 MiB with the arguments of their calls. Beyond that, those that were asked for
// least recently are removed. A value that is larger by itself is not kept, and can be
// computed several times in a period. Arguments of more than 16 KiB are rejected. At most
// 1,000 values are computed at the same time. The calls of one user begin at most 250 of
// them, and so do those of all clients over HTTP without a user together. Register once:
// a server that is made for each request shares nothing.
//
// It panics where [mcpapps.RegisterRawAppTool] does, if the input has a property
// view_version, and if t has an output schema, because the answers are text.
func RegisterLive[In any, K comparable, V any](s *mcp.Server, t *mcp.Tool, key func(context.Context, *mcp.CallToolRequest, In) (K, error), f func(context.Context, K) (V, error), o *LiveOptions) {
	const call = "RegisterLive"
	var opts LiveOptions
	if o != nil {
		opts = *o
	}
	if opts.Every <= 0 {
		opts.Every = defaultEvery
	}
	if opts.Timeout <= 0 {
		opts.Timeout = defaultLiveTimeout
	}
	opts.Every, opts.Timeout = min(opts.Every, longest), min(opts.Timeout, longest)
	tt := checkTool(call, s, t, key == nil || f == nil)
	if tt.OutputSchema != nil {
		panic(fmt.Sprintf("viewdata.%s: tool %q: OutputSchema is set, and the answers are text: leave it out", call, tt.Name))
	}
	in := inputType[In](call, tt)
	live := twinOf(call, tt, tt.Name, in, map[string]*jsonschema.Schema{
		argVersion: {Type: "string", Description: "The version that the view has."},
	})
	tt.InputSchema, tt.Annotations = live.InputSchema, live.Annotations
	if tt.Description == "" {
		tt.Description = "A value for a view. Only the view calls it."
	}
	group := newGroup(opts, func(ctx context.Context, k K) (string, string, error) {
		v, err := f(ctx, k)
		if err != nil {
			return "", "", err
		}
		return encodeLive(v)
	})
	addTwin(s, tt, func(ctx context.Context, req *mcp.CallToolRequest) (any, error) {
		return answerLive(ctx, req, in, key, group)
	})
}

func answerLive[In any, K comparable](ctx context.Context, req *mcp.CallToolRequest, in *toolinput.Type[In], key func(context.Context, *mcp.CallToolRequest, In) (K, error), group *group[K]) (any, error) {
	arguments := len(req.Params.Arguments)
	if arguments > maxArguments {
		return nil, fmt.Errorf("the arguments have %d bytes, and may have %d", arguments, maxArguments)
	}
	input, taken, _, err := in.Decode(req.Params.Arguments, argVersion)
	if err != nil {
		return nil, err
	}
	has, err := stringArgument(argVersion, taken[argVersion], maxVersion)
	if err != nil {
		return nil, err
	}
	k, err := key(ctx, req, input)
	if err != nil {
		return nil, err
	}
	if !reflect.ValueOf(&k).Elem().Comparable() || k != k { // the latter with a NaN in it
		return nil, errors.New("the key of the value can't be compared: use strings, integers and structs of them")
	}
	v, err := group.value(ctx, ownerOf(ctx, req), k, arguments)
	if err != nil {
		return nil, err
	}
	if v.version == has {
		return "{}", nil
	}
	return v.text, nil
}

// encodeLive returns the version of a value, and the answer with both.
func encodeLive(v any) (version, text string, err error) {
	data, err := encode(v)
	if err != nil {
		return "", "", err
	}
	version = hash(data)
	b, err := json.Marshal(struct {
		Version string          `json:"version"`
		Value   json.RawMessage `json:"value"`
	}{version, data})
	return version, string(b), err
}

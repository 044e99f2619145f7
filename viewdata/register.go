package viewdata

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/mcpapps-go/mcpapps/internal/viewmark"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Result is what a tool returns to the model and to its view.
type Result[Out, Data any] struct {
	// Text is for the model. It should make sense without the view. If it is empty, the
	// text is the JSON of Out.
	Text string
	// FullText takes the place of Text for clients that do not show views, and for those
	// of which that is unknown (see [mcpapps.ClientSupport]): the answer itself, without
	// a word about a view. If it is empty, these clients get Text too.
	FullText string
	// Out is the structured content, which some hosts give to the model in place of
	// Text: keep it small. With the type any and the value nil the result has no
	// structured content.
	Out Out
	// Data is for the view only. It is encoded as JSON.
	Data Data
}

// Options are options of [Register].
type Options struct {
	// InlineBytes is the size up to which the JSON of Data is part of the result, under
	// _meta, so that the view needs no second call. The default is 4,096; if it is
	// negative, Data is never part of the result.
	InlineBytes int
	// Store keeps the data of a tool that does more than read. Such a tool requires it;
	// other tools do not use it.
	Store viewstate.Store
	// Logger receives what the caller of a tool is not told: that data could not be
	// stored, for example. The default is slog.Default().
	Logger *slog.Logger
}

const defaultInline = 4096

// Register adds a view, a tool that opens it, and the tool's twin, t.Name+"_data",
// which only the view calls. The view passes the twin's name to resultData.
//
// A tool only reads if its annotations say so (ReadOnlyHint). Its twin then calls h
// with the same input: h also runs when the view asks, and its data may be newer than
// the text in the chat. For any other tool, h runs once for each call by the model.
// Its data is stored for the user who called, and the result has a second text block
// with the random id. A view that has lost the result gets the data of the last call
// with the same input, if the caller has a user or is the only one (see
// [viewstate.KeyFor]). If the store fails, the call succeeds and the view says that the
// data is gone.
//
// It panics where [mcpapps.RegisterApp] does, if the twin's name is invalid, and if the
// tool does more than read and o.Store is nil. It then registers nothing.
func Register[In, Out, Data any](s *mcp.Server, t *mcp.Tool, v mcpapps.View, h func(context.Context, *mcp.CallToolRequest, In) (Result[Out, Data], error), o *Options) {
	const call = "Register"
	var opts Options
	if o != nil {
		opts = *o
	}
	tt := checkTool(call, s, t, h == nil)
	in := inputType[In](call, tt)
	opts.InlineBytes = inlineBytes(opts.InlineBytes)
	log := logger(opts.Logger)
	if onlyReads(tt) {
		twin := twinOf(call, tt, tt.Name+twinSuffix, in, nil)
		mcpapps.RegisterApp(s, tt, v, func(ctx context.Context, req *mcp.CallToolRequest, input In) (*mcp.CallToolResult, Out, error) {
			res, err := h(ctx, req, input)
			if err != nil {
				return nil, res.Out, err
			}
			data, err := encode(res.Data)
			if err != nil {
				return nil, res.Out, err
			}
			return forModel(res.textFor(ctx, req), res.Out, inline(twin.Name, data, opts.InlineBytes)), res.Out, nil
		})
		addTwin(s, twin, func(ctx context.Context, req *mcp.CallToolRequest) (any, error) {
			input, _, _, err := in.Decode(req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			res, err := h(ctx, req, input)
			if err != nil {
				return nil, err
			}
			data, err := encode(res.Data)
			return answer{Data: data}, err
		})
		return
	}
	if opts.Store == nil {
		panic(fmt.Sprintf("viewdata.%s: tool %q: Options.Store is nil, and the tool may do more than read, so nothing may run it again for the view: set Store, or set Annotations.ReadOnlyHint if the tool only reads", call, tt.Name))
	}
	st := &stored{opts.Store, tt.Name, log}
	twin := storedTwinOf(call, tt, in)
	mcpapps.RegisterApp(s, tt, v, func(ctx context.Context, req *mcp.CallToolRequest, input In) (*mcp.CallToolResult, Out, error) {
		res, err := h(ctx, req, input)
		if err != nil {
			return nil, res.Out, err
		}
		// The tool has done its work: from here on nothing fails, for the model would
		// call it again.
		id := st.save(ctx, req, canonical(in, req), res.Data)
		if id == "" {
			return forModel(res.textFor(ctx, req), res.Out, pointer{Gone: true}), res.Out, nil
		}
		r := forModel(res.textFor(ctx, req), res.Out, pointer{Tool: twin.Name, ID: id})
		r.Content = append(r.Content, viewmark.Content(id))
		return r, res.Out, nil
	})
	addTwin(s, twin, func(ctx context.Context, req *mcp.CallToolRequest) (any, error) {
		return loadStored(ctx, st, in, req)
	})
}

// A pointer is the value of _meta under [metakey.ViewData]: the data, or where it is.
type pointer struct {
	Data json.RawMessage `json:"data,omitempty"`
	Tool string          `json:"tool,omitempty"`
	ID   string          `json:"id,omitempty"`
	Gone bool            `json:"gone,omitempty"`
}

// inline returns the pointer for data that the twin serves in any case.
func inline(twin string, data json.RawMessage, bound int) pointer {
	if len(data) <= bound {
		return pointer{Data: data}
	}
	return pointer{Tool: twin}
}

func inlineBytes(n int) int {
	if n == 0 {
		return defaultInline
	}
	return n
}

func encode(data any) (json.RawMessage, error) {
	b, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("the view's data can't be encoded as JSON: %w", err)
	}
	return b, nil
}

// canonical returns the input of a call, which the SDK has validated, in the form in
// which equal inputs are equal.
func canonical[In any](in *toolinput.Type[In], req *mcp.CallToolRequest) []byte {
	_, _, c, err := in.Decode(req.Params.Arguments)
	if err != nil {
		return nil
	}
	return c
}

func logger(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.Default()
	}
	return l
}

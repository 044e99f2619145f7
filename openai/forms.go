package openai

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Forms ask the user before a tool goes on, with the fields of OpenAI's extension in
// addition to those of MCP. A Forms may be used by any number of tools, concurrently.
//
// A form asks, it does not authorize, and it confirms nothing twice: a client may send the
// same answers as often as it likes until they expire, and each time the tool runs. For work
// that must be done at most once there are two ways. Forms ask in
// ChatGPT's own window, and package viewform confirms in a view and does the work once: a
// tool with Forms asks for what is missing and changes nothing, and the model passes the
// answers to the tool of the viewform.Form, whose Do can't use Ask. Or the work has a key of
// the author's own, such as the number of an order among the arguments, and is refused for a
// key for which it was done.
//
// Over HTTP the SDK serves protocol version 2026-07-28 only if StreamableHTTPOptions.Stateless
// is set. Without it no client gets a form over HTTP.
type Forms struct {
	key    []byte
	expiry time.Duration
}

// FormsOptions are the options of [NewForms].
type FormsOptions struct {
	// Key signs what clients keep between the rounds of a call, 32 random bytes for
	// example. All servers that answer one client need the same. If it is empty, it is
	// random: then no other process, and not this program after a restart, accepts the
	// answers.
	Key []byte
	// Expiry is how long a user may take for all forms of a call, 30 minutes if it is 0
	// or less.
	Expiry time.Duration
}

// minKey is the length in bytes of the shortest key.
const minKey = 16

// NewForms returns Forms. Opts may be nil. It panics if the key is not empty and has fewer
// than 16 bytes.
func NewForms(opts *FormsOptions) *Forms {
	f := &Forms{expiry: 30 * time.Minute}
	if opts != nil {
		f.key = slices.Clone(opts.Key)
		if opts.Expiry > 0 {
			f.expiry = opts.Expiry
		}
	}
	switch {
	case len(f.key) == 0:
		f.key = make([]byte, 32)
		rand.Read(f.key)
	case len(f.key) < minKey:
		panic(fmt.Sprintf("openai.NewForms: Key has %d bytes: use at least %d, 32 random ones for example", len(f.key), minKey))
	}
	return f
}

// maxAsked is how often one form is asked within a call if the answers do not fit it.
const maxAsked = 3

// Ask returns the user's answer to a form, or the result that the handler has to return
// instead. Names differ within a call. Answers to earlier forms of a call are kept in the
// state that the client sends back, so handlers ask one form after the other:
//
//	where, pending, err := forms.Ask(ctx, req, "where", &mcp.ElicitParams{Message: "…", RequestedSchema: …})
//	if pending != nil || err != nil {
//		return pending, nil, err
//	}
//
// The handler runs once for each form, from its beginning, so it changes nothing before
// its last form is answered. The same arguments lead to the same forms.
//
// # The form
//
// The message is required. The schema is any value that encodes as JSON: a map, a
// [github.com/google/jsonschema-go/jsonschema.Schema] with OpenAI's keys in Extra, or a
// json.RawMessage. Its properties are the fields: those of MCP, and pattern, free lists of
// strings, descriptions and thumbnails of choices, x-openai-suggestions and x-openai-input.
// A schema that ChatGPT would not draw is an error. The form is not changed.
//
// # The answer
//
// The action is "accept", "decline" or "cancel". The content of an accepted form has been
// checked against the schema, has no keys but the form's, and may lack those that are not
// required. An answer that does not fit is asked for again, with what is wrong added to the
// message. After three of them Ask returns an error, and the user may start again; where
// the SDK itself checks the answer, to MCP's own forms before protocol version 2026-07-28,
// the first one is an error. The answers to all forms of a call may have 16 KiB of JSON.
//
// # Who is asked
//
// From protocol version 2026-07-28 the pending result asks, and the client repeats the call
// with the answer. It is valid for the same user, tool and arguments until it expires. Over
// HTTP without a user it is not bound to anybody, so that a client that gets hold of
// another one's state can continue that call, with answers of its own. The state is signed
// and not encrypted: whoever has it can read the answers in it. Before that version Ask
// asks itself and returns the answer.
//
// Clients with the extension get the form (see [SupportsForms]). Clients that have MCP's
// own forms get it without descriptions and thumbnails of choices, suggestions and
// patterns; their answers are checked against the whole schema nevertheless. They don't get
// forms with free lists of strings or x-openai-input, nor, before protocol version
// 2025-11-25, with titled or several choices. In these cases, and for all other clients, the
// result is an error with a text that tells the model what to ask the user in the chat, and
// to call the tool again with the answers, so a tool that has to work with such clients takes
// them as optional arguments and asks only for what is missing.
//
// The SDK adds the zero value of a typed handler's output to that error, and some clients
// show the model nothing else: use any as the output type, return nil with pending, and set
// the tool's OutputSchema.
func (f *Forms) Ask(ctx context.Context, req *mcp.CallToolRequest, name string, form *mcp.ElicitParams) (answer *mcp.ElicitResult, pending *mcp.CallToolResult, err error) {
	q, err := newQuestion(name, form)
	if err != nil {
		return nil, nil, fmt.Errorf("openai: form %s: %w", text.Quote(name), err)
	}
	w := wayTo(req)
	switch {
	case w.extended:
		q.params = q.extended()
	case w.plain:
		q.params = q.plain(w.version)
	}
	if q.params == nil {
		return nil, q.inText(), nil
	}
	if w.rounds {
		answer, pending, err = f.nextRound(ctx, req, q)
	} else {
		answer, err = q.elicit(ctx, req.Session)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("openai: form %s: %w", text.Quote(name), err)
	}
	return answer, pending, nil
}

// SupportsForms reports whether [Forms.Ask] can ask the client that sent a request with all
// fields of OpenAI's extension: the client declares the extension beside MCP's own forms,
// and uses protocol version 2026-07-28, or an older one through [LegacyForms].
func SupportsForms(_ context.Context, req *mcp.CallToolRequest) bool { return wayTo(req).extended }

// nextRound returns the answer to a form if this round of the call has it, or else the
// result that asks for it.
func (f *Forms) nextRound(ctx context.Context, req *mcp.CallToolRequest, q *question) (*mcp.ElicitResult, *mcp.CallToolResult, error) {
	state, err := f.open(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	asked := 0
	if state.Form == q.name {
		asked = state.Asked
	}
	if given, ok := state.Answers[q.name]; ok {
		answer, faults, err := q.check(given)
		if err != nil || answer != nil {
			return answer, nil, err
		}
		if asked >= maxAsked {
			return nil, nil, faultsError(faults)
		}
		delete(state.Answers, q.name)
		q.params.Message = q.corrected(faults)
	}
	state.Form, state.Asked = q.name, asked+1
	sealed, err := f.seal(ctx, req, state)
	if err != nil {
		return nil, nil, err
	}
	return nil, &mcp.CallToolResult{
		Content:       []mcp.Content{}, // nil would be null
		InputRequests: mcp.InputRequestMap{q.name: q.params},
		RequestState:  sealed,
	}, nil
}

// Package viewform shows a form before a tool does what the model asks for, and does
// it once, when the user submits the form.
//
// [Register] adds two tools. The model calls the first one, which opens a view with the
// arguments and changes nothing. The view shows them in a form and calls the second
// one, whose name ends in _submit, with the values that the user has left in it. The
// work is done by [Form].Do, at most once for each form, however often and on however
// many servers it is submitted, and everyone who asks gets the same outcome. In the view,
// the function form of the module mcp-app/data does the calling.
//
// Clients that declare no support of views have the work done at once, as an
// ordinary tool does it, unless [Form].Direct says otherwise. Clients whose support is
// unknown get the form with a text that tells the model how to go on if no form is shown:
// ask the user, then call again with the key of the form.
//
// # What is answered
//
// The first answer of the model's tool is a text that says that nothing is done yet. It has
// no structured content; the outcome has, if the output is an object. The key of the form
// is in _meta and, for hosts that drop it, in a text block of its own, {"$view":"KEY"},
// which views read. Texts of the author that have such a line get a space in it.
//
// A host that opens a chat again and sends neither _meta nor text to the view has lost the
// key. The view then shows that the form is gone, although the store still has it, and the
// user asks for a new one. A new form is never submitted in place of a lost one.
//
// # What a form protects
//
// A form asks the user, it does not authorize. Some hosts show the model the tools that
// are for views only, so a model can submit a form. What guards a
// destructive tool is the approval that hosts ask for. Both tools therefore have the
// annotations of the author's tool, unchanged.
//
// The key of a form is in the text of the result, where the model reads it. It is the
// name of the form, and the right to use it is the user's: the form of another user does
// not exist (see [viewstate.KeyFor]). Over HTTP without a user, whoever knows the key can
// submit the form and read its outcome.
package viewform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Form is what a tool does after its form is submitted. Its fields are not changed
// after [Register].
type Form[In, Out any] struct {
	// Do does the work. It gets the values that the user submitted, validated against
	// the input schema of the tool, and a request with the name of the tool and these
	// values as arguments. It is required, and is called concurrently for different
	// forms.
	//
	// Its context is not canceled when the caller goes away, since the user has
	// decided. It ends after Timeout.
	//
	// If Do returns an error, or a result with IsError, the form is open again and shows
	// it, so Do must then have changed nothing. After a panic, and after an error that
	// Do returns when its context has ended, whether the work was done is unknown: the
	// form says so and is never submitted again. Panics are logged. The same holds if Do
	// ends its goroutine (runtime.Goexit). A call that is done at once is an ordinary
	// call of a tool instead: neither Timeout nor what is said here about panics applies.
	//
	// The text of the result says what was done, in one or two sentences: the view shows
	// it to the user, and the model gets it when it asks for the outcome. Without a text
	// the model gets the output as JSON.
	//
	// What is kept of a result is its text, of at most 32 KiB, and the output, of at most
	// 48 KiB of JSON. Longer text is shortened, as is text of which so much has to be
	// escaped that the view's answer would have more than 150,000 bytes, about what hosts
	// pass on. A larger output is left out, and the text says so. A result that asks the
	// client for input (InputRequests) is an error, except where the work is done at once.
	Do mcp.ToolHandlerFor[In, Out]
	// Prepare returns what the view shows beside the arguments, for example what the
	// work would change; nil for nothing. It may be nil. It is called once for each
	// form, before the form opens, with a request like that of Do, and must change nothing.
	// It is not called if the work is done at once.
	//
	// The data is kept with the form, and the view gets it as JSON while the form is open,
	// also after a submission that failed, whatever the host drops. It may have 64 KiB.
	// After an error, and with more data, no form opens, and the model gets the error.
	Prepare func(ctx context.Context, req *mcp.CallToolRequest, in In) (data any, err error)
	// Direct reports whether a call of the model's is done at once, without a form, for
	// example because its user has turned confirmation off. It alone decides. If it is
	// nil, clients that declare no support of views have it done at once, those for which
	// [mcpapps.ClientSupport] returns [mcpapps.SupportNone]. If it returns false for such a
	// client, the model is told to ask the user and to call again with a key, which does
	// the work. It is not asked about calls from views (see [CalledByView]), which never
	// do the work by the model's tool.
	Direct func(ctx context.Context, req *mcp.CallToolRequest) bool
	// Store keeps the state of each form, from when it opens until the store removes it;
	// then it is gone and can't be submitted. It is required. All servers that answer
	// one client need a common store: [viewstate.Memory] suits a single process, and
	// forgets all forms when it ends.
	Store viewstate.Store
	// Timeout is how long the work may take, one minute if it is 0 or less, and at most a
	// day. Whether work that has not ended half a minute later was done is unknown.
	Timeout time.Duration
	// Logger receives panics of Do and errors of the store, which clients are not told. The
	// default is slog.Default().
	Logger *slog.Logger
}

// maxTimeout bounds Form.Timeout.
const maxTimeout = 24 * time.Hour

// Register adds a tool that opens a view, and the tool NAME_submit, which only views
// are meant to call. The input schema of t, inferred from In if it is nil, gets the
// optional property "confirm", with which the model asks for the outcome of a form.
// The title and the annotations of t are those of both tools.
//
// It panics where [mcpapps.RegisterRawAppTool] and [mcpapps.RegisterAppResource] do, if
// Do or Store is nil, if t has an output schema, and if the input has a property
// "confirm".
func Register[In, Out any](s *mcp.Server, t *mcp.Tool, v mcpapps.View, f Form[In, Out]) {
	const call = "viewform.Register"
	if s == nil {
		panic(call + ": the server is nil")
	}
	if t == nil {
		panic(call + ": the tool is nil")
	}
	fail := func(err error) { panic(fmt.Sprintf("%s: tool %q: %v", call, t.Name, err)) }
	if err := v.Validate(); err != nil {
		fail(err)
	}
	switch {
	case f.Do == nil:
		fail(errors.New("Form.Do is nil"))
	case f.Store == nil:
		fail(errors.New("Form.Store is nil: viewstate.NewMemory makes one for a single process"))
	case t.OutputSchema != nil:
		fail(errors.New("OutputSchema is set: leave it out, since the tool answers with a form first"))
	}
	in, err := toolinput.For[In](t.InputSchema)
	if err != nil {
		fail(err)
	}
	schema, err := in.Schema(map[string]*jsonschema.Schema{argConfirm: {
		Type:        "string",
		Description: "The key of a form that an earlier call opened, to learn its outcome. Leave it out in a first call.",
	}})
	if err != nil {
		fail(err)
	}
	name := t.Name
	o := &forms{
		name: name, submitName: name + "_submit",
		store: f.Store, timeout: f.Timeout, log: f.Logger, direct: f.Direct,
		decode: func(arguments json.RawMessage) (calls, error) {
			// A view may submit all arguments of a call that had a key.
			in, _, canonical, err := in.Decode(arguments, argConfirm)
			if err != nil {
				return calls{}, err
			}
			asCall := func(req *mcp.CallToolRequest) *mcp.CallToolRequest {
				r, p := *req, *req.Params
				p.Name, p.Arguments = name, canonical
				r.Params = &p
				return &r
			}
			c := calls{do: func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, any, error) {
				res, out, err := f.Do(ctx, asCall(req), in)
				return res, out, err
			}}
			if f.Prepare != nil {
				c.prepare = func(ctx context.Context, req *mcp.CallToolRequest) (any, error) {
					return f.Prepare(ctx, asCall(req), in)
				}
			}
			return c, nil
		},
	}
	if o.timeout <= 0 {
		o.timeout = time.Minute
	}
	o.timeout = min(o.timeout, maxTimeout)
	if o.log == nil {
		o.log = slog.Default()
	}
	tt := *t
	tt.InputSchema = schema
	mcpapps.RegisterRawAppTool(s, &tt, mcpapps.ToolUIMetadata{ResourceURI: v.Resource.URI}, o.call)
	mcpapps.RegisterRawAppTool(s, submitTool(t, o.submitName), mcpapps.AppOnly(""), o.submitted)
	mcpapps.RegisterAppResource(s, &v.Resource, v.UI, v.Document)
}

// submitTool returns the tool that the view of a tool calls. It lacks the
// author's _meta, which is about the model's tool.
func submitTool(t *mcp.Tool, name string) *mcp.Tool {
	return &mcp.Tool{
		Name: name, Title: t.Title, Annotations: t.Annotations,
		Description: "Submits the form that " + t.Name + " opens, when the user does so in its view.",
		InputSchema: &jsonschema.Schema{
			Type: "object",
			Properties: map[string]*jsonschema.Schema{
				argConfirm: {Type: "string", Description: "The key of the form."},
				// Its own schema may have references, which are relative to the root.
				argValues: {Type: "object", Description: "The arguments of " + t.Name + " as the user submits them. Without them the state of the form is answered."},
			},
			PropertyOrder:        []string{argConfirm, argValues},
			Required:             []string{argConfirm},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		},
	}
}

// CalledByView reports whether a view says that it has sent a request: the functions of
// the module mcp-app/data mark the calls that they make. It is the view's own word, which
// any client can give, so it must not authorize anything. False means that this is not
// known, not that the model has called. Some hosts show the model the tools that are
// for views only.
func CalledByView(req *mcp.CallToolRequest) bool {
	return req != nil && req.Params != nil && req.Params.Meta[metakey.Caller] == "app"
}

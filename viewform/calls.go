package viewform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The arguments of the two tools that are not the author's.
const (
	argConfirm = "confirm" // the key of a form, of both
	argValues  = "values"  // what the user submits
)

// work is a call of Form.Do with its input.
type work func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, any, error)

// calls are the author's functions with an input.
type calls struct {
	do      work
	prepare func(context.Context, *mcp.CallToolRequest) (any, error) // nil if Form.Prepare is
}

// forms is a registered Form without its types.
type forms struct {
	name, submitName string
	store            viewstate.Store
	timeout          time.Duration
	log              *slog.Logger
	direct           func(context.Context, *mcp.CallToolRequest) bool // may be nil
	decode           func(arguments json.RawMessage) (calls, error)   // the error is for the caller
}

// call answers the model's tool.
func (f *forms) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, err := toolinput.Members(req.Params.Arguments)
	if err != nil {
		return invalid(err), nil
	}
	key, err := stringMember(args, argConfirm)
	if err != nil {
		return invalid(err), nil
	}
	support := mcpapps.ClientSupport(ctx, req)
	byView := CalledByView(req)
	atOnce := !byView && f.isDirect(ctx, req, support)
	with, err := f.decode(req.Params.Arguments)
	if key != "" {
		a := asked{support: support, key: key}
		if atOnce || !byView && support != mcpapps.SupportUI {
			a.do, a.invalid = with.do, err
		}
		return f.confirm(ctx, req, a)
	}
	switch {
	case err != nil:
		return invalid(err), nil
	case atOnce:
		return f.doAtOnce(ctx, req, support, with.do)
	}
	first := record{answer: answer{State: open}}
	if with.prepare != nil {
		data, err := with.prepare(ctx, req)
		if err == nil {
			first.Data, err = prepared(data)
		}
		if err != nil {
			return failed(err)
		}
	}
	key = viewstate.New()
	if _, err := f.put(ctx, f.id(ctx, req, key), first, 0); err != nil {
		return f.storeFailed(ctx, err), nil
	}
	switch {
	case byView:
		return f.opened(key, f.opening(mcpapps.SupportUI, key)), nil
	case support == mcpapps.SupportNone:
		return textResult(f.opening(support, key)), nil
	default:
		return f.opened(key, f.opening(support, key)), nil
	}
}

// isDirect reports whether a call of the model's is done at once.
func (f *forms) isDirect(ctx context.Context, req *mcp.CallToolRequest, support mcpapps.Support) bool {
	if f.direct != nil {
		return f.direct(ctx, req)
	}
	return support == mcpapps.SupportNone
}

// asked is a call of the model's tool with the key of a form.
type asked struct {
	support mcpapps.Support
	key     string
	do      work  // nil if the caller may not have the work done
	invalid error // or why its arguments can't be used
}

// confirm answers with the outcome of a form, and does its work if the caller may.
func (f *forms) confirm(ctx context.Context, req *mcp.CallToolRequest, a asked) (*mcp.CallToolResult, error) {
	k, err := f.load(ctx, req, a.key)
	if err != nil {
		return f.storeFailed(ctx, err), nil
	}
	attempt := k.State == open && (a.do != nil || a.invalid != nil)
	switch {
	case attempt && a.invalid != nil:
		return invalid(a.invalid), nil
	case attempt:
		k, err = f.claim(ctx, req, k, a.do)
	default:
		k, err = f.wait(ctx, k)
	}
	if err != nil {
		return f.storeFailed(ctx, err), nil
	}
	if attempt && k.State == open {
		return invalid(errors.New(k.Error + "\nTo try again, call " + f.name + " again with confirm: " + a.key)), nil
	}
	said := f.told(k, a.key)
	var res *mcp.CallToolResult
	if a.support == mcpapps.SupportNone || k.State == gone {
		res = textResult(said)
	} else {
		res = f.opened(a.key, said)
	}
	if isObject(k.Value) {
		res.StructuredContent = k.Value
	}
	return res, nil
}

// submitted answers the tool of the view.
func (f *forms) submitted(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, err := toolinput.Members(req.Params.Arguments)
	if err != nil {
		return invalid(err), nil
	}
	values, submits := args[argValues]
	key, err := stringMember(args, argConfirm)
	delete(args, argConfirm)
	delete(args, argValues)
	switch {
	case err != nil:
		return invalid(err), nil
	case len(args) > 0:
		return invalid(fmt.Errorf("the arguments have other members than %q and %q", argConfirm, argValues)), nil
	case key == "":
		return invalid(errors.New("confirm is missing: it is the key of the form")), nil
	}
	var do work
	if submits {
		if !isObject(values) {
			return invalid(errors.New("values is not an object")), nil
		}
		with, err := f.decode(values)
		if err != nil {
			return invalid(err), nil
		}
		do = with.do
	}
	k, err := f.load(ctx, req, key)
	if err == nil && submits {
		k, err = f.claim(ctx, req, k, do)
	}
	if err != nil {
		return f.storeFailed(ctx, err), nil
	}
	return textResult(k.encoded()), nil
}

// stringMember returns a string, "" if the member is absent or null: models write null
// for what they leave out.
func stringMember(m map[string]json.RawMessage, name string) (string, error) {
	v, ok := m[name]
	if !ok {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return "", fmt.Errorf("%s is %s, which is not a string", name, text.JSON(v))
	}
	return s, nil
}

func isObject(data json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
}

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A question is one form of a call. It shares nothing with what the author passed.
type question struct {
	name    string
	message string
	meta    mcp.Meta
	raw     json.RawMessage // the schema, with its keys in the author's order
	schema  any             // the same, decoded
	params  *mcp.ElicitParams
}

// maxFormName bounds the name of a form, in bytes.
const maxFormName = 100

func newQuestion(name string, form *mcp.ElicitParams) (*question, error) {
	switch {
	case name == "" || len(name) > maxFormName:
		return nil, fmt.Errorf("the name has %d bytes: use 1 to %d", len(name), maxFormName)
	case !utf8.ValidString(name):
		return nil, errors.New("the name is not valid UTF-8: use letters and digits")
	case form == nil:
		return nil, errors.New("the form is nil: set at least Message and RequestedSchema")
	case form.Mode != "" && form.Mode != "form" || form.URL != "":
		return nil, fmt.Errorf("the mode is %s, with the URL %s: leave out Mode and URL", text.Quote(form.Mode), text.Quote(form.URL))
	case strings.TrimSpace(form.Message) == "":
		return nil, errors.New("the Message is empty: say what the user is asked")
	}
	raw, err := json.Marshal(form.RequestedSchema)
	if err != nil {
		return nil, fmt.Errorf("RequestedSchema can't be encoded: %w", err)
	}
	schema, err := jsonvalue.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("RequestedSchema is not JSON: %w", err)
	}
	if problems := openairules.Form(schema); len(problems) > 0 {
		return nil, fmt.Errorf("RequestedSchema: %w", problems[0])
	}
	meta, _ := jsonvalue.Clone(map[string]any(form.Meta)).(map[string]any)
	return &question{name: name, message: form.Message, meta: meta, raw: raw, schema: schema}, nil
}

// noFields is the schema of MCP's that stands beside that of the extension.
var noFields = json.RawMessage(`{"type":"object","properties":{}}`)

// extended returns the form with the fields of OpenAI's extension.
func (q *question) extended() *mcp.ElicitParams {
	meta := maps.Clone(q.meta)
	if meta == nil {
		meta = make(mcp.Meta)
	}
	meta[metakey.OpenAIElicitation] = map[string]any{"requestedSchema": q.raw}
	return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: q.message, RequestedSchema: noFields}
}

// plain returns the form as one of MCP's own, for a client of a protocol version, or nil if
// that has not all of its fields. The answer is checked against the whole schema.
func (q *question) plain(version string) *mcp.ElicitParams {
	schema, since := openairules.PlainForm(q.raw)
	if since == "" || since > version {
		return nil
	}
	meta := maps.Clone(q.meta)
	delete(meta, metakey.OpenAIElicitation)
	return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: q.message, RequestedSchema: schema}
}

// given is an answer as the client sent it.
type given struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

// check returns the answer to the form, or nil and what is wrong with it. The answer shares
// nothing with g.
func (q *question) check(g given) (*mcp.ElicitResult, []openairules.Problem, error) {
	switch g.Action {
	case "decline", "cancel":
		return &mcp.ElicitResult{Action: g.Action}, nil, nil
	case "accept":
	default:
		return nil, nil, fmt.Errorf(`the client answered %s: it has to be "accept", "decline" or "cancel"`, text.Quote(g.Action))
	}
	if data, err := json.Marshal(g.Content); err != nil || len(data) > maxAnswers {
		return nil, nil, tooLong(len(data))
	}
	if problems := openairules.FormAnswer(q.schema, g.Content); len(problems) > 0 {
		return nil, problems, nil
	}
	root, _ := q.schema.(map[string]any)
	fields, _ := root["properties"].(map[string]any)
	content := make(map[string]any)
	for name := range fields {
		if v, ok := g.Content[name]; ok {
			content[name] = jsonvalue.Clone(v)
		}
	}
	return &mcp.ElicitResult{Action: g.Action, Content: content}, nil, nil
}

// maxFaults bounds how many faults of an answer the user reads.
const maxFaults = 5

// corrected returns the message with what was wrong with the answer.
func (q *question) corrected(faults []openairules.Problem) string {
	return q.message + "\n\nPlease correct this: " + faultList(faults, func(p openairules.Problem) string { return p.Text }) + "."
}

func faultList(faults []openairules.Problem, say func(openairules.Problem) string) string {
	var list []string
	for _, p := range faults[:min(len(faults), maxFaults)] {
		list = append(list, say(p))
	}
	return strings.Join(list, "; ")
}

// faultsError has the rules alone: the model reads it, and the values were the user's.
func faultsError(faults []openairules.Problem) error {
	rules := faultList(faults, func(p openairules.Problem) string { return p.Rule })
	return fmt.Errorf("no answer fitted it, and it was asked %d times (%s): call the tool again to start again", maxAsked, rules)
}

// elicit asks a client of a protocol version that lets servers send requests.
func (q *question) elicit(ctx context.Context, ss *mcp.ServerSession) (*mcp.ElicitResult, error) {
	for asked := 1; ; asked++ {
		params := *q.params
		res, err := ss.Elicit(ctx, &params)
		if err != nil {
			return nil, elicitError(ctx, err)
		}
		answer, faults, err := q.check(given{res.Action, res.Content})
		switch {
		case err != nil || answer != nil:
			return answer, err
		case asked >= maxAsked:
			return nil, faultsError(faults)
		}
		q.params.Message = q.corrected(faults)
	}
}

// elicitError returns what happened without the text of the error, in which the SDK, and the
// client, may repeat what the user entered.
func elicitError(ctx context.Context, err error) error {
	var wire *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the user did not answer in time: %w", ctx.Err())
	case errors.As(err, &wire):
		return fmt.Errorf("the client answered with error %d: call the tool again to start again", wire.Code)
	}
	return errors.New("the client's answer does not fit the form, or none came: call the tool again to start again")
}

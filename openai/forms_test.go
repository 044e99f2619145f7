package openai_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

const (
	// extendedCaps is what a client declares that shows forms with the extension's fields.
	extendedCaps = `{"elicitation":{"form":{}},"extensions":{"openai/elicitation":{"form":{}}}}`
	formCaps     = `{"elicitation":{"form":{}}}`

	whereSchema = `{"type":"object","required":["n"],"properties":{"n":{"type":"string","title":"Note","oneOf":[{"const":"7","title":"Groceries","description":"3 lines"}]}}}`
	tagsSchema  = `{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string","maxLength":10}}}}`
	plainSchema = `{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":1}}}`
)

var formKey = []byte("0123456789abcdef0123456789abcdef")

func formServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
}

// addMove adds a tool that asks two forms and says what was answered.
func addMove(s *mcp.Server, forms *openai.Forms, name string, schemas ...string) {
	mcp.AddTool(s, &mcp.Tool{Name: name}, func(ctx context.Context, req *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, any, error) {
		var said []string
		for i, schema := range schemas {
			answer, pending, err := forms.Ask(ctx, req, fmt.Sprintf("form%d", i+1), &mcp.ElicitParams{
				Message: fmt.Sprintf("Question %d?", i+1), RequestedSchema: json.RawMessage(schema),
			})
			if pending != nil || err != nil {
				return pending, nil, err
			}
			content, err := json.Marshal(answer.Content)
			if err != nil {
				return nil, nil, err
			}
			said = append(said, answer.Action+string(content))
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(said, " ")}}}, nil, nil
	})
}

// A round is what a result of a call asks, or says.
type round struct {
	ResultType    string
	RequestState  string
	InputRequests map[string]struct {
		Method string
		Params struct{ Message string }
	}
	Content []struct{ Text string }
	IsError bool
}

func (r round) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// message returns what one form asks.
func (r round) message(form string) string { return r.InputRequests[form].Params.Message }

func readRound(t testing.TB, result string) (r round) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(result), &r), result)
	return r
}

// answerForms calls a tool with answers, by the names of their forms.
func answerForms(t testing.TB, c *rawclient.Client, tool, arguments, state, responses string) round {
	t.Helper()
	return readRound(t, c.Result(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"requestState":%q,"inputResponses":%s}`, tool, arguments, state, responses)))
}

// TestForms: what is on the wire, over each transport and in both eras. An older client
// gets the extension's fields over no transport here: see TestLegacyForms.
func TestForms(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(&openai.FormsOptions{Key: formKey}), "move", whereSchema, tagsSchema)
	addMove(s, openai.NewForms(nil), "tag", tagsSchema)
	rawclient.Each(t, s, rawclient.Config{Capabilities: extendedCaps}, func(t *testing.T, c *rawclient.Client) {
		if c.Version < rawclient.Modern {
			assert.Contains(t, readRound(t, c.Call(t, "tag", `{}`)).text(), "this client does not show this form")
			return
		}
		first := c.Call(t, "move", `{"b":1,"a":[2.0]}`)
		r := readRound(t, first)
		assert.Equal(t, "input_required", r.ResultType)
		assert.JSONEq(t, `{"form1":{"method":"elicitation/create","params":{"mode":"form","message":"Question 1?",
			"requestedSchema":{"type":"object","properties":{}},
			"_meta":{"openai/elicitation":{"requestedSchema":`+whereSchema+`}}}}}`, memberOf(t, first, "inputRequests"))
		assert.Equal(t, "[]", memberOf(t, first, "content"), "not null")

		// The same call, written in another way.
		r = answerForms(t, c, "move", `{"a": [2], "b": 1}`, r.RequestState, `{"form1":{"action":"accept","content":{"n":"7","more":1}}}`)
		assert.Equal(t, "Question 2?", r.message("form2"))
		assert.Len(t, r.InputRequests, 1)
		r = answerForms(t, c, "move", `{"a":[2],"b":1}`, r.RequestState, `{"form2":{"action":"decline","content":{"tags":["a"]}}}`)
		assert.Equal(t, `accept{"n":"7"} declinenull`, r.text(), "no keys but the form's, and none if it was declined")
	})
}

func memberOf(t testing.TB, object, name string) string {
	t.Helper()
	var m map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(object), &m), object)
	return string(m[name])
}

// TestFormsOfMCP: clients with MCP's own forms get those that need nothing else.
func TestFormsOfMCP(t *testing.T) {
	s := formServer()
	forms := openai.NewForms(nil)
	addMove(s, forms, "plain", plainSchema)
	addMove(s, forms, "titled", `{"type":"object","properties":{"n":{"type":"string","oneOf":[{"const":"7","title":"Groceries"}]}}}`)
	addMove(s, forms, "extended", tagsSchema)
	var mu sync.Mutex
	var asked []string
	answer := func(method string, params json.RawMessage) string {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, method+" "+string(params))
		return `{"action":"accept","content":{"n":2}}`
	}
	for _, capabilities := range []string{formCaps, `{"elicitation":{}}`} {
		rawclient.Each(t, s, rawclient.Config{Capabilities: capabilities, Answer: answer}, func(t *testing.T, c *rawclient.Client) {
			mu.Lock()
			asked = nil
			mu.Unlock()
			result := c.Call(t, "plain", `{}`)
			want := `{"mode":"form","message":"Question 1?","requestedSchema":` + plainSchema + `}`
			switch {
			case c.Version >= rawclient.Modern:
				assert.JSONEq(t, `{"form1":{"method":"elicitation/create","params":`+want+`}}`, memberOf(t, result, "inputRequests"))
				r := answerForms(t, c, "plain", `{}`, readRound(t, result).RequestState, `{"form1":{"action":"accept","content":{"n":2.0}}}`)
				assert.Equal(t, `accept{"n":2}`, r.text())
			case strings.Contains(t.Name(), "stateless"): // nothing is known of the client
				assert.Contains(t, readRound(t, result).text(), "does not show this form")
			default:
				assert.Equal(t, `accept{"n":2}`, readRound(t, result).text())
				require.Len(t, asked, 1)
				method, params, _ := strings.Cut(asked[0], " ")
				assert.Equal(t, "elicitation/create", method)
				assert.JSONEq(t, want, params)
			}
			assert.Contains(t, readRound(t, c.Call(t, "extended", `{}`)).text(), "does not show this form")
		})
	}
	c := rawclient.Memory(t, s, rawclient.Config{Version: "2025-06-18", Capabilities: formCaps, Answer: answer})
	assert.Contains(t, readRound(t, c.Call(t, "titled", `{}`)).text(), "does not show this form", "the version has no titled choices")
	assert.Equal(t, `accept{"n":2}`, readRound(t, c.Call(t, "plain", `{}`)).text())
}

// TestFormsWithoutOrnaments: clients with MCP's own forms get a form without what they do not
// draw, and the whole schema judges their answer.
func TestFormsWithoutOrnaments(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", `{"type":"object","required":["n"],"properties":{
		"n":{"type":"string","pattern":"^[a-z]+$","x-openai-suggestions":[{"const":"a","title":"A"}]},
		"in":{"type":"string","oneOf":[{"const":"7","title":"Groceries","description":"3 lines","x-openai-thumbnail":{"src":"https://e.example/a.png"}}]}}}`)
	const plain = `"requestedSchema":{"type":"object","required":["n"],"properties":{"n":{"type":"string"},"in":{"type":"string","oneOf":[{"const":"7","title":"Groceries"}]}}}`
	const corrected = `Question 1?\n\nPlease correct this: \"n\" must be as \"^[a-z]+$\", not \"A1\".`

	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: formCaps})
	first := c.Call(t, "move", `{}`)
	assert.JSONEq(t, `{"form1":{"method":"elicitation/create","params":{"mode":"form","message":"Question 1?",`+plain+`}}}`, memberOf(t, first, "inputRequests"))
	second := answerForms(t, c, "move", `{}`, readRound(t, first).RequestState, `{"form1":{"action":"accept","content":{"n":"A1"}}}`)
	var message string
	require.NoError(t, json.Unmarshal([]byte(`"`+corrected+`"`), &message))
	assert.Equal(t, message, second.message("form1"))
	last := answerForms(t, c, "move", `{}`, second.RequestState, `{"form1":{"action":"accept","content":{"n":"a","in":"7"}}}`)
	assert.Equal(t, `accept{"in":"7","n":"a"}`, last.text())

	var asked []string
	c = rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Older, Capabilities: formCaps, Answer: func(method string, params json.RawMessage) string {
		asked = append(asked, string(params))
		return fmt.Sprintf(`{"action":"accept","content":{"n":%q}}`, []string{"A1", "a"}[len(asked)-1])
	}})
	assert.Equal(t, `accept{"n":"a"}`, readRound(t, c.Call(t, "move", `{}`)).text())
	require.Len(t, asked, 2)
	assert.JSONEq(t, `{"mode":"form","message":"Question 1?",`+plain+`}`, asked[0])
	assert.JSONEq(t, `{"mode":"form","message":"`+corrected+`",`+plain+`}`, asked[1])
}

// TestFormsSupport: the extension counts beside MCP's own forms only, and as objects.
func TestFormsSupport(t *testing.T) {
	s := formServer()
	mcp.AddTool(s, &mcp.Tool{Name: "supports"}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(openai.SupportsForms(ctx, req))}}}, nil, nil
	})
	for capabilities, want := range map[string]string{
		extendedCaps: "true",
		`{"elicitation":{"form":{},"url":{}},"extensions":{"openai/elicitation":{"form":{"x":1}}}}`: "true",
		formCaps: "false",
		`{}`:     "false",
		`{"extensions":{"openai/elicitation":{"form":{}}}}`:                             "false",
		`{"elicitation":{},"extensions":{"openai/elicitation":{"form":{}}}}`:            "false",
		`{"elicitation":{"url":{}},"extensions":{"openai/elicitation":{"form":{}}}}`:    "false",
		`{"elicitation":{"form":{}},"extensions":{"openai/elicitation":{}}}`:            "false",
		`{"elicitation":{"form":{}},"extensions":{"openai/elicitation":{"form":null}}}`: "false",
		`{"elicitation":{"form":{}},"extensions":{"openai/elicitation":{"form":true}}}`: "false",
		`{"elicitation":{"form":{}},"extensions":{"openai/elicitation":{"form":[{}]}}}`: "false",
		`{"elicitation":{"form":{}},"extensions":{"openai/elicitation":"form"}}`:        "false",
		`{"elicitation":{"form":{}},"experimental":{"openai/elicitation":{"form":{}}}}`: "false",
		`{"elicitation":{"form":null},"extensions":{"openai/elicitation":{"form":{}}}}`: "false",
	} {
		c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: capabilities})
		assert.Equal(t, want, readRound(t, c.Call(t, "supports", `{}`)).text(), capabilities)
	}
	assert.False(t, openai.SupportsForms(t.Context(), nil))
	assert.False(t, openai.SupportsForms(t.Context(), &mcp.CallToolRequest{}))
}

// TestFormsCorrected: an answer that does not fit is asked for again, three times in all.
func TestFormsCorrected(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", whereSchema)
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	r := readRound(t, c.Call(t, "move", `{}`))
	for _, wrong := range []string{`{"n":"8"}`, `{}`} {
		r = answerForms(t, c, "move", `{}`, r.RequestState, `{"form1":{"action":"accept","content":`+wrong+`}}`)
		require.Len(t, r.InputRequests, 1)
	}
	assert.Equal(t, "Question 1?\n\nPlease correct this: \"Note\" is missing.", r.message("form1"))
	same := answerForms(t, c, "move", `{}`, r.RequestState, `{}`)
	assert.Equal(t, "Question 1?", same.message("form1"), "without an answer nothing is wrong")
	fits := answerForms(t, c, "move", `{}`, r.RequestState, `{"form1":{"action":"accept","content":{"n":"7"}}}`)
	assert.Equal(t, `accept{"n":"7"}`, fits.text())
	r = answerForms(t, c, "move", `{}`, r.RequestState, `{"form1":{"action":"accept","content":{"n":"9"}}}`)
	assert.True(t, r.IsError)
	assert.Equal(t, `openai: form "form1": no answer fitted it, and it was asked 3 times ("Note" must be one of the choices): call the tool again to start again`, r.text())
}

// TestFormsHideAnswers: the model, which reads the errors, does not read what the user
// entered, whoever checked it.
func TestFormsHideAnswers(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "pin", `{"type":"object","properties":{"pin":{"type":"string","title":"PIN","maxLength":4}}}`)
	addMove(s, openai.NewForms(nil), "iban", `{"type":"object","properties":{"pin":{"type":"string","title":"IBAN","pattern":"^DE[0-9]{20}$"}}}`)
	const answer = `{"action":"accept","content":{"pin":"DE12 secret account"}}`
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	for tool, rule := range map[string]string{"pin": `"PIN" must have at most 4 characters`, "iban": `"IBAN" must be as "^DE[0-9]{20}$"`} {
		r := readRound(t, c.Call(t, tool, `{}`))
		for range 3 {
			r = answerForms(t, c, tool, `{}`, r.RequestState, `{"form1":`+answer+`}`)
		}
		assert.Equal(t, `openai: form "form1": no answer fitted it, and it was asked 3 times (`+rule+`): call the tool again to start again`, r.text())
	}
	older := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Older, Capabilities: formCaps, Answer: func(string, json.RawMessage) string { return answer }})
	assert.Equal(t, `openai: form "form1": the client's answer does not fit the form, or none came: call the tool again to start again`,
		readRound(t, older.Call(t, "pin", `{}`)).text(), "the SDK's own check")
}

// TestFormsState: a state continues the call that it was made for, and nothing else.
func TestFormsState(t *testing.T) {
	s := formServer()
	forms := openai.NewForms(&openai.FormsOptions{Key: formKey})
	addMove(s, forms, "move", whereSchema, tagsSchema)
	addMove(s, forms, "copy", whereSchema, tagsSchema)
	addMove(s, openai.NewForms(nil), "other", whereSchema)
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	const answer = `{"form1":{"action":"accept","content":{"n":"7"}}}`
	first := readRound(t, c.Call(t, "move", `{"secret":"s3"}`)).RequestState
	second := answerForms(t, c, "move", `{"secret":"s3"}`, first, answer).RequestState
	require.NotEmpty(t, second)

	raw, err := base64.RawURLEncoding.DecodeString(first)
	require.NoError(t, err)
	forged := append([]byte(nil), raw...)
	forged[len(forged)-2] ^= 1
	payload := []byte(`{"expires":99999999999,"form":"form1","asked":1}`)
	for name, state := range map[string]string{
		"another byte":          base64.RawURLEncoding.EncodeToString(forged),
		"cut":                   first[:len(first)-4],
		"cut to the code":       base64.RawURLEncoding.EncodeToString(raw[:32]),
		"longer":                first + "AAAA",
		"with padding":          first + "=",
		"two":                   first + second,
		"no base64":             "{}",
		"without a code":        base64.RawURLEncoding.EncodeToString(append(make([]byte, 32), payload...)),
		"very long":             strings.Repeat("A", 1<<20),
		"for another tool":      readRound(t, c.Call(t, "copy", `{"secret":"s3"}`)).RequestState,
		"with other arguments":  readRound(t, c.Call(t, "move", `{"secret":"s4"}`)).RequestState,
		"without its arguments": readRound(t, c.Call(t, "move", `{}`)).RequestState,
		"signed by another key": readRound(t, c.Call(t, "other", `{"secret":"s3"}`)).RequestState,
	} {
		r := answerForms(t, c, "move", `{"secret":"s3"}`, state, answer)
		assert.True(t, r.IsError, name)
		assert.Equal(t, `openai: form "form1": the state of the call is not valid, or not valid any more: call the tool again, without requestState and inputResponses, to start again`, r.text(), name)
	}

	assert.True(t, answerForms(t, c, "move", `{"secret":"s3"}`, first, `{"form2":{"action":"accept","content":{}}}`).IsError, "the answer is to another form")
	assert.True(t, answerForms(t, c, "move", `{"secret":"s3"}`, second, answer).IsError, "the form is answered already")
	assert.True(t, answerForms(t, c, "move", `{"secret":"s3"}`, first, `{"form1":{"roots":[]}}`).IsError, "no answer to a form")
	assert.Equal(t, "openai: form \"form1\": the client answered \"yes\": it has to be \"accept\", \"decline\" or \"cancel\"",
		answerForms(t, c, "move", `{"secret":"s3"}`, first, `{"form1":{"action":"yes"}}`).text())

	r := answerForms(t, c, "move", `{"secret":"s3"}`, "", answer)
	assert.Contains(t, r.InputRequests, "form1", "an answer without a state counts for nothing")
	r = answerForms(t, c, "move", `{"secret":"s3"}`, first, `{}`)
	assert.Contains(t, r.InputRequests, "form1", "a state without an answer")
	r = answerForms(t, c, "move", `{"secret":"s3"}`, second, `{"form2":{"action":"cancel"}}`)
	assert.Equal(t, `accept{"n":"7"} cancelnull`, r.text())
	r = answerForms(t, c, "move", `{"secret":"s3"}`, second, `{"form2":{"action":"accept","content":{"tags":["a"]}}}`)
	assert.Equal(t, `accept{"n":"7"} accept{"tags":["a"]}`, r.text(), "a state may be used twice")
	assert.Equal(t, `accept{"n":"7"} accept{}`, answerForms(t, c, "move", `{"secret":"s3"}`, second, `{"form2":{"action":"accept"}}`).text())
}

// TestFormsOfTwoServers: a server with the same key continues the calls of another.
func TestFormsOfTwoServers(t *testing.T) {
	clients := make([]*rawclient.Client, 2)
	for i := range clients {
		s := formServer()
		addMove(s, openai.NewForms(&openai.FormsOptions{Key: formKey}), "move", whereSchema)
		clients[i] = rawclient.HTTP(t, rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: true}),
			rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	}
	state := readRound(t, clients[0].Call(t, "move", `{}`)).RequestState
	assert.Equal(t, `accept{"n":"7"}`, answerForms(t, clients[1], "move", `{}`, state, `{"form1":{"action":"accept","content":{"n":"7"}}}`).text())
}

// TestFormsOfTwoUsers: the state of one user does not continue the call of another, or a
// call without a user.
func TestFormsOfTwoUsers(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", whereSchema)
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	open := rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: true})
	clients := make(map[string]*rawclient.Client)
	for _, user := range []string{"ann", "ben", ""} {
		handler, header := open, http.Header{}
		if user != "" {
			handler = auth.RequireBearerToken(verify, nil)(open)
			header.Set("Authorization", "Bearer "+user)
		}
		clients[user] = rawclient.HTTP(t, handler, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps, Header: header})
	}
	for from, c := range clients {
		state := readRound(t, c.Call(t, "move", `{}`)).RequestState
		for to, c := range clients {
			r := answerForms(t, c, "move", `{}`, state, `{"form1":{"action":"accept","content":{"n":"7"}}}`)
			assert.Equal(t, from != to, r.IsError, "from %q to %q", from, to)
		}
	}
}

// TestFormsExpire: a state is valid until the first form of the call has expired, however
// many forms follow.
func TestFormsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := formServer()
		addMove(s, openai.NewForms(&openai.FormsOptions{Expiry: time.Minute}), "move", whereSchema, tagsSchema)
		c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
		r := readRound(t, c.Call(t, "move", `{}`))
		time.Sleep(40 * time.Second)
		r = answerForms(t, c, "move", `{}`, r.RequestState, `{"form1":{"action":"accept","content":{"n":"7"}}}`)
		require.Contains(t, r.InputRequests, "form2")
		time.Sleep(19 * time.Second)
		ok := answerForms(t, c, "move", `{}`, r.RequestState, `{"form2":{"action":"cancel"}}`)
		assert.False(t, ok.IsError)
		time.Sleep(time.Second)
		r = answerForms(t, c, "move", `{}`, r.RequestState, `{"form2":{"action":"cancel"}}`)
		assert.True(t, r.IsError)
		assert.Contains(t, r.text(), "not valid any more")
	})
}

// TestFormsChanged: an answer that no longer fits, since the form is another one by now, is
// asked for again.
func TestFormsChanged(t *testing.T) {
	s, forms, choice := formServer(), openai.NewForms(nil), "a"
	mcp.AddTool(s, &mcp.Tool{Name: "move"}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		for _, name := range []string{"one", "two"} {
			answer, pending, err := forms.Ask(ctx, req, name, &mcp.ElicitParams{Message: "?", RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{name: map[string]any{"type": "string", "enum": []string{choice}}},
			}})
			if answer == nil {
				return pending, nil, err
			}
		}
		return nil, nil, nil
	})
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	r := readRound(t, c.Call(t, "move", `{}`))
	r = answerForms(t, c, "move", `{}`, r.RequestState, `{"one":{"action":"accept","content":{"one":"a"}}}`)
	require.Contains(t, r.InputRequests, "two")
	choice = "b"
	r = answerForms(t, c, "move", `{}`, r.RequestState, `{"two":{"action":"accept","content":{"two":"b"}}}`)
	assert.Equal(t, "?\n\nPlease correct this: \"one\" must be one of the choices, not \"a\".", r.message("one"))
	r = answerForms(t, c, "move", `{}`, r.RequestState, `{"one":{"action":"accept","content":{"one":"b"}}}`)
	assert.Empty(t, r.InputRequests, "the answer to the second form was kept")
}

// TestFormsAreBounded: answers of more than 16 KiB are an error, in one form and in all.
func TestFormsAreBounded(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", `{"type":"object","properties":{"n":{"type":"string"}}}`, `{"type":"object","properties":{"n":{"type":"string"}}}`, plainSchema)
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	of := func(form string, n int) string {
		return fmt.Sprintf(`{%q:{"action":"accept","content":{"n":%q}}}`, form, strings.Repeat("x", n))
	}
	first := readRound(t, c.Call(t, "move", `{}`)).RequestState
	r := answerForms(t, c, "move", `{}`, first, of("form1", 16<<10))
	assert.Equal(t, `openai: form "form1": the answers to the forms of this call have 16392 bytes, and may have 16384: call the tool again and answer with less`, r.text())
	r = answerForms(t, c, "move", `{}`, first, of("form1", 15<<10))
	require.Contains(t, r.InputRequests, "form2")
	r = answerForms(t, c, "move", `{}`, r.RequestState, of("form2", 2000))
	assert.Contains(t, r.text(), "and may have 16384")
	assert.True(t, r.IsError)
}

// TestFormsMistakes: what an author gets wrong is an error, and nobody is asked.
func TestFormsMistakes(t *testing.T) {
	forms := openai.NewForms(nil)
	empty := map[string]any{"type": "object", "properties": map[string]any{}}
	for want, form := range map[string]*mcp.ElicitParams{
		`openai: form "f": the form is nil: set at least Message and RequestedSchema`:                                                              nil,
		`openai: form "f": the mode is "url", with the URL "": leave out Mode and URL`:                                                             {Mode: "url", Message: "m", RequestedSchema: empty},
		`openai: form "f": the Message is empty: say what the user is asked`:                                                                       {Message: " ", RequestedSchema: empty},
		`openai: form "f": RequestedSchema: the schema is null: use {"type":"object","properties":{…}}`:                                            {Message: "m"},
		`openai: form "f": RequestedSchema can't be encoded: json: unsupported type: func()`:                                                       {Message: "m", RequestedSchema: func() {}},
		`openai: form "f": RequestedSchema: /properties/a/enum: there are no choices: name at least one, or ask nothing if the user has no choice`: {Message: "m", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","enum":[]}}}`)},
	} {
		answer, pending, err := forms.Ask(t.Context(), nil, "f", form)
		assert.EqualError(t, err, want)
		assert.Nil(t, answer)
		assert.Nil(t, pending)
	}
	_, _, err := forms.Ask(t.Context(), nil, "", &mcp.ElicitParams{Message: "m", RequestedSchema: empty})
	assert.EqualError(t, err, `openai: form "": the name has 0 bytes: use 1 to 100`)
	_, _, err = forms.Ask(t.Context(), nil, "a\xff", &mcp.ElicitParams{Message: "m", RequestedSchema: empty})
	assert.ErrorContains(t, err, `the name is not valid UTF-8: use letters and digits`)
	assert.PanicsWithValue(t, "openai.NewForms: Key has 5 bytes: use at least 16, 32 random ones for example",
		func() { openai.NewForms(&openai.FormsOptions{Key: []byte("short")}) })
}

// TestFormsSchemas: a schema is any value, and it and the rest of the form stay as they are.
func TestFormsSchemas(t *testing.T) {
	s, forms := formServer(), openai.NewForms(nil)
	option := &jsonschema.Schema{Const: jsonschema.Ptr[any]("7"), Title: "Groceries", Extra: map[string]any{
		"x-openai-thumbnail": map[string]any{"src": "https://n.example/7.png"},
	}}
	form := &mcp.ElicitParams{Meta: mcp.Meta{"author": []any{"x"}}, Message: "Which?", RequestedSchema: &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{"n": {Type: "string", OneOf: []*jsonschema.Schema{option}}},
	}}
	before, err := json.Marshal(form)
	require.NoError(t, err)
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		_, pending, err := forms.Ask(ctx, req, "f", form)
		return pending, nil, err
	})
	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
	result := c.Call(t, "ask", `{}`)
	assert.JSONEq(t, `{"f":{"method":"elicitation/create","params":{"mode":"form","message":"Which?",
		"requestedSchema":{"type":"object","properties":{}},
		"_meta":{"author":["x"],"openai/elicitation":{"requestedSchema":{"type":"object","properties":{
			"n":{"type":"string","oneOf":[{"const":"7","title":"Groceries","x-openai-thumbnail":{"src":"https://n.example/7.png"}}]}}}}}}}}`, memberOf(t, result, "inputRequests"))
	after, err := json.Marshal(form)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

// TestFormsText: what the model reads where no form is shown is of bounded length.
func TestFormsText(t *testing.T) {
	s, forms := formServer(), openai.NewForms(nil)
	addMove(s, forms, "move", `{"type":"object","required":["n"],"properties":{
		"n":{"type":"string","title":"Note","description":"Where it goes","oneOf":[{"const":"7","title":"Groceries"},{"const":"8","title":"Work","description":"d"}]},
		"count":{"type":"integer"},
		"file":{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"cad://a","name":"a.stl"}]}},
		"tags":{"type":"array","items":{"type":"string","x-openai-suggestions":[{"const":"t","title":"T"}]}}}}`)
	fields := make(map[string]any)
	var choices []string
	for i := range 500 {
		choices = append(choices, strings.Repeat("y", 500)+fmt.Sprint(i))
		fields[strings.Repeat("z", 500)+fmt.Sprint(i)] = map[string]any{"type": "string", "title": strings.Repeat("t", 500), "description": strings.Repeat("d", 500), "pattern": "."}
	}
	fields["a"] = map[string]any{"type": "string", "enum": choices}
	large, err := json.Marshal(map[string]any{"type": "object", "properties": fields})
	require.NoError(t, err)
	addMove(s, forms, "large", string(large))
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		c := rawclient.Memory(t, s, rawclient.Config{Version: version})
		r := readRound(t, c.Call(t, "move", `{}`))
		assert.True(t, r.IsError, "nothing was done")
		assert.Equal(t, "Nothing is done yet: the user has to be asked first, and this client does not show this form. Ask in the chat:\n\n"+
			"Question 1?\n\n"+
			"- count: integer, optional\n"+
			"- file: string, optional, one of \"cad://a\" (a.stl)\n"+
			"- n (Note): string, one of \"7\" (Groceries), \"8\" (Work). Where it goes\n"+
			"- tags: list of strings, optional, for example \"t\" (T)\n\n"+
			"If the tool has arguments for the answers, call it again with them. Do not answer for the user.", r.text())
		text := readRound(t, c.Call(t, "large", `{}`)).text()
		assert.Less(t, len(text), 40_000)
		assert.Contains(t, text, "480 more")
		assert.Contains(t, text, "481 more")
	}
}

// TestFormsTextAlone: a typed handler with the output type any returns the text without
// structured content, which some clients would show instead, and has it in other results.
func TestFormsTextAlone(t *testing.T) {
	type moved struct {
		To string `json:"to"`
	}
	schema, err := jsonschema.For[moved](nil)
	require.NoError(t, err)
	s, forms := formServer(), openai.NewForms(nil)
	mcp.AddTool(s, &mcp.Tool{Name: "move", OutputSchema: schema}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		answer, pending, err := forms.Ask(ctx, req, "where", &mcp.ElicitParams{Message: "Where?", RequestedSchema: json.RawMessage(plainSchema)})
		if pending != nil || err != nil {
			return pending, nil, err
		}
		return nil, moved{fmt.Sprint(answer.Content["n"])}, nil
	})
	result := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern}).Call(t, "move", `{}`)
	assert.Contains(t, readRound(t, result).text(), "does not show this form")
	assert.True(t, readRound(t, result).IsError)
	assert.NotContains(t, result, "structuredContent")

	c := rawclient.Memory(t, s, rawclient.Config{Version: rawclient.Modern, Capabilities: formCaps})
	state := readRound(t, c.Call(t, "move", `{}`)).RequestState
	result = c.Result(t, "tools/call", fmt.Sprintf(`{"name":"move","arguments":{},"requestState":%q,"inputResponses":{"where":{"action":"accept","content":{"n":2}}}}`, state))
	assert.JSONEq(t, `{"to":"2"}`, memberOf(t, result, "structuredContent"))
}

// TestFormsConcurrent: calls of several clients at once stay apart.
func TestFormsConcurrent(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", tagsSchema, tagsSchema)
	handler := rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: true})
	var wg sync.WaitGroup
	for i := range 8 {
		c := rawclient.HTTP(t, handler, rawclient.Config{Version: rawclient.Modern, Capabilities: extendedCaps})
		wg.Go(func() {
			args := fmt.Sprintf(`{"i":%d}`, i)
			r := readRound(t, c.Call(t, "move", args))
			for f := 1; f <= 2; f++ {
				r = answerForms(t, c, "move", args, r.RequestState, fmt.Sprintf(`{"form%d":{"action":"accept","content":{"tags":["%d-%d"]}}}`, f, i, f))
			}
			assert.Equal(t, fmt.Sprintf(`accept{"tags":["%d-1"]} accept{"tags":["%[1]d-2"]}`, i), r.text())
		})
	}
	wg.Wait()
}

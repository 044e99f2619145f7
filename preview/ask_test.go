package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// askingServer returns a server whose tools ask the user before they respond, with
// input requests in their first result (MCP 2026-07-28). It sends the user's answers
// to the channel.
func askingServer(answers chan<- *mcp.ElicitResult) *mcp.Server {
	s := testServer()
	form := &mcp.ElicitParams{Message: "Which room?", RequestedSchema: map[string]any{
		"type": "object", "required": []string{"room"},
		"properties": map[string]any{"room": map[string]any{"type": "string", "enum": []string{"blue", "green"}}, "seats": map[string]any{"type": "integer", "default": 4}},
	}}
	add := func(name string, params *mcp.ElicitParams) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult)
			if !ok {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": params}}, nil
			}
			answers <- answer
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
		})
	}
	add("form", form)
	add("link", &mcp.ElicitParams{Mode: "url", Message: "Pay there.", URL: "https://pay.example/checkout", ElicitationID: "1"})
	add("script", &mcp.ElicitParams{Mode: "url", Message: "Go there.", URL: "javascript:alert(1)", ElicitationID: "2"})
	return s
}

func TestPageAnswersElicitation(t *testing.T) {
	answers := make(chan *mcp.ElicitResult, 1)
	p := startPage(t, askingServer(answers))
	answer := func(id json.RawMessage, text string) {
		p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":%s}]`, id, text))
	}
	open := func(tool string) map[string]json.RawMessage {
		p.do(fmt.Sprintf(`[{"op":"call","call":"1","tool":%q,"args":{}}]`, tool))
		return p.waitType("ask")
	}

	q := open("form")
	assert.Equal(t, "Which room?", str(q["message"]))
	assert.JSONEq(t, `{"inputSchema":{"type":"object","required":["room"],"properties":{"room":{"type":"string","enum":["blue","green"]},"seats":{"type":"integer","default":4}}},"defaults":{"seats":4}}`, string(q["form"]))
	answer(q["ask"], `{"action":"accept","content":{"room":"red"}}`)
	assert.NotEmpty(t, str(p.waitType("ask-again")["text"]), "the page asks again if the schema rejects the answer")
	answer(q["ask"], `{"action":"accept","content":{"room":"green"}}`)
	got := <-answers
	assert.Equal(t, "accept", got.Action)
	assert.Equal(t, map[string]any{"room": "green", "seats": 4.0}, got.Content)
	outcome := p.waitType("asked")
	assert.Equal(t, "accept", str(outcome["action"]))
	assert.JSONEq(t, `{"room":"green"}`, string(outcome["content"]))
	answer(q["ask"], `{"action":"accept","content":{"room":"blue"}}`) // ignored, because the question was answered

	for _, action := range []string{"decline", "cancel"} {
		answer(open("form")["ask"], fmt.Sprintf(`{"action":%q,"content":{"room":"blue"}}`, action))
		got := <-answers
		assert.Equal(t, action, got.Action)
		assert.Empty(t, got.Content, "only an accepted form has content")
	}

	q = open("link")
	assert.Equal(t, "https://pay.example/checkout", str(q["url"]))
	assert.Equal(t, "pay.example", str(q["host"]))
	answer(q["ask"], `{"action":"accept"}`)
	assert.Equal(t, "accept", (<-answers).Action)

	p.do(`[{"op":"call","call":"2","tool":"script","args":{}}]`)
	outcome = p.wait("result", func(e map[string]json.RawMessage) bool {
		require.NotEqual(t, "ask", str(e["type"]), "the page does not show a link with this scheme")
		return str(e["type"]) == "result" && str(e["call"]) == "2"
	})
	assert.Contains(t, str(outcome["error"]), "not http or https")

	open("form")
	p.do(`[{"op":"cancel","call":"1"}]`)
	assert.Equal(t, "withdrawn", str(p.waitType("asked")["action"]))
}

// A question that a page got as an open one, or just after it was opened, is not part
// of what the page gets a little later.
func TestQuestionIsSentOnce(t *testing.T) {
	run, err := Start(t.Context(), host.Target{Server: testServer()}, nil)
	require.NoError(t, err)
	defer run.Close()
	ask := func() {
		go run.ask(t.Context(), nil, "elicitation", map[string]any{}, func(askAnswer) error { return nil })
	}
	count := func(tab *tab, event string) (n int) {
		for _, e := range tab.buffer.after(0) {
			n += bytes.Count(e.data, []byte(`"type":"`+event+`"`))
		}
		return n
	}
	first := newTab(run, "first")
	ask()
	require.Eventually(t, func() bool { return count(first, "ask") == 1 }, time.Minute, time.Millisecond)
	second := newTab(run, "second")
	ask()
	require.Eventually(t, func() bool { return count(first, "ask") == 2 }, time.Minute, time.Millisecond)
	for _, tab := range []*tab{first, second} {
		run.sendInitialState(tab)
		require.NotZero(t, count(tab, "tools"), "all of it was sent")
		assert.Equal(t, 2, count(tab, "ask"))
	}
}

// The capability declares what the page supports, unless the program has its own
// handler.
func TestElicitationCapability(t *testing.T) {
	caps := func(opts *mcp.ClientOptions) *mcp.ElicitationCapabilities {
		got := make(chan *mcp.ClientCapabilities, 1)
		s := testServer()
		s.AddTool(&mcp.Tool{Name: "caps", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			got <- req.Session.InitializeParams().Capabilities
			return &mcp.CallToolResult{}, nil
		})
		run, err := Start(t.Context(), host.Target{Server: s}, &Options{Connect: &host.ConnectOptions{Client: opts}})
		require.NoError(t, err)
		defer run.Close()
		_, err = run.Connection().Call(t.Context(), "caps", nil)
		require.NoError(t, err)
		c := <-got
		assert.NotEmpty(t, c.Extensions)
		return c.Elicitation
	}
	defaults := caps(nil)
	require.NotNil(t, defaults)
	assert.NotNil(t, defaults.Form)
	assert.NotNil(t, defaults.URL)
	custom := caps(&mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, nil }})
	require.NotNil(t, custom)
	assert.Nil(t, custom.URL)
}

func TestElicitationWithoutPageIsCancelled(t *testing.T) {
	answers := make(chan *mcp.ElicitResult, 1)
	run, err := Start(t.Context(), host.Target{Server: askingServer(answers)}, nil)
	require.NoError(t, err)
	defer run.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err = run.Connection().Call(ctx, "form", nil)
	require.NoError(t, err)
	assert.Equal(t, "cancel", (<-answers).Action)
}

func TestPageAnswersSampling(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	id := str(p.waitType("view")["view"])
	send := func(msg string) { p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, id, msg)) }
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	ask := func() map[string]json.RawMessage {
		send(`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10}}`)
		return p.waitType("ask")
	}
	q := ask()
	assert.Equal(t, "sampling", str(q["kind"]))
	assert.Equal(t, cannedText, str(q["canned"]), "the user can accept the proposed text unchanged")
	p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":{"action":"accept","text":"Rain."}}]`, q["ask"]))
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"Rain."},"model":"preview","stopReason":"endTurn"}}`, string(p.waitSent(`"endTurn"`)))
	q = ask()
	p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":{"action":"decline"}}]`, q["ask"]))
	assert.Contains(t, string(p.waitSent(`"error"`)), "the user declined")
}

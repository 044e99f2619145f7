package mcpapps_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps"
)

// plainCases are results of handlers, ordinary ones first, and whether the lighter
// result may replace them.
func plainCases() map[string]struct {
	res   *mcp.ReadResourceResult
	plain bool
} {
	text := func(s string) *mcp.ResourceContents { return &mcp.ResourceContents{Text: s} }
	const awkward = "<b>&amp;</b>\u2028\u2029\x00\x7f\"\\/ é \U0001f600 \t\r\n"
	return map[string]struct {
		res   *mcp.ReadResourceResult
		plain bool
	}{
		"text":       {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{text(awkward)}}, true},
		"meta":       {&mcp.ReadResourceResult{Meta: mcp.Meta{"example.com/<a>": []any{"&", nil, 1.5}}, Contents: []*mcp.ResourceContents{text("a")}}, true},
		"cacheable":  {&mcp.ReadResourceResult{Cacheable: mcp.Cacheable{TTLMs: 60000, CacheScope: "private"}, Contents: []*mcp.ResourceContents{text("a")}}, true},
		"item meta":  {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "a", Meta: mcp.Meta{"ui": map[string]any{}, "x": "<"}}}}, true},
		"two items":  {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{text("a"), {URI: "ui://plain/other", Text: "b", MIMEType: "text/plain"}}}, true},
		"no type":    {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{text("a"), {URI: "ui://plain/other", Text: "b"}}}, true},
		"blob":       {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Blob: []byte("<p>")}}}, false},
		"blob too":   {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{text("a"), {URI: "ui://plain/other", Blob: []byte{}}}}, false},
		"no text":    {&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{text("a"), {URI: "ui://plain/other"}}}, false},
		"state":      {&mcp.ReadResourceResult{RequestState: "s", Contents: []*mcp.ResourceContents{text("a")}}, false},
		"input":      {&mcp.ReadResourceResult{InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "?"}}}, false},
		"overloaded": {&mcp.ReadResourceResult{InputRequests: mcp.InputRequestMap{}, RequestState: "s"}, false},
	}
}

// TestPlainSameJSON: the same JSON with the option as without it, for every
// protocol version, and the SDK's own result where anything is unusual.
func TestPlainSameJSON(t *testing.T) {
	const uri = "ui://plain/view.html"
	for name, test := range plainCases() {
		t.Run(name, func(t *testing.T) {
			serve := func(opts *mcpapps.Options, seen *mcp.Result) *mcp.Server {
				s := mcp.NewServer(costInfo, nil)
				mcpapps.Enable(s, opts)
				s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
					return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
						res, err := next(ctx, method, req)
						if method == "resources/read" {
							*seen = res
						}
						return res, err
					}
				})
				border := true
				mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{PrefersBorder: &border},
					func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return test.res, nil })
				return s
			}
			var seen, sdk mcp.Result
			plain, without := serve(&mcpapps.Options{PlainReadResults: true}, &seen), serve(nil, &sdk)
			read := message{"", "resources/read", `"uri":"` + uri + `"`}
			for _, c := range wireClients() {
				if test.res.InputRequests != nil && c.version < modern {
					continue // the SDK asks the client, which this one does not answer
				}
				answers := make([]string, 2)
				for i, s := range []*mcp.Server{plain, without} {
					w := dialMemory(t, s)
					if c.version < modern {
						w.exchange(t, c, c.line(1, message{"", "initialize", ""}))
						w.exchange(t, c, c.line(0, message{"", "notifications/initialized", ""}))
					}
					answers[i] = w.exchange(t, c, c.line(2, read))
				}
				assert.JSONEq(t, answers[1], answers[0], c.String())
				_, own := sdk.(*mcp.ReadResourceResult)
				assert.True(t, own, "without the option: %T", sdk)
				_, own = seen.(*mcp.ReadResourceResult)
				assert.Equal(t, !test.plain, own, "with the option: %T", seen)
			}
		})
	}
}

// A connection that was initialized by an older version and then gets requests of
// the newest version is answered the same with and without the option.
func TestPlainSameJSONMixed(t *testing.T) {
	older, newer := wireClient{"2025-06-18", true}, wireClient{modern, true}
	var answers []string
	for _, plain := range []bool{false, true} {
		w := dialMemory(t, newWireServer(&mcpapps.Options{PlainReadResults: plain}))
		w.exchange(t, older, older.line(1, message{"", "initialize", ""}))
		w.exchange(t, older, older.line(0, message{"", "notifications/initialized", ""}))
		answers = append(answers, w.exchange(t, newer, newer.line(2, message{"", "resources/read", `"uri":"ui://report/view.html"`})))
	}
	assert.JSONEq(t, answers[0], answers[1])
	assert.Contains(t, answers[0], "serverInfo")
}

// Every exchange of the transcripts is the same with the option.
func TestPlainSameJSONWire(t *testing.T) {
	for _, c := range wireClients() {
		want := converse(t, dialMemory(t, newWireServer(nil)), c)
		for i, r := range converse(t, dialMemory(t, newWireServer(&mcpapps.Options{PlainReadResults: true})), c) {
			assert.JSONEq(t, want[i].received, r.received, "%s %s", c, r.name)
		}
	}
}

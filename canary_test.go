package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The canaries test the undocumented behaviour of the SDK that this package relies
// on. They use the SDK alone, so a failure means that the SDK has changed, and its
// message says what that breaks here. ci/canary runs them against the newest
// release of the SDK.

const canaryURI = "ui://canary/view.html"

// canaryServer has one tool, one resource and one template of the bare SDK.
// watch, if not nil, sees each request and its result.
func canaryServer(opts *mcp.ServerOptions, watch func(method string, req mcp.Request, res mcp.Result)) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "canary", Version: "1"}, opts)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if watch != nil {
				watch(method, req, res)
			}
			return res, err
		}
	})
	mcp.AddTool(s, &mcp.Tool{Name: "show_report"}, func(context.Context, *mcp.CallToolRequest, reportArgs) (*mcp.CallToolResult, report, error) {
		return nil, report{}, nil
	})
	read := func(text string) mcp.ResourceHandler {
		return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: text}}}, nil
		}
	}
	s.AddResource(&mcp.Resource{URI: canaryURI, Name: "r", MIMEType: "text/html", Meta: mcp.Meta{"a": 1}}, read("exact"))
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "ui://canary/{name}", Name: "t"}, read("template"))
	return s
}

var canaryExchanges = []message{
	{"", "tools/list", ``},
	{"", "resources/list", ``},
	{"", "resources/templates/list", ``},
	{"", "resources/read", `"uri":"` + canaryURI + `"`},
	{"", "tools/call", `"name":"show_report","arguments":{"city":"Oslo"}`},
}

// canaryConverse returns the answers by method.
func canaryConverse(t *testing.T, w wire, c wireClient) map[string]string {
	t.Helper()
	answers := make(map[string]string)
	if c.version >= modern {
		answers["server/discover"] = w.exchange(t, c, c.line(1, message{"", "server/discover", ""}))
	} else {
		answers["initialize"] = w.exchange(t, c, c.line(1, message{"", "initialize", ""}))
		w.exchange(t, c, c.line(0, message{"", "notifications/initialized", ""}))
	}
	for i, m := range canaryExchanges {
		answers[m.method] = w.exchange(t, c, c.line(i+2, m))
	}
	return answers
}

func keys(t *testing.T, object string) []string {
	t.Helper()
	var m map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(object), &m), object)
	return slices.Sorted(maps.Keys(m))
}

// result returns the raw result of a response.
func result(t *testing.T, response string) string {
	t.Helper()
	var m struct{ Result json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(response), &m), response)
	return string(m.Result)
}

// canaryLog is what a canaryServer's middleware saw, by method.
type canaryLog struct {
	req map[string]mcp.Request
	res map[string]mcp.Result
}

func watchCanary(t *testing.T, c wireClient) (canaryLog, map[string]string) {
	t.Helper()
	log := canaryLog{make(map[string]mcp.Request), make(map[string]mcp.Result)}
	s := canaryServer(nil, func(method string, req mcp.Request, res mcp.Result) { log.req[method], log.res[method] = req, res })
	answers := canaryConverse(t, dialMemory(t, s), c)
	return log, answers
}

func TestCanaryResultTypes(t *testing.T) {
	seen := make(map[string]string)
	for _, v := range []string{"2025-11-25", modern} {
		log, _ := watchCanary(t, wireClient{v, true})
		for method, res := range log.res {
			if res != nil {
				seen[method] = fmt.Sprintf("%T", res)
			}
		}
	}
	assert.Equal(t, map[string]string{
		"initialize":               "*mcp.InitializeResult",
		"server/discover":          "*mcp.DiscoverResult",
		"tools/list":               "*mcp.ListToolsResult",
		"resources/list":           "*mcp.ListResourcesResult",
		"resources/templates/list": "*mcp.ListResourceTemplatesResult",
		"resources/read":           "*mcp.ReadResourceResult",
		"tools/call":               "*mcp.CallToolResult",
	}, seen, "middleware sees other result types: the extension is not advertised, or lists are not shaped, for the methods that differ")
}

func TestCanaryResultBase(t *testing.T) {
	type other struct {
		mcp.ResultBase
		Contents []string `json:"contents"`
	}
	s := canaryServer(nil, nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if method == "resources/read" {
				return &other{Contents: []string{"a"}}, err
			}
			return res, err
		}
	})
	for _, v := range []string{"2025-11-25", modern} {
		answers := canaryConverse(t, dialMemory(t, s), wireClient{v, true})
		assert.Contains(t, answers["resources/read"], `"contents":["a"]`,
			"the SDK refuses a result of another type for a standard method: PlainReadResults breaks every read")
	}
}

func TestCanaryReadEnvelope(t *testing.T) {
	for _, c := range wireClients() {
		log, _ := watchCanary(t, c)
		bare := *log.res["resources/read"].(*mcp.ReadResourceResult)
		bare.Contents, bare.Meta = nil, nil
		data, err := json.Marshal(&bare)
		require.NoError(t, err)
		want := []string{"cacheScope", "contents", "ttlMs"}
		if c.version >= modern {
			want = []string{"cacheScope", "contents", "resultType", "ttlMs"}
		}
		assert.Equal(t, want, keys(t, string(data)),
			"%s: the SDK's read result has other keys: PlainReadResults falls back to the slower result, or loses one", c)
	}
	item, err := json.Marshal(&mcp.ResourceContents{URI: "u", MIMEType: "m", Text: "t", Blob: []byte{1}, Meta: mcp.Meta{"a": 1}})
	require.NoError(t, err)
	assert.Equal(t, []string{"_meta", "blob", "mimeType", "text", "uri"}, keys(t, string(item)),
		"content items have other keys: PlainReadResults loses those that it does not know")
}

func TestCanaryServerInfoAndResultType(t *testing.T) {
	log, answers := watchCanary(t, wireClient{modern, true})
	for method := range log.res {
		assert.Contains(t, answers[method], `"resultType":"complete"`,
			"%s: results of the newest version have no resultType: copies that this package makes need another look", method)
		assert.Contains(t, answers[method], `"io.modelcontextprotocol/serverInfo"`,
			"%s: the SDK does not name the server: results of another type than its own may now lack it", method)
	}
	// In middleware, a read result has its resultType but not yet the server's
	// name. The SDK writes the name into the same map later.
	var during string
	s := canaryServer(nil, func(method string, _ mcp.Request, res mcp.Result) {
		if method == "resources/read" {
			data, _ := json.Marshal(res)
			during = string(data)
		}
	})
	canaryConverse(t, dialMemory(t, s), wireClient{modern, true})
	assert.Contains(t, during, `"resultType":"complete"`,
		"a read result gets its resultType after middleware: PlainReadResults leaves it out")
	assert.NotContains(t, during, "serverInfo",
		"the server's name is added before middleware: PlainReadResults still keeps it, but Meta need not be copied for it")
}

func TestCanaryResultsAreWritten(t *testing.T) {
	meta := mcp.Meta{"a": 1}
	res := &mcp.CallToolResult{Meta: meta}
	s := canaryServer(nil, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "show_report"}, func(context.Context, *mcp.CallToolRequest, reportArgs) (*mcp.CallToolResult, report, error) {
		return res, report{}, nil
	})
	canaryConverse(t, dialMemory(t, s), wireClient{modern, true})
	assert.Contains(t, meta, mcp.MetaKeyServerInfo, "the SDK copies a handler's Meta: this package need not do it any more")
	assert.NotNil(t, res.StructuredContent, "the SDK copies a handler's result: this package need not do it any more")
}

func TestCanaryMetaTypes(t *testing.T) {
	log, _ := watchCanary(t, wireClient{modern, true})
	caps := log.req["tools/list"].GetParams().GetMeta()[mcp.MetaKeyClientCapabilities]
	assert.Equal(t, map[string]any{"extensions": map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app"}}}}, caps,
		"capabilities in a request's _meta are decoded to other types: ClientSupport still answers, with allocations")
	log, _ = watchCanary(t, wireClient{"2025-11-25", true})
	ss := log.req["tools/call"].GetSession().(*mcp.ServerSession)
	assert.Equal(t, map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app"}}, ss.InitializeParams().Capabilities.Extensions["io.modelcontextprotocol/ui"],
		"extensions of a session are decoded to other types: ClientSupport still answers, with allocations")
}

func TestCanarySchemaPointers(t *testing.T) {
	opts := &mcp.ServerOptions{SchemaCache: mcp.NewSchemaCache()}
	var seen []any
	watch := func(_ string, _ mcp.Request, res mcp.Result) {
		if r, ok := res.(*mcp.ListToolsResult); ok {
			seen = append(seen, r.Tools[0].InputSchema, r.Tools[0].OutputSchema)
		}
	}
	for range 2 {
		s := canaryServer(opts, watch)
		w, c := dialMemory(t, s), wireClient{modern, true}
		for id := range 2 {
			w.exchange(t, c, c.line(id+1, canaryExchanges[0]))
		}
	}
	const broken = "the schemas of a tool are other pointers in each list, or on each server of a SchemaCache: nothing is encoded once, and tools/list costs what it does without this package"
	require.Len(t, seen, 8)
	for i := 2; i < len(seen); i++ {
		require.IsType(t, &jsonschema.Schema{}, seen[i], "schemas are of another type: they are not encoded once")
		assert.Same(t, seen[i-2], seen[i], broken)
	}
}

func TestCanaryNoHTMLEscapes(t *testing.T) {
	s := canaryServer(nil, nil)
	s.AddTool(&mcp.Tool{Name: "a", InputSchema: map[string]any{"type": "object", "title": "<&>"}}, nil)
	answers := canaryConverse(t, dialMemory(t, s), wireClient{modern, true})
	assert.Contains(t, answers["tools/list"], `"title":"<&>"`,
		"the SDK escapes HTML in results: the bytes of tools/list differ from the SDK's own")
}

func TestCanaryContentItem(t *testing.T) {
	_, answers := watchCanary(t, wireClient{"2025-11-25", true})
	assert.Equal(t, `{"ttlMs":0,"cacheScope":"public","contents":[{"uri":"`+canaryURI+`","mimeType":"text/html","text":"exact"}]}`, result(t, answers["resources/read"]),
		"the SDK puts something else on a content item, perhaps the list entry's _meta: apps may then carry it twice or in another form")
}

func TestCanaryExactBeforeTemplate(t *testing.T) {
	_, answers := watchCanary(t, wireClient{modern, true})
	assert.Contains(t, answers["resources/read"], `"text":"exact"`,
		"a template is found before the exact URI: a shell whose URI its own template matches is answered as not found")
}

package mcpapps_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// searchArgs and searchResult have the size of those of typical tools.
type searchArgs struct {
	Query    string         `json:"query" jsonschema:"what to look for: words, \"quoted phrases\" and field:value pairs, where a field is one of title, author & tag"`
	Language string         `json:"language,omitempty" jsonschema:"the language of the results as a BCP 47 tag, such as en or pt-BR; the user's own if it is left out"`
	Since    string         `json:"since,omitempty" jsonschema:"only results changed after this time, in RFC 3339"`
	Limit    int            `json:"limit,omitempty" jsonschema:"how many results to return at most: > 0 and < 100, 20 if it is left out"`
	Offset   int            `json:"offset,omitempty" jsonschema:"how many results to pass over, for the next page"`
	Exact    bool           `json:"exact,omitempty" jsonschema:"match whole words only"`
	Tags     []string       `json:"tags,omitempty" jsonschema:"only results that have each of these tags"`
	Filters  []searchFilter `json:"filters,omitempty" jsonschema:"further conditions, all of which must hold"`
	Weights  map[string]int `json:"weights,omitempty" jsonschema:"how much each field counts for the order"`
}

type searchFilter struct {
	Field    string   `json:"field" jsonschema:"the field that the condition is about"`
	Operator string   `json:"operator" jsonschema:"one of eq, ne, lt, gt and in"`
	Values   []string `json:"values" jsonschema:"the values to compare with"`
}

type searchResult struct {
	Total int         `json:"total" jsonschema:"how many results there are in all"`
	Next  int         `json:"next,omitempty" jsonschema:"the offset of the next page, 0 if this is the last"`
	Hits  []searchHit `json:"hits" jsonschema:"the results, best first"`
}

type searchHit struct {
	ID      string   `json:"id" jsonschema:"the identifier, for other tools"`
	Title   string   `json:"title" jsonschema:"the title as plain text"`
	Excerpt string   `json:"excerpt,omitempty" jsonschema:"some words around the match"`
	Score   float64  `json:"score" jsonschema:"how well it matches, from 0 to 1"`
	Tags    []string `json:"tags,omitempty" jsonschema:"its tags"`
}

func searchTool(context.Context, *mcp.CallToolRequest, searchArgs) (*mcp.CallToolResult, searchResult, error) {
	return nil, searchResult{}, nil
}

var costInfo = &mcp.Implementation{Name: "cost", Version: "1"}

// costDocument is shared, as embedded documents are.
const costDocument = `<!doctype html><title>Results</title><main></main>`

func costTool(i int) *mcp.Tool {
	return &mcp.Tool{
		Name:        fmt.Sprintf("search_%04d", i),
		Title:       "Search",
		Description: "Search the catalogue and show the results as a list that can be sorted & filtered.",
	}
}

func costURI(i int) string { return fmt.Sprintf("ui://cost/%04d.html", i) }

// oursCost returns a server with app tools, each with a view of its own if
// views is set.
func oursCost(opts *mcp.ServerOptions, tools int, views bool) *mcp.Server {
	s := mcp.NewServer(costInfo, opts)
	for i := range tools {
		addOurs(s, i, views)
	}
	return s
}

func addOurs(s *mcp.Server, i int, view bool) {
	mcpapps.RegisterAppTool(s, costTool(i), mcpapps.ToolUIMetadata{ResourceURI: costURI(i)}, searchTool)
	if view {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: costURI(i), Name: "results"},
			mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}}, mcpapps.HTML(costDocument))
	}
}

// bareCost does what a careful author does without this package. It creates the
// maps for each registration, because the SDK keeps them.
func bareCost(opts *mcp.ServerOptions, tools int, views bool) *mcp.Server {
	var o mcp.ServerOptions
	if opts != nil {
		o = *opts
	}
	o.Capabilities = new(mcp.ServerCapabilities)
	o.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
	s := mcp.NewServer(costInfo, &o)
	for i := range tools {
		addBare(s, i, views)
	}
	return s
}

func addBare(s *mcp.Server, i int, view bool) {
	t := costTool(i)
	t.Meta = mcp.Meta{
		"ui":             map[string]any{"resourceUri": costURI(i), "visibility": []string{"model", "app"}},
		"ui/resourceUri": costURI(i),
	}
	mcp.AddTool(s, t, searchTool)
	if view {
		bareResource(s, costURI(i), costDocument, map[string]any{"csp": map[string]any{"connectDomains": []string{"https://api.example.com"}}})
	}
}

func bareResource(s *mcp.Server, uri, doc string, ui map[string]any) {
	meta := mcp.Meta{"ui": ui}
	s.AddResource(&mcp.Resource{URI: uri, Name: "results", MIMEType: mcpapps.MIMEType, Meta: meta},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: req.Params.URI, MIMEType: mcpapps.MIMEType, Text: doc, Meta: mcp.Meta{"ui": ui},
			}}}, nil
		})
}

// documents are the documents that are read: 400 kB of a minified bundle, mostly
// script, and of markup in which every other character is escaped.
func documents(t testing.TB) map[string]string {
	const size = 400_000
	file := filepath.Join("internal", "e2e", "node_modules", "@modelcontextprotocol", "ext-apps", "dist", "src", "app-with-deps.js")
	bundle, err := os.ReadFile(file)
	if err != nil {
		bundle = []byte(minified)
	}
	fill := func(head, unit string) string {
		return head + strings.Repeat(unit, size/len(unit)+1)[:size-len(head)]
	}
	docs := map[string]string{
		"bundle": fill("<!doctype html><script>", strings.ToValidUTF8(string(bundle), "")),
		"markup": fill("<!doctype html><ul>", `<li class="row"><a href="/a?b=1&amp;c=2">One</a></li>`+"\n"),
	}
	for k, d := range docs {
		docs[k] = strings.ToValidUTF8(d, "")
	}
	return docs
}

// minified replaces a real bundle where none is installed. It has about as many
// characters that JSON escapes.
const minified = `var e=Object.defineProperty,t=(e,t)=>{for(var r in t)n(e,r,{get:t[r],enumerable:!0})};` +
	`function a(e,t,n,r){if(e&&typeof e=="object"||typeof e=="function")for(let i of o(e))s.call(t,i)||i===n||c(t,i,{get:()=>e[i]});return t}` +
	`class l extends Error{constructor(e,t){super(e),this.name="ZodError",this.issues=t}format(e=e=>e.message){const t={_errors:[]};return t}};`

package hosts

import (
	"context"
	_ "embed"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

//go:embed testdata/rows.html
var rowsHTML string

const (
	rowsURI  = "ui://rows/view.html"
	largeURI = "ui://rows/large.html"

	// longResult is above each limit of a result that is known, in characters, and
	// largeDocument above each of a document, in bytes.
	longResult    = 160_000
	largeDocument = 1<<20 + 1
)

// resultMeta is the private part of a result.
const resultMeta = "for the view alone"

type rowsArgs struct {
	Place string `json:"place,omitempty"`
	Note  string `json:"note,omitempty"`
	Try   bool   `json:"try,omitempty"`
}

type rowsData struct {
	Data string `json:"data"`
}

// newServer returns the server of the view that tries the rows. It opens the view by
// three tools: show_rows, show_rows_long, whose result is long, and show_rows_slow,
// which does not return by itself.
func newServer(t *testing.T) *mcp.Server {
	origins := newOrigins(t)
	s := mcp.NewServer(&mcp.Implementation{Name: "rows", Version: "1"}, nil)
	border := true
	view := mcpapps.View{
		Resource: mcp.Resource{URI: rowsURI},
		Document: mcpapps.HTML(origins.in(rowsHTML)),
		UI: mcpapps.ResourceUIMetadata{
			CSP: &mcpapps.CSP{
				ConnectDomains: []string{origins["CONNECT"]}, ResourceDomains: []string{origins["RESOURCE"]},
				FrameDomains: []string{origins["FRAME"]}, BaseURIDomains: []string{origins["BASE"]},
			},
			Permissions:   &mcpapps.Permissions{Camera: true, Microphone: true, Geolocation: true, ClipboardWrite: true},
			PrefersBorder: &border,
		},
	}
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	answer := func(data string) mcp.ToolHandlerFor[rowsArgs, rowsData] {
		return func(context.Context, *mcp.CallToolRequest, rowsArgs) (*mcp.CallToolResult, rowsData, error) {
			return &mcp.CallToolResult{
				Meta:    mcp.Meta{"private": resultMeta},
				Content: []mcp.Content{&mcp.TextContent{Text: "the data are shown"}},
			}, rowsData{data}, nil
		}
	}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_rows", Description: "Shows the rows.", Annotations: readOnly}, view, answer("short"))
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_rows_long", Description: "Shows the rows with a long result.", Annotations: readOnly}, view, answer(strings.Repeat("x", longResult)))
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_rows_slow", Description: "Shows the rows until it is cancelled."}, view,
		func(ctx context.Context, _ *mcp.CallToolRequest, _ rowsArgs) (*mcp.CallToolResult, rowsData, error) {
			<-ctx.Done()
			return nil, rowsData{}, ctx.Err()
		})
	large := mcpapps.View{Resource: mcp.Resource{URI: largeURI}, Document: mcpapps.HTML("<!doctype html><p>" + strings.Repeat("x", largeDocument))}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_large", Description: "Shows a large document.", Annotations: readOnly}, large, answer("short"))

	mcp.AddTool(s, &mcp.Tool{Name: "more", Description: "Is called by the view.", Annotations: readOnly},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "more"}}}, nil, nil
		})
	s.AddResource(&mcp.Resource{URI: "rows://data", Name: "data"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "rows://data", Text: "data"}}}, nil
	})
	return s
}

// origins are what the view declares, by their names in its document: one for each
// field of the CSP, on this machine.
type origins map[string]string

func newOrigins(t *testing.T) origins {
	mux := http.NewServeMux()
	serve := func(pattern, mediaType, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Content-Type", mediaType)
			_, _ = w.Write([]byte(body))
		})
	}
	serve("/", "text/plain", "data")
	serve("/image.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	serve("/frame.html", "text/html", `<!doctype html><title>Frame</title><script>parent.postMessage("here", "*")</script>`)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL, "http://"), ":")
	list := origins{}
	for _, name := range []string{"CONNECT", "RESOURCE", "FRAME", "BASE"} {
		list[name] = "http://" + strings.ToLower(name) + ".localhost:" + port
	}
	return list
}

// in returns the document with the origins in place of their names.
func (o origins) in(document string) string {
	for name, origin := range o {
		document = strings.ReplaceAll(document, `"`+name+"/", `"`+origin+"/")
	}
	return document
}

package mcpapps_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ExampleVisibleTo() {
	tool := &mcp.Tool{Name: "delete", Meta: mcp.Meta{
		"ui": map[string]any{"visibility": []any{"model"}},
	}}
	fmt.Println(mcpapps.VisibleTo(tool, mcpapps.VisibilityApp))
	// Output:
	// false
}

func ExampleToolUI() {
	// An older server, which knows only the flat key.
	tool := &mcp.Tool{Name: "forecast", Meta: mcp.Meta{"ui/resourceUri": "ui://weather/view.html"}}
	m, err := mcpapps.ToolUI(tool)
	fmt.Println(m.ResourceURI, err)

	tool = &mcp.Tool{Name: "forecast", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "https://weather.example"}}}
	m, err = mcpapps.ToolUI(tool)
	fmt.Printf("%q %v\n", m.ResourceURI, err)
	// Output:
	// ui://weather/view.html <nil>
	// "" tool "forecast": _meta: ui.resourceUri "https://weather.example" does not begin with "ui://": every app has a URI such as "ui://server/view.html"
}

func ExampleResourceUI() {
	listed := mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []any{"https://api.example.com"}}}}
	content := mcp.Meta{"ui": map[string]any{"csp": map[string]any{}}}

	m, _ := mcpapps.ResourceUI(listed, nil)
	fmt.Println(m.CSP.ConnectDomains)
	m, _ = mcpapps.ResourceUI(listed, content) // the content item's metadata replaces the listed one
	fmt.Println(m.CSP.ConnectDomains)
	// Output:
	// [https://api.example.com]
	// []
}

func ExampleCSP_Policy() {
	csp := &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}
	fmt.Println(csp.Policy())
	// Output:
	// default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; font-src 'self'; connect-src 'self' https://api.example.com; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'
}

func ExampleCSP_Dropped() {
	csp := &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com", "cdn.example.com", "https://cdn.example.com; script-src-elem *"}}
	for _, err := range csp.Dropped() {
		fmt.Println(err)
	}
	// Output:
	// csp.resourceDomains[1] is "cdn.example.com": it has no scheme; write "https://cdn.example.com"
	// csp.resourceDomains[2] is "https://cdn.example.com; script-src-elem *": it has the character ';' at byte 23; an entry is one origin, such as "https://api.example.com"
}

func ExamplePermissions_Allow() {
	p := &mcpapps.Permissions{Camera: true, ClipboardWrite: true}
	fmt.Printf("<iframe allow=%q>\n", p.Allow())
	// Output:
	// <iframe allow="camera; clipboard-write">
}

func ExampleCSP_Allows() {
	csp := &mcpapps.CSP{ConnectDomains: []string{"https://*.example.com"}}
	fmt.Println(csp.Allows("connect-src", "https://api.example.com"))
	fmt.Println(csp.Allows("img-src", "https://api.example.com"))
	// Output:
	// true
	// false
}

func ExampleCSP_Matcher() {
	csp := &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}
	allows := csp.Matcher() // for the many references of a document
	for _, origin := range []string{"https://cdn.example.com", "https://fonts.example.com"} {
		fmt.Println(origin, allows("font-src", origin))
	}
	// Output:
	// https://cdn.example.com true
	// https://fonts.example.com false
}

func ExampleCSPField() {
	fmt.Println(mcpapps.CSPField("script-src-elem"))
	fmt.Printf("%q\n", mcpapps.CSPField("object-src"))
	// Output:
	// resourceDomains
	// ""
}

// Some servers put spaces or another case into the media type.
func ExampleIsMIMEType() {
	for _, s := range []string{mcpapps.MIMEType, "Text/HTML; profile=mcp-app", "text/html"} {
		fmt.Println(mcpapps.IsMIMEType(s))
	}
	// Output:
	// true
	// true
	// false
}

// Newer browsers bound by this header where a view connects, in addition to its
// policy.
func ExampleCSP_ConnectionAllowlist() {
	csp := &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}
	fmt.Println(csp.ConnectionAllowlist())
	// Output: (response-origin "https://api.example.com");redirects=allow
}

// A document that needs the address of its API takes it from the CSP that the app
// declares, where it has to be anyway.
func ExampleDeclaredUI() {
	document := mcpapps.HTMLFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		ui, ok := mcpapps.DeclaredUI(ctx)
		if !ok || ui.CSP == nil {
			return "", errors.New("the app declares no API")
		}
		api, err := view.Data(ui.CSP.ConnectDomains[0])
		return "<!doctype html><script>const api = " + api + "</script>", err
	})
	server := mcp.NewServer(&mcp.Implementation{Name: "acme", Version: "1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://acme/map"}, mcpapps.ResourceUIMetadata{
		CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}},
	}, document)

	session := connect(server, true)
	defer session.Close()
	result, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "ui://acme/map"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Contents[0].Text)
	// Output:
	// <!doctype html><script>const api = "https://api.example.com"</script>
}

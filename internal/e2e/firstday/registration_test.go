package firstday

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// TestTheStartPanics shows the mistakes that end the program as it starts: nobody has to
// look for these.
func TestTheStartPanics(t *testing.T) {
	for author, c := range map[string]struct {
		does func()
		want string
	}{
		"wrote iu:// for ui://": {
			func() { hello(func(a *app) { a.view.Resource.URI = "iu://hello/index.html" }) },
			`mcpapps.RegisterApp: tool "greet": View.Resource.URI "iu://hello/index.html" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`,
		},
		"gave the view the media type of web pages": {
			func() { hello(func(a *app) { a.view.Resource.MIMEType = "text/html" }) },
			`mcpapps.RegisterApp: resource "ui://hello/index.html": the media type is "text/html", and an app's is always "text/html;profile=mcp-app": leave it empty`,
		},
		"allowed a URL in place of its origin": {
			func() {
				hello(func(a *app) { a.view.UI.CSP = &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com/v1"}} })
			},
			`mcpapps.RegisterApp: resource "ui://hello/index.html": csp.connectDomains[0] is "https://api.example.com/v1": it has a path; write "https://api.example.com"`,
		},
		"allowed a host without its scheme": {
			func() {
				hello(func(a *app) { a.view.UI.CSP = &mcpapps.CSP{ResourceDomains: []string{"cdn.example.com"}} })
			},
			`mcpapps.RegisterApp: resource "ui://hello/index.html": csp.resourceDomains[0] is "cdn.example.com": it has no scheme; write "https://cdn.example.com"`,
		},
		"left out the folder of an embedded file": {
			func() { bundle.Handler(ui, "index.html", nil) },
			`bundle.Handler: "index.html" is not a file of the embed.FS, which has "ui/index.html": write the name with the directories of the go:embed pattern, or embed the file`,
		},
		"misspelled an embedded file": {
			func() { mcpapps.HTMLFile(ui, "ui/indx.html") },
			`mcpapps.HTMLFile: "ui/indx.html" is not a file of the embed.FS, which has "ui/index.html": write the name with the directories of the go:embed pattern, or embed the file`,
		},
		"set options after registering": {
			func() { mcpapps.Enable(hello(nil), &mcpapps.Options{DisableApps: true}) },
			`mcpapps.Enable: other options are in force, the defaults, not DisableApps: call Enable once, before the first Register function`,
		},
		"named a template in a tool": {
			func() { hello(func(a *app) { a.view.Resource.URI = "ui://hello/{name}" }) },
			`mcpapps.RegisterApp: tool "greet": View.Resource.URI "ui://hello/{name}" is a template, which hosts do not expand: use a URI without variables, and register the template with RegisterAppResourceTemplate`,
		},
		"forgot the document": {
			func() { hello(func(a *app) { a.view.Document = nil }) },
			`mcpapps.RegisterApp: tool "greet": View.Document is nil: mcpapps.HTML, HTMLFile and HTMLFunc make one, and bundle.Handler (package view/bundle) for a page that imports or refers to files`,
		},
	} {
		t.Run(author, func(t *testing.T) {
			assert.PanicsWithValue(t, c.want, c.does)
		})
	}
}

// TestRegisteringAgainReplaces shows what is right, and what the documentation of View
// says: nobody reports it.
func TestRegisteringAgainReplaces(t *testing.T) {
	a := newApp(nil)
	s := a.register()
	again := newApp(func(b *app) {
		b.tool.Name = "greet_again"
		b.page = "<!doctype html>\n<title>Other</title>\n<p>Other</p>"
	})
	mcpapps.RegisterApp(s, &a.tool, a.view, a.handler) // the same app twice
	mcpapps.RegisterApp(s, &again.tool, again.view, again.handler)

	cs := mcpappstest.Client(t, s, mcpapps.SupportUI)
	resources, err := cs.ListResources(t.Context(), nil)
	if assert.NoError(t, err) {
		assert.Len(t, resources.Resources, 1)
	}
	read, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if assert.NoError(t, err) {
		assert.Contains(t, read.Contents[0].Text, "<p>Other</p>", "the last document is served to both tools")
	}
	r, err := check.Server(t.Context(), s, nil)
	if assert.NoError(t, err) {
		assert.Empty(t, findings(r))
	}
	assert.Contains(t, documentation(t, "View"), "Two Views with the same URI are two versions of one app: "+
		"the one that is registered last replaces the other")
}

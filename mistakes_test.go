package mcpapps_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each mistake in a tool's declaration: the whole message of the panic, and
// the same from SetToolUI. The constructors of a zero tool name it "x".
func TestToolMistakes(t *testing.T) {
	const uri = "ui://a/view.html"
	for _, tt := range []struct {
		name string
		meta mcp.Meta
		ui   mcpapps.ToolUIMetadata
		want string
	}{
		{"no URI", nil, mcpapps.ToolUIMetadata{}, `resourceUri and visibility are empty: name the ui:// resource that the tool opens, or say in Visibility who may call a tool that opens none`},
		{"an empty ui", mcp.Meta{"ui": map[string]any{}}, mcpapps.ToolUIMetadata{}, `resourceUri and visibility are empty: name the ui:// resource that the tool opens, or say in Visibility who may call a tool that opens none`},
		{"no URI and an empty visibility", nil, mcpapps.ToolUIMetadata{Visibility: []mcpapps.Visibility{}}, `visibility is empty, which hides the tool from everybody: leave it nil for the model and the app, or name one of "model" and "app"`},
		{"other scheme", nil, mcpapps.ToolUIMetadata{ResourceURI: "https://a/view.html"}, `resourceUri "https://a/view.html" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`},
		{"no scheme", nil, mcpapps.ToolUIMetadata{ResourceURI: "a/view.html"}, `resourceUri "a/view.html" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`},
		{"upper-case scheme", nil, mcpapps.ToolUIMetadata{ResourceURI: "UI://a"}, `resourceUri "UI://a" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`},
		{"nothing after the scheme", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://"}, `resourceUri "ui://" has nothing after "ui://"`},
		{"space", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a/b c"}, `resourceUri "ui://a/b c" has a space, control or non-ASCII character at byte 8: percent-encode it, since the URI travels in an HTTP header`},
		{"trailing space", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a "}, `resourceUri "ui://a " has a space, control or non-ASCII character at byte 6: percent-encode it, since the URI travels in an HTTP header`},
		{"newline", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a\nx"}, `resourceUri "ui://a\nx" has a space, control or non-ASCII character at byte 6: percent-encode it, since the URI travels in an HTTP header`},
		{"non-ASCII", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://é"}, `resourceUri "ui://é" has a space, control or non-ASCII character at byte 5: percent-encode it, since the URI travels in an HTTP header`},
		{"template", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a/{id}"}, `resourceUri "ui://a/{id}" is a template, which hosts do not expand: use a URI without variables, and register the template with RegisterAppResourceTemplate`},
		{"fragment", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a#top"}, `resourceUri "ui://a#top" has a fragment: hosts use the URI literally, so remove the fragment`},
		{"bad escape", nil, mcpapps.ToolUIMetadata{ResourceURI: "ui://a/%zz"}, `resourceUri "ui://a/%zz" is not a URI: invalid URL escape "%zz"`},
		{"hidden from everybody", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Visibility: []mcpapps.Visibility{}}, `visibility is empty, which hides the tool from everybody: leave it nil for the model and the app, or name one of "model" and "app"`},
		{"unknown visibility", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Visibility: []mcpapps.Visibility{"model", "user"}}, `visibility[1] is "user": it must be "model" or "app"`},
		{"visibility twice", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Visibility: []mcpapps.Visibility{"app", "app"}}, `visibility[1] repeats "app"`},
		{"known key in Extra", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Extra: map[string]any{"visibility": nil}}, `Extra["visibility"] is a key that this package knows: set the field instead`},
		{"a resource's key in Extra", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Extra: map[string]any{"csp": nil}}, `Extra["csp"] is a key that this package knows: set the field instead`},
		{"no JSON in Extra", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Extra: map[string]any{"f": func() {}}}, `Extra["f"] can't be encoded as JSON: json: unsupported type: func()`},
		{"ui is a string", mcp.Meta{"ui": uri}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui must be an object, not "ui://a/view.html"`},
		{"misspelled key in Extra", nil, mcpapps.ToolUIMetadata{ResourceURI: uri, Extra: map[string]any{"resource_uri": uri}}, `Extra["resource_uri"] is a key that no host reads: set the field for "resourceUri" instead`},
		{"misspelled key", mcp.Meta{"ui": map[string]any{"resourceURI": uri}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui has "resourceURI", which no host reads: write "resourceUri"`},
		{"misspelled visibility", mcp.Meta{"ui": map[string]any{"visibilty": []string{"app"}}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui has "visibilty", which no host reads: write "visibility"`},
		{"dotted key", mcp.Meta{"ui.resourceUri": uri}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta has "ui.resourceUri", which no host reads: write _meta.ui.resourceUri instead`},
		{"the extension's identifier as a key", mcp.Meta{"io.modelcontextprotocol/ui": map[string]any{}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta has "io.modelcontextprotocol/ui", which no host reads: write _meta.ui instead`},
		{"csp on the tool", mcp.Meta{"ui": map[string]any{"csp": map[string]any{}}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui.csp has no effect on a tool: declare it on the resource, in the ResourceUIMetadata of RegisterAppResource or of the View`},
		{"permissions on the tool", mcp.Meta{"ui": map[string]any{"permissions": nil}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui.permissions has no effect on a tool: declare it on the resource, in the ResourceUIMetadata of RegisterAppResource or of the View`},
		{"visibility is a string", mcp.Meta{"ui": map[string]any{"visibility": "app"}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui.visibility must be an array of strings, not "app"`},
		{"author's URI is a number", mcp.Meta{"ui": map[string]any{"resourceUri": 7}}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta.ui.resourceUri must be a string, not 7`},
		{"flat key names another", mcp.Meta{"ui/resourceUri": "ui://b"}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta["ui/resourceUri"] is "ui://b" and the declared resourceUri is "ui://a/view.html": leave the flat key out`},
		{"author's keys disagree", mcp.Meta{"ui/resourceUri": "ui://b", "ui": map[string]any{"resourceUri": "ui://c"}}, mcpapps.ToolUIMetadata{ResourceURI: "ui://c"}, `_meta["ui/resourceUri"] is "ui://b" and _meta.ui.resourceUri is "ui://c": they must be equal, so leave the flat key out`},
		{"flat key is not a string", mcp.Meta{"ui/resourceUri": true}, mcpapps.ToolUIMetadata{ResourceURI: uri}, `_meta["ui/resourceUri"] is true: it must be a ui:// URI`},
		{"flat key alone is not a URI", mcp.Meta{"ui/resourceUri": "view.html"}, mcpapps.ToolUIMetadata{}, `resourceUri "view.html" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := &mcp.Tool{Name: "x", Meta: tt.meta}
			before := fmt.Sprintf("%#v", tool.Meta)
			assert.EqualError(t, mcpapps.SetToolUI(tool, tt.ui), `mcpapps.SetToolUI: tool "x": `+tt.want)
			assert.Equal(t, before, fmt.Sprintf("%#v", tool.Meta), "the tool is untouched on error")
			assert.PanicsWithValue(t, `mcpapps.RegisterAppTool: tool "x": `+tt.want, func() {
				mcpapps.RegisterAppTool(newServer(), tool, tt.ui, say(""))
			})
			assert.PanicsWithValue(t, `mcpapps.RegisterRawAppTool: tool "x": `+tt.want, func() {
				mcpapps.RegisterRawAppTool(newServer(), tool, tt.ui, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
			})
			if tt.meta == nil {
				assert.EqualError(t, tt.ui.Validate(), tt.want)
				assert.PanicsWithValue(t, `mcpapps.ToolMeta: `+tt.want, func() { mcpapps.ToolMeta(tt.ui) })
			}
		})
	}
}

func TestResourceMistakes(t *testing.T) {
	csp := func(entry string) mcpapps.ResourceUIMetadata {
		return mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://ok.example", entry}}}
	}
	at := func(entry string) string { return fmt.Sprintf(`csp.connectDomains[1] is %q: `, entry) }
	const such = `; an entry is one origin, such as "https://api.example.com"`
	for _, tt := range []struct {
		name string
		meta mcp.Meta
		ui   mcpapps.ResourceUIMetadata
		want string
	}{
		{"empty", nil, csp(""), at("") + `it is empty; name an origin, such as "https://api.example.com"`},
		{"bare host", nil, csp("api.example.com"), at("api.example.com") + `it has no scheme; write "https://api.example.com"`},
		{"path", nil, csp("https://a.example/v1"), at("https://a.example/v1") + `it has a path; write "https://a.example"`},
		{"trailing slash", nil, csp("https://a.example/"), at("https://a.example/") + `it ends in a slash, which an origin does not; write "https://a.example"`},
		{"query", nil, csp("https://a.example?x"), at("https://a.example?x") + `it has a query; write "https://a.example"`},
		{"fragment", nil, csp("https://a.example#x"), at("https://a.example#x") + `it has a fragment; write "https://a.example"`},
		{"userinfo", nil, csp("https://me@a.example"), at("https://me@a.example") + `it has user information; an origin ends after the host and the port`},
		{"star", nil, csp("*"), at("*") + `it allows every host; name each origin, such as "https://api.example.com"`},
		{"star host", nil, csp("https://*"), at("https://*") + `it allows every host; name each origin, such as "https://api.example.com"`},
		{"scheme only", nil, csp("https:"), at("https:") + `it is a scheme, which hosts do not allow; name each origin, such as "https://api.example.com"`},
		{"blob", nil, csp("blob:"), at("blob:") + `it is a scheme, which hosts do not allow; name each origin, such as "https://api.example.com"`},
		{"data", nil, csp("data:"), at("data:") + `it is a scheme, which hosts do not allow; name each origin, such as "https://api.example.com"`},
		{"keyword", nil, csp("'unsafe-eval'"), at("'unsafe-eval'") + `it has the character '\'' at byte 0` + such},
		{"space", nil, csp("https://a.example b"), at("https://a.example b") + `it has the character ' ' at byte 17` + such},
		{"directive", nil, csp("https://a.example; script-src *"), at("https://a.example; script-src *") + `it has the character ';' at byte 17` + such},
		{"comma", nil, csp("https://a,https://b"), at("https://a,https://b") + `it has the character ',' at byte 9` + such},
		{"newline", nil, csp("https://a\r\nX: y"), at("https://a\r\nX: y") + `it has the character '\r' at byte 9` + such},
		{"quote", nil, csp(`https://a"`), at(`https://a"`) + `it has the character '"' at byte 9` + such},
		{"non-ASCII", nil, csp("https://bücher.example"), at("https://bücher.example") + `it has a non-ASCII character at byte 9; write the host in punycode (xn--…)`},
		{"other scheme", nil, csp("ftp://a.example"), at("ftp://a.example") + `its scheme is not http, https, ws or wss`},
		{"no host", nil, csp("https://"), at("https://") + `it has no host`},
		{"inner wildcard", nil, csp("https://a.*.example"), at("https://a.*.example") + `a wildcard may only be the whole first label, as in "https://*.example.com"`},
		{"half a wildcard", nil, csp("https://a*.example"), at("https://a*.example") + `a wildcard may only be the whole first label, as in "https://*.example.com"`},
		{"trailing dot", nil, csp("https://localhost."), at("https://localhost.") + `its host ends with a dot, which browsers treat as another host; remove the dot`},
		{"empty label", nil, csp("https://a..b"), at("https://a..b") + `its host has an empty label between dots`},
		{"hyphen", nil, csp("https://-a.example"), at("https://-a.example") + `its host's label "-a" begins or ends with a hyphen`},
		{"underscore", nil, csp("https://a_b.example"), at("https://a_b.example") + `its host has the character '_'`},
		{"IPv6", nil, csp("http://[::1]:3000"), at("http://[::1]:3000") + `browsers do not match IPv6 addresses in a policy; name a host or an IPv4 address`},
		{"half an address", nil, csp("http://127.1"), at("http://127.1") + `its host ends in a number but is not an IPv4 address`},
		{"port 0", nil, csp("http://a:0"), at("http://a:0") + `its port is "0"; it must be a number from 1 to 65535`},
		{"port too large", nil, csp("http://a:65536"), at("http://a:65536") + `its port is "65536"; it must be a number from 1 to 65535`},
		{"any port", nil, csp("http://a:*"), at("http://a:*") + `its port is "*"; it must be a number from 1 to 65535`},
		{"no port", nil, csp("http://a:"), at("http://a:") + `its port is ""; it must be a number from 1 to 65535`},
		{"resourceDomains", nil, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ResourceDomains: []string{"x"}}}, `csp.resourceDomains[0] is "x": it has no scheme; name an origin, such as "https://api.example.com"`},
		{"frameDomains", nil, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{FrameDomains: []string{"x"}}}, `csp.frameDomains[0] is "x": it has no scheme; name an origin, such as "https://api.example.com"`},
		{"baseUriDomains", nil, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{BaseURIDomains: []string{"x"}}}, `csp.baseUriDomains[0] is "x": it has no scheme; name an origin, such as "https://api.example.com"`},
		{"known key in the CSP's Extra", nil, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{Extra: map[string]any{"connectDomains": nil}}}, `CSP.Extra["connectDomains"] is a key that this package knows: set the field instead`},
		{"known permission in Extra", nil, mcpapps.ResourceUIMetadata{Permissions: &mcpapps.Permissions{Extra: map[string]any{"camera": true}}}, `Permissions.Extra["camera"] is a key that this package knows: set the field instead`},
		{"known key in Extra", nil, mcpapps.ResourceUIMetadata{Extra: map[string]any{"resourceUri": ""}}, `Extra["resourceUri"] is a key that this package knows: set the field instead`},
		{"domain with a space", nil, mcpapps.ResourceUIMetadata{Domain: "a b"}, `domain "a b" has a space, control or non-ASCII character at byte 1: take the value from the host's documentation, or leave it empty`},
		{"URI on the resource", mcp.Meta{"ui": map[string]any{"resourceUri": "ui://a"}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.resourceUri has no effect on a resource: declare it on the tool, in the ToolUIMetadata of RegisterAppTool`},
		{"flat key on the resource", mcp.Meta{"ui/resourceUri": "ui://a"}, mcpapps.ResourceUIMetadata{}, `_meta["ui/resourceUri"] belongs on the tool: name the URI in the ToolUIMetadata of RegisterAppTool`},
		{"csp is a string", mcp.Meta{"ui": map[string]any{"csp": "default-src 'self'"}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.csp must be an object, not "default-src 'self'"`},
		{"csp list of numbers", mcp.Meta{"ui": map[string]any{"csp": map[string]any{"frameDomains": []any{1}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.csp.frameDomains must be an array of strings, but its entry 0 is 1`},
		{"permissions as a list", mcp.Meta{"ui": map[string]any{"permissions": []string{"camera"}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions must be an object, not ["camera"]`},
		{"permission as a word", mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"camera": "yes"}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions.camera must be {}, not "yes"`},
		{"permission as a number", mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"camera": 1}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions.camera must be {}, not 1`},
		{"permission in another spelling", mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"clipboard-write": map[string]any{}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions: there is no permission "clipboard-write": write "clipboardWrite"`},
		{"permission by another name", mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"webcam": true}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions: there is no permission "webcam": write "camera"`},
		{"permission that no host knows", mcp.Meta{"ui": map[string]any{"permissions": map[string]any{"midi": map[string]any{}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.permissions: there is no permission "midi": write camera, microphone, geolocation, clipboardWrite, or set one of a newer specification in Permissions.Extra`},
		{"misspelled permission in Extra", nil, mcpapps.ResourceUIMetadata{Permissions: &mcpapps.Permissions{Extra: map[string]any{"Camera": map[string]any{}}}}, `Permissions.Extra["Camera"] is a key that no host reads: set the field for "camera" instead`},
		{"directive as a key of the csp", mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connect-src": []string{"https://a.example"}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.csp has the key "connect-src": write "connectDomains"`},
		{"directive that no key stands for", mcp.Meta{"ui": map[string]any{"csp": map[string]any{"worker-src": []string{"blob:"}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.csp has the key "worker-src": write connectDomains, resourceDomains, frameDomains, baseUriDomains, or set a key of a newer specification in CSP.Extra`},
		{"csp in snake case", mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connect_domains": []string{}}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.csp has the key "connect_domains": write "connectDomains"`},
		{"misspelled key in the CSP's Extra", nil, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{Extra: map[string]any{"connectdomains": []string{}}}}, `CSP.Extra["connectdomains"] is a key that no host reads: set the field for "connectDomains" instead`},
		{"misspelled key", mcp.Meta{"ui": map[string]any{"prefers_border": true}}, mcpapps.ResourceUIMetadata{}, `_meta.ui has "prefers_border", which no host reads: write "prefersBorder"`},
		{"csp outside of ui", mcp.Meta{"csp": map[string]any{}}, mcpapps.ResourceUIMetadata{}, `_meta has "csp", which no host reads: write _meta.ui.csp instead`},
		{"another vendor's csp in camel case", mcp.Meta{"openai/widgetCSP": map[string]any{"connectDomains": []string{}}}, mcpapps.ResourceUIMetadata{}, `_meta["openai/widgetCSP"] has the key "connectDomains": write "connect_domains"`},
		{"border as a word", mcp.Meta{"ui": map[string]any{"prefersBorder": "no"}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.prefersBorder must be true or false, not "no"`},
		{"domain as a list", mcp.Meta{"ui": map[string]any{"domain": []string{}}}, mcpapps.ResourceUIMetadata{}, `_meta.ui.domain must be a string, not []`},
		{"author's CSP entry", mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []string{"x"}}}}, mcpapps.ResourceUIMetadata{}, `csp.connectDomains[0] is "x": it has no scheme; name an origin, such as "https://api.example.com"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.PanicsWithValue(t, `mcpapps.RegisterAppResource: resource "ui://a": `+tt.want, func() {
				mcpapps.RegisterAppResource(newServer(), &mcp.Resource{URI: "ui://a", Meta: tt.meta}, tt.ui, mcpapps.HTML("<p>"))
			})
			assert.PanicsWithValue(t, `mcpapps.RegisterApp: resource "ui://a": `+tt.want, func() {
				mcpapps.RegisterApp(newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a", Meta: tt.meta}, UI: tt.ui, Document: mcpapps.HTML("<p>")}, say(""))
			})
			assert.PanicsWithValue(t, `mcpapps.RegisterAppResourceTemplate: template "ui://a/{b}": `+tt.want, func() {
				mcpapps.RegisterAppResourceTemplate(newServer(), &mcp.ResourceTemplate{URITemplate: "ui://a/{b}", Meta: tt.meta}, "ui://a", tt.ui,
					mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "", nil }))
			})
			assert.EqualError(t, mcpapps.View{Resource: mcp.Resource{URI: "ui://a", Meta: tt.meta}, UI: tt.ui, Document: mcpapps.HTML("<p>")}.Validate(), tt.want)
			if tt.meta == nil {
				assert.EqualError(t, tt.ui.Validate(), tt.want)
			}
		})
	}
}

// The same checks for a whole view, as an error.
func TestViewValidate(t *testing.T) {
	doc := mcpapps.HTML("<p>")
	for _, tt := range []struct {
		view mcpapps.View
		want string
	}{
		{mcpapps.View{Document: doc}, `View.Resource.URI is empty: every app has a URI such as "ui://server/view.html"`},
		{mcpapps.View{Resource: mcp.Resource{URI: "ui://é"}, Document: doc}, `View.Resource.URI "ui://é" has a space, control or non-ASCII character at byte 5: percent-encode it, since the URI travels in an HTTP header`},
		{mcpapps.View{Resource: mcp.Resource{URI: "ui://a"}}, `View.Document is nil: mcpapps.HTML, HTMLFile and HTMLFunc make one, and bundle.Handler (package view/bundle) for a page that imports or refers to files`},
		{mcpapps.View{Resource: mcp.Resource{URI: "ui://a", MIMEType: "text/html"}, Document: doc}, `the media type is "text/html", and an app's is always "text/html;profile=mcp-app": leave it empty`},
	} {
		assert.EqualError(t, tt.view.Validate(), tt.want)
	}
	assert.NoError(t, mcpapps.View{Resource: mcp.Resource{URI: "ui://a", MIMEType: mcpapps.MIMEType, Meta: mcp.Meta{"x": 1}}, Document: doc}.Validate())
}

// Origins that a policy may name.
func TestOrigins(t *testing.T) {
	for _, origin := range []string{
		"https://example.com", "http://example.com", "wss://live.example.com", "ws://127.0.0.1:21783",
		"https://*.example.com", "https://*.example.com:8443", "http://localhost", "http://localhost:3000",
		"https://xn--bcher-kva.example", "https://intranet", "http://127.example.com", "HTTPS://Example.COM:443", "https://*.localhost",
	} {
		ui := mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{origin}}}
		assert.NoError(t, ui.Validate(), origin)
	}
}

func TestOtherMistakes(t *testing.T) {
	doc := mcpapps.HTML("<p>")
	res := &mcp.Resource{URI: "ui://a"}
	ui := mcpapps.ToolUIMetadata{ResourceURI: "ui://a"}
	tmpl := mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "", nil })
	template := func(uri, shell string, h mcpapps.TemplateHandler) func() {
		return func() {
			mcpapps.RegisterAppResourceTemplate(newServer(), &mcp.ResourceTemplate{URITemplate: uri}, shell, mcpapps.ResourceUIMetadata{}, h)
		}
	}
	for _, tt := range []struct {
		want string
		f    func()
	}{
		{`mcpapps.Enable: the server is nil`, func() { mcpapps.Enable(nil, nil) }},
		{`mcpapps.RegisterAppTool: the server is nil`, func() { mcpapps.RegisterAppTool(nil, &mcp.Tool{Name: "x"}, ui, say("")) }},
		{`mcpapps.RegisterAppTool: the tool is nil`, func() { mcpapps.RegisterAppTool(newServer(), nil, ui, say("")) }},
		{`mcpapps.RegisterAppTool: tool "x": the handler is nil`, func() { mcpapps.RegisterAppTool[noInput, any](newServer(), &mcp.Tool{Name: "x"}, ui, nil) }},
		{`mcpapps.RegisterRawAppTool: tool "x": the handler is nil`, func() { mcpapps.RegisterRawAppTool(newServer(), &mcp.Tool{Name: "x"}, ui, nil) }},
		{`mcpapps.RegisterAppResource: the server is nil`, func() { mcpapps.RegisterAppResource(nil, res, mcpapps.ResourceUIMetadata{}, doc) }},
		{`mcpapps.RegisterAppResource: the resource is nil`, func() { mcpapps.RegisterAppResource(newServer(), nil, mcpapps.ResourceUIMetadata{}, doc) }},
		{`mcpapps.RegisterAppResource: resource "ui://a": the handler is nil`, func() { mcpapps.RegisterAppResource(newServer(), res, mcpapps.ResourceUIMetadata{}, nil) }},
		{`mcpapps.RegisterAppResource: resource "": URI "" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`, func() {
			mcpapps.RegisterAppResource(newServer(), &mcp.Resource{}, mcpapps.ResourceUIMetadata{}, doc)
		}},
		{`mcpapps.RegisterAppResource: resource "ui://{id}/x": URI "ui://{id}/x" is a template, which hosts do not expand: use a URI without variables, and register the template with RegisterAppResourceTemplate`, func() {
			mcpapps.RegisterAppResource(newServer(), &mcp.Resource{URI: "ui://{id}/x"}, mcpapps.ResourceUIMetadata{}, doc)
		}},
		{`mcpapps.RegisterAppResource: resource "ui://a": the media type is "text/html", and an app's is always "text/html;profile=mcp-app": leave it empty`, func() {
			mcpapps.RegisterAppResource(newServer(), &mcp.Resource{URI: "ui://a", MIMEType: "text/html"}, mcpapps.ResourceUIMetadata{}, doc)
		}},
		{`mcpapps.RegisterApp: tool "x": the handler is nil`, func() {
			mcpapps.RegisterApp[noInput, any](newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Resource: *res, Document: doc}, nil)
		}},
		{`mcpapps.RegisterApp: tool "x": View.Resource.URI is empty: every app has a URI such as "ui://server/view.html"`, func() {
			mcpapps.RegisterApp(newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Document: doc}, say(""))
		}},
		{`mcpapps.RegisterApp: tool "x": View.Resource.URI "https://a" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`, func() {
			mcpapps.RegisterApp(newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Resource: mcp.Resource{URI: "https://a"}, Document: doc}, say(""))
		}},
		{`mcpapps.RegisterApp: tool "x": View.Resource.URI "ui://a b" has a space, control or non-ASCII character at byte 6: percent-encode it, since the URI travels in an HTTP header`, func() {
			mcpapps.RegisterApp(newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a b"}, Document: doc}, say(""))
		}},
		{`mcpapps.RegisterApp: tool "x": View.Document is nil: mcpapps.HTML, HTMLFile and HTMLFunc make one, and bundle.Handler (package view/bundle) for a page that imports or refers to files`, func() {
			mcpapps.RegisterApp(newServer(), &mcp.Tool{Name: "x"}, mcpapps.View{Resource: *res}, say(""))
		}},
		{`mcpapps.RegisterAppResourceTemplate: the template is nil`, func() {
			mcpapps.RegisterAppResourceTemplate(newServer(), nil, "ui://a", mcpapps.ResourceUIMetadata{}, tmpl)
		}},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/{b}": the handler is nil`, template("ui://a/{b}", "ui://a", nil)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/{b}": shellURI "" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`, template("ui://a/{b}", "", tmpl)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/{b}": shellURI "ui://a/{b}" is a template: the shell is the concrete URI that tools name, such as "ui://server/view.html"`, template("ui://a/{b}", "ui://a/{b}", tmpl)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/b": it has no variable: register it with RegisterAppResource`, template("ui://a/b", "ui://a", tmpl)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a{?b,c}": servers and clients interpret the expression {?b,c} differently: use {name} or {+name}, with one variable each`, template("ui://a{?b,c}", "ui://a", tmpl)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/{b:3}": servers and clients interpret the expression {b:3} differently: use {name} or {+name}, with one variable each`, template("ui://a/{b:3}", "ui://a", tmpl)},
		{`mcpapps.RegisterAppResourceTemplate: template "ui://a/{b}/{b}": the variable "b" occurs twice`, template("ui://a/{b}/{b}", "ui://a", tmpl)},
		{`mcpapps.HTML: the document is empty`, func() { mcpapps.HTML(" \n") }},
		{`mcpapps.HTMLFunc: the function is nil`, func() { mcpapps.HTMLFunc(nil) }},
		{`mcpapps.HTMLTemplateFunc: the function is nil`, func() { mcpapps.HTMLTemplateFunc(nil) }},
		{`mcpapps.HTMLFile: the file system is nil`, func() { mcpapps.HTMLFile(nil, "a") }},
		{`mcpapps.HTMLFile: "/ui/a.html" is not a file's name in a file system: write it with slashes, without a leading / or ./, as in "ui/index.html"`, func() { mcpapps.HTMLFile(fstest.MapFS{}, "/ui/a.html") }},
		{`mcpapps.HTMLFile: "../a.html" is not a file's name in a file system: write it with slashes, without a leading / or ./, as in "ui/index.html"`, func() { mcpapps.HTMLFile(fstest.MapFS{}, "../a.html") }},
	} {
		assert.PanicsWithValue(t, tt.want, tt.f)
	}
	assert.EqualError(t, mcpapps.SetToolUI(nil, ui), `mcpapps.SetToolUI: the tool is nil`)
	assert.PanicsWithValue(t, `mcpapps.RegisterAppResourceTemplate: template "ui://a/{b": it has a '{' without its counterpart: a variable is written {name}`, template("ui://a/{b", "ui://a", tmpl))
	// Malformed expressions: the message is the template library's, after ours.
	assert.Panics(t, template("ui://a/{}", "ui://a", tmpl))
	assert.Panics(t, template("https://a/{b}", "ui://a", tmpl))
}

// What handlers do wrong reaches the client as an error with a reason, and
// without a path of this machine.
func TestHandlerMistakes(t *testing.T) {
	fails := func(err error) mcp.ResourceHandler {
		return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return nil, err }
	}
	denied := &fs.PathError{Op: "open", Path: "/home/me/secret.html", Err: fs.ErrPermission}
	for _, tt := range []struct {
		name string
		h    mcp.ResourceHandler
		want string
	}{
		{"no result", fails(nil), `reading the app "ui://a": the handler returned no result`},
		{"no contents", contents(), `reading the app "ui://a": the handler returned no contents at this URI`},
		{"nil item", contents(nil), `reading the app "ui://a": contents[0] is nil`},
		{"other URI only", contents(&mcp.ResourceContents{URI: "ui://b", Text: "x"}), `reading the app "ui://a": the handler returned no contents at this URI`},
		{"empty text", contents(&mcp.ResourceContents{}), `reading the app "ui://a": contents[0]: the document is empty, which hosts show as a blank frame`},
		{"empty blob", contents(&mcp.ResourceContents{Blob: []byte{}}), `reading the app "ui://a": contents[0]: the document is empty, which hosts show as a blank frame`},
		{"empty from HTMLFunc", mcpapps.HTMLFunc(func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "\n", nil }), `reading the app "ui://a": the document is empty, which hosts show as a blank frame`},
		{"invalid UTF-8", contents(&mcp.ResourceContents{Text: "a\xff"}), `reading the app "ui://a": contents[0]: the document is not valid UTF-8`},
		{"invalid UTF-8 in a blob", contents(&mcp.ResourceContents{Blob: []byte("a\xff")}), `reading the app "ui://a": contents[0]: the document is not valid UTF-8`},
		{"text and blob", contents(&mcp.ResourceContents{Text: "a", Blob: []byte("b")}), `reading the app "ui://a": contents[0]: it has both text and blob: return one`},
		{"other media type", contents(&mcp.ResourceContents{URI: "ui://a", MIMEType: "text/html", Text: "x"}), `reading the app "ui://a": contents[0]: the media type is "text/html", not "text/html;profile=mcp-app": serve other content at a URI of its own`},
		{"failure", fails(errors.New("database is down")), `reading the app "ui://a": database is down`},
		{"path", fails(denied), `reading the app "ui://a": open: permission denied`},
		{"path, wrapped", fails(fmt.Errorf("loading %s: %w", "/home/me/secret.html", denied)), `reading the app "ui://a": open: permission denied`},
		{"paths of a link", fails(&os.LinkError{Op: "rename", Old: "/home/me/a", New: "/home/me/b", Err: fs.ErrPermission}), `reading the app "ui://a": rename: permission denied`},
		{"missing file", mcpapps.HTMLFile(fstest.MapFS{}, "a.html"), `Resource not found`},
		{"missing file on disk", mcpapps.HTMLFile(os.DirFS(t.TempDir()), "a.html"), `Resource not found`},
		{"JSON-RPC error", fails(mcp.ResourceNotFoundError("ui://other")), `Resource not found`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, version := range mcp.SupportedProtocolVersions() {
				s := newServer()
				mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, mcpapps.ResourceUIMetadata{}, tt.h)
				e := connectRaw(t, s, version, capsUI).fail("resources/read", `{"uri":"ui://a"}`)
				assert.Equal(t, tt.want, e.Message, version)
				assert.NotContains(t, e.Error(), "/home/me")
			}
		})
	}
	t.Run("input requests", func(t *testing.T) {
		s := newServer()
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, mcpapps.ResourceUIMetadata{}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "which?"}}, RequestState: "s"}, nil
		})
		res := connectRaw(t, s, "2026-07-28", capsUI).result("resources/read", `{"uri":"ui://a"}`)
		require.Contains(t, res, `"resultType":"input_required"`)
		require.Contains(t, res, `"requestState":"s"`)
	})
}

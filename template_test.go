package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// templateClient reads from a server whose documents are the template's variables.
func templateClient(t *testing.T, templates ...string) *rawClient {
	s := newServer()
	for i, tmpl := range templates {
		mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: tmpl}, fmt.Sprintf("ui://shell/%d", i), mcpapps.ResourceUIMetadata{},
			mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
				data, err := json.Marshal(vars)
				return string(data), err
			}))
	}
	return connectRaw(t, s, "2025-11-25", capsUI)
}

func TestTemplateVariables(t *testing.T) {
	c := templateClient(t, "ui://one/{name}/view", "ui://rest/{+path}", "ui://two/{a}-{b.c}", "ui://re/a.b(c)$/{x}", "ui://q/{x}?y=1")
	for uri, want := range map[string]string{
		"ui://one/a/view":           `{"name":"a"}`,
		"ui://one/a%2Fb/view":       `{"name":"a/b"}`,
		"ui://one/a%2Cb/view":       `{"name":"a,b"}`,
		"ui://one/a,b/view":         `{"name":"a,b"}`,
		"ui://one/a%2Bb/view":       `{"name":"a+b"}`,
		"ui://one/%E2%82%AC/view":   `{"name":"€"}`,
		"ui://rest/a/b,c+d?e=f&g=,": `{"path":"a/b,c+d?e=f\u0026g=,"}`,
		"ui://two/1-2":              `{"a":"1","b.c":"2"}`,
		"ui://re/a.b(c)$/1":         `{"x":"1"}`,
		"ui://q/1?y=1":              `{"x":"1"}`,
	} {
		var got struct{ Contents []struct{ Text string } }
		require.NoError(t, json.Unmarshal([]byte(c.result("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))), &got), uri)
		assert.Equal(t, want, got.Contents[0].Text, uri)
	}
	for _, uri := range []string{"ui://one//view", "ui://one/a/b/view", "ui://one/%/view", "ui://one/%zz/view", "ui://one/a b/view", "ui://one/é/view", "ui://one/\n/view", "ui://rest/", "ui://two/-1", "ui://re/axb(c)$/1", "ui://q/1?y=12"} {
		assert.Equal(t, "Resource not found", c.fail("resources/read", fmt.Sprintf(`{"uri":%q}`, uri)).Message, uri)
	}
}

// A client can't make matching slow: one URI of 16 kB of commas once took 38
// seconds.
func TestTemplateReadIsQuick(t *testing.T) {
	c := templateClient(t, "ui://one/{name}", "ui://rest/{+path}/{last}")
	for _, uri := range []string{"ui://one/" + strings.Repeat(",", 1<<16), "ui://rest/" + strings.Repeat("a/,", 1<<15)} {
		start := time.Now()
		c.call("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
		assert.Less(t, time.Since(start), 20*time.Second, uri[:12])
	}
}

// The shell is listed with what the template has, and both are read with its metadata.
// The handler gets nil variables for the shell only.
func TestShellIsListedAsItsTemplate(t *testing.T) {
	s := newServer()
	shells := map[bool]int{}
	h := mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
		shells[vars == nil]++
		return "<p>", nil
	})
	border := true
	ui := mcpapps.ResourceUIMetadata{PrefersBorder: &border}
	mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{
		URITemplate: "ui://t/{id}", Name: "n", Title: "T", Description: "D", Meta: mcp.Meta{"x": 1},
		Annotations: &mcp.Annotations{Priority: 1}, Icons: []mcp.Icon{{Source: "https://i"}},
	}, "ui://t", ui, h)
	mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://u/{id}"}, "ui://u", mcpapps.ResourceUIMetadata{}, h)
	c := connectRaw(t, s, "2025-11-25", capsUI)
	const same = `"_meta":{"ui":{"prefersBorder":true},"x":1},"annotations":{"priority":1},"description":"D","mimeType":"text/html;profile=mcp-app","name":"n","title":"T",`
	const icons = `,"icons":[{"src":"https://i"}]}`
	assert.Contains(t, c.result("resources/list", `{}`), `{`+same+`"uri":"ui://t"`+icons)
	assert.Contains(t, c.result("resources/list", `{}`), `"name":"ui://u","uri":"ui://u"`)
	assert.Contains(t, c.result("resources/templates/list", `{}`), `{`+same+`"uriTemplate":"ui://t/{id}"`+icons)
	assert.Contains(t, c.result("resources/templates/list", `{}`), `"name":"ui://u/{id}","uriTemplate":"ui://u/{id}"`)
	for _, uri := range []string{"ui://t", "ui://t/1"} {
		assert.Contains(t, c.result("resources/read", `{"uri":"`+uri+`"}`), `"_meta":{"ui":{"prefersBorder":true},"x":1}`)
	}
	assert.Equal(t, map[bool]int{true: 1, false: 1}, shells)
}

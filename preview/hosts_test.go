package preview

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

func says[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: compat.Source{Kind: compat.Probe, By: "a test", Date: "2026-08-19"}}}}
}

// The page gets every host that is known, with the facts and their sources.
func TestHostsOfThePage(t *testing.T) {
	text := &compat.Profile{ID: "text", Name: "Text", ShowsApps: says(false)}
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{Emulate: text})
	var event struct {
		Chosen string
		Hosts  []hostEntry
	}
	raw, err := json.Marshal(p.waitType("hosts"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &event))
	assert.Equal(t, "text", event.Chosen)
	assert.Len(t, event.Hosts, len(compat.Profiles())+1)
	for _, h := range event.Hosts {
		assert.Equal(t, h.ID == "text", h.NoApps && h.Name == "Text", h.ID)
		profile, err := p.run.profile(h.ID)
		require.NoError(t, err)
		assert.Empty(t, h.Facts, "the page asks for them")
		p.do(`[{"op":"host","host":"` + h.ID + `"}]`)
		var full struct{ Host hostEntry }
		raw, err := json.Marshal(p.waitType("host"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &full))
		assert.Equal(t, h.ID, full.Host.ID)
		assert.Len(t, full.Host.Facts, len(profile.Rows()))
	}
	_, err = p.run.profile("other")
	assert.EqualError(t, err, `no host "other" is known`)
}

func TestHostEntry(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	size := says(compat.Size{Width: 400, MaxHeight: 768})
	size.Claims[0].Note = "on a desktop"
	result := compat.Fact[compat.Result]{Claims: []compat.Claim[compat.Result]{
		{Value: new(compat.Result), When: "local servers", Source: compat.Source{Kind: compat.Report, Date: "2026-07-06", Ref: "ext-apps #696"}},
		{Note: "restricted", Source: compat.Source{Kind: compat.Documentation, By: "the vendor", Date: "2026-12-01"}},
	}}
	*result.Claims[0].Value = compat.ResultContentOnly
	profile := &compat.Profile{ID: "x", Name: "X", Source: compat.Source{Kind: compat.Probe, By: "P", Date: "2026-12-01"},
		Size: size, Result: result, Permissions: says([]string{}), Engine: says(compat.WebKit)}
	facts := map[string]hostFact{}
	for _, f := range factsOf(profile, now, false) {
		facts[f.Title] = f
	}
	assert.Equal(t, "probe, P, 2026-12-01", newHostEntry(profile).Source)
	assert.Equal(t, hostFact{Title: "size given to a view", Shown: "emulated", Claims: []hostClaim{{Value: "400 wide, at most 768 high", Note: "on a desktop", Source: "probe, a test, 2026-08-19"}}}, facts["size given to a view"])
	assert.Equal(t, []hostClaim{
		{Value: "content-only", When: "local servers", Source: "report, 2026-07-06, ext-apps #696"},
		{Value: "unknown", Note: "restricted", Source: "documentation, the vendor, 2026-12-01"},
	}, facts["what arrives of a result"].Claims)
	assert.Equal(t, "none", facts["permissions granted"].Claims[0].Value)
	assert.Equal(t, "not-shown", facts["browser engine"].Shown)
	assert.Equal(t, "unknown", facts["sendMessage"].Shown)
	assert.True(t, factsOf(&compat.Profile{ID: "x", Size: size}, now.AddDate(0, 3, 0), false)[7].Claims[0].Old)
}

// A view is opened as in the host that the page names, and what is read again of its
// document is honoured as there.
func TestOpenAsInAHost(t *testing.T) {
	s := testServer()
	s.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"},
		appHandler("<!doctype html><title>v</title>", map[string]any{"csp": map[string]any{"frameDomains": []string{"https://f.example"}}}))
	p := startPageFor(t, host.Target{Server: s}, &Options{Emulate: &compat.Profile{ID: "mine", Name: "Mine", Message: says(compat.No), FrameDomains: says(compat.No), Size: says(compat.Size{Width: 9})}})
	p.waitType("tools")
	p.do(`[{"op":"open","call":"1","tool":"both","host":"mine","context":{"containerDimensions":{"width":480}}}]`)
	var id string
	shownView := p.waitType("view")
	require.NoError(t, json.Unmarshal(shownView["view"], &id))
	assert.NotContains(t, string(shownView["csp"]), "f.example", "the policy")
	p.do(`[{"op":"message","view":"` + id + `","msg":{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}}]`)
	var answer struct {
		Result struct {
			HostInfo         struct{ Name string }
			HostCapabilities map[string]any
			HostContext      json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(p.waitSent(`"hostInfo"`), &answer))
	assert.Equal(t, "mine", answer.Result.HostInfo.Name)
	assert.NotContains(t, answer.Result.HostCapabilities, "message")
	assert.Contains(t, answer.Result.HostCapabilities, "openLinks")
	assert.Contains(t, string(answer.Result.HostContext), `"containerDimensions":{"width":480}`, "the page knows its frames")

	// The document that is read again is the same, so that the view is not loaded again.
	shown, ok := p.run.reread("a test")
	assert.True(t, ok)
	assert.False(t, shown)
	// What was declared is known of the view, of a document that is read again and of a twin.
	ignores := func(shown map[string]json.RawMessage) {
		t.Helper()
		name := strings.TrimPrefix(str(shown["origin"]), "http://")
		resp, _ := p.get(name, p.run.sandboxPort, "/view")
		path := regexp.MustCompile(`report-uri (\S+)`).FindStringSubmatch(resp.Header.Get("Content-Security-Policy"))[1]
		p.post(name, path, `{"csp-report":{"effective-directive":"frame-src","blocked-uri":"https://f.example/"}}`)
		violation := p.wait("violation", func(e map[string]json.RawMessage) bool {
			return str(e["type"]) == "violation" && str(e["view"]) == str(shown["view"])
		})
		assert.Contains(t, string(violation["violation"]), `"remedy":"","ignored":"The metadata allows it in csp.frameDomains, which Mine ignores as it is emulated."`)
	}
	ignores(shownView)
	s.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"},
		appHandler("<!doctype html><title>edited</title>", map[string]any{"csp": map[string]any{"frameDomains": []string{"https://f.example"}}}))
	shown, _ = p.run.reread("a test")
	assert.True(t, shown)
	assert.Equal(t, `"a test"`, string(p.waitType("reload")["reason"]))
	ignores(shownView)
	p.do(`[{"op":"twin","view":"` + id + `","context":{}}]`)
	ignores(p.wait("twin", func(e map[string]json.RawMessage) bool { return str(e["type"]) == "view" && e["twin"] != nil }))

	p.do(`[{"op":"reload","view":"` + id + `"}]`)
	assert.Equal(t, `"opened again"`, string(p.waitType("reload")["reason"]))

	p.do(`[{"op":"open","call":"2","tool":"both","host":"none","context":{}}]`)
	for {
		if e := p.waitType("result"); string(e["call"]) == `"2"` {
			assert.Equal(t, `"no host \"none\" is known"`, string(e["error"]))
			return
		}
	}
}

// The facts are those about the kind of the server.
func TestHostsForTheKindOfAServer(t *testing.T) {
	for kind, want := range map[string]compat.Result{compat.LocalServers: compat.ResultContentOnly, compat.Connectors: compat.ResultWhole} {
		desktop, err := (&Preview{kind: kind}).profile("claude-desktop")
		require.NoError(t, err)
		got, _ := desktop.Result.Value()
		assert.Equal(t, want, got)
	}
	p := startPageFor(t, testCommand(t, "banner"), nil)
	assert.Equal(t, compat.LocalServers, p.run.kind)
}

// The server is told the client name of the host that is emulated at first, where that is
// known, unless the program has one.
func TestClientNameOfAHost(t *testing.T) {
	mine := &compat.Profile{ID: "mine", Name: "Mine", Version: "3", ClientNames: says([]string{"mine-client", "older"})}
	for _, c := range []struct {
		opts *Options
		want mcp.Implementation
		told string
	}{
		{nil, mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}, ""},
		{&Options{Emulate: mine}, mcp.Implementation{Name: "mine-client", Version: "3"}, "mine-client"},
		{&Options{Emulate: &compat.Profile{ID: "x", ClientNames: mine.ClientNames}}, mcp.Implementation{Name: "mine-client", Version: "unknown"}, "mine-client"},
		{&Options{Emulate: &compat.Profile{ID: "x"}}, mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}, ""},
		{&Options{Emulate: mine, Connect: &host.ConnectOptions{ClientInfo: &mcp.Implementation{Name: "p", Version: "1"}}}, mcp.Implementation{Name: "p", Version: "1"}, "p"},
	} {
		s := testServer()
		p := startPageFor(t, host.Target{Server: s}, c.opts)
		for session := range s.Sessions() {
			assert.Equal(t, c.want, *session.InitializeParams().ClientInfo)
		}
		assert.Equal(t, c.told, str(p.waitType("hosts")["told"]))
	}
}

// A result that names another view is noted in the record of the view.
func TestResultThatNamesAnotherView(t *testing.T) {
	s := testServer()
	s.AddTool(&mcp.Tool{Name: "chooses", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "ui://t/view.html"})},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}, Meta: ui(map[string]any{"resourceUri": "ui://t/other"})}, nil
		})
	p := startPageFor(t, host.Target{Server: s}, nil)
	p.do(`[{"op":"open","call":"1","tool":"chooses"}]`)
	p.wait("note", func(e map[string]json.RawMessage) bool {
		return str(e["text"]) == "the result names the view ui://t/other, which some hosts would open instead of ui://t/view.html"
	})
}

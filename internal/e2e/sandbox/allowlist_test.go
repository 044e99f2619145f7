package sandbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

//go:embed view.html
var viewHTML string

// callHTML makes a WebRTC connection with the constructor of a window.
const callHTML = `<!doctype html><title>call</title><body><script>
const blank = document.createElement("iframe");
document.body.append(blank);
new Image().src = "/done?own={}";
setTimeout(async () => {
	const peer = new (WINDOW.RTCPeerConnection)({ iceServers: [{ urls: "stun:SERVER" }] });
	peer.createDataChannel("x");
	await peer.setLocalDescription(await peer.createOffer());
}, 100);
</script>`

// pageHTML comes before the frames of views, and has their proxies load the documents.
const pageHTML = `<!doctype html><title>page</title><script>addEventListener("message", (e) => {
	if (e.data.method === "ui/notifications/sandbox-proxy-ready")
		e.source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: {} }, e.origin);
})</script>`

var declared = &mcpapps.CSP{
	ConnectDomains:  []string{"https://*.declared.test", "wss://*.declared.test", "https://*.port.test:8443", "http://*.plain.test"},
	ResourceDomains: []string{"https://*.declared.test"},
	FrameDomains:    []string{"https://*.declared.test"},
}

// A program serves pages that show views, in the sandbox.
type program struct {
	net     *internet
	sandbox http.Handler
	server  *mcp.Server
	conn    *host.Connection
	done    chan string // what a view could load of its own, as JSON

	mu         sync.Mutex
	bridges    map[string]*host.Bridge
	violations map[string][]string
}

func newProgram(t *testing.T) *program {
	p := &program{
		server: mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil), done: make(chan string, 10),
		bridges: map[string]*host.Bridge{}, violations: map[string][]string{},
	}
	p.net = newInternet(t, p)
	p.sandbox = host.SandboxHandler(p.net.origin("localhost"), func(r *http.Request) *host.Bridge {
		name, _, _ := strings.Cut(r.Host, ".")
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.bridges[name]
	}, &host.SandboxOptions{
		ConnectionAllowlist: func(b *host.Bridge, declared *mcpapps.CSP) string {
			switch name := p.nameOf(b); {
			case strings.HasPrefix(name, "without"):
				return ""
			case strings.HasPrefix(name, "allowed"):
				return declared.ConnectionAllowlist() + ";webrtc=allow"
			default:
				return declared.ConnectionAllowlist()
			}
		},
		Violation: func(b *host.Bridge, v host.Violation) {
			name := p.nameOf(b)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.violations[name] = append(p.violations[name], v.Directive+" "+v.Blocked)
		},
	})
	var err error
	p.conn, err = host.Connect(t.Context(), host.Target{Server: p.server}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { p.conn.Close() })
	return p
}

func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, _, _ := strings.Cut(r.Host, ":"); name == "localhost" {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pageHTML)
		for name := range strings.SplitSeq(strings.TrimPrefix(r.URL.Path, "/"), ",") {
			fmt.Fprintf(w, `<iframe src="%s/" sandbox="%s"></iframe>`, p.net.origin(name+".localhost"), host.SandboxAttribute)
		}
		return
	}
	if r.URL.Path == "/done" {
		p.done <- r.URL.Query().Get("own")
	}
	p.sandbox.ServeHTTP(w, r)
}

func (p *program) nameOf(b *host.Bridge) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, bridge := range p.bridges {
		if bridge == b {
			return name
		}
	}
	return ""
}

func (p *program) register(name string, csp *mcpapps.CSP, document string) {
	mcpapps.RegisterApp(p.server, &mcp.Tool{Name: name}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://t/" + name + ".html"}, Document: mcpapps.HTML(document), UI: mcpapps.ResourceUIMetadata{CSP: csp},
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
}

// show opens a page with views, waits until all are done, and returns what the last
// one could load of its own.
func (p *program) show(t *testing.T, names ...string) map[string]bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for _, name := range names {
		b, err := p.conn.Open(ctx, name, nil, nil)
		require.NoError(t, err)
		p.mu.Lock()
		p.bridges[name] = b
		p.mu.Unlock()
	}
	page, err := p.net.browser.Open(ctx, p.net.origin("localhost")+"/"+strings.Join(names, ","), 600, 600, false)
	require.NoError(t, err)
	own := map[string]bool{}
	for range names {
		select {
		case result := <-p.done:
			require.NoError(t, json.Unmarshal([]byte(result), &own))
		case <-ctx.Done():
			t.Fatal(names, " are not done: ", page.Console())
		}
	}
	return own
}

// A view connects to what it declares and to nothing else, by whatever means,
// preconnect, DNS hints and WebRTC included. What it may load by its policy is
// not blocked, and violations are reported. The views whose names begin with
// "without" are shown as in a browser that does not know the header: they prove
// that the probes work, and are the reason for the header. CI leaves out the view with an
// empty declaration, whose header is that of a view without one; ci/full opens it.
func TestConnectionAllowlist(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	p := newProgram(t)
	views := map[string]*mcpapps.CSP{"declares": declared, "nothing": nil, "without": declared}
	if testenv.Full() {
		views["empty"] = &mcpapps.CSP{}
	}
	own := map[string]map[string]bool{}
	for name, csp := range views {
		p.register(name, csp, strings.ReplaceAll(viewHTML, "PAGE", name))
	}
	calls := map[string]string{"rtc": "window", "rtcproxy": "parent", "rtcblank": "blank.contentWindow", "withoutrtc": "window", "allowedrtc": "window"}
	for name, window := range calls {
		p.register(name, declared, strings.NewReplacer("WINDOW", window, "SERVER", p.net.stunServer(t, name)).Replace(callHTML))
	}
	for _, name := range slices.Sorted(maps.Keys(views)) {
		own[name] = p.show(t, name)
	}
	p.show(t, slices.Collect(maps.Keys(calls))...)
	require.Eventually(t, func() bool {
		p.net.mu.Lock()
		defer p.net.mu.Unlock()
		return p.net.seen["STUN packet of withoutrtc"] && p.net.seen["STUN packet of allowedrtc"]
	}, time.Minute, 10*time.Millisecond, "WebRTC works where it is allowed")
	time.Sleep(time.Second) // for what must not come
	seen := p.net.close(t)

	for name := range seen {
		if strings.HasPrefix(name, "STUN") {
			assert.Contains(t, []string{"STUN packet of withoutrtc", "STUN packet of allowedrtc"}, name)
		}
	}
	of := func(view string) (list []string) {
		for what := range seen {
			if strings.Contains(what, "-"+view+".") {
				list = append(list, strings.Replace(what, "-"+view+".", ".", 1))
			}
		}
		slices.Sort(list)
		return list
	}
	prefixed := func(prefix, suffix string, kinds ...string) (list []string) {
		for _, kind := range kinds {
			list = append(list, prefix+kind+suffix)
		}
		return list
	}
	hints := []string{"preconnect", "scriptpreconnect", "proxypreconnect", "blankpreconnect", "srcdocpreconnect", "proxyframepreconnect"}

	got := of("declares")
	assert.Subset(t, got, prefixed("request to https://", ".declared.test", "fetch", "keepalive", "xhr", "beacon", "ping", "events", "socket", "image", "media",
		"font", "style", "script", "module", "modulepreload", "preload", "prefetch", "frame", "deep.er", "from", "redirected"))
	assert.Subset(t, got, []string{"request to https://port.port.test:8443", "request to http://plain.plain.test", "request to https://upgraded.plain.test", "look-up of dns.declared.test"})
	assert.Subset(t, got, prefixed("connection to ", ".declared.test", hints...))
	for _, what := range got {
		assert.NotContains(t, what, ".other.test", "not declared")
		assert.NotContains(t, what, "early", "declared with another port")
	}
	assert.NotContains(t, got, "request to https://port.port.test")
	assert.NotContains(t, got, "request to https://port.port.test:9443")
	assert.False(t, seen["connection to declared.test"], "a wildcard does not cover the domain itself")
	got = of("without")
	assert.Subset(t, got, prefixed("connection to ", ".other.test", hints...), "these the policy leaves open")
	assert.Contains(t, got, "look-up of dns.other.test")

	for name, csp := range views {
		if csp != declared {
			assert.Empty(t, of(name), name)
		}
		assert.Equal(t, map[string]bool{"image data": true, "blob made": true, "own file": name != "nothing"}, own[name], name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	assert.Subset(t, p.violations["declares"], []string{"connect-src https://fetch-declares.other.test/", "img-src https://image-declares.other.test/", "connect-src https://from-declares.declared.test/?to=https://redirected-declares.other.test/"})
	assert.Contains(t, p.violations["nothing"], "connect-src https://fetch-nothing.declared.test/")
}

// Package client tests the client's half of the library with a browser, which
// enforces its policies, and with the published servers.
package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A probe tries to reach a URL in one way; see probe.html for the kinds.
type probe struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
}

// A lab is Chromium with a proxy that stands for the whole network. Several
// documents may run at once.
type lab struct {
	net    *network
	driver *e2e.Driver

	mu    sync.Mutex
	pages map[string]servedPage // by path
}

var (
	started sync.Once
	running *lab
	stop    = func() {}
)

func TestMain(m *testing.M) {
	testenv.AtOnce(8)
	code := m.Run()
	stop()
	os.Exit(code)
}

// newLab returns the one lab of these tests.
func newLab(t *testing.T) *lab {
	e2e.Need(t, e2e.Packages, e2e.Browser)
	started.Do(func() { running = start(t) })
	if running == nil {
		t.Fatal("the browser did not start, see the first test")
	}
	return running
}

func start(t *testing.T) *lab {
	l := &lab{pages: map[string]servedPage{}}
	l.net = newNetwork(t, func(path string) (servedPage, bool) {
		l.mu.Lock()
		defer l.mu.Unlock()
		p, ok := l.pages[path]
		return p, ok
	})
	var err error
	l.driver, err = e2e.StartDriver("client/policy.mjs", e2e.Chromium(), l.net.proxy)
	require.NoError(t, err)
	stop = func() {
		l.driver.Close()
		l.net.server.Close()
	}
	return l
}

// An outcome is what a document could do under a policy.
type outcome struct {
	reached []bool   // per probe
	Base    string   `json:"base"` // document.baseURI after a base element was added
	Ran     []string `json:"ran"`  // eval, wasm
}

// run serves a document with both headers of a declaration, in which the probes
// run. A probe's URL is an origin; run adds the path.
func (l *lab) run(t *testing.T, c *mcpapps.CSP, probes []probe, base string) outcome {
	t.Helper()
	return l.serve(t, servedPage{policy: c.Policy(), allowlist: c.ConnectionAllowlist()}, probes, base)
}

// serve is run for headers of any origin. It adds the document.
func (l *lab) serve(t *testing.T, p servedPage, probes []probe, base string) outcome {
	t.Helper()
	document, err := os.ReadFile(filepath.Join(e2e.Dir(), "client", "probe.html"))
	require.NoError(t, err)

	l.mu.Lock()
	id := len(l.pages)
	numbered := make([]probe, len(probes))
	for i, p := range probes {
		numbered[i] = probe{p.Kind, fmt.Sprintf("%s/probe/%d/%d", p.URL, id, i)}
	}
	script, err := json.Marshal(map[string]any{"probes": numbered, "base": base})
	path := fmt.Sprintf("/page/%d", id)
	p.body = strings.Replace(string(document), "PROBES", string(script), 1)
	l.pages[path] = p
	l.mu.Unlock()
	require.NoError(t, err)

	var answer outcome
	require.NoError(t, json.Unmarshal(l.driver.Call(t, map[string]any{"url": "http://view.test" + path}), &answer))
	answer.reached = make([]bool, len(probes))
	for i := range probes {
		answer.reached[i] = l.net.reachedPath(fmt.Sprintf("/probe/%d/%d", id, i))
	}
	return answer
}

// waysTo returns a probe to an origin for every kind of request that a policy
// governs, except workers, which browsers load from their own origin only.
func waysTo(origin string) (probes []probe) {
	for _, kind := range []string{"script", "module", "style", "img", "media", "font", "fetch", "beacon", "events", "frame", "object", "embed", "manifest", "form"} {
		probes = append(probes, probe{kind, origin})
	}
	return append(probes, probe{"socket", strings.Replace(origin, "http", "ws", 1)})
}

func (o outcome) kinds(probes []probe) (kinds []string) {
	for i, p := range probes {
		if o.reached[i] {
			kinds = append(kinds, p.Kind)
		}
	}
	return kinds
}

// A document with the policy reaches the declared origins by the kinds of request
// that they are declared for, and nothing else.
func TestPolicyInChromium(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const declared, other = "https://cdn.example.test", "https://other.test"
	resources := []string{"script", "module", "style", "img", "media", "font"}
	connect := []string{"fetch", "beacon", "events"}
	for _, c := range []struct {
		name           string
		csp            *mcpapps.CSP
		self, declared []string // the ways that work
		base           bool
	}{
		{"nothing declared", nil, []string{"script", "module", "style", "img", "media", "worker"}, nil, false},
		{"empty", &mcpapps.CSP{}, append(slices.Concat(resources, connect), "socket", "worker"), nil, false},
		{"resources", &mcpapps.CSP{ResourceDomains: []string{declared}}, append(slices.Concat(resources, connect), "socket", "worker"), resources, false},
		{"connect", &mcpapps.CSP{ConnectDomains: []string{declared}}, append(slices.Concat(resources, connect), "socket", "worker"), connect, false},
		{"connect to sockets", &mcpapps.CSP{ConnectDomains: []string{"wss://cdn.example.test"}}, append(slices.Concat(resources, connect), "socket", "worker"), append(slices.Clone(connect), "socket")[3:], false},
		{"frames", &mcpapps.CSP{FrameDomains: []string{declared}}, append(slices.Concat(resources, connect), "socket", "worker"), []string{"frame"}, false},
		{"base", &mcpapps.CSP{BaseURIDomains: []string{declared}}, append(slices.Concat(resources, connect), "socket", "worker"), nil, true},
		{"all", &mcpapps.CSP{ConnectDomains: []string{declared, "wss://cdn.example.test"}, ResourceDomains: []string{"https://*.example.test"}, FrameDomains: []string{declared}, BaseURIDomains: []string{declared}},
			append(slices.Concat(resources, connect), "socket", "worker"), append(slices.Concat(resources, connect), "frame", "socket"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			self := append(waysTo("http://view.test"), probe{"worker", "http://view.test"})
			probes := slices.Concat(self, waysTo(declared), waysTo(other))
			got := l.run(t, c.csp, probes, declared+"/")
			part := func(from, to int) []string {
				return outcome{reached: got.reached[from:to]}.kinds(probes[from:to])
			}
			n, m := len(self), len(self)+len(waysTo(declared))
			assert.ElementsMatch(t, c.self, part(0, n), "own origin")
			assert.ElementsMatch(t, c.declared, part(n, m), "declared origin")
			assert.Empty(t, part(m, len(probes)), "another origin")
			assert.Equal(t, c.base, got.Base == declared+"/", "base is %q", got.Base)
			assert.Empty(t, got.Ran, "eval and WebAssembly")
		})
	}
}

// What an entry covers: the table with which CSP.Allows is compared.
func TestOriginsInChromium(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	data, err := os.ReadFile(filepath.Join(e2e.Dir(), "..", "..", "testdata", "csp-origins.txt"))
	require.NoError(t, err)
	entries := map[string]map[string]bool{
		// Spellings that the browser rewrites before it compares.
		"http://127.0.0.1:3001":      {"http://2130706433:3001": true, "http://0x7f.1:3001": true},
		"https://xn--bcher-kva.test": {"https://bücher.test": true},
	}
	entry := ""
	for line := range strings.Lines(string(data)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "" || line[0] == '#':
		case line[0] != '\t':
			entry = line
			require.NotContains(t, entries, entry)
			entries[entry] = map[string]bool{}
		default:
			word, origin, _ := strings.Cut(line[1:], " ")
			entries[entry][strings.TrimSpace(origin)] = word == "yes"
		}
	}
	require.Greater(t, len(entries), 20)
	for entry, targets := range entries {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			c := &mcpapps.CSP{ConnectDomains: []string{entry}}
			require.Empty(t, c.Dropped())
			var probes []probe
			var want []bool
			for target, reached := range targets {
				kind := "fetch"
				if strings.HasPrefix(target, "ws") {
					kind = "socket"
				}
				probes = append(probes, probe{kind, target})
				want = append(want, reached)
			}
			got := l.run(t, c, probes, "")
			for i, p := range probes {
				assert.Equal(t, want[i], got.reached[i], "%s of %s", p.Kind, p.URL)
			}
		})
	}
}

// Why the grammar rejects these entries: in a policy they match nothing, or other
// origins than they seem to, or more than one.
func TestRefusedOriginsInChromium(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for entry, targets := range map[string]map[string]bool{
		"http://[::1]:3000":       {"http://[::1]:3000": false},
		"http://127.0.0.0x1":      {"http://127.0.0.1": false, "http://127.0.0.0x1": false},
		"http://0x7f000001":       {"http://127.0.0.1": false, "http://0x7f000001": false},
		"http://2130706433":       {"http://127.0.0.1": false, "http://2130706433": false},
		"http://127.0.0.01":       {"http://127.0.0.1": false},
		"http://*.0.0.1":          {"http://127.0.0.1": true},
		"http://example.test.":    {"http://example.test": false, "http://example.test.": true},
		"https://my_host.test":    {"https://my_host.test": false},
		"https://bücher.test":     {"https://bücher.test": false},
		"https://*.test":          {"https://a.test": true, "https://b.test": true},
		"example.test":            {"http://example.test": true, "https://example.test": true},
		"https://example.test:*":  {"https://example.test:8443": true},
		"https://example.test/v1": {"https://example.test": false},
		"https://u@example.test":  {"https://example.test": false},
		"https:":                  {"https://a.test": true, "https://my_host.test": true}, // and so the network carries what is refused above
		"http:":                   {"http://example.test.": true, "http://[::1]:3000": true, "http://127.0.0.1": true, "http://0x7f000001": true, "http://2130706433": true, "http://127.0.0.0x1": true},
		"*":                       {"https://a.test": true},
	} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			require.Len(t, (&mcpapps.CSP{ConnectDomains: []string{entry}}).Dropped(), 1)
			var probes []probe
			for target := range targets {
				probes = append(probes, probe{"fetch", target})
			}
			got := l.serve(t, servedPage{policy: "default-src 'none'; script-src 'unsafe-inline'; connect-src " + entry}, probes, "")
			for i, p := range probes {
				assert.Equal(t, targets[p.URL], got.reached[i], "%s", p.URL)
			}
		})
	}
}

// An entry that tries to inject something into the policy changes nothing.
func TestInjectionInChromium(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const attacker = "https://attacker.example"
	probes := slices.Concat(waysTo(attacker), []probe{
		{"script", "https://a.test"}, {"fetch", "https://a.test"}, {"frame", "https://a.test"}, {"fetch", "http://attacker.example"},
		{"worker", "data:text/javascript,fetch('https://attacker.example')"}, {"script", "data:text/javascript,fetch('https://attacker.example')//"}, {"frame", "data:text/html,<script src=https://attacker.example></script>"},
	})
	entries := []string{
		"https://a.test; script-src-elem " + attacker,
		"https://a.test;script-src-elem *;connect-src *",
		"https://a.test, default-src *",
		"https://a.test," + attacker,
		"https://a.test " + attacker,
		"https://a.test\t" + attacker,
		"https://a.test\n" + attacker,
		"https://a.test\r\nContent-Security-Policy: default-src *",
		"https://a.test\r\n\r\n<script src=" + attacker + "></script>",
		"'unsafe-eval'", "'wasm-unsafe-eval'", "'strict-dynamic'", "'unsafe-hashes'", "'self'", "'nonce-x'",
		"*", "https:", "http:", "data:", "blob:", "https://*", "https://*:*", "//*", "*.example", "https://*.example",
		"https://a.test/; frame-src *", "https://a.test?;frame-src *", "https://a.test#;frame-src *",
		"https://a.test@attacker.example", "https://attacker.example/", "https://attacker.example:*",
		"https://attacker.example\\", "https://attacker。example", "https://attacker.example%00", "https://attacker.example\x00",
		"; worker-src data: blob:", "; form-action *", "; report-uri " + attacker, "; sandbox allow-scripts allow-top-navigation",
	}
	all := func(entries ...string) *mcpapps.CSP {
		return &mcpapps.CSP{ConnectDomains: entries, ResourceDomains: entries, FrameDomains: entries, BaseURIDomains: entries}
	}
	without := l.run(t, all(), probes, attacker+"/")
	require.NotContains(t, without.reached, true)
	require.Empty(t, without.Ran)
	for _, entry := range entries {
		c := all(entry)
		assert.Len(t, c.Dropped(), 4, "%q", entry)
		assert.Equal(t, all().Policy(), c.Policy(), "%q: the browser sees no difference", entry)
		assert.Equal(t, all().ConnectionAllowlist(), c.ConnectionAllowlist(), "%q: the browser sees no difference", entry)
	}
	// All together and one valid entry: only that one has an effect.
	t.Run("together", func(t *testing.T) {
		c := all(append(entries, "https://a.test")...)
		got := l.run(t, c, probes, attacker+"/")
		for i, p := range probes {
			if got.reached[i] {
				assert.Equal(t, "https://a.test", p.URL, p.Kind)
			}
		}
		assert.True(t, slices.Contains(got.reached, true))
		assert.Empty(t, got.Ran)
	})
}

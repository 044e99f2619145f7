// Package mcpappstest tests the MCP Apps of a server from go test:
//
//	func TestApps(t *testing.T) {
//		mcpappstest.Check(t, newServer())
//	}
//
// [Check] fails the test for everything that a host would reject or drop,
// [Client] connects a client that shows apps or one that does not, and [Golden]
// compares what hosts see of the apps with a file.
//
// # Views
//
// [Open] shows a view in a browser, for a test that uses it as a person does:
//
//	func TestGreeting(t *testing.T) {
//		t.Parallel()
//		page := mcpappstest.Open(t, newServer(), "hello", Input{Name: "Ada"})
//		page.WaitText("Hello, Ada!")
//		page.ByRole("textbox", "Name").Fill("Grace")
//		page.ByRole("button", "Greet").Click()
//		page.WaitText("Hello, Grace!")
//		for _, b := range page.Accessibility() {
//			t.Error(b)
//		}
//	}
//
// Nothing has to be waited for by time: Open returns when the view has its result, and
// each step waits until it can be done. A step that can't be done ends the test with what
// the view shows, its errors and its console. Errors that no script of the view caught
// fail the test at its end, with their places in the files of the bundle.
//
// The browser is an installed Chromium, Chrome or Edge. Where there is none, tests of
// views are skipped, and say so; MCPAPPS_BROWSER=required makes them fail instead, which
// is for CI.
package mcpappstest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/golden"
)

// Check checks a server with [check.Server], fails the test for each error and
// each warning, and for each app that is blocked on one of the options' Hosts, and logs
// notes and what else is known of the hosts. It takes at most one *check.Options, to call
// tools with arguments or to ignore findings for a reason. If the server can't be
// checked, the test fails and the report is nil.
func Check(t testing.TB, s *mcp.Server, opts ...*check.Options) *check.Report {
	t.Helper()
	if len(opts) > 1 {
		t.Fatalf("mcpappstest.Check: %d options; pass at most one", len(opts))
	}
	var o *check.Options
	if len(opts) == 1 {
		o = opts[0]
	}
	r, err := check.Server(t.Context(), s, o)
	if err != nil {
		t.Errorf("mcpappstest.Check: %v", err)
	}
	if r == nil {
		return nil
	}
	for _, u := range r.Unchecked {
		t.Logf("mcpappstest.Check: not checked: %s", u)
	}
	for _, f := range r.Findings {
		if f.Severity == check.SeverityNote {
			t.Log(f)
		} else {
			t.Error(f)
		}
	}
	for i := range r.Hosts {
		for j := range r.Hosts[i].Apps {
			if v := &r.Hosts[i].Apps[j]; v.Blocked() {
				t.Errorf("on %s: %v", r.Hosts[i].Name, v)
			} else {
				t.Logf("on %s: %v", r.Hosts[i].Name, v)
			}
		}
	}
	return r
}

// Client connects a client to the server until the end of the test. With
// [mcpapps.SupportUI] the client declares the extension; with
// [mcpapps.SupportNone] it declares other capabilities; with
// [mcpapps.SupportUnknown] it is an older client on stateless HTTP, whose
// capabilities the server can't know.
func Client(t testing.TB, s *mcp.Server, support mcpapps.Support) *mcp.ClientSession {
	t.Helper()
	clientOpts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if support == mcpapps.SupportUI {
		appclient.EnableClient(clientOpts)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "mcpappstest", Version: mcpapps.SpecVersion}, clientOpts)
	var transport mcp.Transport
	var opts *mcp.ClientSessionOptions
	if support == mcpapps.SupportUnknown {
		h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
		hs := httptest.NewServer(h)
		t.Cleanup(hs.Close)
		transport = &mcp.StreamableClientTransport{Endpoint: hs.URL}
		opts = &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	} else {
		near, far := mcp.NewInMemoryTransports()
		ss, err := s.Connect(t.Context(), far, nil)
		if err != nil {
			t.Fatalf("mcpappstest.Client: %v", err)
		}
		t.Cleanup(func() { ss.Close() })
		transport = near
	}
	cs, err := client.Connect(t.Context(), transport, opts)
	if err != nil {
		t.Fatalf("mcpappstest.Client: %v", err)
	}
	t.Cleanup(func() { cs.Close() })
	return cs
}

// Golden compares what hosts see of the server's apps ([check.Snapshot]) with a
// file, whose name is relative to the test's folder. Documents are not part of
// it, so that a new build of a view does not change the file. Run
//
//	MCPAPPS_UPDATE=1 go test
//
// to write the file, and read the difference.
func Golden(t testing.TB, s *mcp.Server, file string) {
	t.Helper()
	got, err := check.Snapshot(t.Context(), s)
	if err != nil {
		t.Fatalf("mcpappstest.Golden: %v", err)
	}
	if err := golden.Compare(file, got); err != nil {
		t.Errorf("mcpappstest.Golden: %v", err)
	}
}

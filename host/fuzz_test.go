package host

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
)

// FuzzReceive checks that no message from a view causes a panic, and that every
// message to the view is JSON.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{"availableDisplayModes":["inline"]},"protocolVersion":"2026-01-26"}}`,
		`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"a","method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"x"}]}}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ui/download-file","params":{"contents":[{"type":"resource","resource":{"uri":"a/b","blob":"AA=="}}]}}`,
		`{"jsonrpc":"2.0","id":-1,"method":"ui/open-link","params":{"url":"https://x"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"ui/request-display-mode","params":{"mode":"pip"}}`,
		`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"width":1e3,"height":-0}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":3,"result":{}}`, `[]`, `{`, `{"id":{}}`, `{"jsonrpc":"2.0","id":4,"method":"x","params":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		b := mustNewBridge(nil, &BridgeOptions{
			OpenLink:    func(context.Context, *url.URL) error { return nil },
			Message:     func(context.Context, *ViewMessage) error { return nil },
			Download:    func(_ context.Context, files []Download) error { return nil },
			SizeChanged: func(Size) {}, Log: func(LogMessage) {}, AppToolsChanged: func() {},
			UpdateModelContext: func(context.Context, *ModelContext) error { return nil },
		})
		b.Attach(TransportFunc(func(out json.RawMessage) error {
			if !json.Valid(out) {
				t.Errorf("the response to %q is not JSON: %q", msg, out)
			}
			return nil
		}))
		b.Receive(msg)
		b.Receive([]byte(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"x"}}`))
		b.Receive([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
		b.Receive(msg)
		b.fail(ErrClosed)
	})
}

// FuzzFileName checks that a file name is not empty, not hidden, at most 201 bytes
// long, and free of path separators and control characters.
func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"file:///a/b.txt", "../..", "con.txt", "a\x00b", "%2e%2e%2f", "x:.."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		name := fileName(uri)
		if name == "" || len(name) > 201 || name[0] == '.' {
			t.Errorf("fileName(%q) = %q", uri, name)
		}
		for _, c := range name {
			if c == '/' || c == '\\' || c < ' ' {
				t.Errorf("fileName(%q) = %q", uri, name)
			}
		}
	})
}

package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps"
)

// The versions that a server is spoken to in: the one that most hosts speak
// now, which most findings come from, and the others that it may know.
const (
	versionMain   = "2025-11-25"
	versionModern = "2026-07-28"
)

var versionsOld = []string{"2025-06-18", "2025-03-26", "2024-11-05"}

// client speaks MCP over a wire.
type client struct {
	wire    wire
	version string
	ui      bool // whether it declares the extension
	timeout time.Duration
	limit   int // bytes of a result

	start time.Time // of the first request
	total int       // bytes of all results
}

// What a connection may take in all, in times of what one request may.
const (
	maxTimeouts = 60
	maxLimits   = 8
)

// hello is what a server says of itself.
type hello struct {
	raw     json.RawMessage
	method  string
	caps    map[string]any
	server  string
	version string
}

// handshake opens the session: initialize, or, from 2026-07-28 on,
// server/discover.
func (c *client) handshake(ctx context.Context) (*hello, error) {
	h := &hello{method: "initialize"}
	params := map[string]any{
		"protocolVersion": c.version, "capabilities": c.capabilities(),
		"clientInfo": map[string]any{"name": "mcpapps-check", "version": "1"},
	}
	if c.modern() {
		h.method, params = "server/discover", map[string]any{}
	}
	raw, err := c.call(ctx, h.method, params)
	if err != nil {
		return nil, err
	}
	h.raw = raw
	var res struct {
		ProtocolVersion string         `json:"protocolVersion"`
		Supported       []string       `json:"supportedVersions"`
		Capabilities    map[string]any `json:"capabilities"`
		ServerInfo      struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, fmt.Errorf("the answer to %s is not what the protocol says: %w", h.method, err)
	}
	h.caps = res.Capabilities
	h.server = res.ServerInfo.Name
	if res.ServerInfo.Version != "" {
		h.server += " " + res.ServerInfo.Version
	}
	h.version = res.ProtocolVersion
	if c.modern() {
		if !slices.Contains(res.Supported, c.version) {
			return nil, fmt.Errorf("the server does not speak %s here", c.version)
		}
		h.version = c.version
		return h, nil
	}
	if h.version != versionMain && h.version != versionModern && !slices.Contains(versionsOld, h.version) {
		return nil, fmt.Errorf("the answer to %s has the protocolVersion %s, which is none", h.method, quote(h.version))
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return h, c.wire.notify(ctx, "notifications/initialized", map[string]any{})
}

func (c *client) modern() bool { return c.version >= versionModern }

func (c *client) capabilities() map[string]any {
	if !c.ui {
		return map[string]any{}
	}
	return map[string]any{"extensions": map[string]any{
		mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{mcpapps.MIMEType}},
	}}
}

// call sends one request, bounded in time, as all of them together are.
func (c *client) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if c.modern() {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    c.version,
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "mcpapps-check", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": c.capabilities(),
		}
	}
	now := time.Now()
	if c.start.IsZero() {
		c.start = now
	} else if now.Sub(c.start) > maxTimeouts*c.timeout {
		return nil, errSlow
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	raw, err := c.wire.call(ctx, method, params)
	c.total += len(raw)
	switch {
	case len(raw) > c.limit:
		return nil, errLong
	case c.total > maxLimits*c.limit:
		return nil, errMuch
	}
	return raw, err
}

// fatal reports whether an error of a call ends the session.
func fatal(err error) bool {
	return errors.Is(err, errClosed) || errors.Is(err, errFlood) || errors.Is(err, errSlow) || errors.Is(err, context.Canceled)
}

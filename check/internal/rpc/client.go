package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Protocol versions. Most hosts use MainVersion now, and most findings come from it.
const (
	MainVersion   = "2025-11-25"
	NewestVersion = "2026-07-28"
)

// OlderVersions returns the versions before MainVersion, newest first.
func OlderVersions() []string { return []string{"2025-06-18", "2025-03-26", "2024-11-05"} }

// A Client sends MCP requests over a connection, within bounds.
type Client struct {
	Conn    Conn
	Version string // of the protocol
	// UI is whether the client declares the extension.
	UI bool
	// Timeout bounds each request; all together may take 60 times as long.
	Timeout time.Duration
	// FirstTimeout bounds the handshake; 0 means Timeout.
	FirstTimeout time.Duration
	// MaxBytes bounds each result; all together may have 8 times as many.
	MaxBytes int

	start time.Time // of the first request after the handshake
	total int       // bytes of all results
}

// The bounds of all requests of a connection, in multiples of those of one request.
const (
	MaxTimeouts = 60
	maxResults  = 8
)

// maxValues bounds the objects and lists of one message: decoded, each takes up to a
// hundred times the memory that it takes on the wire.
const maxValues = 500_000

// A Hello is what a server says of itself when a session opens.
type Hello struct {
	// Method is the request that it answers: "initialize" or "server/discover".
	Method       string
	Capabilities map[string]any
	// Server is the server's name and version.
	Server string
	// Version is the protocol version of the session.
	Version string
}

// A VersionError means that the server does not offer a protocol version.
type VersionError struct{ Version string }

// Error names the version.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the server does not offer protocol version %s here", e.Version)
}

// Handshake opens the session by the request of [Client.HandshakeMethod].
func (c *Client) Handshake(ctx context.Context) (*Hello, error) {
	h := &Hello{Method: c.HandshakeMethod()}
	params := map[string]any{}
	if !c.hasDiscover() {
		params = map[string]any{"protocolVersion": c.Version, "capabilities": c.capabilities(), "clientInfo": clientInfo()}
	}
	timeout := c.Timeout
	if c.FirstTimeout > 0 {
		timeout = c.FirstTimeout
	}
	raw, err := c.callWithin(ctx, timeout, h.Method, params)
	if err != nil {
		return nil, err
	}
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
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			err = fmt.Errorf("%s is a JSON %s", cmp.Or(te.Field, "the result"), te.Value)
		}
		return nil, fmt.Errorf("the answer to %s is not one of the protocol's: %w", h.Method, err)
	}
	h.Capabilities = res.Capabilities
	h.Server = res.ServerInfo.Name
	if res.ServerInfo.Version != "" {
		h.Server += " " + res.ServerInfo.Version
	}
	if c.hasDiscover() {
		if !slices.Contains(res.Supported, c.Version) {
			return nil, &VersionError{c.Version}
		}
		h.Version = c.Version
		return h, nil
	}
	h.Version = res.ProtocolVersion
	if h.Version != MainVersion && h.Version != NewestVersion && !slices.Contains(OlderVersions(), h.Version) {
		return nil, fmt.Errorf("the answer to %s has the protocolVersion %s, which does not exist", h.Method, text.Quote(h.Version))
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return h, c.Conn.Notify(ctx, "notifications/initialized", map[string]any{})
}

// HandshakeMethod returns the request that opens a session: "initialize", or
// from 2026-07-28 on "server/discover".
func (c *Client) HandshakeMethod() string {
	if c.hasDiscover() {
		return "server/discover"
	}
	return "initialize"
}

// HasPing reports whether the client's protocol version has the request ping.
func (c *Client) HasPing() bool { return !c.hasDiscover() }

func (c *Client) hasDiscover() bool { return c.Version >= NewestVersion }

func (c *Client) capabilities() map[string]any {
	if !c.UI {
		return map[string]any{}
	}
	return map[string]any{"extensions": map[string]any{
		mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{mcpapps.MIMEType}},
	}}
}

func clientInfo() map[string]any { return map[string]any{"name": "mcpapps-check", "version": "1"} }

// Call sends one request after the handshake, within the client's bounds.
func (c *Client) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	now := time.Now()
	if c.start.IsZero() {
		c.start = now
	} else if now.Sub(c.start) > MaxTimeouts*c.Timeout {
		return nil, ErrSlow
	}
	return c.callWithin(ctx, c.Timeout, method, params)
}

func (c *Client) callWithin(ctx context.Context, timeout time.Duration, method string, params map[string]any) (json.RawMessage, error) {
	if c.hasDiscover() {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    c.Version,
			"io.modelcontextprotocol/clientInfo":         clientInfo(),
			"io.modelcontextprotocol/clientCapabilities": c.capabilities(),
		}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	raw, err := c.Conn.Call(ctx, method, params)
	c.total += len(raw)
	switch {
	case len(raw) > c.MaxBytes:
		return nil, errLong
	case c.total > maxResults*c.MaxBytes:
		return nil, errMuch
	case !fewValues(raw):
		return nil, errDense
	}
	return raw, err
}

// fewValues reports whether JSON has at most maxValues objects and lists.
func fewValues(raw []byte) bool {
	n, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inString = !inString
		case !inString && (c == '{' || c == '['):
			if n++; n > maxValues {
				return false
			}
		case inString && c == '\\':
			i++
		}
	}
	return true
}

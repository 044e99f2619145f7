package sse

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"time"
)

// OldTransport is what errors say of a server for which [IsOldTransport] is true.
const OldTransport = "the server speaks HTTP+SSE, the transport of MCP 2024-11-05, which Streamable HTTP replaced: serve that, as all SDKs can"

// IsOldTransport reports whether the server at a URL speaks HTTP+SSE: a GET is answered
// with a stream whose first event is "endpoint". It waits 3 seconds at most, and
// follows no redirect, which may lead to a server that must not get the header. A nil
// client is one with the defaults.
func IsOldTransport(ctx context.Context, client *http.Client, url string, header http.Header) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	for k, v := range header {
		req.Header[http.CanonicalHeaderKey(k)] = v
	}
	req.Header.Set("Accept", "text/event-stream")
	var c http.Client
	if client != nil {
		c = *client
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := c.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	typ, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode != http.StatusOK || typ != "text/event-stream" {
		return false
	}
	buf := make([]byte, 4096)
	for n := 0; n < len(buf); {
		m, err := res.Body.Read(buf[n:])
		n += m
		for line := range bytes.Lines(buf[:n]) {
			field, value, _ := bytes.Cut(line, []byte(":"))
			if string(field) == "event" && bytes.HasSuffix(line, []byte("\n")) {
				return string(bytes.TrimSpace(value)) == "endpoint"
			}
		}
		if err != nil {
			return false
		}
	}
	return false
}

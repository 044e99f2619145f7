package appclient

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Results of good and hostile servers, as they are on the wire. None of these
// servers declares or lists resources.
func TestReadApp(t *testing.T) {
	const doc = `{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"<p>hi</p>"`
	b64 := base64.StdEncoding.EncodeToString
	for _, c := range []struct {
		name, result string
		opts         *ReadOptions
		html         string
		ui           mcpapps.ResourceUIMetadata
		reason       ReadReason
		message      string
	}{
		{name: "text", result: `{"contents":[` + doc + `}]}`, html: "<p>hi</p>"},
		{name: "blob", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"` + b64([]byte("<p>hé</p>")) + `"}]}`, html: "<p>hé</p>"},
		{name: "byte order mark stays", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"\ufeff<p>"}]}`, html: "\ufeff<p>"},
		{name: "other spelling of the type", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html; charset=utf-8; profile=\"mcp-app\"","text":"x"}]}`, html: "x"},
		{name: "no URI on the item", result: `{"contents":[{"mimeType":"text/html;profile=mcp-app","text":"x"}]}`, html: "x"},
		{name: "wrong items first", result: `{"contents":[null,{"uri":"ui://w/other","mimeType":"text/html;profile=mcp-app","text":"other"},{"uri":"ui://w/d","mimeType":"text/plain","text":"plain"},{"mimeType":"text/html;profile=mcp-app","text":"unnamed"},` + doc + `}]}`, html: "<p>hi</p>"},
		{name: "metadata of the item", result: `{"contents":[` + doc + `,"_meta":{"ui":{"csp":{"connectDomains":["https://api.x"]}}}}]}`, html: "<p>hi</p>", ui: mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.x"}}}},
		{name: "metadata of the result is nobody's", result: `{"contents":[` + doc + `}],"_meta":{"ui":{"domain":"d"}}}`, html: "<p>hi</p>"},
		{name: "listed metadata is the fallback", result: `{"contents":[` + doc + `}]}`, opts: &ReadOptions{Listed: mcp.Meta{"ui": map[string]any{"domain": "d"}}}, html: "<p>hi</p>", ui: mcpapps.ResourceUIMetadata{Domain: "d"}},
		{name: "null metadata falls through", result: `{"contents":[` + doc + `,"_meta":{"ui":null}}]}`, opts: &ReadOptions{Listed: mcp.Meta{"ui": map[string]any{"domain": "d"}}}, html: "<p>hi</p>", ui: mcpapps.ResourceUIMetadata{Domain: "d"}},
		{name: "null _meta", result: `{"contents":[` + doc + `,"_meta":null}],"_meta":null}`, html: "<p>hi</p>"},
		{name: "empty metadata wins", result: `{"contents":[` + doc + `,"_meta":{"ui":{}}}]}`, opts: &ReadOptions{Listed: mcp.Meta{"ui": map[string]any{"domain": "d"}}}, html: "<p>hi</p>"},
		{name: "exactly the limit", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"` + strings.Repeat("x", 1048576) + `"}]}`, opts: &ReadOptions{MaxBytes: 1048576}, html: strings.Repeat("x", 1048576)},
		{name: "equal text and blob", result: `{"contents":[` + doc + `,"blob":"` + b64([]byte("<p>hi</p>")) + `"}]}`, html: "<p>hi</p>"},

		{name: "one byte over", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"` + strings.Repeat("x", 1048577) + `"}]}`, opts: &ReadOptions{MaxBytes: 1048576}, reason: ReadTooLarge, message: "has 1048577 bytes, more than the limit of 1048576"},
		{name: "huge by default", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"` + strings.Repeat("x", defaultMaxBytes+1) + `"}]}`, reason: ReadTooLarge, message: "has 8388609 bytes, more than the limit of 8388608"},
		{name: "huge blob", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"` + b64([]byte(strings.Repeat("x", 100))) + `"}]}`, opts: &ReadOptions{MaxBytes: 99}, reason: ReadTooLarge, message: "has 100 bytes"},
		{name: "other type", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/plain","text":"x"}]}`, reason: ReadWrongType, message: `its media type is "text/plain"; it must be "text/html;profile=mcp-app"`},
		{name: "plain HTML", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html","text":"x"}]}`, reason: ReadWrongType, message: "MCP-UI"},
		{name: "a draft's type", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp","text":"x"}]}`, reason: ReadWrongType, message: "which drafts of this specification used"},
		{name: "an older draft's type", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/vnd.mcp.ui+html","text":"x"}]}`, reason: ReadWrongType, message: "which MCP-UI and early drafts of this specification used"},
		{name: "OpenAI's type", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html+skybridge","text":"x"}]}`, reason: ReadWrongType, message: "OpenAI"},
		{name: "no type", result: `{"contents":[{"uri":"ui://w/d","text":"x"}]}`, reason: ReadWrongType, message: `it has no media type; it must be "text/html;profile=mcp-app"`},
		{name: "type is a lie with line breaks", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app\r\nX: 1","text":"x"}]}`, reason: ReadWrongType},
		{name: "another URI", result: `{"contents":[{"uri":"ui://w/other","mimeType":"text/html;profile=mcp-app","text":"x"}]}`, reason: ReadNoContent, message: `the result has content for ["ui://w/other"]`},
		{name: "no contents", result: `{"contents":[]}`, reason: ReadNoContent},
		{name: "null contents", result: `{"contents":null}`, reason: ReadNoContent},
		{name: "null item", result: `{"contents":[null]}`, reason: ReadNoContent},
		{name: "null result", result: `null`, reason: ReadNoContent},
		{name: "not even an object", result: `[]`, reason: ReadNoContent},
		{name: "text is a number", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":7}]}`, reason: ReadNoContent},
		{name: "metadata is a list", result: `{"contents":[` + doc + `,"_meta":[]}]}`, reason: ReadNoContent},
		{name: "text and blob differ", result: `{"contents":[` + doc + `,"blob":"eA=="}]}`, reason: ReadNoContent, message: "text and blob differ"},
		{name: "empty text", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":""}]}`, reason: ReadEmpty, message: "the document is empty"},
		{name: "neither text nor blob", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app"}]}`, reason: ReadEmpty},
		{name: "white space", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"\ufeff \r\n\t"}]}`, reason: ReadEmpty},
		{name: "empty blob", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":""}]}`, reason: ReadEmpty},
		{name: "UTF-16", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"` + b64([]byte("\xff\xfe<\x00p\x00")) + `"}]}`, reason: ReadNotUTF8, message: "not UTF-8"},
		{name: "Latin-1", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"` + b64([]byte("caf\xe9")) + `"}]}`, reason: ReadNotUTF8},
		{name: "not base64", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"<html>"}]}`, reason: ReadBadBase64, message: "its blob is not base64"},
		{name: "base64 without padding", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"eA"}]}`, reason: ReadBadBase64},
		{name: "base64 for URLs", result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","blob":"_-8="}]}`, reason: ReadBadBase64},
	} {
		t.Run(c.name, func(t *testing.T) {
			cs := wireServer(t, `{}`, func(method string, params json.RawMessage) wireReply {
				assert.Equal(t, "resources/read", method, "one read and nothing else")
				return wireReply{Result: c.result}
			})
			app, err := ReadApp(t.Context(), cs, "ui://w/d", c.opts)
			if c.html == "" {
				var re *ReadError
				require.ErrorAs(t, err, &re)
				assert.Nil(t, app)
				assert.Equal(t, c.reason, re.Reason, err)
				assert.Equal(t, "ui://w/d", re.URI)
				assert.ErrorContains(t, err, `reading app "ui://w/d": `)
				assert.ErrorContains(t, err, c.message)
				assert.Less(t, len(err.Error()), 1000, "a message stays readable")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.html, app.HTML)
			assert.Equal(t, c.ui, app.UI)
			assert.NoError(t, app.MetadataErr)
			assert.Equal(t, "ui://w/d", app.URI)
			require.NotNil(t, app.Contents)
		})
	}
}

func TestReadReasonString(t *testing.T) {
	seen := map[string]bool{}
	for r := ReadFailed; r <= ReadBadBase64; r++ {
		assert.NotContains(t, r.String(), "ReadReason")
		assert.False(t, seen[r.String()], "%s stands for two", r)
		seen[r.String()] = true
	}
	assert.Equal(t, "not found", fmt.Sprint(ReadNotFound))
	assert.Equal(t, "ReadReason(99)", ReadReason(99).String())
}

func TestReadAppWithBadMetadata(t *testing.T) {
	cs := wireServer(t, `{}`, func(string, json.RawMessage) wireReply {
		return wireReply{Result: `{"contents":[{"uri":"ui://w/d","mimeType":"text/html;profile=mcp-app","text":"x","_meta":{"ui":{"csp":"default-src *","domain":"d"},"vendor":1}}]}`}
	})
	app, err := ReadApp(t.Context(), cs, "ui://w/d", &ReadOptions{Listed: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []any{"https://wider.example"}}}}})
	require.NoError(t, err)
	assert.ErrorContains(t, app.MetadataErr, "ui.csp must be an object")
	assert.Equal(t, mcpapps.ResourceUIMetadata{Domain: "d"}, app.UI)
	assert.Equal(t, (*mcpapps.CSP)(nil).Policy(), app.UI.CSP.Policy(), "a malformed CSP counts as none")
	assert.Equal(t, 1.0, app.Contents.Meta["vendor"], "the raw contents stay reachable")
}

func TestReadAppErrors(t *testing.T) {
	read := func(t *testing.T, reply wireReply) *ReadError {
		cs := wireServer(t, `{}`, func(string, json.RawMessage) wireReply { return reply })
		_, err := ReadApp(t.Context(), cs, "ui://w/d", nil)
		var re *ReadError
		require.ErrorAs(t, err, &re)
		return re
	}
	for _, c := range []struct {
		reply  string
		reason ReadReason
	}{
		{`{"code":-32002,"message":"Resource not found","data":{"uri":"ui://w/d"}}`, ReadNotFound},
		{`{"code":-32602,"message":"Resource not found"}`, ReadNotFound},
		{`{"code":-32601,"message":"Method not found"}`, ReadNotFound},
		{`{"code":-32603,"message":"boom"}`, ReadFailed},
		{`{"code":0,"message":"Unknown resource"}`, ReadFailed},
	} {
		re := read(t, wireReply{Error: c.reply})
		assert.Equal(t, c.reason, re.Reason, c.reply)
		assert.Error(t, re.Unwrap(), "the server's words stay reachable")
	}
	for _, uri := range []string{"", "https://evil.example/", "file:///etc/passwd", "ui://", "ui://a b", "ui://a/{id}"} {
		cs := wireServer(t, `{}`, func(method string, _ json.RawMessage) wireReply {
			t.Errorf("%q was asked for", uri)
			return wireReply{Result: "{}"}
		})
		_, err := ReadApp(t.Context(), cs, uri, nil)
		assert.ErrorContains(t, err, "appclient.ReadApp: the URI ")
	}
}

func TestReadAppTimes(t *testing.T) {
	mute := func(string, json.RawMessage) wireReply { return wireReply{} }
	for name, connect := range map[string]func(*testing.T) *mcp.ClientSession{
		"no answer":            func(t *testing.T) *mcp.ClientSession { return wireServer(t, `{}`, mute) },
		"peer no longer reads": stuckServer,
		"answer slower than it": func(t *testing.T) *mcp.ClientSession {
			return wireServer(t, `{}`, func(string, json.RawMessage) wireReply {
				select {
				case <-t.Context().Done():
				case <-time.After(10 * time.Second):
				}
				return wireReply{Result: `{"contents":[]}`}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			cs := connect(t)
			start := time.Now()
			_, err := ReadApp(t.Context(), cs, "ui://w/d", &ReadOptions{Timeout: 100 * time.Millisecond})
			var re *ReadError
			require.ErrorAs(t, err, &re)
			assert.Equal(t, ReadTimeout, re.Reason)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Less(t, time.Since(start), 20*time.Second)

			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = ReadApp(ctx, cs, "ui://w/d", nil)
			require.ErrorAs(t, err, &re)
			assert.Equal(t, ReadFailed, re.Reason, "a cancellation is not a timeout")
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
}

// A panic in the host's own middleware must reach the host: it can't recover from
// a panic in a goroutine that it did not start.
func TestClientHalfWithAHostsMistakes(t *testing.T) {
	_, err := ReadApp(t.Context(), nil, "ui://w/d", nil)
	assert.ErrorContains(t, err, "appclient.ReadApp: the session is nil")
	_, err = ListToolsForModel(t.Context(), nil, nil)
	assert.ErrorContains(t, err, "appclient.ListToolsForModel: the session is nil")

	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	var fail func()
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "resources/read" || method == "tools/list" {
				fail()
			}
			return next(ctx, method, req)
		}
	})
	ct, st := mcp.NewInMemoryTransports()
	_, err = mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil).Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := client.Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	defer cs.Close()

	fail = func() { panic("of the middleware's") }
	assert.PanicsWithValue(t, "of the middleware's", func() { _, _ = ReadApp(t.Context(), cs, "ui://w/d", nil) })
	assert.PanicsWithValue(t, "of the middleware's", func() { _, _ = ListToolsForModel(t.Context(), cs, nil) })
	fail = runtime.Goexit
	_, err = ReadApp(t.Context(), cs, "ui://w/d", nil)
	assert.ErrorContains(t, err, "ended its goroutine")
}

// stuckServer answers the handshake and then stops reading.
func stuckServer(t *testing.T) *mcp.ClientSession {
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	go func() {
		r := bufio.NewReader(serverIn)
		for {
			line, err := r.ReadBytes('\n')
			var req struct {
				ID     json.RawMessage
				Method string
			}
			if err != nil || json.Unmarshal(line, &req) != nil || req.Method == "notifications/initialized" {
				return
			}
			reply := `"error":{"code":-32601,"message":"Method not found"}`
			if req.Method == "initialize" {
				reply = `"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"stuck","version":"1"},"capabilities":{}}`
			}
			fmt.Fprintf(serverOut, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", req.ID, reply)
		}
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	cs, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		serverIn.Close()
		serverOut.Close()
		cs.Close()
	})
	return cs
}

func TestReadAppOnADeadSession(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	ct, st := mcp.NewInMemoryTransports()
	ss, err := server.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	_, err = ReadApp(t.Context(), cs, "ui://w/d", nil)
	var re *ReadError
	require.ErrorAs(t, err, &re)
	assert.Equal(t, ReadNotFound, re.Reason, "a server without resources: %v", err)
	require.NoError(t, cs.Close())
	ss.Wait()
	_, err = ReadApp(t.Context(), cs, "ui://w/d", nil)
	require.ErrorAs(t, err, &re)
	assert.Equal(t, ReadFailed, re.Reason)
	assert.ErrorIs(t, err, mcp.ErrConnectionClosed)
}

// From protocol version 2026-07-28 on, the SDK caches results and returns them to
// later callers: changing an App must not change them.
func TestReadAppGivesACopy(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	server.AddResource(&mcp.Resource{URI: "ui://w/d", Name: "d", MIMEType: mcpapps.MIMEType}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{
			Cacheable: mcp.Cacheable{TTLMs: 60_000},
			Contents:  []*mcp.ResourceContents{{URI: "ui://w/d", MIMEType: mcpapps.MIMEType, Blob: []byte("<p>"), Meta: mcp.Meta{"ui": map[string]any{"domain": "d"}}}},
		}, nil
	})
	ct, st := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	defer cs.Close()
	app, err := ReadApp(t.Context(), cs, "ui://w/d", nil)
	require.NoError(t, err)
	app.Contents.Meta["ui"].(map[string]any)["domain"] = "changed"
	app.Contents.Blob[0] = '!'
	app.Contents.URI = "changed"
	again, err := ReadApp(t.Context(), cs, "ui://w/d", nil)
	require.NoError(t, err)
	assert.Equal(t, "<p>", again.HTML)
	assert.Equal(t, "d", again.UI.Domain)
	assert.Equal(t, "ui://w/d", again.Contents.URI)
}

// A server chooses the length of its URIs, and messages about them go to logs.
func TestMessagesAboutLongURIs(t *testing.T) {
	_, err := appItem("ui://w/d", []*mcp.ResourceContents{{URI: "ui://" + strings.Repeat("x", 1<<20)}})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 1000)
}

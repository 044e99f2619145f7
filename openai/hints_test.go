package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

// callWith returns a request with the given JSON as _meta.
func callWith(t testing.TB, meta string) *mcp.CallToolRequest {
	t.Helper()
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}
	require.NoError(t, json.Unmarshal([]byte(meta), &req.Params.Meta), meta)
	return req
}

// TestFilePath has the vectors of OpenAI's SDKs for openai/resource of a call, and paths
// that are not absolute.
func TestFilePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.note")
	quoted, err := json.Marshal(path)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		meta, want string
		fails      bool
	}{
		"absent":         {meta: `{}`},
		"path":           {meta: `{"openai/resource":{"path":` + string(quoted) + `}}`, want: path},
		"extra keys":     {meta: `{"openai/resource":{"path":` + string(quoted) + `,"x":1}}`, want: path},
		"empty":          {meta: `{"openai/resource":{"path":""}}`},
		"null":           {meta: `{"openai/resource":null}`, fails: true},
		"no path":        {meta: `{"openai/resource":{}}`, fails: true},
		"number":         {meta: `{"openai/resource":{"path":1}}`, fails: true},
		"null path":      {meta: `{"openai/resource":{"path":null}}`, fails: true},
		"string":         {meta: `{"openai/resource":"/secret"}`, fails: true},
		"relative":       {meta: `{"openai/resource":{"path":"secret.note"}}`, fails: true},
		"parent":         {meta: `{"openai/resource":{"path":"../secret.note"}}`, fails: true},
		"URI":            {meta: `{"openai/resource":{"path":"file:///secret.note"}}`, fails: true},
		"NUL":            {meta: `{"openai/resource":{"path":"/secret\u0000.note"}}`, fails: true},
		"longer than is": {meta: `{"openai/resource":{"path":"/secret` + strings.Repeat("a", 40000) + `"}}`, fails: true},
	} {
		got, err := openai.FilePath(callWith(t, test.meta))
		assert.Equal(t, test.want, got, name)
		if test.fails {
			require.Error(t, err, name)
			assert.NotContains(t, err.Error(), "secret", name)
		} else {
			assert.NoError(t, err, name)
		}
	}
	for _, req := range []*mcp.CallToolRequest{nil, {}, {Params: &mcp.CallToolParamsRaw{}}} {
		got, err := openai.FilePath(req)
		assert.NoError(t, err)
		assert.Empty(t, got)
	}
}

func float(f float64) *float64 { return &f }

func TestRequestHints(t *testing.T) {
	long := strings.Repeat("a", 2000)
	for name, test := range map[string]struct {
		meta string
		want openai.Hints
	}{
		"none": {meta: `{}`},
		"all": {`{"openai/locale":"de-DE","openai/userAgent":"ChatGPT/1.0 (x; y)","openai/userLocation":{"city":"Köln","region":"NRW","country":"DE","timezone":"Europe/Berlin","latitude":50.9,"longitude":6.9},"openai/subject":"v1/a","openai/session":"v1/b","openai/organization":"v1/c"}`,
			openai.Hints{Locale: "de-DE", UserAgent: "ChatGPT/1.0 (x; y)", Subject: "v1/a", Session: "v1/b", Organization: "v1/c",
				Location: &openai.Location{City: "Köln", Region: "NRW", Country: "DE", TimeZone: "Europe/Berlin", Latitude: float(50.9), Longitude: float(6.9)}}},
		"older locale":      {`{"webplus/i18n":"fr"}`, openai.Hints{Locale: "fr"}},
		"both locales":      {`{"openai/locale":"zh-Hant-TW","webplus/i18n":"fr"}`, openai.Hints{Locale: "zh-Hant-TW"}},
		"malformed locale":  {`{"openai/locale":"de_DE","webplus/i18n":"fr"}`, openai.Hints{Locale: "fr"}},
		"locales":           {`{"openai/locale":"de, en;q=0.5"}`, openai.Hints{}},
		"empty locale":      {`{"openai/locale":"","webplus/i18n":"-"}`, openai.Hints{}},
		"other types":       {`{"openai/locale":1,"openai/userAgent":{},"openai/userLocation":[],"openai/subject":null,"openai/session":true,"openai/organization":["a"]}`, openai.Hints{}},
		"long":              {`{"openai/locale":"` + long + `","openai/userAgent":"` + long + `","openai/userLocation":{"city":"` + long + `"},"openai/subject":"` + long + `"}`, openai.Hints{}},
		"control":           {`{"openai/userAgent":"a\r\nb","openai/subject":"a\u0000","openai/session":"\u202e","openai/userLocation":{"city":"a\nb","country":"DE"}}`, openai.Hints{Location: &openai.Location{Country: "DE"}}},
		"coordinates":       {`{"openai/userLocation":{"latitude":-90,"longitude":180}}`, openai.Hints{Location: &openai.Location{Latitude: float(-90), Longitude: float(180)}}},
		"as strings":        {`{"openai/userLocation":{"latitude":"50.9","longitude":"-6.9"}}`, openai.Hints{Location: &openai.Location{Latitude: float(50.9), Longitude: float(-6.9)}}},
		"zero":              {`{"openai/userLocation":{"latitude":0,"longitude":0}}`, openai.Hints{Location: &openai.Location{Latitude: float(0), Longitude: float(0)}}},
		"out of range":      {`{"openai/userLocation":{"latitude":91,"longitude":6,"city":"a"}}`, openai.Hints{Location: &openai.Location{City: "a"}}},
		"longitude of 181":  {`{"openai/userLocation":{"latitude":9,"longitude":181}}`, openai.Hints{}},
		"one of two":        {`{"openai/userLocation":{"latitude":9}}`, openai.Hints{}},
		"not finite":        {`{"openai/userLocation":{"latitude":"NaN","longitude":"Inf"}}`, openai.Hints{}},
		"nothing in it":     {`{"openai/userLocation":{}}`, openai.Hints{}},
		"unknown keys":      {`{"openai/userLocation":{"street":"a"},"openai/x":1}`, openai.Hints{}},
		"names of patterns": {`{"OPENAI/LOCALE":"de"}`, openai.Hints{}},
	} {
		assert.Equal(t, test.want, openai.RequestHints(callWith(t, test.meta)), name)
	}
	for _, req := range []mcp.Request{nil, (*mcp.CallToolRequest)(nil), &mcp.CallToolRequest{}, &mcp.ListToolsRequest{}} {
		assert.Zero(t, openai.RequestHints(req), "%T", req)
	}
}

// TestHintsOnTheWire: a request's own hints are used first, and the locale of the handshake
// holds for a session, where the transport has one. Another client's never do.
func TestHintsOnTheWire(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "hints"}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		h := openai.RequestHints(req)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("locale %q subject %q", h.Locale, h.Subject)}}}, nil, nil
	})
	text := func(t *testing.T, c *rawclient.Client, meta string) string {
		var res struct{ Content []struct{ Text string } }
		require.NoError(t, json.Unmarshal([]byte(c.Result(t, "tools/call", `{"name":"hints","arguments":{},"_meta":`+meta+`}`)), &res))
		return res.Content[0].Text
	}
	rawclient.Each(t, s, rawclient.Config{Meta: map[string]any{"openai/locale": "nb"}}, func(t *testing.T, c *rawclient.Client) {
		assert.Equal(t, `locale "de" subject "v1/a"`, text(t, c, `{"openai/locale":"de","openai/subject":"v1/a"}`))
		want := `locale "nb" subject ""`
		if strings.Contains(t.Name(), "stateless/"+rawclient.Older) {
			want = `locale "" subject ""` // nothing connects the requests
		}
		assert.Equal(t, want, text(t, c, `{}`))
	})
	rawclient.Each(t, s, rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		assert.Equal(t, `locale "" subject ""`, text(t, c, `{}`))
		assert.Equal(t, `locale "de" subject ""`, text(t, c, `{"openai/locale":"de"}`))
		assert.Equal(t, `locale "" subject ""`, text(t, c, `{}`), "what a request said is over with it")
	})
}

// TestFileOnTheWire: the path of a call, and what a client gets for a malformed one.
func TestFileOnTheWire(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.note")
	quoted, err := json.Marshal(path)
	require.NoError(t, err)
	rawclient.Each(t, newDeclared(nil, true), rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		call := func(resource string) string {
			return c.Result(t, "tools/call", `{"name":"notes.open","arguments":{},"_meta":{"openai/resource":`+resource+`}}`)
		}
		assert.Contains(t, call(`{"path":`+string(quoted)+`}`), path)
		for _, malformed := range []string{`null`, `{}`, `{"path":"secret/a.note"}`} {
			result := call(malformed)
			assert.Contains(t, result, `"isError":true`)
			assert.NotContains(t, result, "secret")
		}
	})
}

func TestAuthRequired(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "private"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return openai.AuthRequired("Sign in first", `Bearer error="invalid_token"`), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "silent"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return openai.AuthRequired("Sign in first"), nil, nil
	})
	rawclient.Each(t, s, rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		for tool, meta := range map[string]string{"private": `{"mcp/www_authenticate":["Bearer error=\"invalid_token\""]}`, "silent": `{}`} {
			got := decode(t, c.Call(t, tool, `{}`))
			result, _ := got["_meta"].(map[string]any)
			delete(result, "io.modelcontextprotocol/serverInfo")
			if result == nil {
				result = map[string]any{}
			}
			assert.Equal(t, decode(t, meta), result)
			assert.Equal(t, true, got["isError"])
			assert.Equal(t, []any{map[string]any{"type": "text", "text": "Sign in first"}}, got["content"])
		}
	})
}

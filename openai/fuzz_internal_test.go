package openai

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/plainread"
)

// FuzzRequestMeta reads any _meta of a request, and of the initialize request before it:
// nothing panics, errors do not depend on the path, and each hint stays within its bound.
func FuzzRequestMeta(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"openai/resource":null}`, `{"openai/resource":{"path":"rel/secret"}}`, `{"openai/resource":{"path":1}}`,
		`{"openai/resource":{"path":"a"}}`, `{"openai/resource":{"path":"/a\u0000"}}`, `{"openai/resource":{"path":"/a"}}`,
		`{"openai/locale":"de-DE","webplus/i18n":1,"openai/userAgent":"\u0000","openai/userLocation":{"latitude":1e400,"longitude":"0x1p-2","city":[]}}`,
		`{"openai/locale":"de_DE","webplus/i18n":"fr"}`, `{"openai/locale":{"a":[]},"webplus/i18n":"-"}`,
		`{"openai/subject":{},"openai/session":"a","openai/organization":null}`,
		`{"openai/userLocation":{"latitude":"90","longitude":-180,"city":"Köln","region":"\u202e","timezone":"a/b"}}`,
	} {
		f.Add(seed, seed)
		f.Add(`{}`, seed)
	}
	errorOf := func(resource any) string {
		_, err := FilePath(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{"openai/resource": resource}}})
		require.Error(f, err)
		return err.Error()
	}
	fixed := []string{errorOf(nil), errorOf(map[string]any{"path": "relative"})}
	f.Fuzz(func(t *testing.T, meta, initial string) {
		var own, first mcp.Meta
		if json.Unmarshal([]byte(meta), &own) != nil || json.Unmarshal([]byte(initial), &first) != nil {
			return
		}
		path, err := FilePath(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: own}})
		switch {
		case err != nil:
			assert.Contains(t, fixed, err.Error())
			assert.Empty(t, path)
		case path != "":
			assert.True(t, filepath.IsAbs(path), path)
			assert.LessOrEqual(t, len(path), 32<<10)
			assert.NotContains(t, path, "\x00")
		}
		h := hintsOf(own, first)
		assert.LessOrEqual(t, len(h.Locale), 64)
		assert.LessOrEqual(t, len(h.UserAgent), 1024)
		for _, id := range []string{h.Subject, h.Session, h.Organization} {
			assert.LessOrEqual(t, len(id), 256)
		}
		shown := []string{h.Locale, h.UserAgent, h.Subject, h.Session, h.Organization}
		if l := h.Location; l != nil {
			assert.NotEqual(t, Location{}, *l)
			for _, place := range []string{l.City, l.Region, l.Country, l.TimeZone} {
				assert.LessOrEqual(t, len(place), 128)
				shown = append(shown, place)
			}
			assert.Equal(t, l.Latitude == nil, l.Longitude == nil)
			if l.Latitude != nil && l.Longitude != nil {
				assert.True(t, -90 <= *l.Latitude && *l.Latitude <= 90, *l.Latitude)
				assert.True(t, -180 <= *l.Longitude && *l.Longitude <= 180, *l.Longitude)
			}
		}
		for _, s := range shown {
			assert.NotRegexp(t, `[\x00-\x1f\x7f]`, s)
		}
		alone := hintsOf(own, nil)
		if alone.Locale == "" {
			alone.Locale = h.Locale
		}
		assert.Equal(t, alone, h, "only the locale is that of the session")
	})
}

// FuzzAliases adds the older keys beside any _meta: nothing panics or is written to, all
// keys that were there stay, and what is added has the type that clients expect.
func FuzzAliases(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"ui":null}`, `{"ui":[]}`, `{"ui":{"resourceUri":1,"visibility":"app"}}`,
		`{"ui":{"resourceUri":"ui://a","visibility":["app",null,{"a":1}]},"openai/visibility":7}`,
		`{"ui":{"resourceUri":"","visibility":[]},"openai/outputTemplate":null}`,
		`{"ui":{"csp":{"connectDomains":[1,"https://a.example"],"frameDomains":null,"resourceDomains":{"a":1}},"domain":[],"prefersBorder":"yes"}}`,
		`{"ui":{"csp":[],"domain":"a","prefersBorder":false},"openai/widgetCSP":1,"openai/widgetDomain":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var meta, before mcp.Meta
		if json.Unmarshal([]byte(text), &meta) != nil || json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		mime := mcpapps.MIMEType
		tools := &mcp.ListToolsResult{Tools: []*mcp.Tool{nil, {Name: "t", Meta: meta}}}
		read := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{nil, {URI: "ui://a", MIMEType: mime, Meta: meta}, {URI: "a", Meta: meta}}}
		plain := &plainread.Result{Contents: []plainread.Contents{{URI: "ui://a", MIMEType: mime, Meta: meta}, {URI: "a", Meta: meta}}}
		gotTools, gotRead, gotPlain := aliasTools(tools), aliasContents(read), aliasPlain(plain)
		assert.Equal(t, before, meta)
		assert.Equal(t, before, tools.Tools[1].Meta)
		assert.Equal(t, before, read.Contents[1].Meta)
		assert.Equal(t, before, plain.Contents[0].Meta)
		assert.Equal(t, before, gotRead.Contents[2].Meta, "not a document of an app")
		assert.Equal(t, before, gotPlain.Contents[1].Meta, "not a document of an app")
		assert.Equal(t, gotRead.Contents[1].Meta, gotPlain.Contents[0].Meta)
		for _, got := range []mcp.Meta{gotTools.Tools[1].Meta, gotRead.Contents[1].Meta} {
			for k, v := range before {
				assert.Equal(t, v, got[k])
			}
			for k, v := range got {
				if _, ok := before[k]; ok {
					continue
				}
				switch k {
				case "openai/outputTemplate", "openai/widgetDomain":
					assert.NotEmpty(t, v.(string))
				case "openai/widgetAccessible":
					assert.Equal(t, true, v)
				case "openai/visibility":
					assert.Equal(t, "private", v)
				case "openai/widgetPrefersBorder":
					assert.IsType(t, true, v)
				case "openai/widgetCSP":
					assert.Subset(t, []string{"connect_domains", "resource_domains", "frame_domains"}, slices.Collect(maps.Keys(v.(map[string]any))))
				default:
					t.Fatalf("the key %q was added", k)
				}
			}
			_, err := json.Marshal(got)
			assert.NoError(t, err)
		}
	})
}

// oneMessage is a connection with one message to read, which keeps what is written.
type oneMessage struct {
	mcp.Connection
	m jsonrpc.Message
}

func (c *oneMessage) Read(context.Context) (jsonrpc.Message, error) { return c.m, nil }

func (c *oneMessage) Write(_ context.Context, m jsonrpc.Message) error {
	c.m = m
	return nil
}

// FuzzLegacyForms passes any params of any request through the transport, in both
// directions: what is not changed is the same value, and what is changed differs in what is
// documented only.
func FuzzLegacyForms(f *testing.F) {
	for _, method := range []string{"initialize", "elicitation/create", "tools/call"} {
		for _, params := range []string{
			``, `null`, `[]`, `{`, `{}`, `{"_meta":null}`, `{"_meta":1}`, `{"a":12345678901234567890,"_meta":{"b":[1e400]}}`,
			`{"requestedSchema":{},"_meta":{"openai/elicitation":null}}`, `{"_meta":{"openai/elicitation":{"requestedSchema":null}}}`,
			`{"requestedSchema":{},"_meta":{"openai/elicitation":{"requestedSchema":{"type":"object"}},"a":1}}`,
			`{"_meta":{"openai/elicitation":{"requestedSchema":7},"openai/elicitation":{}}}`, `{"_meta":{"mcpapps/legacyForms":true}}`,
		} {
			f.Add(method, params)
		}
	}
	f.Fuzz(func(t *testing.T, method, params string) {
		req := &jsonrpc.Request{Method: method, Params: json.RawMessage(params)}
		if params == "" {
			req.Params = nil
		}
		var given rawObject
		isObject := json.Unmarshal(req.Params, &given) == nil && given != nil
		var meta rawObject
		metaErr := json.Unmarshal(given["_meta"], &meta)
		readable := isObject && (given["_meta"] == nil || metaErr == nil)

		read, err := legacyConnection{&oneMessage{m: req}}.Read(t.Context())
		require.NoError(t, err)
		if method != "initialize" || !readable {
			assert.Same(t, req, read)
		} else {
			got, gotMeta := objects(t, read, "initialize")
			assert.JSONEq(t, "true", string(gotMeta[legacyFormsMark]))
			delete(gotMeta, legacyFormsMark)
			sameMembers(t, given, got)
			sameMembers(t, meta, gotMeta)
		}

		to := &oneMessage{}
		require.NoError(t, legacyConnection{to}.Write(t.Context(), req))
		var extension rawObject
		_ = json.Unmarshal(meta["openai/elicitation"], &extension)
		if method != "elicitation/create" || !readable || extension["requestedSchema"] == nil {
			assert.Same(t, req, to.m)
		} else {
			got, gotMeta := objects(t, to.m, "openai/elicitation/create")
			assert.JSONEq(t, string(extension["requestedSchema"]), string(got["requestedSchema"]))
			assert.NotContains(t, gotMeta, "openai/elicitation")
			delete(meta, "openai/elicitation")
			delete(given, "requestedSchema")
			delete(got, "requestedSchema")
			sameMembers(t, given, got)
			sameMembers(t, meta, gotMeta)
		}
		assert.Equal(t, params, string(req.Params), "the message that was given")
	})
}

// objects returns the params of a request, and their _meta.
func objects(t *testing.T, m jsonrpc.Message, method string) (params, meta rawObject) {
	req, ok := m.(*jsonrpc.Request)
	require.True(t, ok)
	require.Equal(t, method, req.Method)
	require.NoError(t, json.Unmarshal(req.Params, &params))
	if raw, ok := params["_meta"]; ok {
		require.NoError(t, json.Unmarshal(raw, &meta))
	}
	return params, meta
}

// sameMembers asserts that two objects have the same members, beside _meta.
func sameMembers(t *testing.T, want, got rawObject) {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got))) {
		if name != "_meta" {
			assert.Equal(t, compact(want[name]), compact(got[name]), name)
		}
	}
}

// compact returns a value as the encoder writes it.
func compact(raw json.RawMessage) string {
	data, _ := json.Marshal(raw)
	return string(data)
}

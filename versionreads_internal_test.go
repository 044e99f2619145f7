package mcpapps

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listThrough lists tools through a versioner, whose documents come from read.
func listThrough(t *testing.T, v *versioner, tools []*mcp.Tool, read func(context.Context, *mcp.ReadResourceRequest) (string, error)) []*mcp.Tool {
	t.Helper()
	h := v.middleware(func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if r, ok := req.(*mcp.ReadResourceRequest); ok {
			text, err := read(ctx, r)
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: text}}}, nil
		}
		return &mcp.ListToolsResult{Tools: tools, Cacheable: mcp.Cacheable{CacheScope: "public"}}, nil
	})
	res, err := h(t.Context(), "tools/list", &mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{"progressToken": "p", "k": "v"}}})
	require.NoError(t, err)
	list := res.(*mcp.ListToolsResult)
	assert.Equal(t, "private", list.CacheScope, "another client may read other documents")
	return list.Tools
}

func toolFor(uri string) *mcp.Tool {
	return &mcp.Tool{Name: uri, Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}}
}

func uriOf(t *mcp.Tool) string { return t.Meta["ui"].(map[string]any)["resourceUri"].(string) }

// A document that waits, for its context or for ever, neither fails a list nor
// holds it up for longer than the limits, and costs the others nothing.
func TestListsDoNotWaitForDocuments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVersioner()
		release := make(chan struct{})
		var stuck, atOnce, most atomic.Int32
		tools := []*mcp.Tool{{Name: "plain"}, toolFor("ui://waits"), toolFor("ui://stuck")}
		for i := range 100 {
			tools = append(tools, toolFor(fmt.Sprintf("ui://%d", i)))
		}
		read := func(ctx context.Context, r *mcp.ReadResourceRequest) (string, error) {
			n := atOnce.Add(1)
			defer atOnce.Add(-1)
			most.Store(max(most.Load(), n))
			switch r.Params.URI {
			case "ui://waits":
				<-ctx.Done()
				return "", ctx.Err()
			case "ui://stuck":
				stuck.Add(1)
				<-release
			}
			return "<p>" + r.Params.URI, nil
		}
		for range 3 {
			begin := time.Now()
			got := listThrough(t, v, tools, read)
			assert.LessOrEqual(t, time.Since(begin), v.limits.all)
			assert.Same(t, tools[0], got[0])
			assert.Equal(t, "ui://waits", uriOf(got[1]))
			assert.Equal(t, "ui://stuck", uriOf(got[2]))
			for _, tool := range got[3:] {
				assert.Contains(t, uriOf(tool), "?v=")
			}
		}
		assert.EqualValues(t, 1, stuck.Load(), "a read that goes on is not begun again")
		assert.LessOrEqual(t, most.Load(), int32(v.limits.atOnce)+1)
		close(release)
		synctest.Wait()
		assert.Contains(t, uriOf(listThrough(t, v, tools, read)[2]), "?v=", "once it is done, it is read again")
		assert.EqualValues(t, 2, stuck.Load())
	})
}

// Documents that wait for their context have a limit each, so that as many as are
// read at once do not keep the others from being read.
func TestDocumentsThatWaitLeaveTimeForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVersioner()
		var tools []*mcp.Tool
		for i := range v.limits.atOnce {
			tools = append(tools, toolFor(fmt.Sprintf("ui://waits/%d", i)))
		}
		tools = append(tools, toolFor("ui://last"))
		begin := time.Now()
		got := listThrough(t, v, tools, func(ctx context.Context, r *mcp.ReadResourceRequest) (string, error) {
			if r.Params.URI != "ui://last" {
				<-ctx.Done()
			}
			return "<p>", ctx.Err()
		})
		assert.Equal(t, v.limits.each, time.Since(begin))
		assert.Contains(t, uriOf(got[len(got)-1]), "?v=")
	})
}

// A panic of a document reaches the goroutine of the list, where middleware of the
// program can recover it.
func TestPanicOfADocumentReachesTheList(t *testing.T) {
	assert.PanicsWithValue(t, "oops", func() {
		listThrough(t, newVersioner(), []*mcp.Tool{toolFor("ui://a")}, func(context.Context, *mcp.ReadResourceRequest) (string, error) { panic("oops") })
	})
}

// The reads behind a list share nothing with it or with each other that a handler
// may write to, and do not report progress of the list.
func TestReadsBehindAListHaveMetaOfTheirOwn(t *testing.T) {
	var reads atomic.Int32
	tools := []*mcp.Tool{toolFor("ui://a"), toolFor("ui://b"), toolFor("ui://c")}
	listThrough(t, newVersioner(), tools, func(_ context.Context, r *mcp.ReadResourceRequest) (string, error) {
		reads.Add(1)
		assert.Equal(t, mcp.Meta{"k": "v"}, r.Params.Meta)
		r.Params.Meta["mine"] = r.Params.URI
		return "<p>", nil
	})
	assert.EqualValues(t, 3, reads.Load())
}

// Every key that names an app is versioned, alone too, and the author's tool is
// not changed.
func TestEachKeyIsVersioned(t *testing.T) {
	read := func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "<p>", nil }
	for _, key := range []string{LegacyResourceURIKey, "openai/outputTemplate", "ui.resourceUri"} {
		tool := &mcp.Tool{Name: "t", Meta: mcp.Meta{key: "ui://a", "other": "ui://a"}}
		got := listThrough(t, newVersioner(), []*mcp.Tool{tool}, read)[0]
		assert.Regexp(t, `^ui://a\?v=[0-9a-f]{12}$`, got.Meta[key])
		assert.Equal(t, "ui://a", got.Meta["other"])
		assert.Equal(t, mcp.Meta{key: "ui://a", "other": "ui://a"}, tool.Meta)
	}
}

// A document that did not change is not hashed again, and one that did is.
func TestVersionsAreRemembered(t *testing.T) {
	text := strings.Repeat("x", 8<<20)
	item := &mcp.ResourceContents{Text: text}
	first := versionOfText("ui://remembered/x", item)
	begin := time.Now()
	for range 1000 {
		require.Equal(t, first, versionOfText("ui://remembered/x", item))
	}
	assert.Less(t, time.Since(begin), 5*time.Second, "hashing 8 GB takes longer")
	changed := versionOfText("ui://remembered/x", &mcp.ResourceContents{Text: text + "y"})
	assert.NotEqual(t, first, changed)
	assert.NotEqual(t, changed, versionOfText("ui://remembered/x", &mcp.ResourceContents{Text: text + "y", Meta: mcp.Meta{"a": 1}}))
	h := sha256.New()
	hashItem(h, item, []byte("null"))
	assert.Equal(t, fmt.Sprintf("%x", h.Sum(nil)[:6]), versionOfText("ui://remembered/x", item))
}

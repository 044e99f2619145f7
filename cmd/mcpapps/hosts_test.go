package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

func TestShots(t *testing.T) {
	shots := func(names ...string) (files, leftOut []string) {
		shots, leftOut, err := shotsOf("shots/view.png", compat.Connectors, names)
		require.NoError(t, err)
		for _, s := range shots {
			files = append(files, s.file)
		}
		return files, leftOut
	}
	files := func(names ...string) []string {
		list, _ := shots(names...)
		return list
	}
	assert.Equal(t, []string{"shots/view.png"}, files())
	assert.Equal(t, []string{"shots/view.png"}, files("goose"))
	assert.Equal(t, []string{"shots/view.png"}, files("agentcore"), "it is said that the host shows no apps")
	assert.Equal(t, []string{"shots/view-claude-android.png", "shots/view-claude-desktop.png", "shots/view-claude-ios.png", "shots/view-claude-web.png"}, files("claude"))
	all, leftOut := shots("goose", "all")
	assert.Equal(t, "shots/view-goose.png", all[0])
	assert.Subset(t, all, files("all"))
	assert.Len(t, files("all", "goose"), len(all))
	assert.Contains(t, leftOut, "agentcore")
	assert.Len(t, compat.Profiles(), len(all)+len(leftOut))
	assert.Contains(t, files("all", "agentcore"), "shots/view-agentcore.png")
	for kind, want := range map[string]compat.Result{compat.LocalServers: compat.ResultContentOnly, compat.Connectors: compat.ResultWhole} {
		desktop, _, err := shotsOf("view.png", kind, []string{"claude-desktop"})
		require.NoError(t, err)
		got, _ := desktop[0].as.Result.Value()
		assert.Equal(t, want, got)
	}
	one := &compat.Profile{ID: "h", Name: "H", ShowsApps: compat.Fact[bool]{Claims: []compat.Claim[bool]{{Value: new(bool)}}}}
	assert.Equal(t, fmt.Sprintf("H: 1 fact emulated, %d unknown, 0 not shown", len(one.Rows())-1), emulatedInWords(one))
}

// What -as can't mean is said as "mcpapps check -host" says it.
func TestNamesOfHosts(t *testing.T) {
	for args, want := range map[string]string{
		"screenshot -o x.png -as gose":            `-as names "gose", of which there is no profile: the nearest is "goose"; there are `,
		"screenshot -o x.png -as goose,xxxxxxxxx": `-as names "xxxxxxxxx", of which there is no profile: there are `,
		"screenshot -o x.png -as goose,,all":      `a name in the list is empty`,
		"preview -as gose":                        `-as names "gose", of which there is no profile: the nearest is "goose"; there are `,
		"preview -as claude":                      `-as names "claude", which are several hosts: name one of claude-android, claude-desktop, claude-ios, claude-web`,
		"preview -as goose,chatgpt":               `-as names "goose,chatgpt", which are several hosts: name one of goose, chatgpt`,
	} {
		var errs bytes.Buffer
		for _, file := range []string{"-", os.DevNull, t.TempDir(), "shots/.png"} {
			_, _, err := shotsOf(file, "", []string{"goose", "vscode"})
			assert.ErrorContains(t, err, "several hosts complete its name", file)
		}
		assert.Equal(t, exitUsage, run(t.Context(), append(strings.Fields(args), "http://localhost:1"), stdio{&bytes.Buffer{}, &errs}), args)
		assert.Contains(t, errs.String(), want)
	}
}

func TestFrameOf(t *testing.T) {
	given := func(s compat.Size) *compat.Profile {
		return &compat.Profile{ID: "h", Size: compat.Fact[compat.Size]{Claims: []compat.Claim[compat.Size]{{Value: &s}}}}
	}
	mine := frame{width: 800, height: 500}
	assert.Equal(t, frame{800, 500, maxHeight}, frameOf(nil, mine))
	assert.Equal(t, frame{800, 500, maxHeight}, frameOf(&compat.Profile{ID: "h"}, mine))
	assert.Equal(t, frame{400, 0, 768}, frameOf(given(compat.Size{Width: 400, MaxHeight: 768}), mine))
	assert.Equal(t, frame{800, 0, 500}, frameOf(given(compat.Size{MaxWidth: 900, MaxHeight: 500}), mine))
	assert.Equal(t, frame{300, 200, maxHeight}, frameOf(given(compat.Size{MaxWidth: 300, Height: 200}), mine))
	assert.Equal(t, frame{1274, 500, maxHeight}, frameOf(given(compat.Size{Width: 1274}), mine))
}

// tall serves a view that reports a height of 9000 pixels.
func tall(t *testing.T) string {
	const doc = `<!doctype html><body style="margin:0;height:9000px;background:#00c">tall` + shake + `<script>addEventListener("load", () => post({ method: "ui/notifications/size-changed", params: { height: 9000 } }))</script>`
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "tall"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://t/tall"}, Document: mcpapps.HTML(doc)},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	return serve(t, s)
}

// The server is told the name of each host, a folder is made for the pictures, and what a
// host without apps lacks is said once. One host has a picture of its own width.
func TestScreenshotAsSeveralHosts(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	var mu sync.Mutex
	var names []string
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	view := func(uri string) mcpapps.View {
		return mcpapps.View{Resource: mcp.Resource{URI: uri}, Document: mcpapps.HTML(`<!doctype html><p>A view</p>` + shake + `<script>addEventListener("load", () => post({ method: "ui/notifications/size-changed", params: { height: 50 } }))</script>`)}
	}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, view("ui://t/view"), func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		mu.Lock()
		defer mu.Unlock()
		info := req.Session.InitializeParams().ClientInfo
		names = append(names, info.Name+" "+info.Version)
		res := &mcp.CallToolResult{}
		return res, nil, mcpapps.SetResultUI(res, "ui://t/other")
	})
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "other"}, view("ui://t/other"), func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	url, file := serve(t, s), filepath.Join(t.TempDir(), "new", "folder", "v.png")
	errs, err := shootTo(t, file, nil, "-tool", "show", "-as", "agentcore,claude-web,claude-ios", "-size", "300x", url)
	require.EqualError(t, err, "there is no picture as agentcore")
	assert.Equal(t, 1, strings.Count(errs, `error: agentcore: the host "Amazon Bedrock AgentCore" shows no apps`), errs)
	assert.Contains(t, errs, "note: the result names the view ui://t/other, which some hosts would open instead of ui://t/view\n")
	for _, name := range []string{"claude-web", "claude-ios"} {
		assert.FileExists(t, strings.TrimSuffix(file, ".png")+"-"+name+".png")
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, []string{"Anthropic/ClaudeAI unknown", "mcpapps " + mcpapps.SpecVersion}, names, "that of the second is not known")

	data, errs, err := shoot(t, nil, "-tool", "other", "-as", "goose", "-size", "300x", url)
	require.NoError(t, err, errs)
	assert.NotContains(t, errs, "the result names")
	assert.Regexp(t, `rendering the view of other as Goose: [0-9]+ facts emulated, [0-9]+ unknown, [0-9]+ not shown`, errs)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.Equal(t, 1274, img.Bounds().Dx())
}

// One command makes a picture as in each host: in CI of two, one that sets the height and
// one that bounds it, and with MCPAPPS_FULL=1 of all that show apps.
func TestScreenshotAsAllHosts(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	dir, ids := t.TempDir(), []string{"chatgpt", "vscode"}
	if testenv.Full() {
		ids = []string{"all"}
	}
	errs, err := shootTo(t, filepath.Join(dir, "v.png"), nil, "-as", strings.Join(ids, ","), "-size", "300x", tall(t))
	require.NoError(t, err, errs)
	shots, _, err := shotsOf(filepath.Join(dir, "v.png"), compat.Connectors, ids)
	require.NoError(t, err)
	for _, s := range shots {
		data, err := os.ReadFile(s.file)
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		want := frameOf(s.as, frame{width: 300})
		assert.Equal(t, [2]int{want.width, cmp.Or(want.height, want.most)}, [2]int{img.Bounds().Dx(), img.Bounds().Dy()}, s.as.ID)
	}
}

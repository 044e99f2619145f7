package preview

import (
	"bytes"
	"fmt"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// The published servers, over stdio as their authors start them. Thirteen of
// the fourteen initialize under the policy that the specification gives them,
// and eleven draw; pdf and threejs draw under the looser one. Map needs eval to
// start, and under the looser policy a network to load its library from.
//
// CI runs one that draws under the specification's policy, one that needs the looser one,
// and one that needs eval; ci/full runs all.
func TestPublishedApps(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Apps, e2e.Browser)
	pdf := filepath.Join(t.TempDir(), "hello.pdf")
	require.NoError(t, os.WriteFile(pdf, helloPDF(), 0o644))
	for _, app := range []struct {
		name, tool, args, policy string
		draws, starts, full      bool
		serverArgs               []string
	}{
		{name: "basic-react", draws: true},
		{name: "basic-vanillajs", draws: true, full: true},
		{name: "budget-allocator", draws: true, full: true},
		{name: "cohort-heatmap", draws: true, full: true},
		{name: "customer-segmentation", draws: true, full: true},
		{name: "scenario-modeler", draws: true, full: true},
		{name: "shadertoy", draws: true, full: true},
		{name: "sheet-music", draws: true, full: true},
		{name: "system-monitor", draws: true, full: true},
		{name: "transcript", draws: true, full: true},
		{name: "wiki-explorer", draws: true, full: true},
		{name: "threejs", starts: true, full: true},
		{name: "threejs", policy: "loose", draws: true, full: true},
		{name: "pdf", starts: true, full: true},
		{name: "pdf", policy: "loose", tool: "display_pdf", args: fmt.Sprintf(`{"url":%q}`, "file://"+pdf), serverArgs: []string{pdf}, draws: true},
		{name: "map"},
	} {
		if app.full && !testenv.Full() {
			continue
		}
		name := app.name
		if app.policy != "" {
			name += "-" + app.policy
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol", "server-"+app.name, "dist", "index.js")
			p := startTarget(t, host.Target{Command: append([]string{"node", server, "--stdio"}, app.serverArgs...), Dir: t.TempDir()})
			query := url.Values{"theme": {"light"}, "policy": {app.policy}, "args": {app.args}}
			if app.tool != "" {
				query.Set("tool", app.tool)
			}
			g := p.openURL(t, p.ViewURL(query))
			const root = `document.documentElement.dataset`
			if !app.starts && !app.draws {
				g.waitRecord(t, "No metadata can allow eval")
				return
			}
			g.wait(t, root+`.ready && `+root+`.result || `+root+`.failed`)
			var failed string
			g.eval(t, root+`.failed ?? ""`, &failed)
			require.Empty(t, failed)
			if app.draws {
				colours := 0
				g.eventually(t, func() bool {
					colours = g.colours(t)
					return colours > 3
				})
				t.Logf("%d colours", colours)
				if testenv.Full() { // for the picture alone
					g.settle(t)
				}
			}
			g.shoot(t, "app-"+name)
			record := g.record(t)
			assert.NotContains(t, record, "is not the view", "the view left its frame")
		})
	}
}

// settle waits until three screenshots in a row are the same, at most two seconds:
// an animation never ends.
func (g page) settle(t *testing.T) {
	t.Helper()
	var last []byte
	same := 0
	for i := 0; i < 8 && same < 2; i++ {
		data, err := g.Screenshot(t.Context())
		require.NoError(t, err)
		if same++; !bytes.Equal(data, last) {
			same = 0
		}
		last = data
		time.Sleep(250 * time.Millisecond)
	}
}

// colours returns the number of colours on the page, at most 1,000. A blank page
// has one or two.
func (g page) colours(t *testing.T) int {
	t.Helper()
	data, err := g.Screenshot(t.Context())
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			r, gr, bl, _ := img.At(x, y).RGBA()
			if seen[[3]uint32{r, gr, bl}] = true; len(seen) >= 1000 {
				return len(seen)
			}
		}
	}
	return len(seen)
}

// helloPDF is a document of one page.
func helloPDF() []byte {
	var out bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(offsets), fmt.Sprintf(format, args...))
	}
	out.WriteString("%PDF-1.4\n")
	text := "BT /F1 48 Tf 72 700 Td (Hello from a local file) Tj ET"
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
	object("<</Length %d>>\nstream\n%s\nendstream", len(text), text)
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes()
}

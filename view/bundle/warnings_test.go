package bundle

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWarningsAreLogged shows that an author whose server bundles learns of warnings,
// once for each bundle.
func TestWarningsAreLogged(t *testing.T) {
	page := func(links int) fstest.MapFS {
		var b strings.Builder
		for i := range links {
			fmt.Fprintf(&b, "<a href=other.html?%d>more</a>\n", i)
		}
		return fstest.MapFS{"index.html": {Data: []byte("<!doctype html>\n" + b.String())}, "other.html": {Data: []byte("<!doctype html>")}}
	}
	logged := func(fsys fstest.MapFS) []string {
		var out bytes.Buffer
		h := Handler(fsys, "index.html", &Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		for range 2 {
			_, err := h(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://x/index.html"}})
			require.NoError(t, err)
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	lines := logged(page(1))
	require.Len(t, lines, 1)
	assert.Contains(t, lines[0], `level=WARN msg="bundle: index.html:2:4: the attribute href names`)
	lines = logged(page(100))
	require.Len(t, lines, 21)
	assert.Contains(t, lines[20], "bundle: index.html: and 80 more warnings")
}

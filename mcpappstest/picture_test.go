package mcpappstest_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// TestMatchPicture shows when a picture matches, and what is written when it does not.
func TestMatchPicture(t *testing.T) {
	e2e.Need(t, e2e.Browser, e2e.Patience)
	t.Setenv("MCPAPPS_E2E", "")
	t.Setenv("MCPAPPS_BROWSER", "")
	// The animation has no end, and the input has a caret that blinks.
	page := mcpappstest.Open(t, viewServer(connected(`<style>
* { margin: 0 } p { width: 100px; height: 50px; background: #123456 } @keyframes spin { to { transform: rotate(360deg) } }
div { width: 20px; height: 20px; background: red; animation: spin 1s infinite }
</style><p></p><div></div><input autofocus>`, "")), "show", nil, patient(mcpappstest.PageOptions{Width: 200, Height: 100}))
	dir := t.TempDir()
	file := filepath.Join(dir, "view.png")
	match := func(file string, tolerance float64) []string {
		return run(t, func(tb testing.TB) {
			defer mcpappstest.Use(page, tb, patience)()
			page.MatchPicture(file, tolerance)
		})
	}
	files := func() (names []string) {
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	errs := match(file, 0)
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "MCPAPPS_UPDATE=1 go test")

	t.Setenv("MCPAPPS_UPDATE", "1")
	require.Empty(t, match(file, 0))
	t.Setenv("MCPAPPS_UPDATE", "")
	names := files()
	require.Len(t, names, 1)
	assert.Regexp(t, `^view\.[a-z]+\d+-[a-z]+\.png$`, names[0])
	assert.Empty(t, match(file, 0))

	// 100 of 20,000 pixels.
	page.Eval(`document.querySelector("p").innerHTML = "<b style='display: block; width: 10px; height: 10px; background: #654321'></b>"`, nil)
	assert.Empty(t, match(file, 0.005))
	assert.Len(t, files(), 1)
	errs = match(file, 0.004)
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "0.500% of the pixels differ, and 0.400% may")
	require.Len(t, files(), 3)
	diff, err := filepath.Glob(filepath.Join(dir, "*.diff.png"))
	require.NoError(t, err)
	require.Len(t, diff, 1)
	assert.Contains(t, errs[0], diff[0])
	raw, err := os.ReadFile(diff[0])
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	r, g, _, _ := img.At(5, 5).RGBA()
	assert.Equal(t, [2]uint32{0xffff, 0}, [2]uint32{r, g})
	r, g, _, _ = img.At(50, 20).RGBA()
	assert.Equal(t, r, g)
	// One that differs by 10 of 255 does not.
	page.Eval(`document.querySelector("p").innerHTML = ""; document.querySelector("p").style.background = "#1c3e60"`, nil)
	assert.Empty(t, match(file, 0))
	assert.Len(t, files(), 1, "what an earlier run left is removed")

	page.SetSize(210, 100)
	errs = match(file, 0.5)
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "it has (200,100) pixels, and the view (210,100)")

	require.NoError(t, os.Rename(filepath.Join(dir, names[0]), filepath.Join(dir, "view.chrome1-other.png")))
	assert.Empty(t, match(file, 0), "there is a picture for another browser")
	t.Setenv("MCPAPPS_BROWSER", "required")
	assert.Len(t, match(file, 0), 1)

	// Each frame has another picture: a timer may not fire between two of them.
	page.Eval(`(() => {
		let width = 0;
		const draw = () => {
			width = (width + 1) % 100;
			document.querySelector("p").style.width = width + "px";
			requestAnimationFrame(draw);
		};
		draw();
	})()`, nil)
	errs = run(t, func(tb testing.TB) {
		defer mcpappstest.Use(page, tb, 300*time.Millisecond)()
		page.MatchPicture(file, 0)
	})
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "it changes all the time")
	assert.Len(t, match(file, 1), 1)
}

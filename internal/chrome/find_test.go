package chrome

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCandidates shows that the browser is looked for where each system
// installs it.
func TestCandidates(t *testing.T) {
	windows := map[string]string{"ProgramFiles": `C:\Program Files`, "ProgramFiles(x86)": `C:\Program Files (x86)`, "LOCALAPPDATA": `C:\Users\x\AppData\Local`}
	for _, c := range []struct {
		goos string
		env  map[string]string
		want []string
	}{
		{"linux", nil, []string{"chromium", "google-chrome", "microsoft-edge"}},
		{"windows", windows, []string{
			`C:\Program Files\Google\Chrome\Application\chrome.exe`,
			`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
			`C:\Users\x\AppData\Local\Google\Chrome\Application\chrome.exe`,
			`C:\Users\x\AppData\Local\Chromium\Application\chrome.exe`,
			`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
		}},
		{"darwin", map[string]string{"HOME": "/Users/x"}, []string{
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Users/x/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		}},
	} {
		got := candidates(c.goos, func(name string) string { return c.env[name] })
		at := -1
		for _, want := range c.want {
			i := slices.Index(got, want)
			assert.Greater(t, i, at, "%s: %s is not in order in %q", c.goos, want, got)
			at = i
		}
	}
	for _, path := range candidates("windows", func(string) string { return "" }) {
		assert.NotContains(t, path, `\`, "a variable that is not set names no folder")
	}
}

func TestFindIsTold(t *testing.T) {
	t.Setenv("MCPAPPS_CHROMIUM", "/nonexistent/chromium")
	got, err := Find()
	assert.NoError(t, err)
	assert.Equal(t, "/nonexistent/chromium", got)
	t.Setenv("MCPAPPS_CHROMIUM", "")
	t.Setenv("PATH", t.TempDir())
	if path, err := Find(); err != nil { // macOS and Windows have one elsewhere
		assert.ErrorContains(t, err, "MCPAPPS_CHROMIUM")
	} else {
		assert.NotEmpty(t, path)
	}
}

func TestParseActivePort(t *testing.T) {
	for text, want := range map[string]string{
		"39123\n/devtools/browser/a-b":   "ws://127.0.0.1:39123/devtools/browser/a-b",
		"39123\r\n/devtools/browser/a\n": "ws://127.0.0.1:39123/devtools/browser/a",
		"":                               "",
		"39":                             "",
		"39123\n":                        "",
		"0\n/devtools/browser/a":         "",
		"99999\n/devtools/browser/a":     "",
		"x\n/devtools/browser/a":         "",
	} {
		got, ok := parseActivePort(text)
		assert.Equal(t, want, got, "%q", text)
		assert.Equal(t, want != "", ok, "%q", text)
	}
}

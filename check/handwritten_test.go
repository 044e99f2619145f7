package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	runtime "github.com/mcpapps-go/mcpapps/view"
)

// TestHandwritten checks scripts that people write by hand, and the forms of
// them that are right.
func TestHandwritten(t *testing.T) {
	for script, want := range map[string][]string{
		`setInterval(() => { out.textContent = new Date(); }, 1000)`:             nil,
		`parent.postMessage({}, "*"); import("https://cdn.example.com/view.js")`: {"csp-undeclared", "doc-cdn"},
		`parent.postMessage({}, "*"); append(document.createElement("script"))`:  nil,
		`import("./more.js")`:               {"doc-relative-script"},
		`if (window.confirm("Sure?")) go()`: {"doc-dialog"},
		`alert("Done")`:                     {"doc-dialog"},
		`function alert(s) { out.textContent = s; } alert("Done")`:           nil,
		`confirm("Sure?")</script><script>const confirm = async () => true;`: nil,
		`dialog.confirm("Sure?")`: nil,
		`const menu = { open(a, b) { return a + b } }; menu.open("GET", "https://a.test")`: nil,
	} {
		for _, text := range []string{"", `<script type="module">` + runtime.Script() + `</script>`} {
			r, err := Document("<!doctype html><p id=out>…</p><script>"+script+"</script>"+text, nil)
			require.NoError(t, err)
			assert.Equal(t, want, codesOf(r), script)
		}
	}
	r, err := Document(`<!doctype html><a download="x.csv" href="data:text/csv,1">Save</a><script type="module">`+runtime.Script()+`</script>`, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"doc-download"}, codesOf(r))
	r, err = Document(`<!doctype html><button onclick="app.downloadFile(file)">Save</button><a download href="#">Save</a>`, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
}

// TestMetadataBesideMeta shows where libraries for other languages put the
// metadata by mistake.
func TestMetadataBesideMeta(t *testing.T) {
	for patch, want := range map[string]string{
		`{"_meta": null, "meta": {"ui": {"resourceUri": "ui://example/view.html"}}}`:          "/meta",
		`{"_meta": null, "metadata": {"ui/resourceUri": "ui://example/view.html"}}`:           "/metadata",
		`{"_meta": null, "ui": {"resourceUri": "ui://example/view.html"}}`:                    "/ui",
		`{"_meta": null, "annotations": {"ui": {"resourceUri": "ui://example/view.html"}}}`:   "/annotations",
		`{"_meta": null, "ui/resourceUri": "ui://example/view.html"}`:                         "/ui~1resourceUri",
		`{"meta": {"vendor": 1}, "ui": "of somebody else", "annotations": {"title": "Show"}}`: "",
	} {
		r := checkFake(t, nil, false, newFake(t, `{"tools": {"show": `+patch+`}}`))
		got := ""
		for _, f := range r.Findings {
			if f.Code == "meta-spelling" {
				got += f.Pointer
			}
		}
		assert.Equal(t, want, got, patch)
	}
}

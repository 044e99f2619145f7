package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	runtime "github.com/mcpapps-go/mcpapps/view"
)

// TestHandwritten checks what people write by hand who have no view class, and
// the forms of it that are right.
func TestHandwritten(t *testing.T) {
	const handshake = `addEventListener("message", (e) => { if (e.data.id === 1) post({ method: "ui/notifications/initialized" }); });
		post({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "v", version: "1" }, appCapabilities: {} } });`
	for script, want := range map[string][]string{
		`parent.postMessage({ type: "tool", payload: { toolName: "show" } }, "*")`:                                     {"doc-not-ready"},
		`window.onmessage = (e) => draw(e.data); draw(window.openai.toolOutput)`:                                       {"doc-not-ready"},
		`draw(window.openai?.toolOutput)`:                                                                              {"doc-not-ready"},
		`setInterval(() => { out.textContent = new Date(); }, 1000)`:                                                   nil, // speaks to nobody
		`parent.postMessage({}, "*"); import("https://cdn.example.com/view.js")`:                                       {"csp-undeclared", "doc-cdn"},
		`parent.postMessage({}, "*"); append(document.createElement("script"))`:                                        nil,
		`const init = "ui/" + "initialize"; parent.postMessage({ method: init })`:                                      {"doc-handshake", "doc-not-ready"},
		`post({ method: "ui/initialize", params }); import("./more.js")`:                                               {"doc-not-ready", "doc-relative-script"},
		handshake + `send("tools/call", { name: "show", params: {} })`:                                                 {"doc-params"},
		handshake + `send("tools/call", { name: "show", args: 1, arguments: {} })`:                                     nil,
		handshake + `send("tools/call", { name: "show" })`:                                                             nil,
		handshake + `send("tools/call", params)`:                                                                       nil,
		handshake + `send("tools/call", { ...call })`:                                                                  nil,
		handshake + `app.callServerTool({ name: "show", args: {} })`:                                                   {"doc-params"},
		handshake + `send("ui/message", { role: "user", content: "Hello" })`:                                           {"doc-params"},
		handshake + `send("ui/message", { role: "user", content: [] })`:                                                nil,
		handshake + `send("ui/message", { role: "user" })`:                                                             {"doc-params"},
		handshake + `send("ui/open-link", { href: "https://example.com" })`:                                            nil, // may be send's own
		handshake + `post({ jsonrpc: "2.0", id: 2, method: "ui/open-link", params: { href: "https://example.com" } })`: {"doc-params"},
		handshake + `post({ jsonrpc: "2.0", id: 2, method: "ui/open-link", params })`:                                  nil,
		handshake + `register("ui/open-link", { handler })`:                                                            nil,
		handshake + `if (window.confirm("Sure?")) go()`:                                                                {"doc-dialog"},
		handshake + `alert("Done")`:                                                                                    {"doc-dialog"},
		handshake + `function alert(s) { out.textContent = s; } alert("Done")`:                                         nil,
		handshake + `confirm("Sure?")</script><script>const confirm = async () => true;`:                               nil,
		handshake + `dialog.confirm("Sure?")`:                                                                          nil,
		handshake + `const a = document.createElement("a"); a.download = "x.csv"; a.click()`:                           {"doc-download"},
		handshake + `const a = make("a"); a.download = "x.csv"`:                                                        nil,
	} {
		for with, text := range map[string]string{"": "", "with the runtime": `<script type="module">` + runtime.Script() + `</script>`} {
			r, err := Document("<!doctype html><p id=out>…</p><script>"+script+"</script>"+text, nil)
			require.NoError(t, err)
			codes := codesOf(r)
			if with != "" { // which holds the words of a handshake
				for i := range codes {
					if codes[i] == "doc-not-ready" {
						t.Errorf("%s: the runtime may send it: %s", with, script)
					}
				}
				continue
			}
			assert.Equal(t, want, codes, script)
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
		o, err := (*Options)(nil).withDefaults()
		require.NoError(t, err)
		r, err := run(t.Context(), &o, true, false, newFake(t, `{"tools": {"show": `+patch+`}}`).connect)
		require.NoError(t, err)
		got := ""
		for _, f := range r.Findings {
			if f.Code == "meta-spelling" {
				got += f.Pointer
			}
		}
		assert.Equal(t, want, got, patch)
	}
}

package preview

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/inject"
)

// oddDocuments are documents that a script at the wrong place would change.
var oddDocuments = map[string]string{
	"plain":              "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<title>a</title>\n</head>\n<body class=x>\n<p>b</p>\n</body>\n</html>\n",
	"no doctype":         "<html><head><title>a</title></head><body><p>b</body></html>",
	"old doctype":        `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><title>a</title><table><tr><td>b</table>`,
	"byte order mark":    "\ufeff<!doctype html><title>ä</title><p>b",
	"comment first":      "<!-- a --><!doctype html><!-- b --><html><!-- c --><head><!-- d --><title>e</title></head><!-- f --><body>g</body></html><!-- h -->",
	"frameset":           "<!doctype html><html><head><title>a</title></head><frameset cols='50%,50%'><frame><frame></frameset></html>",
	"no head":            "<!doctype html>\n<html>\n<body>\n<p>a</body></html>",
	"body alone":         "<body>\n<p>a",
	"text alone":         "\n\n  a text \n",
	"its own policy":     `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'none'"><p>a<script>document.title = "no"</script>`,
	"one line":           `<!doctype html><html><head><script>globalThis.one = 1</script></head><body>a</body></html>`,
	"xml":                `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title></head><body><p/>b</body></html>`,
	"picture first":      `<svg viewBox="0 0 1 1"><title>a</title><script>globalThis.two = 2</script></svg><p>b`,
	"upper case":         "<!DOCTYPE HTML><HTML><HEAD><TITLE>a</TITLE></HEAD><BODY><P>b</BODY></HTML>",
	"template first":     "<!doctype html><template><p>a</p><script>b</script></template><p>c",
	"script first":       `<script>globalThis.seen = document.documentElement.outerHTML + document.scripts.length + document.compatMode</script><p>a`,
	"head after a space": "<!doctype html> \n <html> \n <head > \n <base href='/x/'><link rel=icon href='data:,'></head> \n </html> \n",
	"end tag first":      "</p></html><p>a",
	"cut off":            "<!doctype html><html><head><title>a</title><body><p>b<",
	"a space by number":  "<!doctype html>\n<html>\n<title>a</title>&#32;<p>b",
}

// injectPage is two pages in one, so that documents have a page around the page around
// them, as views have. It compares a document with and without the script.
const injectPage = `<!doctype html><title>page</title><script>
	const posted = [];
	if (parent !== self) parent.frame = self;
	addEventListener("message", (e) => posted.push(e.data));
	const load = (src) => new Promise((done) => {
		const f = document.createElement("iframe");
		f.onload = () => done(f.contentWindow);
		f.src = src;
		document.body.append(f);
	});
	const tree = (n) => [n.nodeType, n.namespaceURI ?? "", n.nodeName, n.nodeValue ?? "", n.publicId ?? "", n.systemId ?? "",
		[...(n.attributes ?? [])].map((a) => a.name + "=" + a.value), n.content?.nodeType ? tree(n.content) : 0, [...n.childNodes].map(tree)];
	const methods = (c) => Object.entries(Object.getOwnPropertyDescriptors(c)).map(([k, d]) =>
		[k, typeof d.value, d.writable, d.enumerable, d.configurable, d.value?.name, d.value?.length, String(d.value), Object.getOwnPropertyNames(d.value ?? {}), d.value?.toString?.()]);
	const about = (w) => JSON.stringify({
		mode: w.document.compatMode, set: w.document.characterSet, type: w.document.contentType, title: w.document.title,
		tree: tree(w.document), html: w.document.documentElement.outerHTML, scripts: w.document.scripts.length,
		globals: Object.getOwnPropertyNames(w).sort(), own: [w.one, w.two, w.seen], handlers: [w.onerror, w.onmessage, w.onunhandledrejection],
		console: methods(w.console), listeners: w.addEventListener.toString(), limit: w.Error.stackTraceLimit, state: w.document.readyState,
	});
	globalThis.compare = async (name) => {
		const [without, injected] = await Promise.all(["without", "with"].map((how) => load("/" + how + "?" + encodeURIComponent(name))));
		const result = [about(without), about(injected)];
		injected.console.log("from", name, { a: 1 });
		document.querySelectorAll("iframe").forEach((f) => f.remove());
		return result;
	};
</script><body>`

// The script that the preview puts into documents leaves them as they are: the same
// tree, the same globals, the same console to look at.
func TestInjectionChangesNothing(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	var origin string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		doc, ok := oddDocuments[queryOf(r)]
		switch {
		case r.URL.Path == "/":
			doc = injectPage + `<iframe src="/inner"></iframe>`
		case r.URL.Path == "/inner":
			doc = injectPage
		case !ok:
			http.NotFound(w, r)
			return
		case r.URL.Path == "/with":
			doc, _ = inject.Into(doc, inject.Script(origin, time.Second))
		}
		_, _ = io.WriteString(w, doc)
	}))
	defer web.Close()
	origin = web.URL
	g := running{}.openAt(t, web.URL, 800, 600, false)
	g.wait(t, `globalThis.frame?.compare`)
	for _, name := range slices.Sorted(maps.Keys(oddDocuments)) {
		var got []string
		g.eval(t, fmt.Sprintf(`frame.compare(%q)`, name), &got)
		require.Len(t, got, 2)
		assert.JSONEq(t, got[0], got[1], name)
		assert.NotContains(t, got[1], "mcpapps")
		g.wait(t, fmt.Sprintf(`posted.some((m) => m.mcpapps === "console" && m.entries[0].text.includes(%q))`, name))
	}
	// A frame in the document gets no messages: it is not the preview's page.
	var posted []any
	g.eval(t, `frame.posted ?? []`, &posted)
	assert.Empty(t, posted)
}

func queryOf(r *http.Request) string {
	for name := range r.URL.Query() {
		return name
	}
	return ""
}

package check_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
)

// FuzzDocument holds the reading of documents to its promise: it never panics,
// ends soon, and reports what can be printed.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"", "\ufeff<!doctype html>", "<p>Hello", `"<p>"`, "<svg><script>a()</script><style>x</style></svg>",
		"<!doctype html><script>fetch(`https://a.example/${x}`)</script>",
		"<script>const a = {m: 'ui/' + 'message'}; send(a.m, {...b})</script>",
		`<script type=importmap>{"imports":{"a/":"https://b.example/"}}</script><script type=module>import "a/b"; import("c")</script>`,
		`<style>@import "x.css"; @font-face{src:url(data:font/woff2,x)} p{background:url( 'a b' )}</style>`,
		`<base href="https://a.example/x/"><img srcset="a 1x, b 2x" onerror="eval(x)"><a href=//b.example>`,
		"<script><!--<script>", "<template><img src=x></template><math><script/><p>",
		"<script>window[\"fetch\"](new URL('/a','https://b.example')); new Worker(URL.createObjectURL(b))</script>",
		"<script>\"\\u{1F600}\\x41\\", "<script>a=`${`${`${",
	} {
		f.Add(seed, `{"csp":{"connectDomains":["https://*.a.example"]},"permissions":{"camera":{}}}`)
	}
	f.Fuzz(func(t *testing.T, doc, metadata string) {
		o := &check.Options{}
		var ui mcpapps.ResourceUIMetadata
		if json.Unmarshal([]byte(metadata), &ui) == nil {
			o.Metadata = &ui
		}
		start := time.Now()
		r, err := check.Document(doc, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d bytes took %v", len(doc), d)
		}
		if err := r.WriteText(io.Discard); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
		for _, f := range r.Findings {
			if strings.ContainsAny(f.String(), "\x1b\x00\r\u202e") {
				t.Errorf("unprintable: %q", f.String())
			}
			if f.Line > strings.Count(doc, "\n")+1 || f.Line < 0 || f.Column < 0 {
				t.Errorf("no such place: %v", f)
			}
		}
	})
}

// TestDocumentBounded reads documents that are made to take long: the time
// stays in proportion to the length, or the script is not read.
func TestDocumentBounded(t *testing.T) {
	const n = 1 << 17
	for name, doc := range map[string]string{
		"nested arrays":     "<script>" + strings.Repeat("[", n) + "</script>",
		"nested calls":      "<script>" + strings.Repeat("a(", n) + "</script>",
		"nested functions":  "<script>" + strings.Repeat("function f(){", n) + "</script>",
		"nested arrows":     "<script>" + strings.Repeat("x=>", n) + "x</script>",
		"nested templates":  "<script>" + strings.Repeat("`${", n) + "</script>",
		"nested blocks":     "<script>" + strings.Repeat("{", n) + strings.Repeat("}", n) + "</script>",
		"nested groups":     "<script>" + strings.Repeat("(", n) + "</script>",
		"long object":       "<script>" + strings.Repeat("callServerTool({"+many("a%d:1,", 100)+"});", n/512) + "</script>",
		"long sum":          "<script>fetch('a'" + strings.Repeat("+'b'", n) + ")</script>",
		"long chain":        "<script>a" + strings.Repeat(".b", n) + "</script>",
		"nested srcdoc":     strings.Repeat("<iframe srcdoc='", n/16),
		"many variables":    "<script>" + many("var a%d=a%d;", n/8) + "</script>",
		"many scopes":       "<script>" + many("function f%d(){return g%d(a,b,c)}", n/16) + "</script>",
		"shared undeclared": "<script>" + strings.Repeat("function f(){", 900) + many("a%d+b%d;", n/64) + strings.Repeat("}", 900) + "</script>",
		"many elements":     strings.Repeat("<img src=a>", n),
		"many urls":         many("<img src=a%d.png%d>", n/8),
		"many attributes":   "<p " + many("a%d=b%d ", n/4) + ">",
		"nested svg":        strings.Repeat("<svg>", n),
		"many styles":       "<style>" + strings.Repeat("@font-face{src:url(data:x)}", n/8) + "</style>",
		"many braces":       "<style>" + strings.Repeat("{", n) + "</style>",
		"long address":      "<img src=" + strings.Repeat("a", n) + ">",
		"many handlers":     strings.Repeat(`<p onclick="eval(x)">`, n/8),
	} {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used() // no other test runs meanwhile
			if _, err := check.Document("<!doctype html>"+doc, nil); err != nil {
				t.Fatal(err)
			}
			if d := cputime.Used() - start; d > 10*time.Second {
				t.Errorf("%d bytes took %v of processor time", len(doc), d)
			} else {
				t.Log(len(doc), d)
			}
		})
	}
}

func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", itoa(i)))
	}
	return b.String()
}

func itoa(i int) string {
	raw, _ := json.Marshal(i)
	return string(raw)
}

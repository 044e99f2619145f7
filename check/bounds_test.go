package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// series returns format with 0, 1, … for about n bytes.
func series(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestCostDocument checks documents that take time in proportion to more than
// their length where a reader looks through all of something for each of
// something else. Each took a minute or more once.
func TestCostDocument(t *testing.T) {
	testenv.Measure(t)
	script := func(s string) string { return "<!doctype html><p>x<script>" + s + "</script>" }
	origins := make([]string, 20_000)
	for i := range origins {
		origins[i] = fmt.Sprintf("https://q%d.com", i)
	}
	for name, doc := range map[string]string{
		"links":               "<!doctype html><p>" + series(4<<20, `<a href="https://a/%d">x</a>`),
		"findings far behind": "<!doctype html><p>" + strings.Repeat("x", 24<<20) + series(1<<20, `<img src="https://a%d.com/">`),
		"an import map": `<!doctype html><p>x<script type=importmap>{"imports":{` + strings.TrimSuffix(series(1<<20, `"a%d":"https://x/",`), ",") +
			`}}</script><script type=module>` + series(1<<20, "import 'z%d';") + "</script>",
		"declared origins": script(series(1<<20, "fetch('https://a%d.com/');")) + strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			_, err := check.Document(doc, &check.Options{Metadata: &mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: origins}}})
			require.NoError(t, err)
			took := cputime.Used() - start
			t.Log(took)
			assert.Less(t, took, 8*time.Second)
		})
	}
}

// TestCostGrowsWithTheDocument checks that no part of a document makes a check search
// through another part of it again and again.
func TestCostGrowsWithTheDocument(t *testing.T) {
	testenv.Measure(t)
	const page = "<!doctype html><p>x"
	script := func(n int, format string) string {
		return page + "<script>" + series(n, format) + "</script>"
	}
	for name, document := range map[string]func(n int) string{
		"attributes":         func(n int) string { return page + "<p " + series(n, "a%d=&amp; ") + ">" },
		"event handlers":     func(n int) string { return page + "<p " + series(n, "ona%d='x()' ") + ">" },
		"elements":           func(n int) string { return page + series(n, "<p id=%d>") },
		"nested elements":    func(n int) string { return page + series(n, "<div id=%d>") },
		"templates":          func(n int) string { return page + series(n, "<template id=%d>") },
		"foreign content":    func(n int) string { return page + series(n, "<svg><g id=%d></x>") },
		"unclosed tags":      func(n int) string { return page + series(n, "<a b%d ") },
		"comments":           func(n int) string { return page + series(n, "<!--%d") },
		"entities":           func(n int) string { return page + series(n, "&nbsp;&no%d") },
		"downloads":          func(n int) string { return page + series(n, "<a download href=%d>") },
		"links":              func(n int) string { return page + series(n, "<a href=https://a/%d>") },
		"forms":              func(n int) string { return page + series(n, "<form id=%d><button>") },
		"srcdoc":             func(n int) string { return page + series(n, "<iframe srcdoc='<img src=%d>'>") },
		"scripts":            func(n int) string { return page + series(n, "<script>a(%d)</script>") },
		"broken scripts":     func(n int) string { return page + series(n, "<script>a(%d</script>") },
		"styles":             func(n int) string { return page + series(n, "<style>a{b:url(x%d)}</style>") },
		"style rules":        func(n int) string { return page + "<style>" + series(n, "a{b:url(https://a%d.com)}") + "</style>" },
		"style nesting":      func(n int) string { return page + "<style>" + series(n, "a%d{") + "</style>" },
		"string":             func(n int) string { return page + "<script>fetch('" + series(n, `\x61%d`) + "')</script>" },
		"template literal":   func(n int) string { return page + "<script>x=`" + series(n, "${a%d}") + "`</script>" },
		"regular expression": func(n int) string { return script(n, "/a%d(b[c/]*)/g;") },
		"sum":                func(n int) string { return page + "<script>x=" + series(n, "a%d+") + "1</script>" },
		"names":              func(n int) string { return script(n, "a%d;") },
		"declarations":       func(n int) string { return script(n, "let a%d;") },
		"functions":          func(n int) string { return script(n, "function f%d(){x}") },
		"dialogs":            func(n int) string { return script(n, "alert(%d);") },
		"requests":           func(n int) string { return script(n, "x.open('GET','https://a/%d');") },
		"origins":            func(n int) string { return script(n, "fetch('https://a%d.com/');") },
		"calls of the host":  func(n int) string { return script(n, "a%[1]d.downloadFile({contents:[x,y%[1]d]});") },
		"messages":           func(n int) string { return script(n, "f({method:'ui/message',params:{x:%d}});") },
		"display modes": func(n int) string {
			return script(n, "let m%[1]d=x?'pip':'inline';a.requestDisplayMode({mode:m%[1]d});")
		},
		"display modes of one choice": func(n int) string {
			return page + "<script>a.requestDisplayMode({mode:" + series(n, "x%d?'pip':") + "'inline'})</script>"
		},
		"definitions": func(n int) string { return script(n, "class C%d{openLink(){}sendMessage(){}}") },
		"tool calls":  func(n int) string { return script(n, "f({method:'tools/call',params:{name:'x%d'}});") },
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Linear(t, 64<<10, func(size int) func() {
				doc := document(size)
				return func() { _, _ = check.Document(doc, &check.Options{Hosts: []string{"goose"}}) }
			})
		})
	}
}

// TestFindingPlace shows that lines and columns are right wherever in a long
// document a finding is.
func TestFindingPlace(t *testing.T) {
	for _, pad := range []string{"", "\n", "x\n", strings.Repeat("x", 1<<16), strings.Repeat("\n", 1<<16), strings.Repeat("x", 1<<15) + "\n", strings.Repeat("xy\n", 1<<14) + strings.Repeat("z", 1<<17)} {
		doc := "<!doctype html><p>" + pad + "<script src=https://a.com/x.js></script>"
		r, err := check.Document(doc, nil)
		require.NoError(t, err)
		for _, f := range r.Findings {
			if f.Code != "doc-cdn" {
				continue
			}
			before := doc[:strings.Index(doc, "<script")]
			assert.Equal(t, strings.Count(before, "\n")+1, f.Line)
			assert.Equal(t, len(before)-strings.LastIndexByte(before, '\n'), f.Column)
		}
		assert.Contains(t, codes(r), "doc-cdn")
	}
}

// TestCovers shows which declared entry allows which origin, as Chromium does.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		entry, used string
		ok          bool
	}{
		{"https://a.com", "https://a.com", true},
		{"https://a.com", "https://A.com:443", true},
		{"http://a.com", "https://a.com", true},
		{"http://a.com:81", "https://a.com:81", false},
		{"https://a.com", "http://a.com", false},
		{"https://a.com", "wss://a.com", false},
		{"http://a.com", "wss://a.com", false},
		{"http://a.com", "ws://a.com", false},
		{"ws://a.com", "wss://a.com", true},
		{"https://*.a.com", "https://b.a.com", true},
		{"https://*.a.com", "https://c.b.a.com", true},
		{"https://*.a.com", "https://a.com", false},
		{"https://*.a.com", "https://ba.com", false},
		{"https://a.com:8443", "https://a.com", false},
	} {
		call := "fetch('" + c.used + "/x')"
		if strings.HasPrefix(c.used, "ws") {
			call = "new WebSocket('" + c.used + "/x')"
		}
		r, err := check.Document("<!doctype html><p>x<script>"+call+"</script>", &check.Options{
			Metadata: &mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{c.entry}}},
		})
		require.NoError(t, err)
		if c.ok {
			assert.NotContains(t, codes(r), "csp-undeclared", "%s by %s", c.used, c.entry)
		} else {
			assert.Contains(t, codes(r), "csp-undeclared", "%s by %s", c.used, c.entry)
		}
	}
}

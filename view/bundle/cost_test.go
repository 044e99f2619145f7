package bundle_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// many returns format with 0, 1, … n-1.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// around returns pages that consist of parts between a beginning and an end.
func around(begin, format, end string) func(int) fstest.MapFS {
	return func(n int) fstest.MapFS {
		return folder("index.html", begin+many(n, format)+end, "i.png", "\x89PNG", "a.js", "export let a = 1", "c.js", "var c = 1", "s.css", "a{}")
	}
}

func page(format string) func(int) fstest.MapFS { return around("", format, "") }

// style and script return pages with a file of parts.
func style(format string) func(int) fstest.MapFS {
	return func(n int) fstest.MapFS {
		return folder("index.html", "<link rel=stylesheet href=s.css>", "s.css", many(n, format), "i.png", "\x89PNG")
	}
}

func script(format string) func(int) fstest.MapFS {
	return func(n int) fstest.MapFS {
		return folder("index.html", "<script type=module src=s.js></script>", "s.js", many(n, format), "a.js", "export let a = 1")
	}
}

// chain returns a page whose file names the next, which names the next, and so on.
func chain(page, name, text string) func(int) fstest.MapFS {
	return func(n int) fstest.MapFS {
		f := folder("index.html", page, fmt.Sprintf(name, n), "")
		for i := range n {
			f[fmt.Sprintf(name, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, text, i, i+1)}
		}
		return f
	}
}

func fonts(n int) fstest.MapFS {
	f := style("@font-face{font-family:a%[1]d;src:url(f%[1]d.woff2)}")(n)
	for i := range n {
		f[fmt.Sprintf("f%d.woff2", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "f%d", i)}
	}
	return f
}

func importMap(n int) fstest.MapFS {
	return folder("index.html", `<script type=importmap>{"imports":{`+many(n, `"a%d/":"./",`)+`"b":"./c.js"}}</script>`+
		`<script type=module>`+many(n, "import 'a%d/c.js';")+"</script>", "c.js", "var c")
}

// The time for a page is proportional to what it contains, also if that is wrong.
func TestCostGrowsWithThePage(t *testing.T) {
	testenv.Measure(t)
	declared := &bundle.Options{CSP: &mcpapps.CSP{}}
	for i := range 2000 {
		declared.CSP.ResourceDomains = append(declared.CSP.ResourceDomains, fmt.Sprintf("https://a%d.example", i))
	}
	for _, c := range []struct {
		name string
		size int
		make func(int) fstest.MapFS
		opts *bundle.Options
	}{
		{"inline scripts in one line", 20, page("<script>var a%d=1</script>"), nil},
		{"module scripts in one line", 150, page("<script type=module>import './a.js';var a%d=1</script>"), nil},
		{"module scripts with source maps", 200, page("<script type=module>import './a.js';var a%d=1</script>"), &bundle.Options{SourceMaps: true}},
		{"linked module scripts", 800, page("<script type=module src=a.js?%d></script>\n"), nil},
		{"linked classic scripts", 12, page("<script src=c.js?%d></script>"), nil},
		{"untouched styles", 2000, page("<style>a%d{background:url(https://a.example/)}</style>"), nil},
		{"styles with files", 15, page("<style>a%d{background:url(i.png)}</style>"), nil},
		{"images", 500, page("<img src=i.png?%d>"), nil},
		{"missing images", 1000, page("<img src=j%d.png>"), nil},
		{"external images", 1500, page("<img src=https://a.example/%d.png>"), nil},
		{"external origins", 1500, page("<img src=https://a%d.example/>"), nil},
		{"external origins against a CSP", 1500, page("<img src=https://a%d.example/>"), declared},
		{"one external image", 1500, page("<img src=https://a.example/ id=%d>"), nil},
		{"candidates", 500, around("<img srcset='", "i.png?%d 2x,", "'>"), nil},
		{"external candidates", 1500, around("<img srcset='", "https://a.example/%d 2x,", "'>"), nil},
		{"style attributes", 500, page("<p id=%d style='background:url(i.png)'>"), nil},
		{"attributes", 5000, around("<img src=i.png ", "a%d=b ", ">"), nil},
		{"a long attribute", 50000, around("<img src=i.png alt='", "%d ", "'>"), nil},
		{"frames", 1500, page("<iframe src=https://a%d.example/></iframe>"), nil},
		{"plug-ins", 1500, page("<object data=x%d></object>"), nil},
		{"policies", 3000, page("<meta http-equiv=Content-Security-Policy content=%d>"), nil},
		{"removed elements between texts", 3000, page("x<link rel=preload href=x%d>"), nil},
		{"nested elements", 3000, around("<img src=i.png>", "<div id=%d>", ""), nil},
		{"nested templates", 500, page("<template><img src=i.png?%d>"), nil},
		{"an import map", 500, importMap, nil},
		{"url() of files", 500, style("a%[1]d{background:url(i.png?%[1]d)}"), nil},
		{"url() of origins", 500, style("a%[1]d{background:url(https://a.example/%[1]d)}"), nil},
		{"custom properties with missing files", 800, style("a%[1]d{--a:url(m%[1]d)}"), nil},
		{"nested rules", 3000, style("a%d{"), nil},
		{"a chain of styles", 150, chain("<link rel=stylesheet href=0.css>", "%d.css", "@import '%[2]d.css'; a%[1]d{color:red}"), nil},
		{"a chain of modules", 80, chain("<script type=module src=0.js></script>", "%d.js", "console.log(%d);import './%[2]d.js'"), nil},
		{"fonts", 150, fonts, nil},
		{"workers", 500, script("new Worker('w%d');"), nil},
		{"workers in the page", 500, around("<script>", "new Worker('w%d');", "</script>"), nil},
		{"names that a module does not have", 300, script("import {b%[1]d} from './a.js';b%[1]d();\n"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			testenv.Linear(t, c.size, func(size int) func() {
				fsys := c.make(size)
				return func() { _, _ = bundle.HTML(fsys, "index.html", c.opts) }
			})
		})
	}
}

// Pages with very many elements take at most 2 ms for each.
func TestCostOfLargePages(t *testing.T) {
	testenv.Measure(t)
	for _, c := range []struct {
		name string
		n    int
		make func(int) fstest.MapFS
	}{
		{"inline scripts in one line", 3_000, page("<script>var a%d=1</script>")},
		{"styles", 2_000, page("<style>a%d{background:url(i.png)}</style>")},
		{"images", 20_000, page("<img src=i.png?%d>")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !testenv.Full() {
				c.n /= 10
			}
			fsys := c.make(c.n)
			start := cputime.Used()
			_, err := bundle.HTML(fsys, "index.html", nil)
			took := cputime.Used() - start
			require.NoError(t, err)
			t.Logf("%d in %v, %v each", c.n, took, took/time.Duration(c.n))
			assert.Less(t, took, time.Duration(c.n)*2*time.Millisecond)
		})
	}
}

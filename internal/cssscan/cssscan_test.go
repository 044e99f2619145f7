package cssscan

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/stretchr/testify/assert"
)

func TestReferences(t *testing.T) {
	for style, want := range map[string][]Reference{
		"a{color:red}":        nil,
		"a{b:url(x.png)}":     {{URL: "x.png", Start: 4, End: 14}},
		"a{b:URL( 'x)y' )}":   {{URL: "x)y", Start: 4, End: 16}},
		`a{b:url("x`:          {{URL: "x", Start: 4, End: 10}},
		"a{b:url(x":           {{URL: "x", Start: 4, End: 9}},
		`a{b:url(a\29 b\0)}`:  {{URL: "a)b\ufffd", Start: 4, End: 17}},
		`@import "a.css" x;`:  {{URL: "a.css", Start: 8, End: 15, String: true, Import: true}},
		"@IMPORT url(a.css);": {{URL: "a.css", Start: 8, End: 18, Import: true}},
		`@import/**/'a' layer(b) supports(background: url(c));d{e:url(f)}`: {
			{URL: "a", Start: 11, End: 14, String: true, Import: true}, {URL: "f", Start: 57, End: 63},
		},
		"@namespace x url(http://a);": nil, "@document url(http://a){}": nil,
		"@font-face{src:url(a)}b{c:url(d)}":               {{URL: "a", Start: 15, End: 21, FontFace: true}, {URL: "d", Start: 26, End: 32}},
		"@container x{@font-face{src:url(a)}b{c:url(d)}}": {{URL: "a", Start: 28, End: 34, FontFace: true}, {URL: "d", Start: 39, End: 45}},
		`a{b:image-set("x" type("y") 1x, url(z) 2x, "w" 3x);c:"v"}`: {
			{URL: "x", Start: 14, End: 17, String: true, ImageSet: true}, {URL: "z", Start: 32, End: 38},
			{URL: "w", Start: 43, End: 46, String: true, ImageSet: true},
		},
		"a{--b:url(c);d:url(e)}":        {{URL: "c", Start: 6, End: 12, CustomProperty: true}, {URL: "e", Start: 15, End: 21}},
		`a{b:src( "c" ),src("d"`:        {{URL: "c", Start: 4, End: 14}, {URL: "d", Start: 15, End: 22}},
		`a{b:src("c" d),src(var(--e))}`: nil,
		"/* url(a) */b{c:'url(d)'}":     nil,
		"a{b:url(c d)}":                 nil,
	} {
		assert.Equal(t, want, slices.Collect(References(style)), style)
	}
}

func TestUnquote(t *testing.T) {
	for written, want := range map[string]string{
		`"a"`: "a", `'a"b'`: `a"b`, `"a\"b"`: `a"b`, `"a\"`: `a"`, `"a`: "a", `a`: "a", ``: "", `"`: "", `""`: "",
		`\41 b`: "Ab", "\\41\r\nb": "Ab", `\000041b`: "Ab", `\0`: "\ufffd", `\d800 x`: "\ufffdx", `\110000`: "\ufffd",
		"'a\\\nb\\\r\nc'": "abc", `\`: "", "\\\x10": "\x10", `\g`: "g",
	} {
		assert.Equal(t, want, Unquote(written), written)
	}
}

// FuzzReferences tests that any input is accepted, and that references are in order
// and inside it.
func FuzzReferences(f *testing.F) {
	for _, seed := range []string{
		"a{b:url(c)}", `@import "a";`, `a{b:image-set("x" 1x)`, "@font-face{src:url(a)", `src("a"`, "url(\\", "u\\rl(a)", "\x00url(\x00)", "U+url(a)", "\"\\",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, style string) {
		at := 0
		for r := range References(style) {
			if r.Start < at || r.End <= r.Start || r.End > len(style) {
				t.Fatalf("%q: %+v", style, r)
			}
			at = r.End
		}
	})
}

// Styles that are made to take long take a time proportional to their length.
func TestCostIsLinear(t *testing.T) {
	testenv.Measure(t)
	for _, part := range []string{"url(", "src('a' ", "@import'a'", "image-set(", "/*", "{", "'", "\"\\", "u+", "url(a\\", "--", "@font-face{src:url(a)}"} {
		t.Run(part, func(t *testing.T) {
			testenv.Linear(t, 1<<14, func(size int) func() {
				style := "url(a)" + strings.Repeat(part, size)
				return func() {
					for range References(style) {
					}
				}
			})
		})
	}
}

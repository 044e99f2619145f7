package htmlscan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// The tokens of each document of this repository are the whole document.
func TestFixtures(t *testing.T) {
	documents := 0
	err := filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(name); ext == ".html" || ext == ".txtar" {
			doc, err := os.ReadFile(name)
			require.NoError(t, err)
			documents++
			compare(t, string(doc))
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, documents, 10)
}

// Which elements are foreign, and which are in a template, is compared with
// what the parser makes of the document.
func TestForeignAndTemplatesAsParsed(t *testing.T) {
	for _, doc := range []string{
		"<svg><style></style><title><b></title><x></svg><style></style>",
		"<svg><g><p></p><style></style>", "<svg><g></p><style></style>", "<svg><font><x></font><font color=x><x>",
		"<svg><foreignObject><div><title></title></div></foreignObject><title><b></title></svg><p>",
		"<svg><foreignObject></svg><x>", "<svg><foreignObject><br></svg><x>", "<svg><foreignObject><b></b></svg><x>",
		"<svg><foreignObject><b></svg><x>", "<svg><title></svg><x>", "<svg><desc><svg></desc><x>", "<svg><desc><b><svg></desc><x>",
		"<svg><foreignObject><p>a<p>b</p></foreignObject><x>", "<svg><z></y></z><x></svg><x>", "<svg/><x><svg><x/><b>",
		"<math><mi><x><mglyph></mglyph><b></b></mi><x></math><x>", "<math><annotation-xml><svg><x></svg><x></math><x>",
		"<math><annotation-xml encoding=text/html><div></div><x></x></annotation-xml><x>", "<math><svg><title><x>", "<math><mi><svg><title><x>",
		"<template><x></template><x>", "<template><svg></template><x>", "<svg><template><x></template><b>", "<template><template></template><x></template><x>",
		"<div><svg></div><x>", "<section><svg><x></section><x>",
	} {
		assert.Equal(t, parsed(t, doc), scanned(doc), doc)
	}
}

// scanned describes the elements of a document by their numbers.
func scanned(doc string) map[string]string {
	found := make(map[string]string)
	n := 0
	for token := range Tokens(doc) {
		if token.Kind == StartTag {
			found[fmt.Sprint(n)] = fmt.Sprintf("%s foreign %t template %t", token.Name, token.Foreign, token.Templates > 0)
			n++
		}
	}
	return found
}

// parsed does the same for what the parser makes of the document.
func parsed(t *testing.T, doc string) map[string]string {
	var numbered strings.Builder
	n := 0
	for token := range Tokens(doc) {
		if source := doc[token.Start:token.End]; token.Kind == StartTag {
			fmt.Fprintf(&numbered, "%s n=%d %s", source[:1+len(token.Name)], n, source[1+len(token.Name):])
			n++
		} else {
			numbered.WriteString(source)
		}
	}
	root, err := html.Parse(strings.NewReader(numbered.String()))
	require.NoError(t, err)
	found := make(map[string]string)
	var walk func(n *html.Node, template bool)
	walk = func(n *html.Node, template bool) {
		for _, a := range n.Attr {
			if a.Key == "n" {
				found[a.Val] = fmt.Sprintf("%s foreign %t template %t", strings.ToLower(n.Data), n.Namespace != "", template)
			}
		}
		inside := template || n.Data == "template" && n.Namespace == ""
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inside)
		}
	}
	walk(root, false)
	return found
}

// Documents that are made to take long take a time proportional to their length.
func TestCostIsLinear(t *testing.T) {
	testenv.Measure(t)
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d=&amp; ", i)
		}
		return b.String()
	}
	for name, document := range map[string]func(n int) string{
		"end tags in deep SVG": func(n int) string { return strings.Repeat("<svg>", n) + strings.Repeat("</x>", n) },
		"integration points":   func(n int) string { return strings.Repeat("<svg><desc><a>", n) + strings.Repeat("</svg>", n) },
		"templates":            func(n int) string { return strings.Repeat("<template><svg>", n) + strings.Repeat("</x>", n) },
		"attributes":           func(n int) string { return "<p " + attributes(n) + ">" },
		"scripts":              func(n int) string { return strings.Repeat("<script></script>", n) },
		"unclosed scripts":     func(n int) string { return strings.Repeat("<script><!--", n) },
		"CDATA":                func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n) },
		"comments":             func(n int) string { return strings.Repeat("<!--", n) },
		"unfinished tag":       func(n int) string { return strings.Repeat("<p a='", n) },
		"candidates":           func(n int) string { return "<img srcset='" + strings.Repeat("a (,", n) + "'>" },
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Linear(t, 1<<14, func(size int) func() {
				doc := document(size)
				return func() {
					for token := range Tokens(doc) {
						for range Srcset(token.Attributes.Get("srcset")) {
						}
					}
				}
			})
		})
	}
}

package bundle

import (
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzHTML tests that HTML never panics and that its result is a fixed point: given
// its own result, it returns it unchanged. That a changed document parses as it
// should is verified by HTML itself.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		"<!doctype html><title>x</title><script type=module src=a.js></script>",
		"<script>import('x')</script><style>a{background:url(i.png)}</style><img src=i.png srcset='i.png 2x'>",
		"<svg><style>a</style><title><b></title><![CDATA[ </svg> ]]><p><script src=c.js></script>",
		"<link rel=stylesheet href=s.css><script defer src=c.js></script><p style='background:url(i.png)'>",
		"<template><img src=i.png></template><select><button><img src=i.png>", "<math><mi><script src=c.js></script>",
		"\ufeff<base href='x/'><img src=../i.png>\r\n<!-- <script src=a.js> -->", "<title></svg><script src=c.js></script>",
		"<table><link rel=stylesheet href=s.css><script src=c.js></script>", "<a b=c/><img/src=i.png><img src=i.png", "<p a=\x00 =b>\xff",
		"<script><!--<script></script>--></script><script src=c.js></script>", "<noscript><link rel=stylesheet href=s.css></noscript>",
		"<frameset><script src=c.js></script>", "<script type=importmap>{}</script><script type=module>import 'a'</script>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		fsys := fstest.MapFS{
			"index.html": {Data: []byte(page)},
			"a.js":       {Data: []byte("globalThis.a = '</script><!--<script>'")},
			"c.js":       {Data: []byte("var c = '</script>'")},
			"s.css":      {Data: []byte("a{background:url(i.png)}")},
			"i.png":      {Data: []byte("\x89PNG")},
		}
		doc, err := HTML(fsys, "index.html", nil)
		if err != nil {
			return
		}
		if len(doc.Inputs) == 1 && !strings.Contains(page, "import") && doc.HTML != page && len(page) < len(doc.HTML) {
			t.Fatalf("grew without a file:\n%q\n%q", page, doc.HTML)
		}
		fsys["index.html"].Data = []byte(doc.HTML)
		again, err := HTML(fsys, "index.html", nil)
		if err != nil {
			t.Fatalf("HTML rejects its own result: %v\n%q\n%q", err, page, doc.HTML)
		}
		if again.HTML != doc.HTML {
			t.Fatalf("not a fixed point:\n%q\n%q\n%q", page, doc.HTML, again.HTML)
		}
	})
}

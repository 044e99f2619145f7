package htmlscan

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// FuzzTokens tests that the tokens are the whole document, that skipping long texts
// changes nothing, and that attributes are what the tokenizer of net/html reads.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{
		"<script>a</script><style>b</STYLE ><script><!-- <script> </script> --></script>", "<script>x</scriptx></script/><img src=a>",
		"<img a =b c= d 'e' =f/g src='x'SRC=y>", "<img src=&amp;copy=1&copy;>", "<script", "<style></style", "<img src=\"a\r\nb\">", "<img/ / src=x//>",
		"\ufeff<!doctype html><p></><!><?x><![CDATA[x]]><svg><![CDATA[x > y]]></svg><svg><![CDATA[", "<svg a=1 a=2/><svg a=x/>", "<svg/",
		"<template><svg><template></template></template><math><annotation-xml encoding=TEXT/html><svg><desc></math>",
		"<p A\x00=\x00 b='&\x00'>\x00\xff", "<plaintext></plaintext><p>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		compare(t, doc)
	})
}

func compare(t *testing.T, doc string) {
	t.Helper()
	plain := slices.Collect(tokens(doc, len(doc)+1))
	skipping := slices.Collect(tokens(doc, 0))
	if len(plain) != len(skipping) {
		t.Fatalf("%d tokens, and %d without skipping", len(skipping), len(plain))
	}
	at := 0
	for i, token := range plain {
		other := skipping[i]
		if token.Kind != other.Kind || token.Start != other.Start || token.End != other.End || token.Name != other.Name || token.Inner != other.Inner {
			t.Fatalf("%+v\n%+v", token, other)
		}
		if token.Start != at || token.End <= at {
			t.Fatalf("at %d of %q: %+v", at, doc, token)
		}
		at = token.End
		if (token.Kind == Text || token.Kind == CDATA) && doc[token.InnerStart:token.InnerStart+len(token.Inner)] != token.Inner {
			t.Fatalf("%+v", token)
		}
		if token.Kind == StartTag {
			compareTag(t, doc[token.Start:token.End], token)
		}
	}
	if at != len(doc) {
		t.Fatalf("%d of %d bytes", at, len(doc))
	}
}

func compareTag(t *testing.T, source string, token Token) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(source))
	z.Next()
	want := z.Token()
	if want.Data != token.Name || len(want.Attr) != len(token.Attributes) {
		t.Fatalf("%+v\n%+v", want, token)
	}
	at := 2
	for i, a := range want.Attr {
		got := token.Attributes[i]
		if a.Key != got.Key || a.Val != got.Value {
			t.Fatalf("%q\n%q", want.Attr, token.Attributes)
		}
		if got.Start < at || got.End <= got.Start || got.End > len(source) {
			t.Fatalf("%q: %+v", source, got)
		}
		at = got.End
	}
}

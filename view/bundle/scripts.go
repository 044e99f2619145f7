package bundle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

const loaderCSS = api.LoaderCSS

// script returns the kind of a script element and its language. In addition to
// what browsers run, there are types of scripts that have to be compiled.
func (e *element) script() (htmlscan.ScriptType, api.Loader) {
	loader := api.LoaderJS
	switch strings.ToLower(e.attr("lang")) {
	case "ts", "typescript":
		loader = api.LoaderTS
	case "tsx":
		loader = api.LoaderTSX
	case "jsx":
		loader = api.LoaderJSX
	}
	if kind := e.attrs.ScriptType(); kind != htmlscan.DataBlock {
		return kind, loader
	}
	switch strings.Trim(htmlscan.Lower(e.attr("type")), space) {
	case "text/typescript", "application/typescript", "text/ts":
		return htmlscan.ModuleScript, api.LoaderTS
	case "text/tsx":
		return htmlscan.ModuleScript, api.LoaderTSX
	case "text/jsx", "text/babel":
		return htmlscan.ModuleScript, api.LoaderJSX
	}
	return htmlscan.DataBlock, loader
}

// maxHandWritten is the size up to which inline scripts that stay as they are get
// checked for syntax errors. Larger ones come from a build.
const maxHandWritten = 64 << 10

var errInForeign = errors.New("a file can't be put inline within SVG or MathML: move the element out into the HTML")

// scripts puts the scripts of the page inline and bundles its modules.
func (b *bundler) scripts(all []*element) {
	c := &compilation{b: b, script: true, entry: "scripts", page: make(map[string]pageText), files: make(map[string]string)}
	var bundled []*element
	for _, el := range all {
		kind, loader := el.script()
		if kind == htmlscan.DataBlock || kind == htmlscan.ImportMap {
			continue
		}
		ref, linked := el.attrs.Lookup("src")
		srcKey := "src"
		if el.foreign {
			if ref, linked = el.attrs.Lookup("href"); !linked {
				ref, linked = el.attrs.Lookup("xlink:href")
			}
			srcKey = "href"
		}
		if linked && ref == "" {
			b.failAttr(el, srcKey, errors.New("the script has an empty src, so nothing runs: name its file, or leave src out"))
			continue
		}
		ref = b.absolute(strings.Trim(ref, space))
		if linked && !isLocal(ref) || linked && strings.HasPrefix(ref, "//") {
			b.remoteModules = b.remoteModules || kind == htmlscan.ModuleScript
			b.remote(el, srcKey, "script-src", ref)
			continue
		}
		if kind == htmlscan.ClassicScript && el.has("nomodule") {
			if linked { // browsers that know modules ignore it; selectors count it
				b.replace(el, el.end, []piece{{tag: "script", attrs: htmlscan.Attributes{{Key: "nomodule"}}}})
			}
			continue
		}
		typed := loader == api.LoaderTS || loader == api.LoaderTSX || loader == api.LoaderJSX
		text := b.src[el.text:el.textEnd]
		inPage := kind == htmlscan.ModuleScript && !linked && !typed && !el.template && mayImport(text)
		if !linked && !typed && !inPage {
			b.untouchedScript(el, kind)
			continue
		}
		name, file := b.pageName(el), b.name
		if !inPage || el.foreign {
			switch {
			case el.foreign:
				b.failAttr(el, srcKey, errInForeign)
				continue
			case el.template:
				b.fail(el.start, errors.New("a script in a template element can't be bundled: move it out of the template"))
				continue
			case el.end < 0:
				b.fail(el.start, errors.New("the script element has no end tag: add </script>"))
				continue
			}
		}
		if linked {
			var ok bool
			if file, ok = b.local(el, "src", ref); !ok {
				continue
			}
			if el.has("onload") {
				b.failAttr(el, "onload", errNoLoadEvent)
				continue
			}
		}
		switch {
		case kind == htmlscan.ModuleScript && linked:
			c.files[name] = file
		case kind == htmlscan.ModuleScript:
			c.page[name] = pageText{text, el.text, loader}
		default:
			if code, m, ok := b.classicScript(el, file, linked, loader); ok {
				b.replace(el, el.end, []piece{classicPiece(el, linked, code, m)})
			}
			continue
		}
		c.order = append(c.order, name)
		bundled = append(bundled, el)
	}
	if len(bundled) > 0 {
		b.bundleModules(c, bundled)
	}
}

var errNoLoadEvent = errors.New("an inline script fires no load event, so onload would not run: " +
	"put what it does into a script after this one, or at the end of the script's file")

// bundleModules compiles the module scripts together, so that what they share is
// there once. The code is in the first element, and the others run their part of
// it, so that each runs, waits and fails on its own.
func (b *bundler) bundleModules(c *compilation, bundled []*element) {
	js, css, ok := c.run()
	if !ok {
		return
	}
	if !c.touched && len(c.files) == 0 && !c.compiled() {
		for _, el := range bundled {
			b.untouchedScript(el, htmlscan.ModuleScript) // mayImport was wrong
		}
		return
	}
	js, ok = c.scriptText(js)
	if !ok {
		b.fail(bundled[0].start, errors.New("the script contains text that would end its element early, and it can't be rewritten: "+
			`write "<\!--" for "<!--" in it`))
		return
	}
	c.checkHazards(js)
	if el := b.importMap; el != nil && !b.remoteModules {
		b.replace(el, el.end, nil) // the compiler has applied it
	}
	for i, el := range bundled {
		var pieces []piece
		if css != "" && i == len(bundled)-1 {
			styles, err := c.withFonts(nil, css)
			if err != nil {
				b.fail(el.start, err)
				return
			}
			pieces = styles
		}
		text, m := js, c.jsMap
		if i > 0 {
			text, m = fmt.Sprintf("await %s[%d]()", modules, i), nil
		}
		b.replace(el, el.end, append(pieces, piece{tag: "script", attrs: scriptAttributes(el.attrs, true), text: text, code: m}))
	}
}

// modules is where the first module script leaves the others of the page: a symbol,
// since a name could be one of the page's own.
const modules = `globalThis[Symbol.for("mcpapps.modules")]`

// entryText returns the module that runs the scripts of the page.
func (c *compilation) entryText() string {
	if len(c.order) == 1 {
		return fmt.Sprintf("import %q;\n", c.order[0])
	}
	var all strings.Builder
	all.WriteString(modules + " = [\n")
	for _, name := range c.order {
		fmt.Fprintf(&all, "() => import(%q),\n", name)
	}
	return all.String() + "];\nawait " + modules + "[0]();\n"
}

// compiled reports whether a script has to be compiled even if it imports nothing.
func (c *compilation) compiled() bool {
	for _, p := range c.page {
		if p.loader != api.LoaderJS {
			return true
		}
	}
	return false
}

// scriptAttributes returns the attributes of a script element that its replacement
// keeps.
func scriptAttributes(attrs htmlscan.Attributes, isModule bool) htmlscan.Attributes {
	var kept htmlscan.Attributes
	if isModule {
		kept = append(kept, htmlscan.Attribute{Key: "type", Value: "module"})
	}
	for _, a := range attrs {
		switch a.Key {
		case "src", "type", "lang", "async", "defer", "crossorigin", "integrity", "referrerpolicy", "fetchpriority", "charset", "nomodule":
		default:
			kept = append(kept, a)
		}
	}
	return kept
}

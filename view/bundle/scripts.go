package bundle

import (
	"encoding/json"
	"errors"
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
	needed := false
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
			b.remote(el, srcKey, "script-src", ref)
			continue
		}
		if kind == htmlscan.ClassicScript && el.has("nomodule") {
			if linked {
				b.replace(el, el.end, nil) // browsers that know modules ignore it
			}
			continue
		}
		typed := loader == api.LoaderTS || loader == api.LoaderTSX || loader == api.LoaderJSX
		if !linked && kind == htmlscan.ClassicScript && !typed {
			b.untouchedScript(el, htmlscan.ClassicScript)
			continue
		}
		if !linked && kind == htmlscan.ModuleScript && !typed && !el.foreign && !el.template {
			text := b.src[el.text:el.textEnd]
			name := b.pageName(el)
			c.page[name] = pageText{text, el.text, loader}
			c.order = append(c.order, name)
			bundled = append(bundled, el)
			needed = needed || mayImport(text)
			continue
		}
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
		name := b.pageName(el)
		text, file := b.src[el.text:el.textEnd], b.name
		if linked {
			var ok bool
			if file, ok = b.local(el, "src", ref); !ok {
				continue
			}
		}
		switch {
		case kind == htmlscan.ModuleScript && linked:
			c.files[name] = file
		case kind == htmlscan.ModuleScript:
			c.page[name] = pageText{text, el.text, loader}
		default:
			code, ok := b.classicScript(el, file, linked, loader)
			if !ok {
				continue
			}
			if !linked || !el.has("defer") && !el.has("async") {
				b.replace(el, el.end, []piece{{tag: "script", attrs: scriptAttributes(el.attrs, false), text: code}})
				continue
			}
			// An inline script can't be deferred. A module that inserts the script
			// runs it at the same time, and as a classic script.
			quoted, _ := json.Marshal(code)
			c.page[name] = pageText{`{const s=document.createElement("script");s.textContent=` + string(quoted) + `;document.head.append(s)}`, -1, api.LoaderJS}
		}
		c.order = append(c.order, name)
		bundled = append(bundled, el)
		needed = true
	}
	if needed {
		b.bundleModules(c, bundled)
		return
	}
	for _, el := range bundled {
		b.untouchedScript(el, htmlscan.ModuleScript)
	}
}

// bundleModules compiles the module scripts into one, at the place of the last.
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
	last := bundled[len(bundled)-1]
	for _, el := range bundled[:len(bundled)-1] {
		b.replace(el, el.end, nil)
	}
	var pieces []piece
	if css != "" {
		styles, err := c.withFonts(nil, css)
		if err != nil {
			b.fail(last.start, err)
			return
		}
		pieces = styles
	}
	pieces = append(pieces, piece{tag: "script", attrs: scriptAttributes(last.attrs, true), text: js})
	b.replace(last, last.end, pieces)
}

// compiled reports whether a script has to be compiled even if it imports nothing.
func (c *compilation) compiled() bool {
	for _, p := range c.page {
		if p.loader != api.LoaderJS || p.offset < 0 {
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

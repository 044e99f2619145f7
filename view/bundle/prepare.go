package bundle

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// prepare reads the base element, the import map and the names of linked style
// sheets, which decide what references mean.
func (b *bundler) prepare(elements []*element) {
	based := false
	var reference, module *element // the first ones
	for _, el := range elements {
		href := el.attr("href")
		kind := htmlscan.DataBlock
		if el.name == "script" {
			kind, _ = el.script()
		}
		switch {
		case el.template:
		case el.name == "base" && href != "" && !based && !el.foreign:
			based = true
			if reference != nil {
				b.failAttr(el, "href", fmt.Errorf("the base element stands after a %s element that it does not apply to: move it to the beginning of the head", reference.name))
			}
			b.setBase(el, href)
		case kind == htmlscan.ImportMap && !el.foreign:
			b.setImportMap(el, module)
		}
		if kind == htmlscan.ModuleScript && module == nil {
			module = el
		}
		if reference == nil && !el.template && el.refersToFile(b.src[el.text:el.textEnd], kind) {
			reference = el
		}
	}
	for _, el := range elements {
		if el.name == "link" && el.rel("stylesheet") {
			if name, _, err := b.fileName(strings.Trim(el.attr("href"), space)); err == nil {
				b.linked[name] = true
			}
		}
	}
}

// refersToFile reports whether the element loads a file by a relative reference.
func (e *element) refersToFile(text string, kind htmlscan.ScriptType) bool {
	switch e.name {
	case "base", "title", "meta", "a", "area": // a link is resolved when somebody follows it
		return false
	case "link":
		if !e.rel("stylesheet") && !e.rel("icon") && !e.rel("preload") && !e.rel("modulepreload") {
			return false
		}
	case "script":
		if kind == htmlscan.ModuleScript && !e.has("src") {
			return mayImport(text)
		}
	case "style":
		return cssscan.MayRefer(text)
	}
	for _, key := range [...]string{"src", "href", "srcset", "poster", "data", "background"} {
		if isLocal(strings.Trim(e.attr(key), space)) {
			return true
		}
	}
	return cssscan.MayRefer(e.attr("style"))
}

// setImportMap reads a script of type importmap. module is the first module script
// before it.
func (b *bundler) setImportMap(el, module *element) {
	switch {
	case b.importMap != nil:
		b.fail(el.start, errors.New("a second import map is not followed: put its entries into the first"))
		return
	case module != nil:
		b.fail(el.start, errors.New("an import map after a module script does not apply to it, in many browsers to no script: move it before the first one"))
		return
	}
	b.importMap = el
	if err := b.resolver.setImportMap(b.src[el.text:el.textEnd], b.base); err != nil {
		b.fail(el.text, fmt.Errorf("the import map can't be used: %w", err))
	}
}

func (b *bundler) setBase(el *element, href string) {
	switch scheme(href) {
	case "http", "https":
		u, err := url.Parse(href)
		if err != nil {
			b.failAttr(el, "href", err)
			return
		}
		b.baseURL = u
		b.listExternal(el.start, "base-uri", href)
	case "":
		if strings.HasPrefix(href, "#") {
			return
		}
		dir := href
		if !strings.HasSuffix(href, "/") {
			dir = path.Dir(href)
		}
		to, err := inTree(b.base, dir)
		if err != nil {
			b.failAttr(el, "href", err)
			return
		}
		b.base = to
	default:
		b.failAttr(el, "href", fmt.Errorf("the base %q is blocked when the view runs: use a relative one", href))
	}
}

// absolute resolves a reference if the base element has an external address.
func (b *bundler) absolute(ref string) string {
	if b.baseURL == nil || !isLocal(ref) {
		return ref
	}
	u, err := b.baseURL.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

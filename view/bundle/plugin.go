package bundle

import (
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// resolve tells esbuild what an import or a url() means.
func (c *compilation) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	b := c.b
	style := isStyle(args.Kind)
	dir := b.base
	switch args.Namespace {
	case inFiles:
		dir = path.Dir(args.Importer)
	case inEntry:
		if file, ok := c.files[args.Path]; ok {
			return api.OnResolveResult{Path: file, Namespace: inFiles}, nil
		}
		return api.OnResolveResult{Path: args.Path, Namespace: inPage}, nil
	}
	if args.Kind == api.ResolveEntryPoint {
		// c.entry is not given to esbuild as the entry point, because it would put
		// "./" before the name if the working directory had such a file.
		switch {
		case c.script:
			return api.OnResolveResult{Path: c.entry, Namespace: inEntry}, nil
		case c.page != nil:
			return api.OnResolveResult{Path: c.entry, Namespace: inPage}, nil
		}
		return api.OnResolveResult{Path: c.entry, Namespace: inFiles}, nil
	}
	if name, ok := runtimes[args.Path]; ok && !style && !(b.opts.PackagedRuntime && name != args.Path) {
		c.touch()
		return api.OnResolveResult{Path: name, Namespace: inRuntime}, nil
	}
	ref, mapped := args.Path, false
	if !style {
		if to, ok := b.resolver.mapped(ref, dir); ok {
			ref, dir, mapped = to, b.resolver.importBase, true
		}
	}
	if args.Namespace == inPage && !mapped && (style || strings.HasPrefix(ref, ".") || strings.HasPrefix(ref, "/")) {
		ref = b.absolute(ref)
	}
	url := args.Kind == api.ResolveCSSURLToken
	switch s := scheme(ref); {
	case style && (ref == "" || strings.HasPrefix(ref, "#")), s == "data" && url && !isFontURL(ref):
		return api.OnResolveResult{Path: ref, External: true}, nil
	case s == "data" && url:
		return api.OnResolveResult{}, errDataFont
	case s == "data":
		c.touch()
		return api.OnResolveResult{Path: ref, Namespace: inDataURL}, nil
	case s == "http" || s == "https":
		return c.external(ref, args)
	case s == "//":
		return api.OnResolveResult{}, errNoScheme(ref)
	case s == "node" && !style:
		return api.OnResolveResult{}, errOfNode(ref)
	case s != "":
		return api.OnResolveResult{}, errScheme(ref)
	}
	p, query, fragment := ref, "", ""
	if args.Kind != api.ResolveJSRequireCall && !strings.HasPrefix(ref, "#") {
		p, query, fragment = reference(ref)
	}
	if args.Kind == api.ResolveCSSImportRule && importsTailwind(ref) {
		return api.OnResolveResult{}, errTailwind
	}
	file, err := b.resolver.resolve(p, dir, args.Kind)
	if err != nil && args.Kind == api.ResolveCSSURLToken && c.onlyInCustomProperties(args) {
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	}
	if err != nil {
		return api.OnResolveResult{}, err
	}
	c.touch()
	result := api.OnResolveResult{Path: file, Namespace: inFiles}
	if style {
		if args.Kind == api.ResolveCSSURLToken && isFont(file) {
			return c.font(file)
		}
		result.Suffix = fragment
		return result, nil
	}
	if query != "" {
		result.Suffix = "?" + query
	}
	if inNodeModules(file) {
		m, err := b.resolver.enclosing(file)
		if err != nil {
			return api.OnResolveResult{}, err
		}
		if m != nil && m.pure(file) {
			result.SideEffects = api.SideEffectsFalse
		}
	}
	return result, nil
}

// textOf returns the text of the style that contains a reference.
func (c *compilation) textOf(args api.OnResolveArgs) string {
	if args.Namespace == inPage {
		return c.page[args.Importer].text
	}
	text, _ := c.b.files.read(args.Importer)
	return text
}

// touch records that something is put inline.
func (c *compilation) touch() {
	c.mu.Lock()
	c.touched = true
	c.mu.Unlock()
}

// external keeps a reference to an external address if the policy allows it.
func (c *compilation) external(ref string, args api.OnResolveArgs) (api.OnResolveResult, error) {
	directive := "script-src"
	switch args.Kind {
	case api.ResolveCSSImportRule:
		directive = "style-src"
	case api.ResolveCSSURLToken:
		directive = "img-src"
		if p, _, _ := reference(ref); isFont(p) {
			directive = "font-src"
		}
	default:
		if c.b.allows == nil && !c.b.policy.open {
			return api.OnResolveResult{}, fmt.Errorf("an import of %q is blocked when the view runs: install the package into a node_modules "+
				"folder of the file system and import it by name, or give a CSP whose ResourceDomains have its origin", ref)
		}
	}
	from := args.Importer
	if args.Namespace == inPage {
		from = c.b.name
	}
	if err := c.b.external(directive, Reference{URL: ref, File: from}); err != nil {
		return api.OnResolveResult{}, err
	}
	return api.OnResolveResult{Path: ref, External: true}, nil
}

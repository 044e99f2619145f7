package bundle

import "errors"

// maxDepth is how deep frames with documents of their own may be nested.
const maxDepth = 3

// srcdoc bundles the document of a frame's srcdoc attribute, whose references are
// relative to the page. What is to say about it has the place of the attribute.
func (b *bundler) srcdoc(el *element, text string) {
	if b.depth == maxDepth {
		b.failAttr(el, "srcdoc", errors.New("frames are nested too deep in srcdoc attributes: put the content into the page"))
		return
	}
	in := newBundler(b.files.fsys, b.name, b.opts, b.policy)
	in.src, in.depth = text, b.depth+1
	in.files, in.base, in.baseURL = b.files, b.base, b.baseURL
	in.resolver.files = b.files
	doc := &Document{}
	err := in.bundle(doc)

	line, column := b.lines.Position(b.attrOffset(el, "srcdoc"))
	at := func(file string, toLine, toColumn *int) {
		if file == b.name {
			*toLine, *toColumn = line, column
		}
	}
	for _, e := range append(in.problems.errs, in.warnings...) {
		if e.File == b.name {
			e.Text = "in srcdoc: " + e.Text
		}
		at(e.File, &e.Line, &e.Column)
	}
	b.warnings = append(b.warnings, in.warnings...)
	for _, o := range in.externals {
		for _, ref := range o.References {
			at(ref.File, &ref.Line, &ref.Column)
			if err := b.external(o.Directive, ref); err != nil {
				b.failAttr(el, "srcdoc", err)
			}
		}
	}
	for _, e := range in.problems.errs {
		b.problems.add(e)
	}
	switch {
	case len(in.problems.errs) > 0:
	case err != nil:
		var e *Error
		if errors.As(err, &e) {
			err = errors.New(e.Text) // its place is that in the attribute
		}
		b.failAttr(el, "srcdoc", err)
	case doc.HTML != text:
		b.set(el, "srcdoc", doc.HTML)
	}
}

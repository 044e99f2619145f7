package bundle

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/lines"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// bundler turns one HTML file into a document.
type bundler struct {
	opts     *Options
	policy   policy
	maps     bool // make a source map of the document
	name     string
	src      string
	lines    *lines.Index // of src
	base     string       // the folder that references in the document are relative to
	baseURL  *url.URL     // that of a base element with an external address, else nil
	files    *files
	resolver *resolver
	linked   map[string]bool // the files of link elements for style sheets
	changes  []*change
	deferred []*deferred
	breaks   []int // see assembly

	importMap     *element // nil: none
	remoteModules bool     // the page links module scripts elsewhere, which the import map is for too

	config *tsconfig // nil until it is needed

	depth  int // of srcdoc attributes around the document
	limits limits

	problems problems
	warnings []*Error
	warned   map[Error]bool

	sheets sync.Mutex // held while a script's style sheet is compiled

	mu        sync.Mutex
	dialects  []*Error // see checkDialect
	externals map[string]*Origin
	listed    map[listed]bool
	allows    func(directive, origin string) bool // see policy.allows
}

func newBundler(fsys fs.FS, name string, opts *Options, policy policy) *bundler {
	f := newFiles(fsys)
	b := &bundler{
		opts: opts, policy: policy, limits: limits{usualLimit, maxDocument}, name: name, files: f, base: path.Dir(name),
		resolver:  &resolver{files: f, manifests: make(map[string]*manifest)},
		linked:    make(map[string]bool),
		externals: make(map[string]*Origin),
		listed:    make(map[listed]bool),
	}
	b.allows = policy.allows(opts)
	return b
}

func (b *bundler) document() (*Document, error) {
	var err error
	if b.src, err = b.files.readText(b.name); err != nil {
		e := &Error{File: b.name, Text: "can't read the page: " + err.Error(), Err: err, page: true}
		if errors.Is(err, fs.ErrNotExist) {
			e.Text = "there is no such file in the file system: name the page by its path there, and build it first if a build makes it"
		}
		var cause *Error
		if errors.As(err, &cause) {
			e = cause
		}
		return nil, fmt.Errorf("bundle: %w", e)
	}
	if strings.TrimSpace(strings.TrimPrefix(b.src, "\ufeff")) == "" {
		return nil, fmt.Errorf("bundle: %w", &Error{File: b.name, Text: "the page is empty"})
	}
	doc := &Document{}
	if err := b.bundle(doc); err != nil {
		return nil, err
	}
	b.declare(doc)
	doc.Warnings = b.warnings
	doc.signatures = b.files.inputs
	for name := range doc.signatures {
		doc.Inputs = append(doc.Inputs, name)
	}
	sort.Strings(doc.Inputs)
	return doc, nil
}

// bundle sets the HTML and the title of a document from b.src.
func (b *bundler) bundle(doc *Document) (err error) {
	b.lines = lines.New(b.src)
	elements := elementsOf(b.src)
	var scripts []*element
	b.prepare(elements)
	for _, el := range elements {
		switch el.name {
		case "title":
			if doc.Title == "" && !el.foreign {
				doc.Title = strings.Join(strings.Fields(html.UnescapeString(b.src[el.text:el.textEnd])), " ")
			}
		case "script":
			scripts = append(scripts, el)
		case "style":
			b.inlineStyle(el)
		case "link":
			b.link(el)
		default:
			b.references(el)
		}
		if value := el.attr("style"); cssscan.MayRefer(value) {
			if to, changed := b.styleAttribute(el, value); changed {
				b.set(el, "style", to)
			}
		}
	}
	b.scripts(scripts)
	if b.policy.data && b.depth == 0 {
		b.checkData(scripts)
	}
	for _, e := range b.dialects {
		b.problems.add(e)
	}
	if err := b.problems.err(); err != nil {
		return err
	}
	if len(b.changes) > 0 {
		if err := b.verified(); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
	}
	out := &assembly{src: b.src, name: b.name, breaks: b.breaks}
	if b.maps {
		out.sourceMap = &sourcemap.Writer{}
	}
	b.apply(out)
	doc.HTML = out.String()
	if size := len(doc.HTML); size > b.limits.usual && b.depth == 0 {
		e := &Error{File: b.name, Text: b.files.tooLarge(size)}
		if size > b.limits.most {
			return fmt.Errorf("bundle: %w", e)
		}
		b.warnings = append(b.warnings, e)
	}
	if b.maps {
		for _, d := range b.deferred {
			out.sourceMap.Beyond(int32(d.line), d.code.sources, d.code.segments)
		}
		if len(doc.HTML)+out.sourceMap.Len() > maxMapped {
			out.sourceMap = &sourcemap.Writer{} // the client would refuse the answer
		}
		doc.sourceMap = out.sourceMap.Value()
	}
	return nil
}

func (b *bundler) pageName(el *element) string { return fmt.Sprintf("%s#%d", b.name, el.number) }

// fail adds a problem at an offset of the document.
func (b *bundler) fail(offset int, err error) {
	line, column := b.lines.Position(offset)
	b.problems.add(&Error{File: b.name, Line: line, Column: column, Text: err.Error(), Err: err})
}

// failAttr adds a problem at an attribute of an element.
func (b *bundler) failAttr(el *element, key string, err error) {
	b.fail(b.attrOffset(el, key), err)
}

func (b *bundler) attrOffset(el *element, key string) int {
	for _, a := range el.attrs {
		if a.Key == key {
			return el.start + a.Start
		}
	}
	return el.start
}

// listExternal lists an external reference at an offset of the document.
func (b *bundler) listExternal(offset int, directive, ref string) {
	line, column := b.lines.Position(offset)
	if err := b.external(directive, Reference{URL: ref, File: b.name, Line: line, Column: column}); err != nil {
		b.fail(offset, err)
	}
}

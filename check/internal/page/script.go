package page

import (
	"fmt"
	"strings"
	"sync"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// largeScript is the length from which scripts are read one at a time: the tree of a
// script may take a hundred times its length.
const largeScript = 1 << 20

var large sync.Mutex

// A pendingScript is a script element or an event handler. The offset of a handler is
// that of its tag.
type pendingScript struct {
	text    string
	offset  int
	handler bool
}

// readScript notes what a script does, as far as that is literal. A script that
// can't be read is noted as such, and nothing else of it.
func (p *Page) readScript(s pendingScript) {
	if len(s.text) > maxScriptSize {
		p.fact(Unread, s.offset, fmt.Sprintf("the script has %d bytes, more than are read (%d)", len(s.text), maxScriptSize))
		return
	}
	if n := nesting(s.text); n > minNesting+maxNesting*len(s.text) {
		p.fact(Unread, s.offset, "the script is nested deeper than is read")
		return
	}
	if len(s.text) > largeScript {
		large.Lock()
		defer large.Unlock()
	}
	r := &scriptReader{page: p, script: s}
	ast, err := r.parse()
	if err != nil {
		at, message := s.offset, err.Error()
		if pe, ok := err.(*parse.Error); ok {
			message = pe.Message
			if !s.handler {
				at += offsetOf(s.text, pe.Line, pe.Column)
			}
		}
		p.fact(Unread, at, "the script can't be read: "+message)
		return
	}
	js.Walk(r, ast)
}

// scriptReader looks at each node of a script, in one walk.
type scriptReader struct {
	page   *Page
	script pendingScript
	buf    []byte
	// constructors are the variables that are the constructor of asynchronous
	// functions, which makes code from text and has no name of its own.
	constructors map[*js.Var]bool
	// modes are the variables that are declared as display modes.
	modes map[*js.Var][]string
}

// parse parses the script. A panic of the parser becomes an error.
func (r *scriptReader) parse() (ast *js.AST, err error) {
	defer func() {
		if v := recover(); v != nil {
			ast, err = nil, fmt.Errorf("the parser failed: %v", v)
		}
	}()
	// With one byte of spare capacity the parser works in this very buffer, of which
	// the text of each node is then a part: see offset.
	r.buf = make([]byte, len(r.script.text), len(r.script.text)+1)
	copy(r.buf, r.script.text)
	return js.Parse(parse.NewInputBytes(r.buf), js.Options{Inline: r.script.handler})
}

// Enter implements js.IVisitor.
func (r *scriptReader) Enter(n js.INode) js.IVisitor {
	switch n := n.(type) {
	case *js.ImportStmt:
		r.module(n.Module, "import")
	case *js.ExportStmt:
		r.module(n.Module, "export … from")
	case *js.CallExpr:
		r.call(n)
		r.asks(n)
	case *js.MethodDecl:
		r.defines(n)
	case *js.NewExpr:
		r.construct(n)
	case *js.BindingElement:
		v, ok := n.Binding.(*js.Var)
		if !ok {
			break
		}
		r.keepModes(v, n.Default)
		if r.isAsyncConstructor(n.Default) {
			if r.constructors == nil {
				r.constructors = make(map[*js.Var]bool)
			}
			r.constructors[declared(v)] = true
		}
	case *js.ObjectExpr:
		if method, _ := literal(property(n, "method")); method != "" {
			if method == "tools/call" {
				r.toolCall(property(n, "params"), r.at(n))
			}
			r.message(method, property(n, "params"), r.at(n))
		}
	case *js.BinaryExpr:
		if isAssignment(n.Op) {
			if path := r.path(n.X); isLocation(path) {
				r.page.fact(Leave, r.place(n.X, nil), strings.Join(path, "."))
			}
		}
	}
	return r
}

// Exit implements js.IVisitor.
func (r *scriptReader) Exit(js.INode) {}

func isAssignment(op js.TokenType) bool {
	switch op {
	case js.EqToken, js.AddEqToken, js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		return true
	}
	return false
}

// module notes an import statement.
func (r *scriptReader) module(literal []byte, where string) {
	if name, ok := unquote(literal); ok {
		r.imported(name, where, r.offset(literal))
	}
}

func (r *scriptReader) imported(name, where string, at int) {
	p := r.page
	if !isBare(name) {
		p.ref(Ref{URL: name, Use: Import, Where: where, Offset: at})
		return
	}
	if p.maps(name) {
		return
	}
	if len(p.Facts) < maxRefs {
		p.Facts = append(p.Facts, Fact{Kind: BareImport, What: where, Name: name, Offset: at})
	}
}

// maxModuleName bounds how much of a module's name is looked up in the import map, in
// bytes.
const maxModuleName = 2000

// maps reports whether the import map has an address for a name, or for a beginning
// of it that ends with a slash.
func (p *Page) maps(name string) bool {
	if _, ok := p.imports[name]; ok || len(p.imports) == 0 {
		return ok
	}
	for i := 0; i < min(len(name), maxModuleName); i++ {
		if name[i] != '/' {
			continue
		}
		if _, ok := p.imports[name[:i+1]]; ok {
			return true
		}
	}
	return false
}

// isBare reports whether a module's name is neither an address nor a path.
func isBare(name string) bool {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return false
	}
	scheme, _, ok := strings.Cut(name, ":")
	return !ok || strings.ContainsAny(scheme, "/@") || scheme == "node" || scheme == "npm" || scheme == "jsr"
}

// path returns the names of a chain such as navigator.clipboard.write that begins
// with a global variable, without a leading window, self or globalThis.
func (r *scriptReader) path(e js.IExpr) []string {
	var names []string
	for range 6 {
		switch x := e.(type) {
		case *js.GroupExpr:
			e = x.X
		case *js.CommaExpr: // (0, eval)
			if len(x.List) == 0 {
				return nil
			}
			e = x.List[len(x.List)-1]
		case *js.DotExpr:
			names = append(names, propertyName(x.Y))
			e = x.X
		case *js.IndexExpr:
			name, ok := literal(x.Y)
			if !ok {
				return nil
			}
			names = append(names, name)
			e = x.X
		case *js.Var:
			if !isGlobal(x) {
				return nil
			}
			names = append(names, string(x.Name()))
			for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
				names[i], names[j] = names[j], names[i]
			}
			for len(names) > 1 && (names[0] == "window" || names[0] == "globalThis" || names[0] == "self") {
				names = names[1:]
			}
			return names
		default:
			return nil
		}
	}
	return nil
}

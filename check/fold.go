package check

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// constants knows the values of variables that are set once, where they are
// declared.
type constants struct {
	inits map[*js.Var]js.IExpr // nil where there is more than one value
	work  int                  // of the fold at hand
	steps int                  // that may still be taken; below 0, nothing is known
}

// newConstants returns the constants of a script. A constant may be made of
// others, and those of others again: the steps to find out are in proportion to
// the length of the script.
func newConstants(length int) constants {
	return constants{inits: make(map[*js.Var]js.IExpr), steps: 1<<22 + 16*length}
}

// step takes steps, and reports whether there are any.
func (c *constants) step(n int) bool {
	c.steps -= n
	return c.steps >= 0
}

func (c *constants) declare(v *js.Var, init js.IExpr) {
	v = resolve(v)
	if _, twice := c.inits[v]; twice {
		init = nil
	}
	c.inits[v] = init
}

func (c *constants) assign(v *js.Var) { c.inits[resolve(v)] = nil }

// resolve follows a use of a variable to its declaration.
func resolve(v *js.Var) *js.Var {
	for i := 0; v.Link != nil && i < 1000; i++ {
		v = v.Link
	}
	return v
}

// value returns what an expression stands for: the initial value of a constant,
// what is inside of parentheses.
func (c *constants) value(e js.IExpr) js.IExpr {
	steps := 100 // definitions may go in a circle
	return c.follow(e, &steps)
}

func (c *constants) follow(e js.IExpr, steps *int) js.IExpr {
	for ; *steps > 0; *steps-- {
		if !c.step(1) {
			return e
		}
		switch x := e.(type) {
		case *js.GroupExpr:
			e = x.X
		case *js.Var:
			init := c.inits[resolve(x)]
			if init == nil {
				return e
			}
			e = init
		case *js.DotExpr:
			v := c.property(x.X, propertyName(x.Y), steps)
			if v == nil {
				return e
			}
			e = v
		case *js.CallExpr:
			frozen := argument(&x.Args, 0)
			if d, ok := x.X.(*js.DotExpr); !ok || frozen == nil || !isGlobalNamed(d.X, "Object") || propertyName(d.Y) != "freeze" {
				return e
			}
			e = frozen
		default:
			return e
		}
	}
	return e
}

// property returns the value of a key of an object literal that is constant.
func (c *constants) property(e js.IExpr, name string, steps *int) js.IExpr {
	*steps--
	obj, ok := c.follow(e, steps).(*js.ObjectExpr)
	if !ok || name == "" {
		return nil
	}
	return c.lookup(obj, name)
}

// lookup returns the value of a plain key of an object literal.
func (c *constants) lookup(obj *js.ObjectExpr, name string) js.IExpr {
	if !c.step(len(obj.List)) {
		return nil
	}
	for i := range obj.List {
		if key, ok := keyOf(&obj.List[i]); ok && key == name {
			return obj.List[i].Value
		}
	}
	return nil
}

// keyOf returns the name of a property that is neither spread nor computed.
func keyOf(p *js.Property) (string, bool) {
	switch {
	case p.Spread:
		return "", false
	case p.Name == nil: // the shorthand {x}
		v, ok := p.Value.(*js.Var)
		if !ok {
			return "", false
		}
		return string(v.Name()), true
	case p.Name.Computed != nil:
		return "", false
	case p.Name.Literal.TokenType == js.StringToken:
		return unquote(p.Name.Literal.Data)
	default:
		return string(p.Name.Literal.Data), true
	}
}

func propertyName(y js.IExpr) string {
	switch l := y.(type) {
	case *js.LiteralExpr:
		return string(l.Data)
	case js.LiteralExpr:
		return string(l.Data)
	}
	return ""
}

// Bounds on one fold: the length of the text, and the expressions that are
// looked at. Constants made of constants could take for ever otherwise.
const (
	maxFold = 1 << 16
	maxWork = 2000
)

// text returns the text that an expression is, as far as it is constant:
// whole says whether that is all of it.
func (c *constants) text(e js.IExpr) (s string, whole bool) {
	c.work = 0
	return c.fold(e, 0)
}

// constant returns the text of an expression that is constant as a whole.
func (c *constants) constant(e js.IExpr) (string, bool) {
	s, whole := c.text(e)
	if !whole {
		return "", false
	}
	return s, true
}

func (c *constants) fold(e js.IExpr, depth int) (s string, whole bool) {
	if c.work++; e == nil || depth > 30 || c.work > maxWork || c.steps < 0 {
		return "", false
	}
	defer func() {
		if !c.step(len(s)) {
			s, whole = "", false
		}
	}()
	switch x := c.value(e).(type) {
	case *js.LiteralExpr:
		if x.TokenType == js.StringToken {
			return unquote(x.Data)
		}
	case *js.TemplateExpr:
		if x.Tag != nil {
			return "", false
		}
		return c.foldTemplate(x, depth)
	case *js.BinaryExpr:
		if x.Op != js.AddToken {
			return "", false
		}
		left, whole := c.fold(x.X, depth+1)
		if !whole || len(left) > maxFold {
			return left, false
		}
		right, whole := c.fold(x.Y, depth+1)
		return left + right, whole
	case *js.NewExpr:
		switch {
		case isGlobalNamed(x.X, "Request"): // whose first argument is that of fetch
			return c.fold(argument(x.Args, 0), depth+1)
		case isGlobalNamed(x.X, "URL"):
			return c.foldURL(x.Args, depth)
		}
	case *js.DotExpr: // new URL("https://…").href
		if u, ok := c.value(x.X).(*js.NewExpr); ok && propertyName(x.Y) == "href" && isGlobalNamed(u.X, "URL") {
			return c.foldURL(u.Args, depth)
		}
	case *js.CallExpr:
		return c.foldCall(x, depth)
	}
	return "", false
}

// foldURL folds new URL(address, base).
func (c *constants) foldURL(args *js.Args, depth int) (string, bool) {
	address, whole := c.fold(argument(args, 0), depth+1)
	second := argument(args, 1)
	if second == nil {
		return address, whole
	}
	if d, ok := second.(*js.DotExpr); ok && propertyName(d.Y) == "url" {
		if _, ok := d.X.(*js.ImportMetaExpr); ok { // the document's own address
			return address, whole
		}
	}
	base, baseWhole := c.fold(second, depth+1)
	b, err := url.Parse(base)
	if err != nil || !baseWhole || !b.IsAbs() {
		return "", false
	}
	u, err := b.Parse(address)
	if err != nil || !whole && (address == "" || u.Host == "") {
		return b.Scheme + "://" + b.Host + "/", false
	}
	return u.String(), whole
}

// foldCall folds the calls that stand for a text: compilers to older JavaScript
// write a template as "".concat(a, b).
func (c *constants) foldCall(x *js.CallExpr, depth int) (string, bool) {
	d, ok := x.X.(*js.DotExpr)
	if !ok {
		return "", false
	}
	switch propertyName(d.Y) {
	case "concat":
		s, whole := c.fold(d.X, depth+1)
		for i := 0; whole && i < len(x.Args.List) && len(s) <= maxFold; i++ {
			var next string
			next, whole = c.fold(argument(&x.Args, i), depth+1)
			s += next
		}
		return s, whole && len(s) <= maxFold
	case "toString":
		if len(x.Args.List) == 0 {
			return c.fold(d.X, depth+1)
		}
	}
	return "", false
}

func (c *constants) foldTemplate(t *js.TemplateExpr, depth int) (string, bool) {
	var b strings.Builder
	for _, part := range t.List {
		raw := bytes.TrimSuffix(part.Value[1:], []byte("${"))
		s, ok := unescape(raw)
		b.WriteString(s)
		if !ok {
			return b.String(), false
		}
		s, whole := c.fold(part.Expr, depth+1)
		b.WriteString(s)
		if !whole || b.Len() > maxFold {
			return b.String(), false
		}
	}
	if len(t.Tail) < 2 {
		return b.String(), false
	}
	s, ok := unescape(t.Tail[1 : len(t.Tail)-1])
	b.WriteString(s)
	return b.String(), ok
}

// unquote returns the text of a string literal.
func unquote(data []byte) (string, bool) {
	if len(data) < 2 {
		return "", false
	}
	return unescape(data[1 : len(data)-1])
}

// unescape resolves the escapes of a string or template. On one that it can't
// read it returns what is before.
func unescape(data []byte) (string, bool) {
	if len(data) > maxFold {
		return string(data[:maxFold]), false
	}
	if bytes.IndexByte(data, '\\') < 0 {
		return string(data), true
	}
	var b strings.Builder
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			b.WriteByte(data[i])
			continue
		}
		if i++; i >= len(data) {
			return b.String(), false
		}
		digits := 0
		switch c := data[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b', 'f', 'v', '0', '1', '2', '3', '4', '5', '6', '7':
			return b.String(), false
		case '\n':
		case '\r':
			if i+1 < len(data) && data[i+1] == '\n' {
				i++
			}
		case 'x':
			digits = 2
		case 'u':
			digits = 4
			if i+1 < len(data) && data[i+1] == '{' {
				end := bytes.IndexByte(data[i:], '}')
				if end < 0 {
					return b.String(), false
				}
				if !writeHex(&b, data[i+2:i+end]) {
					return b.String(), false
				}
				i += end
				digits = 0
			}
		default:
			b.WriteByte(c)
		}
		if digits > 0 {
			if i+digits >= len(data) || !writeHex(&b, data[i+1:i+1+digits]) {
				return b.String(), false
			}
			i += digits
		}
	}
	return b.String(), true
}

func writeHex(b *strings.Builder, hex []byte) bool {
	n, err := strconv.ParseUint(string(hex), 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return false // a half of a surrogate pair, or none
	}
	b.WriteRune(rune(n))
	return true
}

// isGlobal reports whether a variable is declared nowhere in its script.
func isGlobal(v *js.Var) bool { return resolve(v).Decl == js.NoDecl }

func isGlobalNamed(e js.IExpr, name string) bool {
	v, ok := e.(*js.Var)
	return ok && string(v.Name()) == name && isGlobal(v)
}

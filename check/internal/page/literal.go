package page

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// literalText returns the literal text with which an expression begins. whole reports
// whether that is all of it. Variables are not followed: of a sum it is the first
// operand, of a template the text before its first expression, and of
// new URL(address, import.meta.url) the address.
func literalText(e js.IExpr) (s string, whole bool) {
	for whole = true; ; {
		switch x := e.(type) {
		case *js.GroupExpr:
			e = x.X
		case *js.BinaryExpr:
			if x.Op != js.AddToken {
				return "", false
			}
			e, whole = x.X, false
		case *js.NewExpr:
			second := argument(x.Args, 1)
			if !isGlobalNamed(x.X, "URL") || second != nil && !isOwnAddress(second) {
				return "", false
			}
			e = argument(x.Args, 0)
		case *js.LiteralExpr:
			if x.TokenType != js.StringToken {
				return "", false
			}
			s, ok := unquote(x.Data)
			return s, ok && whole
		case *js.TemplateExpr:
			s, ok := templateText(x)
			return s, ok && whole
		default:
			return "", false
		}
	}
}

// isOwnAddress reports whether an expression is import.meta.url.
func isOwnAddress(e js.IExpr) bool {
	d, ok := e.(*js.DotExpr)
	if !ok || propertyName(d.Y) != "url" {
		return false
	}
	_, ok = d.X.(*js.ImportMetaExpr)
	return ok
}

// literal returns the text of an expression that is a literal as a whole.
func literal(e js.IExpr) (string, bool) {
	s, whole := literalText(e)
	if !whole {
		return "", false
	}
	return s, true
}

func templateText(t *js.TemplateExpr) (s string, whole bool) {
	switch {
	case t.Tag != nil:
		return "", false
	case len(t.List) > 0:
		s, _ = unescape(bytes.TrimSuffix(t.List[0].Value[1:], []byte("${")))
		return s, false
	case len(t.Tail) < 2:
		return "", false
	}
	return unescape(t.Tail[1 : len(t.Tail)-1])
}

// object returns the expression if it is an object literal, otherwise nil.
func object(e js.IExpr) *js.ObjectExpr {
	if g, ok := e.(*js.GroupExpr); ok {
		e = g.X
	}
	obj, _ := e.(*js.ObjectExpr)
	return obj
}

// property returns the value of a key of an object literal, nil if the object
// is nil or does not name the key.
func property(obj *js.ObjectExpr, name string) js.IExpr {
	if obj == nil {
		return nil
	}
	for i := range obj.List {
		if key, ok := keyOf(&obj.List[i]); ok && key == name {
			return obj.List[i].Value
		}
	}
	return nil
}

// keyOf returns the name of a property. Not ok means that it is spread or computed.
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

// maxLiteral bounds the literals that are taken as a whole, in bytes.
const maxLiteral = 1 << 16

// unquote returns the text of a string literal.
func unquote(data []byte) (string, bool) {
	if len(data) < 2 {
		return "", false
	}
	return unescape(data[1 : len(data)-1])
}

// unescape resolves the escapes of a string or template. At one that it can't read it
// stops, and returns the text before it and false.
func unescape(data []byte) (string, bool) {
	if len(data) > maxLiteral {
		return string(data[:maxLiteral]), false
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
		return false // half of a surrogate pair, or not a character
	}
	b.WriteRune(rune(n))
	return true
}

// isGlobal reports whether no scope of the script declares the variable.
func isGlobal(v *js.Var) bool { return declared(v).Decl == js.NoDecl }

// declared returns the variable that a use of a name means.
func declared(v *js.Var) *js.Var {
	for i := 0; v.Link != nil && i < 1000; i++ {
		v = v.Link
	}
	return v
}

func isGlobalNamed(e js.IExpr, name string) bool {
	v, ok := e.(*js.Var)
	return ok && string(v.Name()) == name && isGlobal(v)
}

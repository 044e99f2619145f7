package page

import (
	"strings"
	"unsafe"

	"github.com/tdewolff/parse/v2/js"
)

// place returns where in the document a call is. The parser keeps one place for all
// uses of a name, so a literal argument or a property name is used if there is one.
func (r *scriptReader) place(callee js.IExpr, args *js.Args) int {
	if args != nil {
		for i := range args.List {
			switch x := args.List[i].Value.(type) {
			case *js.LiteralExpr, *js.TemplateExpr, *js.ObjectExpr, *js.BinaryExpr:
				return r.at(x)
			}
		}
	}
	if d, ok := callee.(*js.DotExpr); ok {
		if l, ok := d.Y.(js.LiteralExpr); ok {
			return r.offset(l.Data)
		}
	}
	return r.at(callee)
}

// offset returns where in the document a piece of the script is. The parser's nodes
// have no positions, but their text is a part of the buffer, so the difference of the
// two addresses is the position.
func (r *scriptReader) offset(data []byte) int {
	if r.script.handler || len(data) == 0 || len(r.buf) == 0 {
		return r.script.offset
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(data))) - uintptr(unsafe.Pointer(unsafe.SliceData(r.buf)))
	if at >= uintptr(len(r.buf)) || &r.buf[at] != &data[0] {
		return r.script.offset // the parser made the text up
	}
	return r.script.offset + int(at)
}

// at returns where in the document the first name or literal of an expression is.
func (r *scriptReader) at(e js.IExpr) int {
	for range 1000 {
		switch x := e.(type) {
		case *js.GroupExpr:
			e = x.X
		case *js.DotExpr:
			e = x.X
		case *js.IndexExpr:
			e = x.X
		case *js.CallExpr:
			if l, ok := x.X.(*js.LiteralExpr); ok && l.TokenType == js.ImportToken && len(x.Args.List) > 0 {
				e = x.Args.List[0].Value
				continue
			}
			e = x.X
		case *js.NewExpr:
			e = x.X
		case *js.BinaryExpr:
			e = x.X
		case *js.CondExpr:
			e = x.Cond
		case *js.TemplateExpr:
			if len(x.List) > 0 {
				return r.offset(x.List[0].Value)
			}
			return r.offset(x.Tail)
		case *js.ObjectExpr:
			if len(x.List) == 0 {
				return r.script.offset
			}
			if n := x.List[0].Name; n != nil && n.Computed == nil {
				return r.offset(n.Literal.Data)
			}
			e = x.List[0].Value
		case *js.Var:
			return r.offset(x.Data)
		case *js.LiteralExpr:
			return r.offset(x.Data)
		default:
			return r.script.offset
		}
	}
	return r.script.offset
}

// offsetOf returns the offset of a line and a column, as the parser counts.
func offsetOf(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return min(at+max(column-1, 0), len(text))
}

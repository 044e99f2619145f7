package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// object looks at an object literal with a method in it: a message.
func (r *scriptReader) object(obj *js.ObjectExpr) {
	value := r.consts.lookup(obj, "method")
	method, ok := r.consts.constant(value)
	if !ok {
		return
	}
	version, _ := r.consts.constant(r.consts.lookup(obj, "jsonrpc"))
	isMessage := version == "2.0"
	if !isMessage && !r.likeMethod(method) && method != "tools/call" {
		return
	}
	params, open := r.params(obj)
	r.message(method, params, open, isMessage, isMessage, r.at(value))
}

// params returns the params of a message as a literal, and whether there may be
// others than those.
func (r *scriptReader) params(obj *js.ObjectExpr) (params *js.ObjectExpr, open bool) {
	v := r.consts.lookup(obj, "params")
	if v == nil {
		return nil, slices.ContainsFunc(obj.List, func(p js.Property) bool { return p.Spread })
	}
	params, ok := r.consts.value(v).(*js.ObjectExpr)
	return params, !ok
}

// messageCall looks at a call such as request("ui/initialize", {…}).
func (r *scriptReader) messageCall(path []string, args *js.Args, at int) {
	method, ok := r.consts.constant(argument(args, 0))
	if !ok || !strings.Contains(method, "/") || strings.Join(path, ".") == "require" {
		return
	}
	known := isMethod(method)
	if !known && !r.likeMethod(method) {
		return
	}
	second := argument(args, 1)
	if known && second == nil && method != "ui/initialize" {
		return
	}
	params, ok := r.consts.value(second).(*js.ObjectExpr)
	switch {
	case known && !ok && second == nil:
		return // a listener, or a helper of which nothing is known
	case known && !ok:
		r.message(method, nil, true, false, false, at)
	default:
		r.message(method, params, false, false, false, at)
	}
}

// message judges a literal message. Open params are not known, or not all; core
// messages have a version of JSON-RPC; a message that is no literal is what a
// function is called with.
func (r *scriptReader) message(method string, params *js.ObjectExpr, open, core, literal bool, at int) {
	switch {
	case method == "ui/initialize":
		if r.page.handshakeAt < 0 {
			r.page.handshakeAt = at
		}
		r.handshake(params, open, at)
	case method == "initialize" && core:
		r.page.fault("doc-handshake", at, `the view sends "initialize", which is the handshake with a server`, "")
	case method == "tools/call":
		var name js.IExpr
		if params != nil {
			name = r.consts.lookup(params, "name")
		}
		r.toolName(name, at)
		fallthrough
	case methodParams[method].required != nil:
		if !open {
			r.judgeParams(method, params, literal, at)
		}
	case isMethod(method):
	case core || strings.HasPrefix(method, "ui/"):
		r.unknownMethod(method, "no host knows the method %q", at)
	}
}

func (r *scriptReader) unknownMethod(method, format string, at int) {
	if len(r.page.faults) >= maxPerRule {
		return
	}
	remedy := ""
	if m := nearMethod(method); m != "" {
		remedy = fmt.Sprintf("write %q, if that is what is meant", m)
	}
	r.page.fault("doc-method", at, fmt.Sprintf(format, shorten(method)), remedy)
}

// compared looks at what the method of a message is compared with.
func (r *scriptReader) compared(x, y js.IExpr) {
	if !isMethodName(x) {
		x, y = y, x
	}
	if !isMethodName(x) {
		return
	}
	method, ok := r.consts.constant(y)
	if ok && strings.HasPrefix(method, "ui/") && !isMethod(method) {
		r.unknownMethod(method, "the view waits for the method %q, which no host sends", r.at(y))
	}
}

// isMethodName reports whether an expression is m.method, or method alone.
func isMethodName(e js.IExpr) bool {
	switch x := e.(type) {
	case *js.DotExpr:
		return propertyName(x.Y) == "method"
	case *js.Var:
		return string(x.Name()) == "method"
	}
	return false
}

// handshake judges the params of ui/initialize as the reference host does.
func (r *scriptReader) handshake(params *js.ObjectExpr, open bool, at int) {
	if open {
		return
	}
	var missing []string
	for _, key := range []string{"appInfo", "appCapabilities", "protocolVersion"} {
		if params == nil || !r.mayHave(params, key) {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		r.page.fault("doc-handshake", at, fmt.Sprintf("ui/initialize is sent without %s", strings.Join(missing, ", ")), "")
		return
	}
	for _, key := range []string{"appInfo", "appCapabilities", "protocolVersion"} {
		if got, want := literalType(r.consts.value(r.consts.lookup(params, key))), handshakeTypes[key]; got != "" && got != want {
			r.page.fault("doc-handshake", at, fmt.Sprintf("ui/initialize is sent with %s as %s, not %s", key, got, want), "")
		}
	}
	if info, ok := r.consts.value(r.consts.lookup(params, "appInfo")).(*js.ObjectExpr); ok {
		for _, key := range []string{"name", "version"} {
			if !r.mayHave(info, key) {
				r.page.fault("doc-handshake", at, fmt.Sprintf("ui/initialize is sent with an appInfo without %s", key), "")
			}
		}
	}
}

var handshakeTypes = map[string]string{"appInfo": "an object", "appCapabilities": "an object", "protocolVersion": "a string"}

// literalType names the type of a literal, "" of anything else.
func literalType(e js.IExpr) string {
	switch x := e.(type) {
	case *js.ObjectExpr:
		return "an object"
	case *js.ArrayExpr:
		return "a list"
	case *js.TemplateExpr:
		if x.Tag == nil {
			return "a string"
		}
	case *js.LiteralExpr:
		switch x.TokenType {
		case js.StringToken:
			return "a string"
		case js.TrueToken, js.FalseToken, js.NullToken:
			return string(x.Data)
		case js.DecimalToken, js.IntegerToken, js.HexadecimalToken:
			return "a number"
		}
	}
	return ""
}

// textMessage looks at what is posted to the host, which takes objects only.
func (r *scriptReader) textMessage(e js.IExpr, at int) {
	call, ok := r.consts.value(e).(*js.CallExpr)
	if !ok || strings.Join(r.path(call.X), ".") != "JSON.stringify" {
		return
	}
	obj, ok := r.consts.value(argument(&call.Args, 0)).(*js.ObjectExpr)
	if !ok {
		return
	}
	if method, _ := r.consts.constant(r.consts.lookup(obj, "method")); method == "ui/initialize" {
		r.page.fault("doc-handshake", at, "ui/initialize is sent as text, which hosts do not read", "give postMessage the object itself, without JSON.stringify")
	}
}

// mayHave reports whether an object literal has a key, or may have it for all
// that its text says.
func (r *scriptReader) mayHave(obj *js.ObjectExpr, key string) bool {
	if !r.consts.step(len(obj.List)) {
		return true
	}
	return slices.ContainsFunc(obj.List, func(p js.Property) bool {
		if m, ok := p.Value.(*js.MethodDecl); ok {
			return propertyName(&m.Name.Literal) == key
		}
		k, plain := keyOf(&p)
		return !plain || k == key
	})
}

// toolCall takes the argument of App.callServerTool.
func (r *scriptReader) toolCall(e js.IExpr, at int) {
	var name js.IExpr
	if obj, ok := e.(*js.ObjectExpr); ok {
		name = r.consts.lookup(obj, "name")
		r.callArguments("callServerTool", obj, at)
	}
	r.toolName(name, at)
}

func (r *scriptReader) toolName(e js.IExpr, at int) {
	if name, ok := r.consts.constant(e); ok && len(r.page.calls) < maxRefs {
		r.page.calls = append(r.page.calls, toolCall{name, at})
	}
}

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// The methods of the view's protocol, in both directions: a literal message may
// as well be one that the view waits for.
var viewMethods = []string{
	"ui/initialize", "ui/open-link", "ui/download-file", "ui/message",
	"ui/request-display-mode", "ui/update-model-context", "ui/resource-teardown",
	"ui/notifications/initialized", "ui/notifications/size-changed",
	"ui/notifications/request-teardown", "ui/notifications/tool-input",
	"ui/notifications/tool-input-partial", "ui/notifications/tool-result",
	"ui/notifications/tool-cancelled", "ui/notifications/host-context-changed",
	"ui/notifications/sandbox-proxy-ready", "ui/notifications/sandbox-resource-ready",
}

var coreMethods = []string{
	"ping", "tools/call", "tools/list", "resources/read", "resources/list",
	"resources/templates/list", "prompts/list", "sampling/createMessage",
	"notifications/message", "notifications/cancelled", "notifications/progress",
	"notifications/tools/list_changed", "notifications/resources/list_changed",
	"notifications/prompts/list_changed",
}

var allMethods = slices.Concat(viewMethods, coreMethods)

// object looks at an object literal with a method in it: a message.
func (r *scriptReader) object(obj *js.ObjectExpr) {
	value := lookup(obj, "method")
	method, ok := r.consts.constant(value)
	if !ok {
		return
	}
	version, _ := r.consts.constant(lookup(obj, "jsonrpc"))
	isMessage := version == "2.0"
	if !isMessage && !r.likeMethod(method) && method != "tools/call" {
		return
	}
	params, open := r.params(obj)
	r.message(method, params, open, isMessage, r.at(value))
}

// params returns the params of a message as a literal, and whether there may be
// others than those.
func (r *scriptReader) params(obj *js.ObjectExpr) (params *js.ObjectExpr, open bool) {
	v := lookup(obj, "params")
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
	known := slices.Contains(allMethods, method)
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
		r.message(method, nil, true, false, at)
	default:
		r.message(method, params, false, false, at)
	}
}

// likeMethod reports whether a text that nothing else shows to be a method can
// only be meant as one of the view's: other things are called "ui/button" too.
func (r *scriptReader) likeMethod(s string) bool {
	if strings.HasPrefix(s, "ui/notifications/") {
		return true
	}
	if !strings.HasPrefix(s, "ui/") || len(s) > 100 {
		return false
	}
	if slices.ContainsFunc(viewMethods, func(m string) bool { return plain(m) == plain(s) }) {
		return true
	}
	r.guesses++
	return r.guesses < 1000 && distance(s, nearest(s, viewMethods)) <= 3
}

// message judges a literal message. Open params are not known, or not all.
func (r *scriptReader) message(method string, params *js.ObjectExpr, open, core bool, at int) {
	switch {
	case method == "ui/initialize":
		r.handshake(params, open, at)
	case method == "initialize" && core:
		r.page.fault("doc-handshake", at, `the view sends "initialize", which is the handshake with a server`, "")
	case method == "tools/call":
		var name js.IExpr
		if params != nil {
			name = lookup(params, "name")
		}
		r.toolName(name, at)
	case slices.Contains(allMethods, method):
	case (core || strings.HasPrefix(method, "ui/")) && len(r.page.faults) < maxPerRule:
		n := nearest(method, allMethods)
		r.page.fault("doc-method", at, fmt.Sprintf("no host knows the method %q", shorten(method)), fmt.Sprintf("the nearest method is %q", n))
	}
}

// handshake judges the params of ui/initialize as the reference host does.
func (r *scriptReader) handshake(params *js.ObjectExpr, open bool, at int) {
	if open {
		return
	}
	var missing []string
	for _, key := range []string{"appInfo", "appCapabilities", "protocolVersion"} {
		if params == nil || !mayHave(params, key) {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		r.page.fault("doc-handshake", at, fmt.Sprintf("ui/initialize is sent without %s", strings.Join(missing, ", ")), "")
		return
	}
	for _, key := range []string{"appInfo", "appCapabilities", "protocolVersion"} {
		if got, want := literalType(r.consts.value(lookup(params, key))), handshakeTypes[key]; got != "" && got != want {
			r.page.fault("doc-handshake", at, fmt.Sprintf("ui/initialize is sent with %s as %s, not %s", key, got, want), "")
		}
	}
	if info, ok := r.consts.value(lookup(params, "appInfo")).(*js.ObjectExpr); ok {
		for _, key := range []string{"name", "version"} {
			if !mayHave(info, key) {
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
	if method, _ := r.consts.constant(lookup(obj, "method")); method == "ui/initialize" {
		r.page.fault("doc-handshake", at, "ui/initialize is sent as text, which hosts do not read", "give postMessage the object itself, without JSON.stringify")
	}
}

// mayHave reports whether an object literal has a key, or may have it for all
// that its text says.
func mayHave(obj *js.ObjectExpr, key string) bool {
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
		name = lookup(obj, "name")
	}
	r.toolName(name, at)
}

func (r *scriptReader) toolName(e js.IExpr, at int) {
	if name, ok := r.consts.constant(e); ok && len(r.page.calls) < maxRefs {
		r.page.calls = append(r.page.calls, toolCall{name, at})
	}
}

package page

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// argument returns an argument of a call, nil if there is none, or a spread argument
// before it.
func argument(args *js.Args, i int) js.IExpr {
	if args == nil || i >= len(args.List) {
		return nil
	}
	for _, a := range args.List[:i+1] {
		if a.Rest {
			return nil
		}
	}
	return args.List[i].Value
}

// address adds a reference if the expression is literal, or begins with a literal.
func (r *scriptReader) address(e js.IExpr, u Use, where string, at int) {
	if e == nil {
		return
	}
	if url, whole := literalText(e); url != "" {
		r.page.ref(Ref{URL: url, Prefix: !whole, Use: u, Where: where, Offset: at})
	}
}

// call notes what a call of a function or method does.
func (r *scriptReader) call(n *js.CallExpr) {
	first := argument(&n.Args, 0)
	at := r.place(n.X, &n.Args)
	if l, ok := n.X.(*js.LiteralExpr); ok && l.TokenType == js.ImportToken {
		if name, ok := literal(first); ok {
			r.imported(name, "import()", at)
		}
		return
	}
	path := r.path(n.X)
	switch strings.Join(path, ".") {
	case "fetch":
		r.address(first, Connect, "fetch", at)
		return
	case "navigator.sendBeacon":
		r.address(first, Connect, "sendBeacon", at)
		return
	case "navigator.serviceWorker.register":
		r.page.fact(ServiceWorker, at, path[1])
		return
	case "navigator.mediaDevices.getUserMedia":
		r.userMedia(first, at)
		return
	case "navigator.geolocation.getCurrentPosition", "navigator.geolocation.watchPosition":
		r.page.feature("geolocation", at)
		return
	case "navigator.clipboard.write", "navigator.clipboard.writeText":
		r.page.feature("clipboardWrite", at)
		return
	case "openai.callTool": // ChatGPT's own name for it
		r.toolName(first, at)
		return
	case "eval", "Function":
		r.eval(path[0], &n.Args, at)
		return
	case "setTimeout", "setInterval":
		if _, ok := literal(first); ok {
			r.page.fact(TimerText, at, path[0])
		}
		return
	case "WebAssembly.instantiate", "WebAssembly.compile", "WebAssembly.instantiateStreaming", "WebAssembly.compileStreaming":
		r.wasm(at)
		return
	case "alert", "confirm", "prompt", "print":
		if _, bare := n.X.(*js.Var); !bare || !r.page.declares(path[0]) {
			r.page.fact(Dialog, at, path[0])
		}
		return
	case "open":
		if _, bare := n.X.(*js.Var); bare { // may be a function of another script
			if u, ok := literal(first); !ok || !strings.Contains(u, "/") {
				return
			}
		}
		r.page.fact(OpenWindow, r.place(n.X, nil), "open")
		return
	}
	if isLocationCall(path) {
		kind := Leave
		if path[len(path)-1] == "reload" {
			kind = Reload
		}
		r.page.fact(kind, r.place(n.X, nil), strings.Join(path, "."))
		return
	}
	switch method := called(n.X); method {
	case "open":
		if verb, ok := literal(first); ok && isHTTPMethod(verb) && r.page.contains("XMLHttpRequest") {
			r.address(argument(&n.Args, 1), Connect, "XMLHttpRequest", at)
		}
	case "callServerTool":
		r.toolCall(first, at)
	default:
		if method, _ := literal(first); method == "tools/call" { // request("tools/call", {name: …})
			r.toolCall(argument(&n.Args, 1), at)
		}
	}
}

// toolCall notes the call of a tool that an object literal names.
func (r *scriptReader) toolCall(e js.IExpr, at int) {
	r.toolName(property(object(e), "name"), at)
}

func (r *scriptReader) toolName(e js.IExpr, at int) {
	if name, ok := literal(e); ok && len(r.page.ToolCalls) < maxRefs {
		r.page.ToolCalls = append(r.page.ToolCalls, ToolCall{name, at})
	}
}

// declares reports whether a script of the document may declare a function of that
// name.
func (p *Page) declares(name string) bool {
	return p.contains("function "+name) || p.contains(name+" =") || p.contains(name+"=") || p.contains(name+",")
}

// contains reports whether the document contains one of the few texts that are
// searched for. It searches once for each, since a script may ask very often.
func (p *Page) contains(text string) bool {
	found, known := p.searched[text]
	if !known {
		found = strings.Contains(p.Doc, text)
		p.searched[text] = found
	}
	return found
}

// construct notes what a new expression does.
func (r *scriptReader) construct(n *js.NewExpr) {
	if v, ok := n.X.(*js.Var); ok && r.constructors[declared(v)] {
		r.eval("the constructor of asynchronous functions", n.Args, r.place(n.X, n.Args))
		return
	}
	path := r.path(n.X)
	if path == nil {
		return
	}
	first := argument(n.Args, 0)
	at := r.place(n.X, n.Args)
	switch name := strings.Join(path, "."); name {
	case "WebSocket", "EventSource":
		r.address(first, Connect, name, at)
	case "Worker", "SharedWorker":
		if c, ok := first.(*js.CallExpr); ok && strings.Join(r.path(c.X), ".") == "URL.createObjectURL" {
			r.page.fact(BlobWorker, at, name)
			return
		}
		r.address(first, Worker, name, at)
	case "Function":
		r.eval(name, n.Args, at)
	case "WebAssembly.Module", "WebAssembly.Instance":
		r.wasm(at)
	}
}

// eval notes code made from text. Libraries test with an empty text whether it is
// allowed, and get the global object with "return this" if it is: these are not noted.
func (r *scriptReader) eval(name string, args *js.Args, at int) {
	if args == nil || len(args.List) == 0 {
		return
	}
	if text, ok := literal(argument(args, len(args.List)-1)); ok {
		if text = strings.Trim(text, " ;"); text == "" || text == "this" || text == "return this" || text == "debugger" {
			return
		}
	}
	r.page.fact(Eval, at, name)
}

// isAsyncConstructor reports whether an expression is the constructor of asynchronous
// functions, written as (async () => {}).constructor or with Object.getPrototypeOf.
func (r *scriptReader) isAsyncConstructor(e js.IExpr) bool {
	d, ok := e.(*js.DotExpr)
	if !ok || propertyName(d.Y) != "constructor" {
		return false
	}
	of := js.IExpr(d.X)
	if c, ok := of.(*js.CallExpr); ok && strings.Join(r.path(c.X), ".") == "Object.getPrototypeOf" {
		of = argument(&c.Args, 0)
	}
	if g, ok := of.(*js.GroupExpr); ok {
		of = g.X
	}
	switch f := of.(type) {
	case *js.FuncDecl:
		return f.Async
	case *js.ArrowFunc:
		return f.Async
	}
	return false
}

func (r *scriptReader) wasm(at int) {
	r.page.fact(WebAssembly, at, "WebAssembly")
}

// userMedia notes the devices that literal constraints request.
func (r *scriptReader) userMedia(e js.IExpr, at int) {
	constraints := object(e)
	for key, name := range map[string]string{"video": "camera", "audio": "microphone"} {
		if v := property(constraints, key); v != nil && !isFalse(v) {
			r.page.feature(name, at)
		}
	}
}

func isFalse(e js.IExpr) bool {
	switch x := e.(type) {
	case *js.LiteralExpr:
		return x.TokenType == js.FalseToken
	case *js.UnaryExpr: // minifiers write !1
		l, ok := x.X.(*js.LiteralExpr)
		return ok && x.Op == js.NotToken && string(l.Data) == "1"
	}
	return false
}

// isLocation reports whether a path is the location of this window or an outer one.
func isLocation(path []string) bool {
	for len(path) > 1 && (path[0] == "top" || path[0] == "parent" || path[0] == "document") {
		path = path[1:]
	}
	return len(path) == 1 && path[0] == "location" || len(path) == 2 && path[0] == "location" && path[1] == "href"
}

func isLocationCall(path []string) bool {
	n := len(path)
	return n >= 2 && isLocation(path[:n-1]) && path[n-2] == "location" && (path[n-1] == "assign" || path[n-1] == "replace" || path[n-1] == "reload")
}

// called returns the name of the method or function that is called, "" if it has
// none.
func called(callee js.IExpr) string {
	switch x := callee.(type) {
	case *js.DotExpr:
		return propertyName(x.Y)
	case *js.Var:
		return string(x.Name())
	}
	return ""
}

func isHTTPMethod(s string) bool {
	switch strings.ToUpper(s) {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return true
	}
	return false
}

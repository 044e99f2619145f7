package page

import (
	"slices"

	"github.com/tdewolff/parse/v2/js"
)

// An Ask is something that a view asks its host for, as far as a script does so
// literally: by a method of the App class, or by a message of its own. Offset is the
// first place, and Count how many there are.
type Ask struct {
	// Method is the method of the App class, such as "openLink".
	Method string
	// Mode is a display mode that requestDisplayMode asks for, "" if that is not literal.
	Mode string
	// Message is the message that a script sends itself, "" if it calls the method.
	Message string
	Offset  int
	Count   int
}

// messages are the messages that the methods of the App class send.
var messages = map[string]string{
	"callServerTool":      "tools/call",
	"readServerResource":  "resources/read",
	"listServerResources": "resources/list",
	"updateModelContext":  "ui/update-model-context",
	"requestDisplayMode":  "ui/request-display-mode",
	"sendMessage":         "ui/message",
	"openLink":            "ui/open-link",
	"downloadFile":        "ui/download-file",
	"requestTeardown":     "ui/notifications/request-teardown",
	"registerTool":        "", // sends nothing itself
}

// methods are the methods that send the messages.
var methods = func() map[string]string {
	m := make(map[string]string, len(messages))
	for method, message := range messages {
		m[message] = method
	}
	delete(m, "")
	return m
}()

// ask notes something that a view asks for, with each display mode that it may be.
func (r *scriptReader) ask(list *[]Ask, a Ask, params js.IExpr) {
	modes := []string{""}
	if a.Method == "requestDisplayMode" {
		if known := r.modesOf(property(object(params), "mode")); len(known) > 0 {
			modes = known
		}
	}
	for _, a.Mode = range modes {
		note(list, a)
	}
}

func note(list *[]Ask, a Ask) {
	for i := range *list {
		if b := &(*list)[i]; b.Method == a.Method && b.Mode == a.Mode {
			b.Offset, b.Count = min(b.Offset, a.Offset), b.Count+1
			return
		}
	}
	a.Count = 1
	*list = append(*list, a)
}

// asks notes what a call asks the host for.
func (r *scriptReader) asks(n *js.CallExpr) {
	first := argument(&n.Args, 0)
	if d, ok := n.X.(*js.DotExpr); ok && !isThis(d.X) {
		method := propertyName(d.Y)
		if method == "sendOpenLink" {
			method = "openLink"
		}
		if _, known := messages[method]; known && !r.isOpenAI(d.X) && fits(method, first) {
			r.ask(&r.page.Asks, Ask{Method: method, Offset: r.place(n.X, nil)}, first)
			return
		}
	}
	// Other calls with the name of a message, such as rpc("ui/message", {…}). A schema
	// has it as an argument of literal.
	if message, ok := literal(first); ok && called(n.X) != "literal" {
		r.message(message, argument(&n.Args, 1), r.place(n.X, &n.Args))
	}
}

// message notes a message that a script sends itself.
func (r *scriptReader) message(name string, params js.IExpr, at int) {
	if method := methods[name]; method != "" {
		r.ask(&r.page.sent, Ask{Method: method, Message: name, Offset: at}, params)
	}
}

// defines notes the definition of a method of the App class: messages with its name
// are then the view library's, and say nothing of the view.
func (r *scriptReader) defines(n *js.MethodDecl) {
	name := string(n.Name.Literal.Data)
	if _, known := messages[name]; known {
		if r.page.defined == nil {
			r.page.defined = make(map[string]bool)
		}
		r.page.defined[name] = true
	}
}

// finishAsks adds the messages that are not the view library's.
func (p *Page) finishAsks() {
	for _, a := range p.sent {
		known := slices.ContainsFunc(p.Asks, func(b Ask) bool { return a.Method == b.Method && a.Mode == b.Mode })
		if !p.defined[a.Method] && !known {
			p.Asks = append(p.Asks, a)
		}
	}
	slices.SortStableFunc(p.Asks, func(a, b Ask) int { return a.Offset - b.Offset })
}

// fits reports whether a call of a method with a common name may be that of the App
// class: whether its argument, if it is literal, has the keys that it needs.
func fits(method string, first js.IExpr) bool {
	need := map[string]string{"sendMessage": "content", "downloadFile": "contents", "openLink": "url"}[method]
	if need == "" || first == nil {
		return need == ""
	}
	switch first.(type) {
	case *js.ObjectExpr, *js.GroupExpr:
		obj := object(first)
		return obj == nil || property(obj, need) != nil || slices.ContainsFunc(obj.List, func(p js.Property) bool { return p.Spread })
	case *js.LiteralExpr, *js.TemplateExpr, *js.ArrayExpr, *js.ArrowFunc, *js.FuncDecl:
		return false
	}
	return true
}

// displayModes are the modes of the specification.
var displayModes = []string{"inline", "fullscreen", "pip"}

// modesOf returns the display modes that an expression may be: a literal, a choice
// between literals, or a variable that was declared as one of these.
func (r *scriptReader) modesOf(e js.IExpr) []string {
	switch x := e.(type) {
	case *js.CondExpr: // of a choice in a choice nothing is known
		return append(modeOf(x.X), modeOf(x.Y)...)
	case *js.Var:
		return r.modes[declared(x)]
	default:
		return modeOf(e)
	}
}

func modeOf(e js.IExpr) []string {
	if mode, ok := literal(e); ok && slices.Contains(displayModes, mode) {
		return []string{mode}
	}
	return nil
}

// keepModes notes a variable that is declared as a display mode.
func (r *scriptReader) keepModes(v *js.Var, value js.IExpr) {
	if modes := r.modesOf(value); len(modes) > 0 {
		if r.modes == nil {
			r.modes = make(map[*js.Var][]string)
		}
		r.modes[declared(v)] = modes
	}
}

// isOpenAI reports whether an expression is the global object of ChatGPT's own
// interface, whose methods are not messages of the specification.
func (r *scriptReader) isOpenAI(e js.IExpr) bool {
	path := r.path(e)
	return len(path) > 0 && path[0] == "openai"
}

func isThis(e js.IExpr) bool {
	l, ok := e.(*js.LiteralExpr)
	return ok && (l.TokenType == js.ThisToken || l.TokenType == js.SuperToken)
}

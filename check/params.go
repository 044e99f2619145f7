package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// methodParams are the params of the messages that views write by hand: those
// that must be there, and the others.
var methodParams = map[string]struct{ required, optional []string }{
	"tools/call":              {required: []string{"name"}, optional: []string{"arguments"}},
	"resources/read":          {required: []string{"uri"}},
	"ui/open-link":            {required: []string{"url"}},
	"ui/message":              {required: []string{"role", "content"}},
	"ui/request-display-mode": {required: []string{"mode"}},
	"ui/download-file":        {required: []string{"contents"}},
}

// params judges the literal params of a message. Those of a call such as
// request("ui/message", {…}) are params only if they look like it: what the
// function does with them is not known.
func (r *scriptReader) judgeParams(method string, params *js.ObjectExpr, sure bool, at int) {
	m, ok := methodParams[method]
	if !ok {
		return
	}
	known := slices.Concat(m.required, m.optional)
	if !sure && (params == nil || !slices.ContainsFunc(known, func(key string) bool { return r.mayHave(params, key) })) {
		return
	}
	var missing []string
	for _, key := range m.required {
		if params == nil || !r.mayHave(params, key) {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		r.page.fault("doc-params", at, fmt.Sprintf("%s is sent without %s", method, strings.Join(missing, " and ")), "")
		return
	}
	switch method {
	case "tools/call":
		r.callArguments(method, params, at)
	case "ui/message":
		if _, text := r.consts.constant(r.consts.lookup(params, "content")); text {
			r.page.fault("doc-params", at, "ui/message is sent with a text as content", `write content: [{ type: "text", text: … }]`)
		}
	}
}

// callArguments finds arguments of a tool under another name.
func (r *scriptReader) callArguments(what string, call *js.ObjectExpr, at int) {
	if r.mayHave(call, "arguments") {
		return
	}
	for _, key := range []string{"args", "params", "input", "parameters"} {
		if r.consts.lookup(call, key) != nil {
			r.page.fault("doc-params", at, fmt.Sprintf("%s is sent with %s, and without arguments", what, key), fmt.Sprintf("write arguments instead of %s", key))
			return
		}
	}
}

// Package unasked decides which tools may be called without being asked, by a check
// and for the views that a check opens: no person is there who could confirm a call.
//
// A tool is called with the arguments that the author named for it, and with no
// others. Any other tool is called only if the server runs on this machine, and the tool opens a view,
// says that it only reads, and needs no argument. A tool whose words can be read in
// two ways is not called.
//
// Instead of opening a view, a tool may be one that the server's capabilities name for
// hosts to call by themselves: see [Policy.AllowsHost].
package unasked

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// A Policy decides which calls are made. The zero value allows none.
type Policy struct {
	named    map[string][]map[string]any
	harmless bool // tools that say that they do no harm may be called
}

// A Call is a call that the author named. Nil arguments are {}.
type Call struct {
	Tool      string
	Arguments map[string]any
}

// New returns the policy that allows the named calls and, if harmless is set, those
// of tools that say that they do no harm.
func New(named []Call, harmless bool) *Policy {
	p := &Policy{named: make(map[string][]map[string]any), harmless: harmless}
	for _, c := range named {
		args := c.Arguments
		if args == nil {
			args = map[string]any{}
		}
		p.named[c.Tool] = append(p.named[c.Tool], args)
	}
	return p
}

// A Tool is what the policy needs to know of one.
type Tool struct {
	Name string
	// Entry is the tool in tools/list, as decoded from JSON.
	Entry map[string]any
	// OpensView is whether hosts open a view for it, ForModel whether the model, or a
	// user from an entrypoint, may call it.
	OpensView, ForModel bool
	// Ambiguous is whether the list has a different tool of the same name.
	Ambiguous bool
}

// Arguments returns the arguments to call a tool with. Not ok means not to call it.
// Of several named calls of a tool it is the last.
func (p *Policy) Arguments(t Tool) (args map[string]any, ok bool) {
	if named := p.named[t.Name]; len(named) > 0 {
		return named[len(named)-1], true
	}
	return map[string]any{}, p.harmless && t.saysHarmless()
}

// Allows reports whether a call that a view makes may reach the server: a named one,
// to which the host may have added the defaults of the tool's input schema, or any of
// a tool that is called without being named. Where the author named calls of a tool,
// only these are allowed, whatever the tool says of itself.
func (p *Policy) Allows(t Tool, args map[string]any) bool {
	named, ok := p.named[t.Name]
	if !ok {
		return p.harmless && t.saysHarmless()
	}
	return slices.ContainsFunc(named, func(named map[string]any) bool {
		var decoded any // the numbers as JSON has them
		raw, err := json.Marshal(named)
		return err == nil && json.Unmarshal(raw, &decoded) == nil && equalButDefaults(t.Entry["inputSchema"], decoded, args)
	})
}

// AllowsHost reports whether a tool may be called as hosts call it by themselves, with
// these arguments, because the server's capabilities name it for that. Such a server
// expects the call at any time, without a user's decision, as it does for a tool that
// opens a view; whether the model may call the tool too makes no difference. All else
// is required as of other tools: that the server runs on this machine, and that the
// tool says that it only reads and needs no other argument. Views may not call it for
// this reason: see [Policy.Allows]. Named tools are called by [Policy.Arguments] only.
func (p *Policy) AllowsHost(t Tool, args map[string]any) bool {
	return p.harmless && p.named[t.Name] == nil && !t.Ambiguous && ReadOnly(t.Entry) &&
		needsAtMost(t.Entry["inputSchema"], args)
}

// Repeats reports whether the last call of a tool, which a person made, may be made
// again when the server has started again: by a tool that is called without being
// named, but for its arguments, which the person chose.
func (p *Policy) Repeats(t Tool) bool { return p.harmless && t.saysReadOnly() }

// saysHarmless reports whether the tool says that calling it does no harm.
func (t Tool) saysHarmless() bool {
	return t.saysReadOnly() && acceptsEmpty(t.Entry["inputSchema"])
}

// saysReadOnly reports whether the tool opens a view and says that it only reads.
func (t Tool) saysReadOnly() bool {
	if !t.OpensView || !t.ForModel || t.Ambiguous {
		return false
	}
	meta, _ := t.Entry["_meta"].(map[string]any)
	for key := range meta {
		// No host reads the visibility there, but its author means to restrict.
		if strings.EqualFold(strings.NewReplacer("/", "", ".", "", "_", "", "-", "").Replace(key), "uivisibility") {
			return false
		}
	}
	return ReadOnly(t.Entry)
}

// ReadOnly reports whether a tool says that it only reads, given its entry in
// tools/list.
func ReadOnly(entry map[string]any) bool {
	hints, _ := entry["annotations"].(map[string]any)
	destructive := hints["destructiveHint"]
	return hints["readOnlyHint"] == true && (destructive == nil || destructive == false)
}

// acceptsEmpty reports whether a schema certainly accepts {}.
func acceptsEmpty(v any) bool { return needsAtMost(v, nil) }

// needsAtMost reports whether a schema certainly requires no properties but the given
// ones.
func needsAtMost(v any, given map[string]any) bool {
	schema, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for key, v := range schema {
		switch key {
		case "required":
			list, ok := v.([]any)
			if v != nil && !ok || slices.ContainsFunc(list, func(name any) bool { return !isGiven(name, given) }) {
				return false
			}
		case "minProperties":
			if n, ok := v.(float64); !ok || n < 0 || n > float64(len(given)) {
				return false
			}
		case "properties": // draft 3 requires a property by a boolean in it
			properties, _ := v.(map[string]any)
			for name, p := range properties {
				if p, ok := p.(map[string]any); ok && p["required"] == true && !isGiven(name, given) {
					return false
				}
			}
		case "allOf", "anyOf", "oneOf", "not", "if", "const", "enum", "extends",
			"$ref", "$dynamicRef", "$recursiveRef": // not followed
			return false
		}
	}
	return true
}

func isGiven(name any, given map[string]any) bool {
	s, ok := name.(string)
	if ok {
		_, ok = given[s]
	}
	return ok
}

// equalButDefaults reports whether args are the named arguments, with defaults of
// the schema where those have nothing.
func equalButDefaults(schema, named, args any) bool {
	n, isObject := named.(map[string]any)
	a, too := args.(map[string]any)
	if !isObject || !too {
		return reflect.DeepEqual(named, args)
	}
	s, _ := schema.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	for key, v := range a {
		want, ok := n[key]
		if !ok {
			property, _ := properties[key].(map[string]any)
			if want, ok = property["default"]; !ok {
				return false
			}
		}
		if !equalButDefaults(properties[key], want, v) {
			return false
		}
	}
	for key := range n {
		if _, ok := a[key]; !ok {
			return false
		}
	}
	return true
}

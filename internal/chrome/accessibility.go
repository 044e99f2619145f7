package chrome

import (
	"context"
	"encoding/json"
	"slices"
)

// An Accessible is an element as assistive technology sees it.
type Accessible struct {
	Node Node
	Role string // of ARIA, such as "button"
	Name string
}

type axNode struct {
	Ignored          bool
	Role, Name       struct{ Value json.RawMessage }
	BackendDOMNodeID Node
}

func (n axNode) accessible() Accessible {
	a := Accessible{Node: n.BackendDOMNodeID}
	_ = json.Unmarshal(n.Role.Value, &a.Role)
	_ = json.Unmarshal(n.Name.Value, &a.Name)
	if a.Role == "image" { // the newer synonym
		a.Role = "img"
	}
	return a
}

// ByRole returns the document's elements of an ARIA role, in the document's order,
// except for those that assistive technology does not see, and those that the browser
// makes controls of. It finds those in shadow trees, too.
func (d *Document) ByRole(ctx context.Context, role string) ([]Accessible, error) {
	var root evaluated
	err := d.result(ctx, "Runtime.evaluate", map[string]any{"expression": "document", "uniqueContextId": d.in.id, "objectGroup": "document"}, &root)
	if err != nil {
		return nil, err
	}
	var list []Accessible
	for _, role := range synonyms(role) {
		var found struct{ Nodes []axNode }
		if err := d.result(ctx, "Accessibility.queryAXTree", map[string]any{"objectId": root.Result.ObjectID, "role": role}, &found); err != nil {
			return nil, err
		}
		for _, n := range found.Nodes {
			if !n.Ignored {
				list = append(list, n.accessible())
			}
		}
	}
	return d.own(ctx, list)
}

// own leaves out the parts of which the browser makes its controls, such as the button in
// an input for a date.
func (d *Document) own(ctx context.Context, list []Accessible) ([]Accessible, error) {
	nodes := make([]Node, len(list))
	for i, a := range list {
		nodes[i] = a.Node
	}
	var own []bool
	err := d.Call(ctx, `(_, ...nodes) => nodes.map((n) => !(n.getRootNode() instanceof ShadowRoot && n.getRootNode().host.matches(
		"input, textarea, select, details, meter, progress, audio, video")))`, &own, nil, nodes...)
	if err != nil || len(own) != len(list) {
		return nil, err
	}
	kept := list[:0]
	for i, a := range list {
		if own[i] {
			kept = append(kept, a)
		}
	}
	return kept, nil
}

func synonyms(role string) []string {
	if role == "img" || role == "image" {
		return []string{"img", "image"}
	}
	return []string{role}
}

// Accessible returns the elements of the document that assistive technology sees and
// that have one of the roles, see [Document.ByRole].
func (d *Document) Accessible(ctx context.Context, roles ...string) ([]Accessible, error) {
	var tree struct{ Nodes []axNode }
	if err := d.result(ctx, "Accessibility.getFullAXTree", map[string]any{"frameId": d.in.frame.frame}, &tree); err != nil {
		return nil, err
	}
	var list []Accessible
	for _, n := range tree.Nodes {
		if a := n.accessible(); !n.Ignored && a.Node != 0 && slices.Contains(roles, a.Role) {
			list = append(list, a)
		}
	}
	return d.own(ctx, list)
}

package mcpapps

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Decoding is for metadata off the wire: it never panics, never grants more
// than what is plainly there, and goes on after a mistake, so that the value
// beside an error is the safe rest of the declaration.

// UnmarshalJSON decodes a tool's _meta.ui object. Keys of this package's that
// have no place on a tool (csp, permissions, domain, prefersBorder) are
// dropped, others are kept in Extra. A visibility of another type than an array
// of strings is an error and leaves an empty Visibility, which is open to
// nobody; unknown words in it are kept and open nothing. A resourceUri that is
// not a ui:// URI is an error and is left out.
func (m *ToolUIMetadata) UnmarshalJSON(data []byte) error {
	var ui any
	if err := json.Unmarshal(data, &ui); err != nil {
		*m = closedTool()
		return err
	}
	var err error
	*m, err = decodeToolUI(ui)
	return err
}

// UnmarshalJSON decodes a UI resource's _meta.ui object. A csp that is not an
// object of string arrays is an error and is left out, so that the host's
// restrictive default applies; a permission counts if it is an object or true.
// Keys of a tool are dropped, others are kept in Extra.
func (m *ResourceUIMetadata) UnmarshalJSON(data []byte) error {
	var ui any
	if err := json.Unmarshal(data, &ui); err != nil {
		*m = ResourceUIMetadata{}
		return err
	}
	var err error
	*m, err = decodeResourceUI(ui)
	return err
}

// UnmarshalJSON decodes a csp object, as in [ResourceUIMetadata.UnmarshalJSON].
func (c *CSP) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	d, err := decodeCSP(v)
	if d == nil {
		d = &CSP{}
	}
	*c = *d
	return err
}

// UnmarshalJSON decodes a permissions object, as in
// [ResourceUIMetadata.UnmarshalJSON].
func (p *Permissions) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	d, err := decodePermissions(v)
	if d == nil {
		d = &Permissions{}
	}
	*p = *d
	return err
}

// closedTool is what remains of a tool's declaration that can't be read: open
// to nobody.
func closedTool() ToolUIMetadata { return ToolUIMetadata{Visibility: []Visibility{}} }

// asObject returns v as a JSON object. Maps come from the wire as they are;
// what in-process code may have put there goes through JSON once.
func asObject(v any) (map[string]any, error) {
	if m, ok := v.(map[string]any); ok {
		return m, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil || m == nil {
		return nil, fmt.Errorf("must be an object, not %s", shorten(string(data)))
	}
	return m, nil
}

// asStrings returns v as a list of strings, nil for JSON null.
func asStrings(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []string:
		return slices.Clone(v), nil
	case []any:
		list := make([]string, len(v))
		for i, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, fmt.Errorf("must be an array of strings, but its entry %d is %s", i, shorten(jsonText(e)))
			}
			list[i] = s
		}
		return list, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("must be an array of strings, not %s", shorten(string(data)))
	}
	return list, nil
}

func decodeToolUI(v any) (ToolUIMetadata, error) {
	if v == nil {
		return ToolUIMetadata{}, nil
	}
	ui, err := asObject(v)
	if err != nil {
		return closedTool(), fmt.Errorf("ui %w", err)
	}
	var m ToolUIMetadata
	var errs []error
	if uri, ok := ui[keyResourceURI]; ok {
		if m.ResourceURI, err = decodeURI(uri); err != nil {
			errs = append(errs, fmt.Errorf("ui.resourceUri %w", err))
		}
	}
	words, err := asStrings(ui[keyVisibility])
	if err != nil {
		m.Visibility = []Visibility{}
		errs = append(errs, fmt.Errorf("ui.visibility %w", err))
	} else if words != nil {
		m.Visibility = make([]Visibility, len(words))
		for i, w := range words {
			m.Visibility[i] = Visibility(w)
		}
	}
	m.Extra = extraOf(ui, uiKeys)
	return m, errors.Join(errs...)
}

func decodeURI(v any) (string, error) {
	uri, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("must be a string, not %s", shorten(jsonText(v)))
	}
	if err := validateURI(uri); err != nil {
		return "", err
	}
	return uri, nil
}

func decodeResourceUI(v any) (ResourceUIMetadata, error) {
	if v == nil {
		return ResourceUIMetadata{}, nil
	}
	ui, err := asObject(v)
	if err != nil {
		return ResourceUIMetadata{}, fmt.Errorf("ui %w", err)
	}
	var m ResourceUIMetadata
	var errs []error
	if m.CSP, err = decodeCSP(ui[keyCSP]); err != nil {
		errs = append(errs, fmt.Errorf("ui.csp %w", err))
		m.CSP = nil
	}
	if m.Permissions, err = decodePermissions(ui[keyPermissions]); err != nil {
		errs = append(errs, fmt.Errorf("ui.permissions %w", err))
	}
	switch d := ui[keyDomain].(type) {
	case nil:
	case string:
		m.Domain = d
	default:
		errs = append(errs, fmt.Errorf("ui.domain must be a string, not %s", shorten(jsonText(d))))
	}
	switch b := ui[keyPrefersBorder].(type) {
	case nil:
	case bool:
		m.PrefersBorder = &b
	default:
		errs = append(errs, fmt.Errorf("ui.prefersBorder must be true or false, not %s", shorten(jsonText(b))))
	}
	m.Extra = extraOf(ui, uiKeys)
	return m, errors.Join(errs...)
}

// decodeCSP returns nil for null, and nil with an error for anything malformed:
// half a policy is none.
func decodeCSP(v any) (*CSP, error) {
	if v == nil {
		return nil, nil
	}
	obj, err := asObject(v)
	if err != nil {
		return nil, err
	}
	var c CSP
	for i, list := range c.lists() {
		if *list, err = asStrings(obj[cspKeys[i]]); err != nil {
			return nil, fmt.Errorf("%s %w", cspKeys[i], err)
		}
	}
	c.Extra = extraOf(obj, cspKeys)
	return &c, nil
}

func decodePermissions(v any) (*Permissions, error) {
	if v == nil {
		return nil, nil
	}
	obj, err := asObject(v)
	if err != nil {
		return nil, err
	}
	var p Permissions
	for i, asked := range p.flags() {
		switch v := obj[permissionKeys[i]].(type) {
		case bool:
			*asked = v
		case nil:
		default:
			o, err := asObject(v)
			*asked = err == nil && o != nil
		}
	}
	p.Extra = extraOf(obj, permissionKeys)
	return &p, nil
}

// extraOf returns a copy of the keys of obj that are not among known, nil if
// there are none.
func extraOf(obj map[string]any, known []string) map[string]any {
	var extra map[string]any
	for k, v := range obj {
		if !slices.Contains(known, k) {
			if extra == nil {
				extra = make(map[string]any)
			}
			extra[k] = cloneJSON(v)
		}
	}
	return extra
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a value of type %T", v)
	}
	return string(data)
}

// shorten keeps a value from the wire readable inside a message.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%.80s… (%d bytes)", s, len(s))
}

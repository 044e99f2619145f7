package mcpapps

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Decoding is for metadata off the wire. It never panics, and never grants more
// than the declaration says. It continues after a mistake, so the value that it
// returns with an error is the part of the declaration that is safe to use.

// UnmarshalJSON decodes a tool's _meta.ui object. The keys of a resource (csp,
// permissions, domain, prefersBorder) are dropped, unknown keys are kept in
// Extra. A visibility that is not an array of strings is an error and gives an
// empty Visibility, which includes nobody; unknown words in it are kept and have
// no effect. A resourceUri that is not a ui:// URI is an error and is left out.
func (m *ToolUIMetadata) UnmarshalJSON(data []byte) error {
	ui, err := jsonvalue.Decode(data)
	if err != nil {
		*m = closedTool()
		return err
	}
	*m, err = decodeToolUI(ui)
	return err
}

// UnmarshalJSON decodes a UI resource's _meta.ui object. A csp that is not an
// object of string arrays is an error and is left out, so that the host's
// restrictive default applies. A permission is requested if it is an object or
// true; another value than these, false and null is an error, and does not request
// it. The keys of a tool are dropped, unknown keys are kept in Extra.
func (m *ResourceUIMetadata) UnmarshalJSON(data []byte) error {
	ui, err := jsonvalue.Decode(data)
	if err != nil {
		*m = ResourceUIMetadata{}
		return err
	}
	*m, err = decodeResourceUI(ui)
	return err
}

// UnmarshalJSON decodes a csp object, as in [ResourceUIMetadata.UnmarshalJSON].
// With an error it leaves the zero CSP, which names no origin.
func (c *CSP) UnmarshalJSON(data []byte) error {
	*c = CSP{}
	v, err := jsonvalue.Decode(data)
	if err != nil {
		return err
	}
	d, err := decodeCSP(v)
	if d != nil {
		*c = *d
	}
	return err
}

// UnmarshalJSON decodes a permissions object, as in
// [ResourceUIMetadata.UnmarshalJSON]. With an error it leaves the permissions that
// are valid.
func (p *Permissions) UnmarshalJSON(data []byte) error {
	*p = Permissions{}
	v, err := jsonvalue.Decode(data)
	if err != nil {
		return err
	}
	d, err := decodePermissions(v)
	if d != nil {
		*p = *d
	}
	return err
}

// closedTool is the declaration of a tool whose own can't be read: it is for
// nobody.
func closedTool() ToolUIMetadata { return ToolUIMetadata{Visibility: []Visibility{}} }

func decodeToolUI(v any) (ToolUIMetadata, error) {
	if jsonvalue.IsNull(v) {
		return ToolUIMetadata{}, nil
	}
	ui, err := jsonvalue.Object(v)
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
	if m.Visibility, err = decodeVisibility(ui[keyVisibility]); err != nil {
		errs = append(errs, fmt.Errorf("ui.visibility %w", err))
	}
	m.Extra = extraOf(ui, uiKeys)
	return m, errors.Join(errs...)
}

// decodeVisibility returns nil for null, and an empty list, which includes
// nobody, with an error for anything but an array of strings.
func decodeVisibility(v any) ([]Visibility, error) {
	words, err := jsonvalue.Strings(v)
	if err != nil {
		return []Visibility{}, err
	}
	if words == nil {
		return nil, nil
	}
	list := make([]Visibility, len(words))
	for i, w := range words {
		list[i] = Visibility(w)
	}
	return list, nil
}

func decodeURI(v any) (string, error) {
	uri, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("must be a string, not %s", text.JSON(v))
	}
	if err := appuri.Validate(uri); err != nil {
		return "", err
	}
	return uri, nil
}

func decodeResourceUI(v any) (ResourceUIMetadata, error) {
	if jsonvalue.IsNull(v) {
		return ResourceUIMetadata{}, nil
	}
	ui, err := jsonvalue.Object(v)
	if err != nil {
		return ResourceUIMetadata{}, fmt.Errorf("ui %w", err)
	}
	var m ResourceUIMetadata
	var errs []error
	if m.CSP, err = decodeCSP(ui[keyCSP]); err != nil {
		errs = append(errs, fmt.Errorf("ui.%w", err))
		m.CSP = nil
	}
	if m.Permissions, err = decodePermissions(ui[keyPermissions]); err != nil {
		errs = append(errs, fmt.Errorf("ui.%w", err))
	}
	switch d := ui[keyDomain].(type) {
	case nil:
	case string:
		m.Domain = d
	default:
		errs = append(errs, fmt.Errorf("ui.domain must be a string, not %s", text.JSON(d)))
	}
	switch b := ui[keyPrefersBorder].(type) {
	case nil:
	case bool:
		m.PrefersBorder = &b
	default:
		errs = append(errs, fmt.Errorf("ui.prefersBorder must be true or false, not %s", text.JSON(b)))
	}
	m.Extra = extraOf(ui, uiKeys)
	return m, errors.Join(errs...)
}

// decodeCSP returns nil for null, and nil with an error if any part is malformed:
// it never returns half a policy.
func decodeCSP(v any) (*CSP, error) {
	if jsonvalue.IsNull(v) {
		return nil, nil
	}
	obj, err := jsonvalue.Object(v)
	if err != nil {
		return nil, fmt.Errorf("csp %w", err)
	}
	var c CSP
	for i, list := range c.lists() {
		if *list, err = jsonvalue.Strings(obj[cspKeys[i]]); err != nil {
			return nil, fmt.Errorf("csp.%s %w", cspKeys[i], err)
		}
	}
	c.Extra = extraOf(obj, cspKeys)
	return &c, nil
}

// decodePermissions returns nil for null. With an error for a permission that is
// neither an object nor a boolean, it returns the others.
func decodePermissions(v any) (*Permissions, error) {
	if jsonvalue.IsNull(v) {
		return nil, nil
	}
	obj, err := jsonvalue.Object(v)
	if err != nil {
		return nil, fmt.Errorf("permissions %w", err)
	}
	var p Permissions
	var errs []error
	for i, asked := range p.flags() {
		switch v := obj[permissionKeys[i]].(type) {
		case bool:
			*asked = v
		case nil:
		default:
			if jsonvalue.IsNull(v) {
				continue
			}
			if _, err := jsonvalue.Object(v); err != nil {
				errs = append(errs, fmt.Errorf("permissions.%s must be {}, not %s", permissionKeys[i], text.JSON(v)))
				continue
			}
			*asked = true
		}
	}
	p.Extra = extraOf(obj, permissionKeys)
	return &p, errors.Join(errs...)
}

// extraOf returns a copy of the members of obj whose keys are not in known, or
// nil if there are none.
func extraOf(obj map[string]any, known []string) map[string]any {
	var extra map[string]any
	for k, v := range obj {
		if !slices.Contains(known, k) {
			if extra == nil {
				extra = make(map[string]any)
			}
			extra[k] = jsonvalue.Clone(v)
		}
	}
	return extra
}

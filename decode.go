package mcpapps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
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
	ui, err := decodeJSON(data)
	if err != nil {
		*m = closedTool()
		return err
	}
	*m, err = decodeToolUI(ui)
	return err
}

// UnmarshalJSON decodes a UI resource's _meta.ui object. A csp that is not an
// object of string arrays is an error and is left out, so that the host's
// restrictive default applies; a permission counts if it is an object or true.
// Keys of a tool are dropped, others are kept in Extra.
func (m *ResourceUIMetadata) UnmarshalJSON(data []byte) error {
	ui, err := decodeJSON(data)
	if err != nil {
		*m = ResourceUIMetadata{}
		return err
	}
	*m, err = decodeResourceUI(ui)
	return err
}

// UnmarshalJSON decodes a csp object, as in [ResourceUIMetadata.UnmarshalJSON].
// Beside an error it leaves the zero CSP, which names no origin.
func (c *CSP) UnmarshalJSON(data []byte) error {
	*c = CSP{}
	v, err := decodeJSON(data)
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
// [ResourceUIMetadata.UnmarshalJSON]. Beside an error it leaves none.
func (p *Permissions) UnmarshalJSON(data []byte) error {
	*p = Permissions{}
	v, err := decodeJSON(data)
	if err != nil {
		return err
	}
	d, err := decodePermissions(v)
	if d != nil {
		*p = *d
	}
	return err
}

// closedTool is what remains of a tool's declaration that can't be read: open
// to nobody.
func closedTool() ToolUIMetadata { return ToolUIMetadata{Visibility: []Visibility{}} }

// isNull reports whether v encodes as JSON null: nil, or a nil map, slice or
// pointer as in-process code may leave one.
func isNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return v == nil
	case json.RawMessage:
		return v == nil || string(bytes.TrimSpace(v)) == "null"
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return rv.IsNil()
	}
	return false
}

// viaJSON returns v as decoded JSON, for values that in-process code put where
// the wire has generic ones.
func viaJSON(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return decodeJSON(data)
}

// decodeJSON decodes as json.Unmarshal does, but for numbers that a float64
// can't hold: they stay a json.Number, so that keys which this version does not
// know keep their digits, and one number out of range does not cost the rest.
func decodeJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is more after the JSON value")
	}
	return settleNumbers(v), nil
}

func settleNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = settleNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = settleNumbers(e)
		}
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return v
		}
		const exact = 1 << 53 // integers up to here
		if math.Abs(f) >= exact && strings.Trim(v.String(), "-0123456789") == "" && strconv.FormatFloat(f, 'f', -1, 64) != v.String() {
			return v
		}
		return f
	}
	return v
}

// asObject returns v as a JSON object. Maps come from the wire as they are;
// what in-process code may have put there goes through JSON once.
func asObject(v any) (map[string]any, error) {
	if m, ok := v.(map[string]any); ok {
		return m, nil
	}
	decoded, err := viaJSON(v)
	if err != nil {
		return nil, fmt.Errorf("can't be encoded as JSON: %w", err)
	}
	m, ok := decoded.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be an object, not %s", text.JSON(decoded))
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
		return stringsOf(v)
	}
	decoded, err := viaJSON(v)
	if err != nil {
		return nil, fmt.Errorf("can't be encoded as JSON: %w", err)
	}
	switch v := decoded.(type) {
	case nil:
		return nil, nil
	case []any:
		return stringsOf(v)
	}
	return nil, fmt.Errorf("must be an array of strings, not %s", text.JSON(decoded))
}

func stringsOf(v []any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	list := make([]string, len(v))
	for i, e := range v {
		s, ok := e.(string)
		if !ok {
			return nil, fmt.Errorf("must be an array of strings, but its entry %d is %s", i, text.JSON(e))
		}
		list[i] = s
	}
	return list, nil
}

func decodeToolUI(v any) (ToolUIMetadata, error) {
	if isNull(v) {
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
	if m.Visibility, err = decodeVisibility(ui[keyVisibility]); err != nil {
		errs = append(errs, fmt.Errorf("ui.visibility %w", err))
	}
	m.Extra = extraOf(ui, uiKeys)
	return m, errors.Join(errs...)
}

// decodeVisibility returns nil for null, and a list that is open to nobody for
// anything but an array of strings.
func decodeVisibility(v any) ([]Visibility, error) {
	words, err := asStrings(v)
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
	if err := validateURI(uri); err != nil {
		return "", err
	}
	return uri, nil
}

func decodeResourceUI(v any) (ResourceUIMetadata, error) {
	if isNull(v) {
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

// decodeCSP returns nil for null, and nil with an error for anything malformed:
// half a policy is none.
func decodeCSP(v any) (*CSP, error) {
	if isNull(v) {
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
	if isNull(v) {
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
			_, err := asObject(v)
			*asked = err == nil && !isNull(v)
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

// Package jsonvalue reads members of _meta and of capabilities. They are generic
// JSON (maps, slices, strings) if they come off the wire, and may be of any Go type
// if in-process code set them.
package jsonvalue

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

// IsNull reports whether v encodes as JSON null: nil, a nil map, slice or
// pointer, or a [json.RawMessage] of null.
func IsNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return v == nil
	case json.RawMessage:
		return v == nil || string(bytes.TrimSpace(v)) == "null"
	}
	return IsNil(v)
}

// IsNil reports whether v is nil or holds a nil pointer, map or slice. A request of the SDK
// without params holds a nil pointer to them, on whose methods it panics.
func IsNil(v any) bool {
	if v == nil {
		return true
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return rv.IsNil()
	}
	return false
}

// encodeDecode returns v as decoded JSON.
func encodeDecode(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Decode(data)
}

// Decode decodes one JSON value as [json.Unmarshal] does, except that a number
// which a float64 can't hold stays a [json.Number]: unknown keys keep their
// digits, and one number out of range does not make the rest unreadable.
func Decode(data []byte) (any, error) {
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

// Object returns v as a JSON object. A map is returned as it is, not copied;
// any other value is encoded and decoded. The object of a null is nil, without
// an error only for a nil map.
func Object(v any) (map[string]any, error) {
	if m, ok := v.(map[string]any); ok {
		return m, nil
	}
	decoded, err := encodeDecode(v)
	if err != nil {
		return nil, fmt.Errorf("can't be encoded as JSON: %w", err)
	}
	m, ok := decoded.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be an object, not %s", text.JSON(decoded))
	}
	return m, nil
}

// Strings returns a copy of v as a list of strings, nil for JSON null. The error
// continues a sentence that begins with the value's name.
func Strings(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []string:
		return slices.Clone(v), nil
	case []any:
		return stringsIn(v)
	}
	decoded, err := encodeDecode(v)
	if err != nil {
		return nil, fmt.Errorf("can't be encoded as JSON: %w", err)
	}
	switch v := decoded.(type) {
	case nil:
		return nil, nil
	case []any:
		return stringsIn(v)
	}
	return nil, fmt.Errorf("must be an array of strings, not %s", text.JSON(decoded))
}

func stringsIn(v []any) ([]string, error) {
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

// Clone returns a deep copy of a JSON value. A value of another type that may
// share memory becomes the JSON that it encodes to, or stays as it is if it
// can't be encoded, for the encoder of the whole to report.
func Clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = Clone(e)
		}
		return c
	case []any:
		c := slices.Clone(v)
		for i, e := range c {
			c[i] = Clone(e)
		}
		return c
	case []string:
		return slices.Clone(v)
	case json.RawMessage:
		return slices.Clone(v)
	}
	return cloneOther(v)
}

func cloneOther(v any) any {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
	default:
		return v
	}
	data, err := json.Marshal(v)
	if err != nil {
		return v
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // large numbers keep their digits
	var c any
	if dec.Decode(&c) != nil {
		return v
	}
	return c
}

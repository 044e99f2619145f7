package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// unmarshalParams decodes parameters into the struct that v points to; absent ones
// are {}. Its error names the field that has the wrong type.
func unmarshalParams(params json.RawMessage, v any) error {
	if params == nil {
		return nil
	}
	err := json.Unmarshal(params, v)
	if err == nil {
		return exactNames(params, v)
	}
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		return fmt.Errorf("%s must be %s, not %s", te.Field, jsonKind(te.Type.Kind().String()), te.Value)
	}
	return err
}

// exactNames rejects members whose names differ from v's only in case:
// encoding/json accepts them, and other hosts do not.
func exactNames(params json.RawMessage, v any) error {
	t := reflect.TypeOf(v).Elem()
	var err error
	members(params, func(got, _ []byte) {
		for i := range t.NumField() {
			if want := t.Field(i).Tag.Get("json"); string(got) != want && strings.EqualFold(string(got), want) {
				err = fmt.Errorf("%s is spelled %q here", want, got)
			}
		}
	})
	return err
}

func jsonKind(goKind string) string {
	switch goKind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "an array"
	case "map", "struct", "ptr":
		return "an object"
	default:
		return "a number"
	}
}

// isObject reports whether raw, which is valid JSON or empty, is an object.
func isObject(raw json.RawMessage) bool {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
		case '{':
			return true
		default:
			return false
		}
	}
	return false
}

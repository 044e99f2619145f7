package openairules

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A formType is the type that a key of a form's schema has.
type formType int

const (
	anything formType = iota
	aString
	aBool
	aCount // a whole number that is not negative
	aNumber
	anObject
	aList
	aStringList
)

func (t formType) String() string {
	return [...]string{"anything", "a string", "true or false", "a whole number of at least 0", "a number", "an object", "an array", "an array of strings"}[t]
}

func (t formType) has(v any) bool {
	ok := true
	switch t {
	case aString:
		_, ok = v.(string)
	case aBool:
		_, ok = v.(bool)
	case aCount:
		f, isNumber := formNumber(v)
		ok = isNumber && f >= 0 && f == math.Trunc(f)
	case aNumber:
		_, ok = formNumber(v)
	case anObject:
		_, ok = v.(map[string]any)
	case aList, aStringList:
		var list []any
		list, ok = v.([]any)
		ok = ok && (t == aList || len(formStrings(list)) == len(list))
	}
	return ok
}

// The keys of a form's schema, of its fields by their type, and of the items of arrays.
var (
	formRoot = map[string]formType{
		"$schema": aString, "type": aString, "title": aString, "description": aString,
		"properties": anObject, "required": aStringList, "additionalProperties": anything,
	}
	formCommon = map[string]formType{
		"type": aString, "title": aString, "description": aString, "default": anything,
		"examples": aList, "$comment": aString, "_meta": anObject,
		"deprecated": aBool, "readOnly": aBool, "writeOnly": aBool,
	}
	formBounds = map[string]formType{
		"minLength": aCount, "maxLength": aCount, "pattern": aString, "format": aString,
		"x-openai-suggestions": aList,
	}
	formNumeric = withFormKeys(formCommon, map[string]formType{"minimum": aNumber, "maximum": aNumber})
	formFields  = map[string]map[string]formType{
		"string": withFormKeys(formCommon, formBounds, map[string]formType{
			"oneOf": aList, "enum": aList, "enumNames": aStringList, "x-openai-input": anObject,
		}),
		"number":  formNumeric,
		"integer": formNumeric,
		"boolean": formCommon,
		"array": withFormKeys(formCommon, map[string]formType{
			"items": anObject, "minItems": aCount, "maxItems": aCount, "uniqueItems": aBool, "x-openai-input": anObject,
		}),
	}
	formItems = withFormKeys(formBounds, map[string]formType{
		"type": aString, "title": aString, "description": aString, "default": aString,
	})
	formChoiceItems = map[string]formType{"type": aString, "enum": aList, "anyOf": aList}
	formOption      = map[string]formType{
		"const": aString, "title": aString, "description": aString,
		"x-openai-thumbnail": anObject, "x-openai-preview": anObject,
	}
	formInput       = map[string]formType{"type": aString, "options": aList, "selection": aString, "userOptions": anObject}
	formUserOptions = map[string]formType{"kind": aString, "accept": aStringList}
)

func withFormKeys(all ...map[string]formType) map[string]formType {
	m := make(map[string]formType)
	for _, keys := range all {
		maps.Copy(m, keys)
	}
	return m
}

// members checks the keys of an object and the types of their values.
func (c *formCheck) members(at string, m map[string]any, known map[string]formType, what string) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		want, ok := known[key]
		switch {
		case !ok:
			c.field(at, fmt.Sprintf("%s does not have the key %s", what, text.Quote(key)),
				fmt.Sprintf("remove it, since clients reject the whole form; the keys are %v", slices.Sorted(maps.Keys(known))))
		case !want.has(m[key]):
			c.field(at+"/"+key, fmt.Sprintf("it is %s", text.JSON(m[key])), fmt.Sprintf("use %v, or leave it out", want))
		}
	}
}

// formStrings returns a list of strings; it is shorter than v if v has others.
func formStrings(v any) []string {
	all, _ := v.([]any)
	list := make([]string, 0, len(all))
	for _, e := range all {
		if s, ok := e.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// formNumber returns a finite number.
func formNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsInf(v, 0) && !math.IsNaN(v)
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

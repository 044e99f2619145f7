package openairules

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
)

// MaxSettingValue bounds a value that a server accepts, in bytes. Matching one with a
// pattern that has no [PatternFault] then takes a few million steps at most.
const MaxSettingValue = 16 << 10

// A matcher matches a string with a pattern, at bounded cost or not at all.
type matcher func(pattern, s string) schemacheck.Verdict

// matchWithin returns a matcher for patterns and strings from the wire, all of which share
// the bounds of one Checker.
func matchWithin(c *schemacheck.Checker) matcher {
	return func(pattern, s string) schemacheck.Verdict {
		return c.CheckPart(map[string]any{"pattern": pattern}, s)
	}
}

// matchDeclared is the matcher for the patterns that a server declares, none of which has a
// [PatternFault]. The verdict on a string does not depend on other strings, so that a server
// answers with each value that it accepted.
func matchDeclared(pattern, s string) schemacheck.Verdict {
	re, fault := formPattern(pattern)
	switch {
	case fault != "" || len(s) > MaxSettingValue:
		return schemacheck.Unknown
	case re.MatchString(s):
		return schemacheck.Valid
	}
	return schemacheck.Invalid
}

// fits reports whether a value fits the schema of a setting. Numbers are compared as they
// are written, so that 0.3 is a multiple of 0.1, and integers beyond 2^53 are not rounded.
// Unknown is the verdict if the pattern can't be matched at bounded cost.
func fits(match matcher, setting map[string]any, v any) schemacheck.Verdict {
	ok := true
	switch setting["type"] {
	case "boolean":
		_, ok = v.(bool)
	case "number", "integer":
		ok = numberFits(setting, v)
	case "string":
		s, isString := v.(string)
		if !isString || !stringFits(setting, s) {
			return schemacheck.Invalid
		}
		if pattern, ok := setting["pattern"].(string); ok {
			return match(pattern, s)
		}
	}
	if !ok {
		return schemacheck.Invalid
	}
	return schemacheck.Valid
}

// stringFits leaves out the pattern.
func stringFits(setting map[string]any, s string) bool {
	if enum, ok := setting["enum"].([]any); ok && !slices.ContainsFunc(enum, func(v any) bool { return v == s }) {
		return false
	}
	n := new(big.Rat).SetInt64(int64(utf8.RuneCountInString(s)))
	return within(n, setting["minLength"], setting["maxLength"])
}

func numberFits(setting map[string]any, v any) bool {
	n, ok := exact(v)
	if !ok || setting["type"] == "integer" && !n.IsInt() || !within(n, setting["minimum"], setting["maximum"]) {
		return false
	}
	step, ok := exact(setting["multipleOf"])
	return !ok || step.Sign() <= 0 || new(big.Rat).Quo(n, step).IsInt()
}

// within reports whether a number is within bounds, of which those that are not numbers
// do not count.
func within(n *big.Rat, least, most any) bool {
	if bound, ok := exact(least); ok && n.Cmp(bound) < 0 {
		return false
	}
	bound, ok := exact(most)
	return !ok || n.Cmp(bound) <= 0
}

func isNumber(v any) bool { _, ok := exact(v); return ok }

func isLength(v any) bool {
	n, ok := exact(v)
	return ok && n.IsInt() && n.Sign() >= 0
}

// maxDigits is the length of numbers that are read as they are written. Longer ones, and
// those with an exponent, are read as the nearest float64.
const maxDigits = 40

// exact returns the number that a decoded JSON number stands for. It returns false for
// other values, and for numbers beyond the range of a float64.
func exact(v any) (*big.Rat, bool) {
	var digits string
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		digits = strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		digits = string(v)
		if len(digits) > maxDigits || strings.ContainsAny(digits, "eE") {
			f, err := strconv.ParseFloat(digits, 64)
			if err != nil {
				return nil, false
			}
			digits = strconv.FormatFloat(f, 'g', -1, 64)
		}
	default:
		return nil, false
	}
	return new(big.Rat).SetString(digits)
}

// Integer returns an integer as it is written without a point or an exponent, which Go's
// decoders of integers require. It returns false for other numbers.
func Integer(n json.Number) (json.Number, bool) {
	r, ok := exact(n)
	if !ok || !r.IsInt() {
		return "", false
	}
	return json.Number(r.Num().String()), true
}

// PatternFault says why a pattern can't be declared, as a predicate, or "": values can't be
// matched with it at bounded cost, or clients don't know its syntax.
func PatternFault(pattern string) string {
	_, fault := formPattern(pattern)
	return fault
}

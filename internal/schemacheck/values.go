package schemacheck

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// typeOf returns the type of a value as JSON Schema names it.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

func (c *Checker) types(s map[string]any, v any, _ int) result {
	want, ok := s["type"]
	if !ok {
		return valid
	}
	list, isList := want.([]any)
	if !isList {
		list = []any{want}
	}
	known := true
	for _, t := range list {
		if !c.spend(1) {
			return unknown
		}
		switch t {
		case "null", "boolean", "string", "number", "array", "object":
			if t == typeOf(v) {
				return valid
			}
		case "integer":
			if n, isNumber := v.(json.Number); isNumber {
				r, ok := rational(n)
				if !ok {
					known = false
				} else if r.IsInt() {
					return valid
				}
			}
		default:
			known = false
		}
	}
	if !known {
		return unknown
	}
	names := make([]string, 0, len(list))
	for _, t := range list[:min(len(list), 7)] {
		names = append(names, fmt.Sprint(t))
	}
	return invalid("type: %s is not of type %s", describe(v), strings.Join(names, " or "))
}

// choices checks enum and const.
func (c *Checker) choices(s map[string]any, v any, _ int) result {
	if want, ok := s["const"]; ok && !c.equal(want, v) {
		return invalid("const: %s is not %s", describe(v), describe(want))
	}
	raw, ok := s["enum"]
	if !ok {
		return valid
	}
	list, ok := raw.([]any)
	if !ok {
		return unknown
	}
	if !slices.ContainsFunc(list, func(want any) bool { return c.equal(want, v) }) {
		return invalid("enum: %s is not one of %s", describe(v), several(list))
	}
	return valid
}

// equal reports whether two values are equal as JSON Schema defines it: 1 is 1.0.
func (c *Checker) equal(a, b any) bool {
	if !c.spend(1) {
		return false
	}
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b || isDigits(a) && isDigits(b) {
			return ok && a == b
		}
		x, ok1 := rational(a)
		y, ok2 := rational(b)
		return ok1 && ok2 && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, c.equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if other, ok := b[k]; !ok || !c.equal(v, other) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	if s, ok := a.(string); ok {
		c.spend(len(s) / 1000)
	}
	return a == b
}

// isDigits reports whether a number is written with digits alone: then it equals no
// other such number.
func isDigits(n json.Number) bool { return strings.Trim(string(n), "0123456789") == "" }

// several names the first values of a list.
func several(list []any) string {
	const most = 5
	var names []string
	for _, v := range list[:min(len(list), most)] {
		names = append(names, describe(v))
	}
	if len(list) > most {
		names = append(names, fmt.Sprintf("%d more", len(list)-most))
	}
	return strings.Join(names, ", ")
}

// rational returns the exact value of a number, unless that would be expensive.
func rational(n json.Number) (*big.Rat, bool) {
	s := string(n)
	if len(s) > 100 {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(s[i+1:]); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// numbers checks the bounds of a number, with the booleans of draft 4.
func (c *Checker) numbers(s map[string]any, v any, _ int) result {
	n, ok := v.(json.Number)
	if !ok {
		return valid
	}
	out := valid
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		raw, ok := s[k]
		if !ok {
			continue
		}
		if _, isBool := raw.(bool); isBool && strings.HasPrefix(k, "exclusive") {
			continue
		}
		limit, ok := raw.(json.Number)
		if !ok {
			out = unknown
			continue
		}
		x, ok1 := rational(n)
		y, ok2 := rational(limit)
		if !ok1 || !ok2 {
			out = unknown
			continue
		}
		good := true
		switch cmp := x.Cmp(y); k {
		case "minimum":
			good = cmp > 0 || cmp == 0 && s["exclusiveMinimum"] != true
		case "maximum":
			good = cmp < 0 || cmp == 0 && s["exclusiveMaximum"] != true
		case "exclusiveMinimum":
			good = cmp > 0
		case "exclusiveMaximum":
			good = cmp < 0
		case "multipleOf":
			if y.Sign() == 0 {
				out = unknown
				continue
			}
			good = new(big.Rat).Quo(x, y).IsInt()
		}
		if !good {
			return invalid("%s %s: it is %s", k, limit, n)
		}
	}
	return out
}

func (c *Checker) strings(s map[string]any, v any, _ int) result {
	str, ok := v.(string)
	if !ok {
		return valid
	}
	if p, ok := s["pattern"]; ok {
		expr, ok := p.(string)
		if !ok {
			return unknown
		}
		match, ok := c.match(expr, str)
		if !ok {
			return unknown
		}
		if !match {
			return invalid("pattern: %s does not match %s", describe(str), describe(expr))
		}
	}
	if f, ok := s["format"].(string); ok && c.spend(1+len(str)/100) && !hasFormat(str, f) {
		return invalid("format: %s is not of format %s", describe(str), f)
	}
	return valid
}

// match reports whether a pattern matches. Not ok means that it is too expensive, or
// that Go does not know its syntax, such as a look-ahead.
func (c *Checker) match(expr, s string) (match, ok bool) {
	p := c.patterns[expr]
	if p == nil {
		p = c.compile(expr)
		c.patterns[expr] = p
	}
	if p.Regexp == nil || !c.spend(p.size*(len(s)+1)/20) {
		return false, false
	}
	return p.MatchString(s), true
}

func (c *Checker) compile(expr string) *pattern {
	if len(expr) > maxPattern || !c.spend(len(expr)) {
		return &pattern{}
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return &pattern{}
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || !c.spend(len(prog.Inst)) {
		return &pattern{}
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return &pattern{}
	}
	return &pattern{re, len(prog.Inst)}
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// hasFormat checks the formats that servers commonly reject values for.
func hasFormat(s, format string) bool {
	if len(s) > 10_000 {
		return true
	}
	var err error
	switch format {
	case "email":
		_, err = mail.ParseAddress("<" + s + ">")
	case "uri", "url":
		u, parseErr := url.Parse(s)
		return parseErr == nil && u.IsAbs()
	case "uuid":
		return uuid.MatchString(s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, strings.ToUpper(s))
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "ipv4", "ipv6":
		ip, parseErr := netip.ParseAddr(s)
		return parseErr == nil && ip.Is4() == (format == "ipv4")
	}
	return err == nil
}

// counts checks how long a string, an array or an object is.
func (c *Checker) counts(s map[string]any, v any, _ int) result {
	var n int
	var least, most, noun string
	switch v := v.(type) {
	case string:
		if s["minLength"] == nil && s["maxLength"] == nil {
			return valid
		}
		if !c.spend(len(v) / 100) {
			return unknown
		}
		n, least, most, noun = utf8.RuneCountInString(v), "minLength", "maxLength", "characters"
	case []any:
		n, least, most, noun = len(v), "minItems", "maxItems", "items"
	case map[string]any:
		n, least, most, noun = len(v), "minProperties", "maxProperties", "properties"
	default:
		return valid
	}
	for _, k := range []string{least, most} {
		raw, ok := s[k]
		if !ok {
			continue
		}
		limit, ok := raw.(json.Number)
		if !ok {
			return unknown
		}
		r, ok := rational(limit)
		if !ok {
			return unknown
		}
		if cmp := new(big.Rat).SetInt64(int64(n)).Cmp(r); k == least && cmp < 0 || k == most && cmp > 0 {
			return invalid("%s %s: it has %d %s", k, limit, n, noun)
		}
	}
	return valid
}

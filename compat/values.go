package compat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
)

// validate returns an error if a fact can't have the value, though its type can.
func validate(key string, v any) error {
	switch v := v.(type) {
	case int:
		if v <= 0 {
			return errors.New("the number must be positive; leave the fact out where no bound is known")
		}
	case Size:
		if min(v.Width, v.MaxWidth, v.Height, v.MaxHeight) < 0 || v == (Size{}) {
			return errors.New("a size has at least one bound, and none below zero")
		}
	case []string:
		if len(v) == 0 && key != "permissions" {
			return errors.New("the list is empty")
		}
		for i, s := range v {
			if slices.Contains(v[:i], s) {
				return fmt.Errorf("%q stands twice", s)
			}
			if err := validateWord(key, s, s); err != nil {
				return err
			}
		}
	case bool:
	default:
		return validateWord(key, v, fmt.Sprint(v))
	}
	return nil
}

// validateWord validates a value that is a string, or an item of a list.
func validateWord(key string, v any, s string) error {
	if s == "" {
		return errors.New("the string is empty")
	}
	if words := words(key, v); words != nil && !slices.Contains(words, s) {
		return fmt.Errorf("%q is not one of %s", s, quoted(words))
	}
	if key == "protocolVersions" {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return fmt.Errorf("%q is not a protocol version, which is a date", s)
		}
	}
	return nil
}

// words returns the values that a fact or the items of its list may have. It is nil
// where every string is allowed.
func words(key string, v any) []string {
	switch v.(type) {
	case Support:
		return list(Yes, No, Refused, Unadvertised, Restricted)
	case Result:
		return list(ResultWhole, ResultWithoutMeta, ResultContentOnly, ResultEmpty)
	case Reload:
		return list(ReloadWhole, ReloadEmptied, ReloadNoResult, ReloadNothing)
	case Engine:
		return list(Chromium, WebKit, Gecko, Various)
	case DomainFormat:
		return list(DomainIgnored, DomainClaude, DomainOrigin, DomainMicrosoft)
	case Reading:
		return list(ReadsContent, ReadsStructured, ReadsBoth)
	}
	switch key {
	case "platform":
		return []string{"web", "desktop", "mobile"}
	case "displayModes":
		return []string{"inline", "fullscreen", "pip"}
	case "entrypoints":
		return []string{"global", "thread", "file"}
	case "permissions", "permissionsDenied":
		return metakey.PermissionNames
	}
	return nil
}

// typeName says of which type a fact's value must be.
func typeName(v any) string {
	switch v.(type) {
	case bool:
		return "true or false"
	case int:
		return "a whole number"
	case []string:
		return "a list of strings"
	case Size:
		return "an object with width, maxWidth, height or maxHeight"
	}
	return "a string"
}

func list[S ~string](words ...S) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}

func quoted[S ~string](words []S) string {
	var out []string
	for _, w := range words {
		out = append(out, fmt.Sprintf("%q", w))
	}
	return strings.Join(out, ", ")
}

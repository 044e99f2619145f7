package mcpapps

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Metadata that an author writes by hand may have keys that no host reads: in another
// spelling, in another place, or of another vendor's policy. Hosts drop them silently,
// so registration rejects them in the words of package check.

// unreadInMeta reports a key beside ui that belongs into it.
func unreadInMeta(author mcp.Meta) error {
	for _, k := range slices.Sorted(maps.Keys(author)) {
		if meant := metakey.MeantOutsideUI(k); meant != "" {
			return fmt.Errorf("_meta has %s, which no host reads: write %s instead", text.Quote(k), meant)
		}
	}
	for _, k := range sortedKeys(author[metakey.OpenAIWidgetCSP]) {
		if meant := metakey.MeantWidgetCSP(k); meant != "" {
			return fmt.Errorf("_meta[%q] has the key %s: write %q", metakey.OpenAIWidgetCSP, text.Quote(k), meant)
		}
	}
	return nil
}

// unreadInUI reports a misspelled key of a _meta.ui object. Other unknown keys may be
// another vendor's, or newer.
func unreadInUI(ui map[string]any, own []string) error {
	for _, k := range slices.Sorted(maps.Keys(ui)) {
		if slices.Contains(uiKeys, k) {
			continue
		}
		if meant := spelling.Key(k, own); meant != "" {
			return fmt.Errorf("_meta.ui has %s, which no host reads: write %q", text.Quote(k), meant)
		}
	}
	return nil
}

// unreadInside reports an unknown key of the csp or permissions object of a resource.
func unreadInside(ui map[string]any) error {
	for _, k := range sortedKeys(ui[keyCSP]) {
		if slices.Contains(cspKeys, k) {
			continue
		}
		remedy := "write " + strings.Join(cspKeys, ", ") + ", or set a key of a newer specification in CSP.Extra"
		if meant := metakey.MeantCSP(k); meant != "" {
			remedy = fmt.Sprintf("write %q", meant)
		}
		return fmt.Errorf("_meta.ui.csp has the key %s: %s", text.Quote(k), remedy)
	}
	for _, k := range sortedKeys(ui[keyPermissions]) {
		if slices.Contains(permissionKeys, k) {
			continue
		}
		remedy := "write " + strings.Join(permissionKeys, ", ") + ", or set one of a newer specification in Permissions.Extra"
		if meant := metakey.MeantPermission(k); meant != "" {
			remedy = fmt.Sprintf("write %q", meant)
		}
		return fmt.Errorf("_meta.ui.permissions: there is no permission %s: %s", text.Quote(k), remedy)
	}
	return nil
}

// sortedKeys returns the keys of a JSON object, none for another value.
func sortedKeys(v any) []string {
	if v == nil {
		return nil
	}
	obj, err := jsonvalue.Object(v)
	if err != nil {
		return nil // decoding reports it, if it is ours
	}
	return slices.Sorted(maps.Keys(obj))
}

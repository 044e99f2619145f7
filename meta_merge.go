package mcpapps

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Merging adds a declaration to metadata that the author wrote. Keys of other
// vendors are kept. In _meta.ui a field of the declaration that is set replaces
// the author's as a whole; values are never merged inside. The default visibility
// is added last, so that merging never widens access. The merged object is then
// validated.

// toolMeta returns a new _meta for a tool, with the URI under both keys.
func toolMeta(author mcp.Meta, decl ToolUIMetadata) (mcp.Meta, error) {
	if err := validateExtra("Extra", decl.Extra, uiKeys, toolKeys); err != nil {
		return nil, err
	}
	if err := validateMeta(author); err != nil {
		return nil, err
	}
	m := decl
	flat, hasFlat := author[LegacyResourceURIKey]
	if hasFlat {
		if s, ok := flat.(string); !ok || s == "" {
			return nil, fmt.Errorf("_meta[%q] is %s: it must be a ui:// URI", LegacyResourceURIKey, text.JSON(flat))
		}
	}
	if author[keyUI] != nil {
		ui, err := jsonvalue.Object(author[keyUI])
		if err != nil {
			return nil, fmt.Errorf("_meta.ui %w", err)
		}
		for _, k := range resourceKeys {
			if _, ok := ui[k]; ok {
				return nil, fmt.Errorf("_meta.ui.%s has no effect on a tool: declare it on the resource, in the ResourceUIMetadata of RegisterAppResource or of the View", k)
			}
		}
		if err := unreadInUI(ui, toolKeys); err != nil {
			return nil, err
		}
		if m, err = decodeToolUI(ui); err != nil {
			return nil, fmt.Errorf("_meta.%w", err)
		}
		if hasFlat && m.ResourceURI != "" && flat != m.ResourceURI {
			return nil, fmt.Errorf("_meta[%q] is %q and _meta.ui.resourceUri is %q: they must be equal, so leave the flat key out", LegacyResourceURIKey, flat, m.ResourceURI)
		}
		hasFlat = hasFlat && m.ResourceURI == "" // of equal keys only the nested one matters
		overlayTool(&m, decl)
	}
	if hasFlat {
		if m.ResourceURI != "" && m.ResourceURI != flat {
			return nil, fmt.Errorf("_meta[%q] is %q and the declared resourceUri is %q: leave the flat key out", LegacyResourceURIKey, flat, m.ResourceURI)
		}
		m.ResourceURI = flat.(string)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Visibility == nil {
		m.Visibility = bothAudiences
	}
	meta := cloneMeta(author, 2)
	meta[keyUI] = m.generic()
	if m.ResourceURI == "" {
		delete(meta, LegacyResourceURIKey)
	} else {
		meta[LegacyResourceURIKey] = m.ResourceURI
	}
	return meta, nil
}

var bothAudiences = []Visibility{VisibilityModel, VisibilityApp}

func overlayTool(m *ToolUIMetadata, decl ToolUIMetadata) {
	if decl.ResourceURI != "" {
		m.ResourceURI = decl.ResourceURI
	}
	if decl.Visibility != nil {
		m.Visibility = decl.Visibility
	}
	m.Extra = overlayExtra(m.Extra, decl.Extra)
}

func overlayExtra(author, decl map[string]any) map[string]any {
	for k, v := range decl {
		if author == nil {
			author = make(map[string]any, len(decl))
		}
		author[k] = v
	}
	return author
}

// resourceMeta returns a new _meta for a list entry and for content items. It is nil
// if it would be empty.
func resourceMeta(author mcp.Meta, decl ResourceUIMetadata) (mcp.Meta, error) {
	if err := decl.Validate(); err != nil {
		return nil, err
	}
	if _, ok := author[LegacyResourceURIKey]; ok {
		return nil, fmt.Errorf("_meta[%q] belongs on the tool: name the URI in the ToolUIMetadata of RegisterAppTool", LegacyResourceURIKey)
	}
	if err := validateMeta(author); err != nil {
		return nil, err
	}
	m := decl
	declared := author[keyUI] != nil
	if declared {
		ui, err := jsonvalue.Object(author[keyUI])
		if err != nil {
			return nil, fmt.Errorf("_meta.ui %w", err)
		}
		declared = ui != nil
		for _, k := range toolKeys {
			if _, ok := ui[k]; ok {
				return nil, fmt.Errorf("_meta.ui.%s has no effect on a resource: declare it on the tool, in the ToolUIMetadata of RegisterAppTool", k)
			}
		}
		if err := unreadInUI(ui, resourceKeys); err != nil {
			return nil, err
		}
		if err := unreadInside(ui); err != nil {
			return nil, err
		}
		if m, err = decodeResourceUI(ui); err != nil {
			return nil, fmt.Errorf("_meta.%w", err)
		}
		overlayResource(&m, decl)
		if err := m.Validate(); err != nil {
			return nil, err
		}
	}
	meta := cloneMeta(author, 1)
	ui := m.generic()
	if len(ui) == 0 && !declared {
		delete(meta, keyUI)
		if len(meta) == 0 {
			meta = nil
		}
		return meta, nil
	}
	meta[keyUI] = ui
	return meta, nil
}

func overlayResource(m *ResourceUIMetadata, decl ResourceUIMetadata) {
	if decl.CSP != nil {
		m.CSP = decl.CSP
	}
	if decl.Permissions != nil {
		m.Permissions = decl.Permissions
	}
	if decl.Domain != "" {
		m.Domain = decl.Domain
	}
	if decl.PrefersBorder != nil {
		m.PrefersBorder = decl.PrefersBorder
	}
	m.Extra = overlayExtra(m.Extra, decl.Extra)
}

// validateMeta rejects values that can't be encoded as JSON, such as a map that
// contains itself: the SDK would not answer any list that contains them. It also
// rejects keys that no host reads.
func validateMeta(author mcp.Meta) error {
	if len(author) == 0 { // it costs each registration some allocations
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(author)) {
		if _, err := json.Marshal(author[k]); err != nil {
			return fmt.Errorf("_meta[%q] can't be encoded as JSON: %w", k, err)
		}
	}
	return unreadInMeta(author)
}

// cloneMeta copies the author's metadata except ui, with room for more keys.
func cloneMeta(author mcp.Meta, more int) mcp.Meta {
	meta := make(mcp.Meta, len(author)+more)
	for k, v := range author {
		if k != keyUI {
			meta[k] = jsonvalue.Clone(v)
		}
	}
	return meta
}

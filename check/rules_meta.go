package check

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	metaSpelling = newRule(Rule{
		Code:     "meta-spelling",
		Severity: SeverityWarning,
		Summary:  "a key that looks like one of the extension's, in a spelling or place that no host reads",
		Why:      "hosts read exactly _meta.ui and its keys, and silently drop the rest",
		Remedy:   "move it under _meta.ui, in the specification's spelling",
		Spec:     "Metadata Location",
	})

	metaType = newRule(Rule{
		Code:     "meta-type",
		Severity: SeverityWarning,
		Summary:  "_meta, _meta.ui or one of its values has the wrong type",
		Why:      "hosts drop it, and some drop the whole entry",
		Remedy:   "use the type that the specification defines",
		Spec:     "UI Resource Format",
	})

	metaListOnly = newRule(Rule{
		Code:     "meta-list-only",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode},
		Summary:  "_meta.ui is in resources/list and not on the content item of resources/read",
		Why:      "hosts that use only the content item apply the restrictive default",
		Remedy:   "put the same _meta.ui on the content item",
		Spec:     "Metadata Location",
	})

	metaReadOnly = newRule(Rule{
		Code:     "meta-read-only",
		Severity: SeverityWarning,
		Hosts:    []string{hostPostHog},
		Summary:  "_meta.ui is on the content item of resources/read and not in resources/list",
		Why:      "hosts that build their policy from the list apply the restrictive default",
		Remedy:   "put the same _meta.ui on the list entry",
		Spec:     "Metadata Location",
	})

	metaDiffers = newRule(Rule{
		Code:     "meta-differs",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog},
		Summary:  "_meta.ui differs between resources/list and resources/read",
		Why:      "the content item's takes precedence, but some hosts read the list's",
		Remedy:   "write the same object in both places",
		Spec:     "Metadata Location",
	})

	metaOnResult = newRule(Rule{
		Code:     "meta-on-result",
		Severity: SeverityWarning,
		Summary:  "_meta.ui is on the result of resources/read instead of its content item",
		Why:      "hosts read it only on the item and on the list entry",
		Remedy:   "move it into contents[0]._meta.ui",
		Spec:     "Metadata Location",
	})

	metaOpenAICase = newRule(Rule{
		Code:     "meta-openai-case",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "openai/widgetCSP has keys in camelCase",
		Why:      "that object's keys are connect_domains, resource_domains and frame_domains; others are rejected",
		Remedy:   "write its keys in snake_case: it is another object than _meta.ui.csp",
	})
)

// judgeMeta judges the _meta of a resource or item, and returns its ui object.
func (found *findings) judgeMeta(v any, at place) map[string]any {
	if v == nil {
		return nil
	}
	meta, ok := v.(map[string]any)
	if !ok {
		found.add(metaType, at.At("/_meta"), "_meta must be an object, not %s", text.JSON(v)).
			Remedy = `write "_meta": {"ui": {…}}`
		return nil
	}
	found.judgeMetaKeys(meta, at)
	if flat, ok := meta[mcpapps.LegacyResourceURIKey]; ok {
		found.add(metaSpelling, at.At(pointer("_meta", mcpapps.LegacyResourceURIKey)), "the resource's _meta has %s: %s, which belongs to a tool", text.Quote(mcpapps.LegacyResourceURIKey), text.JSON(flat)).
			Remedy = "move it to the _meta of the tool"
	}
	raw, ok := meta["ui"]
	if !ok || raw == nil {
		return nil
	}
	ui, ok := raw.(map[string]any)
	if !ok {
		found.add(metaType, at.At("/_meta/ui"), "_meta.ui must be an object, not %s", text.JSON(raw)).
			Remedy = `write "ui": {…}, with csp, permissions, domain and prefersBorder as its keys`
	}
	return ui
}

// judgeMetaPlaces compares the metadata in the list with that of the content item.
func (found *findings) judgeMetaPlaces(listed bool, listUI, readUI map[string]any, r *answers.Read, listAt, at place) {
	envelope := r.Meta["ui"] != nil
	switch {
	case envelope && readUI == nil:
		found.add(metaOnResult, at.At("/_meta/ui"), "_meta.ui is on the result and not on its content item: %s", text.JSON(r.Meta["ui"]))
	case listUI != nil && readUI == nil:
		if len(listUI) > 0 {
			found.add(metaListOnly, at.At("/_meta"), "the content item has no _meta.ui; the list entry has %s", text.JSON(listUI))
		}
	case readUI != nil && listUI == nil:
		if len(readUI) > 0 && listed {
			found.add(metaReadOnly, listAt.At("/_meta"), "the list entry has no _meta.ui; the content item has %s", text.JSON(readUI))
		} else if len(readUI) > 0 {
			found.add(metaReadOnly, listAt, "the resource is not listed, so its _meta.ui is on the content item only: %s", text.JSON(readUI))
		}
	case readUI != nil && !sameUI(listUI, readUI):
		found.add(metaDiffers, at.At("/_meta/ui"), "the list entry has %s, the content item %s", text.JSON(listUI), text.JSON(readUI))
	}
}

// sameUI reports whether two _meta.ui objects of a resource are equal but for the
// order of lists.
func sameUI(a, b map[string]any) bool {
	return reflect.DeepEqual(sorted(a, 3), sorted(b, 3))
}

func sorted(v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		if depth == 0 {
			return v
		}
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = sorted(e, depth-1)
		}
		return m
	case []any:
		list := slices.Clone(v)
		slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return list
	}
	return v
}

// judgeResourceUI judges a resource's _meta.ui object.
func (found *findings) judgeResourceUI(ui map[string]any, at place) {
	found.judgeUIKeys(ui, metakey.ResourceUI, at)
	found.judgeCSP(ui, at)
	found.judgePermissions(ui, at)
	found.judgeDomain(ui, at)
	if b, ok := ui["prefersBorder"]; ok && b != nil {
		if _, ok := b.(bool); !ok {
			found.add(metaType, at.At("/_meta/ui/prefersBorder"), "prefersBorder must be true or false, not %s", text.JSON(b)).
				Remedy = "write true or false, or leave it out: every host has a default"
		}
	}
}

// judgeMetaKeys finds keys of a _meta that look like the extension's and are not.
func (found *findings) judgeMetaKeys(meta map[string]any, at place) {
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if meant := metakey.MeantOutsideUI(key); meant != "" {
			found.add(metaSpelling, at.At(pointer("_meta", key)), "_meta has %s, which no host reads", text.Quote(key)).
				Remedy = "write " + meant + " instead"
		}
	}
	if csp, ok := meta[metakey.OpenAIWidgetCSP].(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(csp)) {
			if meant := metakey.MeantWidgetCSP(key); meant != "" {
				found.add(metaOpenAICase, at.At(pointer("_meta", metakey.OpenAIWidgetCSP, key)), "openai/widgetCSP has the key %s", text.Quote(key)).
					Remedy = "write " + text.Quote(meant)
			}
		}
	}
}

// judgeRootKeys finds the extension's metadata outside of _meta: under the name that
// a library in another language has for it, or at the root.
func (found *findings) judgeRootKeys(obj map[string]any, at place) {
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		m, _ := obj[key].(map[string]any)
		switch {
		case key == "_meta":
			continue
		case key == "ui" && (mayBeUI(m, metakey.ToolUI) || mayBeUI(m, metakey.ResourceUI)):
			found.add(metaSpelling, at.At(pointer(key)), `"ui" is next to _meta, where no host looks`).
				Remedy = `move it into _meta: "_meta": {"ui": {…}}`
		case key == mcpapps.LegacyResourceURIKey || key == "resourceUri":
			found.add(metaSpelling, at.At(pointer(key)), "%s is next to _meta, where no host looks", text.Quote(key)).
				Remedy = fmt.Sprintf(`write "_meta": {"ui": {"resourceUri": %s}}`, text.JSON(obj[key]))
		case m["ui"] != nil || m[mcpapps.LegacyResourceURIKey] != nil:
			found.add(metaSpelling, at.At(pointer(key)), "the metadata is under %s, where most hosts do not look: %s", text.Quote(key), text.JSON(m)).
				Remedy = "write _meta instead"
		}
	}
}

func mayBeUI(m map[string]any, keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return ok })
}

// judgeUIKeys finds misspelled keys in a _meta.ui object, and keys of a tool on a
// resource. Unknown keys are ignored: they may be another vendor's, or newer.
func (found *findings) judgeUIKeys(ui map[string]any, own []string, at place) {
	for _, key := range slices.Sorted(maps.Keys(ui)) {
		if slices.Contains(metakey.ToolUI, key) || slices.Contains(metakey.ResourceUI, key) {
			if !slices.Contains(own, key) && slices.Contains(metakey.ToolUI, key) {
				found.add(metaSpelling, at.At(pointer("_meta", "ui", key)), "the resource's _meta.ui has %s, which belongs to a tool", text.Quote(key)).
					Remedy = "move it to _meta.ui of the tool"
			}
			continue
		}
		if meant := spelling.Key(key, own); meant != "" {
			found.add(metaSpelling, at.At(pointer("_meta", "ui", key)), "_meta.ui has %s, which no host reads", text.Quote(key)).
				Remedy = "write " + text.Quote(meant)
		}
	}
}

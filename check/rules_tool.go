package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/toolschema"
)

var (
	toolURIMissing = newRule(Rule{
		Code:     "tool-uri-missing",
		Severity: SeverityWarning,
		Summary:  "_meta.ui has neither resourceUri nor visibility",
		Why:      "the tool opens no view, and views may call it like any other",
		Remedy:   `name the resource in _meta.ui.resourceUri, or write the tool's visibility, or leave _meta.ui out`,
		Spec:     "Resource Discovery",
	})

	toolURIInvalid = newRule(Rule{
		Code:     "tool-uri-invalid",
		Severity: SeverityError,
		Hosts:    []string{hostReference},
		Summary:  "the resource URI is not a ui:// URI",
		Why:      "the reference host reports an error, and others show the tool's result as text",
		Remedy:   `name the resource's URI as it is listed, such as "ui://server/view.html"`,
		Spec:     "UI Resource Format",
	})

	toolURITemplate = newRule(Rule{
		Code:     "tool-uri-template",
		Severity: SeverityError,
		Hosts:    []string{hostReference, hostClaude, hostVSCode, hostMCPJam},
		Summary:  "the resource URI is a template",
		Why:      "hosts read the URI literally and do not expand templates",
		Remedy:   "name a concrete URI, and give the view its data in the tool's result",
		Spec:     "Resource Discovery",
	})

	toolKeysDiffer = newRule(Rule{
		Code:     "tool-keys-differ",
		Severity: SeverityWarning,
		Summary:  `_meta.ui.resourceUri and _meta["ui/resourceUri"] name different resources`,
		Why:      "hosts that read one key show a different view from hosts that read the other",
		Remedy:   "write the same URI in both, or omit the flat key",
		Spec:     "Resource Discovery",
	})

	toolFlatMissing = newRule(Rule{
		Code:     "tool-flat-missing",
		Severity: SeverityNote,
		Summary:  `_meta["ui/resourceUri"] is missing`,
		Why:      "the flat key is deprecated, but some hosts read only that",
		Remedy:   `write "ui/resourceUri" next to "ui", with the same URI`,
		Spec:     "Resource Discovery",
	})

	toolNestedMissing = newRule(Rule{
		Code:     "tool-nested-missing",
		Severity: SeverityWarning,
		Summary:  `only the deprecated _meta["ui/resourceUri"] is set`,
		Why:      "hosts and gateways that read only _meta.ui.resourceUri show no view",
		Remedy:   "set _meta.ui.resourceUri as well",
		Spec:     "Resource Discovery",
	})

	toolResourceMeta = newRule(Rule{
		Code:     "tool-resource-meta",
		Severity: SeverityWarning,
		Summary:  "a tool has metadata that belongs to a resource",
		Why:      "hosts read it on the resource only; the reference schema forbids csp and permissions here",
		Remedy:   "move it to _meta.ui of the resource, in resources/list and on the content item of resources/read",
		Spec:     "Metadata Location",
	})

	toolVisibility = newRule(Rule{
		Code:     "tool-visibility",
		Severity: SeverityWarning,
		Summary:  "the visibility is not a list of model and app",
		Why:      "hosts interpret it differently, and strict ones show the tool to nobody",
		Remedy:   `write ["model","app"], ["model"] or ["app"], or omit it for both`,
		Spec:     "Visibility",
	})

	toolViewUnreachable = newRule(Rule{
		Code:     "tool-view-unreachable",
		Severity: SeverityWarning,
		Summary:  "no tool that the model may call opens the view",
		Why:      "a view opens when the model calls its tool, so this one never opens",
		Remedy:   `add "model" to the visibility of a tool that opens it`,
		Spec:     "Visibility",
	})

	toolAppUncalled = newRule(Rule{
		Code:     "tool-app-uncalled",
		Severity: SeverityNote,
		Summary:  "an app-only tool that no view names",
		Why:      "the model may not call it and no view does",
		Remedy:   "call it from a view, or remove it",
		Spec:     "Visibility",
	})

	toolSchema = newRule(Rule{
		Code:     "tool-schema",
		Severity: SeverityError,
		Hosts:    []string{hostTSSDK},
		Summary:  `a schema's root is not "type": "object", or its properties or required have the wrong type`,
		Why:      "clients that validate the list reject the whole list",
		Remedy:   `write "type": "object" at the root, with the values as properties`,
	})

	toolSchemaCombined = newRule(Rule{
		Code:     "tool-schema-combined",
		Severity: SeverityError,
		Hosts:    []string{hostClaude},
		Summary:  "oneOf, anyOf or allOf at the root of an input schema",
		Why:      "the APIs of models reject it: hosts drop the tool, or each request that offers it fails",
		Remedy:   "list all properties at the root, say in their descriptions which belong together, and let the handler check it",
	})
)

// judgeTool judges an entry of tools/list.
func (found *findings) judgeTool(t *answers.Tool) {
	at := place{Tool: t.Name, Method: "tools/list"}
	found.judgeSchema(t, at, "inputSchema")
	if t.Object["outputSchema"] != nil {
		found.judgeSchema(t, at, "outputSchema")
	}
	found.judgeRootKeys(t.Object, at)
	meta := t.Object["_meta"]
	if meta == nil {
		return
	}
	if t.Meta == nil {
		found.add(metaType, at.At("/_meta"), "_meta must be an object, not %s", text.JSON(meta)).
			Remedy = `write "_meta": {"ui": {"resourceUri": "ui://…"}}`
		return
	}
	found.judgeMetaKeys(t.Meta, at)
	flat, hasFlat := t.Meta[mcpapps.LegacyResourceURIKey]
	hasFlat = hasFlat && flat != nil
	flatAt := at.At(pointer("_meta", mcpapps.LegacyResourceURIKey))
	found.judgeOpenAITool(t, at)
	rawUI, ok := t.Meta["ui"]
	if obj, _ := rawUI.(map[string]any); hasFlat && obj["resourceUri"] != flat { // else it is judged below
		found.judgeToolURI(flat, flatAt)
	}
	if !ok || rawUI == nil {
		if hasFlat {
			found.add(toolNestedMissing, flatAt, "only the flat key names the view %s", text.JSON(flat))
		}
		return
	}
	ui, ok := rawUI.(map[string]any)
	if !ok {
		uri, ok := rawUI.(string)
		if !ok || !strings.HasPrefix(uri, "ui://") {
			uri = "ui://…"
		}
		found.add(metaType, at.At("/_meta/ui"), "_meta.ui must be an object, not %s", text.JSON(rawUI)).
			Remedy = fmt.Sprintf(`write "ui": {"resourceUri": %s}`, text.Quote(uri))
		return
	}
	for _, key := range metakey.ResourceUI {
		if v, ok := ui[key]; ok {
			found.add(toolResourceMeta, at.At(pointer("_meta", "ui", key)), "the tool's _meta.ui has %s: %s", key, text.JSON(v))
		}
	}
	found.judgeUIKeys(ui, metakey.ToolUI, at)
	found.judgeVisibility(ui, at)
	nested, has := ui["resourceUri"]
	nestedAt := at.At("/_meta/ui/resourceUri")
	switch {
	case has && nested != nil:
		found.judgeToolURI(nested, nestedAt)
		if !hasFlat {
			found.add(toolFlatMissing, at.At("/_meta"), "only the nested key names the view %s", text.JSON(nested))
		} else if flat != nested {
			found.add(toolKeysDiffer, nestedAt, "_meta.ui.resourceUri is %s and _meta[%q] is %s", text.JSON(nested), mcpapps.LegacyResourceURIKey, text.JSON(flat))
		}
	case hasFlat:
		found.add(toolNestedMissing, flatAt, "_meta.ui has no resourceUri; only the flat key names the view %s", text.JSON(flat))
	case ui["visibility"] == nil && !namesOpenAI(t):
		found.add(toolURIMissing, at.At("/_meta/ui"), "_meta.ui has neither resourceUri nor visibility: %s", text.JSON(ui))
	}
}

// judgeToolURI judges the URI of a view where a tool names it.
func (found *findings) judgeToolURI(v any, at place) {
	s, ok := v.(string)
	if !ok {
		found.add(toolURIInvalid, at, "the URI must be a string, not %s", text.JSON(v))
		return
	}
	if strings.HasPrefix(s, "ui://") && strings.Contains(s, "{") {
		found.add(toolURITemplate, at, "the URI %s is a template", text.Quote(s))
		return
	}
	if s == "" {
		found.add(toolURIInvalid, at, "the URI is empty")
	} else if err := appuri.Validate(s); err != nil {
		found.add(toolURIInvalid, at, "the URI %v", err)
	}
}

func (found *findings) judgeVisibility(ui map[string]any, at place) {
	v, ok := ui["visibility"]
	if !ok || v == nil {
		return
	}
	at = at.At("/_meta/ui/visibility")
	list, ok := v.([]any)
	if !ok {
		found.add(toolVisibility, at, "visibility must be a list, not %s", text.JSON(v))
		return
	}
	if len(list) == 0 {
		found.add(toolVisibility, at, "visibility is empty, which hides the tool from everybody")
	}
	for _, w := range list {
		if w != "model" && w != "app" {
			found.add(toolVisibility, at, "visibility has %s, which is neither model nor app", text.JSON(w))
		}
	}
}

// judgeSchema judges the root of a schema as clients do that validate lists, and that
// of an input schema as models' APIs do.
func (found *findings) judgeSchema(t *answers.Tool, at place, key string) {
	obj, ok := t.Object[key].(map[string]any)
	if !ok {
		found.add(toolSchema, at.At(pointer(key)), "%s must be an object, not %s", key, text.JSON(t.Object[key]))
		return
	}
	for _, f := range toolschema.Faults(obj) {
		found.add(toolSchema, at.At(pointer(append([]any{key}, f.Path...)...)), "the root of %s %s", key, f.Message).
			Remedy = f.Remedy
	}
	if key != "inputSchema" || !t.Model {
		return
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		if obj[word] != nil {
			found.add(toolSchemaCombined, at.At(pointer(key, word)), "the root of %s has %s", key, word)
		}
	}
}

// judgeTools finds views that no tool opens for the model, and tools that no view
// calls.
func (found *findings) judgeTools(s *answers.Record, docs []string) {
	entrypoints, others := calledByChatGPT(s)
	open := make(map[string]bool) // URIs that the model or, in ChatGPT, a user can open
	for _, t := range s.Tools {
		if t.URI != "" && (t.Model || entrypoints[t.Name]) {
			open[t.URI] = true
		}
	}
	search := maxSearch
	told := make(map[string]bool)
	for _, t := range s.Tools {
		if t.URI != "" && !open[t.URI] && !told[t.URI] {
			told[t.URI] = true
			found.add(toolViewUnreachable, place{Tool: t.Name, URI: t.URI, Method: "tools/list"}, "no tool that the model may call opens the view %s", text.Quote(t.URI))
		}
		if !t.App || t.Model || len(docs) == 0 || entrypoints[t.Name] || others[t.Name] {
			continue
		}
		if !slices.ContainsFunc(docs, func(d string) bool {
			search -= len(d)
			return search < 0 || strings.Contains(d, t.Name)
		}) {
			found.add(toolAppUncalled, place{Tool: t.Name, Method: "tools/list"}, "the tool is for views only, and no view's document contains its name")
		}
	}
}

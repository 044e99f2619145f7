package check

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps"
)

var (
	toolKeys     = []string{"resourceUri", "visibility"}
	resourceKeys = []string{"csp", "permissions", "domain", "prefersBorder"}
)

// tool judges an entry of tools/list.
func (c *collector) tool(t *tool) {
	at := place{tool: t.name, method: "tools/list"}
	c.schema(t, at, "inputSchema")
	if t.obj["outputSchema"] != nil {
		c.schema(t, at, "outputSchema")
	}
	c.rootKeys(t.obj, at)
	meta := t.obj["_meta"]
	if meta == nil {
		return
	}
	if t.meta == nil {
		c.add("meta-type", at.at("/_meta"), "_meta must be an object, not %s", shown(meta)).
			Remedy = `write "_meta": {"ui": {"resourceUri": "ui://…"}}`
		return
	}
	c.metaKeys(t.meta, at)
	flat, hasFlat := t.meta[mcpapps.LegacyResourceURIKey]
	hasFlat = hasFlat && flat != nil
	flatAt := at.at(pointer("_meta", mcpapps.LegacyResourceURIKey))
	rawUI, ok := t.meta["ui"]
	if obj, _ := rawUI.(map[string]any); hasFlat && obj["resourceUri"] != flat { // else it is judged there
		c.uri(flat, flatAt)
	}
	if !ok || rawUI == nil {
		if hasFlat {
			c.add("tool-nested-missing", flatAt, "only the flat key names the view %s", shown(flat))
		}
		return
	}
	ui, ok := rawUI.(map[string]any)
	if !ok {
		uri, ok := rawUI.(string)
		if !ok || !strings.HasPrefix(uri, "ui://") {
			uri = "ui://…"
		}
		c.add("meta-type", at.at("/_meta/ui"), "_meta.ui must be an object, not %s", shown(rawUI)).
			Remedy = fmt.Sprintf(`write "ui": {"resourceUri": %s}`, quote(uri))
		return
	}
	for _, key := range resourceKeys {
		if v, ok := ui[key]; ok {
			c.add("tool-resource-meta", at.at(pointer("_meta", "ui", key)), "the tool's _meta.ui has %s: %s", key, shown(v))
		}
	}
	c.uiKeys(ui, toolKeys, at)
	c.visibility(ui, at)
	nested, has := ui["resourceUri"]
	nestedAt := at.at("/_meta/ui/resourceUri")
	switch {
	case has && nested != nil:
		c.uri(nested, nestedAt)
		if !hasFlat {
			c.add("tool-flat-missing", at.at("/_meta"), "only the nested key names the view %s", shown(nested))
		} else if flat != nested {
			c.add("tool-keys-differ", nestedAt, "_meta.ui.resourceUri is %s and _meta[%q] is %s", shown(nested), mcpapps.LegacyResourceURIKey, shown(flat))
		}
	case hasFlat:
		c.add("tool-nested-missing", flatAt, "_meta.ui has no resourceUri; only the flat key names the view %s", shown(flat))
	case t.model:
		c.add("tool-uri-missing", at.at("/_meta/ui"), "_meta.ui has no resourceUri: %s", shown(ui))
	}
}

// uri judges the URI of a view where a tool names it.
func (c *collector) uri(v any, at place) {
	s, ok := v.(string)
	if !ok {
		c.add("tool-uri-invalid", at, "the URI must be a string, not %s", shown(v))
		return
	}
	if strings.HasPrefix(s, "ui://") && strings.Contains(s, "{") {
		c.add("tool-uri-template", at, "the URI %s is a template", quote(s))
		return
	}
	if err := (mcpapps.ToolUIMetadata{ResourceURI: s}).Validate(); s == "" {
		c.add("tool-uri-invalid", at, "the URI is empty")
	} else if err != nil {
		c.add("tool-uri-invalid", at, "the URI %s", strings.TrimPrefix(err.Error(), "resourceUri "))
	}
}

func (c *collector) visibility(ui map[string]any, at place) {
	v, ok := ui["visibility"]
	if !ok || v == nil {
		return
	}
	at = at.at("/_meta/ui/visibility")
	list, ok := v.([]any)
	if !ok {
		c.add("tool-visibility", at, "visibility must be a list, not %s", shown(v))
		return
	}
	if len(list) == 0 {
		c.add("tool-visibility", at, "visibility is empty, which hides the tool from everybody")
	}
	for _, w := range list {
		if w != "model" && w != "app" {
			c.add("tool-visibility", at, "visibility has %s, which is neither model nor app", shown(w))
		}
	}
}

// schema judges the root of a schema as the clients that validate lists do.
func (c *collector) schema(t *tool, at place, key string) {
	at = at.at(pointer(key))
	obj, ok := t.obj[key].(map[string]any)
	switch {
	case !ok:
		c.add("tool-schema", at, "%s must be an object, not %s", key, shown(t.obj[key]))
	case obj["type"] != "object":
		typ := "no type"
		if v, ok := obj["type"]; ok {
			typ = "the type " + shown(v)
		}
		c.add("tool-schema", at, "the root of %s has %s", key, typ)
	}
}

// metaKeys judges the keys of a _meta: those that look like the extension's and
// are not.
func (c *collector) metaKeys(meta map[string]any, at place) {
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if key == "ui" || key == mcpapps.LegacyResourceURIKey {
			continue
		}
		switch p := plain(key); p {
		case "iomodelcontextprotocolui", "ui", "uiresourceuri", "resourceuri", "uivisibility", "uicsp", "csp", "uipermissions", "uidomain", "uiprefersborder", "prefersborder":
			meant := "_meta.ui"
			for _, k := range slices.Concat(toolKeys, resourceKeys) {
				if strings.TrimPrefix(p, "ui") == plain(k) {
					meant += "." + k
				}
			}
			c.add("meta-spelling", at.at(pointer("_meta", key)), "_meta has %s, which no host reads", quote(key)).
				Remedy = "write " + meant + " instead"
		}
	}
	if csp, ok := meta["openai/widgetCSP"].(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(csp)) {
			switch key {
			case "connectDomains", "resourceDomains", "frameDomains", "redirectDomains":
				c.add("meta-openai-case", at.at(pointer("_meta", "openai/widgetCSP", key)), "openai/widgetCSP has the key %s", quote(key)).
					Remedy = "write " + quote(strings.TrimSuffix(key, "Domains")+"_domains")
			}
		}
	}
}

// rootKeys finds the extension's metadata beside _meta: in a key with the name
// that a library has for it, or in none.
func (c *collector) rootKeys(obj map[string]any, at place) {
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		m, _ := obj[key].(map[string]any)
		switch {
		case key == "_meta":
			continue
		case key == "ui" && (mayBeUI(m, toolKeys) || mayBeUI(m, resourceKeys)):
			c.add("meta-spelling", at.at(pointer(key)), `"ui" stands beside _meta, where no host looks`).
				Remedy = `move it into _meta: "_meta": {"ui": {…}}`
		case key == mcpapps.LegacyResourceURIKey || key == "resourceUri":
			c.add("meta-spelling", at.at(pointer(key)), "%s stands beside _meta, where no host looks", quote(key)).
				Remedy = fmt.Sprintf(`write "_meta": {"ui": {"resourceUri": %s}}`, shown(obj[key]))
		case m["ui"] != nil || m[mcpapps.LegacyResourceURIKey] != nil:
			c.add("meta-spelling", at.at(pointer(key)), "the metadata stands under %s, where most hosts do not look: %s", quote(key), shown(m)).
				Remedy = "write _meta instead"
		}
	}
}

func mayBeUI(m map[string]any, keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return ok })
}

// uiKeys judges the keys of a _meta.ui object: near misses, and those of the
// other kind. Keys that are like nothing are for others, or for later.
func (c *collector) uiKeys(ui map[string]any, own []string, at place) {
	for _, key := range slices.Sorted(maps.Keys(ui)) {
		if slices.Contains(toolKeys, key) || slices.Contains(resourceKeys, key) {
			if !slices.Contains(own, key) && slices.Contains(toolKeys, key) {
				c.add("meta-spelling", at.at(pointer("_meta", "ui", key)), "the resource's _meta.ui has %s, which belongs to a tool", quote(key)).
					Remedy = "move it to _meta.ui of the tool"
			}
			continue
		}
		if meant := nearKey(key, own); meant != "" {
			c.add("meta-spelling", at.at(pointer("_meta", "ui", key)), "_meta.ui has %s, which no host reads", quote(key)).
				Remedy = "write " + quote(meant)
		}
	}
}

// nearKey returns the key that another one is a slip of, "" if it is none.
func nearKey(key string, known []string) string {
	if len(key) > 60 {
		return ""
	}
	for _, k := range known {
		if plain(key) == plain(k) {
			return k
		}
	}
	for _, k := range known {
		if len(k) > 4 && distance(key, k) <= 2 {
			return k
		}
	}
	return ""
}

// tools judges what tools are to each other and to the views.
func (c *collector) tools(s *surface, docs []string) {
	open := make(map[string]bool) // URIs that the model can open
	for _, t := range s.tools {
		if t.model && t.uri != "" {
			open[t.uri] = true
		}
	}
	search := maxSearch
	told := make(map[string]bool)
	for _, t := range s.tools {
		if t.uri != "" && !open[t.uri] && !told[t.uri] {
			told[t.uri] = true
			c.add("tool-view-unreachable", place{tool: t.name, uri: t.uri, method: "tools/list"}, "the model may call no tool that opens the view %s", quote(t.uri))
		}
		if !t.app || t.model || len(docs) == 0 {
			continue
		}
		if !slices.ContainsFunc(docs, func(d string) bool {
			search -= len(d)
			return search < 0 || strings.Contains(d, t.name)
		}) {
			c.add("tool-app-uncalled", place{tool: t.name, method: "tools/list"}, "the tool is for views only, and no view's document has its name")
		}
	}
}

// failures turns what could not be fetched into findings.
func (c *collector) failures(s *surface) {
	opener := make(map[string]string) // the first tool that opens a view
	for _, t := range s.tools {
		if _, ok := opener[t.uri]; !ok && t.uri != "" {
			opener[t.uri] = t.name
		}
	}
	listed := make(map[string]bool)
	var spare []string // listed apps that no tool names, which a slip may have meant
	for _, r := range s.resources {
		listed[r.uri] = true
		if opener[r.uri] == "" && strings.HasPrefix(r.uri, "ui://") && len(spare) < maxCandidates {
			spare = append(spare, r.uri)
		}
	}
	for i, f := range s.failures {
		at := f.at
		if at.uri != "" && at.tool == "" {
			at.tool = opener[at.uri]
		}
		message := answered(f.err)
		if f.raw != nil {
			message += ": " + shown(f.raw)
		}
		fd := c.add(f.code, at, "%s", message)
		if f.code != "resource-unreadable" || listed[at.uri] || i > maxPerRule {
			continue // listed and not served: no slip
		}
		if near := nearestOf(at.uri, spare); near != "" {
			fd.Remedy = fmt.Sprintf("name %s, which is listed, or serve the resource at exactly the URI that the tool names", quote(near))
		}
	}
}

// answered says how a request failed, whose method stands beside it.
func answered(err error) string {
	var rpc *jsonrpc.Error
	switch {
	case errors.As(err, &rpc):
		return fmt.Sprintf("the answer is the error %d: %s", rpc.Code, strconv.Quote(shortenText(rpc.Message)))
	case errors.Is(err, errTimeout):
		return "there is no answer in time"
	}
	return shortenText(err.Error())
}

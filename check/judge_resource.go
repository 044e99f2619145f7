package check

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps"
)

// oldTypes are the media types that apps had before the specification settled.
var oldTypes = map[string]string{
	"text/html+mcp":         "an early draft's",
	"text/html;profile=mcp": "an early draft's",
	"text/vnd.mcp.ui+html":  "MCP-UI's",
	"text/html+skybridge":   "ChatGPT's before it took the standard's",
	"text/html":             "that of plain HTML",
}

// maxDocument is the size from which hosts exist that drop a document.
const maxDocument = 1 << 20

// app judges one app: its list entry, if it is listed, and what a read gave.
// It returns the document, "" if there is none.
func (c *collector) app(uri string, listed *resource, r *read, tools *toolbox) string {
	listAt := place{uri: uri, method: "resources/list"}
	var listUI map[string]any
	if listed != nil {
		if m, ok := listed.obj["mimeType"]; ok && m != mcpapps.MIMEType || !ok {
			c.mediaType("resource-list-media-type", listAt.at("/mimeType"), fmt.Sprint(orNothing(m, ok)))
		}
		c.rootKeys(listed.obj, listAt)
		listUI = c.meta(listed.obj["_meta"], listAt)
	}
	if r == nil || r.err != nil {
		if listUI != nil {
			c.resourceUI(listUI, listAt)
		}
		return ""
	}
	at := place{uri: uri, method: "resources/read"}
	if r.bad || len(r.items) != 1 {
		c.add("resource-contents", at.at("/contents"), "the result has %s, not exactly one", contentItems(r))
		if r.bad || len(r.items) == 0 {
			return ""
		}
	}
	it := &r.items[0]
	for i := range r.items {
		if r.items[i].mime == mcpapps.MIMEType {
			it = &r.items[i]
			break
		}
	}
	if it.mime != mcpapps.MIMEType {
		_, ok := it.obj["mimeType"]
		c.mediaType("resource-media-type", at.at("/mimeType"), fmt.Sprint(orNothing(it.mime, ok)))
	}
	if it.uri != uri {
		c.add("resource-uri", at.at("/uri"), "the content item names %s", quote(it.uri))
	}
	c.rootKeys(it.obj, at)
	if v, ok := it.obj["_meta"]; ok && v == nil {
		c.add("meta-type", at.at("/_meta"), "_meta is null, which clients on the TypeScript SDK take for no content item: leave it out")
	}
	readUI := c.meta(it.obj["_meta"], at)
	c.places(listed != nil, listUI, readUI, r, listAt, at)
	ui := listUI
	if readUI != nil {
		ui = readUI
		c.resourceUI(readUI, at)
		if listUI != nil && !reflect.DeepEqual(listUI, readUI) {
			c.resourceUI(listUI, listAt)
		}
	} else if listUI != nil {
		c.resourceUI(listUI, listAt)
	}
	html, ok := c.content(it, at)
	if !ok {
		return ""
	}
	d := document{at: at, tools: tools}
	if ui != nil {
		_ = unmarshalAny(ui, &d.ui) // what is wrong with it is said
	}
	c.text(html, d)
	return html
}

func orNothing(v any, ok bool) any {
	if !ok || v == nil {
		return ""
	}
	return v
}

func contentItems(r *read) string {
	if r.bad {
		return "contents that are no list of objects"
	}
	return plural(len(r.items), "content item")
}

func (c *collector) mediaType(code string, at place, got string) {
	if got == "" {
		c.add(code, at, "there is no mimeType; it must be %q", mcpapps.MIMEType)
		return
	}
	what := ""
	norm := strings.ReplaceAll(strings.ToLower(got), " ", "")
	if old, ok := oldTypes[norm]; ok {
		what = ", which is " + old
	} else if strings.ReplaceAll(norm, `"`, "") == mcpapps.MIMEType {
		what = ", which means the same and is compared as text"
	}
	c.add(code, at, "the media type is %s%s; it must be %q", quote(got), what, mcpapps.MIMEType)
}

// meta judges the _meta of a resource or item, and returns its ui object.
func (c *collector) meta(v any, at place) map[string]any {
	if v == nil {
		return nil
	}
	meta, ok := v.(map[string]any)
	if !ok {
		c.add("meta-type", at.at("/_meta"), "_meta must be an object, not %s", shown(v)).
			Remedy = `write "_meta": {"ui": {…}}`
		return nil
	}
	c.metaKeys(meta, at)
	if flat, ok := meta[mcpapps.LegacyResourceURIKey]; ok {
		c.add("meta-spelling", at.at(pointer("_meta", mcpapps.LegacyResourceURIKey)), "the resource's _meta has %s: %s, which belongs to a tool", quote(mcpapps.LegacyResourceURIKey), shown(flat)).
			Remedy = "move it to the _meta of the tool"
	}
	raw, ok := meta["ui"]
	if !ok || raw == nil {
		return nil
	}
	ui, ok := raw.(map[string]any)
	if !ok {
		c.add("meta-type", at.at("/_meta/ui"), "_meta.ui must be an object, not %s", shown(raw)).
			Remedy = `write "ui": {…}, with csp, permissions, domain and prefersBorder as its keys`
	}
	return ui
}

// places judges where the metadata stands.
func (c *collector) places(listed bool, listUI, readUI map[string]any, r *read, listAt, at place) {
	envelope := r.meta["ui"] != nil
	switch {
	case envelope && readUI == nil:
		c.add("meta-on-result", at.at("/_meta/ui"), "_meta.ui is on the result and not on its content item: %s", shown(r.meta["ui"]))
	case listUI != nil && readUI == nil:
		if len(listUI) > 0 {
			c.add("meta-list-only", at.at("/_meta"), "the content item has no _meta.ui; the list entry has %s", shown(listUI))
		}
	case readUI != nil && listUI == nil:
		if len(readUI) > 0 && listed {
			c.add("meta-read-only", listAt.at("/_meta"), "the list entry has no _meta.ui; the content item has %s", shown(readUI))
		} else if len(readUI) > 0 {
			c.add("meta-read-only", listAt, "the resource is not listed, so that nobody finds its _meta.ui in the list; the content item has %s", shown(readUI))
		}
	case readUI != nil && !sameUI(listUI, readUI):
		c.add("meta-differs", at.at("/_meta/ui"), "the list entry has %s, the content item %s", shown(listUI), shown(readUI))
	}
}

// sameUI reports whether two _meta.ui objects of a resource mean the same: the
// order of a list of origins has no meaning.
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

// content returns the document of an item.
func (c *collector) content(it *item, at place) (string, bool) {
	var html string
	switch {
	case it.text != nil && it.blob != nil:
		c.add("resource-encoding", at, "the content item has both text and blob")
		html = *it.text
	case it.text != nil:
		html = *it.text
	case it.blob != nil:
		data, err := base64.StdEncoding.DecodeString(*it.blob)
		if err != nil {
			c.add("resource-encoding", at.at("/blob"), "the blob is not base64: %v", err)
			return "", false
		}
		html = string(data)
	default:
		c.add("resource-empty", at, "the content item has neither text nor blob")
		return "", false
	}
	switch {
	case strings.TrimSpace(html) == "":
		c.add("resource-empty", at, "the document is empty")
		return "", false
	case strings.HasPrefix(html, "\xff\xfe") || strings.HasPrefix(html, "\xfe\xff"):
		c.add("resource-encoding", at, "the document is UTF-16, not UTF-8")
		return "", false
	case !utf8.ValidString(html):
		c.add("resource-encoding", at, "the document is not UTF-8")
		html = strings.ToValidUTF8(html, "\ufffd")
	}
	if len(html) > maxDocument {
		c.add("resource-size", at, "the document has %d bytes; some hosts take 1,048,576", len(html))
	}
	return html, true
}

// resourceUI judges a resource's _meta.ui object.
func (c *collector) resourceUI(ui map[string]any, at place) {
	c.uiKeys(ui, resourceKeys, at)
	c.csp(ui, at)
	c.permissions(ui, at)
	c.domain(ui, at)
	if b, ok := ui["prefersBorder"]; ok && b != nil {
		if _, ok := b.(bool); !ok {
			c.add("meta-type", at.at("/_meta/ui/prefersBorder"), "prefersBorder must be true or false, not %s", shown(b)).
				Remedy = "write true or false, or leave it out: every host has a default"
		}
	}
}

var cspKeys = []string{"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"}

func (c *collector) csp(ui map[string]any, at place) {
	v, ok := ui["csp"]
	if !ok {
		return
	}
	csp, ok := v.(map[string]any)
	if !ok {
		c.add("csp-type", at.at("/_meta/ui/csp"), "csp must be an object, not %s", shown(v))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(csp)) {
		at := at.at(pointer("_meta", "ui", "csp", key))
		if !slices.Contains(cspKeys, key) {
			f := c.add("csp-key", at, "csp has the key %s", quote(key))
			if meant := meantKey(key, cspKeys, cspWords); meant != "" {
				f.Remedy = fmt.Sprintf("write %q", meant)
			}
			continue
		}
		list, ok := csp[key].([]any)
		if !ok {
			f := c.add("csp-type", at, "csp.%s must be a list of strings, not %s", key, shown(csp[key]))
			if csp[key] == nil { // as encoding/json writes a nil slice
				f.Remedy = "write [], or leave the key out"
			}
			continue
		}
		for i, e := range list {
			at := at.at(pointer("_meta", "ui", "csp", key, i))
			s, ok := e.(string)
			if !ok {
				c.add("csp-type", at, "csp.%s must be a list of strings, but has %s", key, shown(e))
			} else if reason := originFault(s); reason != "" {
				f := c.add("csp-entry", at, "csp.%s has %s: %s", key, quote(s), reason)
				if o := originIn(s); o != "" {
					f.Remedy = "write " + strconv.Quote(o)
				}
			}
		}
	}
}

// What keys of other vendors, and of one's own making, are called after.
var (
	cspWords = [][2]string{
		{"connect", "connectDomains"}, {"fetch", "connectDomains"}, {"api", "connectDomains"},
		{"script", "resourceDomains"}, {"style", "resourceDomains"}, {"im", "resourceDomains"}, {"font", "resourceDomains"},
		{"media", "resourceDomains"}, {"asset", "resourceDomains"}, {"resource", "resourceDomains"},
		{"frame", "frameDomains"}, {"child", "frameDomains"}, {"base", "baseUriDomains"},
	}
	permissionWords = [][2]string{
		{"clipboard", "clipboardWrite"}, {"location", "geolocation"}, {"mic", "microphone"}, {"audio", "microphone"},
		{"video", "camera"}, {"webcam", "camera"},
	}
)

// meantKey returns the key that an unknown one is a slip of, or is called after;
// "" if there is none.
func meantKey(key string, known []string, words [][2]string) string {
	if meant := nearKey(key, known); meant != "" {
		return meant
	}
	p := plain(shorten(key))
	for _, w := range words {
		if strings.HasPrefix(p, w[0]) {
			return w[1]
		}
	}
	return ""
}

// originFault says why an entry is no origin, by the grammar of the package
// that builds policies.
func originFault(entry string) string {
	err := mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{entry}}}.Validate()
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(err.Error(), fmt.Sprintf("csp.connectDomains[0] is %q: ", entry))
}

// originIn returns the origin that an entry was meant as, "" if there is none
// in it: without its path, with the scheme that most have.
func originIn(entry string) string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(entry), "://")
	if !ok {
		scheme, rest = "https", strings.TrimPrefix(scheme, "//")
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if o := scheme + "://" + rest; len(o) <= 120 && strings.Contains(rest, ".") && originFault(o) == "" {
		return o
	}
	return ""
}

func (c *collector) permissions(ui map[string]any, at place) {
	v, ok := ui["permissions"]
	if !ok {
		return
	}
	perms, ok := v.(map[string]any)
	if !ok {
		c.add("permission-type", at.at("/_meta/ui/permissions"), "permissions must be an object, not %s", shown(v))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(perms)) {
		at := at.at(pointer("_meta", "ui", "permissions", key))
		if !slices.Contains(permissionNames, key) {
			f := c.add("permission-key", at, "there is no permission %s", quote(key))
			if meant := meantKey(key, permissionNames, permissionWords); meant != "" {
				f.Remedy = fmt.Sprintf("write %q", meant)
			}
			continue
		}
		if _, ok := perms[key].(map[string]any); !ok {
			f := c.add("permission-type", at, "permissions.%s must be {}, not %s", key, shown(perms[key]))
			if perms[key] == false || perms[key] == nil {
				f.Remedy = "leave it out: what is not asked for has no key"
			} else {
				f.Remedy = fmt.Sprintf("write {%q: {}}", key)
			}
		}
	}
}

var (
	claudeDomain  = regexp.MustCompile(`^[0-9a-f]{32}\.claudemcpcontent\.com$`)
	chatGPTDomain = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?$|^[a-z0-9.-]+\.oaiusercontent\.com$`)
	copilotDomain = regexp.MustCompile(`^[0-9a-f]{64}\.widget-renderer\.usercontent\.microsoft\.com$`)
)

func (c *collector) domain(ui map[string]any, at place) {
	v, ok := ui["domain"]
	if !ok || v == nil {
		return
	}
	at = at.at("/_meta/ui/domain")
	s, ok := v.(string)
	switch {
	case !ok:
		c.add("meta-type", at, "domain must be a string, not %s", shown(v)).
			Remedy = "write a string, or leave it out: every host has a default"
	case claudeDomain.MatchString(s):
	case strings.Contains(s, "claudemcpcontent.com"):
		c.add("domain-format", at, "domain is %s, which is meant for Claude and is not {hash}.claudemcpcontent.com", quote(s))
	case copilotDomain.MatchString(s):
		c.add("domain-host", at, "domain is %s, which is the one that Microsoft 365 Copilot makes itself", quote(s))
	case chatGPTDomain.MatchString(s):
		c.add("domain-host", at, "domain is %s, which is ChatGPT's format", quote(s))
	default:
		c.add("domain-format", at, "domain is %s, which is the format of no host that is known", quote(s))
	}
}

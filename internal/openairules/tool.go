package openairules

import (
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A ToolUI is the value of _meta["openai/ui"] on a tool.
type ToolUI struct {
	Entrypoints               []ToolEntrypoint
	PreferredModelDisplayMode string
}

// A ToolEntrypoint is one place in ChatGPT from which users open a tool's view.
type ToolEntrypoint struct {
	Index      int      // in the list of the tool's entrypoints
	Type       string   // "global", "thread" or "file"
	Extensions []string // of a file, as ".note", lower case
	// The quickAction of a global one: the tool that it calls, its title, and
	// the arguments. Without a quickAction all are empty.
	ShortcutTool, ShortcutTitle string
	ShortcutArguments           map[string]any
}

// ReadToolUI reads the value of _meta["openai/ui"] on a tool. What it returns beside
// problems is what can be read nevertheless.
func ReadToolUI(v any) (ToolUI, []Problem) {
	var l list
	ui := l.toolUI(v, "")
	return ui, l.problems
}

func (l *list) toolUI(v any, place string) (ui ToolUI) {
	m, ok := l.object(v, place, `write {"entrypoints": […]}`)
	if !ok {
		return ui
	}
	const onContent = "declare it in the _meta of the content item that resources/read returns"
	l.keys(m, place, map[string]string{"availableDisplayModes": onContent, "preferredDisplayMode": onContent},
		"entrypoints", "preferredModelDisplayMode")
	if v, ok := m["entrypoints"]; ok {
		ui.Entrypoints = l.entrypoints(v, at(place, "entrypoints"))
	}
	if v, ok := m["preferredModelDisplayMode"]; ok {
		ui.PreferredModelDisplayMode = l.mode(v, at(place, "preferredModelDisplayMode"), false)
	}
	return ui
}

// Tool returns the problems of all keys of OpenAI's layer in the entry of a tool in
// tools/list, with pointers in the entry.
func Tool(entry map[string]any) []Problem {
	var l list
	ui := l.declaration(entry)
	if meta, _ := entry["_meta"].(map[string]any); len(ui.Entrypoints) > 0 && !opensView(meta) {
		l.add(Entrypoint, at("", "_meta", metakey.OpenAIUI, "entrypoints"), "name the view in _meta.ui.resourceUri",
			"the tool has entrypoints and opens no view")
	}
	return l.problems
}

// opensView reports whether a tool names a view in a key that clients read.
func opensView(meta map[string]any) bool {
	ui, _ := meta["ui"].(map[string]any)
	for _, uri := range []any{ui[metakey.ResourceURI], meta[metakey.LegacyURI], meta[metakey.OpenAITemplate]} {
		if s, _ := uri.(string); s != "" {
			return true
		}
	}
	return false
}

// Declaration is [Tool] without the rule that a tool with entrypoints opens a view: the
// view of a tool that is not registered yet is not known.
func Declaration(entry map[string]any) []Problem {
	var l list
	l.declaration(entry)
	return l.problems
}

func (l *list) declaration(entry map[string]any) (ui ToolUI) {
	meta, _ := entry["_meta"].(map[string]any)
	if len(meta) == 0 {
		return ui
	}
	place := at("", "_meta")
	l.misplaced(meta, place, toolKeys, contentKeys, "declare it in the _meta of the content item that resources/read returns")
	if v, ok := meta[metakey.OpenAIUI]; ok {
		ui = l.toolUI(v, at(place, metakey.OpenAIUI))
		l.inputs(entry["inputSchema"], ui.Entrypoints)
	}
	if v, ok := meta[metakey.OpenAIIconStyle]; ok && v != "monochrome" {
		l.add(Type, at(place, metakey.OpenAIIconStyle), "write it, or leave the key out", `%s is not "monochrome"`, text.JSON(v))
	}
	for _, key := range []string{metakey.OpenAIInvoking, metakey.OpenAIInvoked} {
		if v, ok := meta[key]; ok {
			l.status(v, at(place, key))
		}
	}
	if v, ok := meta[metakey.OpenAIFileParams]; ok {
		l.fileParams(v, entry["inputSchema"], at(place, metakey.OpenAIFileParams))
	}
	l.securitySchemes(entry, meta)
	l.isString(meta, place, metakey.OpenAITemplate)
	l.isBool(meta, place, metakey.OpenAIAccessible)
	if v, ok := meta[metakey.OpenAIVisibility]; ok && v != "public" && v != "private" {
		l.add(Type, at(place, metakey.OpenAIVisibility), `leave it out, and write _meta.ui.visibility`, `%s is not "public" or "private"`, text.JSON(v))
	}
	return ui
}

// The keys of OpenAI's layer that clients read on a tool, and on a content item.
var (
	toolKeys = []string{metakey.OpenAIUI, metakey.OpenAIIconStyle, metakey.OpenAIInvoking, metakey.OpenAIInvoked,
		metakey.OpenAIFileParams, metakey.OpenAITemplate, metakey.OpenAIAccessible, metakey.OpenAIVisibility}
	contentKeys = []string{metakey.OpenAIUI, metakey.OpenAIDescription, metakey.OpenAIWidgetCSP,
		metakey.OpenAIDomain, metakey.OpenAIBorder}
)

// misplaced adds a problem for each key in meta that is known elsewhere only, or that
// differs from one that is known here in case only.
func (l *list) misplaced(meta map[string]any, place string, here, elsewhere []string, remedy string) {
	for _, key := range elsewhere {
		if _, ok := meta[key]; ok && !slices.Contains(here, key) {
			l.add(Key, at(place, key), remedy, "clients do not read %s here", key)
		}
	}
	var near []string
	for key := range meta {
		if len(key) < 100 && strings.EqualFold(key[:min(len(key), len("openai/"))], "openai/") && !slices.Contains(here, key) {
			near = append(near, key)
		}
	}
	slices.Sort(near)
	for _, key := range near {
		if i := slices.IndexFunc(here, func(k string) bool { return strings.EqualFold(k, key) }); i >= 0 {
			l.add(Key, place, "write "+here[i], "clients do not read the key %s", text.Quote(key))
		}
	}
}

func (l *list) isString(meta map[string]any, place, key string) {
	if v, ok := meta[key]; ok {
		if _, ok := v.(string); !ok {
			l.add(Type, at(place, key), "write a string, or leave the key out", "%s is not a string", text.JSON(v))
		}
	}
}

func (l *list) isBool(meta map[string]any, place, key string) {
	if v, ok := meta[key]; ok {
		if _, ok := v.(bool); !ok {
			l.add(Type, at(place, key), "write true or false, or leave the key out", "%s is not true or false", text.JSON(v))
		}
	}
}

// MaxStatus is the length of a status text, in UTF-16 code units: what JavaScript counts.
const MaxStatus = 64

func (l *list) status(v any, place string) {
	s, ok := v.(string)
	if !ok {
		l.add(Type, place, "write a string", "%s is not a string", text.JSON(v))
		return
	}
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	if n > MaxStatus {
		l.add(Status, place, "shorten it", "%s has %d characters, and a status text may have %d", text.Quote(s), n, MaxStatus)
	}
}

// Annotations returns the problems of a tool's annotations, which ChatGPT requires, with
// pointers in the entry.
func Annotations(entry map[string]any) []Problem {
	var l list
	annotations, _ := entry["annotations"].(map[string]any)
	for _, name := range []string{"readOnlyHint", "destructiveHint", "openWorldHint"} {
		switch v, ok := annotations[name]; {
		case !ok:
			l.add(Annotation, at("", "annotations"), "set it to true or false", "%s is missing, and ChatGPT requires it", name)
		default:
			if _, ok := v.(bool); !ok {
				l.add(Annotation, at("", "annotations", name), "set it to true or false", "%s is not true or false", text.JSON(v))
			}
		}
	}
	return l.problems
}

package openairules

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// MaxEntrypoints is the number of entrypoints that an app may have.
const MaxEntrypoints = 3

func (l *list) entrypoints(v any, place string) (read []ToolEntrypoint) {
	all, _ := l.array(v, place, `write [{"type": "global"}], for example`)
	if len(all) > MaxEntrypoints {
		l.add(Entrypoint, place, "leave out all but three", "it has %d entrypoints, and an app may have %d", len(all), MaxEntrypoints)
	}
	for i, v := range all {
		if len(l.problems) >= maxProblems || len(read) >= maxProblems {
			break
		}
		if e, ok := l.entrypoint(v, at(place, i)); ok {
			e.Index = i
			read = append(read, e)
		}
	}
	return read
}

func (l *list) entrypoint(v any, place string) (e ToolEntrypoint, ok bool) {
	const types = `write "global", "thread" or "file"`
	m, ok := l.object(v, place, `write {"type": "global"}, for example`)
	if !ok {
		return e, false
	}
	typ, ok := m["type"].(string)
	if !ok {
		l.add(Entrypoint, at(place, "type"), types, "%s is not the type of an entrypoint", text.JSON(m["type"]))
		return e, false
	}
	switch e.Type = typ; typ {
	case "global":
		l.keys(m, place, nil, "type", "quickAction")
		if q, ok := m["quickAction"]; ok {
			l.quickAction(q, at(place, "quickAction"), &e)
		}
	case "thread":
		l.keys(m, place, nil, "type")
	case "file":
		l.keys(m, place, nil, "type", "extensions")
		e.Extensions = l.extensions(m["extensions"], at(place, "extensions"))
	case "settings":
		l.add(Entrypoint, at(place, "type"), "declare the capability openai/settings, which names the tools that read and update them",
			`"settings" is not a type of entrypoint since version 0.2.0`)
		return e, false
	default:
		l.add(Entrypoint, at(place, "type"), types, "%s is not the type of an entrypoint", text.Quote(typ))
		return e, false
	}
	return e, true
}

func (l *list) extensions(v any, place string) (read []string) {
	const remedy = `write the extensions of the files, such as [".note"]`
	all, ok := v.([]any)
	if !ok {
		l.add(Entrypoint, place, remedy, "%s is not a list of extensions", text.JSON(v))
		return nil
	}
	if len(all) == 0 {
		l.add(Ineffective, place, remedy, "it has no extension, so the entrypoint opens no file")
	}
	for i, v := range all {
		ext, ok := v.(string)
		trimmed := strings.TrimSpace(ext)
		switch {
		case !ok || !strings.HasPrefix(trimmed, "."):
			l.add(Entrypoint, at(place, i), `begin it with a dot, as in ".note"`, "%s is not an extension", text.JSON(v))
			continue
		case trimmed == "." || strings.ContainsAny(trimmed, `/\`):
			l.add(Ineffective, at(place, i), remedy, "no file has the extension %s", text.Quote(ext))
		}
		if len(read) < maxExtensions && len(trimmed) <= maxExtensionBytes {
			read = append(read, strings.ToLower(trimmed))
		}
	}
	return read
}

// maxExtensions and maxExtensionBytes bound what is read of an entrypoint from the wire.
const (
	maxExtensions     = 100
	maxExtensionBytes = 100
)

// quickAction reads the shortcut of an entrypoint.
func (l *list) quickAction(v any, place string, e *ToolEntrypoint) {
	m, ok := l.object(v, place, "give it a title, icons and a target")
	if !ok {
		return
	}
	l.keys(m, place, nil, "title", "icons", "target")
	if e.ShortcutTitle, _ = m["title"].(string); strings.TrimSpace(e.ShortcutTitle) == "" {
		l.add(Entrypoint, at(place, "title"), "write what the shortcut does", "%s is not a title", text.JSON(m["title"]))
	}
	l.icons(m["icons"], at(place, "icons"))
	const remedy = `write {"type": "tool", "name": …} with a tool of this server`
	place = at(place, "target")
	target, ok := m["target"].(map[string]any)
	if !ok {
		l.add(Entrypoint, place, remedy, "%s is not a target", text.JSON(m["target"]))
		return
	}
	l.keys(target, place, nil, "type", "name", "arguments")
	if target["type"] != "tool" {
		l.add(Entrypoint, at(place, "type"), remedy, `%s is not "tool"`, text.JSON(target["type"]))
	}
	if e.ShortcutTool, _ = target["name"].(string); e.ShortcutTool == "" {
		l.add(Entrypoint, at(place, "name"), remedy, "%s is not the name of a tool", text.JSON(target["name"]))
	}
	if args, ok := target["arguments"]; ok {
		e.ShortcutArguments, _ = l.object(args, at(place, "arguments"), "write the arguments of the call, or leave it out")
	}
}

func (l *list) icons(v any, place string) {
	const remedy = `write [{"src": "https://…"}]`
	all, ok := v.([]any)
	if !ok || len(all) == 0 {
		l.add(Entrypoint, place, remedy, "%s is not a list of one icon or more", text.JSON(v))
	}
	for i, icon := range all {
		m, _ := icon.(map[string]any)
		if src, _ := m["src"].(string); src == "" {
			l.add(Entrypoint, at(place, i), remedy, "%s is not an icon with a src", text.JSON(icon))
		}
	}
}

package openairules

import (
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Content returns the problems of all keys of OpenAI's layer in the _meta of an app's
// content item, with pointers in the _meta.
func Content(meta map[string]any) []Problem {
	var l list
	l.misplaced(meta, "", contentKeys, toolKeys, "declare it in the _meta of the tool")
	if v, ok := meta[metakey.OpenAIUI]; ok {
		l.contentUI(v, at("", metakey.OpenAIUI))
	}
	l.isString(meta, "", metakey.OpenAIDescription)
	l.isString(meta, "", metakey.OpenAIDomain)
	l.isBool(meta, "", metakey.OpenAIBorder)
	if v, ok := meta[metakey.OpenAIWidgetCSP]; ok {
		l.widgetCSP(v, at("", metakey.OpenAIWidgetCSP))
	}
	return l.problems
}

func (l *list) contentUI(v any, place string) {
	m, ok := l.object(v, place, `write {"availableDisplayModes": […]}`)
	if !ok {
		return
	}
	const onTool = "declare it in the _meta of the tool"
	l.keys(m, place, map[string]string{"entrypoints": onTool, "preferredModelDisplayMode": onTool},
		"availableDisplayModes", "preferredDisplayMode")
	var available []any
	if v, ok := m["availableDisplayModes"]; ok {
		place := at(place, "availableDisplayModes")
		available, ok = l.array(v, place, `write ["inline", "fullscreen"]`)
		if ok && len(available) == 0 {
			l.add(Ineffective, place, "name a mode, or leave the key out", "it names no mode in which the view can be shown")
		}
		for i, mode := range available {
			if len(l.problems) >= maxProblems {
				return
			}
			l.mode(mode, at(place, i), true)
		}
	}
	if v, ok := m["preferredDisplayMode"]; ok {
		place := at(place, "preferredDisplayMode")
		mode := l.mode(v, place, true)
		if mode != "" && len(available) > 0 && !slices.Contains(available, any(mode)) {
			l.add(Ineffective, place, "add it to availableDisplayModes", "the preferred mode %s is not among the available ones", text.Quote(mode))
		}
	}
}

// mode returns a mode that ChatGPT has, or "". The validators for content items let pip
// through, and those for tools do not.
func (l *list) mode(v any, place string, pip bool) string {
	const remedy = `write "inline" or "fullscreen"`
	switch s, ok := v.(string); {
	case !ok:
		l.add(Type, place, remedy, "%s is not a string", text.JSON(v))
	case s == "inline" || s == "fullscreen":
		return s
	case s == "pip" && pip:
		l.add(Ineffective, place, remedy, `ChatGPT has no mode "pip"`)
	default:
		l.add(DisplayMode, place, remedy, "ChatGPT has no mode %s", text.Quote(s))
	}
	return ""
}

// The lists of openai/widgetCSP. The first three are those of _meta.ui.csp.
var widgetLists = []string{"connect_domains", "resource_domains", "frame_domains", "redirect_domains"}

func (l *list) widgetCSP(v any, place string) {
	m, ok := l.object(v, place, `write {"connect_domains": […], "resource_domains": […]}`)
	if !ok {
		return
	}
	for _, key := range widgetLists {
		v, ok := m[key]
		if !ok {
			continue
		}
		place := at(place, key)
		entries, _ := l.array(v, place, `write origins, as ["https://example.com"]`)
		for i, v := range entries {
			if len(l.problems) >= maxProblems {
				return
			}
			entry, ok := v.(string)
			if !ok {
				l.add(Type, at(place, i), "write an origin", "%s is not a string", text.JSON(v))
			} else if key == "redirect_domains" {
				l.redirect(entry, at(place, i))
			}
		}
	}
}

// redirect adds a problem if an entry of redirect_domains is not an origin of links.
func (l *list) redirect(entry, place string) {
	const remedy = `write an origin, as "https://example.com"`
	if err := origin.Validate(entry); err != nil {
		l.add(Origin, place, remedy, "%s is not an origin: %s", text.Quote(entry), text.Shorten(err.Error(), 200))
	} else if s := strings.ToLower(entry); !strings.HasPrefix(s, "http") {
		l.add(Origin, place, remedy, "%s is not an origin of links, which lead to http and https", text.Quote(entry))
	}
}

package openairules

import (
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Tools are the tools that a server's capabilities name, "" for those that it does not.
type Tools struct {
	ReadSettings, UpdateSettings, SearchMentions string
}

// ReadCapabilities reads the settings and mentions that a server declares in its
// capabilities, as in the answer to initialize or server/discover: in extensions or, for
// older clients, in experimental. Pointers are in the capabilities.
func ReadCapabilities(capabilities map[string]any) (Tools, []Problem) {
	var l list
	settings := l.capability(capabilities, metakey.OpenAISettings, "readTool", "updateTool")
	mentions := l.capability(capabilities, metakey.OpenAIMentions, "searchTool")
	tools := Tools{ReadSettings: settings["readTool"], UpdateSettings: settings["updateTool"], SearchMentions: mentions["searchTool"]}
	if tools.ReadSettings != "" && tools.ReadSettings == tools.UpdateSettings {
		l.add(Capability, "", "name the tool that updates settings in updateTool", "%s: readTool and updateTool are both %s", metakey.OpenAISettings, text.Quote(tools.ReadSettings))
	}
	return tools, l.problems
}

// capability returns the names of tools that a capability has, from extensions or else
// from experimental.
func (l *list) capability(capabilities map[string]any, key string, members ...string) map[string]string {
	names := make(map[string]string, len(members))
	for _, group := range []string{"extensions", "experimental"} {
		all, _ := capabilities[group].(map[string]any)
		v, ok := all[key]
		if !ok {
			continue
		}
		place := at("", group, key)
		m, ok := v.(map[string]any)
		if !ok {
			l.add(Capability, place, "name the tools in it", "%s is not an object", text.JSON(v))
			continue
		}
		for _, member := range members {
			switch name, _ := m[member].(string); {
			case name == "":
				l.add(Capability, at(place, member), "name a tool of this server", "%s is not the name of a tool", text.JSON(m[member]))
			case names[member] == "":
				names[member] = name
			case names[member] != name:
				l.add(Capability, at(place, member), "name the same tool in both", "%s is not the tool that extensions names, %s", text.Quote(name), text.Quote(names[member]))
			}
		}
	}
	return names
}

// SettingsReadTool returns the problems of the entry in tools/list of the tool that reads
// settings, with pointers in the entry. An entry is nil if the list does not have the tool.
func SettingsReadTool(entry map[string]any) []Problem {
	var l list
	if l.listed(entry, "reads settings") {
		l.readOnly(entry, "reads settings")
		if !accepts(entry["inputSchema"], map[string]any{}) {
			l.add(Capability, at("", "inputSchema"), "make all arguments optional", "the tool that reads settings is called with {}, and its schema does not accept that")
		}
		if _, ok := entry["outputSchema"].(map[string]any); !ok {
			l.add(Capability, "", "declare the output schema", "the tool that reads settings has no output schema, which clients require")
		}
	}
	return l.problems
}

// SettingsUpdateTool is [SettingsReadTool] for the tool that updates settings.
func SettingsUpdateTool(entry map[string]any) []Problem {
	var l list
	if l.listed(entry, "updates settings") {
		if !declaresProperty(entry["inputSchema"], "set") {
			l.add(Capability, at("", "inputSchema"), "declare it, with the changed settings as an object", "the tool that updates settings has no argument set")
		}
		annotations, _ := entry["annotations"].(map[string]any)
		if annotations["readOnlyHint"] == true {
			l.add(Capability, at("", "annotations", "readOnlyHint"), "set it to false", "the tool that updates settings says that it only reads")
		}
	}
	return l.problems
}

// MentionsTool is [SettingsReadTool] for the tool that searches mentions.
func MentionsTool(entry map[string]any) []Problem {
	var l list
	if l.listed(entry, "searches mentions") {
		l.readOnly(entry, "searches mentions")
		if !declaresProperty(entry["inputSchema"], "query") || !accepts(entry["inputSchema"], map[string]any{"query": ""}) {
			l.add(Capability, at("", "inputSchema"), "declare query as a string, and make all other arguments optional",
				`the tool that searches mentions is called with {"query": ""} and other strings, and its schema does not accept that`)
		}
		if !visibleToApp(entry) {
			l.add(Capability, "", `write ["app"] there, or ["model", "app"]`, `the tool that searches mentions has no "app" in _meta.ui.visibility, so clients do not use it`)
		}
	}
	return l.problems
}

func (l *list) listed(entry map[string]any, does string) bool {
	if entry == nil {
		l.add(Capability, "", "register it, or leave the capability out", "the capabilities name a tool that %s, and tools/list does not have it", does)
	}
	return entry != nil
}

// readOnly adds a problem if a tool that clients call unasked does not say that it only
// reads.
func (l *list) readOnly(entry map[string]any, does string) {
	annotations, _ := entry["annotations"].(map[string]any)
	if annotations["readOnlyHint"] != true {
		l.add(Capability, at("", "annotations"), "set it to true, if that is so", "the tool that %s has no readOnlyHint true, so clients do not use it", does)
	}
}

package check

import (
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	capabilityType = newRule(Rule{
		Code:     "capability-type",
		Severity: SeverityError,
		Hosts:    []string{hostTSSDK},
		Summary:  "the extension's settings are not an object",
		Why:      "clients that validate the answer to initialize refuse the connection; others treat the extension as unsupported",
		Remedy:   `advertise "extensions": {"io.modelcontextprotocol/ui": {}}; the Go SDK's AddExtension writes that`,
		Spec:     "Client<>Server Capability Negotiation",
	})

	capabilityPlace = newRule(Rule{
		Code:     "capability-place",
		Severity: SeverityWarning,
		Summary:  "the extension is advertised outside of extensions",
		Why:      "clients read only capabilities.extensions",
		Remedy:   `move it to capabilities.extensions["io.modelcontextprotocol/ui"]`,
		Spec:     "Client<>Server Capability Negotiation",
	})

	capabilityMissing = newRule(Rule{
		Code:     "capability-missing",
		Severity: SeverityNote,
		Summary:  "the server has apps and does not advertise the extension",
		Why:      "the specification requires it of clients only, but one host treats such a server's tools as text",
		Remedy:   `advertise "extensions": {"io.modelcontextprotocol/ui": {}} in initialize and server/discover`,
		Spec:     "Client<>Server Capability Negotiation",
	})

	capabilityGated = newRule(Rule{
		Code:     "capability-gated",
		Severity: SeverityWarning,
		Hosts:    []string{hostClaude, hostMCPJam},
		Summary:  "tools have UI metadata only for clients that advertise the extension",
		Why:      "some hosts show apps without declaring the extension, and get only text",
		Remedy:   "list the metadata for every client, and use the capability only to choose how much text a result has; a server on this module can instead keep the views for hosts that are known to show apps, with compat.KeepViews",
		Spec:     "Client<>Server Capability Negotiation",
	})

	capabilityResources = newRule(Rule{
		Code:     "capability-resources",
		Severity: SeverityWarning,
		Summary:  "the resources capability is not advertised",
		Why:      "clients that check it never read the document",
		Remedy:   `advertise "resources": {}`,
	})
)

// judgeCapability judges how the server advertises the extension.
func (found *findings) judgeCapability(s *answers.Record) {
	at := place{Method: s.Hello.Method}
	caps := s.Hello.Capabilities
	misplaced := ""
	for _, where := range slices.Sorted(maps.Keys(caps)) {
		switch m, _ := caps[where].(map[string]any); {
		case where == mcpapps.ExtensionID:
			misplaced = pointer("capabilities", where)
		case where != "extensions" && has(m, mcpapps.ExtensionID):
			misplaced = pointer("capabilities", where, mcpapps.ExtensionID)
		default:
			continue
		}
		found.add(capabilityPlace, at.At(misplaced), "the extension is at %s", misplaced)
	}
	ext, _ := caps["extensions"].(map[string]any)
	settings, ok := ext[mcpapps.ExtensionID]
	extAt := at.At(pointer("capabilities", "extensions", mcpapps.ExtensionID))
	if _, isObject := settings.(map[string]any); ok && !isObject {
		found.add(capabilityType, extAt, "the extension's settings must be an object, not %s", text.JSON(settings))
	}
	if caps["extensions"] != nil && ext == nil {
		found.add(capabilityType, at.At("/capabilities/extensions"), "extensions must be an object, not %s", text.JSON(caps["extensions"]))
	} else if !ok && misplaced == "" && s.HasApps() {
		found.add(capabilityMissing, at.At("/capabilities/extensions"), "the server has apps and does not advertise %s", mcpapps.ExtensionID)
	}
	if caps["resources"] == nil && s.HasApps() {
		found.add(capabilityResources, at.At("/capabilities/resources"), "the server has apps and does not advertise resources")
	}
}

// judgeGated finds tools whose metadata depends on whether the client declares the
// extension.
func (found *findings) judgeGated(with, without *answers.Record) {
	plain := make(map[string]*answers.Tool)
	for _, t := range without.Tools {
		plain[t.Name] = t
	}
	if without.Ended || len(without.Tools) == 0 && len(with.Tools) > 0 && len(without.Failures) > 0 {
		return
	}
	for _, t := range with.Tools {
		if t.URI == "" {
			continue
		}
		at := place{Tool: t.Name, Method: "tools/list"}
		if p := plain[t.Name]; p == nil {
			found.add(capabilityGated, at, "the tool is listed only for clients that declare the extension")
		} else if p.URI == "" || nested(t) && !nested(p) {
			found.add(capabilityGated, at.At("/_meta/ui"), "the tool names its view only to clients that declare the extension")
		}
	}
}

// nested reports whether a tool names its view by the nested key, the only one that
// some hosts read.
func nested(t *answers.Tool) bool {
	ui, _ := t.Meta["ui"].(map[string]any)
	return has(ui, "resourceUri")
}

func has(m map[string]any, key string) bool {
	v, ok := m[key]
	return ok && v != nil
}

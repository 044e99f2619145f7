package metakey

import (
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/spelling"
)

// MeantCSP returns the key of a csp object that another key probably stands for, ""
// if there is none.
func MeantCSP(key string) string { return meant(key, CSPFields, cspWords) }

// MeantPermission returns the permission that another key probably stands for, "" if
// there is none.
func MeantPermission(key string) string { return meant(key, PermissionNames, permissionWords) }

// MeantOutsideUI returns the place that a key of _meta itself probably stands for, as
// "_meta.ui" or "_meta.ui.csp": a key that no host reads. It is "" for any other key.
func MeantOutsideUI(key string) string {
	if key == "ui" || key == LegacyURI || len(key) > 60 {
		return ""
	}
	folded := spelling.Fold(key)
	if folded == "ui" || folded == "iomodelcontextprotocolui" {
		return "_meta.ui"
	}
	name, inUI := strings.CutPrefix(folded, "ui")
	for _, k := range slices.Concat(ToolUI, ResourceUI) {
		// Visibility, permissions and domain alone may be anybody's.
		alone := k == ResourceURI || k == CSP || k == PrefersBorder
		if name == spelling.Fold(k) && (inUI || alone) {
			return "_meta.ui." + k
		}
	}
	return ""
}

// MeantWidgetCSP returns the key of an openai/widgetCSP object that another key
// stands for, "" if there is none: that object's keys are in snake_case.
func MeantWidgetCSP(key string) string {
	switch key {
	case "connectDomains", "resourceDomains", "frameDomains", "redirectDomains":
		return strings.TrimSuffix(key, "Domains") + "_domains"
	}
	return ""
}

// meant returns the known key that another one probably misspells, or whose word it
// begins with.
func meant(key string, known []string, words [][2]string) string {
	if k := spelling.Key(key, known); k != "" {
		return k
	}
	folded := spelling.Fold(key[:min(len(key), 100)])
	for _, w := range words {
		if strings.HasPrefix(folded, w[0]) {
			return w[1]
		}
	}
	return ""
}

// The words map the beginnings of other vendors' and authors' keys to the key of the
// specification.
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

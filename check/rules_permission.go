package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	permissionType = newRule(Rule{
		Code:     "permission-type",
		Severity: SeverityWarning,
		Summary:  "permissions, or the value of one, has the wrong type",
		Why:      "on the wire a permission is a key with an empty object; the reference schema rejects booleans, and lists grant nothing",
		Remedy:   `write {"camera": {}}, and omit permissions that are not needed`,
		Spec:     "UI Resource Format",
	})

	permissionKey = newRule(Rule{
		Code:     "permission-key",
		Severity: SeverityWarning,
		Summary:  "a permission that the specification does not define",
		Why:      "hosts grant only camera, microphone, geolocation and clipboardWrite",
		Remedy:   "request camera, microphone, geolocation or clipboardWrite, or remove it",
		Spec:     "UI Resource Format",
	})

	permissionUndeclared = newRule(Rule{
		Code:     "permission-undeclared",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document uses a browser feature whose permission is not requested",
		Why:      "the frame does not have the permission, so the call fails",
		Remedy:   "request it",
		Spec:     "UI Resource Format",
	})

	permissionUnused = newRule(Rule{
		Code:     "permission-unused",
		Severity: SeverityNote,
		Summary:  "a permission that no script seems to use",
		Why:      "users are asked to trust it",
		Remedy:   "remove it, unless it is used in a way that the check can't see",
		Spec:     "UI Resource Format",
	})
)

func (found *findings) judgePermissions(ui map[string]any, at place) {
	v, ok := ui["permissions"]
	if !ok {
		return
	}
	perms, ok := v.(map[string]any)
	if !ok {
		found.add(permissionType, at.At("/_meta/ui/permissions"), "permissions must be an object, not %s", text.JSON(v))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(perms)) {
		at := at.At(pointer("_meta", "ui", "permissions", key))
		if !slices.Contains(metakey.PermissionNames, key) {
			f := found.add(permissionKey, at, "there is no permission %s", text.Quote(key))
			if meant := metakey.MeantPermission(key); meant != "" {
				f.Remedy = fmt.Sprintf("write %q", meant)
			}
			continue
		}
		if _, ok := perms[key].(map[string]any); !ok {
			f := found.add(permissionType, at, "permissions.%s must be {}, not %s", key, text.JSON(perms[key]))
			if perms[key] == false || perms[key] == nil {
				f.Remedy = "omit it: a permission that is not requested has no key"
			} else {
				f.Remedy = fmt.Sprintf("write {%q: {}}", key)
			}
		}
	}
}

// judgeFeatures compares the browser features that the document uses with the
// permissions that it requests.
func (found *findings) judgeFeatures(p *page.Page, d document) {
	asked := requested(d.ui.Permissions)
	for _, name := range metakey.PermissionNames {
		offset, used := p.Features[name]
		switch {
		case used && !asked[name]:
			found.addAt(p, d.at, permissionUndeclared, offset, "the script uses %s, whose permission the app does not request", featureUse[name]).
				Remedy = fmt.Sprintf(`declare {%q: {}} in _meta.ui.permissions of the resource, and handle a host that refuses`, name)
		case asked[name] && !used && !slices.ContainsFunc(featureWords[name], func(w string) bool { return strings.Contains(p.Doc, w) }):
			found.add(permissionUnused, d.at, "the app requests %s and does not seem to use it", name)
		}
	}
}

// requested returns which permissions an app requests, by their names.
func requested(p *mcpapps.Permissions) map[string]bool {
	if p == nil {
		return nil
	}
	return map[string]bool{
		"camera": p.Camera, "microphone": p.Microphone, "geolocation": p.Geolocation, "clipboardWrite": p.ClipboardWrite,
	}
}

var (
	featureUse = map[string]string{
		"camera": "the camera (getUserMedia)", "microphone": "the microphone (getUserMedia)",
		"geolocation": "the location (navigator.geolocation)", "clipboardWrite": "the clipboard (navigator.clipboard)",
	}
	// featureWords are words of which every document that uses the feature has one.
	featureWords = map[string][]string{
		"camera": {"getUserMedia"}, "microphone": {"getUserMedia", "SpeechRecognition"},
		"geolocation": {"geolocation"}, "clipboardWrite": {"clipboard"},
	}
)

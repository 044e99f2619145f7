package mcpapps

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
)

// ToolUIMetadata is the _meta.ui object of a tool: which app the tool opens
// and who may call it (MCP Apps, Resource Discovery and Visibility).
//
// CSP and permissions belong to the app, not to the tool that opens it: see
// [ResourceUIMetadata].
type ToolUIMetadata struct {
	// ResourceURI is the ui:// URI of the app that the tool opens. It can't be a
	// template, which hosts do not expand. It may be empty if Visibility is set: the
	// tool then opens no app, and the declaration says only who may call it.
	ResourceURI string
	// Visibility lists who the tool is for. Nil means the model and the app, and
	// is written so on the wire. An empty, non-nil slice would hide the tool from
	// everybody and is an error.
	Visibility []Visibility
	// Extra holds the keys that this version does not know. They are kept on
	// decode and written on encode. A known key of a tool or of a resource in it
	// is an error.
	Extra map[string]any
}

// ResourceUIMetadata is the _meta.ui object of a UI resource: what the app
// needs from the host that shows it (MCP Apps, UI Resource Format). The zero
// value asks for nothing and adds nothing to the wire.
type ResourceUIMetadata struct {
	// CSP names the origins that the app uses. Nil means that nothing is
	// declared, and the host applies its restrictive default; &CSP{} declares
	// that nothing external is needed.
	CSP *CSP
	// Permissions names the browser features that the app asks for. Nil and the
	// zero value ask for none. A host may refuse any of them.
	Permissions *Permissions
	// Domain asks for a stable origin for the app. Each host defines its own
	// format in its documentation. Leave it empty unless the app needs one: that
	// works in every host.
	Domain string
	// PrefersBorder asks for a border and background (true) or for no border
	// (false). Nil lets the host decide.
	PrefersBorder *bool
	// Extra holds the keys that this version does not know, as in
	// [ToolUIMetadata].
	Extra map[string]any
}

// Permissions are browser features that an app asks the host for. On the wire a
// true field is an empty object and a false one is absent, because hosts reject
// booleans.
type Permissions struct {
	Camera         bool
	Microphone     bool
	Geolocation    bool
	ClipboardWrite bool
	// Extra holds the features that this version does not know. This package
	// never grants them.
	Extra map[string]any
}

// The keys of _meta.ui on tools and on resources. Extra never contains one.
const (
	keyUI = "ui"

	keyResourceURI = metakey.ResourceURI
	keyVisibility  = metakey.Visibility

	keyCSP           = metakey.CSP
	keyPermissions   = metakey.Permissions
	keyDomain        = metakey.Domain
	keyPrefersBorder = metakey.PrefersBorder
)

var (
	toolKeys     = metakey.ToolUI
	resourceKeys = metakey.ResourceUI
	uiKeys       = slices.Concat(toolKeys, resourceKeys)

	permissionKeys = metakey.PermissionNames
)

// Validate returns an error for the first mistake in a declaration, on which
// registration would panic. It is for metadata that comes from configuration.
func (m ToolUIMetadata) Validate() error {
	if err := validateVisibility(m.Visibility); err != nil {
		return err
	}
	if m.ResourceURI == "" {
		if m.Visibility == nil {
			return errNothing
		}
	} else if err := appuri.Validate(m.ResourceURI); err != nil {
		return fmt.Errorf("resourceUri %w", err)
	}
	return validateExtra("Extra", m.Extra, uiKeys, toolKeys)
}

var errNothing = errors.New("resourceUri and visibility are empty: name the ui:// resource that the tool opens, or say in Visibility who may call a tool that opens none")

// Validate returns an error for the first mistake in a declaration, on which
// registration would panic: a CSP entry that is not an origin, for example, or a
// known key in an Extra map.
func (m ResourceUIMetadata) Validate() error {
	if m.CSP != nil {
		if err := m.CSP.validate(); err != nil {
			return err
		}
	}
	if m.Permissions != nil {
		if err := validateExtra("Permissions.Extra", m.Permissions.Extra, permissionKeys, permissionKeys); err != nil {
			return err
		}
	}
	if i := strings.IndexFunc(m.Domain, func(r rune) bool { return r <= ' ' || r >= 0x7f }); i >= 0 {
		return fmt.Errorf("domain %q has a space, control or non-ASCII character at byte %d: take the value from the host's documentation, or leave it empty", m.Domain, i)
	}
	return validateExtra("Extra", m.Extra, uiKeys, resourceKeys)
}

// validateExtra returns an error for a known key in an Extra map, for a misspelling of
// one in spelt, and for a value that can't be encoded.
func validateExtra(name string, extra map[string]any, known, spelt []string) error {
	if len(extra) == 0 { // it costs each registration some allocations
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(known, k) {
			return fmt.Errorf("%s[%q] is a key that this package knows: set the field instead", name, k)
		}
		if meant := spelling.Key(k, spelt); meant != "" {
			return fmt.Errorf("%s[%q] is a key that no host reads: set the field for %q instead", name, k, meant)
		}
		if _, err := json.Marshal(extra[k]); err != nil {
			return fmt.Errorf("%s[%q] can't be encoded as JSON: %w", name, k, err)
		}
	}
	return nil
}

// generic returns the declaration as generic JSON, as clients decode it. It shares
// no memory with m.
func (m ToolUIMetadata) generic() map[string]any {
	ui := make(map[string]any, 2+len(m.Extra))
	for k, v := range m.Extra {
		ui[k] = jsonvalue.Clone(v)
	}
	if m.ResourceURI != "" {
		ui[keyResourceURI] = m.ResourceURI
	}
	if m.Visibility != nil {
		ui[keyVisibility] = visibilityStrings(m.Visibility)
	}
	return ui
}

func visibilityStrings(v []Visibility) []string {
	words := make([]string, len(v))
	for i, w := range v {
		words[i] = string(w)
	}
	return words
}

func (m ResourceUIMetadata) generic() map[string]any {
	ui := make(map[string]any, 4+len(m.Extra))
	for k, v := range m.Extra {
		ui[k] = jsonvalue.Clone(v)
	}
	if m.CSP != nil {
		ui[keyCSP] = m.CSP.generic()
	}
	if m.Permissions != nil {
		ui[keyPermissions] = m.Permissions.generic()
	}
	if m.Domain != "" {
		ui[keyDomain] = m.Domain
	}
	if m.PrefersBorder != nil {
		ui[keyPrefersBorder] = *m.PrefersBorder
	}
	return ui
}

func (p Permissions) generic() map[string]any {
	perms := make(map[string]any, 4+len(p.Extra))
	for k, v := range p.Extra {
		perms[k] = jsonvalue.Clone(v)
	}
	for i, asked := range p.flags() {
		if *asked {
			perms[permissionKeys[i]] = map[string]any{}
		}
	}
	return perms
}

// flags returns the known features in the order of permissionKeys.
func (p *Permissions) flags() [4]*bool {
	return [4]*bool{&p.Camera, &p.Microphone, &p.Geolocation, &p.ClipboardWrite}
}

// MarshalJSON encodes the _meta.ui object: a nil Visibility is absent, an empty
// one is []. A known key in Extra is an error.
func (m ToolUIMetadata) MarshalJSON() ([]byte, error) {
	if err := validateExtra("Extra", m.Extra, uiKeys, nil); err != nil {
		return nil, err
	}
	return json.Marshal(m.generic())
}

// MarshalJSON encodes the _meta.ui object. Fields that are nil or empty are
// absent; &CSP{} is {} and a false PrefersBorder is false. A known key in an
// Extra map is an error.
func (m ResourceUIMetadata) MarshalJSON() ([]byte, error) {
	if err := validateExtra("Extra", m.Extra, uiKeys, nil); err != nil {
		return nil, err
	}
	if m.CSP != nil {
		if err := validateExtra("CSP.Extra", m.CSP.Extra, cspKeys, nil); err != nil {
			return nil, err
		}
	}
	if m.Permissions != nil {
		if err := validateExtra("Permissions.Extra", m.Permissions.Extra, permissionKeys, nil); err != nil {
			return nil, err
		}
	}
	return json.Marshal(m.generic())
}

// MarshalJSON encodes the permissions object: {} for each true field.
func (p Permissions) MarshalJSON() ([]byte, error) {
	if err := validateExtra("Extra", p.Extra, permissionKeys, nil); err != nil {
		return nil, err
	}
	return json.Marshal(p.generic())
}

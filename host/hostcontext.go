package host

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A DisplayMode is one of the ways in which a host can show a view.
type DisplayMode string

const (
	DisplayInline     DisplayMode = "inline"
	DisplayFullscreen DisplayMode = "fullscreen"
	DisplayPIP        DisplayMode = "pip"
)

func (m DisplayMode) valid() bool {
	return m == DisplayInline || m == DisplayFullscreen || m == DisplayPIP
}

// A Theme is the colour scheme of the host.
type Theme string

const (
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// A HostContext is what the host tells a view about its surroundings (MCP Apps, Host
// Context). Every field is optional: zero values are left out.
type HostContext struct {
	Theme  Theme   `json:"theme,omitempty"`
	Styles *Styles `json:"styles,omitempty"`
	// DisplayMode is how the view is shown now.
	DisplayMode DisplayMode `json:"displayMode,omitempty"`
	// AvailableDisplayModes are the modes that the host can show.
	AvailableDisplayModes []DisplayMode `json:"availableDisplayModes,omitempty"`
	// ContainerDimensions are the size of the view's frame, or its bounds, in
	// CSS pixels.
	ContainerDimensions *Dimensions `json:"containerDimensions,omitempty"`
	Locale              string      `json:"locale,omitempty"`   // BCP 47, such as "en-GB"
	TimeZone            string      `json:"timeZone,omitempty"` // IANA, such as "Europe/Oslo"
	UserAgent           string      `json:"userAgent,omitempty"`
	// Platform is "web", "desktop" or "mobile".
	Platform           string              `json:"platform,omitempty"`
	DeviceCapabilities *DeviceCapabilities `json:"deviceCapabilities,omitempty"`
	SafeAreaInsets     *SafeAreaInsets     `json:"safeAreaInsets,omitempty"`
	// Extra holds keys that this version does not know. A known key, or
	// toolInfo, which the bridge sets, is an error here.
	Extra map[string]any `json:"-"`
}

// Styles are the host's style variables and fonts (MCP Apps, Theming).
type Styles struct {
	// Variables maps names of the specification's list, such as
	// "--color-background-primary", to CSS values; not all need be given. A name
	// that is not on the list is an error, since views reject the whole context for
	// it.
	Variables map[string]string `json:"variables,omitempty"`
	CSS       *StylesCSS        `json:"css,omitempty"`
}

// StylesCSS is CSS that a view may add to its document.
type StylesCSS struct {
	Fonts string `json:"fonts,omitempty"` // @font-face and @import rules
}

// Dimensions give for each axis a fixed size, a bound, or nothing.
type Dimensions struct {
	Width     int `json:"width,omitempty"`
	MaxWidth  int `json:"maxWidth,omitempty"`
	Height    int `json:"height,omitempty"`
	MaxHeight int `json:"maxHeight,omitempty"`
}

// DeviceCapabilities say which kinds of pointing device the user has.
type DeviceCapabilities struct {
	Touch bool `json:"touch"`
	Hover bool `json:"hover"`
}

// SafeAreaInsets are the margins of the view's frame that something may cover, in
// CSS pixels.
type SafeAreaInsets struct {
	Top    int `json:"top"`
	Right  int `json:"right"`
	Bottom int `json:"bottom"`
	Left   int `json:"left"`
}

var contextKeys = []string{
	"theme", "styles", "displayMode", "availableDisplayModes", "containerDimensions", "locale", "timeZone",
	"userAgent", "platform", "deviceCapabilities", "safeAreaInsets", "toolInfo",
}

// Validate returns an error for the first value for which views would reject the
// whole context.
func (c HostContext) Validate() error {
	if c.Theme != "" && c.Theme != ThemeLight && c.Theme != ThemeDark {
		return fmt.Errorf("theme is %q: it must be %q or %q", c.Theme, ThemeLight, ThemeDark)
	}
	if c.DisplayMode != "" && !c.DisplayMode.valid() {
		return fmt.Errorf("displayMode is %q: it must be %q, %q or %q", c.DisplayMode, DisplayInline, DisplayFullscreen, DisplayPIP)
	}
	for i, m := range c.AvailableDisplayModes {
		if !m.valid() {
			return fmt.Errorf("availableDisplayModes[%d] is %q: it must be %q, %q or %q", i, m, DisplayInline, DisplayFullscreen, DisplayPIP)
		}
	}
	switch c.Platform {
	case "", "web", "desktop", "mobile":
	default:
		return fmt.Errorf("platform is %q: it must be \"web\", \"desktop\" or \"mobile\"", c.Platform)
	}
	if c.Styles != nil {
		for name := range c.Styles.Variables {
			if !IsStyleVariable(name) {
				return fmt.Errorf("styles.variables has %q, which is not on the specification's list: views reject the whole context for it", name)
			}
		}
	}
	if d := c.ContainerDimensions; d != nil && (d.Width < 0 || d.MaxWidth < 0 || d.Height < 0 || d.MaxHeight < 0) {
		return fmt.Errorf("containerDimensions has a negative size: leave out what is not bounded")
	}
	for _, k := range slices.Sorted(maps.Keys(c.Extra)) {
		if slices.Contains(contextKeys, k) {
			return fmt.Errorf("the context's Extra[%q] is a key that this package knows: set the field instead", k)
		}
		if _, err := json.Marshal(c.Extra[k]); err != nil {
			return fmt.Errorf("the context's Extra[%q] can't be encoded as JSON: %w", k, err)
		}
	}
	return nil
}

// fields returns the context's keys with their JSON. Changes are found and sent by
// key.
func (c HostContext) fields() (map[string]json.RawMessage, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(mustJSON(c), &m); err != nil {
		return nil, err
	}
	for k, v := range c.Extra {
		m[k] = mustJSON(v)
	}
	return m, nil
}

// toolInfo returns the part of the context about the tool that opened the view, nil
// for a tool whose schemas do not have the type "object": views reject the whole
// handshake for one.
func toolInfo(tool *mcp.Tool, raw json.RawMessage) json.RawMessage {
	if tool == nil {
		return nil
	}
	if raw == nil {
		var err error
		if raw, err = json.Marshal(tool); err != nil {
			return nil
		}
	}
	type schema struct {
		Type any `json:"type"`
	}
	var t struct {
		InputSchema  *schema         `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if json.Unmarshal(raw, &t) != nil || t.InputSchema == nil || t.InputSchema.Type != "object" {
		return nil
	}
	if t.OutputSchema != nil {
		var out *schema
		if json.Unmarshal(t.OutputSchema, &out) != nil || out == nil || out.Type != "object" {
			return nil
		}
	}
	return slices.Concat(json.RawMessage(`{"tool":`), raw, json.RawMessage(`}`))
}

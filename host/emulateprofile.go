package host

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
)

// Emulate returns the emulation of a host from what is known of it, nil for nil. Of
// each fact the first claim counts, also if it holds under a condition only. Where it
// is unknown, the bridge behaves as without an emulation.
//
// A host that honours a part of the declared frames or base URIs, as it decides
// ([compat.Restricted]), is emulated as one that honours none: hosts refuse them by
// default. Other restricted facts are not emulated. A result that is longer than the
// host passes on becomes a text that says so.
func Emulate(p *compat.Profile) *Emulation {
	if p == nil {
		return nil
	}
	m := &emulationMaker{e: &Emulation{}, emulated: map[string]bool{}}
	m.e.HostInfo = &mcp.Implementation{Name: p.ID, Title: p.Name, Version: p.Version}
	if p.Version == "" {
		m.e.HostInfo.Version = "unknown" // views require a string
	}
	m.presentation(p)
	m.delivery(p)
	m.requests(p)
	m.declaration(p)
	for _, row := range p.Rows() {
		switch {
		case row.Value == "":
			m.e.Unknown = append(m.e.Unknown, row.Key)
		case m.emulated[row.Key]:
			m.e.Emulated = append(m.e.Emulated, row.Key)
		default:
			m.e.NotShown = append(m.e.NotShown, row.Key)
		}
	}
	return m.e
}

type emulationMaker struct {
	e        *Emulation
	emulated map[string]bool // by the key of a fact
}

// known returns the value of a fact, and marks the fact as emulated if it has one.
func known[T any](m *emulationMaker, key string, f compat.Fact[T]) (T, bool) {
	v, ok := f.Value()
	if ok {
		m.emulated[key] = true
	}
	return v, ok
}

// presentation sets how the host shows views, and what it tells them of it.
func (m *emulationMaker) presentation(p *compat.Profile) {
	if shows, ok := known(m, "showsApps", p.ShowsApps); ok {
		m.e.NoApps = !shows
	}
	c := &m.e.Context
	if modes, ok := known(m, "displayModes", p.DisplayModes); ok {
		c.AvailableDisplayModes = []DisplayMode{}
		for _, mode := range modes {
			if DisplayMode(mode).valid() {
				c.AvailableDisplayModes = append(c.AvailableDisplayModes, DisplayMode(mode))
			}
		}
	}
	if s, ok := known(m, "size", p.Size); ok {
		c.ContainerDimensions = &Dimensions{Width: max(s.Width, 0), MaxWidth: max(s.MaxWidth, 0), Height: max(s.Height, 0), MaxHeight: max(s.MaxHeight, 0)}
	}
	if platform, ok := p.Platform.Value(); ok && (HostContext{Platform: platform}).Validate() == nil {
		c.Platform, m.emulated["platform"] = platform, true
	}
	if v, ok := p.Engine.Value(); ok && v == compat.Chromium {
		m.emulated["engine"] = true
	}
}

// delivery sets what a view receives.
func (m *emulationMaker) delivery(p *compat.Profile) {
	if partial, ok := known(m, "partialInput", p.PartialInput); ok {
		m.e.PartialInput = partial
		if !partial {
			m.e.Hold = append(m.e.Hold, "ui/notifications/tool-input-partial")
		}
	}
	m.sends("cancelled", p.Cancelled, "ui/notifications/tool-cancelled")
	m.sends("contextChanged", p.ContextChanged, "ui/notifications/host-context-changed")
	m.sends("teardown", p.Teardown, "ui/resource-teardown")
	if info, ok := known(m, "toolInfo", p.ToolInfo); ok {
		m.e.OmitToolInfo = !info
	}
	part, _ := known(m, "result", p.Result)
	limit, _ := known(m, "resultLimit", p.ResultLimit)
	reload, _ := known(m, "reload", p.Reload)
	if part != "" && part != compat.ResultWhole || limit > 0 || reload != "" && reload != compat.ReloadWhole {
		m.e.Result = func(result json.RawMessage, load int) json.RawMessage {
			if load > 0 {
				switch reload {
				case compat.ReloadEmptied:
					return json.RawMessage(emptyResult)
				case compat.ReloadNoResult, compat.ReloadNothing:
					return nil
				}
			}
			return stripResult(cutResult(result, limit), part)
		}
	}
	if reload == compat.ReloadNothing {
		m.e.Input = func(args json.RawMessage, load int) json.RawMessage {
			if load > 0 {
				return nil
			}
			return args
		}
	}
	if seconds, ok := known(m, "callTimeout", p.CallTimeout); ok && seconds > 0 {
		m.e.CallTimeout = time.Duration(seconds) * time.Second
	}
}

func (m *emulationMaker) sends(key string, f compat.Fact[bool], method string) {
	if sends, ok := known(m, key, f); ok && !sends {
		m.e.Hold = append(m.e.Hold, method)
	}
}

// cutResult returns what arrives of a result with more characters than a host passes
// on; 0 means any number.
func cutResult(result json.RawMessage, limit int) json.RawMessage {
	n := utf8.RuneCount(result)
	if limit <= 0 || n <= limit {
		return result
	}
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	return mustJSON(map[string][]block{"content": {{"text", fmt.Sprintf(
		"The result has %d characters. This host passes on at most %d: the result is in a file.", n, limit)}}})
}

// emptyResult is a result without content and data.
const emptyResult = `{"content":[]}`

// stripResult returns a result without the members that a host drops.
func stripResult(result json.RawMessage, part compat.Result) json.RawMessage {
	switch part {
	case compat.ResultWithoutMeta, compat.ResultContentOnly:
	case compat.ResultEmpty:
		return json.RawMessage(emptyResult)
	default:
		return result
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(result, &fields) != nil {
		return result
	}
	delete(fields, "_meta")
	if part == compat.ResultContentOnly {
		delete(fields, "structuredContent")
	}
	return mustJSON(fields)
}

// requests sets what a view can ask for.
func (m *emulationMaker) requests(p *compat.Profile) {
	m.supports("openLink", p.OpenLink, "openLinks", "ui/open-link")
	m.supports("message", p.Message, "message", "ui/message")
	m.supports("updateModelContext", p.UpdateModelContext, "updateModelContext", "ui/update-model-context")
	m.supports("downloadFile", p.DownloadFile, "downloadFile", "ui/download-file")
	m.supports("requestTeardown", p.RequestTeardown, "", "ui/notifications/request-teardown")
	if m.supports("serverTools", p.ServerTools, "serverTools", "tools/call", "tools/list") {
		m.e.Hold = append(m.e.Hold, "notifications/tools/list_changed")
	}
	if m.supports("serverResources", p.ServerResources, "serverResources", "resources/read", "resources/list", "resources/templates/list") {
		m.e.Hold = append(m.e.Hold, "notifications/resources/list_changed")
	}
	if m.supports("appTools", p.AppTools, "", "notifications/tools/list_changed") {
		m.e.Hold = append(m.e.Hold, "tools/list", "tools/call")
	}
}

// supports sets how the host treats methods of the view and the capability that
// announces them, and reports whether it does not know them.
func (m *emulationMaker) supports(key string, f compat.Fact[compat.Support], capability string, methods ...string) (missing bool) {
	v, ok := f.Value()
	if !ok || v == compat.Restricted {
		return false
	}
	m.emulated[key] = true
	if capability != "" && (v == compat.No || v == compat.Unadvertised) {
		m.e.Hide = append(m.e.Hide, capability)
	}
	switch v {
	case compat.No:
		m.e.Missing = append(m.e.Missing, methods...)
	case compat.Refused:
		m.e.Refuse = append(m.e.Refuse, methods...)
	}
	return v == compat.No
}

// declaration sets what the host honours of the metadata.
func (m *emulationMaker) declaration(p *compat.Profile) {
	dropConnect := m.drops("connectDomains", p.ConnectDomains, false)
	dropResource := m.drops("resourceDomains", p.ResourceDomains, false)
	dropFrame := m.drops("frameDomains", p.FrameDomains, true)
	dropBaseURI := m.drops("baseUriDomains", p.BaseURIDomains, true)
	granted, grants := known(m, "permissions", p.Permissions)
	denied, denies := known(m, "permissionsDenied", p.PermissionsDenied)
	allows := func(name string) bool {
		if grants {
			return slices.Contains(granted, name)
		}
		return !slices.Contains(denied, name)
	}
	border, borderKnown := known(m, "prefersBorder", p.PrefersBorder)
	if limit, ok := known(m, "documentLimit", p.DocumentLimit); ok && limit > 0 {
		m.e.DocumentBytes = int64(limit)
	}
	granted, denied = slices.Clone(granted), slices.Clone(denied)
	m.e.UI = func(ui mcpapps.ResourceUIMetadata) mcpapps.ResourceUIMetadata {
		if ui.CSP != nil {
			csp := *ui.CSP
			for _, field := range []struct {
				dropped bool
				domains *[]string
			}{{dropConnect, &csp.ConnectDomains}, {dropResource, &csp.ResourceDomains}, {dropFrame, &csp.FrameDomains}, {dropBaseURI, &csp.BaseURIDomains}} {
				if field.dropped {
					*field.domains = nil
				}
			}
			ui.CSP = &csp
		}
		if ui.Permissions != nil && (grants || denies) {
			asked := *ui.Permissions
			asked.Camera = asked.Camera && allows("camera")
			asked.Microphone = asked.Microphone && allows("microphone")
			asked.Geolocation = asked.Geolocation && allows("geolocation")
			asked.ClipboardWrite = asked.ClipboardWrite && allows("clipboardWrite")
			ui.Permissions = &asked
		}
		if borderKnown && !border {
			ui.PrefersBorder = nil
		}
		return ui
	}
}

// drops reports whether a host ignores a field of the CSP. restricted says whether
// that holds for one that it honours for some views only.
func (m *emulationMaker) drops(key string, f compat.Fact[compat.Support], restricted bool) bool {
	v, ok := f.Value()
	if !ok || v == compat.Restricted && !restricted {
		return false
	}
	m.emulated[key] = true
	return v == compat.No || v == compat.Refused || v == compat.Restricted
}

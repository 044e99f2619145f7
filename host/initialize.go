package host

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps"
)

// initialize answers ui/initialize. A document that loads again sends it again, so
// every one is answered. The bridge then waits for the initialized notification.
func (b *Bridge) initialize(params json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
	app, rpcErr := decodeInitialize(params)
	if rpcErr != nil {
		return nil, rpcErr
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == phaseGreeted {
		b.firstLoad++ // the same document once more, to which nothing was sent yet
	}
	if b.phase < phaseClosing {
		b.phase = phaseGreeted
	}
	b.app = app
	b.load++
	if !b.proxyAsked {
		b.documents = 0 // there is no proxy
	}
	b.delivery.restart()
	b.ctxKnown = maps.Clone(b.ctxNow)
	return mustJSON(map[string]any{
		"protocolVersion":  mcpapps.SpecVersion,
		"hostInfo":         b.opts.HostInfo,
		"hostCapabilities": b.capabilities(),
		"hostContext":      b.ctxKnown,
	}), nil
}

func decodeInitialize(params json.RawMessage) (AppInfo, *jsonrpc.Error) {
	var p struct {
		AppInfo         json.RawMessage `json:"appInfo"`
		AppCapabilities json.RawMessage `json:"appCapabilities"`
		ProtocolVersion any             `json:"protocolVersion"`
	}
	const method = "ui/initialize"
	var app AppInfo
	if err := unmarshalParams(params, &p); err != nil {
		return app, invalidParams("%s: %v", method, err)
	}
	if p.AppInfo == nil {
		return app, invalidParams("%s: appInfo is missing: it must be an object with a name and a version%s", method, aliasHint(params, "clientInfo"))
	}
	var info struct{ Name, Version *string }
	if err := json.Unmarshal(p.AppInfo, &info); err != nil || info.Name == nil || info.Version == nil {
		return app, invalidParams("%s: appInfo must be an object with a name and a version, both strings, not %s", method, clip(p.AppInfo))
	}
	if err := json.Unmarshal(p.AppInfo, &app.Info); err != nil {
		return app, invalidParams("%s: appInfo: %v", method, err)
	}
	if !isObject(p.AppCapabilities) {
		return app, invalidParams("%s: appCapabilities must be an object, not %s%s", method, clip(p.AppCapabilities), aliasHint(params, "capabilities"))
	}
	version, ok := p.ProtocolVersion.(string)
	if !ok {
		return app, invalidParams("%s: protocolVersion must be a string, such as %q", method, mcpapps.SpecVersion)
	}
	var caps struct {
		Tools                 *struct{ ListChanged bool } `json:"tools"`
		AvailableDisplayModes []DisplayMode               `json:"availableDisplayModes"`
	}
	if err := json.Unmarshal(p.AppCapabilities, &caps); err != nil {
		return app, invalidParams("%s: appCapabilities: %v", method, err)
	}
	for i, m := range caps.AvailableDisplayModes {
		if !m.valid() {
			return app, invalidParams("%s: appCapabilities.availableDisplayModes[%d] is %q: it must be \"inline\", \"fullscreen\" or \"pip\"", method, i, string(m))
		}
	}
	app.ProtocolVersion = version
	app.AvailableDisplayModes = caps.AvailableDisplayModes
	app.Tools = caps.Tools != nil
	app.ToolsListChanged = caps.Tools != nil && caps.Tools.ListChanged
	app.Capabilities = p.AppCapabilities
	return app, nil
}

// aliasHint names the mistake of authors who used the core protocol's names, as an
// example in the specification does.
func aliasHint(params json.RawMessage, alias string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(params, &m) == nil && m[alias] != nil {
		return fmt.Sprintf(" (%s is the name in the core protocol's initialize)", alias)
	}
	return ""
}

// initialized sends what waited until the view was initialized.
func (b *Bridge) initialized() {
	b.mu.Lock()
	if b.phase != phaseGreeted {
		early := b.phase == phaseNew
		b.mu.Unlock()
		if early {
			b.note(LevelWarning, NoteOrder, "ui/notifications/initialized before ui/initialize: ignored")
		}
		return
	}
	b.phase = phaseReady
	b.sendContextChanges()
	b.deliver()
	b.unlock()
	if b.opts.Ready != nil {
		b.opts.Ready()
	}
}

// capabilities returns what the host can do for this view: what it has a callback
// for, and what the server supports.
func (b *Bridge) capabilities() map[string]any {
	type flag = struct{}
	caps := map[string]any{}
	o := &b.opts
	if o.OpenLink != nil {
		caps["openLinks"] = flag{}
	}
	if o.Download != nil {
		caps["downloadFile"] = flag{}
	}
	if o.Log != nil {
		caps["logging"] = flag{}
	}
	blocks := map[string]any{"text": flag{}, "image": flag{}, "audio": flag{}, "resource": flag{}, "resourceLink": flag{}}
	if o.Message != nil {
		caps["message"] = blocks
	}
	if o.UpdateModelContext != nil {
		c := maps.Clone(blocks)
		c["structuredContent"] = flag{}
		caps["updateModelContext"] = c
	}
	if o.Sample != nil {
		caps["sampling"] = map[string]any{"tools": flag{}}
	}
	if tools, resources := b.link.features(); tools != nil || resources != nil {
		if tools != nil {
			caps["serverTools"] = tools
		}
		if resources != nil {
			caps["serverResources"] = resources
		}
	}
	if o.App != nil {
		if s := sandboxCapability(o.App.UI); len(s) > 0 {
			caps["sandbox"] = s
		}
	}
	if len(o.Experimental) > 0 {
		caps["experimental"] = o.Experimental
	}
	if b.emulation != nil {
		for _, name := range b.emulation.Hide {
			delete(caps, name)
		}
	}
	return caps
}

// sandboxCapability tells the view the policy that it was given. Views validate it
// strictly, so it holds only keys of the specification.
func sandboxCapability(ui mcpapps.ResourceUIMetadata) map[string]any {
	s := map[string]any{}
	if ui.CSP != nil {
		c := *ui.CSP
		c.Extra = nil
		s["csp"] = c
	}
	if ui.Permissions != nil {
		p := *ui.Permissions
		p.Extra = nil
		s["permissions"] = p
	}
	return s
}

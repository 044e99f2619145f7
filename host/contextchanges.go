package host

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// SetContext replaces the whole context of the view: to change one field, change it
// in the result of [Bridge.Context]. The view is told what changed, once it is
// ready. The protocol has no way to remove a field, so a field that is now zero
// keeps its old value in the view. A change to a display mode that the view did
// not declare is an error, as in [Bridge.SetDisplayMode].
func (b *Bridge) SetContext(c HostContext) error {
	c = b.emulation.context(c)
	fields, err := c.fields()
	if err != nil {
		return err
	}
	b.mu.Lock()
	if err := b.open(); err != nil {
		b.mu.Unlock()
		return err
	}
	declared, shown := b.app.AvailableDisplayModes, b.opts.Context.DisplayMode
	if shown == "" {
		shown = DisplayInline
	}
	if m := c.DisplayMode; declared != nil && m != "" && m != shown && !slices.Contains(declared, m) {
		b.mu.Unlock()
		return undeclared(declared, m)
	}
	if info := b.ctxNow["toolInfo"]; info != nil {
		fields["toolInfo"] = info
	}
	b.opts.Context = c.clone()
	b.ctxNow = fields
	b.sendContextChanges()
	b.unlock()
	return nil
}

// Context returns a copy of the view's current context.
func (b *Bridge) Context() HostContext {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.opts.Context.clone()
}

// clone copies everything that a program may change in a context. The values in
// Extra are shared.
func (c HostContext) clone() HostContext {
	c.AvailableDisplayModes = slices.Clone(c.AvailableDisplayModes)
	c.ContainerDimensions = cloneOf(c.ContainerDimensions)
	c.DeviceCapabilities = cloneOf(c.DeviceCapabilities)
	c.SafeAreaInsets = cloneOf(c.SafeAreaInsets)
	c.Extra = maps.Clone(c.Extra)
	if c.Styles = cloneOf(c.Styles); c.Styles != nil {
		c.Styles.Variables = maps.Clone(c.Styles.Variables)
		c.Styles.CSS = cloneOf(c.Styles.CSS)
	}
	return c
}

func cloneOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// sendContextChanges posts the fields that the view does not know yet. b.mu is held.
func (b *Bridge) sendContextChanges() {
	if b.phase != phaseReady {
		return
	}
	diff := changes(b.ctxKnown, b.ctxNow)
	if diff == nil {
		return
	}
	for k, v := range diff {
		b.ctxKnown[k] = v
	}
	b.notify("ui/notifications/host-context-changed", mustJSON(diff))
}

// changes returns the fields of now that are not in known or differ there. The
// protocol has no way to remove a field.
func changes(known, now map[string]json.RawMessage) map[string]json.RawMessage {
	var diff map[string]json.RawMessage
	for k, v := range now {
		if old, ok := known[k]; !ok || !bytes.Equal(old, v) {
			if diff == nil {
				diff = make(map[string]json.RawMessage)
			}
			diff[k] = v
		}
	}
	return diff
}

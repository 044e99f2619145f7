package preview

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// message shows a message that the view adds to the conversation. Where the host has
// OpenAI's options, it may be the draft of one, or for a new conversation.
func (v *view) message(m *host.ViewMessage) error {
	fields := map[string]any{"content": m.Raw}
	if asked, ok := m.Meta[metakey.OpenAIMessage]; ok && hasEntrypoints(v.entry.profile) {
		target, send, err := messageOptions(asked)
		if err != nil {
			return err
		}
		fields["target"], fields["draft"] = target, !send
	}
	v.showAction("message", fields)
	return nil
}

// messageOptions reads the value of _meta["openai/message"] of a ui/message.
func messageOptions(v any) (target string, send bool, err error) {
	target, send = "active", true
	options, ok := v.(map[string]any)
	if !ok {
		return "", false, fmt.Errorf("_meta[%q] must be an object", metakey.OpenAIMessage)
	}
	for key, value := range options {
		ok := true
		switch key {
		case "target":
			target, ok = value.(string)
			ok = ok && (target == "active" || target == "new")
		case "send":
			send, ok = value.(bool)
		default:
			return "", false, fmt.Errorf("_meta[%q] has the unknown key %q: its keys are target and send", metakey.OpenAIMessage, text.Shorten(key, 80))
		}
		if !ok {
			return "", false, fmt.Errorf("_meta[%q] has a wrong %s: target is \"active\" or \"new\", and send true or false", metakey.OpenAIMessage, key)
		}
	}
	return target, send, nil
}

// A modelContext is what a view has told the model. view.mu guards it.
type modelContext struct {
	updates int
	id      string // of the last update, "" before
	removed bool
	params  json.RawMessage
}

// updateContext shows what the view tells the model. Where the host has OpenAI's layer, the
// answer has the id of the update, by which the user removes it.
func (v *view) updateContext(m *host.ModelContext) {
	fields := map[string]any{"params": m.Raw}
	if hasEntrypoints(v.entry.profile) {
		v.mu.Lock()
		c := &v.modelContext
		c.updates++
		c.id, c.removed, c.params = fmt.Sprintf("update-%d", c.updates), false, m.Raw
		fields["updateId"] = c.id
		m.AnswerMeta = map[string]any{metakey.OpenAIModelContext: map[string]any{"updateId": c.id}}
		v.mu.Unlock()
	}
	v.showAction("context", fields)
}

// modelState returns what the host context says of the view's model context: nil once it
// was removed. known is false before the view gave one.
func (v *view) modelState() (state any, known bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := &v.modelContext
	if c.id == "" || c.removed {
		return nil, c.id != ""
	}
	var given struct {
		Content           json.RawMessage `json:"content,omitempty"`
		StructuredContent json.RawMessage `json:"structuredContent,omitempty"`
		UpdateID          string          `json:"updateId"`
	}
	_ = json.Unmarshal(c.params, &given) // the bridge has read it
	given.UpdateID = c.id
	return given, true
}

// removeContext removes an update, as the user of ChatGPT can. An update that another one
// has replaced stays as it is.
func (v *view) removeContext(id string) error {
	v.mu.Lock()
	c := &v.modelContext
	current := id != "" && c.id == id
	if current {
		c.removed = true
	}
	v.mu.Unlock()
	if !current {
		return errors.New("the view has told the model something else since")
	}
	return v.bridge.SetContext(v.context(v.bridge.Context()))
}

package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resultOrToolError answers open-link, message and download-file: {} or, with an
// error, {"isError":true}, as the reference host does and views expect. The reason
// goes into a note.
func (b *Bridge) resultOrToolError(method string, err error) (json.RawMessage, error) {
	if err == nil {
		return emptyObject, nil
	}
	b.note(LevelWarning, NoteDeclined, fmt.Sprintf("%s declined: %v", method, err))
	return json.RawMessage(`{"isError":true}`), nil
}

func (b *Bridge) addMessage(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if b.opts.Message == nil {
		return nil, unsupported(in.method)
	}
	var p struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Meta    json.RawMessage `json:"_meta"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("ui/message: %v", err)
	}
	if p.Role != "user" {
		return nil, invalidParams("ui/message: role must be \"user\", not %q", p.Role)
	}
	if isObject(p.Content) { // the specification's form; the reference package sends an array
		p.Content = slices.Concat(json.RawMessage("["), p.Content, json.RawMessage("]"))
	}
	content, err := decodeContent(p.Content)
	if err != nil {
		return nil, invalidParams("ui/message: %v", err)
	}
	if len(content) == 0 {
		return nil, invalidParams("ui/message: content is missing or empty")
	}
	m := &ViewMessage{Role: p.Role, Content: content, Raw: p.Content}
	_ = json.Unmarshal(p.Meta, &m.Meta) // ignores an invalid one
	return b.resultOrToolError(in.method, b.opts.Message(ctx, m))
}

func (b *Bridge) updateModelContext(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if b.opts.UpdateModelContext == nil {
		return nil, unsupported(in.method)
	}
	var p struct {
		Content           json.RawMessage `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("ui/update-model-context: %v", err)
	}
	if p.StructuredContent != nil && !isObject(p.StructuredContent) {
		return nil, invalidParams("ui/update-model-context: structuredContent must be an object, not %s", clip(p.StructuredContent))
	}
	content, err := decodeContent(p.Content)
	if err != nil {
		return nil, invalidParams("ui/update-model-context: %v", err)
	}
	c := &ModelContext{Content: content, StructuredContent: p.StructuredContent, Raw: in.params}
	if err := b.opts.UpdateModelContext(ctx, c); err != nil {
		return nil, asDenied(err) // views take only {}, perhaps with _meta, for success here
	}
	b.mu.Lock()
	b.modelContext = c
	b.mu.Unlock()
	if len(c.AnswerMeta) == 0 {
		return emptyObject, nil
	}
	answer, err := json.Marshal(map[string]mcp.Meta{"_meta": c.AnswerMeta})
	if err != nil {
		return nil, fmt.Errorf("the host's UpdateModelContext callback set an AnswerMeta that can't be encoded as JSON: %w", err)
	}
	return answer, nil
}

// ModelContext returns the last model context that the view gave and the program
// accepted, nil if there is none. It replaces all earlier ones.
func (b *Bridge) ModelContext() *ModelContext {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.modelContext
}

func (b *Bridge) requestDisplayMode(ctx context.Context, in *incoming) (json.RawMessage, error) {
	var p struct {
		Mode DisplayMode `json:"mode"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("ui/request-display-mode: %v", err)
	}
	if !p.Mode.valid() {
		return nil, invalidParams("ui/request-display-mode: mode must be \"inline\", \"fullscreen\" or \"pip\", not %q", string(p.Mode))
	}
	b.mu.Lock()
	offered := b.opts.Context.AvailableDisplayModes
	declared := b.app.AvailableDisplayModes
	current := b.opts.Context.DisplayMode
	b.mu.Unlock()
	if current == "" {
		current = DisplayInline
	}
	mode := current
	switch {
	case b.opts.DisplayMode == nil || !slices.Contains(offered, p.Mode):
		b.note(LevelInfo, NoteDeclined, fmt.Sprintf("display mode %q is not offered: the view stays %q", p.Mode, current))
	case declared != nil && !slices.Contains(declared, p.Mode):
		b.note(LevelWarning, NoteDeclined, fmt.Sprintf("display mode %q is not among the view's availableDisplayModes: it stays %q", p.Mode, current))
	default:
		// In every case the view is told the mode that it is in.
		switch got, err := b.opts.DisplayMode(ctx, p.Mode); {
		case err != nil:
			b.note(LevelWarning, NoteDeclined, fmt.Sprintf("display mode %q declined: %v", p.Mode, err))
		case !got.valid():
			b.note(LevelError, NoteProgram, fmt.Sprintf("the host's DisplayMode callback returned %q, which is not a display mode", string(got)))
		case declared != nil && !slices.Contains(declared, got):
			b.note(LevelError, NoteProgram, fmt.Sprintf("the host's DisplayMode callback returned %q, which is not among the view's availableDisplayModes", string(got)))
		default:
			mode = got
			b.setDisplayMode(mode)
		}
	}
	return mustJSON(map[string]DisplayMode{"mode": mode}), nil
}

func (b *Bridge) setDisplayMode(mode DisplayMode) {
	b.mu.Lock()
	b.opts.Context.DisplayMode = mode
	b.ctxNow["displayMode"] = mustJSON(mode)
	b.sendContextChanges()
	b.unlock()
}

// SetDisplayMode tells the view that it is now shown in another mode, because the
// user chose it. It fails if the view declared its modes and mode is not one of
// them.
func (b *Bridge) SetDisplayMode(mode DisplayMode) error {
	if !mode.valid() {
		return fmt.Errorf("display mode %q: it must be %q, %q or %q", string(mode), DisplayInline, DisplayFullscreen, DisplayPIP)
	}
	b.mu.Lock()
	declared, err := b.app.AvailableDisplayModes, b.open()
	b.mu.Unlock()
	if err != nil {
		return err
	}
	if declared != nil && !slices.Contains(declared, mode) {
		return undeclared(declared, mode)
	}
	b.setDisplayMode(mode)
	return nil
}

func undeclared(declared []DisplayMode, mode DisplayMode) error {
	return fmt.Errorf("the view declared the display modes %q, and %q is not among them", declared, mode)
}

func (b *Bridge) sample(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if b.opts.Sample == nil {
		return nil, unsupported(in.method)
	}
	var p struct {
		Messages  []json.RawMessage `json:"messages"`
		MaxTokens *float64          `json:"maxTokens"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("sampling/createMessage: %v", err)
	}
	if p.Messages == nil || p.MaxTokens == nil {
		return nil, invalidParams("sampling/createMessage: messages and maxTokens are required")
	}
	result, err := b.opts.Sample(ctx, in.params)
	if err != nil {
		return nil, asDenied(err)
	}
	if !isObject(result) || !json.Valid(result) {
		return nil, errors.New("the host's Sample callback did not return a JSON object")
	}
	return result, nil
}

// maxContentBlocks bounds the content of one message: the SDK takes 11 kB for each
// block, and a message has room for 100,000.
const maxContentBlocks = 1000

// decodeContent decodes content blocks into the SDK's types. Its errors name the
// block.
func decodeContent(raw json.RawMessage) ([]mcp.Content, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if elements(raw, maxContentBlocks) > maxContentBlocks {
		return nil, fmt.Errorf("content has more than %d blocks", maxContentBlocks)
	}
	var blocks []json.RawMessage
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return nil, fmt.Errorf("content must be an array of content blocks, not %s", clip(raw))
	}
	content := make([]mcp.Content, 0, len(blocks))
	for i, block := range blocks {
		var r mcp.CallToolResult
		if err := json.Unmarshal(slices.Concat(json.RawMessage(`{"content":[`), block, json.RawMessage(`]}`)), &r); err != nil || len(r.Content) != 1 || r.Content[0] == nil {
			return nil, fmt.Errorf("content[%d] is not a content block: %s", i, strings.TrimSpace(clip(block)))
		}
		content = append(content, r.Content[0])
	}
	return content, nil
}

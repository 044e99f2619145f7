package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A ToolUI is what ChatGPT reads of a tool in addition to what MCP Apps define.
type ToolUI struct {
	// Entrypoints are the places from which users open the tool's view. An app may have
	// three in all. Without one only the model opens the view. Entrypoints ignore the
	// visibility of the tool, so it may be visible to the view alone.
	Entrypoints []Entrypoint
	// PreferredModelDisplayMode is the mode in which the view starts if the model called
	// the tool. "" leaves it to ChatGPT. It is in OpenAI's SDKs, and not in its
	// specification.
	PreferredModelDisplayMode DisplayMode
	// MonochromeIcon says that the tool's icons have a single color, which the client may
	// replace by its own. OpenAI's samples use it; it is not documented.
	MonochromeIcon bool
	// Invoking is shown while the tool runs, and Invoked after that. Each has at most 64
	// characters; "" leaves it to ChatGPT.
	Invoking, Invoked string
}

// An Entrypoint is a place from which users open a view: see [Global], [Thread] and
// [File].
type Entrypoint struct {
	kind        string
	extensions  []string
	quickAction *QuickAction
}

// A QuickAction is a shortcut beside a global entrypoint, which calls a tool of the same
// server. It is in OpenAI's SDKs, and not in its specification.
type QuickAction struct {
	Title string
	Icons []mcp.Icon // at least one
	// Tool is registered before or after this one, so whether it exists is not known here:
	// package check finds it.
	Tool      string
	Arguments map[string]any // nil for none
}

// Global puts the view in the sidebar. The tool is called with {}. The shortcut may be
// nil, and is not changed.
func Global(shortcut *QuickAction) Entrypoint {
	return Entrypoint{kind: "global", quickAction: shortcut}
}

// Thread puts the view in a tab of each thread, with one instance per thread. The tool is
// called with {}.
func Thread() Entrypoint { return Entrypoint{kind: "thread"} }

// File opens the view for files with the given extensions, such as ".note". The tool's
// input has a property "file" of type [OpenedFile], and all others are optional. Only
// ChatGPT's desktop application has this entrypoint.
func File(extensions ...string) Entrypoint {
	return Entrypoint{kind: "file", extensions: extensions}
}

// generic returns the entrypoint as JSON.
func (e Entrypoint) generic() map[string]any {
	m := map[string]any{"type": e.kind}
	if e.kind == "file" {
		extensions := make([]any, len(e.extensions))
		for i, ext := range e.extensions {
			extensions[i] = ext
		}
		m["extensions"] = extensions
	}
	if q := e.quickAction; q != nil {
		icons := make([]any, len(q.Icons))
		for i, icon := range q.Icons {
			icons[i] = jsonvalue.Clone(icon)
		}
		target := map[string]any{"type": "tool", "name": q.Tool}
		if q.Arguments != nil {
			target["arguments"] = jsonvalue.Clone(q.Arguments)
		}
		m["quickAction"] = map[string]any{"title": q.Title, "icons": icons, "target": target}
	}
	return m
}

// A DisplayMode is a mode in which ChatGPT shows a view.
type DisplayMode string

// The modes of ChatGPT.
const (
	Inline     DisplayMode = "inline"
	Fullscreen DisplayMode = "fullscreen"
)

// Tool returns a copy of a tool with the declaration in its Meta, to be registered by any
// function that registers tools, such as mcpapps.RegisterApp. In is the input type of the
// tool's handler. If it has fields of type [OpenedFile] or [UploadedFile] and t has no
// input schema, Tool sets the schema that ChatGPT requires for them; the arguments of type
// UploadedFile, []UploadedFile or *UploadedFile are declared as files (openai/fileParams).
// The schema is shared by all tools with the same input type and must not be changed.
//
// ChatGPT requires three annotations: set Annotations with DestructiveHint and
// OpenWorldHint. ReadOnlyHint is part of the list even if it is false.
//
// Tool panics if one is missing, if t is nil, if Meta has a key that the declaration sets,
// if the tool does not accept the arguments with which its entrypoints call it, and if the
// declaration has a mistake for which clients reject or ignore it.
func Tool[In any](t *mcp.Tool, ui ToolUI) *mcp.Tool {
	if t == nil {
		panic("openai.Tool: the tool is nil")
	}
	in := inputOf(reflect.TypeFor[In]())
	if in.err != nil && t.InputSchema == nil {
		panic(fmt.Sprintf("openai.Tool: tool %q: %v", t.Name, in.err))
	}
	tt, err := ui.declare(t, in)
	if err != nil {
		panic(fmt.Sprintf("openai.Tool: tool %q: %v", t.Name, err))
	}
	return tt
}

// Validate returns an error for the first mistake in the declaration of a tool, on which
// [Tool] would panic. It does not know the input type: without an input schema in t it
// does not check what the tool accepts.
func (ui ToolUI) Validate(t *mcp.Tool) error {
	if t == nil {
		return errors.New("the tool is nil")
	}
	_, err := ui.declare(t, &input{})
	return err
}

// declare returns a copy of t with the declaration.
func (ui ToolUI) declare(t *mcp.Tool, in *input) (*mcp.Tool, error) {
	tt := *t
	keys := ui.generic(in.files)
	var err error
	if tt.Meta, err = withKeys(t.Meta, keys); err != nil {
		return nil, err
	}
	if t.InputSchema == nil && in.own {
		tt.InputSchema = in.schema
	}
	if err := in.check(tt, t.InputSchema == nil); err != nil {
		return nil, inGo(err, ownPlaces(t, keys))
	}
	return &tt, nil
}

// check returns an error for the first mistake in a tool. If the tool has the schema of the
// input type, what a tool says beside it is checked once.
func (in *input) check(t mcp.Tool, inferred bool) error {
	var key []byte
	if inferred && in.schema != nil {
		// What no rule reads is left out of the key.
		t = mcp.Tool{Meta: t.Meta, Annotations: t.Annotations}
		var err error
		if key, err = json.Marshal(&t); err == nil && in.isCorrect(string(key)) {
			return nil
		}
		t.InputSchema = in.schema // as the SDK will infer it
	}
	entry, err := generic(&t)
	if err != nil {
		return err
	}
	for _, p := range openairules.Declaration(entry) {
		return p
	}
	if len(openairules.Annotations(entry)) > 0 {
		return missingAnnotations(t.Annotations)
	}
	if key != nil {
		in.addCorrect(string(key))
	}
	return nil
}

// missingAnnotations returns the error for a tool without all annotations that ChatGPT
// requires.
func missingAnnotations(a *mcp.ToolAnnotations) error {
	missing := "Annotations is nil"
	if a != nil {
		var names []string
		if a.DestructiveHint == nil {
			names = append(names, "DestructiveHint")
		}
		if a.OpenWorldHint == nil {
			names = append(names, "OpenWorldHint")
		}
		missing = "Annotations lacks " + strings.Join(names, " and ")
	}
	return errors.New(missing + ", and ChatGPT requires ReadOnlyHint, DestructiveHint and OpenWorldHint: " +
		"write Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: jsonschema.Ptr(false), OpenWorldHint: jsonschema.Ptr(false)}, " +
		"each with what is so for this tool")
}

// generic returns the keys that the declaration sets.
func (ui ToolUI) generic(files []string) map[string]any {
	m := make(map[string]any)
	shown := make(map[string]any)
	if ui.Entrypoints != nil {
		entrypoints := make([]any, len(ui.Entrypoints))
		for i, e := range ui.Entrypoints {
			entrypoints[i] = e.generic()
		}
		shown["entrypoints"] = entrypoints
	}
	if ui.PreferredModelDisplayMode != "" {
		shown["preferredModelDisplayMode"] = string(ui.PreferredModelDisplayMode)
	}
	if len(shown) > 0 {
		m[metakey.OpenAIUI] = shown
	}
	if ui.MonochromeIcon {
		m[metakey.OpenAIIconStyle] = "monochrome"
	}
	if ui.Invoking != "" {
		m[metakey.OpenAIInvoking] = ui.Invoking
	}
	if ui.Invoked != "" {
		m[metakey.OpenAIInvoked] = ui.Invoked
	}
	if len(files) > 0 {
		names := make([]any, len(files))
		for i, name := range files {
			names[i] = name
		}
		m[metakey.OpenAIFileParams] = names
	}
	return m
}

// withKeys returns a copy of the author's metadata with the keys of a declaration. It is
// nil if it would be empty.
func withKeys(author mcp.Meta, keys map[string]any) (mcp.Meta, error) {
	meta := make(mcp.Meta, len(author)+len(keys))
	for k, v := range author {
		meta[k] = jsonvalue.Clone(v)
	}
	for k, v := range keys {
		if _, ok := author[k]; ok {
			return nil, fmt.Errorf("its Meta has the key %q, which the declaration sets: leave it out of Meta", k)
		}
		meta[k] = v
	}
	if len(meta) == 0 {
		return nil, nil
	}
	return meta, nil
}

// generic returns what v is on the wire.
func generic(v any) (map[string]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("it can't be encoded as JSON: %w", err)
	}
	m, err := jsonvalue.Decode(data)
	object, _ := m.(map[string]any)
	return object, err
}

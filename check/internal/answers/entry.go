package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// A Tool is an entry of tools/list.
type Tool struct {
	Raw    json.RawMessage
	Object map[string]any
	Name   string
	Meta   map[string]any // nil if _meta is not an object
	// URI is the resource that hosts read for it, "" if it opens no view: see
	// [mcpapps.ToolUI].
	URI        string
	Model, App bool // who may call it: see [mcpapps.VisibleTo]
	// Entry is whether users open its view without arguments, from an entrypoint of
	// ChatGPT's, whoever else may call it.
	Entry bool
	// Ambiguous is whether the list has a different tool of the same name.
	Ambiguous bool
}

// ParseTool reads an entry of tools/list.
func ParseTool(raw json.RawMessage) (*Tool, error) {
	t := &Tool{Raw: raw}
	if err := json.Unmarshal(raw, &t.Object); err != nil || t.Object == nil {
		return nil, errors.New("it is not an object")
	}
	t.Name, _ = t.Object["name"].(string)
	if t.Name == "" {
		return nil, errors.New("it has no name")
	}
	if s, ok := t.Object["inputSchema"]; !ok || s == nil {
		return nil, errors.New("it has no inputSchema")
	}
	t.Meta, _ = t.Object["_meta"].(map[string]any)
	tool := &mcp.Tool{Name: t.Name, Meta: t.Meta}
	ui, _ := mcpapps.ToolUI(tool) // rules report its faults
	t.URI = ui.ResourceURI
	t.Model = mcpapps.VisibleTo(tool, mcpapps.VisibilityModel)
	t.App = mcpapps.VisibleTo(tool, mcpapps.VisibilityApp)
	if v, ok := t.Meta[metakey.OpenAIUI]; ok {
		openai, _ := openairules.ReadToolUI(v)
		t.Entry = slices.ContainsFunc(openai.Entrypoints, func(e openairules.ToolEntrypoint) bool { return e.Type != "file" })
	}
	return t, nil
}

// Named returns the strings that the tool's metadata names as its view's URI, valid
// or not, for hosts of MCP Apps and for those of the OpenAI Apps SDK.
func (t *Tool) Named() []string { return named(t.Meta) }

// Named returns the strings that the result's metadata names as its view's URI, valid
// or not. The specification has no such key; some hosts read it.
func (r *Result) Named() []string {
	meta, _ := r.Object["_meta"].(map[string]any)
	return named(meta)
}

// Spellings returns what the result's metadata names as its view under the two keys of
// MCP Apps, "" for what is not a string.
func (r *Result) Spellings() (nested, flat string) {
	meta, _ := r.Object["_meta"].(map[string]any)
	ui, _ := meta["ui"].(map[string]any)
	nested, _ = ui["resourceUri"].(string)
	flat, _ = meta[mcpapps.LegacyResourceURIKey].(string)
	return nested, flat
}

func named(meta map[string]any) []string {
	var uris []string
	ui, _ := meta["ui"].(map[string]any)
	for _, v := range []any{ui["resourceUri"], meta[mcpapps.LegacyResourceURIKey], meta[metakey.OpenAITemplate]} {
		if s, ok := v.(string); ok {
			uris = append(uris, s)
		}
	}
	return uris
}

// Opened reports whether the model or a user may call the tool, without a view.
func (t *Tool) Opened() bool { return t.Model || t.Entry }

// ForPolicy returns what the policy for calls needs to know of the tool.
func (t *Tool) ForPolicy() unasked.Tool {
	return unasked.Tool{Name: t.Name, Entry: t.Object, OpensView: t.URI != "", ForModel: t.Opened(), Ambiguous: t.Ambiguous}
}

// A Resource is an entry of resources/list.
type Resource struct {
	Object map[string]any
	URI    string
	Meta   map[string]any // nil if _meta is not an object
}

func parseResource(raw json.RawMessage) (*Resource, error) {
	r := &Resource{}
	if err := json.Unmarshal(raw, &r.Object); err != nil || r.Object == nil {
		return nil, errors.New("it is not an object")
	}
	uri, ok := r.Object["uri"].(string)
	if !ok {
		return nil, errors.New("it has no uri")
	}
	if _, ok := r.Object["name"].(string); !ok {
		return nil, errors.New("it has no name")
	}
	r.URI = uri
	r.Meta, _ = r.Object["_meta"].(map[string]any)
	return r, nil
}

// validEntry returns an error if a value of an entry has the wrong type. Null is always
// wrong: clients on the TypeScript SDK reject a list that has one. Metadata is not
// looked at, because it has rules of its own.
func validEntry(obj map[string]any, into any) error {
	for _, key := range optionalKeys {
		if v, ok := obj[key]; ok && v == nil {
			return fmt.Errorf("%s is null: leave it out", key)
		}
	}
	if hints, ok := obj["annotations"].(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(hints)) {
			if hints[key] == nil {
				return fmt.Errorf("annotations.%s is null: leave it out", key)
			}
		}
	}
	obj = maps.Clone(obj)
	delete(obj, "_meta")
	raw, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var te *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, into); errors.As(err, &te) {
		return fmt.Errorf("%s has the wrong type: it is a JSON %s", te.Field, te.Value)
	} else if err != nil {
		return err
	}
	return nil
}

// optionalKeys are the optional keys of tools and resources in lists.
var optionalKeys = []string{"title", "description", "outputSchema", "annotations", "icons", "execution", "mimeType", "size", "_meta"}

// A Read is the answer to resources/read.
type Read struct {
	URI   string
	Err   error
	Items []Item
	Meta  map[string]any // of the result
	// Malformed is whether the result does not follow the protocol.
	Malformed bool
}

// An Item is one of a read's contents.
type Item struct {
	Object        map[string]any
	URI, MIMEType string
	Text, Blob    *string // nil if absent
}

// UI returns the item's _meta.ui.
func (i *Item) UI() any {
	meta, _ := i.Object["_meta"].(map[string]any)
	return meta["ui"]
}

func parseRead(uri string, raw json.RawMessage) *Read {
	r := &Read{URI: uri}
	var res struct { // decoded in one pass: documents are long
		Contents []map[string]any `json:"contents"`
		Meta     map[string]any   `json:"_meta"`
	}
	if json.Unmarshal(raw, &res) != nil {
		r.Malformed = true
		return r
	}
	r.Meta = res.Meta
	for _, obj := range res.Contents {
		if obj == nil {
			r.Malformed = true
			return r
		}
		i := Item{Object: obj, Text: stringPtr(obj["text"]), Blob: stringPtr(obj["blob"])}
		i.URI, _ = obj["uri"].(string)
		i.MIMEType, _ = obj["mimeType"].(string)
		r.Items = append(r.Items, i)
	}
	return r
}

func stringPtr(v any) *string {
	if s, ok := v.(string); ok {
		return &s
	}
	return nil
}

// A Result is the answer to tools/call.
type Result struct {
	Tool   *Tool
	Raw    json.RawMessage
	Object map[string]any
	Err    error
}

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Settings are drawn by ChatGPT as controls on the page of the plugin. V is a struct with a
// field for each setting, of type bool, string, a number type or a type of these. Fields
// appear in the order of the struct, and none may be left out of its JSON.
//
// Settings are read and changed by two ordinary tools. The model sees both, as it does with
// OpenAI's SDKs, so that users of any client can ask it for a change. Keep out of Settings
// what the model must not read or change.
//
// Read and Update are called concurrently, and for different users if the server has any:
// over HTTP the user is that of the request's token, req.Extra.TokenInfo.UserID. The tools
// never repeat a value in an error.
type Settings[V any] struct {
	// Fields describes the settings by their JSON names: a Title, which is required, and
	// what the type of the field does not say: Description, Enum, MinLength, MaxLength
	// and Pattern of a string, Minimum, Maximum and MultipleOf of a number. Defaults are
	// among what Read returns. The schemas are copied.
	Fields map[string]*jsonschema.Schema
	// Groups is the layout. Settings in no group follow under a title of ChatGPT's.
	Groups []SettingsGroup
	// Read returns the settings of the caller, those that have not been set with their
	// defaults. It is required, and changes nothing.
	Read func(ctx context.Context, req *mcp.CallToolRequest) (V, error)
	// Update changes the settings of the caller and returns all settings once they are
	// saved. It is required. set is a JSON object with the changed ones only, at least
	// one, each of which fits its schema and has at most 16 KiB: json.Unmarshal writes it
	// over the current V.
	// Rules about several settings, and who may change them, are for Update to check: an
	// error reaches the caller as the tool's.
	Update func(ctx context.Context, req *mcp.CallToolRequest, set json.RawMessage) (V, error)
	// ReadTool and UpdateTool are the names of the two tools, "settings.read" and
	// "settings.update" if they are empty.
	ReadTool, UpdateTool string
}

// A SettingsGroup is a part of the page with a title.
type SettingsGroup struct {
	Title string // required
	Items []SettingsItem
}

// A SettingsItem is a setting or a button; one of its names is set.
type SettingsItem struct {
	Field string // the JSON name of a setting
	// Tool is a tool of the same server that accepts {}. The button has the title of the
	// tool. ChatGPT opens the view of an app, and shows the text of other tools. It may be
	// registered after the settings, so whether it exists and accepts {} is found by package
	// check only.
	Tool        string
	Description string // of the button
}

// RegisterSettings adds two tools, and declares them in the capabilities of the server. A
// server has one Settings. It panics if it has one already, if one of the tools has the name
// of the tool that searches mentions, or if a setting is declared as ChatGPT would not draw
// it, and says which and what to do instead. What follows from other tools and from what Read
// returns is found by package check.
func RegisterSettings[V any](s *mcp.Server, set Settings[V]) {
	d, err := declareSettings(s, &set)
	if err == nil {
		err = claim(s, "settings", d.readName, d.updateName)
	}
	if err != nil {
		panic("openai.RegisterSettings: " + err.Error())
	}
	s.AddTool(d.readTool(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return toolResult(d.read(req, func() (any, error) { return set.Read(ctx, req) }))
	})
	s.AddTool(d.updateTool(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return toolResult(d.update(req, func(changed json.RawMessage) (any, error) { return set.Update(ctx, req, changed) }))
	})
	advertise(s, metakey.OpenAISettings, map[string]any{"readTool": d.readName, "updateTool": d.updateName})
}

func declareSettings[V any](s *mcp.Server, set *Settings[V]) (*settings, error) {
	d := &settings{readName: set.ReadTool, updateName: set.UpdateTool}
	if d.readName == "" {
		d.readName = "settings.read"
	}
	if d.updateName == "" {
		d.updateName = "settings.update"
	}
	switch {
	case s == nil:
		return nil, errors.New("the server is nil")
	case set.Read == nil:
		return nil, errors.New("Settings.Read is nil")
	case set.Update == nil:
		return nil, errors.New("Settings.Update is nil")
	case d.readName == d.updateName:
		return nil, fmt.Errorf("ReadTool and UpdateTool are both %q: give them different names", d.readName)
	}
	for _, name := range []string{d.readName, d.updateName} {
		if err := checkToolName(name); err != nil {
			return nil, err
		}
	}
	var err error
	d.declaredSettings, err = settingsType[V]().declared(set.Fields, set.Groups)
	return d, err
}

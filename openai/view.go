package openai

import (
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
)

// A ViewUI is what ChatGPT reads of a view's document in addition to what MCP Apps define.
type ViewUI struct {
	// AvailableDisplayModes are the modes that the view supports; nil means all. An empty
	// list is an error.
	AvailableDisplayModes []DisplayMode
	// PreferredDisplayMode is the mode in which the view starts. "" leaves it to ChatGPT,
	// which prefers fullscreen if AvailableDisplayModes has both.
	PreferredDisplayMode DisplayMode
	// Description tells the model what the view shows, so that it does not repeat it.
	Description string
	// RedirectDomains are the origins to which the view's links may lead without ChatGPT
	// asking the user first, in addition to those of the CSP. They are part of
	// openai/widgetCSP, which [View] then writes as a whole, from the CSP of the view.
	RedirectDomains []string
}

// View returns a copy of a view with the declaration in Resource.Meta, from where it
// reaches the content item that ChatGPT reads. It panics if the declaration has a mistake
// for which clients reject or ignore it, and if Resource.Meta has a key that it sets.
//
// If the document's handler sets another CSP for each read, set openai/widgetCSP there
// too.
func View(v mcpapps.View, ui ViewUI) mcpapps.View {
	keys := ui.generic(cspOf(v))
	meta, err := withKeys(v.Resource.Meta, keys)
	if err == nil {
		err = validateContent(keys)
	}
	if err != nil {
		panic(fmt.Sprintf("openai.View: view %q: %v", v.Resource.URI, err))
	}
	v.Resource.Meta = meta
	return v
}

// Validate returns an error for the first mistake in the declaration, on which [View]
// would panic.
func (ui ViewUI) Validate() error { return validateContent(ui.generic(nil)) }

func validateContent(meta map[string]any) error {
	meta, err := generic(meta)
	if err != nil {
		return err
	}
	for _, p := range openairules.Content(meta) {
		return inGo(p, viewPlaces)
	}
	return nil
}

// generic returns the keys that the declaration sets. The CSP is _meta.ui.csp.
func (ui ViewUI) generic(csp map[string]any) map[string]any {
	m := make(map[string]any)
	shown := make(map[string]any)
	if ui.AvailableDisplayModes != nil {
		modes := make([]any, len(ui.AvailableDisplayModes))
		for i, mode := range ui.AvailableDisplayModes {
			modes[i] = string(mode)
		}
		shown["availableDisplayModes"] = modes
	}
	if ui.PreferredDisplayMode != "" {
		shown["preferredDisplayMode"] = string(ui.PreferredDisplayMode)
	}
	if len(shown) > 0 {
		m[metakey.OpenAIUI] = shown
	}
	if ui.Description != "" {
		m[metakey.OpenAIDescription] = ui.Description
	}
	if len(ui.RedirectDomains) > 0 {
		widget := widgetCSP(csp)
		origins := make([]any, len(ui.RedirectDomains))
		for i, origin := range ui.RedirectDomains {
			origins[i] = origin
		}
		widget["redirect_domains"] = origins
		m[metakey.OpenAIWidgetCSP] = widget
	}
	return m
}

// cspOf returns the csp object of a view, nil if it declares no CSP.
func cspOf(v mcpapps.View) map[string]any {
	if v.UI.CSP != nil {
		csp, _ := generic(v.UI.CSP) // registration reports errors
		return csp
	}
	ui, _ := jsonvalue.Object(v.Resource.Meta["ui"])
	csp, _ := jsonvalue.Object(ui[metakey.CSP])
	return csp
}

// widgetCSP returns the policy of _meta.ui.csp as OpenAI's Apps SDK had it, with its own
// names. The lists that MCP Apps leave out when they are empty are there: clients that read
// this key expect the first two.
func widgetCSP(csp map[string]any) map[string]any {
	widget := map[string]any{"connect_domains": []any{}, "resource_domains": []any{}}
	for from, to := range map[string]string{
		"connectDomains":  "connect_domains",
		"resourceDomains": "resource_domains",
		"frameDomains":    "frame_domains",
	} {
		if v, ok := csp[from]; ok && !jsonvalue.IsNull(v) {
			widget[to] = jsonvalue.Clone(v)
		}
	}
	return widget
}

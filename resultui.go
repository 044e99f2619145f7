package mcpapps

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SetResultUI names, in the result of a call, the app that shows it, for a tool that
// chooses its view by what it found. The specification takes the view from the tool's
// list entry. Some hosts read the result too, so let the tool declare the view that suits
// most results, and name another here: hosts that don't read it show the declared one,
// which should understand the result.
//
// The URI is written under both keys, as for a tool. res.Meta is replaced by a new map
// and never written to; its other keys, and other members of its ui object, are kept.
// SetResultUI returns an error, and changes nothing, if the URI is not a ui:// URI, if
// res.Meta has a ui that is not an object, and if the result is an error, whose text is
// what a host should show.
//
// Options apply to the result as to lists: OmitLegacyURI leaves the flat key out,
// VersionedURIs adds the version, and what DisableApps and StripUIForText leave out of
// lists they leave out here. Calls whose result is an error never name an app, even if
// IsError was set afterwards.
func SetResultUI(res *mcp.CallToolResult, uri string) error {
	const call = "mcpapps.SetResultUI"
	if res == nil {
		return errors.New(call + ": the result is nil")
	}
	if err := appuri.Validate(uri); err != nil {
		return fmt.Errorf("%s: the URI %w", call, err)
	}
	if res.IsError {
		return fmt.Errorf("%s: the result that would name %q is an error: name an app in results that succeed, and tell of the failure in the text", call, uri)
	}
	ui := make(map[string]any, 1)
	if given := res.Meta[keyUI]; !jsonvalue.IsNull(given) {
		obj, err := jsonvalue.Object(given)
		if err != nil {
			return fmt.Errorf("%s: the result's _meta.ui is %s: it must be an object, or left out", call, text.JSON(given))
		}
		maps.Copy(ui, obj)
	}
	ui[keyResourceURI] = uri
	meta := make(mcp.Meta, len(res.Meta)+2)
	maps.Copy(meta, res.Meta)
	meta[keyUI] = ui
	meta[LegacyResourceURIKey] = uri
	res.Meta = meta
	return nil
}

// callResult leaves out of the result of a call what names an app, where lists leave it
// out, and in errors.
func (sv *server) callResult(ctx context.Context, req mcp.Request, r *mcp.CallToolResult) *mcp.CallToolResult {
	if len(r.Meta) == 0 {
		return r
	}
	var keys []string
	switch {
	case sv.opts.DisableApps:
		keys = appKeys
	case r.IsError || sv.opts.StripUIForText && ClientSupport(ctx, req) == SupportNone:
		keys = textKeys
	case sv.opts.OmitLegacyURI:
		keys = legacyKeys
	default:
		return r
	}
	meta, changed := without(r.Meta, keys)
	if !changed {
		return r
	}
	c := *r
	c.Meta = meta
	return &c
}

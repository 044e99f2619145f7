package mcpapps

import (
	"mime"
	"strings"
)

// MIMEType is the media type of every app document (UI Resource Format).
const MIMEType = "text/html;profile=mcp-app"

// IsMIMEType reports whether s is the media type of apps, in any spelling: with
// other case, spaces, quotes and further parameters. Hosts exist that compare
// the exact string, so this package emits [MIMEType] alone.
func IsMIMEType(s string) bool {
	if s == MIMEType {
		return true
	}
	if len(s) < len(MIMEType) { // no spelling is shorter
		return false
	}
	typ, params, err := mime.ParseMediaType(s)
	return err == nil && typ == "text/html" && strings.EqualFold(params["profile"], "mcp-app")
}

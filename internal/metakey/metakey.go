// Package metakey lists the keys of _meta that the extension and its predecessors
// define.
package metakey

// The keys of _meta that name an app's URI in addition to ui.resourceUri.
const (
	LegacyURI      = "ui/resourceUri"        // deprecated by the specification; some hosts read only this
	DottedURI      = "ui.resourceUri"        // some servers write it; no host reads it
	OpenAITemplate = "openai/outputTemplate" // the OpenAI Apps SDK's
)

// OpenAIWidgetCSP is the key of another vendor's policy on a resource.
const OpenAIWidgetCSP = "openai/widgetCSP"

// The keys of _meta that this library's packages for views write, besides those of
// the extension.
const (
	ViewData = "mcpapps/data"   // on a result: the view's data, or where it is
	Caller   = "mcpapps/caller" // on a request: "app" if a view sent it, by its own word
)

// FlatURIs are all keys of _meta that name an app's URI in addition to
// ui.resourceUri.
var FlatURIs = []string{LegacyURI, DottedURI, OpenAITemplate}

// The keys of _meta.ui on a tool and on a resource.
const (
	ResourceURI = "resourceUri"
	Visibility  = "visibility"

	CSP           = "csp"
	Permissions   = "permissions"
	Domain        = "domain"
	PrefersBorder = "prefersBorder"
)

// The keys of _meta.ui on a tool, of _meta.ui on a resource, and of the csp and
// permissions objects in the latter. Nobody changes these lists.
var (
	ToolUI          = []string{ResourceURI, Visibility}
	ResourceUI      = []string{CSP, Permissions, Domain, PrefersBorder}
	CSPFields       = []string{"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"}
	PermissionNames = []string{"camera", "microphone", "geolocation", "clipboardWrite"}
)

// Package metakey lists the keys of _meta that the extension and its predecessors
// define.
package metakey

// The keys of _meta that name an app's URI in addition to ui.resourceUri.
const (
	LegacyURI      = "ui/resourceUri"        // deprecated by the specification; some hosts read only this
	DottedURI      = "ui.resourceUri"        // some servers write it; no host reads it
	OpenAITemplate = "openai/outputTemplate" // the OpenAI Apps SDK's
)

// The keys of OpenAI's layer. Most stand in a _meta; OpenAISettings, OpenAIMentions and
// OpenAIElicitation are capabilities too.
const (
	OpenAIUI          = "openai/ui"                      // on a tool, and on a content item
	OpenAIIconStyle   = "openai/iconStyle"               // on a tool
	OpenAIInvoking    = "openai/toolInvocation/invoking" // on a tool
	OpenAIInvoked     = "openai/toolInvocation/invoked"  // on a tool
	OpenAIFileParams  = "openai/fileParams"              // on a tool
	OpenAISettings    = "openai/settings"                // a server's capability
	OpenAIMentions    = "openai/mentions"                // a server's capability
	OpenAIExtensions  = "openai/extensions"              // on a tool: that it searches mentions, before the capability
	OpenAIElicitation = "openai/elicitation"             // a client's capability, and on an elicitation
	OpenAIResource    = "openai/resource"                // on a call from a view of a file
	OpenAIDescription = "openai/widgetDescription"       // on a content item
	OpenAIWidgetCSP   = "openai/widgetCSP"               // on a content item: the policy before MCP Apps
	OpenAIDomain      = "openai/widgetDomain"            // on a content item: ui.domain before MCP Apps
	OpenAIBorder      = "openai/widgetPrefersBorder"     // on a content item: ui.prefersBorder before MCP Apps
	OpenAIAccessible  = "openai/widgetAccessible"        // on a tool: whether views may call it, before MCP Apps
	OpenAIVisibility  = "openai/visibility"              // on a tool: "private" if the model may not call it, before MCP Apps

	SecuritySchemes = "securitySchemes"      // on a tool: its field of the same name again
	Authenticate    = "mcp/www_authenticate" // on a result that is an error
)

// The keys of OpenAI's layer that ChatGPT sets: on views, in their host context and on
// their messages, and on the server's requests.
const (
	OpenAIDeepLink     = "openai/deepLink"
	OpenAIMessage      = "openai/message"
	OpenAIModelContext = "openai/modelContext"

	OpenAILocale       = "openai/locale"
	OpenAIUserAgent    = "openai/userAgent"
	OpenAIUserLocation = "openai/userLocation"
	OpenAISubject      = "openai/subject"
	OpenAISession      = "openai/session"
	OpenAIOrganization = "openai/organization"
	OpenAIOldLocale    = "webplus/i18n" // the locale before OpenAILocale
)

// OpenAIHints are the keys on a request that say something about the user.
var OpenAIHints = []string{OpenAILocale, OpenAIOldLocale, OpenAIUserAgent, OpenAIUserLocation, OpenAISubject, OpenAISession, OpenAIOrganization}

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

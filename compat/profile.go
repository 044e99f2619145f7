package compat

// A Profile is what is known of one host, or of one platform of a host that has
// facts of its own. A platform inherits nothing: what its profile does not say is
// unknown. Profiles are shared: don't change them. They are in profiles/*.json, and
// host/emulateprofile.go emulates them.
type Profile struct {
	ID   string // such as "claude-web"
	Name string // such as "Claude (web)"
	// Host is the ID that the profiles of one host's platforms share, such as
	// "claude". It is the ID itself for a host with one profile.
	Host    string
	Version string   // of the host, where the sources name one
	Source  Source   // of each fact that does not name another
	Notes   []string // sentences for people

	// What the host is.

	ClientNames      Fact[[]string] `key:"clientNames" title:"names in clientInfo"`
	ShowsApps        Fact[bool]     `key:"showsApps" title:"shows apps"`
	ProtocolVersions Fact[[]string] `key:"protocolVersions" title:"protocol versions"`
	Declares         Fact[bool]     `key:"declares" title:"declares the extension"`
	Engine           Fact[Engine]   `key:"engine" title:"browser engine"`
	Platform         Fact[string]   `key:"platform" title:"platform that views are told"`

	// What it shows of a view.

	DisplayModes  Fact[[]string] `key:"displayModes" title:"display modes"`
	Size          Fact[Size]     `key:"size" title:"size given to a view"`
	PrefersBorder Fact[bool]     `key:"prefersBorder" title:"honours prefersBorder"`
	// Entrypoints are the places of OpenAI's extension from which users open a tool's view:
	// "global", "thread" and "file".
	Entrypoints Fact[[]string] `key:"entrypoints" title:"OpenAI's entrypoints"`
	// OpenAIForms tells whether it shows the forms of OpenAI's extension, as servers ask for
	// them of a client that declares openai/elicitation.
	OpenAIForms Fact[bool] `key:"openaiForms" title:"OpenAI's forms"`

	// What a view receives.

	PartialInput   Fact[bool]   `key:"partialInput" title:"sends partial input"`
	Cancelled      Fact[bool]   `key:"cancelled" title:"sends tool-cancelled"`
	ContextChanged Fact[bool]   `key:"contextChanged" title:"sends host-context-changed"`
	Teardown       Fact[bool]   `key:"teardown" title:"sends resource-teardown"`
	ToolInfo       Fact[bool]   `key:"toolInfo" title:"gives toolInfo"`
	Result         Fact[Result] `key:"result" title:"what arrives of a result"`
	Reload         Fact[Reload] `key:"reload" title:"what arrives when the chat is opened again"`
	ResultLimit    Fact[int]    `key:"resultLimit" title:"characters of a result before it becomes a file"`

	// What a view can ask for.

	OpenLink           Fact[Support] `key:"openLink" title:"openLink"`
	Message            Fact[Support] `key:"message" title:"sendMessage"`
	UpdateModelContext Fact[Support] `key:"updateModelContext" title:"updateModelContext"`
	DownloadFile       Fact[Support] `key:"downloadFile" title:"downloadFile"`
	RequestTeardown    Fact[Support] `key:"requestTeardown" title:"requestTeardown"`
	ServerTools        Fact[Support] `key:"serverTools" title:"callServerTool"`
	ServerResources    Fact[Support] `key:"serverResources" title:"readServerResource"`
	AppTools           Fact[Support] `key:"appTools" title:"tools that a view offers"`
	CallTimeout        Fact[int]     `key:"callTimeout" title:"seconds that a tool call may take"`

	// What it honours of a declaration.

	ConnectDomains  Fact[Support]  `key:"connectDomains" title:"csp.connectDomains"`
	ResourceDomains Fact[Support]  `key:"resourceDomains" title:"csp.resourceDomains"`
	FrameDomains    Fact[Support]  `key:"frameDomains" title:"csp.frameDomains"`
	BaseURIDomains  Fact[Support]  `key:"baseUriDomains" title:"csp.baseUriDomains"`
	Permissions     Fact[[]string] `key:"permissions" title:"permissions granted"` // it refuses the others
	// PermissionsDenied are refused by a host of which the others are not known. It does
	// not count where Permissions has a value.
	PermissionsDenied Fact[[]string]     `key:"permissionsDenied" title:"permissions refused"`
	Domain            Fact[DomainFormat] `key:"domain" title:"format of domain"`
	HidesAppTools     Fact[bool]         `key:"hidesAppTools" title:"keeps app-only tools from the model"`
	DocumentLimit     Fact[int]          `key:"documentLimit" title:"bytes of a document"`

	// What it keeps, and what its model reads.

	ListsKept     Fact[string]  `key:"listsKept" title:"lists kept"`
	DocumentsKept Fact[string]  `key:"documentsKept" title:"documents kept"`
	ModelReads    Fact[Reading] `key:"modelReads" title:"what the model reads of a result"`
	OpenAIKeys    Fact[Support] `key:"openaiKeys" title:"OpenAI's older keys"`
}

// Support says how a host treats a request of a view, or a field of a declaration.
type Support string

const (
	Yes          Support = "yes"
	No           Support = "no"           // missing, or ignored
	Refused      Support = "refused"      // advertised, and answered with an error
	Unadvertised Support = "unadvertised" // works, and is not advertised
	Restricted   Support = "restricted"   // for some, as the host decides
)

// Size is the size of an inline frame in CSS pixels. Zero means that the host sets no
// such bound.
type Size struct {
	Width     int `json:"width,omitempty"`
	MaxWidth  int `json:"maxWidth,omitempty"`
	Height    int `json:"height,omitempty"`
	MaxHeight int `json:"maxHeight,omitempty"`
}

// A Result is what a view receives of a tool's result.
type Result string

const (
	ResultWhole       Result = "whole"
	ResultWithoutMeta Result = "without-meta" // _meta is dropped
	ResultContentOnly Result = "content-only" // _meta and structured content are dropped
	ResultEmpty       Result = "empty"        // content is dropped too
)

// Reload is what a view receives when the chat that shows it is opened again.
type Reload string

const (
	ReloadWhole    Reload = "whole"
	ReloadEmptied  Reload = "emptied"   // the result has no content and no data
	ReloadNoResult Reload = "no-result" // the input alone
	ReloadNothing  Reload = "nothing"   // neither input nor result
)

// An Engine is a browser engine.
type Engine string

const (
	Chromium Engine = "chromium"
	WebKit   Engine = "webkit"
	Gecko    Engine = "gecko"
	Various  Engine = "various" // that of the user's browser
)

// A Reading is what a host's model reads of the result of a tool with a view.
type Reading string

const (
	ReadsContent    Reading = "content"
	ReadsStructured Reading = "structured-content"
	ReadsBoth       Reading = "both"
)

// Package compat holds what is known of real hosts, as dated data: which of them show
// apps, what they honour of a declaration, what a view receives and what it may ask for.
//
// Each fact has a source with a date, and unknown is a value: what no source says of a
// host is not said to be missing. Sources that disagree stand side by side. Those who
// maintain this package could run none of these hosts. Profiles age, and hosts differ
// between accounts and platforms.
//
// The data are the files of the folder profiles, one for each [Profile], and
// docs/hosts.md shows them. A file names the source of its facts once. A fact is its value;
// or a claim, an object with the key value and with when, note, and kind, by, date and
// ref if it has another source than the file; or several claims, the one that decides
// first:
//
//	"openLink": "yes",
//	"result": {"value": "content-only", "when": "local servers", "kind": "report", "date": "2026-07-30", "ref": "modelcontextprotocol/ext-apps #696"},
//	"frameDomains": {"claims": [{"value": "no"}, {"value": "yes", "kind": "report", …}]}
//
// A fact that nobody knows is left out.
//
// Servers use [KeepViews], so that hosts which show apps without declaring it get them,
// [IdentifyRequest], and the formats of domains, [ClaudeDomain] and [ChatGPTDomain]. Package
// mcpapps itself knows no host.
package compat

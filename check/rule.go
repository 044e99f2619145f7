package check

import (
	"maps"
	"slices"
)

// A Rule is one entry of the catalogue: what all findings with its code share.
type Rule struct {
	// Code is "area-problem".
	Code string
	// Severity is that of every finding of the rule.
	Severity Severity
	// Hosts are the hosts that it breaks, where it is known of particular ones;
	// "all hosts" where no host can do without.
	Hosts []string
	// Summary says what is wrong, Why what comes of it, and Remedy how to mend
	// it where the finding does not know better.
	Summary, Why, Remedy string
	// Spec is the section of the MCP Apps specification, if it has one.
	Spec string
}

// The hosts that rules name.
const (
	hostAll       = "all hosts"
	hostReference = "the reference host (ext-apps)"
	hostClaude    = "Claude"
	hostChatGPT   = "ChatGPT"
	hostVSCode    = "VS Code"
	hostPostHog   = "PostHog"
	hostGoose     = "Goose"
	hostQwen      = "Qwen Code"
	hostMCPJam    = "MCPJam"
	hostMCPUI     = "hosts on @mcp-ui/client"
	hostGoSDK     = "hosts on the Go SDK"
	hostTSSDK     = "hosts on the TypeScript SDK"
)

// Rules returns the catalogue, sorted by code.
func Rules() []Rule {
	list := make([]Rule, 0, len(rules))
	for _, code := range Codes() {
		r := rules[code]
		r.Code = code
		r.Hosts = slices.Clone(r.Hosts)
		list = append(list, r)
	}
	return list
}

// Codes returns the codes of all rules, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(rules)) }

// rules is the catalogue. Its parts are written beside each other by area.
var rules = func() map[string]Rule {
	all := make(map[string]Rule)
	for _, part := range []map[string]Rule{serverRules, metadataRules, resourceRules, documentRules, resultRules, viewRules} {
		maps.Copy(all, part)
	}
	return all
}()

// retired are the codes of rules that were removed, with the finding that says
// the same of a view in the browser ([Options.Live]). They are not used again.
var retired = map[string]string{
	"doc-handshake": "view-not-ready",
	"doc-not-ready": "view-not-ready",
	"doc-method":    "view-message",
	"doc-params":    "view-message",
}

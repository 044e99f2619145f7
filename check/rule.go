package check

import (
	"maps"
	"slices"
)

// A Rule is one entry of the catalogue: what all findings with its code share.
type Rule struct {
	// Code is "area-problem".
	Code string
	// Severity is that of every finding of the rule. It stands beside the code that raises
	// the rule, see catalogue.
	Severity Severity
	// Hosts are the hosts that are known to fail on it, or "all hosts". It is empty if
	// none in particular is known.
	Hosts []string
	// Summary says what is wrong, Why what follows from it, and Remedy how to mend
	// it where the finding does not know better.
	Summary, Why, Remedy string
	// Spec is the section of the MCP Apps specification, if it has one.
	Spec string
}

// The hosts that rules name, for people. What package compat has of them agrees: see
// TestRulesAgreeWithProfiles.
const (
	hostAll       = "all hosts"
	hostReference = "the reference host (ext-apps)"
	hostClaude    = "Claude"
	hostChatGPT   = "ChatGPT"
	hostVSCode    = "VS Code"
	hostPostHog   = "PostHog"
	hostGoose     = "Goose"
	hostQwen      = "Qwen Code"
	hostLibreChat = "LibreChat"
	hostMCPJam    = "MCPJam"
	hostMCPUI     = "hosts on @mcp-ui/client"
	hostGoSDK     = "hosts on the Go SDK"
	hostTSSDK     = "hosts on the TypeScript SDK"
)

// catalogue holds all rules by code. A rule whose code begins with "csp-" is
// declared in rules_csp.go, or in a file whose name continues after that, next to the
// code that raises it; its example is testdata/rules/CODE.txtar.
var catalogue = make(map[string]*Rule)

// newRule puts a rule into the catalogue.
func newRule(r Rule) *Rule {
	if catalogue[r.Code] != nil || retired[r.Code] != "" {
		panic("check: two rules have the code " + r.Code)
	}
	catalogue[r.Code] = &r
	return &r
}

// retired are the codes of rules that were removed, with the rule of the live part
// that finds the same in the browser. They are not used again.
var retired = map[string]string{
	"doc-handshake": "view-not-ready",
	"doc-not-ready": "view-not-ready",
	"doc-method":    "view-message",
	"doc-params":    "view-message",
}

// Rules returns the catalogue, sorted by code.
func Rules() []Rule {
	list := make([]Rule, 0, len(catalogue))
	for _, code := range Codes() {
		r := *catalogue[code]
		r.Hosts = slices.Clone(r.Hosts)
		list = append(list, r)
	}
	return list
}

// Codes returns the codes of all rules, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(catalogue)) }

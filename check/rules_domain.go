package check

import (
	"regexp"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	domainFormat = newRule(Rule{
		Code:     "domain-format",
		Severity: SeverityError,
		Hosts:    []string{hostClaude},
		Summary:  "domain is in no known host's format",
		Why:      `a host that checks it shows no frame: it takes only "{hash}.claudemcpcontent.com", with the first 32 hex digits of the SHA-256 of the server's URL`,
		Remedy:   "omit it, unless the app needs a stable origin: every host has a default",
		Spec:     "UI Resource Format",
	})

	domainLocal = newRule(Rule{
		Code:     "domain-local",
		Severity: SeverityNote,
		Summary:  "domain is this machine's address, where the server is checked",
		Why:      "servers that make it from the request's Host header name another domain where they are deployed; which one is unchecked",
		Remedy:   "send the header of the deployed server: -header \"Host: app.example.com\", or X-Forwarded-Host if the server reads that",
		Spec:     "UI Resource Format",
	})

	domainHost = newRule(Rule{
		Code:     "domain-host",
		Severity: SeverityWarning,
		Hosts:    []string{hostClaude},
		Summary:  "domain is in another host's format than Claude's, which checks it",
		Why:      "the formats exclude each other: valid on one host, no frame on another",
		Remedy:   "omit it, or serve it only to the host that it is for",
		Spec:     "UI Resource Format",
	})
)

var localDomain = regexp.MustCompile(`(?i)^(https?://)?(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?/?$`)

func (found *findings) judgeDomain(ui map[string]any, at place) {
	v, ok := ui["domain"]
	if !ok || v == nil {
		return
	}
	at = at.At("/_meta/ui/domain")
	s, ok := v.(string)
	switch {
	case !ok:
		found.add(metaType, at, "domain must be a string, not %s", text.JSON(v)).
			Remedy = "write a string, or leave it out: every host has a default"
	case compat.DomainClaude.Matches(s):
	case found.local && localDomain.MatchString(s):
		found.add(domainLocal, at, "domain is %s", text.Quote(s))
	case strings.Contains(s, "claudemcpcontent.com"):
		found.add(domainFormat, at, "domain is %s, which is meant for Claude and is not {hash}.claudemcpcontent.com", text.Quote(s))
	case compat.DomainMicrosoft.Matches(s):
		found.add(domainHost, at, "domain is %s, which Microsoft 365 Copilot computes itself", text.Quote(s))
	case compat.DomainOrigin.Matches(s):
		found.add(domainHost, at, "domain is %s, which is ChatGPT's format", text.Quote(s))
	default:
		found.add(domainFormat, at, "domain is %s, which is not the format of any known host", text.Quote(s))
	}
}

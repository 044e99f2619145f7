package compat

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/origin"
)

// A DomainFormat is what a host takes for _meta.ui.domain, the origin that a view asks
// for. The formats exclude each other: with a value that one host takes, the view gets no
// frame on another. Omit the field where no view needs an origin that lasts.
type DomainFormat string

const (
	DomainIgnored DomainFormat = "ignored"
	DomainClaude  DomainFormat = "claude" // see [ClaudeDomain]
	DomainOrigin  DomainFormat = "origin" // see [ChatGPTDomain]
	// DomainMicrosoft is that of a host name which the host computes, in a way that is
	// not published in full: omit the field.
	DomainMicrosoft DomainFormat = "microsoft"
)

var domainForms = map[DomainFormat]*regexp.Regexp{
	DomainClaude: regexp.MustCompile(`^[0-9a-f]{32}\.claudemcpcontent\.com$`),
	// The origin, or the host name that ChatGPT makes of it.
	DomainOrigin: regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?$|^[a-z0-9.-]+\.oaiusercontent\.com$`),
	// Documented as a SHA-256 under .microsoft.com, whose 64 digits are longer than a
	// DNS label may be, and seen with 32 digits under .microsoft.
	DomainMicrosoft: regexp.MustCompile(`^[0-9a-f]{32}([0-9a-f]{32})?\.widget-renderer\.usercontent\.microsoft(\.com)?$`),
}

// Matches reports whether a domain has the form that the host expects. It is false for
// [DomainIgnored] and for values that this package does not know.
//
// A domain that has Claude's form can still be rejected: it must be that of the URL with
// which the user connected, see [ClaudeDomain].
func (f DomainFormat) Matches(domain string) bool {
	form, ok := domainForms[f]
	return ok && form.MatchString(domain)
}

// ClaudeDomain returns the domain that Claude expects of a server that its user connected
// by a URL: the first 32 hexadecimal digits of the SHA-256 of exactly that URL, and
// ".claudemcpcontent.com". A slash at the end, another path or another scheme change the
// domain, so the URL must be the one in the connector's settings, not one derived from a
// request.
func ClaudeDomain(connectorURL string) string {
	hash := sha256.Sum256([]byte(connectorURL))
	return hex.EncodeToString(hash[:16]) + ".claudemcpcontent.com"
}

// ChatGPTDomain returns the domain that ChatGPT expects: an https origin that no other app
// uses, such as "https://app.example.com". ChatGPT derives the host name of the frame from
// it. The result is in lower case and without the port 443, as browsers write origins. The
// error says why the argument is not such an origin.
func ChatGPTDomain(appOrigin string) (string, error) {
	if err := origin.Validate(appOrigin); err != nil {
		return "", fmt.Errorf("compat.ChatGPTDomain: %q: %w", appOrigin, err)
	}
	scheme, host, _ := strings.Cut(strings.ToLower(appOrigin), "://")
	if scheme != "https" {
		return "", fmt.Errorf("compat.ChatGPTDomain: %q: its scheme is %s; write https://%s", appOrigin, scheme, host)
	}
	if strings.Contains(host, "*") {
		return "", fmt.Errorf("compat.ChatGPTDomain: %q: it stands for many origins; name one", appOrigin)
	}
	return "https://" + strings.TrimSuffix(host, ":443"), nil
}

package compat_test

import (
	"fmt"
	"testing"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors are those of "printf %s URL | sha256sum | cut -c1-32"; the last two are
// published, in alpic-ai/skybridge #704.
func TestClaudeDomain(t *testing.T) {
	for url, hash := range map[string]string{
		"https://example.com/mcp":      "c3d80a4ed901ee05b21755a88273b4a4",
		"https://example.com/mcp/":     "3738517512411cede5846dedc2148040",
		"https://example.com":          "100680ad546ce6a577f42f52df33b4cf",
		"http://localhost:8080/mcp?a=": "019d7d1d49fd786142374ed08bc1d49e",
		"https://mcp.fiji.so/mcp":      "0a438b56404e81245c5485e96ce8e529",
		"https://mcp.fiji.so/":         "e33d66d6360c03b5787778d5d39cb0c6",
	} {
		domain := compat.ClaudeDomain(url)
		assert.Equal(t, hash+".claudemcpcontent.com", domain, url)
		assert.True(t, compat.DomainClaude.Matches(domain))
		assert.False(t, compat.DomainOrigin.Matches(domain), "the formats exclude each other")
	}
}

func TestChatGPTDomain(t *testing.T) {
	for origin, want := range map[string]string{
		"https://app.example.com":      "https://app.example.com",
		"https://App.Example.com":      "https://app.example.com",
		"https://app.example.com:443":  "https://app.example.com",
		"https://app.example.com:8443": "https://app.example.com:8443",
	} {
		domain, err := compat.ChatGPTDomain(origin)
		require.NoError(t, err)
		assert.Equal(t, want, domain)
		assert.True(t, compat.DomainOrigin.Matches(domain))
		assert.False(t, compat.DomainClaude.Matches(domain), "the formats exclude each other")
	}
	for origin, reason := range map[string]string{
		"":                            `"": it is empty`,
		"app.example.com":             `it has no scheme; write "https://app.example.com"`,
		"http://app.example.com":      "its scheme is http; write https://app.example.com",
		"wss://app.example.com":       "its scheme is wss; write https://app.example.com",
		"https://app.example.com/":    `it ends in a slash, which an origin does not; write "https://app.example.com"`,
		"https://app.example.com/mcp": `it has a path; write "https://app.example.com"`,
		"https://app.example.com?a=b": "it has a query",
		"https://a@app.example.com":   "it has user information",
		"https://*.example.com":       "it stands for many origins; name one",
		"https://app example.com":     "it has the character ' '",
		"https://app.example.com:0":   "its port is",
		"https://[::1]":               "IPv6",
	} {
		domain, err := compat.ChatGPTDomain(origin)
		assert.ErrorContains(t, err, reason)
		assert.ErrorContains(t, err, fmt.Sprintf("compat.ChatGPTDomain: %q: ", origin))
		assert.Empty(t, domain)
	}
}

func TestDomainFormatMatches(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef"
	formats := []compat.DomainFormat{compat.DomainIgnored, compat.DomainClaude, compat.DomainOrigin, compat.DomainMicrosoft, "", "unknown"}
	for domain, of := range map[string]compat.DomainFormat{
		hash + ".claudemcpcontent.com":                             compat.DomainClaude,
		"https://app.example.com":                                  compat.DomainOrigin,
		"https://app.example.com:8443":                             compat.DomainOrigin,
		"chatgpt-com.web-sandbox.oaiusercontent.com":               compat.DomainOrigin,
		hash + hash + ".widget-renderer.usercontent.microsoft.com": compat.DomainMicrosoft,
		hash + ".widget-renderer.usercontent.microsoft":            compat.DomainMicrosoft,
		"":                                 "nothing",
		"{hash}.claudemcpcontent.com":      "nothing",
		hash[1:] + ".claudemcpcontent.com": "nothing",
		"https://" + hash + ".claudemcpcontent.com/": "nothing",
		"app.example.com":                "nothing",
		"http://app.example.com":         "nothing",
		"https://app.example.com/mcp":    "nothing",
		"https://app.example.com\n":      "nothing",
		hash + ".claudemcpcontent.com\n": "nothing",
		hash + ".widget-renderer.usercontent.microsoft.com.evil.example": "nothing",
		hash + "0123.widget-renderer.usercontent.microsoft.com":          "nothing",
	} {
		for _, f := range formats {
			assert.Equal(t, f == of, f.Matches(domain), "%q as %q", domain, f)
		}
	}
}

func ExampleClaudeDomain() {
	fmt.Println(compat.ClaudeDomain("https://example.com/mcp"))
	fmt.Println(compat.ClaudeDomain("https://example.com/mcp/"))
	// Output:
	// c3d80a4ed901ee05b21755a88273b4a4.claudemcpcontent.com
	// 3738517512411cede5846dedc2148040.claudemcpcontent.com
}

func ExampleChatGPTDomain() {
	fmt.Println(compat.ChatGPTDomain("https://app.example.com"))
	fmt.Println(compat.ChatGPTDomain("https://app.example.com/mcp"))
	// Output:
	// https://app.example.com <nil>
	//  compat.ChatGPTDomain: "https://app.example.com/mcp": it has a path; write "https://app.example.com"
}

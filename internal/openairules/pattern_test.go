package openairules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPatternFault: patterns are those that Go and new RegExp(pattern, "u") read alike.
func TestPatternFault(t *testing.T) {
	for _, pattern := range []string{
		``, `^[^<>]*$`, `^\S+@\S+$`, `^[\w.-]+$`, `^#[0-9a-f]{6}$`, `a-b`, `[a\-b]`, `[-a]`, `[a-]`, `[\d-]`, `[a-c-e]`,
		`^[0-9]{4}-[0-9]{2}$`, `\$\.\/\|`, `\d+(?:\.\d+)?`, `(?<n>a)+?`, `\p{L}[\p{Lu}\P{Nd}]`, `\x41[\x41-\x5a]`, `a|b|`, `()*`,
		`(?:^a)*`, `[[a]`, `[a:]`, `\[:alpha:\]`, `\bé😀\B`, `[\]\\]`, `\\A`, `a{2}b{1,}c{1,2}?`,
	} {
		assert.Empty(t, PatternFault(pattern), pattern)
	}
	for pattern, part := range map[string]string{
		`[a[:alpha:]]`: `[:alpha:`, `[^[:alpha:]]`: `[:alpha:`, `[[:alpha:]]`: `[:alpha:`, `[a[:b]`: `[:b]`,
		`\x{41}`: `\x{`, `[\x{41}]`: `\x{`, `\p{Greek}`: `\p{`, `\pL`: `\pL`, `\p{^L}`: `\p{`, `[\pL]`: `\pL`,
		`^*a`: `*a`, `$+`: `+`, `\b?`: `?`, `(^?)`: `?)`, `a{,3}`: `{,`, `{`: `{`, `a{2}{`: `{`, `}`: `}`, `]`: `]`,
		`[]a]`: `]`, `[^]a]`: `]`, `[\w-.]`: `-.]`, `[\p{L}-z]`: `-z]`,
		`\a`: `\a`, `\07`: `\07`, `\0`: `\0`, `\_`: `\_`, `a\-b`: `\-b`, `\Aa`: `\Aa`, `a\z`: `\z`, `\Qa\E`: `\Qa`, `\C`: `\C`, "\\\n": "\\n",
		`(?i)a`: `(?i`, `(?P<n>a)`: `(?P`, `(?i:a)`: `(?i`, `(?<1>a)`: `(?<`,
	} {
		fault := PatternFault(pattern)
		if strings.HasPrefix(fault, "can't be checked") {
			continue // a newer or older Go does not have it either
		}
		assert.Contains(t, fault, "which JavaScript does not have or reads in another way", pattern)
		assert.Contains(t, strings.ReplaceAll(fault, `\\`, `\`), part, pattern)
	}
}

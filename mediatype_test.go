package mcpapps

import (
	"regexp"
	"testing"
)

// looksLikeAppMIME is the media type grammar in one expression, coarser than the
// parser.
func looksLikeAppMIME(s string) bool {
	return regexp.MustCompile(`(?is)^\s*text/html\s*;.*profile\*?0?\*?\s*=`).MatchString(s)
}

func FuzzIsMIMEType(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if !IsMIMEType(s) {
			if s == MIMEType {
				t.Error("the constant is refused")
			}
			return
		}
		if !looksLikeAppMIME(s) {
			t.Errorf("%q counts as the media type of apps", s)
		}
	})
}

package host

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// IsStyleVariable reports whether name is on the specification's list of style
// variables, the only ones that a host may send.
func IsStyleVariable(name string) bool {
	_, ok := styleVariables()[name]
	return ok
}

// StyleVariables returns the names of the specification's style variables,
// sorted.
func StyleVariables() []string { return slices.Sorted(maps.Keys(styleVariables())) }

// The names come as families with their members.
const styleFamilies = `
--color-background- primary secondary tertiary inverse ghost info danger success warning disabled
--color-text- primary secondary tertiary inverse ghost info danger success warning disabled
--color-border- primary secondary tertiary inverse ghost info danger success warning disabled
--color-ring- primary secondary inverse info danger success warning
--font- sans mono
--font-weight- normal medium semibold bold
--font-text- xs-size sm-size md-size lg-size xs-line-height sm-line-height md-line-height lg-line-height
--font-heading- xs-size sm-size md-size lg-size xl-size 2xl-size 3xl-size
--font-heading- xs-line-height sm-line-height md-line-height lg-line-height xl-line-height 2xl-line-height 3xl-line-height
--border-radius- xs sm md lg xl full
--border-width- regular
--shadow- hairline sm md lg
`

var styleVariables = sync.OnceValue(func() map[string]struct{} {
	names := make(map[string]struct{}, 80)
	for line := range strings.Lines(styleFamilies) {
		words := strings.Fields(line)
		for _, w := range words[min(1, len(words)):] {
			names[words[0]+w] = struct{}{}
		}
	}
	return names
})

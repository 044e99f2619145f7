package cssscan

import (
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/stretchr/testify/assert"
)

func TestAtRules(t *testing.T) {
	named := func(name string) bool { return name == "apply" || name == "custom-media" }
	for style, want := range map[string][]AtRule{
		"a { @apply b }":                      {{"apply", 4}},
		"@APPLY x;@custom-media --a (b);@a;":  {{"apply", 0}, {"custom-media", 9}},
		"/* @apply */ a { b: '@apply' }":      nil,
		"a { b: url(@apply) }":                nil,
		"@apply2; @applying; @media { a {} }": nil,
		"@":                                   nil,
		"é @apply":                            {{"apply", 3}},
	} {
		var got []AtRule
		for r := range AtRules(style, named) {
			got = append(got, r)
		}
		assert.Equal(t, want, got, style)
	}
}

func TestCostOfAtRules(t *testing.T) {
	testenv.Measure(t)
	for _, part := range []string{"@apply ", "@a", "@", "/*@apply*/", "@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		t.Run(part, func(t *testing.T) {
			testenv.Linear(t, 1<<12, func(size int) func() {
				style := strings.Repeat(part, size)
				return func() {
					for range AtRules(style, func(name string) bool { return name == "apply" }) {
					}
				}
			})
		})
	}
}

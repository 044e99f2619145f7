package check

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/compat"
)

var resultSize = newRule(Rule{
	Code:     "result-size",
	Severity: SeverityWarning,
	Hosts:    []string{hostClaude},
	Summary:  "a tool result is larger than a host passes on (150,000 characters)",
	Why:      "the host puts the result into a file and gives the view a text that points to it",
	Remedy:   "return less, and let the view ask for the rest with an app-only tool",
})

// maxResult is the size of a result, in characters, that one host accepts.
const maxResult = 150_000

func (found *findings) judgeResultSize(at place, r *answers.Result) {
	if n := utf8.RuneCount(r.Raw); n > maxResult {
		found.add(resultSize, at, "the result has %d characters", n)
	}
}

// characters returns the length of the app's longest result, 0 if it has none.
func (a *hostApp) characters() int {
	n := 0
	for _, r := range a.results {
		n = max(n, utf8.RuneCount(r))
	}
	return n
}

// judgeResultLimit judges the length of a result, if there is one.
func judgeResultLimit(a *hostApp, p *compat.Profile) []Reason {
	size := a.characters()
	if size == 0 {
		return nil
	}
	n := need{fact: "resultLimit", app: fmt.Sprintf("has a result of %d characters", size), unless: size <= maxResult}
	return weighed(n, p.ResultLimit, func(limit int) (Verdict, string) {
		if limit <= 0 || size <= limit {
			return VerdictWorks, "takes it"
		}
		return VerdictDegraded, fmt.Sprintf("replaces a result of more than %d characters", limit)
	})
}

package check

import (
	"slices"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// nearest returns the candidate with the least distance to s, "" if there are none.
func nearest(s string, candidates []string) string {
	if len(s) > 100 {
		s = s[:100]
	}
	best, at := "", 0
	for _, c := range candidates {
		if d := spelling.Distance(s, c); best == "" || d < at {
			best, at = c, d
		}
	}
	return best
}

// A toolbox finds a server's tools by the names that views and authors write.
type toolbox struct {
	byName map[string]*answers.Tool
	names  []string
}

// maxCandidates bounds how many names one is compared with.
const maxCandidates = 500

func newToolbox(r *answers.Record) *toolbox {
	b := &toolbox{byName: r.ToolsByName()}
	for name := range b.byName {
		b.names = append(b.names, name)
	}
	slices.Sort(b.names)
	b.names = b.names[:min(len(b.names), maxCandidates)]
	return b
}

// nearest returns the tool name that s probably misspells, "" if there is none.
func (b *toolbox) nearest(s string) string { return nearestOf(s, b.names) }

// nearestOf returns the candidate that s probably misspells, "" if there is none.
// Candidates of more than 100 bytes are left out.
func nearestOf(s string, candidates []string) string {
	short := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return len(c) > 100 })
	slices.Sort(short)
	n := nearest(s, short)
	if n == "" || spelling.Distance(text.Shorten(s, maxValue), n) > max(len(n)/2, 2) {
		return ""
	}
	return n
}

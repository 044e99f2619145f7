package check

import (
	"slices"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A toolbox finds a server's tools by the names that views and authors write.
type toolbox struct {
	byName map[string]*answers.Tool
	names  []string
	asked  atomic.Int32
}

// maxCandidates bounds how many names one is compared with, and maxMisspelled for how
// many names of one kind a report looks for what was meant.
const (
	maxCandidates = 500
	maxMisspelled = 100
)

func newToolbox(r *answers.Record) *toolbox {
	b := &toolbox{byName: r.ToolsByName()}
	for name := range b.byName {
		b.names = append(b.names, name)
	}
	slices.Sort(b.names)
	b.names = b.names[:min(len(b.names), maxCandidates)]
	return b
}

// nearest returns the tool name that s probably misspells, "" if there is none, or if
// it was asked too often.
func (b *toolbox) nearest(s string) string {
	if b.asked.Add(1) > maxMisspelled {
		return ""
	}
	return nearestOf(s, b.names)
}

// nearestOf returns the candidate that s probably misspells, "" if there is none.
// Candidates of more than 100 bytes are left out.
func nearestOf(s string, candidates []string) string {
	short := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return len(c) > 100 })
	slices.Sort(short)
	n := spelling.Nearest(s, short)
	if n == "" || spelling.Distance(text.Shorten(s, maxValue), n) > max(len(n)/2, 2) {
		return ""
	}
	return n
}

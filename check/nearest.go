package check

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
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
	n := text.Nearest(s, short)
	if n == "" || text.Distance(text.Shorten(s, maxValue), n) > max(len(n)/2, 2) {
		return ""
	}
	return n
}

// nearKey returns the known key that another one probably misspells, "" if there is
// none.
func nearKey(key string, known []string) string {
	if len(key) > 60 {
		return ""
	}
	for _, k := range known {
		if normalKey(key) == normalKey(k) {
			return k
		}
	}
	for _, k := range known {
		if len(k) > 4 && text.Distance(key, k) <= 2 {
			return k
		}
	}
	return ""
}

// meantKey returns the known key that another one probably misspells, or whose word
// it begins with; "" if there is none.
func meantKey(key string, known []string, words [][2]string) string {
	if meant := nearKey(key, known); meant != "" {
		return meant
	}
	p := normalKey(text.Shorten(key, maxValue))
	for _, w := range words {
		if strings.HasPrefix(p, w[0]) {
			return w[1]
		}
	}
	return ""
}

// normalKey returns a key without case and separators.
func normalKey(key string) string {
	return strings.NewReplacer("/", "", ".", "", "_", "", "-", "").Replace(strings.ToLower(key))
}

package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A place is where in the server's answers a finding is.
type place = answers.Place

// findings gathers what the rules find. Equal findings in one place become one
// with a count.
type findings struct {
	list    []Finding
	index   map[findingKey]int
	perRule map[string]int
	// local is whether the server is on this machine, and forgotten how many sessions
	// it forgot.
	local     bool
	forgotten int
	// uses are what documents need of hosts, by URI; nil if no host is named.
	uses map[string]*docUse
	// views are what views show with a rest of their results, by URI.
	views map[string]map[compat.Result]shown
}

// newFindings returns no findings yet. local is whether the server is on this machine.
func (o *Options) newFindings(local bool) findings {
	found := findings{local: local}
	if len(o.hosts) > 0 {
		found.uses = make(map[string]*docUse)
	}
	return found
}

// maxPerRule bounds how many findings of one rule a report has.
const maxPerRule = 1000

// maxSearch bounds how many bytes are searched for names, where each of many names
// is searched for in all of many bytes.
const maxSearch = 2 << 30

// maxName bounds what a report repeats of a name or URI, in bytes.
const maxName = 2000

// findingKey is what equal findings have in common.
type findingKey struct {
	code, what string // what: the message, or what the messages of a group share
	place
}

// add adds a finding of the rule and returns it, for what the rule leaves open.
func (c *findings) add(r *Rule, at place, format string, args ...any) *Finding {
	message := fmt.Sprintf(format, args...)
	return c.addToGroup(r, at, message, message)
}

// addToGroup adds a finding unless the group has one in that place: then that
// one's count goes up, and the finding returned is not in the report.
func (c *findings) addToGroup(r *Rule, at place, group, message string) *Finding {
	at.Tool, at.URI, at.Pointer = text.Shorten(at.Tool, maxName), text.Shorten(at.URI, maxName), text.Shorten(at.Pointer, maxName)
	key := findingKey{r.Code, group, at}
	if _, known := c.index[key]; !known && c.perRule[r.Code] >= maxPerRule {
		key = findingKey{code: r.Code}
		message = "there are more of these than the report shows"
	}
	if i, ok := c.index[key]; ok {
		f := &c.list[i]
		f.Count = max(f.Count, 1) + 1
		return new(Finding)
	}
	if c.index == nil {
		c.index = make(map[findingKey]int)
		c.perRule = make(map[string]int)
	}
	c.index[key] = len(c.list)
	c.perRule[r.Code]++
	c.list = append(c.list, Finding{
		Code: r.Code, Severity: r.Severity, Hosts: r.Hosts,
		Tool: at.Tool, URI: at.URI, Method: at.Method, Pointer: at.Pointer,
		Message: message, Why: r.Why, Remedy: r.Remedy, Spec: r.Spec,
	})
	return &c.list[len(c.list)-1]
}

// merge takes over the findings of other, which are in other places, as far as the
// bound on each rule allows.
func (c *findings) merge(other *findings) {
	if c.uses != nil {
		maps.Copy(c.uses, other.uses)
	}
	for _, f := range other.list {
		more := findingKey{code: f.Code}
		i, full := c.index[more]
		switch {
		case full:
			c.list[i].Count = max(c.list[i].Count, 1) + max(f.Count, 1)
		case c.perRule[f.Code] >= maxPerRule:
			c.addToGroup(catalogue[f.Code], place{}, "", "").Count = f.Count
		default:
			if c.perRule == nil {
				c.index, c.perRule = make(map[findingKey]int), make(map[string]int)
			}
			c.perRule[f.Code]++
			c.list = append(c.list, f)
		}
	}
}

// sorted returns the findings in the order of a report.
func (c *findings) sorted() []Finding {
	slices.SortStableFunc(c.list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.URI, b.URI),
			cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.offset, b.offset),
			cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return c.list
}

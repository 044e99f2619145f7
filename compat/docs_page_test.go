package compat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/factwords"
)

// A page is docs/hosts.md while it is written.
type page struct {
	bytes.Buffer
	newest time.Time           // the date of the newest source
	notes  map[string][]string // by ID: the keys of the facts that have a note, in order
}

func newPage() *page {
	p := &page{notes: make(map[string][]string)}
	for _, profile := range Profiles() {
		for _, row := range profile.Rows() {
			for _, c := range row.Claims {
				if date, _ := time.Parse(time.DateOnly, c.Source.Date); date.After(p.newest) {
					p.newest = date
				}
			}
			if needsNote(profile, row) {
				p.notes[profile.ID] = append(p.notes[profile.ID], row.Key)
			}
		}
	}
	return p
}

// needsNote reports whether a fact is more than a value from the file's own source.
func needsNote(p *Profile, r Row) bool {
	if len(r.Claims) == 1 {
		c := r.Claims[0]
		return c.When != "" || c.Note != "" || c.Source != p.Source
	}
	return len(r.Claims) > 0
}

// table writes a table with a line for each host and a column for each fact that one of
// them has.
func (p *page) table(title string, keys []string, hosts []*Profile) {
	known := func(key string) func(*Profile) bool {
		return func(h *Profile) bool { return len(rowOf(h, key).Claims) > 0 }
	}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.ContainsFunc(hosts, known(key)) })
	fmt.Fprintf(p, "\n## %s\n\n| host |", title)
	for _, key := range keys {
		fmt.Fprintf(p, " %s |", rowOf(hosts[0], key).Title)
	}
	fmt.Fprintf(p, "\n|%s\n", strings.Repeat(" --- |", len(keys)+1))
	var left []string
	for _, h := range hosts {
		if !slices.ContainsFunc(keys, func(key string) bool { return known(key)(h) }) {
			left = append(left, h.Name)
			continue
		}
		fmt.Fprintf(p, "| [%s](#%s) |", h.Name, anchor(h.Name))
		for _, key := range keys {
			fmt.Fprintf(p, " %s |", p.cell(h, rowOf(h, key)))
		}
		p.WriteByte('\n')
	}
	if len(left) > 0 {
		fmt.Fprintf(p, "\nUnknown of %s.\n", strings.Join(left, ", "))
	}
}

// cell is a value with the marks and the note's number.
func (p *page) cell(h *Profile, r Row) string {
	if len(r.Claims) == 0 {
		return "?"
	}
	s := plain(r.Value)
	if r.When != "" {
		s += "\\*"
	}
	if r.Conflict() {
		s += " ≠"
	}
	if r.Claims[0].Source.Old(p.newest) {
		s += " †"
	}
	if i := slices.Index(p.notes[h.ID], r.Key); i >= 0 {
		s += fmt.Sprintf(" <sup>[%d](#%s)</sup>", i+1, anchor(h.Name))
	}
	return s
}

// host writes what the notes of one host say.
func (p *page) host(h *Profile) {
	fmt.Fprintf(p, "\n### %s\n\n", h.Name)
	fmt.Fprintf(p, "`%s`", h.ID)
	if h.Version != "" {
		fmt.Fprintf(p, ", version %s", h.Version)
	}
	fmt.Fprintf(p, ". Where no note says otherwise: %s.\n", p.source(h.Source))
	for _, note := range h.Notes {
		fmt.Fprintf(p, "\n%s\n", linked(note))
	}
	for i, key := range p.notes[h.ID] {
		if i == 0 {
			p.WriteByte('\n')
		}
		r := rowOf(h, key)
		fmt.Fprintf(p, "%d. %s:", i+1, r.Title)
		if len(r.Claims) == 1 {
			fmt.Fprintf(p, " %s\n", p.claim(r.Claims[0]))
			continue
		}
		p.WriteByte('\n')
		for _, c := range r.Claims {
			fmt.Fprintf(p, "    - %s\n", p.claim(c))
		}
	}
}

func (p *page) claim(c RowClaim) string {
	s := "**" + plain(c.Value) + "**"
	if c.When != "" {
		s += " (condition: " + c.When + ")"
	}
	if c.Note != "" {
		s += "; " + linked(c.Note)
	}
	return s + ". " + upper(p.source(c.Source)) + "."
}

func (p *page) source(s Source) string {
	out := string(s.Kind)
	if s.By != "" {
		out += " by " + s.By
	}
	out += ", " + s.Date
	if s.Old(p.newest) {
		out += " †"
	}
	if s.Ref != "" {
		out += ", " + linked(s.Ref)
	}
	return out
}

// sources writes the table of all sources, the oldest first.
func (p *page) sources() {
	used := make(map[Source][]string)
	for _, h := range Profiles() {
		for _, r := range h.Rows() {
			for _, c := range r.Claims {
				if s := c.Source; !slices.Contains(used[s], h.Name) {
					used[s] = append(used[s], h.Name)
				}
			}
		}
	}
	var list []Source
	for s := range used {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.Date+a.Ref+a.By, b.Date+b.Ref+b.By) })
	fmt.Fprintf(p, "\n## Sources\n\n| source | kind | date | hosts | counts as old from |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range list {
		name := linked(s.Ref)
		if s.By != "" {
			name = strings.TrimSuffix(s.By+": "+name, ": ")
		}
		fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", name, s.Kind, s.Date, strings.Join(used[s], ", "), s.OldFrom().Format(time.DateOnly))
	}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func rowOf(h *Profile, key string) Row {
	rows := h.Rows()
	return rows[slices.IndexFunc(rows, func(r Row) bool { return r.Key == key })]
}

// plain is the JSON of a value as words.
func plain(value string) string {
	if value == "" {
		return "?"
	}
	var size Size
	if strings.HasPrefix(value, "{") && json.Unmarshal([]byte(value), &size) == nil {
		return dimension(size.Width, size.MaxWidth, "wide") + ", " + dimension(size.Height, size.MaxHeight, "high")
	}
	return markdown(factwords.Value(value))
}

func dimension(exact, most int, which string) string {
	switch {
	case exact > 0:
		return fmt.Sprintf("%d %s", exact, which)
	case most > 0:
		return fmt.Sprintf("at most %d %s", most, which)
	}
	return "any " + map[string]string{"wide": "width", "high": "height"}[which]
}

var (
	issue = regexp.MustCompile(`\b([\w-]+/[\w.-]+) #(\d+)`)
	url   = regexp.MustCompile(`https://[^\s,;)]+`)
)

// catalogues are the documents that sources name and that have an address.
var catalogues = strings.NewReplacer("MCPJam's catalogue of 2026-07-23",
	"[MCPJam's catalogue of 2026-07-23](https://github.com/MCPJam/inspector/blob/b8c31fdb97bb4b05a6aa19a9875fee48bb22171b/sdk/src/host-compat/catalog.generated.ts)")

// linked makes links of the addresses and the issues in a text.
func linked(s string) string {
	s = url.ReplaceAllString(markdown(s), "<$0>")
	return catalogues.Replace(issue.ReplaceAllString(s, "[$1 #$2](https://github.com/$1/issues/$2)"))
}

func markdown(s string) string {
	return strings.NewReplacer("<", "\\<", "*", "\\*", "|", "\\|", "_", "\\_").Replace(s)
}

// anchor is the anchor that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

package compat

import "time"

// A Fact is what sources say about one property of a host. Without claims it is
// unknown.
type Fact[T any] struct {
	// Claims are what the sources say. The first decides the value: it is the most
	// direct one, or the newest of equal ones. Claims that disagree stand side by side.
	Claims []Claim[T]
}

// A Claim is what one source says.
type Claim[T any] struct {
	// Value is nil where the source's words fit no value; see Note.
	Value *T
	// When is the condition under which the claim holds, such as "local servers". It
	// is empty where the source names none.
	When   string
	Note   string // for people
	Source Source
}

// A Source says where a claim comes from.
type Source struct {
	Kind Kind   `json:"kind"`
	By   string `json:"by,omitempty"` // who measured or wrote it
	Date string `json:"date"`         // 2006-01-02: when it was measured, or the state of the document
	// Ref is where to read it: URLs, issues such as
	// "modelcontextprotocol/ext-apps #671", or the name of a document.
	Ref string `json:"ref,omitempty"`
}

// A Kind is how a source knows.
type Kind string

const (
	Probe         Kind = "probe"         // somebody measured it
	Documentation Kind = "documentation" // the vendor says so
	Report        Kind = "report"        // somebody met it, and did not measure it for a list
)

// Value returns what the first claim says, and whether it says anything. The value may
// hold under a condition only, see [Fact.When].
func (f Fact[T]) Value() (v T, known bool) {
	if len(f.Claims) == 0 || f.Claims[0].Value == nil {
		return v, false
	}
	return *f.Claims[0].Value, true
}

// When returns the condition of the value, or "".
func (f Fact[T]) When() string {
	if len(f.Claims) == 0 {
		return ""
	}
	return f.Claims[0].When
}

// oldAfter is the age, in days, above which a source counts as old.
const oldAfter = 180

// OldFrom returns the first day on which the source is more than 180 days old. It is
// the zero time for a source without a date.
func (s Source) OldFrom() time.Time {
	date, err := time.Parse(time.DateOnly, s.Date)
	if err != nil {
		return time.Time{}
	}
	return date.AddDate(0, 0, oldAfter+1)
}

// Old reports whether the source is more than 180 days old.
func (s Source) Old(now time.Time) bool { return !now.Before(s.OldFrom()) }

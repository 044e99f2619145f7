// Package openairules has the rules of OpenAI's layer on MCP Apps: what ChatGPT and Codex
// accept of a server. Package openai applies them to what an author declares, and package
// check to what a server sends. All values are JSON as encoding/json decodes it into any;
// they may come from the wire.
//
// The rules follow OpenAI's specification 0.2.0 of 2026-10-10 and the validators of its
// SDKs for TypeScript and Python. Where these differ, what one of them rejects is a problem.
package openairules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Problem is a mistake in a value.
type Problem struct {
	Kind Kind
	// Pointer is the JSON pointer of the mistake in the value that was given, "" for
	// the value itself. Names in it that the value chose are shortened to 100 bytes.
	Pointer string
	// Text says what is wrong, with the value at fault, shortened. Remedy says what to
	// do instead. Neither ends with a full stop.
	Text, Remedy string
	// Rule is the text without the value, for those who must not read it: of answers to
	// forms only.
	Rule string
}

// Error returns the pointer, the text and the remedy in one line.
func (p Problem) Error() string {
	if p.Pointer == "" {
		return fmt.Sprintf("%s: %s", p.Text, p.Remedy)
	}
	return fmt.Sprintf("%s: %s: %s", p.Pointer, p.Text, p.Remedy)
}

// A Kind is a rule. Each has one of package check's rules, except those of forms, [Field]
// and [Answer]: servers send forms only to clients that show them, which a check does not.
type Kind int

const (
	Type        Kind = iota // a value is not of the type that the key has
	Key                     // an object has a key that clients reject or do not know
	Entrypoint              // an entrypoint that clients reject
	Input                   // a tool that is called with {} or with a file does not accept that
	DisplayMode             // a mode that clients reject
	Status                  // a status text that is too long
	FileParam               // an argument that is named as a file and is not declared as one
	Annotation              // a tool without an annotation that ChatGPT requires
	Origin                  // an origin of redirect_domains
	Capability              // settings or mentions that name a tool wrongly
	Setting                 // what the tool that reads settings returns
	Mention                 // what the tool that searches mentions returns
	Field                   // a form that clients do not draw
	Answer                  // an answer to a form that does not fit it
	Ineffective             // what clients accept, and what has no effect
	Auth                    // what a tool or a result says about signing in

	Kinds // the number of kinds
)

// maxProblems bounds the problems of one value. A value from the wire may have any number.
const maxProblems = 32

// A list collects problems.
type list struct{ problems []Problem }

// add adds a problem, unless there are maxProblems. The place is a JSON pointer; see at.
func (l *list) add(kind Kind, place, remedy, format string, args ...any) {
	if len(l.problems) < maxProblems {
		l.problems = append(l.problems, Problem{Kind: kind, Pointer: place, Text: fmt.Sprintf(format, args...), Remedy: remedy})
	}
}

// at returns the pointer of a member or an element within a place.
func at(place string, steps ...any) string {
	var b strings.Builder
	b.WriteString(place)
	for _, step := range steps {
		b.WriteByte('/')
		switch step := step.(type) {
		case int:
			b.WriteString(strconv.Itoa(step))
		case string:
			b.WriteString(escape.Replace(text.Shorten(step, maxName)))
		}
	}
	return b.String()
}

// maxName bounds a name in a pointer, in bytes.
const maxName = 100

var escape = strings.NewReplacer("~", "~0", "/", "~1")

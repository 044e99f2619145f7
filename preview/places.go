package preview

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/inject"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// places finds positions in a view's document.
type places struct {
	address  string // of the document, without its query
	injected inject.Place
	sources  *sourcemap.Map // nil without one
}

// newPlaces returns the places of a document at an address, into which script was put.
func newPlaces(app *appclient.App, address, script string) places {
	p := places{address: address}
	_, p.injected = inject.Into(app.HTML, script)
	if raw := app.Contents.Meta[devenv.MapKey]; raw != nil {
		p.sources, _ = sourcemap.Parse(raw) // without a map positions are those in the document
	}
	return p
}

// minified is the longest name that a minifier usually gives, which tells nothing.
const minified = 2

// runtimeSource is the source of the runtime in a bundle's map.
const runtimeSource = "mcp-app"

// position returns a position in an author's file, or in the document if that is not
// known. It returns nil for one in the script of the preview.
func (p places) position(url string, line, column int) *Position {
	if line < 1 || column < 0 {
		return nil
	}
	column = max(column, 1)
	if rest, ok := strings.CutPrefix(url, p.address); !ok || rest != "" && rest[0] != '?' && rest[0] != '#' {
		if url == "" || url == "<anonymous>" {
			return nil
		}
		return &Position{Source: text.Shorten(url, 200), Line: line, Column: column}
	}
	line, column, ok := p.injected.Undo(line, column)
	if !ok {
		return nil
	}
	if p.sources != nil {
		if source, l, c, ok := p.sources.Position(line, column); ok {
			return &Position{Source: source, Line: l, Column: c, Mapped: true}
		}
	}
	return &Position{Source: "document", Line: line, Column: column}
}

// find returns the position of an entry, and its stack. The position is in the
// author's code where that is known, not in the runtime that called it.
func (p places) find(e posted) (*Position, []string) {
	var stack []string
	at := p.position(e.Source, e.Line, e.Column)
	isRuntime := func(q *Position) bool { return q.Mapped && q.Source == runtimeSource }
	for name, q := range p.frames(text.Shorten(e.Stack, consoleStack)) {
		if len(stack) == consoleFrames {
			break
		}
		if q.Mapped && len(name) <= minified {
			name = ""
		} else if name != "" {
			name += " "
		}
		stack = append(stack, name+q.String())
		if at == nil || isRuntime(at) && !isRuntime(q) {
			at = q
		}
	}
	return at, stack
}

// Frames of a stack, in Chromium and in the other browsers.
var (
	chromiumFrame = regexp.MustCompile(`^\s*at (?:(.*?) \()?((?:[^()\s]|\([^()]*\))+):([0-9]{1,9}):([0-9]{1,9})\)?$`)
	otherFrame    = regexp.MustCompile(`^(.*?)@(\S+):([0-9]{1,9}):([0-9]{1,9})$`)
)

// frames iterates over the calls of a stack, outside of the preview's script.
func (p places) frames(stack string) func(yield func(name string, at *Position) bool) {
	return func(yield func(string, *Position) bool) {
		for line := range strings.Lines(stack) {
			line = strings.TrimRight(line, "\r\n")
			m := chromiumFrame.FindStringSubmatch(line)
			if m == nil {
				m = otherFrame.FindStringSubmatch(line)
			}
			if m == nil {
				continue
			}
			l, _ := strconv.Atoi(m[3])
			c, _ := strconv.Atoi(m[4])
			if at := p.position(m[2], l, c); at != nil && !yield(text.Shorten(m[1], 100), at) {
				return
			}
		}
	}
}

package liveview

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// A Position is a place in the author's files, or in the view's document where those are
// not known. The zero value is an unknown one.
type Position struct {
	// Source is the file, such as ui/main.ts, with Mapped. Otherwise it is "document"
	// for the view's document, or the URL of another script.
	Source string
	Mapped bool
	// Line and Column count from 1, the column in UTF-16 units. 0 means unknown.
	Line, Column int
}

// documentSource is the Source of the view's document.
const documentSource = "document"

// String returns the position as people read it: "ui/main.ts:3:9", "line 3, column 9 of
// the document", or "" if it is unknown.
func (p Position) String() string {
	switch {
	case p.Source == "" || p.Line == 0:
		return ""
	case p.Source == documentSource && !p.Mapped:
		return fmt.Sprintf("line %d, column %d of the document", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column)
}

// A Frame is a function call on the stack.
type Frame struct {
	Function string // "" if it has no name
	Position
}

// String returns the function and the position, such as "draw ui/main.ts:3:9".
func (f Frame) String() string {
	at := f.Position.String()
	if at == "" {
		at = f.Source
	}
	return strings.TrimSpace(f.Function + " " + at)
}

// Place returns a position in a script or document as one in the author's files, if the
// document came with its source map.
func (o *Outcome) Place(at chrome.Position) Position {
	p := Position{Source: at.URL, Line: at.Line, Column: at.Column}
	if !isDocument(at.URL) {
		return p
	}
	p.Source = documentSource
	if o.sources != nil {
		if source, line, column, ok := o.sources.Position(at.Line, at.Column); ok {
			return Position{source, true, line, column}
		}
	}
	return p
}

// isDocument reports whether a URL is that of a view's document.
func isDocument(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Path == viewPath && strings.HasSuffix(u.Hostname(), ".localhost")
}

// runtimeSource is the source of the view runtime in a bundle's source map, which has no
// positions in it that help anybody.
const runtimeSource = "mcp-app"

func (p Position) inRuntime() bool { return p.Mapped && p.Source == runtimeSource }

// stack returns the calls of a stack outside of the view runtime.
func (o *Outcome) stack(frames []chrome.Frame) []Frame {
	var list []Frame
	for _, f := range frames {
		if at := o.Place(f.Position); !at.inRuntime() {
			list = append(list, Frame{f.Function, at})
		}
	}
	return list
}

// thrownAt returns where an exception comes from: for one of the view runtime, the call
// that led to it.
func (o *Outcome) thrownAt(x chrome.Exception) Position {
	at := o.Place(x.Position)
	if !at.inRuntime() {
		return at
	}
	if calls := o.stack(x.Stack); len(calls) > 0 {
		return calls[0].Position
	}
	return Position{}
}

// readDocument takes note of what the view's document has, once that has been read. The
// caller holds v.mu.
func (v *View) readDocument() {
	b := v.viewer.preview.Bridge(v.name)
	if b == nil {
		return
	}
	app, err := b.WaitApp(context.Background()) // which has been read
	if err != nil || app == nil || app.Contents == nil {
		return
	}
	v.outcome.webRTC = strings.Contains(app.HTML, "RTCPeerConnection")
	if raw := app.Contents.Meta[devenv.MapKey]; raw != nil {
		v.outcome.sources, _ = sourcemap.Parse(raw) // without one, positions in the document will do
	}
}

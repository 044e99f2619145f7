package bundle

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// classicPiece returns the element for a compiled classic script. An inline script
// can't be deferred, so a deferred or asynchronous one becomes a module, which runs
// at the same time, and which a classic script with its attributes replaces.
func classicPiece(el *element, linked bool, code string, m *codeMap) piece {
	attrs := scriptAttributes(el.attrs, false)
	if !linked || !el.has("defer") && !el.has("async") {
		return piece{tag: "script", attrs: attrs, text: code, code: m}
	}
	number := strconv.Itoa(el.number)
	return piece{tag: "script", attrs: append(scriptAttributes(el.attrs, true), htmlscan.Attribute{Key: deferredMark, Value: number}),
		deferred: &deferred{number: number, text: code, code: m}}
}

// deferredMark is the attribute by which a module finds the element that it is in.
const deferredMark = "data-mcpapps-deferred"

// deferred is a classic script that a module makes. To the browser its text begins at
// the first line of the document, so empty lines put it after the last one, where no
// position is that of anything else.
type deferred struct {
	number string
	text   string
	code   *codeMap
	line   int // on which the code begins, from 0
}

func (d *deferred) module() string {
	quoted, _ := json.Marshal(d.text)
	text := string(quoted)
	if d.line > 0 {
		text = fmt.Sprintf(`"\n".repeat(%d)+`, d.line) + text
	}
	return `{const o=document.querySelector('script[` + deferredMark + `="` + d.number + `"]'),s=document.createElement("script");` +
		`o.removeAttribute("type");o.removeAttribute("` + deferredMark + `");for(const a of o.attributes)s.setAttribute(a.name,a.value);` +
		`s.textContent=` + text + `;o.replaceWith(s)}`
}

// placeDeferred decides on which lines the code of deferred scripts begins, after a
// document of so many lines. Code with a source map of its own, whose lines count from
// its beginning, stays there.
func (b *bundler) placeDeferred(line int) (all []*deferred) {
	if b.opts.SourceMaps {
		return nil
	}
	for _, c := range b.changes {
		for _, p := range c.pieces {
			if d := p.deferred; d != nil {
				d.line = line + 1
				line = d.line + strings.Count(d.text, "\n") + 1
				all = append(all, d)
			}
		}
	}
	return all
}

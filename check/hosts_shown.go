package check

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// shown is what a view shows without a part of its result, compared with what it shows
// otherwise.
type shown struct {
	verdict Verdict
	says    string // for people, in the third person; "" if it shows the same
}

// A sight is what a view shows, in few words.
type sight struct {
	// Text is the text of the document and of its fields.
	Text string
	// Elements, Canvases and Drawn are how many elements there are, how many of them
	// are a canvas, and how many of these are not empty.
	Elements, Canvases, Drawn int
}

// maxSight bounds the text that is compared, in bytes.
const maxSight = 100_000

// look returns what the view shows now, nil if it does not say.
func look(ctx context.Context, view *liveview.View) *sight {
	d, err := view.Document()
	if err != nil {
		return nil
	}
	var s sight
	if err := d.Eval(ctx, sightScript, &s); err != nil {
		return nil
	}
	s.Text = text.Shorten(s.Text, maxSight)
	return &s
}

// A canvas without a picture, and one that WebGL has drawn on, count as empty.
const sightScript = `(() => {
	const fields = [...document.querySelectorAll("input, textarea, select")].slice(0, 1000);
	const canvases = [...document.querySelectorAll("canvas")].slice(0, 10);
	const drawn = canvases.filter((c) => {
		try {
			const empty = document.createElement("canvas");
			empty.width = c.width; empty.height = c.height;
			return c.toDataURL() !== empty.toDataURL();
		} catch { return true }
	});
	return {
		Text: [String(document.body?.innerText ?? ""), ...fields.map((f) => String(f.value))].join("\n").slice(0, 50000),
		Elements: document.querySelectorAll("body *").length, Canvases: canvases.length, Drawn: drawn.length,
	};
})()`

// openStripped opens views again with what the named hosts leave of their results, and
// keeps what they show then. Before, it opens each of them with an empty result, to
// know which of its words are data.
func (found *findings) openStripped(ctx context.Context, p *opening, views []*liveView) error {
	rests := rests(p.options.hosts)
	losesAny := func(v *liveView) bool {
		return slices.ContainsFunc(rests, func(rest compat.Result) bool { return loses(v.outcome.Result, rest) })
	}
	empty := make(map[string]*liveView)
	for _, rest := range partial {
		if rest != compat.ResultEmpty && !slices.Contains(rests, rest) {
			continue
		}
		whole := make(map[string]*liveView)
		var again []*liveView
		for _, v := range views {
			if loses(v.outcome.Result, rest) && losesAny(v) && v.before != nil && v.after != nil && !p.failed(v) {
				whole[v.uri] = v
				again = append(again, &liveView{tool: v.tool, uri: v.uri})
			}
		}
		if len(again) == 0 {
			continue
		}
		forgotten, ended, err := p.open(ctx, "hosts", again, rest)
		if err != nil || ended != nil {
			return err
		}
		found.forgotten += forgotten
		for _, v := range again {
			if rest == compat.ResultEmpty {
				empty[v.uri] = v
			}
			if s, ok := compareViews(whole[v.uri], empty[v.uri], v); ok {
				if s.says != "" {
					s.says += " without " + dropped[rest] + " of its result" + newException(whole[v.uri], v)
				}
				found.show(v.uri, rest, s)
			}
		}
	}
	return found.openControls(ctx, p, views, empty, rests)
}

// openControls opens views once more with their whole results, of those that seem to lose
// something without a part of it. Of one that then differs too, nothing is known: the view
// or the result of its tool is another each time.
func (found *findings) openControls(ctx context.Context, p *opening, views []*liveView, empty map[string]*liveView, rests []compat.Result) error {
	whole := make(map[string]*liveView)
	var again []*liveView
	for _, v := range views {
		loses := func(rest compat.Result) bool { return found.views[v.uri][rest].verdict > VerdictUnknown }
		if slices.ContainsFunc(rests, loses) {
			whole[v.uri] = v
			again = append(again, &liveView{tool: v.tool, uri: v.uri})
		}
	}
	if len(again) == 0 {
		return nil
	}
	forgotten, ended, err := p.open(ctx, "hosts", again, compat.ResultWhole)
	if err != nil || ended != nil {
		return err
	}
	found.forgotten += forgotten
	for _, v := range again {
		if s, ok := compareViews(whole[v.uri], empty[v.uri], v); ok && s.verdict == VerdictWorks {
			continue
		}
		for rest, s := range found.views[v.uri] {
			if s.verdict > VerdictUnknown {
				found.views[v.uri][rest] = shown{VerdictUnknown, "shows something else each time it is opened, so that nothing can be compared"}
			}
		}
	}
	return nil
}

// failed reports whether the result of the view's tool is an error.
func (p *opening) failed(v *liveView) bool {
	for _, f := range v.outcome.Failures() {
		if f.Kind == liveview.KindResult || f.Kind == liveview.KindCall {
			return true
		}
	}
	return false
}

func (found *findings) show(uri string, rest compat.Result, s shown) {
	if found.views == nil {
		found.views = make(map[string]map[compat.Result]shown)
	}
	if found.views[uri] == nil {
		found.views[uri] = make(map[compat.Result]shown)
	}
	found.views[uri][rest] = s
}

// partial is what can be left of a result, the least first.
var partial = []compat.Result{compat.ResultEmpty, compat.ResultContentOnly, compat.ResultWithoutMeta}

// rests returns what the hosts leave of results, as far as it is less than the whole.
func rests(hosts []*compat.Profile) []compat.Result {
	var list []compat.Result
	for _, rest := range partial {
		for _, p := range hosts {
			if dropsTo(p, rest) {
				list = append(list, rest)
				break
			}
		}
	}
	return list
}

// compareViews compares a view with the same one that got a part of its result only, and
// with one that got an empty result, nil if it was not opened so. Not ok means that
// nothing is known.
func compareViews(whole, empty, part *liveView) (s shown, ok bool) {
	o := &part.outcome
	switch {
	case o.Failed != nil || o.Closed != nil || !o.Opened:
		return s, false
	case o.Gone() || o.Hangs > 0:
		return shown{VerdictBlocked, "crashes, hangs or leaves its document"}, true
	case !o.Initialized || part.after == nil:
		return s, false
	case o.Blank && !whole.outcome.Blank:
		s = shown{VerdictBlocked, "shows nothing"}
	default:
		var bare *sight
		if empty != nil {
			bare = empty.after
		}
		s = compareSights(whole.outcome.Result, whole.before, whole.after, bare, part.after)
	}
	switch throws := newException(whole, part) != ""; {
	case throws && s.verdict < VerdictDegraded:
		s = shown{VerdictDegraded, "fails"}
	case !throws && s.verdict > VerdictUnknown && part.waits != nil:
		s = shown{VerdictUnknown, fmt.Sprintf("waits for its own call of the tool %s, which the check may not make (%s names it),", text.Quote(calledTool(part.waits)), callFlag(part.waits))}
	}
	return s, true
}

// newException returns, after a colon, an error that only the view with a part of its result throws.
func newException(whole, part *liveView) string {
	known := make(map[string]bool)
	for _, e := range whole.outcome.Exceptions {
		known[e.Text] = true
	}
	for _, e := range part.outcome.Exceptions {
		if !known[e.Text] {
			return ": " + text.Shorten(e.Text, maxValue)
		}
	}
	return ""
}

// What may differ between two openings of a view: a tenth of its words, and a third of
// its elements. A view has lost its data if it shows no words instead and keeps less than
// a fifth of those of its data, or, where it is not known which these are, less than a
// third of all.
const (
	tolerance    = 0.1
	leastData    = 1.0 / 5
	leastKept    = 1.0 / 3
	leastOfShape = 2.0 / 3
)

// compareSights compares what a view showed of a result, at two moments, with what it
// shows without a part of the result. Only words of both moments count, and all numbers
// that are not in the result are alike, so that a text which changes by itself is not
// taken for a loss. Of these words, those that the view does not show with an empty result
// are data; empty is nil if that is not known.
func compareSights(result json.RawMessage, before, after, empty, part *sight) shown {
	words := counter(result)
	was, is, left := words(before.Text), words(after.Text), words(part.Text)
	stable := common(was, is)
	total, kept := size(stable), size(common(stable, left))
	added := size(left) - max(size(common(is, left)), size(common(was, left)))
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	if empty != nil {
		fixed := words(empty.Text)
		data := minus(stable, fixed)
		of, still := size(data), size(common(data, minus(left, fixed)))
		others := size(minus(minus(minus(left, fixed), was), is))
		switch {
		case of == 0: // nothing tells data from other words
		case still == 0 && others == 0:
			return shown{VerdictBlocked, fmt.Sprintf("has lost its data (%d words)", of)}
		case share(still, of) < leastData && others == 0:
			return shown{VerdictBlocked, fmt.Sprintf("shows %d of the %d words of its data", still, of)}
		case share(of-still, of) > tolerance:
			return shown{VerdictDegraded, fmt.Sprintf("shows %d of the %d words of its data", still, of)}
		default: // of a short text, the data can be most
			kept = total
		}
	}
	switch {
	case total > 0 && share(kept, total) < leastKept:
		return shown{VerdictBlocked, fmt.Sprintf("shows %d of its %d words", kept, total)}
	case share(total-kept, total) > tolerance:
		return shown{VerdictDegraded, fmt.Sprintf("shows %d of its %d words", kept, total)}
	case share(added, total) > tolerance:
		return shown{VerdictDegraded, fmt.Sprintf("shows %d other words", added)}
	case part.Drawn < min(before.Drawn, after.Drawn):
		return shown{VerdictDegraded, fmt.Sprintf("draws on %d of %d canvases", part.Drawn, before.Drawn)}
	case float64(part.Elements) < leastOfShape*float64(min(before.Elements, after.Elements)):
		return shown{VerdictDegraded, fmt.Sprintf("has %d of its %d elements", part.Elements, before.Elements)}
	case total == 0 && before.Canvases > 0 && before.Drawn == 0:
		return shown{VerdictUnknown, "draws with WebGL alone, which is not compared"}
	}
	return shown{verdict: VerdictWorks}
}

// maxCounted bounds how much of a result is looked at for numbers, in bytes.
const maxCounted = 1 << 20

// counter returns what counts how often each word of a text is there. All numbers that the
// result does not have are one word, whether or not they have a fraction: a clock that shows
// 12.5 s at one moment shows 13 s at another.
func counter(result json.RawMessage) func(string) map[string]int {
	joins := func(r rune) bool { return strings.ContainsRune(".,:", r) }
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	isNumber := func(w string) bool { return strings.IndexFunc(w, unicode.IsNumber) >= 0 }
	given := make(map[string]bool)
	for w := range strings.FieldsFuncSeq(string(result[:min(len(result), maxCounted)]), separates) {
		if isNumber(w) {
			given[w] = true
		}
	}
	return func(s string) map[string]int {
		m := make(map[string]int)
		for joined := range strings.FieldsFuncSeq(s, func(r rune) bool { return separates(r) && !joins(r) }) {
			other := 0 // of its numbers, those that the result does not have
			for w := range strings.FieldsFuncSeq(joined, separates) {
				if isNumber(w) && !given[w] {
					other = 1
				} else {
					m[w]++
				}
			}
			m["0"] += other
		}
		return m
	}
}

// minus returns the words of a that are not in b.
func minus(a, b map[string]int) map[string]int {
	m := make(map[string]int)
	for w, n := range a {
		if n -= b[w]; n > 0 {
			m[w] = n
		}
	}
	return m
}

func common(a, b map[string]int) map[string]int {
	m := make(map[string]int)
	for w, n := range a {
		if n = min(n, b[w]); n > 0 {
			m[w] = n
		}
	}
	return m
}

func size(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// TestCompareSights shows which differences between a view with its whole result and with
// a part of it count.
func TestCompareSights(t *testing.T) {
	const report = "Sales of the north were 12 and of the south 14, which is more than in any year before this one"
	text := func(s string) *sight { return &sight{Text: s, Elements: 10} }
	for name, c := range map[string]struct {
		before, after, part *sight
		verdict             Verdict
		says                string
	}{
		"the same":              {text(report), text(report), text(report), VerdictWorks, ""},
		"other numbers":         {text(report), text(report), text(strings.NewReplacer("12", "90,5", "14", "7").Replace(report)), VerdictWorks, ""},
		"one word of many":      {text(report), text(report), text(strings.Replace(report, "north", "east", 1)), VerdictWorks, ""},
		"a text that changes":   {text("Now " + report), text("Then " + report), text("Later " + report), VerdictWorks, ""},
		"other words each time": {text("alpha beta gamma"), text("delta epsilon zeta"), text("eta theta"), VerdictDegraded, "shows 2 other words"},
		"nothing of it":         {text(report), text(report), text("Loading…"), VerdictBlocked, "shows 0 of its 21 words"},
		"a part of it":          {text(report), text(report), text(report[:60]), VerdictDegraded, "shows 13 of its 21 words"},
		"an error besides":      {text(report), text(report), text(report + " Error: there are no data"), VerdictDegraded, "shows 5 other words"},
		"no words at all":       {text(""), text(""), text(""), VerdictWorks, ""},
		"an empty canvas":       {&sight{Canvases: 1, Drawn: 1}, &sight{Canvases: 1, Drawn: 1}, &sight{Canvases: 1}, VerdictDegraded, "draws on 0 of 1 canvases"},
		"WebGL":                 {&sight{Canvases: 1}, &sight{Canvases: 1}, &sight{Canvases: 1}, VerdictUnknown, "draws with WebGL alone"},
		"a chart of elements":   {&sight{Text: "Sales", Elements: 90}, &sight{Text: "Sales", Elements: 80}, &sight{Text: "Sales", Elements: 20}, VerdictDegraded, "has 20 of its 90 elements"},
		"more than it had":      {text("Hello"), text("Hello"), &sight{Text: "Hello", Elements: 50}, VerdictWorks, ""},
	} {
		s := compareSights(nil, c.before, c.after, nil, c.part)
		assert.Equal(t, c.verdict, s.verdict, name)
		assert.True(t, strings.HasPrefix(s.says, c.says) && (s.says == "") == (c.says == ""), "%s: %q", name, s.says)
	}
}

// TestCompareData shows which differences count where it is known what the view shows with
// an empty result: the words that are data decide, however many others there are.
func TestCompareData(t *testing.T) {
	const result = `{"content":[{"type":"text","text":"21 degrees"}],"structuredContent":{"degrees":21,"sky":"clear and blue"}}`
	fixed := "Weather " + strings.Repeat("some words of help ", 10) + " 0 degrees "
	filled := strings.Replace(fixed, "0", "21", 1)
	text := func(s string) *sight { return &sight{Text: s, Elements: 10} }
	for name, c := range map[string]struct {
		whole, empty, part *sight
		verdict            Verdict
		says               string
	}{
		"the same":                  {text(filled), text(fixed), text(filled), VerdictWorks, ""},
		"all is lost":               {text(fixed + "clear and blue"), text(fixed), text(fixed), VerdictBlocked, "has lost its data (3 words)"},
		"a number of the result":    {text(filled), text(fixed), text(fixed), VerdictBlocked, "has lost its data (1 words)"},
		"a number of the view":      {text(fixed + "seen 12:15"), text(fixed + "seen 12:16"), text(fixed + "seen 12:17"), VerdictWorks, ""},
		"a fraction at a moment":    {text(fixed + "clear and blue 1234.5"), text(fixed + "9"), text(fixed + "clear and blue 99"), VerdictWorks, ""},
		"a part is lost":            {text(filled + "clear and blue"), text(fixed), text(filled), VerdictDegraded, "shows 1 of the 4 words of its data"},
		"one word stays":            {text(filled + "clear and blue sky above the sea"), text(fixed), text(filled), VerdictBlocked, "shows 1 of the 8 words of its data"},
		"other data in their place": {text(fixed + "clear and blue"), text(fixed), text(fixed + "21 degrees"), VerdictDegraded, "shows 0 of the 3 words of its data"},
		"an error in their place":   {text("clear and blue"), text("no data"), text("no data"), VerdictBlocked, "has lost its data"},
		"a short text":              {text("Sky: clear and blue"), text("Sky: "), text("Sky: clear and blue"), VerdictWorks, ""},
		"no words are data":         {&sight{Text: fixed, Canvases: 1, Drawn: 1}, &sight{Text: fixed, Canvases: 1}, &sight{Text: fixed, Canvases: 1}, VerdictDegraded, "draws on 0 of 1 canvases"},
	} {
		s := compareSights([]byte(result), c.whole, c.whole, c.empty, c.part)
		assert.Equal(t, c.verdict, s.verdict, "%s: %s", name, s.says)
		assert.True(t, strings.HasPrefix(s.says, c.says) && (s.says == "") == (c.says == ""), "%s: %q", name, s.says)
	}
}

// TestCompareViews shows what counts beside what a view shows.
func TestCompareViews(t *testing.T) {
	fine := liveview.Outcome{Opened: true, Initialized: true}
	throws := fine
	throws.Exceptions = []chrome.Exception{{Text: "TypeError: x"}}
	hangs, dead, blank, closed, mute := fine, fine, fine, fine, fine
	hangs.Hangs, dead.Died, blank.Blank, closed.Closed, mute.Initialized = 1, true, true, assert.AnError, false
	view := func(o liveview.Outcome) *liveView {
		return &liveView{outcome: o, before: &sight{Text: "Hello"}, after: &sight{Text: "Hello"}}
	}
	for name, c := range map[string]struct {
		whole, part liveview.Outcome
		verdict     Verdict
		known       bool
	}{
		"the same":                       {fine, fine, VerdictWorks, true},
		"an error":                       {fine, throws, VerdictDegraded, true},
		"an error that it always throws": {throws, throws, VerdictWorks, true},
		"blank":                          {fine, blank, VerdictBlocked, true},
		"blank in any case":              {blank, blank, VerdictWorks, true},
		"hangs":                          {fine, hangs, VerdictBlocked, true},
		"dies":                           {fine, dead, VerdictBlocked, true},
		"the server ended":               {fine, closed, VerdictWorks, false},
		"not initialized":                {fine, mute, VerdictWorks, false},
		"not opened":                     {fine, liveview.Outcome{}, VerdictWorks, false},
	} {
		s, ok := compareViews(view(c.whole), nil, view(c.part))
		assert.Equal(t, c.known, ok, name)
		assert.Equal(t, c.verdict, s.verdict, name)
	}
	waiting := view(blank)
	waiting.waits = []byte(`{"name":"more","arguments":{"day":1}}`)
	s, _ := compareViews(view(fine), nil, waiting)
	assert.Equal(t, VerdictUnknown, s.verdict, "the data may come by its own call")
	assert.Equal(t, `waits for its own call of the tool "more", which the check may not make (-call 'more={"day":1}' names it),`, s.says)
	for params, want := range map[string]string{
		`{"name": "more"}`: "-call more", `{"name": "more", "arguments": {}}`: "-call more", `{"name": "a b"}`: "-call 'a b'",
		`{"name": "more", "arguments": {"a": "it's <b>", "n": 1e3}}`: `-call 'more={"a":"it'\''s <b>","n":1e3}'`,
		`{"name": "a=b"}`: "-call", `{"name": 1}`: "-call", `{"name": "` + strings.Repeat("x", 1000) + `"}`: "-call",
	} {
		assert.Equal(t, want, callFlag([]byte(params)), params)
	}
	assert.Equal(t, ": TypeError: x", newException(view(fine), view(throws)))
}

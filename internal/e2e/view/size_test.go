package view

import (
	"encoding/json"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// documents are in cases/size.js. The frame is 300 pixels high at first; the host
// sets it to the reported height, at once or after a delay.
var documents = []struct {
	name     string
	min, max int  // of the last report
	same     bool // as the reference's last report
}{
	{"plain", 516, 516, true},
	{"percent", 516, 516, true},
	{"percentImportant", 500, 500, false},
	{"screen", 500, 500, true},
	{"rows", 616, 616, true},
	{"percentRows", 600, 600, false}, // the reference does not see these grow
	{"screenRows", 600, 600, true},
	{"shrinking", 136, 136, true},
	{"image", 470, 480, true}, // the height of its line depends on the font
	{"percentImage", 450, 450, false},
	{"transition", 649, 649, true},
	{"scripted", 633, 633, false}, // the last step depends on the frames
	{"attribute", 336, 336, true},
	{"absolute", 0, 0, true}, // content outside the flow does not count
	{"tooltip", 116, 116, true},

	// Heights in vh: the reference grows without end, or shrinks to nothing.
	{"screenWithMargin", 316, 360, false},
	{"more", 360, 520, false},
	{"less", 150, 240, false},
	// It grows with each row, for as long as rows come: up to the host's limit, 6000, on a
	// slow machine. What counts is that it stops growing with the last row (atRest).
	{"moreRows", 1200, 6000 * 1.2, false},
}

// Where the bounds are the reference's exact height, CI does not open it. A host that
// is late it has for heights in vh alone; ci/full has both for all.
func TestSize(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, delay := range []int{0, 70} {
		for _, d := range documents {
			if delay > 0 && (d.same || d.min == d.max && !testenv.Full()) {
				continue
			}
			t.Run(d.name+"/"+strconv.Itoa(delay), func(t *testing.T) {
				t.Parallel()
				got := b.sizes(t, ours, d.name, delay)
				require.NotEmpty(t, got)
				last := got[len(got)-1]
				assert.GreaterOrEqual(t, last.height, d.min)
				assert.LessOrEqual(t, last.height, d.max)
				atRest := 0
				for _, s := range got {
					assert.Equal(t, 600, s.width)
					if s.atRest {
						atRest++
					}
				}
				assert.LessOrEqual(t, atRest, 3, "%v", got)
				if d.same && (d.min != d.max || testenv.Full()) {
					want := b.sizes(t, reference, d.name, delay)
					assert.Equal(t, want[len(want)-1].height, last.height, "the reference's")
				}
			})
		}
	}
}

func TestNoSizeAfterClose(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got := b.sizes(t, ours, "ended", 0)
	require.NotEmpty(t, got)
	assert.Equal(t, 116, got[len(got)-1].height)
}

type size struct {
	height int
	atRest bool // reported after the content stopped changing
	width  int
}

func (b *bench) sizes(t *testing.T, lib library, document string, delay int) []size {
	t.Helper()
	r := b.run(t, newest, lib, "size", url.Values{"document": {document}, "delay": {strconv.Itoa(delay)}})
	for _, report := range r.reports(t) {
		assert.Equal(t, `"rest"`, report)
	}
	var raw [][3]any
	require.NoError(t, json.Unmarshal(r.Result, &raw))
	var all []size
	for _, s := range raw {
		all = append(all, size{int(s[0].(float64)), s[1].(bool), int(s[2].(float64))})
	}
	return all
}

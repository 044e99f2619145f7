package main

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var edges = []float64{math.Inf(-1), 0, 1, 2, 4, math.Inf(1)}

func TestHistogramSince(t *testing.T) {
	before := histogram{counts: []uint64{0, 3, 5, 0, 1}, edges: edges}
	after := histogram{counts: []uint64{0, 3, 7, 2, 1}, edges: edges}
	assert.Equal(t, []uint64{0, 0, 2, 2, 0}, after.since(before).counts)
	assert.Equal(t, []uint64{0, 3, 7, 2, 1}, after.counts, "the reading itself is unchanged")
	assert.Equal(t, after.counts, after.since(histogram{}).counts, "nothing to compare with")

	// A counter that seems to decrease must not wrap around.
	assert.Equal(t, []uint64{0, 0, 0, 0, 0}, before.since(after).counts)
}

func TestHistogramQuantile(t *testing.T) {
	for _, test := range []struct {
		name   string
		counts []uint64
		q      float64
		want   float64
	}{
		{"empty", []uint64{0, 0, 0, 0, 0}, 0.5, 0},
		{"one value is every quantile", []uint64{0, 0, 1, 0, 0}, 0.01, 2},
		{"the bucket where the share is reached", []uint64{0, 50, 49, 1, 0}, 0.5, 1},
		{"just beyond a bucket", []uint64{0, 49, 50, 1, 0}, 0.5, 2},
		{"99 of 100", []uint64{0, 50, 49, 1, 0}, 0.99, 2},
		{"the highest", []uint64{0, 50, 49, 1, 0}, 1, 4},
		{"the last bucket gives its lower edge", []uint64{0, 0, 0, 0, 7}, 0.5, 4},
		{"the first bucket", []uint64{7, 0, 0, 0, 0}, 0.5, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, histogram{counts: test.counts, edges: edges}.quantile(test.q))
		})
	}
}

// A reading does not change when the runtime reuses the memory of its histograms,
// and a garbage collection is visible in the next reading.
func TestReadMetrics(t *testing.T) {
	before := readMetrics()
	counts := append([]uint64{}, before.pauses.counts...)
	runtime.GC()
	after := readMetrics()

	require.Equal(t, counts, before.pauses.counts, "a later reading overwrote an earlier one")
	assert.Positive(t, after.pauses.since(before.pauses).total())
	assert.Positive(t, after.pauses.since(before.pauses).quantile(1))
	assert.Greater(t, after.cycles, before.cycles)
	for name, v := range map[string]uint64{"heap": after.heap, "goal": after.goal, "mapped": after.mapped, "allocated": after.allocated, "goroutines": after.goroutines} {
		assert.Positive(t, v, name)
	}
}

package main

import (
	"math"
	"runtime/metrics"
	"slices"
)

// A histogram is what a runtime histogram counted, by bucket. The runtime's
// own counts never stop growing, so it is the difference of two readings that
// tells what happened between them.
type histogram struct {
	counts []uint64
	// edges has one more entry than counts: bucket i holds the values from
	// edges[i] up to edges[i+1]. The outer ones may be infinite.
	edges []float64
}

// copyHistogram copies h, whose memory the next metrics.Read uses again.
func copyHistogram(h *metrics.Float64Histogram) histogram {
	return histogram{counts: slices.Clone(h.Counts), edges: slices.Clone(h.Buckets)}
}

// since returns what h counted after prev. Without a comparable prev, such as
// before the first reading, that is everything.
func (h histogram) since(prev histogram) histogram {
	d := histogram{counts: slices.Clone(h.counts), edges: h.edges}
	if len(prev.counts) != len(h.counts) {
		return d
	}
	for i, n := range prev.counts {
		// The runtime reads its counters one by one, not all at one instant.
		d.counts[i] -= min(n, d.counts[i])
	}
	return d
}

// total returns the number of values counted.
func (h histogram) total() uint64 {
	var n uint64
	for _, c := range h.counts {
		n += c
	}
	return n
}

// quantile returns a bound that a share q of the values (0 < q <= 1) does not
// exceed: the upper edge of the bucket where that share is reached, or its
// lower edge where the bucket has no end. It is 0 if nothing was counted.
func (h histogram) quantile(q float64) float64 {
	total := h.total()
	if total == 0 {
		return 0
	}
	rank := max(1, uint64(math.Ceil(q*float64(total))))
	var seen uint64
	for i, c := range h.counts {
		if seen += c; seen >= rank {
			if edge := h.edges[i+1]; !math.IsInf(edge, 1) {
				return edge
			}
			return h.edges[i]
		}
	}
	return 0
}

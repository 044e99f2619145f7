package main

import (
	"math"
	"runtime/metrics"
	"slices"
)

// A histogram has the counts of a runtime histogram, by bucket. The runtime's
// counts only grow, so what happened between two readings is their difference.
type histogram struct {
	counts []uint64
	// edges has one more entry than counts: bucket i holds the values from
	// edges[i] up to edges[i+1]. The first and last edge may be infinite.
	edges []float64
}

// copyHistogram copies h, because the next metrics.Read reuses its memory.
func copyHistogram(h *metrics.Float64Histogram) histogram {
	return histogram{counts: slices.Clone(h.Counts), edges: slices.Clone(h.Buckets)}
}

// since returns what h counted after prev. If prev has other buckets, as a zero
// histogram has, since returns all counts.
func (h histogram) since(prev histogram) histogram {
	d := histogram{counts: slices.Clone(h.counts), edges: h.edges}
	if len(prev.counts) != len(h.counts) {
		return d
	}
	for i, n := range prev.counts {
		// The runtime does not read all counters at the same instant, so one may
		// seem to decrease.
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

// quantile returns an upper bound of the q-quantile of the values, 0 < q <= 1: the
// upper edge of its bucket, or the lower edge if the upper one is infinite. It
// returns 0 if nothing was counted.
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

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormats(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 999: "999 B", 1000: "1 kB", 1234: "1.23 kB", 12_345: "12.3 kB", 123_456: "123 kB",
		999_499: "999 kB", 999_600: "1.00 MB", 4_194_304: "4.19 MB", 5e15: "5000 TB",
	} {
		assert.Equal(t, want, byteCount(n), n)
	}
	for n, want := range map[uint64]string{
		0: "0 ns", 64: "64 ns", 229_376: "229 µs", 1_500_000: "1.50 ms", 10_000_000: "10 ms", 3e9: "3 s", 7.2e12: "7200 s",
	} {
		assert.Equal(t, want, duration(n), n)
	}
}

func TestSummarize(t *testing.T) {
	assert.Equal(t, Window{}, summarize(nil))
	got := summarize([]Sample{
		{Time: 1000, HeapBytes: 30, Goroutines: 9, GCPauses: 2, GCPauseMaxNs: 50, SchedLatencyP99Ns: 7},
		{Time: 2000, HeapBytes: 10, Goroutines: 12},
		{Time: 3500, HeapBytes: 20, Goroutines: 4, GCPauses: 2, GCPauseMaxNs: 40, SchedLatencyP99Ns: 8},
	})
	assert.Equal(t, Window{
		Seconds: 2.5, Samples: 3, HeapBytesMin: 10, HeapBytesMax: 30, GoroutinesMin: 4, GoroutinesMax: 12,
		GCPauses: 4, GCPauseMaxNs: 50, SchedLatencyP99MaxNs: 8,
	}, got)
}

// The text must be complete: users whose client shows no view see nothing else.
func TestFullText(t *testing.T) {
	o := ShowOutput{
		Process: Process{PID: 42, GoVersion: "go1.25.0", GOMAXPROCS: 2, Started: 1_000},
		Latest:  Sample{Time: 61_000, HeapBytes: 2_500_000, HeapGoalBytes: 4_000_000, MappedBytes: 9_000_000, AllocBytesPerSecond: 1500, Goroutines: 12, GCCycles: 3, SchedLatencyP50Ns: 64, SchedLatencyP99Ns: 2048},
		Window:  Window{Seconds: 59.9, Samples: 60, HeapBytesMin: 1_000_000, HeapBytesMax: 3_000_000, GoroutinesMin: 9, GoroutinesMax: 12, GCPauses: 4, GCPauseMaxNs: 51_200, SchedLatencyP99MaxNs: 4096},
	}
	assert.Equal(t, `Go process 42 (go1.25.0, GOMAXPROCS 2), monitored for 1m0s; ranges are over the last 1m0s (60 samples).
Heap: 2.50 MB in use (1 MB to 3 MB), goal 4 MB, allocating 1.50 kB/s, 9 MB mapped by the runtime
Goroutines: 12 (9 to 12)
Garbage collection: 3 cycles since the start; 4 pauses, the longest at most 51.2 µs
Scheduler latency: median 64 ns, 99th percentile 2.05 µs (highest 4.10 µs)`, o.full())

	o.Window.GCPauses = 0
	assert.Contains(t, o.full(), "3 cycles since the start; no pauses\n")
}

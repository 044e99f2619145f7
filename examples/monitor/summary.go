package main

import (
	"fmt"
	"time"
)

// A Window summarizes the samples of an interval.
type Window struct {
	Seconds              float64 `json:"seconds" jsonschema:"time from the first sample to the last"`
	Samples              int     `json:"samples"`
	HeapBytesMin         uint64  `json:"heapBytesMin"`
	HeapBytesMax         uint64  `json:"heapBytesMax"`
	GoroutinesMin        uint64  `json:"goroutinesMin"`
	GoroutinesMax        uint64  `json:"goroutinesMax"`
	GCPauses             uint64  `json:"gcPauses"`
	GCPauseMaxNs         uint64  `json:"gcPauseMaxNs"`
	SchedLatencyP99MaxNs uint64  `json:"schedLatencyP99MaxNs"`
}

func summarize(samples []Sample) Window {
	var w Window
	for i, s := range samples {
		if i == 0 {
			w.HeapBytesMin, w.GoroutinesMin = s.HeapBytes, s.Goroutines
		}
		w.HeapBytesMin, w.HeapBytesMax = min(w.HeapBytesMin, s.HeapBytes), max(w.HeapBytesMax, s.HeapBytes)
		w.GoroutinesMin, w.GoroutinesMax = min(w.GoroutinesMin, s.Goroutines), max(w.GoroutinesMax, s.Goroutines)
		w.GCPauses += s.GCPauses
		w.GCPauseMaxNs = max(w.GCPauseMaxNs, s.GCPauseMaxNs)
		w.SchedLatencyP99MaxNs = max(w.SchedLatencyP99MaxNs, s.SchedLatencyP99Ns)
	}
	if w.Samples = len(samples); w.Samples > 0 {
		w.Seconds = float64(samples[w.Samples-1].Time-samples[0].Time) / 1000
	}
	return w
}

// short is for a model whose user sees the charts. It gives the main figures.
func (o ShowOutput) short() string {
	return fmt.Sprintf("The monitor is open. Now: heap %s of a %s goal, %d goroutines, %d garbage collections since the start.",
		byteCount(o.Latest.HeapBytes), byteCount(o.Latest.HeapGoalBytes), o.Latest.Goroutines, o.Latest.GCCycles)
}

// full is for clients that show no view. It has everything that the charts show.
func (o ShowOutput) full() string {
	s, w := o.Latest, o.Window
	return fmt.Sprintf(`Go process %d (%s, GOMAXPROCS %d), monitored for %s; ranges are over the last %s (%d samples).
Heap: %s in use (%s to %s), goal %s, allocating %s/s, %s mapped by the runtime
Goroutines: %d (%d to %d)
Garbage collection: %d cycles since the start; %s
Scheduler latency: median %s, 99th percentile %s (highest %s)`,
		o.Process.PID, o.Process.GoVersion, o.Process.GOMAXPROCS,
		(time.Duration(s.Time-o.Process.Started) * time.Millisecond).Round(time.Second),
		(time.Duration(w.Seconds * float64(time.Second))).Round(time.Second), w.Samples,
		byteCount(s.HeapBytes), byteCount(w.HeapBytesMin), byteCount(w.HeapBytesMax), byteCount(s.HeapGoalBytes), byteCount(s.AllocBytesPerSecond), byteCount(s.MappedBytes),
		s.Goroutines, w.GoroutinesMin, w.GoroutinesMax,
		s.GCCycles, w.pauses(),
		duration(s.SchedLatencyP50Ns), duration(s.SchedLatencyP99Ns), duration(w.SchedLatencyP99MaxNs))
}

func (w Window) pauses() string {
	if w.GCPauses == 0 {
		return "no pauses"
	}
	return fmt.Sprintf("%d pauses, the longest at most %s", w.GCPauses, duration(w.GCPauseMaxNs))
}

// byteCount formats n with three significant digits in decimal units.
func byteCount(n uint64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), 0
	for f >= 999.5 && unit < 4 {
		f /= 1000
		unit++
	}
	return significant(f) + " " + [...]string{"B", "kB", "MB", "GB", "TB"}[unit]
}

// duration formats nanoseconds with three significant digits.
func duration(ns uint64) string {
	f, unit := float64(ns), 0
	for f >= 999.5 && unit < 3 {
		f /= 1000
		unit++
	}
	return significant(f) + " " + [...]string{"ns", "µs", "ms", "s"}[unit]
}

func significant(f float64) string {
	switch {
	case f == float64(int64(f)) || f >= 99.95:
		return fmt.Sprintf("%.0f", f)
	case f >= 9.995:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

package main

import (
	"context"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

const (
	sampleEvery = time.Second
	// The least time between two samples, so that several views, or one that
	// polls often, can't fill the history with very short intervals.
	sampleGap = 100 * time.Millisecond
	// How far back show_monitor and a newly opened view can look.
	historyLength = 10 * time.Minute
)

// A Sample is the state of the process at one moment. Allocation, pauses and
// latencies are those since the previous sample.
type Sample struct {
	Seq                 int64  `json:"seq" jsonschema:"number of the sample, counted from 1"`
	Time                int64  `json:"time" jsonschema:"when it was taken, in Unix milliseconds"`
	HeapBytes           uint64 `json:"heapBytes" jsonschema:"memory occupied by heap objects"`
	HeapGoalBytes       uint64 `json:"heapGoalBytes" jsonschema:"heap size at which the garbage collector finishes its next cycle"`
	MappedBytes         uint64 `json:"mappedBytes" jsonschema:"all memory that the Go runtime has mapped"`
	AllocBytesPerSecond uint64 `json:"allocBytesPerSecond" jsonschema:"heap allocation rate since the previous sample, in bytes per second"`
	Goroutines          uint64 `json:"goroutines" jsonschema:"live goroutines"`
	GCCycles            uint64 `json:"gcCycles" jsonschema:"garbage collections since the process started"`
	GCPauses            uint64 `json:"gcPauses" jsonschema:"stop-the-world pauses of the garbage collector since the previous sample"`
	GCPauseMaxNs        uint64 `json:"gcPauseMaxNs" jsonschema:"upper bound of the longest of these pauses, in nanoseconds; 0 if there was no pause"`
	SchedLatencyP50Ns   uint64 `json:"schedLatencyP50Ns" jsonschema:"median time that a runnable goroutine waited for a processor since the previous sample, in nanoseconds; 0 if no wait was measured"`
	SchedLatencyP99Ns   uint64 `json:"schedLatencyP99Ns" jsonschema:"99th percentile of that time, in nanoseconds; 0 if no wait was measured"`
}

// A reading has the values of runtime/metrics at one moment.
type reading struct {
	at                            time.Time
	heap, goal, mapped, allocated uint64
	goroutines, cycles            uint64
	pauses, latencies             histogram
}

var metricNames = []string{
	"/memory/classes/heap/objects:bytes",
	"/gc/heap/goal:bytes",
	"/memory/classes/total:bytes",
	"/gc/heap/allocs:bytes",
	"/sched/goroutines:goroutines",
	"/gc/cycles/total:gc-cycles",
	"/sched/pauses/total/gc:seconds",
	"/sched/latencies:seconds",
}

// readMetrics reads the metrics of this process.
func readMetrics() reading {
	s := make([]metrics.Sample, len(metricNames))
	for i, name := range metricNames {
		s[i].Name = name
	}
	metrics.Read(s)
	return reading{
		at:         time.Now(),
		heap:       s[0].Value.Uint64(),
		goal:       s[1].Value.Uint64(),
		mapped:     s[2].Value.Uint64(),
		allocated:  s[3].Value.Uint64(),
		goroutines: s[4].Value.Uint64(),
		cycles:     s[5].Value.Uint64(),
		pauses:     copyHistogram(s[6].Value.Float64Histogram()),
		latencies:  copyHistogram(s[7].Value.Float64Histogram()),
	}
}

// A sampler keeps the recent history of the process. Its methods may be called
// concurrently.
type sampler struct {
	read func() reading
	now  func() time.Time

	mu      sync.Mutex
	last    reading
	samples []Sample // oldest first
}

// newSampler returns a sampler that has taken its first sample.
func newSampler(read func() reading) *sampler {
	s := &sampler{read: read, now: time.Now}
	s.sample()
	return s
}

// run takes a sample whenever the newest one is a second old, until ctx is done.
func (s *sampler) run(ctx context.Context) {
	timer := time.NewTimer(sampleEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			timer.Reset(s.tick())
		}
	}
}

// tick takes a sample if one is due, and returns the time until the next. A sample
// that a view requested postpones the next one, so that polling does not double
// the rate.
func (s *sampler) tick() time.Duration {
	s.mu.Lock()
	age := s.now().Sub(s.last.at)
	s.mu.Unlock()
	if age < sampleEvery {
		return sampleEvery - age
	}
	s.sample()
	return sampleEvery
}

// sample takes a sample and returns it. If the newest one is younger than
// sampleGap, it returns that instead.
func (s *sampler) sample() Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.read()
	if n := len(s.samples); n > 0 && r.at.Sub(s.last.at) < sampleGap {
		return s.samples[n-1]
	}
	next := r.sampleSince(s.last)
	if n := len(s.samples); n > 0 {
		next.Seq = s.samples[n-1].Seq + 1
	}
	s.last = r
	oldest := r.at.Add(-historyLength).UnixMilli()
	drop := 0
	for drop < len(s.samples) && s.samples[drop].Time < oldest {
		drop++
	}
	s.samples = append(s.samples[drop:], next)
	return next
}

// recent returns a copy of the samples that are at most window older than the newest.
func (s *sampler) recent(window time.Duration) []Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := s.last.at.Add(-window).UnixMilli()
	first := 0
	for first < len(s.samples) && s.samples[first].Time < oldest {
		first++
	}
	return slices.Clone(s.samples[first:])
}

// newest returns a copy of the last n samples, of all if there are fewer.
func (s *sampler) newest(n int) []Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.samples[max(0, len(s.samples)-n):])
}

// sampleSince makes a sample from two readings. For the first reading, whose prev
// is zero, it omits the counters: they go back to the start of the process and
// would dwarf all later values.
func (r reading) sampleSince(prev reading) Sample {
	s := Sample{
		Seq:           1,
		Time:          r.at.UnixMilli(),
		HeapBytes:     r.heap,
		HeapGoalBytes: r.goal,
		MappedBytes:   r.mapped,
		Goroutines:    r.goroutines,
		GCCycles:      r.cycles,
	}
	if prev.at.IsZero() {
		return s
	}
	s.AllocBytesPerSecond = uint64(float64(r.allocated-prev.allocated) / r.at.Sub(prev.at).Seconds())
	pauses := r.pauses.since(prev.pauses)
	s.GCPauses = pauses.total()
	s.GCPauseMaxNs = nanoseconds(pauses.quantile(1))
	latencies := r.latencies.since(prev.latencies)
	s.SchedLatencyP50Ns = nanoseconds(latencies.quantile(0.5))
	s.SchedLatencyP99Ns = nanoseconds(latencies.quantile(0.99))
	return s
}

func nanoseconds(seconds float64) uint64 { return uint64(max(0, seconds) * 1e9) }

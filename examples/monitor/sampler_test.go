package main

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A testClock makes readings at times that the test sets.
type testClock struct {
	mu sync.Mutex
	reading
	s *sampler
}

func (c *testClock) read() reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reading
}

func (c *testClock) sampler() *sampler {
	c.at = time.UnixMilli(1_000_000)
	c.s = newSampler(c.read)
	c.s.now = func() time.Time { return c.at }
	return c.s
}

// advance takes a sample some time after the last one.
func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	c.at = c.at.Add(d)
	c.mu.Unlock()
	c.s.sample()
}

func TestSamplerDeltas(t *testing.T) {
	c := &testClock{}
	c.allocated, c.heap = 5000, 700
	c.pauses = histogram{counts: []uint64{0, 9, 9, 9, 0}, edges: edges}
	c.latencies = c.pauses
	s := c.sampler()

	first := s.recent(time.Minute)
	require.Len(t, first, 1)
	assert.Equal(t, Sample{Seq: 1, Time: 1_000_000, HeapBytes: 700}, first[0], "the first sample has no counters")

	c.at = c.at.Add(500 * time.Millisecond)
	c.allocated += 1000
	c.cycles = 1
	c.pauses = histogram{counts: []uint64{0, 9, 11, 9, 0}, edges: edges}
	c.latencies = histogram{counts: []uint64{0, 99, 9, 10, 0}, edges: edges}
	got := s.sample()
	assert.Equal(t, Sample{
		Seq: 2, Time: 1_000_500, HeapBytes: 700, AllocBytesPerSecond: 2000, GCCycles: 1,
		GCPauses: 2, GCPauseMaxNs: 2e9, SchedLatencyP50Ns: 1e9, SchedLatencyP99Ns: 4e9,
	}, got)
}

func TestSamplerPace(t *testing.T) {
	c := &testClock{}
	s := c.sampler()

	c.at = c.at.Add(sampleGap - 1)
	assert.EqualValues(t, 1, s.sample().Seq, "too soon after the previous sample")
	c.at = c.at.Add(1)
	assert.EqualValues(t, 2, s.sample().Seq)

	// A requested sample postpones the next one.
	c.at = c.at.Add(sampleEvery - 300*time.Millisecond)
	assert.Equal(t, 300*time.Millisecond, s.tick())
	assert.Len(t, s.recent(time.Hour), 2)
	c.at = c.at.Add(300 * time.Millisecond)
	assert.Equal(t, sampleEvery, s.tick())
	assert.Len(t, s.recent(time.Hour), 3)
}

func TestSamplerHistory(t *testing.T) {
	c := &testClock{}
	s := c.sampler()
	total := 2 * int(historyLength/time.Second)
	for range total - 1 {
		c.at = c.at.Add(time.Second)
		s.sample()
	}
	all := s.recent(time.Hour)
	assert.Len(t, all, total/2+1, "the history is bounded")
	assert.EqualValues(t, total, all[len(all)-1].Seq)

	recent := s.recent(10 * time.Second)
	assert.Len(t, recent, 11)
	assert.Equal(t, recent[8:], s.newest(3))
	assert.Equal(t, all, s.newest(total), "there are fewer")

	recent[0].Seq = -1
	s.newest(1)[0].Seq = -1
	assert.Equal(t, all[len(all)-11:], s.recent(10*time.Second), "callers get copies")
}

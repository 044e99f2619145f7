package preview

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func eventIDs(events []event) (list []int64) {
	for _, e := range events {
		list = append(list, e.id)
	}
	return list
}

// The byte limit applies to all buffers together.
func TestBuffersShareByteLimit(t *testing.T) {
	all := &buffers{most: 100}
	idle, busy := all.newBuffer(), all.newBuffer()
	for range 8 {
		idle.add(make([]byte, 10))
	}
	for range 4 {
		busy.add(make([]byte, 10))
	}
	assert.Equal(t, 100, all.bytes)
	assert.Equal(t, []int64{3, 4, 5, 6, 7, 8}, eventIDs(idle.after(0)), "the largest buffer drops its oldest events")
	assert.Equal(t, []int64{1, 2, 3, 4}, eventIDs(busy.after(0)))
	assert.Equal(t, []int64{4}, eventIDs(busy.after(3)), "acknowledged events are dropped")
	assert.Equal(t, 70, all.bytes)
	busy.add(make([]byte, 1000))
	assert.Equal(t, []int64{5}, eventIDs(busy.after(4)), "a single event is never dropped")
	busy.close()
	busy.add(make([]byte, 10))
	assert.Empty(t, busy.after(0))
	idle.close()
	assert.Zero(t, all.bytes)
	assert.Empty(t, all.open)
}

package preview

import "sync"

// Bounds of the events that wait for pages, in bytes.
const (
	tabBuffer  = 64 << 20
	allBuffers = 256 << 20
)

// buffers are the events that wait for all pages together. Where there are too
// many bytes of them, those of the page that has most are dropped, oldest first:
// a page that nobody reads any more does not cost the others their events.
type buffers struct {
	mu    sync.Mutex
	most  int // bytes, allBuffers but in tests
	bytes int
	open  map[*buffer]struct{}
}

// A buffer holds the events for one page that it has not acknowledged by asking
// for later ones.
type buffer struct {
	all  *buffers
	wake chan struct{} // has a value when there are new events

	// all.mu guards these.
	events []event
	last   int64
	bytes  int
}

type event struct {
	id   int64
	data []byte
}

// newBuffer returns an empty buffer. Close it.
func (bs *buffers) newBuffer() *buffer {
	b := &buffer{all: bs, wake: make(chan struct{}, 1)}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.open == nil {
		bs.open = make(map[*buffer]struct{})
	}
	bs.open[b] = struct{}{}
	return b
}

// add adds an event, unless the buffer is closed. The newest event is never
// dropped.
func (b *buffer) add(data []byte) {
	bs := b.all
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if _, open := bs.open[b]; !open {
		return
	}
	b.last++
	b.events = append(b.events, event{b.last, data})
	b.bytes += len(data)
	bs.bytes += len(data)
	for b.bytes > tabBuffer && len(b.events) > 1 {
		b.drop()
	}
	for bs.bytes > bs.most {
		largest := b
		for other := range bs.open {
			if other.bytes > largest.bytes {
				largest = other
			}
		}
		if len(largest.events) < 2 {
			break
		}
		largest.drop()
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// after returns the events after id, and drops those up to it.
func (b *buffer) after(id int64) []event {
	b.all.mu.Lock()
	defer b.all.mu.Unlock()
	for len(b.events) > 0 && b.events[0].id <= id {
		b.drop()
	}
	return append([]event(nil), b.events...)
}

// drop drops the oldest event. all.mu is held.
func (b *buffer) drop() {
	n := len(b.events[0].data)
	b.events[0].data = nil
	b.events = b.events[1:]
	b.bytes -= n
	b.all.bytes -= n
}

// close drops all events, and those to come.
func (b *buffer) close() {
	b.all.mu.Lock()
	defer b.all.mu.Unlock()
	delete(b.all.open, b)
	b.all.bytes -= b.bytes
	b.bytes, b.events = 0, nil
}

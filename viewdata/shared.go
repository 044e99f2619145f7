package viewdata

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxKeys         = 10_000   // with a value or a computation
	maxHeld         = 64 << 20 // bytes of values and of the arguments that their keys are made of
	maxComputations = 1_000    // at the same time
	maxOfOwner      = 250      // of these, begun by one owner's calls
	idlePeriods     = 5        // after which a value that nobody asks for is removed
)

// An owner is who begins computations: the part of a [viewstate.Key] that all keys of a
// user have in common. Clients over HTTP without a user are one owner together.
type owner [16]byte

func ownerOf(ctx context.Context, req *mcp.CallToolRequest) owner {
	key := viewstate.KeyFor(ctx, req, "viewdata\x00live") // for clients without a user, all the same
	return owner(key[:])
}

// A snapshot is a value at a moment, encoded once for all views.
type snapshot struct {
	started       time.Time
	version, text string
	err           error
	done          chan struct{}   // closed when the fields above are set
	limit         context.Context // ends with the time that the computation may take
}

// An entry is what a group has for one key.
type entry[K comparable] struct {
	key       K
	arguments int // bytes of those that the key was made of
	value     int // bytes of the last value, 0 while it is computed
	last      *snapshot
	polled    time.Time
}

// A group shares the computations of one live tool between all calls with the same key.
type group[K comparable] struct {
	every, timeout time.Duration
	log            *slog.Logger
	compute        func(context.Context, K) (version, text string, err error)

	mu      sync.Mutex
	entries map[K]*list.Element
	recent  list.List // of *entry[K], the one that was asked for last in front
	held    int       // bytes of all entries
	running int
	of      map[owner]int // the running ones of each owner who has any
	sweeper *time.Timer   // nil while there are no entries
}

func newGroup[K comparable](o LiveOptions, compute func(context.Context, K) (string, string, error)) *group[K] {
	return &group[K]{
		every: o.Every, timeout: o.Timeout, log: logger(o.Logger), compute: compute,
		entries: make(map[K]*list.Element), of: make(map[owner]int),
	}
}

var (
	errBusy      = errors.New("too many values are being computed: try again")
	errOwnerBusy = errors.New("you have too many values being computed: try again")
)

// value returns the value of a key, not older than a period, and waits for its
// computation. The computation continues if ctx ends. The owner is the caller's, and
// arguments the number of bytes that the key may keep of a call.
func (g *group[K]) value(ctx context.Context, o owner, k K, arguments int) (*snapshot, error) {
	s, err := g.current(o, k, arguments)
	if err != nil {
		return nil, err
	}
	select {
	case <-s.done:
	case <-ctx.Done():
	case <-s.limit.Done():
	}
	if s.running() && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.running() {
		return nil, fmt.Errorf("the value was not computed within %v", g.timeout)
	}
	return s, s.err
}

// current returns the snapshot of a key for this period, which may still be computed.
func (g *group[K]) current(o owner, k K, arguments int) (*snapshot, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	g.removeIdle(now)
	el := g.entries[k]
	if el != nil {
		e := el.Value.(*entry[K])
		e.polled = now
		g.recent.MoveToFront(el)
		if e.last.running() || now.Sub(e.last.started) < g.every {
			return e.last, nil
		}
	}
	if g.of[o] >= maxOfOwner {
		return nil, errOwnerBusy
	}
	if g.running >= maxComputations {
		return nil, errBusy
	}
	s := g.start(o, k, now)
	if el != nil {
		e := el.Value.(*entry[K])
		e.last = s
		g.hold(e, 0)
		return s, nil
	}
	if g.recent.Len() >= maxKeys {
		g.evict(now)
	}
	g.entries[k] = g.recent.PushFront(&entry[K]{key: k, arguments: arguments, last: s, polled: now})
	g.held += arguments
	g.fit(now)
	if g.sweeper == nil {
		g.sweeper = time.AfterFunc(g.idle(), g.sweep)
	}
	return s, nil
}

func (s *snapshot) running() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// start begins a computation, in no call's context: each of them may end before the
// others.
func (g *group[K]) start(o owner, k K, now time.Time) *snapshot {
	ctx, cancel := context.WithTimeout(context.Background(), g.timeout)
	s := &snapshot{started: now, done: make(chan struct{}), limit: ctx}
	g.running++
	g.of[o]++
	go func() {
		s.err = errors.New("the value can't be computed") // if the function panics or ends the goroutine
		size := 0
		defer func() {
			if p := recover(); p != nil {
				g.log.Error("viewdata: the function of a live tool panicked", "panic", p, "stack", string(debug.Stack()))
			}
			g.finish(o, k, s, size)
			cancel()
		}()
		version, text, err := g.compute(ctx, k)
		size = len(version) + len(text)
		if err != nil {
			size += len(err.Error())
		}
		s.version, s.text, s.err = version, text, err
	}()
	return s
}

// finish publishes a snapshot, which is kept if its entry is still there and has room.
func (g *group[K]) finish(o owner, k K, s *snapshot, size int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(s.done)
	g.running--
	if g.of[o]--; g.of[o] == 0 {
		delete(g.of, o)
	}
	el := g.entries[k]
	if el == nil || el.Value.(*entry[K]).last != s {
		return
	}
	e := el.Value.(*entry[K])
	g.hold(e, size)
	if e.arguments+e.value > maxHeld {
		g.remove(el)
		return
	}
	g.fit(time.Now())
}

// hold sets the size of an entry's value.
func (g *group[K]) hold(e *entry[K], value int) {
	g.held += value - e.value
	e.value = value
}

// fit removes values until there is room for the others.
func (g *group[K]) fit(now time.Time) {
	for g.held > maxHeld && g.evict(now) {
	}
}

// evict removes the value that was asked for least recently. One that is being computed
// stays: see removeIdle.
func (g *group[K]) evict(now time.Time) bool {
	for range g.recent.Len() {
		el := g.recent.Back()
		if !g.keepRunning(el, now) {
			g.remove(el)
			return true
		}
	}
	return false
}

func (g *group[K]) idle() time.Duration { return idlePeriods * g.every }

// removeIdle removes the values that nobody has asked for lately. One that is being
// computed stays, so that a function which hangs is not called again.
func (g *group[K]) removeIdle(now time.Time) {
	for {
		el := g.recent.Back()
		if el == nil {
			return
		}
		if now.Sub(el.Value.(*entry[K]).polled) < g.idle() {
			return
		}
		if !g.keepRunning(el, now) {
			g.remove(el)
		}
	}
}

// keepRunning reports whether the value of an entry is being computed. If it is, the
// entry counts as asked for now.
func (g *group[K]) keepRunning(el *list.Element, now time.Time) bool {
	e := el.Value.(*entry[K])
	if !e.last.running() {
		return false
	}
	e.polled = now
	g.recent.MoveToFront(el)
	return true
}

func (g *group[K]) remove(el *list.Element) {
	e := el.Value.(*entry[K])
	delete(g.entries, e.key)
	g.recent.Remove(el)
	g.held -= e.arguments + e.value
}

// sweep removes idle values while no calls come, until the group is empty.
func (g *group[K]) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.removeIdle(time.Now())
	g.sweeper = nil
	if g.recent.Len() > 0 {
		g.sweeper = time.AfterFunc(g.idle(), g.sweep)
	}
}

const versionSize = 12

// hash returns the version of a value: the same for equal values in all replicas.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:])[:versionSize]
}

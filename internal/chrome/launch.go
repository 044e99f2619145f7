package chrome

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Browser is a running Chromium with a profile of its own.
type Browser struct {
	process *process
	conn    conn
	product string
	once    sync.Once

	outgoing chan []byte   // to the goroutine that writes
	done     chan struct{} // closed when the connection has ended

	mu       sync.Mutex
	nextID   int
	pending  map[int]*call
	pages    map[string]*Page // by session: those of the frames in other processes too
	contexts []execContext
	urls     map[frameKey]string // of the documents in frames
	loading  map[frameKey]bool   // frames that load a document
}

// A conn carries messages between this program and a browser. One goroutine
// reads and another writes.
type conn interface {
	read() ([]byte, error)
	write(msg []byte) error
	// close ends reads and writes that wait. It may be called more than once.
	close()
}

// Launch starts the browser at path. The context bounds the start alone, which
// in any case takes at most a minute.
func Launch(ctx context.Context, path string) (*Browser, error) {
	start := startOverPipe
	if runtime.GOOS == "windows" { // where a child inherits no descriptors beyond the standard ones
		start = startOverPort
	}
	return launch(ctx, path, start)
}

type startFunc func(ctx context.Context, path string) (*process, conn, error)

func launch(ctx context.Context, path string, start startFunc) (*Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	p, c, err := start(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	b := newBrowser(c)
	b.process = p
	var version struct{ Product string }
	if err := b.result(ctx, "Browser.getVersion", nil, &version); err != nil {
		c.close()
		p.kill()
		return nil, fmt.Errorf("starting %s: %w", path, p.explain(err, ctx.Err() == nil))
	}
	b.product = strings.TrimPrefix(version.Product, "Headless")
	return b, nil
}

// Product returns the browser's name and version, such as "Chrome/156.0.7400.1".
func (b *Browser) Product() string { return b.product }

func newBrowser(c conn) *Browser {
	b := &Browser{
		conn: c, outgoing: make(chan []byte), done: make(chan struct{}),
		pending: make(map[int]*call), pages: make(map[string]*Page), urls: make(map[frameKey]string), loading: make(map[frameKey]bool),
	}
	go b.read()
	go b.write()
	return b
}

// Err returns an error once the browser has ended, and nil before.
func (b *Browser) Err() error {
	select {
	case <-b.done:
	default:
		return nil
	}
	err := errBrowserGone
	if !b.process.waitFor(time.Second) {
		return err
	}
	return b.process.explain(err, true)
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	b.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if _, err := b.call(ctx, "", "Browser.close", nil); err == nil {
			b.process.waitFor(3 * time.Second)
		}
		b.conn.close()
		b.process.kill()
	})
}

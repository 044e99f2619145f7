package viewstate

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"
)

// MemoryOptions configures a [Memory]. The zero value of each field is its default.
type MemoryOptions struct {
	// Documents is the largest number of documents, 100,000 by default. At the bound,
	// a new document replaces the least recently used one of users, or of clients over
	// HTTP without a user if those have more than half of Documents.
	Documents int
	// PerOwner is the largest number of documents of one owner, 1,000 by default. At the
	// bound, a new document replaces the owner's least recently used one. Over HTTP
	// without a user, each id is an owner: see [KeyFor].
	PerOwner int
	// Bytes is the largest number of bytes of all values, 256 MiB by default. Beyond
	// it, the least recently used documents of users are removed, or those of clients
	// over HTTP without a user while those have more than half of Bytes. An owner has
	// at most an eighth of Bytes: beyond it, the owner's least recently used documents
	// are removed, and a Put of a larger value fails.
	Bytes int64
	// Expiry is how long a document is kept after its last Put, 30 days by default.
	Expiry time.Duration
}

// A Memory is a [Store] in the memory of the process, for a server that runs once and
// whose documents may be lost when it ends. It is bounded, takes constant time for each
// operation, and starts no goroutine. It is safe for concurrent use.
//
// A client over HTTP without a user can be any number of owners, as each id is one: see
// [KeyFor]. The documents of all such clients together therefore take the place of users'
// documents only until they have half of the store.
type Memory struct {
	o     MemoryOptions
	rates rates

	mu     sync.Mutex
	docs   map[Key]*document
	owners map[ownerKey]*documents
	// Those of clients without a user, and those of users.
	anonymous, users documents
	put              list.List // all, from the first Put to the last
}

// documents are those that bounds hold for together.
type documents struct {
	used  list.List // from the most recently used to the least
	bytes int64     // of their values
}

// A document is an element of three lists.
type document struct {
	key              Key
	record           Record
	at               time.Time // of the last Put
	used, own, byPut *list.Element
}

// NewMemory returns an empty store. It keeps no reference to o, which may be nil. A
// negative number is the default, as 0 is.
func NewMemory(o *MemoryOptions) *Memory {
	m := &Memory{docs: make(map[Key]*document), owners: make(map[ownerKey]*documents)}
	if o != nil {
		m.o = *o
	}
	m.o.Documents = orDefault(m.o.Documents, 100_000)
	m.o.PerOwner = orDefault(m.o.PerOwner, 1000)
	m.o.Bytes = orDefault(m.o.Bytes, 256<<20)
	m.o.Expiry = orDefault(m.o.Expiry, defaultExpiry)
	return m
}

func orDefault[T int | int64 | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, key Key) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(time.Now().Add(-m.o.Expiry))
	d := m.docs[key]
	if d == nil {
		return Record{}, ErrNotFound
	}
	m.use(d)
	return d.copy(), nil
}

// Put implements [Store].
func (m *Memory) Put(ctx context.Context, key Key, value []byte, version int64) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	if int64(len(value)) > m.bytesPerOwner() {
		return Record{}, fmt.Errorf("viewstate: the value has %d bytes, and all documents of an owner may have %d, an eighth of MemoryOptions.Bytes", len(value), m.bytesPerOwner())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.expire(now.Add(-m.o.Expiry))
	d := m.docs[key]
	switch {
	case d == nil && version == 0:
		d = m.add(key)
	case d == nil:
		return Record{}, ErrConflict
	case d.record.Version != version:
		m.use(d)
		return d.copy(), ErrConflict
	}
	m.count(d, int64(len(value)-len(d.record.Value)))
	d.record = Record{Value: bytes.Clone(value), Version: version + 1}
	d.at = now
	m.use(d)
	m.put.MoveToBack(d.byPut)
	// The document is the first of its lists and fits, so others are removed.
	for own := m.owners[key.owner()]; own.bytes > m.bytesPerOwner(); {
		m.remove(own.oldest())
	}
	for m.anonymous.bytes+m.users.bytes > m.o.Bytes {
		m.remove(m.displaced(m.anonymous.bytes > m.o.Bytes/2))
	}
	return d.copy(), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, key Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.docs[key]; d != nil {
		m.remove(d)
	}
	return nil
}

// Expire implements [Store]. A document that has expired is absent without it, and is
// removed by the next Get or Put of any document.
func (m *Memory) Expire(ctx context.Context, before time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(before)
	return nil
}

// add makes a document, after removing those that the bounds leave no room for.
func (m *Memory) add(key Key) *document {
	if own := m.owners[key.owner()]; own != nil && own.used.Len() >= m.o.PerOwner {
		m.remove(own.oldest())
	} else if len(m.docs) >= m.o.Documents {
		anonymous := m.anonymous.used.Len()
		if key.anonymous() {
			anonymous++
		}
		m.remove(m.displaced(anonymous > m.o.Documents/2))
	}
	own := m.owners[key.owner()]
	if own == nil {
		own = new(documents)
		m.owners[key.owner()] = own
	}
	d := &document{key: key}
	d.used, d.own, d.byPut = m.kind(key).used.PushFront(d), own.used.PushFront(d), m.put.PushBack(d)
	m.docs[key] = d
	return d
}

func (m *Memory) bytesPerOwner() int64 { return m.o.Bytes / 8 }

// kind returns the documents among which a document competes for the whole store.
func (m *Memory) kind(key Key) *documents {
	if key.anonymous() {
		return &m.anonymous
	}
	return &m.users
}

// displaced returns the document to remove from a full store. The argument says whether
// clients without a user have more than half of it.
func (m *Memory) displaced(anonymous bool) *document {
	if anonymous && m.anonymous.used.Len() > 0 || m.users.used.Len() == 0 {
		return m.anonymous.oldest()
	}
	return m.users.oldest()
}

// oldest returns the least recently used document. There has to be one.
func (d *documents) oldest() *document { return d.used.Back().Value.(*document) }

func (m *Memory) use(d *document) {
	m.kind(d.key).used.MoveToFront(d.used)
	m.owners[d.key.owner()].used.MoveToFront(d.own)
}

// count adds to the bytes of a document.
func (m *Memory) count(d *document, bytes int64) {
	m.kind(d.key).bytes += bytes
	m.owners[d.key.owner()].bytes += bytes
}

func (m *Memory) remove(d *document) {
	m.count(d, -int64(len(d.record.Value)))
	m.kind(d.key).used.Remove(d.used)
	m.put.Remove(d.byPut)
	own := m.owners[d.key.owner()]
	if own.used.Remove(d.own); own.used.Len() == 0 {
		delete(m.owners, d.key.owner())
	}
	delete(m.docs, d.key)
}

// expire removes the documents whose last Put was before a time.
func (m *Memory) expire(before time.Time) {
	for e := m.put.Front(); e != nil && e.Value.(*document).at.Before(before); e = m.put.Front() {
		m.remove(e.Value.(*document))
	}
}

func (d *document) copy() Record {
	return Record{Value: bytes.Clone(d.record.Value), Version: d.record.Version}
}

func (m *Memory) sharedRates() *rates { return &m.rates }

package viewstate

import (
	"context"
	"encoding/binary"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func docKey(owner, document uint32) (k Key) {
	binary.BigEndian.PutUint32(k[:], owner)
	binary.BigEndian.PutUint32(k[16:], document)
	return k
}

// anonymous is added to the number of an owner that is a client without a user.
const anonymous = anonymousBit << 24

// create stores documents of an owner in order.
func create(t *testing.T, st Store, owner uint32, documents ...uint32) {
	t.Helper()
	for _, d := range documents {
		_, err := st.Put(t.Context(), docKey(owner, d), []byte("v"), 0)
		require.NoError(t, err)
	}
}

// held returns which of the documents 1 to 9 of an owner are held, without using them.
func held(m *Memory, owner uint32) (documents []uint32) {
	for d := range uint32(10) {
		if m.docs[docKey(owner, d)] != nil {
			documents = append(documents, d)
		}
	}
	return documents
}

// consistent checks that the lists and sums hold the same documents.
func consistent(t *testing.T, m *Memory) {
	t.Helper()
	assert.Equal(t, len(m.docs), m.put.Len())
	type sum struct {
		documents int
		bytes     int64
	}
	kinds, owners := make(map[bool]sum), make(map[ownerKey]sum)
	for k, d := range m.docs {
		n := int64(len(d.record.Value))
		kind, owner := kinds[k.anonymous()], owners[k.owner()]
		kinds[k.anonymous()] = sum{kind.documents + 1, kind.bytes + n}
		owners[k.owner()] = sum{owner.documents + 1, owner.bytes + n}
	}
	assert.Equal(t, kinds[true], sum{m.anonymous.used.Len(), m.anonymous.bytes})
	assert.Equal(t, kinds[false], sum{m.users.used.Len(), m.users.bytes})
	assert.Len(t, m.owners, len(owners))
	for k, own := range m.owners {
		assert.Equal(t, owners[k], sum{own.used.Len(), own.bytes})
	}
}

func TestMemoryBounds(t *testing.T) {
	t.Run("of an owner", func(t *testing.T) {
		m := NewMemory(&MemoryOptions{PerOwner: 3})
		create(t, m, 1, 1, 2, 3)
		create(t, m, 2, 1)
		_, err := m.Get(t.Context(), docKey(1, 1)) // now 2 is the least recently used
		require.NoError(t, err)
		create(t, m, 1, 4)
		assert.Equal(t, []uint32{1, 3, 4}, held(m, 1))
		assert.Equal(t, []uint32{1}, held(m, 2), "another owner's, though older")
		_, err = m.Put(t.Context(), docKey(1, 3), []byte("w"), 1)
		require.NoError(t, err)
		create(t, m, 1, 5)
		assert.Equal(t, []uint32{3, 4, 5}, held(m, 1))
		consistent(t, m)
	})
	t.Run("in all", func(t *testing.T) {
		m := NewMemory(&MemoryOptions{Documents: 3})
		create(t, m, 1, 1)
		create(t, m, 2, 1, 2)
		_, err := m.Get(t.Context(), docKey(1, 1))
		require.NoError(t, err)
		create(t, m, 3, 1)
		assert.Equal(t, []uint32{1}, held(m, 1))
		assert.Equal(t, []uint32{2}, held(m, 2))
		create(t, m, 4, 1, 2, 3)
		assert.Len(t, m.owners, 1, "owners without documents are forgotten")
		consistent(t, m)
	})
	put := func(t *testing.T, m *Memory, owner, d uint32, value string, version int64) {
		t.Helper()
		_, err := m.Put(t.Context(), docKey(owner, d), []byte(value), version)
		require.NoError(t, err)
	}
	t.Run("of an owner's bytes", func(t *testing.T) {
		for _, owner := range []uint32{1, anonymous + 1} {
			m := NewMemory(&MemoryOptions{Bytes: 80})
			put(t, m, 2, 1, "1234567890", 0)
			put(t, m, owner, 1, "1234", 0)
			put(t, m, owner, 2, "1234", 0)
			put(t, m, owner, 1, "123456", 1)
			assert.Equal(t, []uint32{1, 2}, held(m, owner))
			put(t, m, owner, 1, "1234567", 2)
			assert.Equal(t, []uint32{1}, held(m, owner))
			put(t, m, owner, 2, "1234567890", 0)
			assert.Equal(t, []uint32{2}, held(m, owner))
			_, err := m.Put(t.Context(), docKey(owner, 3), []byte("12345678901"), 0)
			assert.EqualError(t, err, "viewstate: the value has 11 bytes, and all documents of an owner may have 10, an eighth of MemoryOptions.Bytes")
			assert.Equal(t, []uint32{2}, held(m, owner))
			assert.Equal(t, []uint32{1}, held(m, 2), "another owner's, though older")
			consistent(t, m)
		}
	})
	t.Run("of bytes", func(t *testing.T) {
		m := NewMemory(&MemoryOptions{Bytes: 80})
		for owner := range uint32(10) {
			put(t, m, owner, 1, "12345678", 0)
		}
		_, err := m.Get(t.Context(), docKey(0, 1))
		require.NoError(t, err)
		put(t, m, 10, 1, "1", 0)
		assert.Equal(t, []uint32{1}, held(m, 0), "used since")
		assert.Empty(t, held(m, 1))
		assert.Len(t, m.docs, 10)
		put(t, m, 2, 1, "1234567890", 1) // 75 bytes
		assert.Len(t, m.docs, 10)
		consistent(t, m)
	})
}

// TestMemoryWithoutUsers: clients without a user, each with as many ids as it likes,
// leave users half of the store, and get all that users don't need.
func TestMemoryWithoutUsers(t *testing.T) {
	const invented = 1000
	for name, o := range map[string]MemoryOptions{
		"documents": {Documents: 20},
		"bytes":     {Bytes: 20 * 8},
	} {
		t.Run(name, func(t *testing.T) {
			m := NewMemory(&o)
			owners := func(first, n uint32) {
				t.Helper()
				for i := range n {
					_, err := m.Put(t.Context(), docKey(first+i, 1), []byte("12345678"), 0)
					require.NoError(t, err)
				}
			}
			count := func(users, anonymous int) {
				t.Helper()
				assert.Equal(t, users, m.users.used.Len())
				assert.Equal(t, anonymous, m.anonymous.used.Len())
				consistent(t, m)
			}
			owners(anonymous, invented)
			count(0, 20)
			owners(1, 4)
			count(4, 16)
			owners(anonymous+invented, invented)
			count(4, 16)
			assert.Equal(t, []uint32{1}, held(m, anonymous+2*invented-16))
			assert.Empty(t, held(m, anonymous+2*invented-17), "the least recently used one")

			owners(5, 16)
			count(10, 10)
			assert.Empty(t, held(m, 10), "users have half of the store, and the rest if it is free")
			owners(anonymous+2*invented, invented)
			count(10, 10)
			for owner := range uint32(10) {
				assert.Equal(t, []uint32{1}, held(m, 11+owner))
			}

			m = NewMemory(&o)
			owners(1, 20)
			count(20, 0)
			owners(anonymous, 1)
			count(19, 1)
			assert.Empty(t, held(m, 1), "the least recently used one")
			owners(anonymous+1, invented)
			count(10, 10)
		})
	}
	t.Run("one document", func(t *testing.T) {
		m := NewMemory(&MemoryOptions{Documents: 1})
		for _, owner := range []uint32{1, anonymous, anonymous + 1, 2} {
			create(t, m, owner, 1)
			assert.Equal(t, []uint32{1}, held(m, owner))
			consistent(t, m)
		}
	})
}

// TestMemoryExpiry: documents are absent at once when they expire, and use no memory
// after the next call.
func TestMemoryExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(&MemoryOptions{Expiry: time.Hour})
		create(t, m, 1, 1)
		time.Sleep(30 * time.Minute)
		create(t, m, 2, 1)
		r, err := m.Get(t.Context(), docKey(1, 1)) // a Get does not prolong
		require.NoError(t, err)
		assert.EqualValues(t, 1, r.Version)
		time.Sleep(30 * time.Minute)
		_, err = m.Get(t.Context(), docKey(1, 1))
		require.NoError(t, err)
		time.Sleep(time.Nanosecond)
		r, err = m.Put(t.Context(), docKey(1, 1), nil, 1)
		assert.ErrorIs(t, err, ErrConflict)
		assert.Zero(t, r)
		assert.Len(t, m.docs, 1)
		_, err = m.Put(t.Context(), docKey(2, 1), []byte("w"), 1) // a Put does
		require.NoError(t, err)
		time.Sleep(time.Hour)
		_, err = m.Get(t.Context(), docKey(2, 1))
		require.NoError(t, err)
		time.Sleep(time.Nanosecond)
		_, err = m.Get(t.Context(), docKey(2, 1))
		assert.ErrorIs(t, err, ErrNotFound)
		assert.Empty(t, m.docs)

		create(t, m, 1, 1, 2)
		time.Sleep(30 * time.Minute)
		_, err = m.Put(t.Context(), docKey(1, 1), nil, 1) // the first of the two then expires last
		require.NoError(t, err)
		time.Sleep(30*time.Minute + time.Nanosecond)
		_, err = m.Get(t.Context(), docKey(1, 2))
		assert.ErrorIs(t, err, ErrNotFound)
		assert.Equal(t, []uint32{1}, held(m, 1))
		consistent(t, m)
	})
}

func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r rates
		a, b := docKey(1, 1).owner(), docKey(2, 1).owner()
		allowed := func(owner ownerKey) (n int, wait time.Duration) {
			ok := true
			for ; ok && n < 1000; n++ {
				wait, ok = r.allow(owner, 20)
			}
			return n - 1, wait
		}
		n, wait := allowed(a)
		assert.Equal(t, 40, n, "the burst")
		assert.Equal(t, 50*time.Millisecond, wait)
		n, _ = allowed(b)
		assert.Equal(t, 40, n, "another owner's")
		time.Sleep(wait - 1)
		_, ok := r.allow(a, 20)
		assert.False(t, ok)
		time.Sleep(time.Nanosecond)
		n, _ = allowed(a)
		assert.Equal(t, 1, n)
		for range 100 { // across changes of maps
			time.Sleep(130 * time.Millisecond)
			got, _ := allowed(a)
			n += got
		}
		assert.Equal(t, 1+100*130/50, n)
		time.Sleep(time.Hour)
		n, _ = allowed(a)
		assert.Equal(t, 40, n)

		var owner ownerKey
		for i := range uint32(5 * mostOwners) {
			binary.BigEndian.PutUint32(owner[4:], i)
			r.allow(owner, 20)
		}
		assert.LessOrEqual(t, len(r.full)+len(r.older), 2*mostOwners)
	})
}

// TestDone: a context that is done fails, whatever the store holds.
func TestDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := NewMemory(nil)
	_, err := m.Get(ctx, Key{})
	assert.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, ErrNotFound)
}

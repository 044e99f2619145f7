package storetest

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/viewstate"
)

func TestMemory(t *testing.T) {
	Test(t, func(*testing.T) viewstate.Store { return viewstate.NewMemory(nil) })
}

// broken is a store whose methods may be replaced.
type broken struct {
	*viewstate.Memory
	get    func(context.Context, viewstate.Key) (viewstate.Record, error)
	put    func(context.Context, viewstate.Key, []byte, int64) (viewstate.Record, error)
	delete func(context.Context, viewstate.Key) error
	expire func(context.Context, time.Time) error
}

func (b *broken) Get(ctx context.Context, k viewstate.Key) (viewstate.Record, error) {
	return b.get(ctx, k)
}

func (b *broken) Put(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
	return b.put(ctx, k, value, version)
}

func (b *broken) Delete(ctx context.Context, k viewstate.Key) error  { return b.delete(ctx, k) }
func (b *broken) Expire(ctx context.Context, before time.Time) error { return b.expire(ctx, before) }

// TestBroken shows that each property fails for a store that does not have it.
func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		property string
		spoil    func(b *broken, m *viewstate.Memory)
	}{
		"the last one wins": {"Conflict", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, _ int64) (viewstate.Record, error) {
				r, _ := m.Get(ctx, k)
				return m.Put(ctx, k, value, r.Version)
			}
		}},
		"creation replaces": {"Create at once", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				if version == 0 {
					m.Delete(ctx, k)
				}
				return m.Put(ctx, k, value, version)
			}
		}},
		"compares, then sets": {"Add at once", func(b *broken, m *viewstate.Memory) {
			// The first two that replace the same version both compare before either sets.
			var once atomic.Int32
			var both sync.WaitGroup
			both.Add(2)
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				if r, _ := m.Get(ctx, k); r.Version != version {
					return r, viewstate.ErrConflict
				}
				if version == 0 && once.Add(1) <= 2 {
					both.Done()
					both.Wait()
				}
				r, err := m.Put(ctx, k, value, version)
				if err != nil {
					return m.Put(ctx, k, value, r.Version)
				}
				return r, err
			}
		}},
		"a conflict without the record": {"Conflict", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				r, err := m.Put(ctx, k, value, version)
				if err != nil {
					return viewstate.Record{}, err
				}
				return r, nil
			}
		}},
		"a version of an absent document creates it": {"Absent", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				if _, err := m.Get(ctx, k); err != nil {
					version = 0
				}
				return m.Put(ctx, k, value, version)
			}
		}},
		"versions stay": {"Versions", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				m.Delete(ctx, k)
				return m.Put(ctx, k, value, 0)
			}
		}},
		"empty values are absent": {"Bytes", func(b *broken, m *viewstate.Memory) {
			b.get = func(ctx context.Context, k viewstate.Key) (viewstate.Record, error) {
				r, err := m.Get(ctx, k)
				if err == nil && len(r.Value) == 0 {
					return viewstate.Record{}, viewstate.ErrNotFound
				}
				return r, err
			}
		}},
		"values are text": {"Bytes", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				return m.Put(ctx, k, bytes.ToValidUTF8(value, []byte("?")), version)
			}
		}},
		"keys are cut": {"Keys", func(b *broken, m *viewstate.Memory) {
			cut := func(k viewstate.Key) viewstate.Key { k[31] = 0; return k }
			b.get = func(ctx context.Context, k viewstate.Key) (viewstate.Record, error) { return m.Get(ctx, cut(k)) }
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				return m.Put(ctx, cut(k), value, version)
			}
		}},
		"keeps what it takes": {"Aliases", func(b *broken, m *viewstate.Memory) {
			kept := make(map[viewstate.Key][]byte)
			b.get = func(ctx context.Context, k viewstate.Key) (viewstate.Record, error) {
				r, err := m.Get(ctx, k)
				return viewstate.Record{Value: bytes.Clone(kept[k]), Version: r.Version}, err
			}
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				kept[k] = value
				return m.Put(ctx, k, value, version)
			}
		}},
		"returns what it keeps": {"Aliases", func(b *broken, m *viewstate.Memory) {
			kept := make(map[viewstate.Key]viewstate.Record)
			b.get = func(ctx context.Context, k viewstate.Key) (viewstate.Record, error) {
				if r, ok := kept[k]; ok {
					return r, nil
				}
				r, err := m.Get(ctx, k)
				kept[k] = r
				return r, err
			}
		}},
		"Delete of an absent document fails": {"Delete", func(b *broken, m *viewstate.Memory) {
			b.delete = func(ctx context.Context, k viewstate.Key) error {
				if _, err := m.Get(ctx, k); err != nil {
					return err
				}
				return m.Delete(ctx, k)
			}
		}},
		"deletes nothing": {"Delete", func(b *broken, m *viewstate.Memory) {
			b.delete = func(context.Context, viewstate.Key) error { return nil }
		}},
		"nothing expires": {"Expire", func(b *broken, m *viewstate.Memory) {
			b.expire = func(ctx context.Context, _ time.Time) error { return ctx.Err() }
		}},
		"all expires": {"Expire", func(b *broken, m *viewstate.Memory) {
			b.expire = func(ctx context.Context, _ time.Time) error { return m.Expire(ctx, time.Now().Add(time.Hour)) }
		}},
		"goes on without a context": {"Context", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				return m.Put(context.WithoutCancel(ctx), k, value, version)
			}
		}},
		"every error is a conflict": {"Context", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				r, err := m.Put(ctx, k, value, version)
				if err != nil {
					err = viewstate.ErrConflict
				}
				return r, err
			}
		}},
		"always a conflict": {"Add at once", func(b *broken, m *viewstate.Memory) {
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				return viewstate.Record{}, viewstate.ErrConflict
			}
		}},
		"fails at times": {"Add at once", func(b *broken, m *viewstate.Memory) {
			var calls atomic.Int32
			b.put = func(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
				if calls.Add(1) == 50 {
					return viewstate.Record{}, errors.New("busy")
				}
				return m.Put(ctx, k, value, version)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			found := false
			for _, p := range properties {
				if p.name != c.property {
					continue
				}
				found = true
				m := viewstate.NewMemory(nil)
				b := &broken{Memory: m, get: m.Get, put: m.Put, delete: m.Delete, expire: m.Expire}
				c.spoil(b, m)
				err := p.check(t.Context(), b)
				assert.Error(t, err)
				t.Log(err)
			}
			assert.True(t, found, c.property)
		})
	}
}

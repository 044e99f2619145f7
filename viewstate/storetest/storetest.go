// Package storetest tests implementations of [viewstate.Store].
package storetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/viewstate"
)

// Test checks a store, in a subtest for each property. Each gets an empty store from open,
// which registers what has to be closed with its t.Cleanup. The store keeps at least 300
// documents of one owner.
//
//	func TestStore(t *testing.T) {
//		storetest.Test(t, func(t *testing.T) viewstate.Store { return mystore.Open(t.TempDir()) })
//	}
func Test(t *testing.T, open func(t *testing.T) viewstate.Store) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			if err := p.check(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A property is something that a store must do.
type property struct {
	name  string
	check func(ctx context.Context, st viewstate.Store) error
}

var properties = []property{
	{"Absent", checkAbsent},
	{"Versions", checkVersions},
	{"Conflict", checkConflict},
	{"Bytes", checkBytes},
	{"Keys", checkKeys},
	{"Aliases", checkAliases},
	{"Delete", checkDelete},
	{"Expire", checkExpire},
	{"Context", checkContext},
	{"Create at once", checkCreateAtOnce},
	{"Add at once", checkAddAtOnce},
}

// key returns the key of a document of an owner.
func key(owner, document uint32) (k viewstate.Key) {
	binary.BigEndian.PutUint32(k[:], owner)
	binary.BigEndian.PutUint32(k[16:], document)
	return k
}

// put stores a value and checks what Put returns.
func put(ctx context.Context, st viewstate.Store, k viewstate.Key, value []byte, version int64) error {
	r, err := st.Put(ctx, k, value, version)
	if err != nil {
		return fmt.Errorf("st.Put replacing version %d: %w", version, err)
	}
	if r.Version != version+1 || !bytes.Equal(r.Value, value) {
		return fmt.Errorf("st.Put replacing version %d returned %s: want version %d and the value", version, show(r), version+1)
	}
	return nil
}

// has checks that a document has a value and a version.
func has(ctx context.Context, st viewstate.Store, k viewstate.Key, value []byte, version int64) error {
	r, err := st.Get(ctx, k)
	if err != nil {
		return fmt.Errorf("st.Get of version %d: %w", version, err)
	}
	if want := (viewstate.Record{Value: value, Version: version}); !same(r, want) {
		return fmt.Errorf("st.Get returned %s: want %s", show(r), show(want))
	}
	return nil
}

// absent checks that a document does not exist.
func absent(ctx context.Context, st viewstate.Store, k viewstate.Key) error {
	if r, err := st.Get(ctx, k); !errors.Is(err, viewstate.ErrNotFound) || !same(r, viewstate.Record{}) {
		return fmt.Errorf("st.Get of a document that does not exist returned %s and the error %v: want the zero Record and ErrNotFound", show(r), err)
	}
	return nil
}

// conflicts checks that a document is not replaced, and that its record is returned.
func conflicts(ctx context.Context, st viewstate.Store, k viewstate.Key, version int64, current viewstate.Record) error {
	r, err := st.Put(ctx, k, []byte("not to be stored"), version)
	if !errors.Is(err, viewstate.ErrConflict) || !same(r, current) {
		return fmt.Errorf("st.Put replacing version %d of %s returned %s and the error %v: want the current record and ErrConflict", version, show(current), show(r), err)
	}
	return nil
}

func same(a, b viewstate.Record) bool {
	return a.Version == b.Version && bytes.Equal(a.Value, b.Value)
}

func show(r viewstate.Record) string {
	if len(r.Value) > 40 {
		return fmt.Sprintf("version %d with %d bytes", r.Version, len(r.Value))
	}
	return fmt.Sprintf("version %d with %q", r.Version, r.Value)
}

func checkAbsent(ctx context.Context, st viewstate.Store) error {
	return errors.Join(
		absent(ctx, st, key(1, 1)),
		conflicts(ctx, st, key(1, 1), 1, viewstate.Record{}),
		absent(ctx, st, key(1, 1)),
	)
}

func checkVersions(ctx context.Context, st viewstate.Store) error {
	for version := range int64(20) {
		value := fmt.Appendf(nil, "value %d", version)
		if err := errors.Join(put(ctx, st, key(1, 1), value, version), has(ctx, st, key(1, 1), value, version+1)); err != nil {
			return err
		}
	}
	return nil
}

func checkConflict(ctx context.Context, st viewstate.Store) error {
	if err := errors.Join(put(ctx, st, key(1, 1), []byte("a"), 0), put(ctx, st, key(1, 1), []byte("b"), 1)); err != nil {
		return err
	}
	current := viewstate.Record{Value: []byte("b"), Version: 2}
	for _, version := range []int64{0, 1, 3, -1} {
		if err := conflicts(ctx, st, key(1, 1), version, current); err != nil {
			return err
		}
	}
	return has(ctx, st, key(1, 1), current.Value, current.Version)
}

// checkBytes stores values that a text column, a C string or a JSON column would change.
func checkBytes(ctx context.Context, st viewstate.Store) error {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	values := [][]byte{{}, nil, all, []byte(" {\"b\": 1.0,\n\"a\":\"\\u00e9\"} "), []byte("\x00"), []byte("é\xff'\"\\$1?%"), bytes.Repeat(all, 4096)}
	for i, value := range values {
		k := key(1, uint32(i))
		err := errors.Join(put(ctx, st, k, value, 0), has(ctx, st, k, value, 1), conflicts(ctx, st, k, 0, viewstate.Record{Value: value, Version: 1}))
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKeys uses keys that differ in one bit, at the beginning, in the middle or at the end.
func checkKeys(ctx context.Context, st viewstate.Store) error {
	keys := []viewstate.Key{{}}
	for bit := range 8 * len(viewstate.Key{}) {
		var k viewstate.Key
		k[bit/8] = 1 << (bit % 8)
		keys = append(keys, k)
	}
	for i, k := range keys {
		if err := errors.Join(absent(ctx, st, k), put(ctx, st, k, fmt.Append(nil, i), 0)); err != nil {
			return fmt.Errorf("key %x: %w", k, err)
		}
	}
	for i, k := range keys {
		if err := has(ctx, st, k, fmt.Append(nil, i), 1); err != nil {
			return fmt.Errorf("key %x: %w", k, err)
		}
	}
	return nil
}

// checkAliases changes values after the store has taken or returned them.
func checkAliases(ctx context.Context, st viewstate.Store) error {
	k, want := key(1, 1), []byte("value")
	taken := bytes.Clone(want)
	stored, err := st.Put(ctx, k, taken, 0)
	if err != nil {
		return fmt.Errorf("st.Put: %w", err)
	}
	clobber := func(b []byte) {
		for i := range b {
			b[i] = '!'
		}
		copy(b[len(b):cap(b)], bytes.Repeat([]byte("!"), cap(b)))
	}
	clobber(taken)
	if err := has(ctx, st, k, want, 1); err != nil {
		return fmt.Errorf("after a change of what Put took: %w", err)
	}
	clobber(stored.Value)
	if err := has(ctx, st, k, want, 1); err != nil {
		return fmt.Errorf("after a change of what Put returned: %w", err)
	}
	got, err := st.Get(ctx, k)
	if err != nil {
		return fmt.Errorf("st.Get: %w", err)
	}
	clobber(got.Value)
	if err := has(ctx, st, k, want, 1); err != nil {
		return fmt.Errorf("after a change of what Get returned: %w", err)
	}
	current, _ := st.Put(ctx, k, nil, 0)
	clobber(current.Value)
	if err := has(ctx, st, k, want, 1); err != nil {
		return fmt.Errorf("after a change of what a Put in conflict returned: %w", err)
	}
	return nil
}

func checkDelete(ctx context.Context, st viewstate.Store) error {
	if err := st.Delete(ctx, key(1, 1)); err != nil {
		return fmt.Errorf("st.Delete of a document that does not exist: %w", err)
	}
	if err := errors.Join(put(ctx, st, key(1, 1), []byte("a"), 0), put(ctx, st, key(1, 2), []byte("b"), 0)); err != nil {
		return err
	}
	if err := st.Delete(ctx, key(1, 1)); err != nil {
		return fmt.Errorf("st.Delete: %w", err)
	}
	return errors.Join(
		absent(ctx, st, key(1, 1)),
		has(ctx, st, key(1, 2), []byte("b"), 1),
		conflicts(ctx, st, key(1, 1), 1, viewstate.Record{}),
		put(ctx, st, key(1, 1), []byte("again"), 0),
	)
}

// checkExpire uses times that are far from now, since stores may have clocks of their own.
func checkExpire(ctx context.Context, st viewstate.Store) error {
	if err := errors.Join(put(ctx, st, key(1, 1), []byte("a"), 0), put(ctx, st, key(2, 1), []byte("b"), 0)); err != nil {
		return err
	}
	now := time.Now()
	if err := st.Expire(ctx, now.Add(-time.Hour)); err != nil {
		return fmt.Errorf("st.Expire: %w", err)
	}
	if err := errors.Join(has(ctx, st, key(1, 1), []byte("a"), 1), has(ctx, st, key(2, 1), []byte("b"), 1)); err != nil {
		return fmt.Errorf("after Expire of documents that are an hour old: %w", err)
	}
	if err := st.Expire(ctx, now.Add(time.Hour)); err != nil {
		return fmt.Errorf("st.Expire: %w", err)
	}
	if err := errors.Join(absent(ctx, st, key(1, 1)), absent(ctx, st, key(2, 1))); err != nil {
		return fmt.Errorf("after Expire of all documents: %w", err)
	}
	return put(ctx, st, key(1, 1), []byte("again"), 0)
}

// checkContext calls each method with a context that is done.
func checkContext(ctx context.Context, st viewstate.Store) error {
	if err := put(ctx, st, key(1, 1), []byte("a"), 0); err != nil {
		return err
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, get := st.Get(done, key(1, 1))
	_, replace := st.Put(done, key(1, 1), []byte("b"), 1)
	for method, err := range map[string]error{"Get": get, "Put": replace, "Delete": st.Delete(done, key(1, 1)), "Expire": st.Expire(done, time.Now().Add(time.Hour))} {
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s with a context that is canceled returned the error %v: want one that wraps context.Canceled", method, err)
		}
	}
	return has(ctx, st, key(1, 1), []byte("a"), 1)
}

const atOnce = 8 // goroutines

// race calls f from several goroutines at once.
func race(f func(i int) error) error {
	start, errs := make(chan struct{}), make(chan error, atOnce)
	for i := range atOnce {
		go func() {
			<-start
			errs <- f(i)
		}()
	}
	close(start)
	var all error
	for range atOnce {
		all = errors.Join(all, <-errs)
	}
	return all
}

// checkCreateAtOnce creates each of several documents several times: one wins.
func checkCreateAtOnce(ctx context.Context, st viewstate.Store) error {
	for n := range uint32(20) {
		won := make(chan []byte, atOnce)
		err := race(func(i int) error {
			value := fmt.Append(nil, i)
			_, err := st.Put(ctx, key(1, n), value, 0)
			switch {
			case err == nil:
				won <- value
			case !errors.Is(err, viewstate.ErrConflict):
				return fmt.Errorf("st.Put at the same time as others: %w", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(won) != 1 {
			return fmt.Errorf("%d of %d that created a document at the same time succeeded: want 1", len(won), atOnce)
		}
		if err := has(ctx, st, key(1, n), <-won, 1); err != nil {
			return err
		}
	}
	return nil
}

// checkAddAtOnce lets several goroutines add to one number: nothing is lost.
func checkAddAtOnce(ctx context.Context, st viewstate.Store) error {
	const each = 25
	number := func(value []byte) (n uint64) {
		if len(value) == 8 {
			n = binary.BigEndian.Uint64(value)
		}
		return n
	}
	err := race(func(int) error {
		var current viewstate.Record
		for range each {
			for {
				value := binary.BigEndian.AppendUint64(nil, number(current.Value)+1)
				r, err := st.Put(ctx, key(1, 1), value, current.Version)
				if err != nil && !errors.Is(err, viewstate.ErrConflict) {
					return fmt.Errorf("st.Put at the same time as others: %w", err)
				}
				if err != nil && r.Version <= current.Version {
					return fmt.Errorf("st.Put replacing version %d returned ErrConflict with %s: want a later version", current.Version, show(r))
				}
				if current = r; err == nil {
					break
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r, err := st.Get(ctx, key(1, 1))
	if err != nil {
		return fmt.Errorf("st.Get: %w", err)
	}
	if n := number(r.Value); n != atOnce*each || r.Version != atOnce*each {
		return fmt.Errorf("%d goroutines added 1 %d times each, and the sum is %d at version %d: want %d", atOnce, each, n, r.Version, atOnce*each)
	}
	return nil
}

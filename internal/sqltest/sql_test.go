package sqltest

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/mcpapps-go/mcpapps/viewstate/storetest"
)

func TestStore(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		storetest.Test(t, func(t *testing.T) viewstate.Store {
			return d.store(t, d.create(t)(), nil)
		})
	})
}

// TestReplicas: two processes on one database see each other's documents, and lose none.
func TestReplicas(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		open := d.create(t)
		stores := []viewstate.Store{d.store(t, open(), nil), d.store(t, open(), nil)}
		k := docKey(1, 1)
		r, err := stores[0].Put(t.Context(), k, []byte("a"), 0)
		require.NoError(t, err)
		got, err := stores[1].Get(t.Context(), k)
		require.NoError(t, err)
		assert.Equal(t, r, got)
		got, err = stores[1].Put(t.Context(), k, []byte("b"), 0)
		assert.ErrorIs(t, err, viewstate.ErrConflict)
		assert.Equal(t, r, got)
		require.NoError(t, stores[1].Delete(t.Context(), k))
		_, err = stores[0].Get(t.Context(), k)
		assert.ErrorIs(t, err, viewstate.ErrNotFound)

		storetest.Test(t, func(t *testing.T) viewstate.Store {
			open := d.create(t)
			return &alternating{stores: [2]viewstate.Store{d.store(t, open(), nil), d.store(t, open(), nil)}}
		})
	})
}

func docKey(owner, document uint32) (k viewstate.Key) {
	binary.BigEndian.PutUint32(k[:], owner)
	binary.BigEndian.PutUint32(k[16:], document)
	return k
}

// rows returns the documents of an owner that the table has.
func rows(t *testing.T, db *sql.DB, owner uint32) (documents []uint32) {
	t.Helper()
	all, err := db.QueryContext(t.Context(), `SELECT key FROM mcpapps_viewstate ORDER BY key`)
	require.NoError(t, err)
	defer all.Close()
	for all.Next() {
		var k []byte
		require.NoError(t, all.Scan(&k))
		require.Len(t, k, 32)
		if binary.BigEndian.Uint32(k) == owner {
			documents = append(documents, binary.BigEndian.Uint32(k[16:]))
		}
	}
	require.NoError(t, all.Err())
	return documents
}

// age makes all documents older.
func age(t *testing.T, db *sql.DB, by time.Duration) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), fmt.Sprintf(`UPDATE mcpapps_viewstate SET put = put - %d`, by.Milliseconds()))
	require.NoError(t, err)
}

// TestBoundOfOwner: a new document removes the owner's that were put first.
func TestBoundOfOwner(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		db := d.create(t)()
		st := d.store(t, db, &viewstate.SQLOptions{PerOwner: 3})
		put := func(owner, document uint32, version int64) {
			t.Helper()
			_, err := st.Put(t.Context(), docKey(owner, document), []byte("v"), version)
			require.NoError(t, err)
			age(t, db, time.Second)
		}
		put(2, 1, 0)
		put(3, 1, 0)
		for document := range uint32(3) {
			put(2<<8, document, 0) // an owner between two others
		}
		put(2<<8, 0, 1) // not new
		assert.Equal(t, []uint32{0, 1, 2}, rows(t, db, 2<<8))
		put(2<<8, 3, 0)
		assert.Equal(t, []uint32{0, 2, 3}, rows(t, db, 2<<8), "1 was put first")
		put(2<<8, 4, 0)
		assert.Equal(t, []uint32{0, 3, 4}, rows(t, db, 2<<8))
		assert.Equal(t, []uint32{1}, rows(t, db, 2), "another owner's, though older")
		assert.Equal(t, []uint32{1}, rows(t, db, 3))
	})
}

func TestExpiry(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		open := d.create(t)
		db := open()
		st := d.store(t, db, &viewstate.SQLOptions{Expiry: 24 * time.Hour})
		for document := range uint32(3) {
			_, err := st.Put(t.Context(), docKey(1, document), []byte("v"), 0)
			require.NoError(t, err)
		}
		age(t, db, 23*time.Hour)
		_, err := st.Put(t.Context(), docKey(1, 1), []byte("w"), 1) // prolongs
		require.NoError(t, err)
		age(t, db, 2*time.Hour)

		_, err = st.Get(t.Context(), docKey(1, 0))
		assert.ErrorIs(t, err, viewstate.ErrNotFound)
		r, err := st.Put(t.Context(), docKey(1, 0), []byte("x"), 1)
		assert.ErrorIs(t, err, viewstate.ErrConflict)
		assert.Zero(t, r)
		r, err = st.Put(t.Context(), docKey(1, 0), []byte("x"), 0)
		require.NoError(t, err)
		assert.EqualValues(t, 1, r.Version)
		r, err = st.Get(t.Context(), docKey(1, 1))
		require.NoError(t, err)
		assert.Equal(t, viewstate.Record{Value: []byte("w"), Version: 2}, r)
		assert.Equal(t, []uint32{0, 1, 2}, rows(t, db, 1), "within an hour nothing is removed")

		another := d.store(t, open(), &viewstate.SQLOptions{Expiry: 24 * time.Hour})
		_, err = another.Put(t.Context(), docKey(2, 1), nil, 0)
		require.NoError(t, err)
		assert.Equal(t, []uint32{0, 1}, rows(t, db, 1), "the first Put of a process removes")
	})
}

func TestTable(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		open := d.create(t)
		db := open()
		for _, name := range []string{`a"b`, "a b", "a;b", "1a", ".a", "a.", "a.b.c", "é", "a\n", strings.Repeat("a", 64)} {
			_, err := viewstate.NewSQL(t.Context(), db, d.dialect, &viewstate.SQLOptions{Table: name})
			assert.EqualError(t, err, fmt.Sprintf("viewstate.NewSQL: SQLOptions.Table is %q: use ASCII letters, digits and underscores", name))
		}
		schema := "main"
		if d.dialect == viewstate.PostgreSQL {
			schema = currentSchema(t, db)
		}
		a := d.store(t, db, &viewstate.SQLOptions{Table: "Order"}) // a keyword
		b := d.store(t, db, &viewstate.SQLOptions{Table: schema + ".Order"})
		other := d.store(t, db, nil)
		_, err := a.Put(t.Context(), docKey(1, 1), []byte("v"), 0)
		require.NoError(t, err)
		_, err = b.Get(t.Context(), docKey(1, 1))
		assert.NoError(t, err)
		_, err = other.Get(t.Context(), docKey(1, 1))
		assert.ErrorIs(t, err, viewstate.ErrNotFound)

		_, err = viewstate.NewSQL(t.Context(), nil, d.dialect, nil)
		assert.EqualError(t, err, "viewstate.NewSQL: the database is nil")
		_, err = viewstate.NewSQL(t.Context(), db, 0, nil)
		assert.EqualError(t, err, "viewstate.NewSQL: the dialect is 0: use viewstate.SQLite or viewstate.PostgreSQL")

		// Replicas start at the same time.
		errs := make(chan error)
		const n = 8
		for range n {
			db := open()
			go func() {
				_, err := viewstate.NewSQL(t.Context(), db, d.dialect, &viewstate.SQLOptions{Table: "at_once"})
				errs <- err
			}()
		}
		for range n {
			assert.NoError(t, <-errs)
		}
		db.Close()
		_, err = viewstate.NewSQL(t.Context(), db, d.dialect, nil)
		assert.ErrorContains(t, err, "viewstate.NewSQL: creating the table mcpapps_viewstate: ")
	})
}

// TestNoRightToCreate: a user of the database who may not create tables uses one.
func TestNoRightToCreate(t *testing.T) {
	d := databases[len(databases)-1]
	open := d.create(t)
	db := open()
	d.store(t, db, nil)
	schema := currentSchema(t, db)
	restricted := open()
	restricted.SetMaxOpenConns(1)
	for _, s := range []string{`CREATE ROLE reader`, `GRANT USAGE ON SCHEMA ` + schema + ` TO reader`,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON mcpapps_viewstate TO reader`, `SET ROLE reader`} {
		_, err := restricted.ExecContext(t.Context(), s)
		require.NoError(t, err)
	}
	_, err := restricted.ExecContext(t.Context(), `CREATE TABLE IF NOT EXISTS mcpapps_viewstate (n INT)`)
	require.Error(t, err)
	_, err = d.store(t, restricted, nil).Put(t.Context(), docKey(1, 1), []byte("v"), 0)
	assert.NoError(t, err)
}

func currentSchema(t *testing.T, db *sql.DB) (schema string) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT current_schema()`).Scan(&schema))
	return schema
}

// TestBusy: a store waits while another connection to SQLite writes, also without a
// busy timeout.
func TestBusy(t *testing.T) {
	open := sqlite(t, 2, "journal_mode(WAL)")
	d, db := databases[0], open()
	st := d.store(t, db, nil)
	other, err := open().Conn(t.Context())
	require.NoError(t, err)
	_, err = other.ExecContext(t.Context(), `BEGIN IMMEDIATE`)
	require.NoError(t, err)

	_, err = db.ExecContext(t.Context(), `DELETE FROM mcpapps_viewstate`)
	var busy interface{ Code() int }
	require.ErrorAs(t, err, &busy, "the driver does not wait itself")
	require.Equal(t, 5, busy.Code())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = st.Put(ctx, docKey(1, 1), []byte("v"), 0)
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	put := make(chan error)
	go func() {
		_, err := st.Put(t.Context(), docKey(1, 1), []byte("v"), 0)
		put <- err
	}()
	_, err = other.ExecContext(t.Context(), `COMMIT`)
	require.NoError(t, err)
	assert.NoError(t, <-put)
}

// TestDump: the database has no user and no id, in whatever form one would look for.
func TestDump(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		db := d.create(t)()
		st := d.store(t, db, nil)
		const user, subject = "ada@example.com", "quarterly-board"
		req := &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}, Header: http.Header{}}}
		derived, ok := viewstate.For(t.Context(), req, []byte("secret"), subject)
		require.True(t, ok)
		ids := []string{viewstate.New(), derived, "chosen-by-the-author"}
		for _, id := range ids {
			_, err := st.Put(t.Context(), viewstate.KeyFor(t.Context(), req, id), []byte(`{"filter":"open"}`), 0)
			require.NoError(t, err)
		}
		all, err := db.QueryContext(t.Context(), `SELECT * FROM mcpapps_viewstate`)
		require.NoError(t, err)
		defer all.Close()
		columns, err := all.Columns()
		require.NoError(t, err)
		var dump strings.Builder
		for all.Next() {
			values, targets := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
			require.NoError(t, all.Scan(targets...))
			for _, v := range values {
				fmt.Fprintf(&dump, "%s\n%x\n", v, v)
			}
		}
		require.NoError(t, all.Err())
		assert.Contains(t, dump.String(), hex.EncodeToString([]byte("open")), "the values are there")
		for _, secret := range append(ids, user, subject) {
			assert.NotContains(t, dump.String(), secret)
			assert.NotContains(t, dump.String(), hex.EncodeToString([]byte(secret)))
		}
	})
}

// TestErrors: an error of the database is not taken for an absent document.
func TestErrors(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		db := d.create(t)()
		st := d.store(t, db, nil)
		_, err := db.ExecContext(t.Context(), `DROP TABLE mcpapps_viewstate`)
		require.NoError(t, err)
		_, get := st.Get(t.Context(), viewstate.Key{})
		_, create := st.Put(t.Context(), viewstate.Key{}, nil, 0)
		_, replace := st.Put(t.Context(), viewstate.Key{}, nil, 1)
		for _, err := range []error{get, create, replace, st.Delete(t.Context(), viewstate.Key{}), st.Expire(t.Context(), time.Now())} {
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), "viewstate: "), err)
			assert.False(t, errors.Is(err, viewstate.ErrNotFound) || errors.Is(err, viewstate.ErrConflict), err)
		}
	})
}

package viewstate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// A Dialect is the kind of database of a [SQL].
type Dialect int

const (
	// SQLite is version 3.24 or later. Use one connection and a write-ahead log, with
	// modernc.org/sqlite for example:
	//
	//	db, err := sql.Open("sqlite", "file:state.db?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)")
	//	db.SetMaxOpenConns(1)
	//
	// Several connections are several times slower, and so are several processes, but
	// none of their saves is lost.
	SQLite Dialect = iota + 1
	// PostgreSQL is version 9.5 or later.
	PostgreSQL
)

// SQLOptions configures a [SQL]. The zero value of each field is its default.
type SQLOptions struct {
	// Table is the table's name, "mcpapps_viewstate" by default: ASCII letters, digits
	// and underscores, which may follow the name of a schema and a dot.
	Table string
	// PerOwner is the largest number of documents of one owner, 1,000 by default. At the
	// bound, a new document replaces the owner's document whose last Put was first. Over
	// HTTP without a user, each id is an owner: see [KeyFor].
	PerOwner int
	// Expiry is how long a document is kept after its last Put, 30 days by default.
	Expiry time.Duration
}

// A SQL is a [Store] in a table of a database, for documents that outlive the process, and
// for several processes that serve the same clients. It is safe for concurrent use.
//
// A document that has expired is absent at once. Its row is removed by a later Put, of
// which one an hour removes all such rows, so nobody has to call Expire. The number of all
// documents is bounded only by their expiry.
type SQL struct {
	db      *sql.DB
	o       SQLOptions
	rates   rates
	expired atomic.Int64 // when expired rows were last removed, in seconds

	get, insert, update, remove, bound, expire string // statements
}

var tableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$`)

// NewSQL returns a store in a database, and creates its table if it does not exist. The
// caller closes the database. It keeps no reference to o, which may be nil. A negative
// number in it is the default, as 0 is.
func NewSQL(ctx context.Context, db *sql.DB, d Dialect, o *SQLOptions) (*SQL, error) {
	s := &SQL{db: db}
	if o != nil {
		s.o = *o
	}
	s.o.PerOwner = orDefault(s.o.PerOwner, 1000)
	s.o.Expiry = orDefault(s.o.Expiry, defaultExpiry)
	if s.o.Table == "" {
		s.o.Table = "mcpapps_viewstate"
	}
	if db == nil {
		return nil, errors.New("viewstate.NewSQL: the database is nil")
	}
	if !tableName.MatchString(s.o.Table) {
		return nil, fmt.Errorf("viewstate.NewSQL: SQLOptions.Table is %q: use ASCII letters, digits and underscores", s.o.Table)
	}
	bytes, placeholder := "BLOB", "?"
	switch d {
	case SQLite:
	case PostgreSQL:
		bytes, placeholder = "BYTEA", "$"
	default:
		return nil, fmt.Errorf("viewstate.NewSQL: the dialect is %d: use viewstate.SQLite or viewstate.PostgreSQL", d)
	}
	table := `"` + strings.ReplaceAll(s.o.Table, ".", `"."`) + `"`
	statement := strings.NewReplacer("TABLE_", table, "BYTES_", bytes, "?", placeholder).Replace
	// The value is last, because SQLite reads all of a row that is before a column.
	create := statement(`CREATE TABLE IF NOT EXISTS TABLE_ (key BYTES_ PRIMARY KEY, version BIGINT NOT NULL, put BIGINT NOT NULL, value BYTES_ NOT NULL)`)
	s.get = statement(`SELECT version, value FROM TABLE_ WHERE key = ?1 AND put >= ?2`)
	s.insert = statement(`INSERT INTO TABLE_ AS t (key, version, put, value) VALUES (?1, 1, ?2, ?3)
		ON CONFLICT (key) DO UPDATE SET version = 1, put = excluded.put, value = excluded.value WHERE t.put < ?4`)
	s.update = statement(`UPDATE TABLE_ SET version = version + 1, put = ?1, value = ?2 WHERE key = ?3 AND version = ?4 AND put >= ?5`)
	s.remove = statement(`DELETE FROM TABLE_ WHERE key = ?1`)
	s.bound = statement(`DELETE FROM TABLE_ WHERE key IN (SELECT key FROM TABLE_
		WHERE key BETWEEN ?1 AND ?2 AND key <> ?3 ORDER BY put DESC LIMIT 9223372036854775807 OFFSET ?4)`)
	s.expire = statement(`DELETE FROM TABLE_ WHERE put < ?1`)

	// A table that can't be created may exist: the user of the database may have no right
	// to create one, and PostgreSQL fails for one of two processes that do so at once.
	exists := func() error {
		var n int
		return db.QueryRowContext(ctx, statement(`SELECT count(*) FROM TABLE_ WHERE key = ?1 AND version + put > 0 AND value IS NOT NULL`), []byte{}).Scan(&n)
	}
	if _, err := s.exec(ctx, create); err != nil && exists() != nil {
		return nil, fmt.Errorf("viewstate.NewSQL: creating the table %s: %w", s.o.Table, err)
	}
	return s, nil
}

// Get implements [Store].
func (s *SQL) Get(ctx context.Context, key Key) (Record, error) {
	var r Record
	err := s.patiently(ctx, func() error {
		return s.db.QueryRowContext(ctx, s.get, key[:], s.oldest(time.Now())).Scan(&r.Version, &r.Value)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, ErrNotFound
	}
	if err != nil {
		return Record{}, fmt.Errorf("viewstate: reading a document: %w", err)
	}
	return r, nil
}

// Put implements [Store]. It compares and replaces in one statement.
func (s *SQL) Put(ctx context.Context, key Key, value []byte, version int64) (Record, error) {
	if value == nil {
		value = []byte{} // nil is NULL
	}
	now := time.Now()
	var n int64
	var err error
	if version == 0 {
		n, err = s.exec(ctx, s.insert, key[:], now.UnixMilli(), value, s.oldest(now))
	} else {
		n, err = s.exec(ctx, s.update, now.UnixMilli(), value, key[:], version, s.oldest(now))
	}
	if err != nil {
		return Record{}, fmt.Errorf("viewstate: writing a document: %w", err)
	}
	if n == 0 {
		r, err := s.Get(ctx, key)
		if errors.Is(err, ErrNotFound) {
			return Record{}, ErrConflict
		}
		if err != nil {
			return Record{}, err
		}
		return r, ErrConflict
	}
	// The document is stored. If removing others fails, the next Put does it.
	if version == 0 {
		first, last := key, key
		for i := len(ownerKey{}); i < len(key); i++ {
			first[i], last[i] = 0, 0xff
		}
		s.exec(ctx, s.bound, first[:], last[:], key[:], s.o.PerOwner-1)
	}
	if before := s.expired.Load(); now.Unix()-before >= 3600 && s.expired.CompareAndSwap(before, now.Unix()) {
		s.exec(ctx, s.expire, s.oldest(now))
	}
	return Record{Value: append([]byte{}, value...), Version: version + 1}, nil
}

// Delete implements [Store].
func (s *SQL) Delete(ctx context.Context, key Key) error {
	if _, err := s.exec(ctx, s.remove, key[:]); err != nil {
		return fmt.Errorf("viewstate: deleting a document: %w", err)
	}
	return nil
}

// Expire implements [Store].
func (s *SQL) Expire(ctx context.Context, before time.Time) error {
	if _, err := s.exec(ctx, s.expire, before.UnixMilli()); err != nil {
		return fmt.Errorf("viewstate: removing expired documents: %w", err)
	}
	return nil
}

// oldest returns when documents were put that expire now.
func (s *SQL) oldest(now time.Time) int64 { return now.Add(-s.o.Expiry).UnixMilli() }

// exec returns how many rows a statement has changed.
func (s *SQL) exec(ctx context.Context, statement string, args ...any) (n int64, err error) {
	err = s.patiently(ctx, func() error {
		res, err := s.db.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}

// patience is how long a statement is repeated while another connection writes.
const patience = 5 * time.Second

// patiently repeats a statement while SQLite is busy. SQLite then has done nothing. It
// says so at once on a connection without a busy timeout, and in some cases on others.
func (s *SQL) patiently(ctx context.Context, run func() error) error {
	until := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := run()
		if err == nil || !isBusy(err) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// isBusy reports whether an error is SQLITE_BUSY, from a driver whose errors have a
// method that returns SQLite's code, as those of modernc.org/sqlite have.
func isBusy(err error) bool {
	const busy = 5 // in the low byte; the others say why
	var coded interface{ Code() int }
	return errors.As(err, &coded) && coded.Code()&0xff == busy
}

func (s *SQL) sharedRates() *rates { return &s.rates }

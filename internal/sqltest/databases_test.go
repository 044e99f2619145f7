package sqltest

import (
	"bufio"
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

// A database is one that tests open, empty at first.
type database struct {
	name    string
	dialect viewstate.Dialect
	// create makes an empty database and returns what opens it, each time with
	// connections of its own.
	create func(t *testing.T) (open func() *sql.DB)
}

var databases = []database{
	{"SQLite", viewstate.SQLite, func(t *testing.T) func() *sql.DB {
		return sqlite(t, 1, "journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)")
	}},
	{"SQLite with several connections", viewstate.SQLite, func(t *testing.T) func() *sql.DB {
		return sqlite(t, 4, "journal_mode(WAL)", "synchronous(NORMAL)")
	}},
	{"PostgreSQL", viewstate.PostgreSQL, postgres},
}

// each runs a test on all databases.
func each(t *testing.T, test func(t *testing.T, d database)) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) { test(t, d) })
	}
}

// store opens a store, and creates its table if it does not exist.
func (d database) store(t *testing.T, db *sql.DB, o *viewstate.SQLOptions) *viewstate.SQL {
	t.Helper()
	st, err := viewstate.NewSQL(t.Context(), db, d.dialect, o)
	require.NoError(t, err)
	return st
}

func sqlite(t *testing.T, connections int, pragmas ...string) func() *sql.DB {
	name := "file:" + filepath.Join(t.TempDir(), "state.db") + "?" + url.Values{"_pragma": pragmas}.Encode()
	return func() *sql.DB {
		db, err := sql.Open("sqlite", name)
		require.NoError(t, err)
		db.SetMaxOpenConns(connections)
		t.Cleanup(func() { db.Close() })
		return db
	}
}

var created atomic.Int64 // schemas in the cluster

// postgres makes a schema, which takes less time than a database.
func postgres(t *testing.T) func() *sql.DB {
	return postgresWith(t, "synchronous_commit=off")
}

func postgresWith(t *testing.T, settings string) func() *sql.DB {
	dir := cluster(t)
	schema := fmt.Sprintf("test%d", created.Add(1))
	open := func() *sql.DB {
		db, err := sql.Open("pgx", fmt.Sprintf("host=%s user=test dbname=postgres search_path=%s %s", dir, schema, settings))
		require.NoError(t, err)
		db.SetMaxOpenConns(8)
		t.Cleanup(func() { db.Close() })
		return db
	}
	_, err := open().ExecContext(t.Context(), "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	return open
}

// shared is the cluster that all tests use.
var shared struct {
	once    sync.Once
	dir     string // of the data and the socket
	missing string // why there is no cluster
	err     error
	stop    func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// cluster starts a PostgreSQL of this test binary, which listens on a socket in a
// temporary folder only.
func cluster(t *testing.T) (dir string) {
	t.Helper()
	shared.once.Do(func() { shared.dir, shared.missing, shared.err = startCluster() })
	if shared.missing != "" {
		testenv.Skip(t, shared.missing)
	}
	require.NoError(t, shared.err)
	return shared.dir
}

func startCluster() (dir, missing string, err error) {
	bin, err := binaries()
	if err != nil {
		return "", "PostgreSQL is missing: install it with ci/setup", nil
	}
	if dir, err = os.MkdirTemp("", "pg"); err != nil { // a socket's path is short
		return "", "", err
	}
	shared.stop = func() { os.RemoveAll(dir) }
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // PostgreSQL does not run as root
		uid, gid, err := unprivileged()
		if err != nil {
			return "", "", err
		}
		attr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			return "", "", err
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.SysProcAttr = dir, attr
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		return cmd
	}
	data := filepath.Join(dir, "data")
	initdb := command(filepath.Join(bin, "initdb"), "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("initdb: %w\n%s", err, out)
	}
	// The shell ends the server when its input ends, as it does when this program dies.
	server := command("sh", "-c", `"$@" </dev/null & read line; kill -QUIT $!; wait $!`, "sh",
		filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-c", "listen_addresses=")
	in, err := server.StdinPipe()
	if err != nil {
		return "", "", err
	}
	log, err := server.StderrPipe()
	if err != nil {
		return "", "", err
	}
	if err := server.Start(); err != nil {
		return "", "", err
	}
	shared.stop = func() {
		in.Close()
		server.Wait()
		os.RemoveAll(dir)
	}
	var lines bytes.Buffer
	scanner := bufio.NewScanner(log)
	for scanner.Scan() {
		lines.Write(append(scanner.Bytes(), '\n'))
		if strings.Contains(scanner.Text(), "ready to accept connections") {
			go func() { // the rest, so that the server can go on writing
				for scanner.Scan() {
				}
			}()
			return dir, "", nil
		}
	}
	return "", "", fmt.Errorf("PostgreSQL ended:\n%s", &lines)
}

// binaries returns the folder of PostgreSQL's programs, which Debian keeps out of PATH.
func binaries() (string, error) {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return "", err
	}
	return filepath.Dir(initdb), nil
}

func unprivileged() (uid, gid uint32, err error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return 0, 0, err
		}
	}
	id, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return 0, 0, err
	}
	group, err := strconv.ParseUint(u.Gid, 10, 32)
	return uint32(id), uint32(group), err
}

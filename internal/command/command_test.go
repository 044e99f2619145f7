package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test binary is also the commands that the tests start.
func TestMain(m *testing.M) {
	if f := modes[os.Getenv("COMMAND_TEST_MODE")]; f != nil {
		f()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var modes = map[string]func(){
	"echo": func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Println(in.Text())
		}
	},
	"deaf": func() { time.Sleep(time.Hour) },
	"fails": func() {
		fmt.Println("usage: server")
		fmt.Fprintln(os.Stderr, "config.toml is missing")
		os.Exit(3)
	},
	"noise": func() {
		fmt.Println("[INFO] started")
		fmt.Println(`{"level":"info","msg":"started"}`)
		fmt.Println(`{"level":"debug","sent":{"jsonrpc":"2.0","id":1}}`)
		fmt.Println("[1,2]")
		fmt.Println(strings.Repeat("x", 3000))
		fmt.Println()
		say(1)
		fmt.Println(`{"jsonrpc":"2.0","id":`)
		fmt.Println(`{"jsonrpc":"1.0","id":3,"result":{}}`)
		fmt.Println(`{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}`)
		say(2)
		fmt.Print(`{"jsonrpc":"2.0","method":"n","params":{"pid":3}}`) // a last line without an end
	},
	"long": func() {
		fmt.Println(strings.Repeat("x", 1<<20))
		time.Sleep(time.Hour)
	},
	"flood": func() {
		for {
			if _, err := fmt.Println("Listening on port 3000"); err != nil {
				return
			}
		}
	},
	"blank lines": func() {
		for {
			if _, err := fmt.Println(); err != nil {
				return
			}
		}
	},
	"blank errors": func() {
		for range 64 {
			_, _ = os.Stderr.WriteString(strings.Repeat("\n", 4<<10))
		}
		os.Exit(3)
	},
	"closes": func() {
		os.Stdout.Close()
		time.Sleep(time.Hour)
	},
}

func say(pid int) {
	fmt.Printf(`{"jsonrpc":"2.0","method":"n","params":{"pid":%d}}`+"\n", pid)
}

func pidOf(t *testing.T, msg jsonrpc.Message) int {
	t.Helper()
	require.IsType(t, &jsonrpc.Request{}, msg)
	var p struct{ PID int }
	require.NoError(t, json.Unmarshal(msg.(*jsonrpc.Request).Params, &p))
	return p.PID
}

func second[A, B any](_ A, b B) B { return b }

// startMode starts a command that is waited for no longer than a test can bear.
func startMode(t *testing.T, mode string, opts Options) *Process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	opts.Env = append(opts.Env, "COMMAND_TEST_MODE="+mode)
	if opts.MaxMessage == 0 {
		opts.MaxMessage = 64 << 10
	}
	p, err := start([]string{self}, opts, 100*time.Millisecond, 200*time.Millisecond)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func TestMessagesGoThereAndBack(t *testing.T) {
	p := startMode(t, "echo", Options{})
	for i := range 3 {
		sent := &jsonrpc.Request{Method: "n", Params: json.RawMessage(fmt.Sprintf(`{"pid":%d}`, i))}
		require.NoError(t, p.Write(t.Context(), sent))
		msg, err := p.Read(t.Context())
		require.NoError(t, err)
		assert.Equal(t, i, pidOf(t, msg))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	assert.ErrorIs(t, second(p.Read(ended)), context.Canceled)
	assert.ErrorIs(t, p.Write(ended, &jsonrpc.Request{Method: "n"}), context.Canceled)
	require.NoError(t, p.Close())
	assert.Equal(t, io.EOF, second(p.Read(t.Context())))
	assert.Error(t, p.Write(t.Context(), &jsonrpc.Request{Method: "n"}))
}

// What is not a message is passed over, reported, and not lost.
func TestNoise(t *testing.T) {
	var noise []string
	p := startMode(t, "noise", Options{Noise: func(line string) { noise = append(noise, line) }})
	read := func() (jsonrpc.Message, error) { return p.Read(t.Context()) }
	msg, err := read()
	require.NoError(t, err)
	assert.Equal(t, 1, pidOf(t, msg))
	msg, err = read()
	require.NoError(t, err)
	assert.Equal(t, 2, pidOf(t, msg))
	msg, err = read()
	require.NoError(t, err)
	assert.Equal(t, 3, pidOf(t, msg))
	assert.EqualError(t, second(read()), "the server's process ended")

	// Lines are reported as soon as they are read, which may be before the message
	// ahead of them is taken. After the end there are no more.
	assert.Equal(t, []string{
		"[INFO] started", `{"level":"info","msg":"started"}`, `{"level":"debug","sent":{"jsonrpc":"2.0","id":1}}`, "[1,2]",
		strings.Repeat("x", 1<<10) + "… (3000 bytes)",
		`{"jsonrpc":"2.0","id":`, `{"jsonrpc":"1.0","id":3,"result":{}}`, // malformed messages
		`{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}`, // two on one line
	}, noise)
	assert.True(t, strings.HasPrefix(p.Stdout(), "[INFO] started\n"))
	assert.Len(t, p.Stdout(), keptOutput)
}

func TestAProcessThatFails(t *testing.T) {
	var stderr strings.Builder
	p := startMode(t, "fails", Options{Stderr: &stderr})
	assert.EqualError(t, second(p.Read(t.Context())), `the server's process ended: exit status 3; in place of messages it wrote "usage: server"`)
	assert.Equal(t, "config.toml is missing\n", p.Stderr())
	assert.Equal(t, "config.toml is missing\n", stderr.String())
	assert.ErrorContains(t, p.Write(t.Context(), &jsonrpc.Request{Method: "n"}), "the server's process ended: exit status 3")
}

// All of the standard error is passed on, only its end is kept, and no line of it
// costs more than its length: blank ones as little as long ones.
func TestOnlyTheEndOfStandardErrorIsKept(t *testing.T) {
	passed := 0
	p := startMode(t, "blank errors", Options{Stderr: writerFunc(func(data []byte) { passed += len(data) })})
	assert.EqualError(t, second(p.Read(t.Context())), "the server's process ended: exit status 3")
	assert.Equal(t, 256<<10, passed)
	assert.Equal(t, strings.Repeat("\n", keptOutput), p.Stderr())

	w := stderrWriter{&Process{}}
	for _, data := range []string{"\n", strings.Repeat("\n", 1<<20), strings.Repeat("x", 1<<20)} {
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = w.Write([]byte(data)) }), 2.0)
		assert.LessOrEqual(t, cap(w.p.tail), 4*keptStderr)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(data []byte) (int, error) {
	f(data)
	return len(data), nil
}

func TestBounds(t *testing.T) {
	p := startMode(t, "long", Options{})
	err := second(p.Read(t.Context()))
	assert.ErrorIs(t, err, ErrTooLong)
	assert.ErrorContains(t, err, "65536 bytes")
	assert.Equal(t, strings.Repeat("x", keptOutput), p.Stdout())

	lines := 0
	p = startMode(t, "flood", Options{Noise: func(string) { lines++ }})
	assert.ErrorIs(t, second(p.Read(t.Context())), ErrFlood)
	assert.Equal(t, maxNoise, lines)

	p = startMode(t, "blank lines", Options{Noise: func(string) { t.Error("a blank line is reported") }})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	assert.ErrorIs(t, second(p.Read(ctx)), ErrFlood)

	p = startMode(t, "closes", Options{})
	assert.EqualError(t, second(p.Read(t.Context())), "the server closed its standard output")
}

// The end of a line does not count, whether the buffer holds the line or not.
func TestLimitOfALine(t *testing.T) {
	for _, limit := range []int{5, 16, 17, 32, 100} {
		for _, end := range []string{"", "\n", "\r\n"} {
			read := func(size int) ([]byte, error) {
				return readLine(bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", size)+end), 16), limit)
			}
			line, err := read(limit)
			require.NoError(t, err, "%d %q", limit, end)
			assert.Len(t, line, limit+len(end))
			assert.Equal(t, ErrTooLong, second(read(limit+1)), "%d %q", limit, end)
		}
	}
}

// A process that does not read is ended, by the way that works on every system.
func TestAProcessThatDoesNotRead(t *testing.T) {
	p := startMode(t, "deaf", Options{})
	msg := &jsonrpc.Request{Method: "n", Params: json.RawMessage(`{"x":"` + strings.Repeat("x", 1<<20) + `"}`)}
	assert.EqualError(t, p.Write(t.Context(), msg), "the server's process did not read its input for 200ms")
	select {
	case <-p.gone:
	case <-time.After(time.Minute):
		t.Fatal("it still runs")
	}
}

//go:build unix

package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

func init() {
	modes["orphan"] = func() {
		child := exec.Command("sleep", "600")
		child.Stdout = os.Stdout
		_ = child.Start()
		say(child.Process.Pid)
		os.Exit(8)
	}
	modes["escaped"] = func() {
		child := exec.Command("sleep", "600")
		child.Stdout = os.Stdout
		child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		_ = child.Start()
		say(child.Process.Pid)
		os.Exit(8)
	}
	modes["defector"] = func() {
		group, _ := syscall.Getpgid(os.Getppid())
		_ = syscall.Setpgid(0, group)
		in := make(chan os.Signal, 1)
		signal.Notify(in, syscall.SIGTERM)
		say(os.Getpid())
		<-in
		say(0)
		time.Sleep(time.Hour)
	}
	modes["stubborn"] = func() {
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command("sleep", "600")
		_ = child.Start()
		say(child.Process.Pid)
		time.Sleep(time.Hour)
	}
}

// running reports whether a process runs, a zombie not counted.
func running(t *testing.T, pid int) bool {
	t.Helper()
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); running(t, pid); {
		if time.Now().After(end) {
			t.Fatalf("process %d still runs", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// startShell starts a shell that prints its child's id, and returns both
// processes.
func startShell(t *testing.T, script string) (cmd *exec.Cmd, child int) {
	t.Helper()
	cmd = exec.Command("/bin/sh", "-c", script)
	Own(cmd)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	child, err = strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	return cmd, child
}

func TestKillEndsTheWholeGroup(t *testing.T) {
	cmd, child := startShell(t, `trap "" TERM; sleep 600 & echo $!; wait`)
	Terminate(cmd)
	time.Sleep(50 * time.Millisecond)
	if !running(t, cmd.Process.Pid) {
		t.Fatal("it ignores SIGTERM, and is gone")
	}
	Kill(cmd)
	_ = cmd.Wait()
	gone(t, child)
}

func TestTerminateReachesChildren(t *testing.T) {
	cmd, child := startShell(t, `sleep 600 & echo $!; wait`)
	Terminate(cmd)
	_ = cmd.Wait()
	gone(t, child)
}

func openFiles(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		testenv.Skip(t, "this system has no /proc/self/fd: "+err.Error())
	}
	return len(entries)
}

func TestStartThatFailsLeavesNoFile(t *testing.T) {
	before := openFiles(t)
	for range 10 {
		_, err := Start([]string{"/does/not/exist"}, Options{})
		require.Error(t, err)
	}
	assert.LessOrEqual(t, openFiles(t), before)
}

// A child that holds the output open ends with its parent, and is not waited
// for.
func TestAChildThatHoldsTheOutput(t *testing.T) {
	p := startMode(t, "orphan", Options{})
	msg, err := p.Read(t.Context())
	require.NoError(t, err)
	child := pidOf(t, msg)
	_, err = p.Read(t.Context())
	assert.EqualError(t, err, "the server's process ended: exit status 8")
	gone(t, child)
}

// One that even leaves the group is left behind.
func TestAChildThatLeavesTheGroup(t *testing.T) {
	p := startMode(t, "escaped", Options{})
	msg, err := p.Read(t.Context())
	require.NoError(t, err)
	child := pidOf(t, msg)
	defer syscall.Kill(child, syscall.SIGKILL)
	_, err = p.Read(t.Context())
	assert.EqualError(t, err, "the server's process ended: exit status 8")
	assert.True(t, running(t, child))
}

func TestCloseEndsWhatIgnoresIt(t *testing.T) {
	p := startMode(t, "stubborn", Options{})
	msg, err := p.Read(t.Context())
	require.NoError(t, err)
	child := pidOf(t, msg)
	require.NoError(t, p.Close())
	assert.Equal(t, io.EOF, second(p.Read(t.Context())))
	gone(t, p.cmd.Process.Pid)
	gone(t, child)
	p.Abandon() // which is over
}

// A command that has left its process group is asked to end, and killed.
func TestCloseEndsACommandThatLeftItsGroup(t *testing.T) {
	p := startMode(t, "defector", Options{})
	msg, err := p.Read(t.Context())
	require.NoError(t, err)
	pid := pidOf(t, msg)
	defer syscall.Kill(pid, syscall.SIGKILL)
	Terminate(p.cmd)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = p.Read(ctx)
	require.NoError(t, err, "it was not asked to end")
	require.NoError(t, p.Close())
	gone(t, pid)
}

// Close does not wait for ever for a process that the system does not end.
func TestCloseIsBounded(t *testing.T) {
	cmd := exec.Command("sleep", "600")
	in, out, err := startPiped(cmd)
	require.NoError(t, err)
	p := &Process{
		cmd: cmd, in: in, out: out, grace: 10 * time.Millisecond,
		closing: make(chan struct{}), exited: make(chan struct{}), gone: make(chan struct{}),
	}
	go p.Close()
	select {
	case <-p.gone:
	case <-time.After(time.Minute):
		t.Error("Close still waits")
	}
	_ = cmd.Wait()
}

func TestAbandonDoesNotWait(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	p, err := start([]string{self}, Options{Env: []string{"COMMAND_TEST_MODE=stubborn"}, MaxMessage: 1 << 10}, time.Hour, time.Hour)
	require.NoError(t, err)
	_, err = p.Read(t.Context())
	require.NoError(t, err)
	p.Abandon()
	gone(t, p.cmd.Process.Pid)
}

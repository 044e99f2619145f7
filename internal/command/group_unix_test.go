//go:build unix

package procgroup

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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

// start starts a shell that prints its child's id, and returns both processes.
func start(t *testing.T, script string) (cmd *exec.Cmd, child int, in, out *os.File) {
	t.Helper()
	cmd = exec.Command("/bin/sh", "-c", script)
	in, out, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if child, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatal(err)
	}
	return cmd, child, in, out
}

func TestKillEndsTheWholeGroup(t *testing.T) {
	cmd, child, in, out := start(t, `trap "" TERM; sleep 600 & echo $!; wait`)
	defer in.Close()
	defer out.Close()
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
	cmd, child, in, out := start(t, `sleep 600 & echo $!; wait`)
	defer in.Close()
	defer out.Close()
	Terminate(cmd)
	_ = cmd.Wait()
	gone(t, child)
}

// A child that holds the output open is no reason to wait for it.
func TestWaitDoesNotWaitForThePipe(t *testing.T) {
	cmd, child, in, out := start(t, `sleep 600 & echo $!`)
	defer in.Close()
	defer out.Close()
	start := time.Now()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Fatalf("waited %v", took)
	}
	if err := out.SetReadDeadline(time.Now()); err != nil {
		t.Fatalf("a read of its output can't be ended: %v", err)
	}
	if _, err := out.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Fatalf("got %v, want a timeout", err)
	}
	Kill(cmd) // the command is gone, its group is not
	gone(t, child)
}

func TestStartThatFailsLeavesNoFile(t *testing.T) {
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			require.NotEqual(t, "linux", runtime.GOOS, err)
			t.Skip("this system has no /proc/self/fd: " + err.Error())
		}
		return len(entries)
	}
	before := files()
	for range 10 {
		if _, _, err := Start(exec.Command("/does/not/exist")); err == nil {
			t.Fatal("no error")
		}
	}
	if after := files(); after > before {
		t.Fatalf("%d files before, %d after", before, after)
	}
}

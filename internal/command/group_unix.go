//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// Own prepares a command, before it is started, to be ended with all that it
// started: it gets a process group of its own.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Terminate asks a started command and what it started to end, also where the
// command has left its process group.
func Terminate(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	_ = cmd.Process.Signal(syscall.SIGTERM) // an error where it has ended
}

// Kill ends a started command and what it started, also where the command itself
// has ended already or has left its process group.
func Kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill() // an error where it has ended
}

//go:build unix

// Package procgroup runs commands in process groups of their own, so that what
// a command started ends with it.
package procgroup

import (
	"os/exec"
	"syscall"
)

// Own puts the command, before it is started, into a group of its own.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Terminate asks the processes of a started command's group to end.
func Terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// Kill ends the processes of a started command's group.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

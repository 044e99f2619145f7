//go:build !unix && !windows

package command

import "os/exec"

// Own does nothing on this system.
func Own(*exec.Cmd) {}

// Terminate ends a started command.
func Terminate(cmd *exec.Cmd) { Kill(cmd) }

// Kill ends a started command, but not what it started.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

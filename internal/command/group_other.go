//go:build !unix

// Package procgroup runs commands in process groups of their own, so that what
// a command started ends with it. On this system it ends the command alone.
package procgroup

import "os/exec"

// Own does nothing here.
func Own(*exec.Cmd) {}

// Terminate ends the command.
func Terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// Kill ends the command.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

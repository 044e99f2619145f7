//go:build unix

package chrome

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own, so that its
// children can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

package command

import (
	"os/exec"
	"strconv"
	"syscall"
)

// Own prepares a command, before it is started, to be ended with all that it
// started: Ctrl-C in the console does not reach it.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// Terminate ends a started command and what it started: this system can't ask a
// console program to end.
func Terminate(cmd *exec.Cmd) { Kill(cmd) }

// Kill ends a started command and what it started. What a command that has ended
// already left behind is not found.
func Kill(cmd *exec.Cmd) {
	tree := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid))
	tree.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
	_ = tree.Run()
	_ = cmd.Process.Kill() // where taskkill is missing; an error where it was not
}

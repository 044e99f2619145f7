package procgroup

import (
	"os"
	"os/exec"
)

// Start starts the command in a group of its own and returns its standard input
// and output. They are files, so that a command which holds its output open is
// not waited for by [exec.Cmd.Wait], and a read can be ended from outside.
func Start(cmd *exec.Cmd) (in, out *os.File, err error) {
	Own(cmd)
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		inRead.Close()
		inWrite.Close()
		return nil, nil, err
	}
	cmd.Stdin, cmd.Stdout = inRead, outWrite
	err = cmd.Start()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		inWrite.Close()
		outRead.Close()
		return nil, nil, err
	}
	return inWrite, outRead, nil
}

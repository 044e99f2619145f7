package main

import (
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/plainlog"
)

// startTimeout bounds the start of a server and the handshake. A command may first
// download or build what it runs.
const startTimeout = time.Minute

// slowStart is after which time a server that does not answer yet is mentioned.
var slowStart = 5 * time.Second

// connecting says that a connection is being made, and again if that takes long. The
// caller calls done when it is made.
func connecting(t host.Target, std stdio) (done func()) {
	fmt.Fprintf(std.err, "connecting to %s\n", t)
	timer := time.AfterFunc(slowStart, func() {
		fmt.Fprintln(std.err, "still waiting for the server to answer")
	})
	return func() { timer.Stop() }
}

// connectOptions returns options with which everything that a server's process writes
// is shown.
func connectOptions(std stdio) *host.ConnectOptions {
	return &host.ConnectOptions{
		ConnectTimeout: startTimeout, Stderr: std.process(),
		Logger: plainlog.New(func(line string) { fmt.Fprintln(std.err, line) }),
	}
}

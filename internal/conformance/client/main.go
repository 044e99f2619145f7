// Client is an MCP client for the client scenarios of
// @modelcontextprotocol/conformance, which start it with the URL of a server. It
// connects through package host, or with -bare through the SDK alone, so that the
// results of the two can be compared.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	bare := flag.Bool("bare", false, "connect through the SDK alone")
	flag.Parse()
	if flag.NArg() != 1 {
		fatal(fmt.Errorf("usage: client [-bare] URL"))
	}
	name := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	run, ok := scenario(name)
	if !ok {
		fatal(fmt.Errorf("nothing is implemented for the scenario %q", name))
	}
	var c given
	if data := os.Getenv("MCP_CONFORMANCE_CONTEXT"); data != "" {
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			fatal(err)
		}
	}
	connect := connectHost
	if *bare {
		connect = connectBare
	}
	opts, err := optionsFor(name, c)
	if err != nil {
		fatal(err)
	}
	ctx := context.Background()
	p, err := connect(ctx, flag.Arg(0), opts)
	if err != nil {
		fatal(err)
	}
	err = run(ctx, p, c)
	p.close()
	if err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A report is the results of everything.
type report struct {
	date             time.Time
	versions         []version
	servers, clients []comparison
	apps             []app
}

// differs reports whether a check has another result than with the bare SDK, or
// an app fails.
func (r report) differs() bool {
	for _, c := range slices.Concat(r.servers, r.clients) {
		for _, run := range c.runs[1:] {
			if len(differences(c.runs[0], run)) > 0 {
				return true
			}
		}
	}
	for _, a := range r.apps {
		if !a.passed() {
			return true
		}
	}
	return len(r.servers) == 0 || len(r.clients) == 0 || len(r.apps) == 0
}

// markdown returns docs/conformance.md.
func (r report) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Conformance

The results of the published test suites. `+"`ci/conformance`"+` runs them and writes this file; do not
edit it. It fails if a check has another result than with the bare SDK.

Last run on %s with

| what | version |
| --- | --- |
`, r.date.UTC().Format(time.DateOnly))
	for _, v := range r.versions {
		fmt.Fprintf(&b, "| %s | %s |\n", v.name, v.version)
	}

	b.WriteString(`
## Servers

The server scenarios of @modelcontextprotocol/conformance, on a server with the tools, resources and
prompts that they use: with sessions in 2025-11-25, without them in 2026-07-28. The tools are
registered with the SDK alone (bare), through mcpapps (apps), with each of its options set except
DisableApps (options), and with DisableApps (off). A revision has some scenarios that it does not
require, which are run too.

`)
	comparisons(&b, "revision", r.servers)
	b.WriteString(`
## Clients

The client scenarios of @modelcontextprotocol/conformance, on a client that connects with the SDK
alone (bare) and one that connects with host.Connect (host): all scenarios, each in the newest
version that it has, and those of a revision, in that revision.

`)
	comparisons(&b, "scenarios", r.clients)

	b.WriteString(`
## Apps

The MCPAppsConformanceTest of @mcpjam/sdk, on the examples over standard input and output, and on the
server above.

| server | result |
| --- | --- |
`)
	for _, a := range r.apps {
		fmt.Fprintf(&b, "| %s | %s |\n", a.server, a.Summary)
		for _, c := range a.Checks {
			for _, w := range c.Warnings {
				fmt.Fprintf(&b, "| | %s warns: %s |\n", c.ID, w)
			}
			if c.Status != "passed" {
				fmt.Fprintf(&b, "| | %s %s: %s |\n", c.ID, c.Status, c.Error.Message)
			}
		}
	}

	b.WriteString("\n## Failures\n\nEach check that fails, and in which runs.\n")
	failures(&b, "Server", r.servers)
	failures(&b, "Client", r.clients)
	return b.Bytes()
}

// comparisons writes a row for each run.
func comparisons(b *bytes.Buffer, title string, all []comparison) {
	fmt.Fprintf(b, "| %s | run | passed | failed | warnings | skipped | other results than bare |\n| --- | --- | --- | --- | --- | --- | --- |\n", title)
	for _, c := range all {
		for i, run := range c.runs {
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | ", c.suite, c.modes[i],
				run.count(success), run.count(failure), run.count("WARNING"), run.count("SKIPPED"))
			if i > 0 {
				fmt.Fprintf(b, "%d", len(differences(c.runs[0], run)))
			}
			b.WriteString(" |\n")
		}
	}
	for _, c := range all {
		for i, run := range c.runs[1:] {
			for _, k := range differences(c.runs[0], run) {
				fmt.Fprintf(b, "\n- %s %s: %s has %v, and bare %v.\n", c.suite, c.modes[i+1], name(k), run[k], c.runs[0][k])
			}
		}
	}
}

// reasons say why the scenarios fail whose names begin so.
var reasons = []struct{ prefix, why string }{
	{"tasks-", "the SDK has no tasks"},
	{"auth/client-credentials", "the client uses the authorization code flow only"},
	{"auth/enterprise", "the client uses the authorization code flow only"},
	{"auth/wif", "the client uses the authorization code flow only"},
	{"auth/dpop", "the SDK has no DPoP"},
}

// failures writes a row for each check that fails.
func failures(b *bytes.Buffer, title string, all []comparison) {
	rows := make(map[check][][]string) // the suites in which it fails, for each mode
	for _, c := range all {
		for _, k := range failing(c.runs) {
			if rows[k] == nil {
				rows[k] = make([][]string, len(c.modes))
			}
			for i, run := range c.runs {
				if slices.Contains(run[k], failure) {
					rows[k][i] = append(rows[k][i], c.suite)
				}
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	modes := all[0].modes
	fmt.Fprintf(b, "\n| %s, %d checks | %s | why |\n| --- |%s --- |\n", title, len(rows), strings.Join(modes, " | "), strings.Repeat(" --- |", len(modes)))
	for _, k := range sorted(slices.Collect(maps.Keys(rows))) {
		fmt.Fprintf(b, "| %s |", name(k))
		for _, suites := range rows[k] {
			fmt.Fprintf(b, " %s |", cmp.Or(strings.Join(suites, ", "), "-"))
		}
		why := "unknown"
		for _, r := range reasons {
			if strings.HasPrefix(k.scenario, r.prefix) {
				why = r.why
			}
		}
		fmt.Fprintf(b, " %s |\n", why)
	}
}

func name(k check) string {
	if k.id == k.scenario || strings.HasSuffix(k.scenario, "/"+k.id) {
		return k.scenario
	}
	return k.scenario + ": " + k.id
}

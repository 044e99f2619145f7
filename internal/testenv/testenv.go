// Package testenv decides which tests run where, and how many at once.
package testenv

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Full reports whether MCPAPPS_FULL is 1, as in ci/full: tests then take all
// cases of a large matrix, and run a load for long. Elsewhere a few seconds have
// to be enough.
func Full() bool { return os.Getenv("MCPAPPS_FULL") == "1" }

// InCI reports whether MCPAPPS_E2E is 1, as in CI: everything that tests need has to be
// there.
func InCI() bool { return os.Getenv("MCPAPPS_E2E") == "1" }

// NobodyListens is a URL at which connections are refused. The port of a server that a
// test has closed can be that of another test's server a moment later.
const NobodyListens = "http://127.0.0.1:1"

// Skip skips the test, and says what is missing; with MCPAPPS_E2E=1 it fails.
func Skip(t testing.TB, missing string) {
	t.Helper()
	if InCI() {
		t.Fatal(missing)
	}
	t.Skip(missing + "; with MCPAPPS_E2E=1 this test fails instead")
}

// measuring begins the name of each test that calls [Measure].
const measuring = "TestCost"

// Long skips a test that takes long, unless it runs in CI.
func Long(t testing.TB) {
	t.Helper()
	if !InCI() {
		t.Skip("takes long: run it with MCPAPPS_E2E=1, as CI does")
	}
}

// Measure is called first by a test that measures time, allocations or memory. Such tests
// run in ci/cost alone, where nothing else runs beside them: together they take a minute.
// Under the race detector, which changes all three, Measure skips the test, see [Skip]; CI
// leaves these tests out there by their names.
func Measure(t testing.TB) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), measuring) {
		t.Fatalf("ci/cost does not find this test: begin its name with %s", measuring)
	}
	if race {
		Skip(t, "a build without the race detector is missing, which falsifies what this test measures: run it with ci/cost")
	}
	if !InCI() {
		t.Skip("measures, for which the machine should do nothing else: run ci/cost")
	}
}

// AtOnce lets up to n parallel tests run at once, unless the command line says
// how many. By default it is one per core, which is too few where tests wait for
// a browser or for programs. It is for TestMain.
func AtOnce(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

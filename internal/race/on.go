//go:build race

// Package race tells tests that measure allocations or time whether they run
// under the race detector, which adds its own.
package race

// Enabled reports whether the race detector is on.
const Enabled = true

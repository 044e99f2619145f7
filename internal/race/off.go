//go:build !race

package mcpapps

// RaceEnabled says whether the tests run under the race detector.
const RaceEnabled = false

//go:build race

package mcpapps_test

const raceEnabled = true

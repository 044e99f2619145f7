//go:build !unix

package mcpapps_test

import "time"

func cpuTime() time.Duration { return 0 }

//go:build !unix

package check_test

import "time"

// cpuTime is not known here, and nothing is measured by it.
func cpuTime() time.Duration { return 0 }

//go:build !unix

package host

import "time"

func cpuTime() time.Duration { return 0 }

//go:build !unix

package cputime

import "time"

func Used() time.Duration { return 0 }

//go:build !windows

package preview

import "syscall"

const errAddrInUse = syscall.EADDRINUSE

package preview

import "syscall"

// errAddrInUse is WSAEADDRINUSE. On Windows, [syscall.EADDRINUSE] is a number that
// package syscall invented and no call returns.
const errAddrInUse = syscall.Errno(10048)

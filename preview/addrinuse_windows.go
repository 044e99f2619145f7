package preview

import "syscall"

// errAddrInUse is WSAEADDRINUSE. [syscall.EADDRINUSE] is a number that package
// syscall made up on this system, which no call returns.
const errAddrInUse = syscall.Errno(10048)

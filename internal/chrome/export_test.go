package chrome

type Start = startFunc

// The two ways to a browser, each of which works on Linux.
var (
	OverPipe   = startOverPipe
	OverPort   = startOverPort
	LaunchOver = launch
)

package chrome

type Start = startFunc

// The two ways to a browser, each of which works on Linux.
var (
	OverPipe   = startOverPipe
	OverPort   = startOverPort
	LaunchOver = launch
)

var RemoveStale = removeStale

// CloseUnused closes the shared browser when nobody uses it, as on Windows, until the
// function is called.
func CloseUnused() (end func()) {
	before := closeUnused
	closeUnused = true
	return func() { closeUnused = before }
}

// ForgetFailure forgets that the shared browser did not start.
func ForgetFailure() { shared.err = nil }

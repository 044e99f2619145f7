// Package chrome drives an installed Chromium through its debugging protocol:
// it opens pages, evaluates scripts in them and their frames, takes pictures,
// and collects what is written to the console and which errors nobody caught.
//
// It talks over a pipe, which, unlike a port, is closed to everybody else. On
// Windows, where Go cannot hand a pipe to a child, it uses the port that the
// browser chooses. A headless run with --screenshot is no alternative: it hangs
// while a page holds a stream of events open.
//
// All types may be used by several goroutines at once, and pages side by side.
package chrome

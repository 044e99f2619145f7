package chrome

import (
	"context"
	"runtime"
	"sync"
)

// shared is the browser of [Shared].
var shared struct {
	mu      sync.Mutex
	browser *Browser
	err     error
	users   int
}

// A browser over a port outlives this process, other than one over a pipe, which
// ends with it. So it is closed when nobody uses it, and started again.
var closeUnused = runtime.GOOS == "windows"

// Shared returns the one browser of this process, in which several may open pages
// side by side, and a function to call once when it is needed no longer. The first
// call starts the browser that [Find] names. The browser ends with the process, or by
// [CloseShared]; one that has crashed is replaced.
func Shared() (b *Browser, done func(), err error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.err != nil {
		return nil, nil, shared.err
	}
	if shared.browser != nil && shared.browser.Err() != nil {
		closeShared()
	}
	if shared.browser == nil {
		path, err := Find()
		if err != nil {
			return nil, nil, err
		}
		// A failure is kept, since each start may take a minute.
		if shared.browser, shared.err = Launch(context.Background(), path); shared.err != nil {
			return nil, nil, shared.err
		}
	}
	return shared.browser, use(), nil
}

// SharedIfOpen is [Shared] if that browser is open already. It starts none.
func SharedIfOpen() (b *Browser, done func(), ok bool) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.browser == nil || shared.browser.Err() != nil {
		return nil, nil, false
	}
	return shared.browser, use(), true
}

// use counts a user until it calls done.
func use() (done func()) {
	shared.users++
	return sync.OnceFunc(release)
}

func release() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.users--; shared.users == 0 && closeUnused {
		closeShared()
	}
}

// CloseShared closes the browser of [Shared], if there is one.
func CloseShared() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	closeShared()
}

func closeShared() {
	if shared.browser != nil {
		shared.browser.Close()
		shared.browser = nil
	}
}

package chrome

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/command"
)

// A process is a running browser with a profile of its own.
type process struct {
	cmd     *exec.Cmd
	profile profile
	stderr  tail
	exited  chan struct{} // closed once exit is set
	exit    error
}

// startProcess starts the browser at path with further arguments. The files
// become the descriptors 3 and up of the process; the caller closes them.
func startProcess(path string, files []*os.File, args ...string) (*process, error) {
	removeStaleProfiles.Do(func() { removeStale(os.TempDir(), time.Now()) })
	profile, err := newProfile(os.TempDir())
	if err != nil {
		return nil, err
	}
	p := &process{profile: profile, exited: make(chan struct{})}
	p.cmd = exec.Command(path, append([]string{
		"--headless", "--user-data-dir=" + profile.dir,
		"--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
		// Pages side by side all run at full speed.
		"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
		"--process-per-site", "--disable-features=SpareRendererForSitePerProcess,Translate,MediaRouter,OptimizationHints", // less work for each page
		"--site-per-process",                            // as on a desktop: the headless shell would debug no frame of another site
		"--password-store=basic", "--use-mock-keychain", // asks nobody for the system's keys
		"--disable-dev-shm-usage", // containers have little of it or none
		"--use-fake-ui-for-media-stream", "--force-color-profile=srgb", "--enable-unsafe-swiftshader"}, args...)...)
	if os.Geteuid() == 0 { // Chromium refuses to run as root with its sandbox
		p.cmd.Args = append(p.cmd.Args, "--no-sandbox")
	}
	if len(profile.dir) < 50 { // a socket is created there, and the length of its path is bounded
		p.cmd.Env = append(os.Environ(), "TMPDIR="+profile.dir)
	}
	p.cmd.ExtraFiles = files
	if runtime.GOOS != "windows" { // the browser holds the lock, too, as long as it lives
		p.cmd.ExtraFiles = append(files, profile.lock)
	}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second // a child of the browser may hold standard error open
	command.Own(p.cmd)
	if err := p.cmd.Start(); err != nil {
		profile.remove()
		return nil, err
	}
	go func() {
		p.exit = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// waitFor reports whether the process exits within d.
func (p *process) waitFor(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// kill ends the process with its children, and removes the profile.
func (p *process) kill() {
	command.Kill(p.cmd)
	<-p.exited
	p.profile.remove()
}

// explain adds the end of standard error to a failure, and, with withExit, the
// exit status. It may be called once the process has exited.
func (p *process) explain(err error, withExit bool) error {
	if withExit && p.exit != nil {
		err = fmt.Errorf("%w: %w", err, p.exit)
	}
	if text := p.stderr.String(); text != "" {
		err = fmt.Errorf("%w\nthe last of its standard error:\n%s", err, text)
	}
	return err
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 1 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-most):]...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-most):]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.text), ""))
}

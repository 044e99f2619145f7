package preview

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// restartOnChange restarts the server each time files of its command change, until
// the preview is closed. known has the files from before the server started.
func (p *Preview) restartOnChange(t host.Target, known map[string]stamp) {
	list := func() []string { return commandFiles(p.ctx, t) }
	watch(p.ctx, known, list, func(what string) {
		p.log.Info("restarting the server after a change", "file", what)
		_ = p.Restart(p.ctx) // a failure is logged and shown on the page
	})
}

// commandFiles returns the files that a command consists of: its program, unless it
// is found by PATH, the arguments that are files, and the files from which "go run"
// builds its program. It leaves out directories among the arguments, since the server
// may write to them.
func commandFiles(ctx context.Context, t host.Target) []string {
	var files []string
	for i, arg := range t.Command {
		if i == 0 && filepath.Base(arg) == arg {
			continue
		}
		if t.Dir != "" && !filepath.IsAbs(arg) {
			arg = filepath.Join(t.Dir, arg)
		}
		if i == 0 {
			path, err := exec.LookPath(arg) // which on Windows adds .exe
			if err != nil {
				continue
			}
			arg = path
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			files = append(files, arg)
		}
	}
	return append(files, goRunFiles(ctx, t)...)
}

// A stamp distinguishes versions of a file. It is zero if there is no file.
type stamp struct {
	size int64
	time time.Time
}

func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

func stampsOf(files []string) map[string]stamp {
	stamps := make(map[string]stamp, len(files))
	for _, f := range files {
		stamps[f] = stampOf(f)
	}
	return stamps
}

// watch calls changed when files differ from known and have then stayed the same for
// an interval: a program that is still being written can't be started. After each
// change it also watches the files that list returns.
func watch(ctx context.Context, known map[string]stamp, list func() []string, changed func(what string)) {
	const interval = 300 * time.Millisecond
	pending := map[string]stamp{}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var settled []string
		for f := range known {
			now := stampOf(f)
			switch {
			case now == stamp{} || now == known[f]:
				delete(pending, f)
			case pending[f] == now:
				known[f] = now
				delete(pending, f)
				settled = append(settled, f)
			default:
				pending[f] = now
			}
		}
		if len(settled) == 0 {
			continue
		}
		slices.Sort(settled)
		what := settled[0]
		if len(settled) > 1 {
			what = fmt.Sprintf("%s and %d more", what, len(settled)-1)
		}
		for f, s := range stampsOf(list()) { // before the server restarts
			if _, ok := known[f]; !ok {
				known[f] = s
			}
		}
		changed(what)
	}
}

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

// restartOnChange restarts the server each time files of its command change,
// until the preview is closed. It looks at them as they were when was was made.
func (p *Preview) restartOnChange(t host.Target, was map[string]stamp) {
	list := func() []string { return commandFiles(p.ctx, t) }
	watch(p.ctx, was, list, func(what string) {
		p.log.Info("restarting the server after a change", "file", what)
		_ = p.Restart(p.ctx) // a failure is logged, and on the page
	})
}

// commandFiles returns the files that a command is made of: its program, unless it
// is found by PATH, the arguments that are files, and what "go run" builds its
// program from. It leaves out folders among the arguments: they may hold what the
// server writes.
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

// A stamp tells versions of a file apart. It is zero if there is no file.
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

// watch calls changed when files differ from what they were and have stayed the
// same for an interval: a program that is still being written can't be started.
// From then on it also watches the files that list returns after the change.
func watch(ctx context.Context, was map[string]stamp, list func() []string, changed func(what string)) {
	const every = 300 * time.Millisecond
	pending := map[string]stamp{}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var settled []string
		for f := range was {
			now := stampOf(f)
			switch {
			case now == stamp{} || now == was[f]:
				delete(pending, f)
			case pending[f] == now:
				was[f] = now
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
		for f, s := range stampsOf(list()) { // before the server starts from them
			if _, ok := was[f]; !ok {
				was[f] = s
			}
		}
		changed(what)
	}
}

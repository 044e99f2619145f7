package preview

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// watched returns the files of a command: its program, unless the system brings
// it, the arguments that are files, and of "go run" what the program is built
// from. A folder among the arguments is not watched: it may hold what the server
// writes.
func watched(ctx context.Context, command []string) []string {
	var files []string
	for i, arg := range command {
		if i == 0 {
			path, err := exec.LookPath(arg)
			if err != nil || !strings.ContainsRune(arg, filepath.Separator) {
				continue
			}
			arg = path
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			files = append(files, arg)
		}
	}
	return append(files, sources(ctx, command)...)
}

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

// watch calls changed once files are others than they were and have stayed as
// they are: a program that is being written can't be started. What list names
// after a change is watched, too.
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

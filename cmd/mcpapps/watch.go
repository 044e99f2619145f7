package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// watched returns the files of a command: its program, unless the system brings
// it, and the arguments that are files.
func watched(command []string) []string {
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
	return files
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

// watch calls changed once a file is another than it was and has stayed as it
// is: a program that is being written can't be started.
func watch(ctx context.Context, was map[string]stamp, changed func(file string)) {
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
		for f := range was {
			now := stampOf(f)
			switch {
			case now == stamp{} || now == was[f]:
				delete(pending, f)
			case pending[f] == now:
				was[f] = now
				delete(pending, f)
				changed(f)
			default:
				pending[f] = now
			}
		}
	}
}

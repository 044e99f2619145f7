package preview

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A stamp distinguishes versions of a file. It is zero if there is no file.
type stamp struct {
	size int64
	time time.Time
}

// How often the files are looked at: after watchInterval, but after watchIdle times
// what a look takes where that is longer. The shortest of some looks counts, since a
// busy machine makes single ones long. Looking works on every file system; the
// notifications of operating systems do not, such as those of shared folders.
const (
	watchInterval = 50 * time.Millisecond
	watchIdle     = 10
)

// watch calls changed when files differ from known and have then stayed the same for
// an interval: neither a program nor a page that is still being written can be used.
// look returns the files as they are now; changed returns the files that it has
// learned of, with stamps from before it used them.
func watch(ctx context.Context, known map[string]stamp, look func() map[string]stamp, changed func(files []string) map[string]stamp) {
	pending := map[string]stamp{}
	wait := time.NewTimer(watchInterval)
	defer wait.Stop()
	var took [8]time.Duration // by the last looks
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		began := time.Now()
		now := look()
		took[i%len(took)] = time.Since(began)
		wait.Reset(max(watchInterval, watchIdle*slices.Min(took[:])))
		for f := range known {
			if _, ok := now[f]; !ok {
				now[f] = stamp{}
			}
		}
		var settled []string
		for f, s := range now {
			last, waits := pending[f]
			switch {
			case s == known[f]:
				delete(pending, f)
			case waits && last == s:
				if known[f] = s; s == (stamp{}) {
					delete(known, f)
				}
				delete(pending, f)
				settled = append(settled, f)
			default:
				pending[f] = s
			}
		}
		maps.DeleteFunc(pending, func(f string, _ stamp) bool { _, ok := now[f]; return !ok })
		if len(settled) == 0 {
			continue
		}
		slices.Sort(settled)
		for f, s := range changed(settled) {
			if _, ok := known[f]; !ok {
				known[f] = s
			}
		}
	}
}

// naming names files in a sentence.
func naming(files []string) string {
	if len(files) > 1 {
		return fmt.Sprintf("%s and %d more", files[0], len(files)-1)
	}
	return files[0]
}

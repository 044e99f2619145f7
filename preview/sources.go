package preview

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// sources are the files of a server that its author may edit.
type sources struct {
	// programs are the files of which the program consists: after an edit it is
	// started again. So it is for a new Go file in packages, which are folders.
	programs, packages []string
	// embedded are the files that the program embeds: after an edit the documents are
	// read again. So they are after an edit of any file in folders.
	embedded, folders []string
	// overlays are the folders of packages that embed files, and those that the user
	// named.
	overlays []string
}

// sourcesOf returns the sources of a target's command, if there are any, and those in
// the folders dirs. It returns false if those of the command can't all be listed.
func sourcesOf(ctx context.Context, t host.Target, watchCommand bool, dirs []string) (s sources, complete bool) {
	complete = true
	if watchCommand && len(t.Command) > 0 {
		s.programs = commandFiles(t)
		complete = s.addGoRun(ctx, t)
	}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			s.folders = append(s.folders, abs)
			s.overlays = append(s.overlays, abs)
		}
	}
	return s, complete
}

// environment returns what a command is told of its sources.
func (s sources) environment() []string {
	env := []string{devenv.SourceMaps + "=1"}
	if len(s.overlays) > 0 {
		env = append(env, devenv.Sources+"="+strings.Join(s.overlays, string(os.PathListSeparator)))
	}
	return env
}

// commandFiles returns the files that a command consists of: its program, unless it
// is found by PATH, and the arguments that are files. It leaves out directories among
// the arguments, since the server may write to them.
func commandFiles(t host.Target) []string {
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
	return files
}

// maxWatched bounds the files that are watched.
const maxWatched = 20000

// stamps returns the stamps of all files as they are now, and of the files in more,
// without those that do not exist.
func (s sources) stamps(more []string) map[string]stamp {
	stamps := make(map[string]stamp, len(s.programs)+len(s.embedded))
	add := func(file string) {
		if _, ok := stamps[file]; !ok && len(stamps) < maxWatched {
			if info, err := os.Stat(file); err == nil {
				stamps[file] = stamp{info.Size(), info.ModTime()}
			}
		}
	}
	for _, f := range s.programs {
		add(f)
	}
	for _, f := range s.embedded {
		add(f)
	}
	for _, f := range more {
		add(f)
	}
	for _, dir := range s.packages {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if isGoSource(e.Name()) && e.Type().IsRegular() {
				add(filepath.Join(dir, e.Name()))
			}
		}
	}
	for _, dir := range s.folders {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			switch name := e.Name(); {
			case len(stamps) >= maxWatched:
				return fs.SkipAll
			case path != dir && (strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~")), name == "node_modules":
				if e.IsDir() {
					return fs.SkipDir
				}
			case e.Type().IsRegular():
				add(path)
			}
			return nil
		})
	}
	return stamps
}

func isGoSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// restarts reports whether the server has to be started again after an edit of a file
// that exists, or that was removed: a build removes a program before it writes it.
func (s sources) restarts(file string, exists bool) bool {
	return s.isProgram(file) && (exists || isGoSource(filepath.Base(file)))
}

// isProgram reports whether the server has to be started again after an edit of a
// file.
func (s sources) isProgram(file string) bool {
	return slices.Contains(s.programs, file) || isGoSource(filepath.Base(file)) && slices.Contains(s.packages, filepath.Dir(file))
}

func (s sources) isEmbedded(file string) bool { return slices.Contains(s.embedded, file) }

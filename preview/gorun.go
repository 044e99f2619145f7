package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// addGoRun adds the files from which "go run" builds its program and that an author
// may edit: those of the packages outside the module cache, and the files that they
// embed. For other commands it adds nothing. It returns false if the packages can't be
// listed, for example because one has a syntax error.
func (s *sources) addGoRun(ctx context.Context, t host.Target) bool {
	flags, packages := parseGoRun(t.Command)
	if len(packages) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	args := slices.Concat([]string{"list", "-deps", "-json=ImportPath,Dir,Standard,Module,GoFiles,CgoFiles,EmbedFiles"}, flags, []string{"--"}, packages)
	cmd := exec.CommandContext(ctx, t.Command[0], args...)
	cmd.Dir, cmd.Env = t.Dir, append(os.Environ(), t.Env...)
	out, err := cmd.Output()
	if err != nil {
		return false
	}
	program := "" // the folder of the package that is the program, which is the last one
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir               string
			Standard                      bool
			Module                        *struct{ Dir string }
			GoFiles, CgoFiles, EmbedFiles []string
		}
		if dec.Decode(&p) != nil {
			break
		}
		if p.Standard || p.Module != nil && strings.Contains(p.Module.Dir, "@") {
			continue // in the module cache, where names contain the version
		}
		for _, f := range slices.Concat(p.GoFiles, p.CgoFiles) {
			s.programs = append(s.programs, filepath.Join(p.Dir, f))
		}
		if p.ImportPath != "command-line-arguments" { // which is the files that the command names
			s.packages = append(s.packages, p.Dir)
		}
		if len(p.EmbedFiles) > 0 {
			s.overlays = append(s.overlays, p.Dir)
		}
		for _, f := range p.EmbedFiles {
			s.embedded = append(s.embedded, filepath.Join(p.Dir, f))
			// What a page begins to import is new, and in a folder of what it has.
			if top, _, ok := strings.Cut(filepath.ToSlash(f), "/"); ok && !slices.Contains(s.folders, filepath.Join(p.Dir, top)) {
				s.folders = append(s.folders, filepath.Join(p.Dir, top))
			}
		}
		program = p.Dir
	}
	if len(s.overlays) == 0 && program != "" { // it may read folders
		s.overlays = []string{program}
	}
	return true
}

// parseGoRun returns the build flags and the packages of a command "go run FLAGS
// PACKAGE ARGUMENTS", nil for other commands.
func parseGoRun(command []string) (flags, packages []string) {
	if len(command) < 3 || strings.TrimSuffix(filepath.Base(command[0]), ".exe") != "go" || command[1] != "run" {
		return nil, nil
	}
	alone := []string{"a", "asan", "cover", "linkshared", "modcacherw", "msan", "n", "race", "trimpath", "v", "work", "x"}
	rest := command[2:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		n := 2
		name := strings.TrimLeft(rest[0], "-")
		if strings.Contains(name, "=") || slices.Contains(alone, name) {
			n = 1
		}
		n = min(n, len(rest))
		if name, _, _ = strings.Cut(name, "="); name != "exec" && !slices.Contains([]string{"n", "v", "x", "work"}, name) {
			flags = append(flags, rest[:n]...)
		}
		rest = rest[n:]
	}
	for i, arg := range rest {
		if strings.HasSuffix(arg, ".go") {
			packages = append(packages, arg)
		} else if i == 0 {
			return flags, []string{arg}
		} else {
			break
		}
	}
	return flags, packages
}

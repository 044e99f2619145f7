package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sources returns what "go run" builds its program from, as far as an author
// edits it: the files of the packages outside of the module cache, and those that
// they embed. It is empty for other commands, and where the packages can't be
// listed, for instance since one has a mistake.
func sources(ctx context.Context, command []string) []string {
	flags, packages := goRun(command)
	if len(packages) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	args := slices.Concat([]string{"list", "-deps", "-json=Dir,Standard,Module,GoFiles,CgoFiles,EmbedFiles"}, flags, []string{"--"}, packages)
	out, err := exec.CommandContext(ctx, command[0], args...).Output()
	if err != nil {
		return nil
	}
	var files []string
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                           string
			Standard                      bool
			Module                        *struct{ Dir string }
			GoFiles, CgoFiles, EmbedFiles []string
		}
		if dec.Decode(&p) != nil {
			return files
		}
		if p.Standard || p.Module != nil && strings.Contains(p.Module.Dir, "@") {
			continue // its version is part of the name in the cache
		}
		for _, f := range slices.Concat(p.GoFiles, p.CgoFiles, p.EmbedFiles) {
			files = append(files, filepath.Join(p.Dir, f))
		}
	}
}

// goRun takes "go run FLAGS PACKAGE ARGUMENTS" apart.
func goRun(command []string) (flags, packages []string) {
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

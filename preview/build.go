package preview

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// bundleError returns the problem for which the server could not make a document, nil
// if err is about something else.
func bundleError(err error) *devenv.BuildError {
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || len(rpc.Data) == 0 {
		return nil
	}
	var data map[string]json.RawMessage
	if json.Unmarshal(rpc.Data, &data) != nil || data[devenv.ErrorKey] == nil {
		return nil
	}
	e := &devenv.BuildError{}
	if json.Unmarshal(data[devenv.ErrorKey], e) != nil || e.Text == "" {
		return nil
	}
	return e
}

// goProblem matches a line that the go command writes about a place in a file.
var goProblem = regexp.MustCompile(`^(?:vet: )?(.+\.go):([0-9]{1,7}):([0-9]{1,5}): (.+)$`)

// goBuildError returns the problem for which "go run" could not build the program,
// given what it wrote and the folder in which it ran. It returns nil if it wrote of
// none.
func goBuildError(lines []string, dir string) *devenv.BuildError {
	var e *devenv.BuildError
	var all []string
	for _, line := range lines {
		m := goProblem.FindStringSubmatch(line)
		switch {
		case m == nil:
			// The lines after a problem tell more of it.
			if e != nil && (strings.HasPrefix(line, "\t") || strings.Contains(line, "too many errors")) {
				all = append(all, line)
			}
			continue
		case e == nil:
			e = &devenv.BuildError{File: filepath.ToSlash(filepath.Clean(m[1]))}
			e.Line, _ = strconv.Atoi(m[2])
			e.Column, _ = strconv.Atoi(m[3])
			e.SetExcerpt(sourceText(dir, m[1]))
		}
		all = append(all, line)
	}
	if e != nil {
		e.Text = strings.Join(all, "\n")
	}
	return e
}

// maxSource bounds a file that is read for an excerpt.
const maxSource = 4 << 20

// sourceText returns the text of a file, "" if it can't be read.
func sourceText(dir, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}

// A builds is what a page was told of builds that failed, by what they are of: a view's
// name, or theServer.
type builds map[string]struct{}

const theServer = ""

// buildFailed covers the view on the page with a problem.
func (t *tab) buildFailed(of string, e *devenv.BuildError) {
	t.mu.Lock()
	if t.builds == nil {
		t.builds = make(builds)
	}
	t.builds[of] = struct{}{}
	t.mu.Unlock()
	t.send(struct {
		Type   string `json:"type"`
		Failed bool   `json:"failed"`
		*devenv.BuildError
	}{"build", true, e})
}

// buildWorks uncovers the view once no build fails any more. It reports whether this
// one did.
func (t *tab) buildWorks(of string) bool {
	t.mu.Lock()
	_, failed := t.builds[of]
	delete(t.builds, of)
	works := failed && len(t.builds) == 0
	t.mu.Unlock()
	if works {
		t.send(map[string]any{"type": "build", "failed": false})
	}
	return failed
}

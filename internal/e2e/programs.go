package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"
)

// Build builds the command in a folder of this module, such as
// "examples/hello", and returns the path of the program. It builds each program
// once per test binary, into a folder that is kept, so that an unchanged program
// is not linked again.
func Build(t testing.TB, folder string) string {
	t.Helper()
	build, _ := builds.LoadOrStore(folder, sync.OnceValues(func() (string, error) {
		program := filepath.Join(Artifacts(t), "bin", filepath.Base(folder))
		cmd := exec.Command("go", "build", "-o", program, "./"+folder)
		cmd.Dir = filepath.Join(Dir(), "..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build ./%s: %w\n%s", folder, err, out)
		}
		return program, nil
	}))
	program, err := build.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var builds sync.Map // from a folder to func() (string, error)

var printedURL = regexp.MustCompile(`https?://\S+`)

// Start starts a program that prints the URL at which it serves, and returns
// that URL. When the test ends, the program is interrupted and must exit without
// an error.
func Start(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	urls := make(chan string, 1)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if url := printedURL.FindString(lines.Text()); url != "" {
				urls <- url
				break
			}
		}
		io.Copy(io.Discard, stdout)
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		defer timer.Stop()
		<-drained
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s, interrupted: %v\n%s", filepath.Base(program), err, stderr.Bytes())
		}
	})
	select {
	case url := <-urls:
		return url
	case <-drained:
		t.Fatalf("%s printed no URL before it ended", filepath.Base(program))
	case <-time.After(time.Minute):
		t.Fatalf("%s printed no URL", filepath.Base(program))
	}
	return ""
}

package preview

import (
	"slices"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/command"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A process is what is known of the server's process, to say why it ended.
type process struct {
	mu    sync.Mutex
	ran   bool     // it answered the handshake
	gone  bool     // it ended, and no other was started since
	lines []string // the last ones on its standard error
}

// processLines bounds the lines that are kept: a panic has hundreds.
const processLines = 1000

// crashLines is how many lines the page shows of a process that ended.
const crashLines = 20

// starts is called before the process is started.
func (s *process) starts() { s.set(false) }

// runs is called once the server is connected.
func (s *process) runs() { s.set(true) }

func (s *process) set(ran bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran, s.gone, s.lines = ran, false, nil
}

// replaces reports, once, that the next process comes after one that ended.
func (s *process) replaces() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := s.gone
	s.gone = false
	return gone
}

func (s *process) add(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, text.Shorten(line, outputLine))
	if n := len(s.lines); n > processLines {
		s.lines = slices.Delete(s.lines, 0, n-processLines)
	}
}

// ended returns what the process wrote last, and whether it had answered the
// handshake. What is written from now on is another's.
func (s *process) ended() (lines []string, ran bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines, ran = s.lines, s.ran
	s.ran, s.gone, s.lines = false, true, nil
	return lines, ran
}

// lastWords returns the lines that say why a process ended: of a Go program that
// panicked all from there on, else the last ones.
func lastWords(lines []string) []string {
	at := max(0, len(lines)-crashLines)
	for i, line := range lines {
		if command.BeginsFault(line) {
			at = i
		}
	}
	return lines[at:]
}

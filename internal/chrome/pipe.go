package chrome

import (
	"bufio"
	"encoding/json"
	"strings"
	"sync"
)

// A wire is a message on the debugging pipe.
type wire struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// longestMessage bounds a message of the browser's, which has what a page wrote
// to the console, for instance. Longer ones are dropped.
const longestMessage = 64 << 20

// readMessage reads up to the next NUL.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var msg []byte
	for {
		part, err := r.ReadSlice(0)
		if len(msg)+len(part) <= longestMessage {
			msg = append(msg, part...)
		} else {
			msg = append(msg[:0], 0)
		}
		if err == nil {
			return msg[:len(msg)-1], nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 1 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-most):]...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-most):]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.text), ""))
}

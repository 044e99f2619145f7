// Package sse finds the messages in a stream of server-sent events (HTML
// standard, section 9.2).
package sse

import (
	"bytes"
	"errors"
)

// ErrTooLong is the error of an event that is larger than the limit.
var ErrTooLong = errors.New("a server-sent event is larger than the limit")

// A Scanner finds the data of events in a stream that comes in pieces. Lines end
// in LF, CR LF or CR.
type Scanner struct {
	limit   int
	message func(data []byte)
	line    []byte
	data    []byte
	other   bool // the event has another type than "message"
	afterCR bool
}

// New returns a scanner that calls message with the data of each event of type
// "message". An event may have at most limit bytes.
func New(limit int, message func(data []byte)) *Scanner {
	return &Scanner{limit: limit, message: message}
}

// Write takes the next piece of the stream. Its only error is [ErrTooLong],
// after which the scanner must not be used.
func (s *Scanner) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if s.afterCR && p[0] == '\n' {
			p = p[1:]
			s.afterCR = false
			continue
		}
		s.afterCR = false
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			i = len(p)
		}
		s.line = append(s.line, p[:i]...)
		if len(s.line)+len(s.data) > s.limit {
			return 0, ErrTooLong
		}
		if i == len(p) {
			break
		}
		s.afterCR = p[i] == '\r'
		p = p[i+1:]
		s.endLine()
	}
	return n, nil
}

// End takes note of the end of the stream. A last event without the empty line
// that ends an event counts, as it does for other clients of MCP.
func (s *Scanner) End() {
	s.endLine()
	s.endLine()
}

func (s *Scanner) endLine() {
	defer func() { s.line = s.line[:0] }()
	if len(s.line) == 0 {
		if data := bytes.TrimSuffix(s.data, []byte("\n")); len(data) > 0 && !s.other {
			s.message(bytes.Clone(data))
		}
		s.data, s.other = s.data[:0], false
		return
	}
	field, value, _ := bytes.Cut(s.line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		s.data = append(append(s.data, value...), '\n')
	case "event":
		s.other = string(value) != "message" && len(value) > 0
	}
}

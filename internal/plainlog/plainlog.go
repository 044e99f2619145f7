// Package plainlog writes log records for people: a line each, without time and
// level.
package plainlog

import (
	"context"
	"log/slog"
	"strings"
)

// New returns a logger that calls line with each record of level Info and above.
// It may be called from several goroutines at once.
func New(line func(string)) *slog.Logger { return slog.New(handler{line: line}) }

// Line returns a record as text: its message, and after a colon the values of its
// attributes.
func Line(r slog.Record) string { return text(r, nil) }

type handler struct {
	line func(string)
	with []slog.Attr
}

func (h handler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (h handler) Handle(_ context.Context, r slog.Record) error {
	h.line(text(r, h.with))
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.with = append(h.with[:len(h.with):len(h.with)], attrs...)
	return h
}

// WithGroup changes nothing: only values are shown.
func (h handler) WithGroup(string) slog.Handler { return h }

func text(r slog.Record, with []slog.Attr) string {
	var values []string
	add := func(a slog.Attr) bool {
		values = append(values, a.Value.Resolve().String())
		return true
	}
	for _, a := range with {
		add(a)
	}
	r.Attrs(add)
	if len(values) == 0 {
		return r.Message
	}
	return r.Message + ": " + strings.Join(values, ", ")
}

package host

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// maxPieces bounds the pieces of one input, pieceBytes their sum: each piece repeats
// what the one before has.
const (
	maxPieces  = 12
	pieceBytes = 1 << 20
)

// inputPieces returns the parameters of the partial inputs that precede a whole one:
// the first members of the arguments, as many more in each piece as fit into
// maxPieces, and before the last one half of its text if it is a string.
func inputPieces(params json.RawMessage) []json.RawMessage {
	var p struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	var written [][]byte // "name":value
	members(p.Arguments, func(name, value []byte) {
		written = append(written, slices.Concat(mustJSON(string(name)), []byte(":"), value))
	})
	if len(written) == 0 {
		return nil
	}
	var pieces []json.RawMessage
	size := 0
	add := func(list ...[]byte) {
		piece := []byte(`{"arguments":{`)
		for i, m := range list {
			if i > 0 {
				piece = append(piece, ',')
			}
			piece = append(piece, m...)
		}
		piece = append(piece, `}}`...)
		if size += len(piece); size <= pieceBytes {
			pieces = append(pieces, piece)
		}
	}
	step := (len(written) + maxPieces - 2) / (maxPieces - 1)
	for n := step; n < len(written); n += step {
		add(written[:n]...)
	}
	if half := halfOfString(p.Arguments); half != nil {
		add(append(slices.Clone(written[:len(written)-1]), half)...)
	}
	return pieces
}

// halfOfString returns the last member of an object with half of its text, nil if it
// is not a string with at least two characters.
func halfOfString(object json.RawMessage) []byte {
	var name, value []byte
	members(object, func(n, v []byte) { name, value = n, v })
	var text string
	if json.Unmarshal(value, &text) != nil || utf8.RuneCountInString(text) < 2 {
		return nil
	}
	runes := []rune(text)
	return slices.Concat(mustJSON(string(name)), []byte(":"), mustJSON(string(runes[:len(runes)/2])))
}

package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	// maxDocument is the size from which a page is not bundled.
	maxDocument = 64 << 20
	// usualLimit is the size of a document from which clients may refuse it: those made
	// with package appclient do by default.
	usualLimit = 8 << 20
	// maxMapped is the size of a document with its source map from which it gets none:
	// package host reads messages of 16 MiB by default.
	maxMapped = 12 << 20
)

// limits are the sizes of a document above which there is a warning and an error.
type limits struct{ usual, most int }

// tooLarge says that a document is too large, and which files make it so.
func (f *files) tooLarge(size int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	type input struct {
		name string
		size int64
	}
	var inputs []input
	for name, sig := range f.inputs {
		inputs = append(inputs, input{name, sig.size})
	}
	slices.SortFunc(inputs, func(a, b input) int {
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.name, b.name))
	})
	var largest []string
	for _, in := range inputs[:min(len(inputs), 3)] {
		largest = append(largest, fmt.Sprintf("%s (%.1f MB)", in.name, float64(in.size)/1e6))
	}
	return fmt.Sprintf("the document has %.1f MB, and hosts refuse one above a limit of their own (often %d MB): "+
		"make its largest files smaller, or have the view get what is in them by a tool's result or resources/read: %s",
		float64(size)/1e6, usualLimit>>20, strings.Join(largest, ", "))
}

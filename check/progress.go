package check

import "fmt"

// A Progress says what a check does now, and how far it is.
type Progress struct {
	// Part is "connect" while the server is waited for, which may be a command that
	// compiles first, "fetch" while its lists, documents and results are fetched,
	// "compare" while further clients and protocol versions ask for the same, and
	// "live" while views are open in a browser, and "hosts" while they are opened again
	// with what hosts leave of results.
	Part string
	// Done and Total count the connections of "compare" and the views of "live" and
	// "hosts". Both are 0 in other parts.
	Done, Total int
}

// String says what the check does, for people.
func (p Progress) String() string {
	switch p.Part {
	case "connect":
		return "waiting for the server to answer"
	case "fetch":
		return "reading what the server serves"
	case "compare":
		return fmt.Sprintf("asking as other clients do: %d of %d", p.Done, p.Total)
	case "live":
		return fmt.Sprintf("opening views in a browser: %d of %d", p.Done, p.Total)
	case "hosts":
		return fmt.Sprintf("opening views with less of their results: %d of %d", p.Done, p.Total)
	default:
		return p.Part
	}
}

// progress tells the caller of a check where it is.
func (o *Options) progress(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// counted returns a function that is called each time one of total is done, and tells
// the caller so. It tells at once that none is. It must not be called twice at a time.
func (o *Options) counted(part string, total int) (done func()) {
	p := Progress{Part: part, Total: total}
	o.progress(p)
	return func() {
		p.Done++
		o.progress(p)
	}
}

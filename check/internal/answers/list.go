package answers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// maxPages bounds the pages of a list.
const maxPages = 1000

// list follows a list to its end and hands each entry on.
func (f *fetcher) list(ctx context.Context, method, key string, entry func(json.RawMessage) error) {
	if f.Ended {
		return
	}
	at := Place{Method: method}
	fault := func(kind FailureKind, pointer string, raw json.RawMessage, err error) {
		f.Failures = append(f.Failures, Failure{Place: at.At(pointer), Kind: kind, Err: err, Raw: raw})
	}
	params := map[string]any{}
	seen := map[string]bool{}
	for n := 0; ; {
		raw, err := f.client.Call(ctx, method, params)
		if err != nil {
			if method == "resources/list" && f.Hello.Capabilities["resources"] == nil {
				return // a server need not list
			}
			f.fail(at, ListFailed, err)
			return
		}
		var page map[string]json.RawMessage
		var entries []json.RawMessage
		if json.Unmarshal(raw, &page) != nil || json.Unmarshal(page[key], &entries) != nil || entries == nil { // null is not a list
			fault(ListFailed, "/"+key, raw, errors.New("the result has no list of "+key))
			return
		}
		for _, e := range entries {
			if n >= f.maxEntries {
				fault(ListEndless, "", nil, fmt.Errorf("the list has more entries than %d", n))
				return
			}
			if err := entry(e); err != nil {
				fault(EntryInvalid, "/"+key+"/"+strconv.Itoa(n), e, err)
			}
			n++
		}
		for _, key := range []string{"nextCursor", "_meta"} {
			if string(page[key]) == "null" { // clients on the TypeScript SDK reject the list
				fault(ListFailed, "/"+key, nil, errors.New(key+" is null: leave it out"))
			}
		}
		var next *string
		if len(page["nextCursor"]) > 0 && json.Unmarshal(page["nextCursor"], &next) != nil {
			fault(ListFailed, "/nextCursor", page["nextCursor"], errors.New("nextCursor is not a string"))
			return
		}
		switch {
		case next == nil || *next == "":
			return
		case seen[*next]:
			fault(ListEndless, "/nextCursor", nil, errors.New("the cursor "+text.Quote(*next)+" comes twice"))
			return
		case len(seen) > maxPages:
			fault(ListEndless, "", nil, fmt.Errorf("the list is not at its end after %d entries in %d pages", n, len(seen)))
			return
		}
		seen[*next] = true
		params = map[string]any{"cursor": *next}
	}
}

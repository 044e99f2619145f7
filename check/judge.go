package check

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
)

// judge applies all rules to what the server answered to the main connection.
func (found *findings) judge(s *answers.Record) {
	found.judgeFailures(s)
	found.judgeCapability(s)
	for _, t := range s.Tools {
		found.judgeTool(t)
	}
	tools := newToolbox(s)
	listed := s.ResourcesByURI()
	named := make(map[string]bool)
	for _, t := range s.Tools {
		for _, uri := range t.Named() {
			named[uri] = true
		}
	}
	for _, r := range s.Results {
		for _, uri := range r.Named() {
			named[uri] = true
		}
	}
	uris := s.AppURIs()
	apps := make([]findings, len(uris))
	texts := make([]string, len(uris))
	each(len(uris), func(i int) {
		apps[i].local = found.local
		if found.uses != nil {
			apps[i].uses = make(map[string]*docUse)
		}
		texts[i] = apps[i].judgeApp(uris[i], listed[uris[i]], s.Reads[uris[i]], tools)
	})
	docs := slices.DeleteFunc(texts, func(doc string) bool { return doc == "" })
	allTools := !s.Failed("tools/list")
	for i, uri := range uris {
		found.merge(&apps[i])
		if !named[uri] && allTools {
			found.add(resourceUnused, place{URI: uri, Method: "resources/list"}, "no tool names the app")
		}
	}
	found.judgeTools(s, docs)
	found.judgeOpenAI(s)
	known := make(map[string]bool)
	if len(s.Results) > 0 {
		for _, doc := range docs {
			known[doc] = true
		}
	}
	called := make(map[string]bool)
	for _, r := range s.Results {
		called[r.Tool.Name] = true
		found.judgeResult(r, s.ResultReads, known)
	}
	for _, t := range s.Tools {
		if t.URI != "" && t.Opened() && !called[t.Name] && !s.Ended {
			found.add(resultUnchecked, place{Tool: t.Name, Method: "tools/call"}, "the tool was not called")
		}
	}
}

// each calls f with 0 to n-1, at most 8 at a time.
func each(n int, f func(int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0), 8) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		}()
	}
	wg.Wait()
}

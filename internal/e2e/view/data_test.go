package view

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// dataCases are the cases in cases/data, by the function of "mcp-app/data" that they
// are about.
var dataCases = map[string][]string{
	"resultData": {
		"dataInResult", "dataFromTwin", "dataWithoutMeta", "dataByID", "dataGone", "dataWithoutInput", "dataWithoutResult",
		"dataWhileWriting", "dataWithoutTools", "dataUnadvertised", "dataWithoutName", "dataErrors", "dataLate", "dataOdd", "dataQuoted", "dataConnectsLate",
	},
	"pages": {"pagesAll", "pagesAhead", "pagesTogether", "pagesRetry", "pagesExtra", "pagesReturn", "pagesAbort"},
	"viewState": {
		"stateThrottle", "stateNoOverlap", "stateBeforeLoad", "stateConflict", "stateErrors", "stateFlushFails",
		"stateTeardown", "stateTeardownReplaced", "stateUnload", "stateUnloadBusy", "stateUnloadBeforeLoad",
	},
	"subscribe": {
		"liveValues", "liveErrors", "liveSlowest", "liveWithoutTools", "liveOdd", "liveHidden", "liveOffScreen", "liveLate",
		"liveTeardown", "liveClosed",
	},
	"form": {
		"formDone", "formOpened", "formReloaded", "formError", "formRunningError", "formGone", "formQuoted", "formNothing", "formWithoutTools",
		"formToolFailed", "formAgain",
	},
}

// dataReference are the cases that CI runs with the reference's App class, too: each way in
// which the functions use an App, and each function.
var dataReference = []string{
	"dataFromTwin", "dataUnadvertised", "dataWhileWriting", "dataErrors", "dataConnectsLate", "pagesReturn",
	"stateTeardown", "stateTeardownReplaced", "stateUnload", "liveTeardown", "liveClosed", "formDone",
}

// With both App classes, the functions show and send what the golden files hold: what
// the view was told, and the calls of the server's tools, as params of tools/call. A
// number is how many calls there were at that moment. CI runs all cases with our class,
// and with the reference's those of dataReference; ci/full runs all with both.
func TestData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for function, cases := range dataCases {
		t.Run(function, func(t *testing.T) {
			t.Parallel()
			b.compareCases(t, cases, dataReference, filepath.Join("data", function+".txt"), record.transcript)
		})
	}
}

// compareCases runs the cases side by side, those named also, or all in ci/full, with the
// reference's App class, too. It compares their transcripts with a golden file in testdata.
func (b *bench) compareCases(t *testing.T, cases, also []string, file string, transcript func(record, *testing.T, string) string) {
	transcripts := make([]string, len(cases))
	t.Run("case", func(t *testing.T) {
		for i, name := range cases {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := b.run(t, newest, ours, name, nil)
				assert.Empty(t, r.Problems, "each message is valid by the packages' schemas")
				assert.Empty(t, r.Violations, "of the policy")
				transcripts[i] = transcript(r, t, name)
				if testenv.Full() || slices.Contains(also, name) {
					r := b.run(t, newest, reference, name, nil) // it tries eval, which violates the policy
					assert.Empty(t, r.Problems, "each message is valid by the packages' schemas")
					assert.Equal(t, transcripts[i], transcript(r, t, name), "with the reference's App class")
				}
			})
		}
	})
	if !t.Failed() && complete(transcripts) {
		assert.NoError(t, golden.Compare(filepath.Join("testdata", file), []byte(strings.Join(transcripts, "\n"))))
	}
}

// complete reports whether all cases ran: -run may choose among them.
func complete(transcripts []string) bool {
	for _, s := range transcripts {
		if s == "" {
			return false
		}
	}
	return true
}

func (r record) transcript(t *testing.T, name string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n", name)
	for _, shown := range r.reports(t) {
		fmt.Fprintf(&s, "  shown %s\n", shown)
	}
	var calls []json.RawMessage
	require.NoError(t, json.Unmarshal(r.Result, &calls))
	for _, call := range calls {
		fmt.Fprintf(&s, "  call  %s\n", canonical(t, call))
	}
	return s.String()
}

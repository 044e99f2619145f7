package check

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	serverListFailed = newRule(Rule{
		Code:     "server-list-failed",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a list is answered with an error, or with a result that is not a list",
		Why:      "without the list no host knows of the app",
		Remedy:   "answer the method with a list, empty if there is nothing in it",
	})

	serverListEndless = newRule(Rule{
		Code:     "server-list-endless",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a list never ends: a cursor repeats, or the list is longer than any client reads",
		Why:      "clients follow cursors until there is none, so they wait forever",
		Remedy:   "omit nextCursor on the last page, and use a different cursor for each page",
	})

	serverEntry = newRule(Rule{
		Code:     "server-entry",
		Severity: SeverityError,
		Hosts:    []string{hostTSSDK, hostGoSDK},
		Summary:  "a list entry does not follow the protocol",
		Why:      "clients decode a list as a whole: one invalid entry loses all of them",
		Remedy:   "correct the entry; the message shows it as received",
	})

	serverTimeout = newRule(Rule{
		Code:     "server-timeout",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a request is not answered in time",
		Why:      "hosts wait some seconds for a document (one waits 10 s), then show nothing",
		Remedy:   "build documents at start or in the background, not during the request",
	})

	serverFlood = newRule(Rule{
		Code:     "server-flood",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a message is larger than clients accept",
		Why:      "clients limit a message to some MiB and end the session beyond that",
		Remedy:   "make the message smaller: split lists into pages, keep data out of documents",
	})

	serverDied = newRule(Rule{
		Code:     "server-died",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the connection ends during a request",
		Why:      "a host can't show the app without its server",
		Remedy:   "read what the server wrote to standard error",
	})

	serverStdout = newRule(Rule{
		Code:     "server-stdout",
		Severity: SeverityError,
		Hosts:    []string{hostGoSDK},
		Summary:  "standard output has lines that are not protocol messages",
		Why:      "clients expect only messages there: some skip other lines, some end the session",
		Remedy:   "write banners and logs to standard error",
	})

	serverSession = newRule(Rule{
		Code:     "server-session",
		Severity: SeverityWarning,
		Summary:  "the server forgets a session that it opened",
		Why:      "it answers 404 then: clients must open another session, some fail the call instead, and what the session held is lost",
		Remedy:   "route each session to the replica that opened it, keep sessions where all replicas find them, or serve without sessions",
	})

	serverPing = newRule(Rule{
		Code:     "server-ping",
		Severity: SeverityError,
		Hosts:    []string{hostClaude},
		Summary:  "ping is not answered",
		Why:      "a host that pings before it opens a view opens none, although tool calls work",
		Remedy:   "answer ping with {}: every server must, in versions before 2026-07-28",
	})
)

// failureRules are the rules that failures raise.
var failureRules = map[answers.FailureKind]*Rule{
	answers.ListFailed:   serverListFailed,
	answers.ListEndless:  serverListEndless,
	answers.EntryInvalid: serverEntry,
	answers.ReadFailed:   resourceUnreadable,
	answers.PingFailed:   serverPing,
	answers.TimedOut:     serverTimeout,
	answers.Flooded:      serverFlood,
	answers.Died:         serverDied,
}

// judgeFailures reports what could not be fetched.
func (found *findings) judgeFailures(s *answers.Record) {
	opener := make(map[string]string) // the first tool that opens a view
	for _, t := range s.Tools {
		if _, ok := opener[t.URI]; !ok && t.URI != "" {
			opener[t.URI] = t.Name
		}
	}
	listed := make(map[string]bool)
	var spare []string // listed apps that no tool names: one may be what was meant
	for _, r := range s.Resources {
		listed[r.URI] = true
		if opener[r.URI] == "" && strings.HasPrefix(r.URI, "ui://") && len(spare) < maxCandidates {
			spare = append(spare, r.URI)
		}
	}
	misspelled := 0
	for _, f := range s.Failures {
		at := f.Place
		if at.URI != "" && at.Tool == "" {
			at.Tool = opener[at.URI]
		}
		message := answered(f.Err)
		if f.Raw != nil {
			message += ": " + text.JSON(f.Raw)
		}
		fd := found.add(failureRules[f.Kind], at, "%s", message)
		if f.Kind == answers.ReadFailed && listed[at.URI] && !isNotFound(f.Err) {
			what := "what the answer names"
			if at := sourcePosition.FindString(message); at != "" {
				what = at + " as the message says"
			}
			fd.Remedy = "correct " + what + ": the resource must be readable at any time, also before the first call"
		}
		if f.Kind != answers.ReadFailed || listed[at.URI] || misspelled == maxMisspelled {
			continue // a listed URI is not misspelled
		}
		misspelled++
		if near := nearestOf(at.URI, spare); near != "" {
			fd.Remedy = fmt.Sprintf("name %s, which is listed, or serve the resource at exactly the URI that the tool names", text.Quote(near))
		}
	}
}

// codeResourceNotFound is the error code of the protocol before version 2026-07-28.
const codeResourceNotFound = -32002

// isNotFound reports whether a read failed because there is no such resource.
func isNotFound(err error) bool {
	var answer *jsonrpc.Error
	return !errors.As(err, &answer) || answer.Code == codeResourceNotFound || answer.Code == jsonrpc.CodeInvalidParams
}

// sourcePosition matches a place in a file of the author's, such as ui/index.html:5:9.
var sourcePosition = regexp.MustCompile(`[\w./-]+\.\w+:[0-9]+:[0-9]+`)

// answered says how a request failed. The finding names its method.
func answered(err error) string {
	var answer *jsonrpc.Error
	switch {
	case errors.As(err, &answer) && answer.Code == 0: // an error of Go, whose text has quotes of its own
		return "the answer is an error: " + text.Printable(text.Shorten(answer.Message, maxSentence))
	case errors.As(err, &answer):
		return fmt.Sprintf("the answer is the error %d: %s", answer.Code, strconv.Quote(text.Shorten(answer.Message, maxSentence)))
	case errors.Is(err, rpc.ErrTimeout):
		return "there is no answer in time"
	}
	return text.Shorten(err.Error(), maxSentence)
}

// judgeForgotten judges how many sessions the server forgot.
func (found *findings) judgeForgotten() {
	if found.forgotten > 0 {
		found.add(serverSession, place{}, "the server forgot the session %s during the check", plural(found.forgotten, "time"))
	}
}

// judgeStray judges the lines of standard output that are not messages.
func (found *findings) judgeStray(lines []string) {
	for _, line := range lines {
		found.add(serverStdout, place{}, "standard output has a line that is not a message: %s", text.Quote(line))
	}
}

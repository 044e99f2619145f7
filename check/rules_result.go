package check

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	resultText = newRule(Rule{
		Code:     "result-text",
		Severity: SeverityWarning,
		Summary:  "a tool result has no text",
		Why:      "the model, and every host without a view, gets nothing to read",
		Remedy:   "put text into content that is useful without the view",
		Spec:     "Client<>Server Capability Negotiation",
	})

	resultStructuredMissing = newRule(Rule{
		Code:     "result-structured-missing",
		Severity: SeverityWarning,
		Hosts:    []string{hostTSSDK},
		Summary:  "a tool that declares an output schema returns no structured content",
		Why:      "clients that validate results fail the call",
		Remedy:   "return structuredContent, or declare no outputSchema",
	})

	resultType = newRule(Rule{
		Code:     "result-type",
		Severity: SeverityError,
		Hosts:    []string{hostTSSDK, hostGoSDK},
		Summary:  "a tool result does not follow the protocol",
		Why:      "clients decode a result as a whole: one block or value of the wrong type fails the call",
		Remedy:   "write content as a list of the protocol's blocks, and omit keys without a value",
		Spec:     "Data Passing",
	})

	resultStructuredType = newRule(Rule{
		Code:     "result-structured-type",
		Severity: SeverityWarning,
		Hosts:    []string{hostMCPJam},
		Summary:  "structured content is not an object",
		Why:      "hosts that expect an object reject or drop it",
		Remedy:   "put the value into an object",
		Spec:     "Data Passing",
	})

	resultHTML = newRule(Rule{
		Code:     "result-html",
		Severity: SeverityWarning,
		Summary:  "a tool result contains the view's HTML",
		Why:      "it costs the model tokens, and hosts open the resource that the tool names anyway",
		Remedy:   "return data, and leave the HTML to the resource",
		Spec:     "Resource Discovery",
	})

	resultURI = newRule(Rule{
		Code:     "result-uri",
		Severity: SeverityWarning,
		Summary:  "the metadata of a tool result names a view that hosts can't show",
		Why:      "the specification takes the view from the tool's list entry; hosts that take it from the result show none, or not all the same",
		Remedy:   "name one resource that the server has, in results that succeed only, as SetResultUI of package mcpapps does, or leave the key out of results",
		Spec:     "Resource Discovery",
	})

	resultFailed = newRule(Rule{
		Code:     "result-failed",
		Severity: SeverityNote,
		Summary:  "a call that the check made failed",
		Why:      "the shape of its result is unchecked",
		Remedy:   "give arguments with which the call succeeds",
	})

	resultUnchecked = newRule(Rule{
		Code:     "result-unchecked",
		Severity: SeverityNote,
		Summary:  "a tool that opens a view was not called",
		Why:      "nothing is known of its result: whether it has text, what shape it has, how large it is",
		Remedy:   "name the tool and arguments that do no harm, as -call TOOL={…} or in Options.Calls; on this machine a tool with readOnlyHint that needs no argument is called anyway",
	})

	resultLink = newRule(Rule{
		Code:     "result-link",
		Severity: SeverityWarning,
		Hosts:    []string{hostClaude},
		Summary:  "the result of a tool that opens a view has a resource_link block",
		Why:      "claude.ai then gives the view no result at all",
		Remedy:   "leave the block out, and write the link into the text or into structuredContent",
	})
)

// judgeResult judges the result of a call. reads says which of the URIs that results
// name can't be read, and docs are the documents of all apps.
func (found *findings) judgeResult(r *answers.Result, reads map[string]error, docs map[string]bool) {
	at := place{Tool: r.Tool.Name, Method: "tools/call"}
	if rpc.EndsSession(r.Err) || errors.Is(r.Err, rpc.ErrTimeout) {
		return // said by the rules of servers
	}
	if r.Err != nil {
		f := found.add(resultFailed, at, "%s", answered(r.Err))
		if errors.As(r.Err, new(*rpc.StatusError)) {
			f.Remedy = "let the server answer: no arguments make a call succeed whose session it has lost, or that it does not accept"
		}
		return
	}
	found.addOpenAI(at, openairules.Result(r.Object))
	if r.Object["isError"] == true {
		found.add(resultFailed, at, "the call's result is an error: %s", errorText(r.Object["content"]))
		if named := r.Named(); len(named) > 0 {
			found.add(resultURI, at.At("/_meta"), "the result is an error, and its _meta names the view %s", text.Quote(named[0])).
				Remedy = "leave the key out of results that are errors: hosts show their text"
		}
		return
	}
	found.judgeResultSize(at, r)
	if fault := resultFault(r); fault != "" {
		found.add(resultType, at, "the result does not follow the protocol: %s", text.Shorten(fault, maxValue))
	}
	content, _ := r.Object["content"].([]any)
	hasText := false
	for _, b := range content {
		block, _ := b.(map[string]any)
		s, _ := block["text"].(string)
		hasText = hasText || block["type"] == "text" && strings.TrimSpace(s) != ""
		if block["type"] == "resource_link" && r.Tool.URI != "" {
			found.addToGroup(resultLink, at.At("/content"), "", "content has a link to "+text.JSON(block["uri"]))
		}
	}
	if s, ok := r.Object["content"].(string); ok {
		found.add(resultText, at.At("/content"), "content must be a list, not %s", text.Quote(s)).
			Remedy = `write "content": [{"type": "text", "text": "…"}]`
	} else if !hasText {
		found.add(resultText, at.At("/content"), "content has no text: %s", text.JSON(r.Object["content"]))
	}
	structured, has := r.Object["structuredContent"]
	if _, isObject := structured.(map[string]any); has && !isObject {
		found.add(resultStructuredType, at.At("/structuredContent"), "structuredContent must be an object, not %s", text.JSON(structured))
	} else if !has && r.Tool.Object["outputSchema"] != nil {
		found.add(resultStructuredMissing, at.At("/structuredContent"), "the tool declares an outputSchema and returned no structuredContent")
	}
	if nested, flat := r.Spellings(); nested != "" && flat != "" && nested != flat {
		found.add(resultURI, at.At("/_meta"), "the result's _meta.ui.resourceUri is %s and its _meta[%q] is %s: hosts read one or the other", text.Quote(nested), mcpapps.LegacyResourceURIKey, text.Quote(flat)).
			Remedy = "write the same URI under both keys"
	}
	for _, uri := range r.Named() {
		if err := appuri.Validate(uri); err != nil {
			found.add(resultURI, at.At("/_meta"), "the result's _meta names a view: %v", err)
		} else if err := reads[uri]; err != nil {
			found.add(resultURI, at.At("/_meta"), "the result's _meta names the view %s, which can't be read: %s", text.Quote(uri), answered(err))
		}
	}
	if where, ok := holdsHTML(r.Object, docs); ok {
		found.add(resultHTML, at.At(where), "the result contains the view's HTML")
	}
}

// errorText returns the text of a result that is an error.
func errorText(content any) string {
	list, _ := content.([]any)
	for _, b := range list {
		block, _ := b.(map[string]any)
		if s, _ := block["text"].(string); s != "" {
			return strconv.Quote(text.Shorten(s, maxSentence))
		}
	}
	return text.JSON(content)
}

// resultFault says why clients can't decode a result, "" if they can.
func resultFault(r *answers.Result) string {
	for _, key := range []string{"content", "isError", "_meta"} {
		if v, ok := r.Object[key]; ok && v == nil {
			return key + " is null: leave it out"
		}
	}
	var te *json.UnmarshalTypeError
	if err := json.Unmarshal(r.Raw, new(mcp.CallToolResult)); errors.As(err, &te) {
		return te.Field + " has the wrong type"
	} else if err != nil {
		return err.Error()
	}
	return ""
}

// holdsHTML returns the pointer of the first HTML document in a value, and whether
// there is one.
func holdsHTML(v any, docs map[string]bool) (at string, ok bool) {
	switch v := v.(type) {
	case string:
		head := strings.ToLower(begin(v))
		if strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") {
			return "", true
		}
		if len(v) > 100 && docs[v] {
			return "", true
		}
	case []any:
		for i, e := range v {
			if p, ok := holdsHTML(e, docs); ok {
				return pointer(i) + p, true
			}
		}
	case map[string]any:
		if v["mimeType"] == mcpapps.MIMEType && (has(v, "text") || has(v, "blob")) {
			return "", true
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p, ok := holdsHTML(v[k], docs); ok {
				return pointer(k) + p, true
			}
		}
	}
	return "", false
}

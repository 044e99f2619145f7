package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// A variant is one of an example's further inputs.
type variant struct {
	name       string // NAME.fail:LINE
	raises     bool
	patches    []string
	document   string // alone, for the rules of the live part
	also, says []string
}

// lineDocument is what goes before each of lines: a document that raises nothing.
const lineDocument = "<!doctype html>\n<meta charset=utf-8><title>Weather</title>\n<main>Sunny</main>\n"

// onlyOfTheirKind are the further inputs of live rules that CI opens too. The others fail
// or pass as one of these or the rule's example does.
var onlyOfTheirKind = []string{
	"view-blank/hidden.fail:1", "view-blocked/eval.fail:1", "view-caught/probe.pass:1", "view-contrast/own.pass:1",
	"view-message/elsewhere.fail:1", "view-size/flat.fail:1",
}

func (e example) variants(t testing.TB) []variant {
	t.Helper()
	handshake, err := os.ReadFile("testdata/handshake.js")
	require.NoError(t, err)
	var list []variant
	for _, file := range slices.Sorted(maps.Keys(e.files)) {
		parts := strings.Split(file, ".")
		if len(parts) != 3 || parts[1] != "fail" && parts[1] != "pass" {
			continue
		}
		base := variant{raises: parts[1] == "fail"}
		if shared, ok := e.files[parts[0]+".json"]; ok {
			base.patches = []string{shared}
			var terms struct{ Also, Says []string }
			require.NoError(t, json.Unmarshal([]byte(shared), &terms), shared)
			base.also, base.says = terms.Also, terms.Says
		}
		inputs := []string{e.files[file]}
		if parts[2] == "lines" || parts[2] == "jsonl" {
			inputs = slices.Collect(strings.Lines(e.files[file]))
		}
		for i, text := range inputs {
			v := base
			v.name = fmt.Sprintf("%s.%s:%d", parts[0], parts[1], i+1)
			switch parts[2] {
			case "lines":
				text = lineDocument + text
				fallthrough
			case "html":
				if isLive(e.code) && e.code != "view-contrast" { // which all would raise
					text = strings.Replace(text, "<!doctype html>", `<!doctype html><meta name="color-scheme" content="light dark">`, 1)
				}
				v.document = strings.Replace(text, "HANDSHAKE\n", string(handshake), 1)
				raw, err := json.Marshal(map[string]string{"document": v.document})
				require.NoError(t, err)
				text = string(raw)
			case "json", "jsonl":
			default:
				t.Fatalf("%s: an example of no known kind: %s", e.code, file)
			}
			v.patches = append(slices.Clone(base.patches), text)
			list = append(list, v)
		}
	}
	if isLive(e.code) && !testenv.Full() {
		list = slices.DeleteFunc(list, func(v variant) bool { return !slices.Contains(onlyOfTheirKind, e.code+"/"+v.name) })
	}
	return list
}

// check runs a variant. Only the rules about servers need all versions.
func (v variant) check(t *testing.T, code string) *Report {
	t.Helper()
	opts := &Options{}
	if strings.Contains(strings.Join(v.patches, ""), "$hang") {
		opts.Timeout = 300 * time.Millisecond
	}
	return checkFake(t, opts, strings.HasPrefix(code, "server-"), newFake(t, v.patches...))
}

func (v variant) judge(t *testing.T, code string, r *Report) {
	t.Helper()
	input := v.patches[len(v.patches)-1]
	if v.document != "" {
		input = strings.TrimPrefix(v.document, lineDocument)
	}
	raised := false
	for _, f := range r.Findings {
		switch {
		case v.raises && f.Code == code:
			raised = true
			for _, s := range v.says {
				assert.Contains(t, f.Message+" "+f.Remedy, s, input)
			}
		case f.Severity == SeverityNote && f.Code != code, slices.Contains(v.also, f.Code):
		default:
			t.Errorf("this must not raise %s: %s\n%s", f.Code, f.Message, input)
		}
	}
	if v.raises && !raised {
		t.Errorf("this must raise %s:\n%s", code, input)
	}
}

// TestViews checks correct views as authors write and build them, each a
// document and a patch of the server: none raises more than notes, and all of
// their scripts are read.
func TestViews(t *testing.T) {
	a, err := txtar.ParseFile("testdata/views.txtar")
	require.NoError(t, err)
	patches := make(map[string][]string)
	for _, f := range a.Files {
		name, kind, _ := strings.Cut(f.Name, ".")
		text := string(f.Data)
		if kind == "html" {
			raw, err := json.Marshal(map[string]string{"document": text})
			require.NoError(t, err)
			text = string(raw)
		}
		patches[name] = append(patches[name], text)
	}
	require.GreaterOrEqual(t, len(patches), 30)
	for name, list := range patches {
		t.Run(name, func(t *testing.T) {
			r := variant{patches: list}.check(t, "")
			assert.Equal(t, 1, r.Apps)
			for _, f := range r.Findings {
				if f.Severity != SeverityNote || f.Code == "check-script-unread" {
					t.Errorf("a correct view raises this: %v", f)
				}
			}
		})
	}
}

package mcpapps_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/golden"
)

// TestDataHosts keeps the table of hosts in docs/data.md in step with the profiles;
// MCPAPPS_UPDATE=1 rewrites it.
func TestDataHosts(t *testing.T) {
	const name = "docs/data.md"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	part := regexp.MustCompile(`(?s)(<!-- hosts: [^\n]*-->\n).*(<!-- end -->)`)
	require.Len(t, part.FindAll(text, -1), 1)
	page := part.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(dataHosts(), "$", "$$")+"${2}")
	assert.NoError(t, golden.Compare(name, []byte(page)))
}

// TestDataBytes shows that docs/data.md quotes what package viewdata has measured;
// MCPAPPS_UPDATE=1 quotes it again.
func TestDataBytes(t *testing.T) {
	const name = "docs/data.md"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	table, err := os.ReadFile("viewdata/testdata/model-bytes.md")
	require.NoError(t, err)
	part := regexp.MustCompile(`(?s)(<!-- bytes: [^\n]*-->\n).*?(<!-- end -->)`)
	require.Len(t, part.FindAll(text, -1), 1)
	page := part.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(string(table), "$", "$$")+"${2}")
	assert.NoError(t, golden.Compare(name, []byte(page)))
}

func dataHosts() string {
	var b strings.Builder
	b.WriteString("| host | data | after the chat is opened again | state, live values, forms | the model sees tools for views | the model reads |\n| --- | --- | --- | --- | --- | --- |\n")
	var unknown []string
	for _, p := range compat.Profiles() {
		if shows, known := p.ShowsApps.Value(); !shows || !known {
			continue
		}
		row := []string{dataAtFirst(p), dataAgain(p), stateIn(p), toolsForViews(p), modelReads(p)}
		if strings.Trim(strings.Join(row, ""), "?") == "" {
			unknown = append(unknown, p.Name)
			continue
		}
		fmt.Fprintf(&b, "| [%s](hosts.md#%s) | %s |\n", p.Name, anchors("# " + p.Name)[0], strings.Join(row, " | "))
	}
	if len(unknown) > 0 {
		fmt.Fprintf(&b, "\nUnknown of %s.\n", strings.Join(unknown, ", "))
	}
	return b.String()
}

// callsTools says whether a view's calls of tools are carried out, also by a host that
// does not say so.
func callsTools(p *compat.Profile) (yes, known bool) {
	support, known := p.ServerTools.Value()
	return support == compat.Yes || support == compat.Restricted || support == compat.Unadvertised, known
}

func dataAtFirst(p *compat.Profile) string {
	result, known := p.Result.Value()
	calls, callsKnown := callsTools(p)
	switch {
	case callsKnown && !calls && known && result != compat.ResultWhole:
		return "missing" + condition(p.Result.When())
	case callsKnown && !calls:
		return "result, else missing" + mark(known)
	case known && result != compat.ResultWhole:
		return "twin" + condition(p.Result.When())
	case known || callsKnown:
		return "result" + mark(known)
	}
	return "?"
}

func dataAgain(p *compat.Profile) string {
	reload, known := p.Reload.Value()
	switch {
	case !known:
		return "?"
	case reload == compat.ReloadNothing:
		return "no input" + condition(p.Reload.When())
	case reload == compat.ReloadWhole:
		return dataAtFirst(p)
	}
	if calls, known := callsTools(p); known && !calls {
		return "missing" + condition(p.Reload.When())
	}
	return "twin" + condition(p.Reload.When())
}

func stateIn(p *compat.Profile) string {
	switch calls, known := callsTools(p); {
	case !known:
		return "?"
	case !calls:
		return "missing"
	}
	return "yes"
}

func toolsForViews(p *compat.Profile) string {
	switch hides, known := p.HidesAppTools.Value(); {
	case !known:
		return "?"
	case hides:
		return "no"
	}
	return "yes"
}

func modelReads(p *compat.Profile) string {
	switch reads, _ := p.ModelReads.Value(); reads {
	case compat.ReadsContent:
		return "`Text`"
	case compat.ReadsStructured:
		return "`Out`"
	case compat.ReadsBoth:
		return "`Text`, `Out`"
	}
	return "?"
}

// condition marks what holds under a condition.
func condition(when string) string {
	if when == "" {
		return ""
	}
	return `\*`
}

// mark marks what rests on a fact that is not known.
func mark(known bool) string {
	if known {
		return ""
	}
	return " ?"
}

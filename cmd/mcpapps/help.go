package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// A guide is what the help of a command says in addition to its flags.
type guide struct {
	examples []string
	exits    []string // of the codes 0, 1 and so on
}

var guides = map[string]guide{
	"preview": {
		examples: []string{
			"mcpapps preview -- go run ./cmd/server",
			"mcpapps preview -open http://localhost:8080/mcp",
			"mcpapps preview -watch dist -- node server.js",
			"mcpapps preview -as goose -- ./server",
			"mcpapps preview -addr localhost:9000 -- ./server",
			`mcpapps preview -header "Authorization: Bearer …" https://example.com/mcp`,
		},
		exits: []string{"it was interrupted", "the server could not be reached, or the page not be served", "a mistake on the command line"},
	},
	"screenshot": {
		examples: []string{
			"mcpapps screenshot -o view.png -- go run ./cmd/server",
			`mcpapps screenshot -o rome.png -tool weather -args '{"city":"Rome"}' http://localhost:8080/mcp`,
			"mcpapps screenshot -o dark.png -dark -size 400x -- node server.js",
			"mcpapps screenshot -o shots/view.png -as all -- ./server",
		},
		exits: []string{
			"the pictures were written",
			"a view or its tool failed, or an argument is missing: the picture is written all the same if there is a view, and -allow-errors makes it 0; or there is no view to render",
			"a mistake on the command line",
		},
	},
	"check": {
		examples: []string{
			"mcpapps check -- go run ./cmd/server",
			`mcpapps check -live -call 'weather={"city":"Rome"}' http://localhost:8080/mcp`,
			"mcpapps check -fail-on warning -ignore 'doc-cdn=the map comes from there' -- node server.js",
			"mcpapps check -host claude-web,goose -live -- ./server",
			"mcpapps check -format github -fail-on warning -- ./server",
			`mcpapps check -metadata '{"csp":{"connectDomains":["https://api.example.com"]}}' view.html`,
		},
		exits: []string{
			"nothing was found that counts",
			"there are findings of the severity in -fail-on or above, an app that is blocked on a host in -host being a warning",
			"a mistake on the command line, or the server could not be asked, or with -live its views not be opened: what was found until then is printed all the same",
		},
	},
	"types": {
		examples: []string{
			"mcpapps types > ui/mcp-app.d.ts",
			"mcpapps types -o ui -- go run ./cmd/server",
			"mcpapps types -o ui -react http://localhost:8080/mcp",
		},
		exits: []string{"the declarations were written", "the server could not be asked, or a file not be written", "a mistake on the command line"},
	},
	"version": {exits: []string{"always", "the program has no version", "a mistake on the command line"}},
}

// helpWidth is the width of the help, in characters.
const helpWidth = 80

// writeHelp writes the help of a command.
func writeHelp(w io.Writer, fs *flag.FlagSet, name, args, text string) {
	hasFlags := false
	fs.VisitAll(func(*flag.Flag) { hasFlags = true })
	usage := "usage: mcpapps " + name
	if hasFlags {
		usage += " [flags]"
	}
	if args != "" {
		usage += " " + args
	}
	fmt.Fprintf(w, "%s\n\n%s\n", usage, text)
	if examples := guides[name].examples; len(examples) > 0 {
		fmt.Fprint(w, "\nexamples:\n")
		for _, e := range examples {
			fmt.Fprintf(w, "  %s\n", e)
		}
	}
	if hasFlags {
		fmt.Fprint(w, "\nflags:\n")
		fs.VisitAll(func(f *flag.Flag) { writeFlag(w, f) })
	}
	if exits := guides[name].exits; len(exits) > 0 {
		fmt.Fprint(w, "\nexit codes:\n")
		for code, meaning := range exits {
			fmt.Fprintf(w, "  %d  %s\n", code, strings.Join(wrap(meaning, helpWidth-5), "\n     "))
		}
	}
}

func writeFlag(w io.Writer, f *flag.Flag) {
	value, usage := flag.UnquoteUsage(f)
	if value != "" {
		value = " " + value
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" {
		usage += fmt.Sprintf(" (default %s)", d)
	}
	fmt.Fprintf(w, "  -%s%s\n      %s\n", f.Name, value, strings.Join(wrap(usage, helpWidth-6), "\n      "))
}

// wrap breaks text into lines of at most width characters, between words.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

package mcpapps

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/yosida95/uritemplate/v3"
)

// A template is a URI template of the restricted form that apps may have.
type template struct {
	*regexp.Regexp // by which the SDK matches, with one group for each variable
	vars           []string
}

var expression = regexp.MustCompile(`\{[^{}]*\}`)

// appTemplate parses a template. It accepts only the two forms of expressions for
// which the SDK's rule for matching agrees with the clients' rule for expanding.
func appTemplate(raw string) (*template, error) {
	literal := expression.ReplaceAllString(raw, "x")
	if i := strings.IndexAny(literal, "{}"); i >= 0 {
		return nil, fmt.Errorf("it has a %q without its counterpart: a variable is written {name}", literal[i])
	}
	if err := appuri.Validate(literal); err != nil {
		return nil, fmt.Errorf("the URI without its expressions, %w", err)
	}
	tmpl, err := uritemplate.New(raw)
	if err != nil {
		return nil, fmt.Errorf("not a URI template: %w", err)
	}
	vars := tmpl.Varnames()
	for _, e := range expression.FindAllString(raw, -1) {
		name := strings.TrimPrefix(strings.Trim(e, "{}"), "+")
		if strings.ContainsAny(name, ",*:") || strings.ContainsRune("?&#./;|!@=", rune(name[0])) {
			return nil, fmt.Errorf("servers and clients interpret the expression %s differently: use {%s} or {+%s}, with one variable each", e, "name", "name")
		}
		if strings.Count(raw, "{"+name+"}")+strings.Count(raw, "{+"+name+"}") > 1 {
			return nil, fmt.Errorf("the variable %q occurs twice", name)
		}
	}
	if len(vars) == 0 {
		return nil, errors.New("it has no variable: register it with RegisterAppResource")
	}
	return &template{tmpl.Regexp(), vars}, nil
}

// validateShell reports why uri can't be the URI of a shell.
func validateShell(uri string) error {
	if strings.ContainsRune(uri, '{') {
		return fmt.Errorf("shellURI %q is a template: the shell is the concrete URI that tools name, such as %q", uri, appuri.Example)
	}
	if err := appuri.Validate(uri); err != nil {
		return fmt.Errorf("shellURI %w", err)
	}
	return nil
}

// match returns the variables of a URI, or nil if one is missing or empty. It uses
// the regular expression by which the SDK chose the template, because
// uritemplate's Match takes cubic time for a URI of commas: a hostile client
// needs only a few kilobytes.
func (t *template) match(uri string) map[string]string {
	values := t.FindStringSubmatch(uri)
	if len(values) != len(t.vars)+1 {
		return nil
	}
	vars := make(map[string]string, len(t.vars))
	for i, name := range t.vars {
		v, err := url.PathUnescape(values[i+1])
		if err != nil || v == "" {
			return nil
		}
		vars[name] = v
	}
	return vars
}

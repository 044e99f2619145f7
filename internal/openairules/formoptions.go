package openairules

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// choices checks the choices of a field that have no titles.
func (c *formCheck) choices(at string, v any) {
	list, ok := v.([]any)
	if !ok {
		return // members reported it
	}
	if len(list) == 0 {
		c.field(at, "there are no choices", "name at least one, or ask nothing if the user has no choice")
	}
	seen := make(map[string]bool, len(list))
	for i, e := range list {
		c.choice(fmt.Sprintf("%s/%d", at, i), e, seen)
	}
}

// choice checks one value that the user may choose.
func (c *formCheck) choice(at string, v any, seen map[string]bool) {
	s, ok := v.(string)
	switch {
	case !ok || s == "":
		c.field(at, fmt.Sprintf("the choice is %s", text.JSON(v)), "use a string that is not empty")
	case seen[s]:
		c.field(at, fmt.Sprintf("the choice %s is there twice", text.Quote(s)), "leave the second one out")
	}
	seen[s] = true
}

// options checks titled choices, or suggestions, which may repeat, and may be an empty list.
func (c *formCheck) options(at string, v any, choices bool) {
	list, ok := v.([]any)
	if !ok {
		return // members reported it
	}
	if choices && len(list) == 0 {
		c.field(at, "there are no choices", "name at least one, or ask nothing if the user has no choice")
	}
	seen := make(map[string]bool, len(list))
	for i, e := range list {
		at := fmt.Sprintf("%s/%d", at, i)
		option, ok := e.(map[string]any)
		if !ok {
			c.field(at, fmt.Sprintf("the option is %s", text.JSON(e)), `use {"const":…,"title":…}`)
			continue
		}
		c.members(at, option, formOption, "an option")
		if !choices {
			clear(seen)
		}
		c.choice(at+"/const", option["const"], seen)
		if title, _ := option["title"].(string); title == "" {
			c.field(at+"/title", "the option has no title", "say what the user reads")
		}
		for _, key := range []string{"x-openai-thumbnail", "x-openai-preview"} {
			if icon, ok := option[key].(map[string]any); ok {
				c.thumbnail(at+"/"+key, icon)
			}
		}
	}
}

var formPicture = regexp.MustCompile(`^data:image/[a-zA-Z0-9.+-]+;base64,[a-zA-Z0-9+/]+={0,2}$`)

func (c *formCheck) thumbnail(at string, icon map[string]any) {
	src, _ := icon["src"].(string)
	if u, err := url.Parse(src); (err != nil || u.Scheme != "https" || u.Host == "") && !formPicture.MatchString(src) {
		c.field(at+"/src", fmt.Sprintf("the picture is %s", text.JSON(icon["src"])), "use an https URL, or a data URI of an image in base64")
	}
	for key, want := range map[string]formType{"mimeType": aString, "sizes": aStringList} {
		if v, ok := icon[key]; ok && !want.has(v) {
			c.field(at+"/"+key, fmt.Sprintf("it is %s", text.JSON(v)), fmt.Sprintf("use %v, or leave it out", want))
		}
	}
	if v, ok := icon["theme"]; ok && v != "light" && v != "dark" {
		c.field(at+"/theme", fmt.Sprintf("it is %s", text.JSON(v)), `use "light" or "dark", or leave it out`)
	}
}

// resources checks the x-openai-input of a field, whose value, or whose items, are the
// strings that values describes.
func (c *formCheck) resources(at string, field, values map[string]any) {
	input, ok := field["x-openai-input"].(map[string]any)
	if !ok {
		return // members reported it
	}
	if values["format"] != "uri" {
		c.field(at, "x-openai-input is on values without the format uri", `add "format":"uri" to the string`)
	}
	at += "/x-openai-input"
	c.members(at, input, formInput, "x-openai-input")
	if t := input["type"]; t != "resource" && t != "file" {
		c.field(at+"/type", fmt.Sprintf("the type is %s", text.JSON(t)), `use "resource"`)
	}
	if _, ok := input["options"]; !ok {
		c.field(at+"/options", "they are missing", "use [] if the user can only add files")
	}
	c.resourceOptions(at+"/options", input["options"])
	if v, ok := input["selection"].(string); ok {
		switch {
		case v != "explicit" && v != "implicit":
			c.field(at+"/selection", fmt.Sprintf("it is %s", text.Quote(v)), `use "explicit" or "implicit"`)
		case field["type"] != "array":
			c.field(at+"/selection", "the field is not an array", "leave it out")
		}
		if _, has := field["default"]; has && v == "implicit" {
			c.field(strings.TrimSuffix(at, "/x-openai-input")+"/default", "the field has a default beside an implicit selection", "leave it out, since all options are selected")
		}
	}
	if user, ok := input["userOptions"].(map[string]any); ok {
		c.userOptions(at+"/userOptions", user)
	}
}

func (c *formCheck) resourceOptions(at string, v any) {
	list, _ := v.([]any)
	seen := make(map[string]bool, len(list))
	for i, e := range list {
		at := fmt.Sprintf("%s/%d", at, i)
		r, ok := e.(map[string]any)
		if !ok {
			c.field(at, fmt.Sprintf("the option is %s", text.JSON(e)), "use a resource, with uri and name")
			continue
		}
		uri, _ := r["uri"].(string)
		switch {
		case !formURI(uri):
			c.field(at+"/uri", fmt.Sprintf("it is %s", text.JSON(r["uri"])), "use an absolute URI, escaped as in RFC 3986")
		case seen[uri]:
			c.field(at+"/uri", fmt.Sprintf("the resource %s is there twice", text.Quote(uri)), "leave the second one out")
		}
		seen[uri] = true
		if _, ok := r["name"].(string); !ok {
			c.field(at+"/name", fmt.Sprintf("it is %s", text.JSON(r["name"])), "use a string")
		}
		for _, key := range []string{"title", "description", "mimeType"} {
			if v, ok := r[key]; ok && !aString.has(v) {
				c.field(at+"/"+key, fmt.Sprintf("it is %s", text.JSON(v)), "use a string, or leave it out")
			}
		}
	}
}

var formMediaType = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func (c *formCheck) userOptions(at string, user map[string]any) {
	c.members(at, user, formUserOptions, "userOptions")
	if v, ok := user["kind"].(string); ok && v != "file" && v != "directory" {
		c.field(at+"/kind", fmt.Sprintf("it is %s", text.Quote(v)), `use "file" or "directory"`)
	}
	var seen []string
	for i, token := range formStrings(user["accept"]) {
		at := fmt.Sprintf("%s/accept/%d", at, i)
		folded := strings.ToLower(token)
		switch {
		case token != strings.TrimSpace(token) || strings.Contains(token, ",") || !strings.HasPrefix(token, ".") && !formMediaType.MatchString(token):
			c.field(at, fmt.Sprintf("it is %s", text.Quote(token)), `use an extension, as ".pdf", or a media type, as "image/png"`)
		case slices.Contains(seen, folded):
			c.field(at, fmt.Sprintf("%s is there twice", text.Quote(token)), "leave the second one out")
		}
		if len(seen) < 1000 {
			seen = append(seen, folded)
		}
	}
}

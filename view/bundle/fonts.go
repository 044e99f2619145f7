package bundle

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// A font file can't be put into a style sheet as a data URL: the policy of a view
// has no data: in font-src, and no metadata adds it. A FontFace made from bytes
// makes no request, so @font-face rules with files become a script.

// fontMarker begins the address that stands for a font file in a compiled style
// sheet; the file's number follows.
const fontMarker = "mcpapps-font:"

// font exchanges a font file of a style sheet for a marker.
func (c *compilation) font(name string) (api.OnResolveResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fonts = append(c.fonts, name)
	return api.OnResolveResult{Path: fmt.Sprintf("%s%d.", fontMarker, len(c.fonts)-1), External: true}, nil
}

// fontFace has the arguments of the constructor of FontFace.
type fontFace struct {
	family      string
	descriptors map[string]string
	path        string // of the font file
}

// descriptorNames maps the descriptors of @font-face to those of FontFace.
var descriptorNames = map[string]string{
	"font-style": "style", "font-weight": "weight", "font-stretch": "stretch", "font-display": "display",
	"unicode-range": "unicodeRange", "font-feature-settings": "featureSettings",
	"font-variation-settings": "variationSettings", "ascent-override": "ascentOverride",
	"descent-override": "descentOverride", "line-gap-override": "lineGapOverride", "size-adjust": "sizeAdjust",
}

// withFonts returns the elements for a compiled style sheet: a style, and a script
// if it refers to font files.
func (c *compilation) withFonts(attrs htmlscan.Attributes, text string) ([]piece, error) {
	text = strings.TrimSuffix(text, "\n")
	if len(c.fonts) == 0 {
		return []piece{{tag: "style", attrs: attrs, text: text, code: c.cssMap}}, nil
	}
	text, faces := c.removeFontFaces(text)
	if strings.Contains(text, fontMarker) {
		return nil, errors.New("a font file can only be used as the src of an @font-face rule")
	}
	var script strings.Builder
	script.WriteString(`for(const[f,d,b]of[`)
	for i, face := range faces {
		data, err := c.b.files.read(face.path)
		if err != nil {
			return nil, fmt.Errorf("can't read %q: %w", face.path, err)
		}
		descriptors, _ := json.Marshal(face.descriptors)
		family, _ := json.Marshal(face.family)
		if i > 0 {
			script.WriteByte(',')
		}
		fmt.Fprintf(&script, "[%s,%s,%q]", family, descriptors, base64.StdEncoding.EncodeToString([]byte(data)))
	}
	// The script removes itself, so that selectors by position do not count it.
	script.WriteString(`])document.fonts.add(new FontFace(f,Uint8Array.from(atob(b),c=>c.charCodeAt(0)),d));document.currentScript?.remove()`)
	return []piece{{tag: "style", attrs: attrs, text: text}, {tag: "script", text: script.String()}}, nil
}

// removeFontFaces removes the @font-face rules with font files from a style sheet.
func (c *compilation) removeFontFaces(text string) (string, []fontFace) {
	var (
		out         strings.Builder
		faces       []fontFace
		face        *fontFace // of the current rule, nil outside
		start       int       // offset of the rule
		done        int       // offset up to which text is in out
		declaration int       // offset of the declaration, -1 before the block
		parens, pos int
	)
	l := css.NewLexer(parse.NewInputString(text))
	for {
		tt, data := l.Next()
		if tt == css.ErrorToken {
			break
		}
		before := pos
		pos += len(data)
		switch {
		case tt == css.AtKeywordToken && htmlscan.EqualFold(string(data), "@font-face"):
			face, start, declaration, parens = &fontFace{descriptors: map[string]string{}}, before, -1, 0
		case face == nil:
		case tt == css.LeftBraceToken:
			declaration = pos
		case tt == css.FunctionToken || tt == css.LeftParenthesisToken:
			parens++
		case tt == css.RightParenthesisToken:
			parens--
		case tt == css.SemicolonToken && parens <= 0 && declaration >= 0, tt == css.RightBraceToken:
			if declaration >= 0 {
				c.descriptor(face, text[declaration:before])
				declaration = pos
			}
			if tt != css.RightBraceToken {
				continue
			}
			if face.path != "" {
				out.WriteString(text[done:start])
				done = pos
				faces = append(faces, *face)
			}
			face = nil
		}
	}
	out.WriteString(text[done:])
	return out.String(), faces
}

const textConditionalFont = "a font applies in the bundle whether or not this condition does, since a script hands it to the page: " +
	"move the @font-face rule out of it, or give the font a family name of its own"

// warnOfConditionalFonts warns of @font-face rules with files that apply on a
// condition.
func (c *compilation) warnOfConditionalFonts() {
	if len(c.fonts) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.styles)) {
		s, file := c.styles[name], name
		if s.page {
			file = c.b.name
		}
		for _, offset := range conditionalFonts(s.text) {
			line, column := s.at.in(position(s.text, offset))
			c.b.warnAt(file, line, column, textConditionalFont)
		}
	}
}

// conditionalFonts returns the offsets of the conditions of @font-face rules with
// files.
func conditionalFonts(text string) (found []int) {
	var open []int // for each open block: the offset of its condition, -1 for none
	condition, offset := -1, 0
	l := css.NewLexer(parse.NewInputString(text))
	for {
		tt, data := l.Next()
		start := offset
		offset += len(data)
		switch tt {
		case css.ErrorToken:
			return found
		case css.AtKeywordToken:
			condition = -1
			switch htmlscan.Lower(string(data)) {
			case "@media", "@supports", "@container":
				condition = start
			case "@font-face":
				rule, _, _ := strings.Cut(text[start:], "}")
				if i := slices.IndexFunc(open, func(at int) bool { return at >= 0 }); i >= 0 && hasFontFile(rule) {
					found = append(found, open[i])
				}
			}
		case css.LeftBraceToken:
			open = append(open, condition)
			condition = -1
		case css.RightBraceToken:
			open = open[:max(len(open)-1, 0)]
		case css.SemicolonToken:
			condition = -1
		}
	}
}

// hasFontFile reports whether a rule refers to a font's file.
func hasFontFile(rule string) bool {
	for ref := range cssscan.References(rule) {
		if p, _, _ := reference(ref.URL); isLocal(ref.URL) && isFont(p) {
			return true
		}
	}
	return false
}

// descriptor reads a declaration of an @font-face rule. Several files are formats
// of the same font, of which it takes the most compact.
func (c *compilation) descriptor(face *fontFace, declaration string) {
	name, value, _ := strings.Cut(declaration, ":")
	name, value = htmlscan.Lower(strings.TrimSpace(name)), strings.TrimSpace(value)
	if name == "font-family" {
		face.family = cssscan.Unquote(value)
		return
	}
	if to := descriptorNames[name]; to != "" {
		face.descriptors[to] = value
		return
	}
	if name != "src" {
		return
	}
	for ref := range cssscan.References(value) {
		number, ok := strings.CutPrefix(ref.URL, fontMarker)
		if !ok {
			continue
		}
		var i int
		if _, err := fmt.Sscanf(number, "%d.", &i); err == nil && i < len(c.fonts) {
			if file := c.fonts[i]; face.path == "" || fontRank(file) < fontRank(face.path) {
				face.path = file
			}
		}
	}
}

// fontRank orders the formats of fonts by their size.
func fontRank(name string) int {
	return strings.Index(".woff2.woff .otf .ttf .eot", strings.ToLower(path.Ext(name)))
}

package htmlscan

import (
	"strings"

	"golang.org/x/net/html"
)

// An Attribute is an attribute of a start tag.
type Attribute struct {
	Key        string // in lower case
	Value      string // with character references resolved
	Start, End int    // byte offsets from the beginning of the tag
}

// Attributes are the attributes of a start tag in their order. Of several with
// the same key only the first is there, as in a browser.
type Attributes []Attribute

// Lookup returns the value of an attribute, and whether it is there.
func (as Attributes) Lookup(key string) (string, bool) {
	for i := range as {
		if as[i].Key == key {
			return as[i].Value, true
		}
	}
	return "", false
}

// Get returns the value of an attribute, "" if it is not there.
func (as Attributes) Get(key string) string {
	value, _ := as.Lookup(key)
	return value
}

// Has reports whether an attribute is there.
func (as Attributes) Has(key string) bool {
	_, ok := as.Lookup(key)
	return ok
}

const spaces = " \n\r\t\f"

// fewAttributes is up to how many attributes duplicates are searched for one by
// one.
const fewAttributes = 16

// readAttributes reads a start tag for the offsets of its attributes, which the
// tokenizer does not give. Values with character references are the
// tokenizer's. The result also says whether the tag is self-closing.
func readAttributes(tag string, z *html.Tokenizer) (attributes Attributes, selfClosing bool) {
	var (
		seen   map[string]bool
		encode bool // a value is not the one that is written
		i      = 1
	)
	for i < len(tag) && strings.IndexByte(spaces+"/>", tag[i]) < 0 { // the tag's name
		i++
	}
	skip := func(set string) {
		for i < len(tag) && strings.IndexByte(set, tag[i]) >= 0 {
			i++
		}
	}
	for {
		skip(spaces + "/")
		if i >= len(tag) || tag[i] == '>' {
			break
		}
		a := Attribute{Start: i}
		i++ // an equals sign at the beginning is a part of the name
		for i < len(tag) && strings.IndexByte(spaces+"/>=", tag[i]) < 0 {
			i++
		}
		a.Key = Lower(strings.ReplaceAll(tag[a.Start:i], "\x00", "\ufffd"))
		a.End = i
		skip(spaces)
		if i < len(tag) && tag[i] == '=' {
			i++
			skip(spaces)
			a.Value, i = readValue(tag, i)
			a.End = i
			encode = encode || strings.ContainsAny(a.Value, "&\r\x00")
		}
		if len(attributes) < fewAttributes {
			if attributes.Has(a.Key) {
				continue
			}
		} else {
			if seen == nil {
				seen = make(map[string]bool)
				for _, b := range attributes {
					seen[b.Key] = true
				}
			}
			if seen[a.Key] {
				continue
			}
			seen[a.Key] = true
		}
		attributes = append(attributes, a)
	}
	if encode {
		for j := range attributes {
			key, value, more := z.TagAttr()
			if string(key) == attributes[j].Key {
				attributes[j].Value = string(value)
			}
			if !more {
				break
			}
		}
	}
	return attributes, i < len(tag) && tag[i-1] == '/' && (len(attributes) == 0 || attributes[len(attributes)-1].End < i)
}

// readValue returns the value at an offset of a tag, as it is written, and the
// offset after it.
func readValue(tag string, i int) (string, int) {
	if i < len(tag) && (tag[i] == '"' || tag[i] == '\'') {
		j := strings.IndexByte(tag[i+1:], tag[i])
		if j < 0 {
			return tag[i+1:], len(tag)
		}
		return tag[i+1 : i+1+j], i + 1 + j + 1
	}
	j := strings.IndexAny(tag[i:], spaces+">")
	if j < 0 {
		return tag[i:], len(tag)
	}
	return tag[i : i+j], i + j
}

// Lower converts ASCII letters to lower case, as HTML does, and leaves all
// others as they are.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// EqualFold compares a string with a word in lower case, regardless of the case
// of ASCII letters.
func EqualFold(s, word string) bool { return len(s) == len(word) && Lower(s) == word }

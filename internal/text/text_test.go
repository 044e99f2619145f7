package text

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Hostile text costs time in proportion to its length, and a short part of it
// hardly any.
func TestCostOfHostileText(t *testing.T) {
	testenv.Measure(t)
	for name, part := range map[string]string{"escapes": "\x1b[0m", "invalid": "\xff\xe2\x80", "reordered": "\u202e", "lines": "a\r\n", "plain": "abc"} {
		for use, f := range map[string]func(string){
			"Printable": func(s string) { Printable(s) }, "PrintableLines": func(s string) { PrintableLines(s) },
			"PrintableJSON": func(s string) { PrintableJSON(s) }, "Shorten": func(s string) { Shorten(s, len(s)/2) },
			"JSON": func(s string) { JSON(s) },
		} {
			t.Run(name+" "+use, func(t *testing.T) {
				testenv.Linear(t, 1<<16, func(size int) func() {
					s := strings.Repeat(part, size)
					return func() { f(s) }
				})
			})
		}
		long := strings.Repeat(part, 1<<16)
		assert.Less(t, testing.AllocsPerRun(1, func() { Quote(long); Shorten(long, 100) }), 20.0)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		max  int
		want string
	}{
		{"", 4, ""},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abcd… (5 bytes)"},
		{"abcdé", 5, "abcd… (6 bytes)"},
		{"世界", 3, "世… (6 bytes)"},
		{"世界", 2, "… (6 bytes)"},
		{"ab", 0, "… (2 bytes)"},
		{"a\xffb", 8, "a\uFFFDb"},
		{"a\xff\xfe\xfdb", 8, "a\uFFFDb"},
		{"\xffa\xffa", 4, "\uFFFDa… (4 bytes)"},
		{"\x80\x80\x80\x80\x80\x80\x80\x80", 6, "\uFFFD… (8 bytes)"},
	} {
		assert.Equal(t, c.want, Shorten(c.s, c.max), "%q to %d", c.s, c.max)
	}
}

func TestQuote(t *testing.T) {
	assert.Equal(t, `"a \"b\""`, Quote(`a "b"`))
	assert.Equal(t, `"\x1b[31m\xff\u202e"`, Quote("\x1b[31m\xff\u202e"))
	assert.Equal(t, `"`+strings.Repeat("a", 120)+`… (130 bytes)"`, Quote(strings.Repeat("a", 130)))
}

func TestJSON(t *testing.T) {
	assert.Equal(t, `{"a":[1,null]}`, JSON(map[string]any{"a": []any{1, nil}}))
	assert.Equal(t, `{ "a" :`, JSON(json.RawMessage(`{ "a" :`)))
	assert.Equal(t, "a value of type chan int", JSON(make(chan int)))
	assert.Equal(t, `"`+strings.Repeat("a", 119)+`… (202 bytes)`, JSON(strings.Repeat("a", 200)))
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"grüße, 世界":                   "grüße, 世界",
		"a line\n\twith a tab":        `a line\n\twith a tab`,
		"\x1b[31mred\x1b]0;title\x07": `\x1b[31mred\x1b]0;title\a`,
		"over\rwritten":               `over\rwritten`,
		"evil\u202Egnp.exe":           `evil\u202egnp.exe`,
		"\u009b31m":                   `\u009b31m`,
		"zero\u200bwidth":             `zero\u200bwidth`,
		"tag\U000e0041":               `tag\U000e0041`,
		"\xff":                        `\ufffd`,
	} {
		assert.Equal(t, want, Printable(in))
		lines := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(want)
		assert.Equal(t, lines, PrintableLines(in))
		var b bytes.Buffer
		n, err := NewWriter(&b).Write([]byte(in))
		require.NoError(t, err)
		assert.Equal(t, len(in), n)
		assert.Equal(t, lines, b.String())
	}
}

func TestPrintableJSON(t *testing.T) {
	raw := `{"a":"` + "\u009b\U000e0041" + `"}`
	assert.Equal(t, `{"a":"\u009b\udb40\udc41"}`, PrintableJSON(raw))
	assert.Equal(t, "{\n\t\"a\": 1\n}", PrintableJSON("{\n\t\"a\": 1\n}"))
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff世", 3)
	f.Add("\xffa\xffa\xffa", 5)
	f.Fuzz(func(t *testing.T, s string, max int) {
		max &= 0xff
		short := Shorten(s, max)
		head, _, _ := strings.Cut(short, "… (")
		if !utf8.ValidString(short) || len(short) > max+len("… ( bytes)")+20 || len(head) > max && len(s) > max {
			t.Errorf("Shorten(%q, %d) = %q", s, max, short)
		}
		if utf8.ValidString(s) && len(s) <= max && short != s {
			t.Errorf("Shorten(%q, %d) = %q", s, max, short)
		}
		if q, err := strconv.Unquote(Quote(s)); err != nil || len(s) <= inMessage && q != s {
			t.Errorf("Quote(%q) = %s", s, Quote(s))
		}
		if p := Printable(s); strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsGraphic(r) }) || Printable(p) != p {
			t.Errorf("Printable(%q) = %q", s, p)
		}
		data, err := json.Marshal(s)
		if err != nil {
			return
		}
		var same string
		if err := json.Unmarshal([]byte(PrintableJSON(string(data))), &same); err != nil || same != strings.ToValidUTF8(s, "\uFFFD") && utf8.ValidString(s) {
			t.Errorf("PrintableJSON(%s) = %s: %v", data, PrintableJSON(string(data)), err)
		}
	})
}

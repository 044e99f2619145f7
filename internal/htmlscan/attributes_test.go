package htmlscan

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSrcset(t *testing.T) {
	for value, want := range map[string][]string{
		"": nil, " , ,": nil, "a": {"a"}, " a , b 2x": {"a", "b"}, "a,b 1x": {"a,b"}, "a, b": {"a", "b"}, "a,,, b,": {"a", "b"},
		"data:image/png;base64,AA== 1x, b 2x": {"data:image/png;base64,AA==", "b"}, "a 1x(2, 3), b": {"a", "b"}, "a\n1x,b\t2x": {"a", "b"}, "a ((,),b": {"a", "b"},
	} {
		var got []string
		for c := range Srcset(value) {
			got = append(got, c.URL)
			assert.Equal(t, c.URL, value[c.Start:c.End], value)
		}
		assert.Equal(t, want, got, value)
	}
}

func TestScriptType(t *testing.T) {
	for tag, want := range map[string]ScriptType{
		"<script>": ClassicScript, "<script type=''>": ClassicScript, "<script type=' Text/JavaScript '>": ClassicScript,
		"<script type=' '>": DataBlock, "<script type='text/javascript; charset=utf-8'>": DataBlock, "<script type=text/babel>": DataBlock,
		"<script type=MODULE>": ModuleScript, "<script type=importmap>": ImportMap, "<script type=application/json>": DataBlock,
		"<script language=JavaScript1.5>": ClassicScript, "<script language=vbscript>": DataBlock, "<script type='' language=vbscript>": ClassicScript,
	} {
		tokens := slices.Collect(Tokens(tag))
		assert.Equal(t, want, tokens[0].Attributes.ScriptType(), tag)
	}
}

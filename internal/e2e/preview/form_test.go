package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// Forms as they are opened: with no values, with valid ones, and with invalid ones.
var forms = []struct {
	name, schema, values string
	defaults             string // those that the preview fills in
	want, draft          string // what read and draft return; want is empty if read throws
	errors               []string
	reasons              []string // why a field takes JSON
}{
	{name: "nothing", schema: `{}`, want: `{}`},
	{name: "boolean schemas", schema: `{"properties":{"any":true,"never":false}}`, want: `{}`, reasons: []string{"does not name a known type", "does not name a known type"}},
	{name: "defaults", schema: `{"properties":{"s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"e":{"enum":["a",2]},"nothing":{"anyOf":[{"type":"string"},{"type":"null"}]},"at":{"properties":{"x":{"type":"number"}}},"tags":{"type":"array","items":{"type":"string"}}}}`,
		defaults: `{"s":"x","n":3,"b":true,"e":2,"nothing":null,"at":{"x":1},"tags":["a","b"]}`, want: `{"s":"x","n":3,"b":true,"e":2,"at":{"x":1},"tags":["a","b"]}`},
	{name: "defaults that the preview does not fill in", schema: `{"properties":{"s":{"type":"string","default":null},"n":{"type":"integer","default":"5"},"b":{"type":"boolean","default":"true"},"e":{"enum":["a"],"default":"c"},"r":{"$ref":"#/x","default":7},"l":{"type":"array","items":{"type":"string"},"default":[1]}}}`, want: `{}`, reasons: []string{"$ref"}},
	{name: "values and defaults", schema: `{"properties":{"s":{"type":"string"},"t":{"type":"string"},"at":{"properties":{"x":{"type":"number"},"y":{"type":"number"}}}}}`,
		defaults: `{"s":"x","t":"y","at":{"x":1,"y":2}}`, values: `{"s":"","at":{"x":3}}`, want: `{"s":"","t":"y","at":{"x":3,"y":2}}`},
	{name: "required", schema: `{"required":["s","n"],"properties":{"s":{"type":"string"},"n":{"type":["number","null"]},"o":{"type":"string"}}}`,
		draft: `{}`, errors: []string{"This is required."}},
	{name: "required and nullable", schema: `{"required":["n"],"properties":{"n":{"type":["number","null"]}}}`, want: `{"n":null}`, draft: `{}`},
	{name: "an optional union with null is an ordinary field", schema: `{"properties":{"s":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, values: `{"s":"plain text"}`, want: `{"s":"plain text"}`},
	{name: "references are entered as JSON", schema: `{"$defs":{"a":{"type":"object","required":["x"],"properties":{"x":{"type":"number"}}}},"properties":{"at":{"$ref":"#/$defs/a"}}}`,
		values: `{"at":{"x":1.5}}`, want: `{"at":{"x":1.5}}`, reasons: []string{"Enter JSON. The form does not support $ref."}},
	{name: "the whole input is entered as JSON", schema: `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"label":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`,
		values: `{"label":"a","children":[{"label":"b","children":[{"label":"c"}]}]}`, want: `{"label":"a","children":[{"label":"b","children":[{"label":"c"}]}]}`, reasons: []string{"does not support $ref"}},
	{name: "the whole input is empty", schema: `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, want: `{}`, reasons: []string{"does not support anyOf"}},
	{name: "the whole input is not an object", schema: `{"allOf":[{"type":"object"}]}`, values: `[1]`, draft: `[1]`, errors: []string{"Enter a JSON object"}, reasons: []string{"does not support allOf"}},
	{name: "an optional object may be left out, whatever it requires", schema: `{"properties":{"at":{"type":"object","required":["x"],"properties":{"x":{"type":"number"},"y":{"type":"number"}}}}}`, want: `{}`},
	{name: "and may not be incomplete", schema: `{"properties":{"at":{"type":"object","required":["x"],"properties":{"x":{"type":"number"},"y":{"type":"number"}}}}}`, values: `{"at":{"y":2}}`,
		draft: `{"at":{"y":2}}`, errors: []string{"This is required."}},
	{name: "arrays", schema: `{"properties":{"tags":{"type":"array","items":{"type":"string"}},"days":{"type":"array","items":{"enum":["Mon","Tue"]}},"titled":{"type":"array","items":{"anyOf":[{"const":"a","title":"Alpha"},{"const":"b","title":"Beta"}]}}}}`,
		values: `{"tags":["x","y"],"titled":["b"]}`, defaults: `{"days":["Mon"]}`, want: `{"tags":["x","y"],"days":["Mon"],"titled":["b"]}`},
	{name: "other arrays are entered as JSON", schema: `{"properties":{"grid":{"type":"array","items":{"type":"array","items":{"type":"number"}}},"rows":{"type":"array","items":{"type":"object","properties":{"x":{"type":"number"}}}},"any":{"type":"array"}}}`,
		values: `{"rows":[{"x":1}]}`, defaults: `{"grid":[[1,2]]}`, want: `{"grid":[[1,2]],"rows":[{"x":1}]}`, reasons: []string{"only arrays of single values", "only arrays of single values", "one type for all items"}},
	{name: "alternatives are entered as JSON", schema: `{"required":["at"],"properties":{"at":{"oneOf":[{"title":"Place","type":"object","properties":{"kind":{"const":"place"}}},{"title":"Point","type":"object","properties":{"kind":{"const":"point"},"x":{"type":"number"}}}]},"id":{"type":["string","integer"]}}}`,
		values: `{"at":{"kind":"point","x":1},"id":7}`, want: `{"at":{"kind":"point","x":1},"id":7}`, reasons: []string{"does not support oneOf", "allows several types"}},
	{name: "objects without declared properties", schema: `{"properties":{"o":{"type":"object"}}}`, values: `{"o":[1]}`, draft: `{"o":[1]}`, errors: []string{"Enter a JSON object"}, reasons: []string{"does not list the properties"}},
	{name: "titled choices", schema: `{"properties":{"c":{"oneOf":[{"const":"a","title":"Alpha"},{"const":"b","title":"Beta"}]}}}`, values: `{"c":"b"}`, want: `{"c":"b"}`},
	{name: "bounds", schema: `{"properties":{"n":{"type":"integer","maximum":10},"s":{"type":"string","minLength":3},"mail":{"type":"string","format":"email"},"p":{"type":"string","pattern":"^\\d+$"},"many":{"type":"array","items":{"type":"string"},"maxItems":1}}}`,
		values: `{"n":11,"s":"ab","mail":"x","p":"a","many":["a","b"]}`, draft: `{"n":11,"s":"ab","mail":"x","p":"a","many":["a","b"]}`,
		errors: []string{"Enter 10 or less.", "Enter at least 3 characters.", "email address", "Enter at most 1 item."}},
	{name: "names of the language", schema: `{"required":["toString"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}`, values: `{"__proto__":"x","constructor":"y"}`, want: `{"__proto__":"x","constructor":"y"}`},
	{name: "invalid schemas", schema: `{"type":5,"required":"s","properties":{"s":{"type":{},"enum":"x","title":{},"description":[],"minLength":"x","pattern":"(","default":{"toString":1}},"l":{"type":"array","items":7},"r":{"$ref":7},"u":{"anyOf":[]},"c":{"allOf":[null,true,{"type":"string"}]}}}`,
		values: `{"c":"x"}`, want: `{"c":"x"}`, reasons: []string{"known type", "one type for all items", "$ref", "anyOf", "allOf"}},
	{name: "an initial value is not read from the schema", schema: `{"initial":{"s":"x"},"properties":{"s":{"type":"string","initial":"y"}}}`, want: `{}`},
}

// Forms of unusual schemas, an invalid result, and what a server asks.
func TestTheForm(t *testing.T) {
	t.Parallel()
	s := showcase()
	s.AddTool(&mcp.Tool{Name: "asks", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult)
		if !ok {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "Which <b>room</b>?", RequestedSchema: json.RawMessage(`{"type":"object","required":["room","mail"],"properties":{
				"mail":{"type":"string","format":"email"},"extras":{"type":"array","items":{"type":"string","enum":["coffee","projector"]}},"room":{"type":"string","oneOf":[{"const":"b","title":"Blue"},{"const":"g","title":"Green"}]}}}`)}}}, nil
		}
		data, err := json.Marshal(answer)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}, err
	})
	var sent string
	s.AddTool(&mcp.Tool{Name: "form", InputSchema: json.RawMessage(`{"type":"object","required":["name"],"properties":{
		"name":{"type":"string"},"n":{"type":"integer"},"x":{"type":["number","null"],"default":1.5},"on":{"type":"boolean"},"off":{"type":"boolean","default":false},
		"size":{"enum":["s","m",3],"default":"m"},"list":{"type":"array"},"deep":{"type":"object","properties":{"a":{"type":"string","default":"d"}}},
		"any":{},"pick":{"anyOf":[{"const":"p"},{"const":"q"}]}}}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		sent = string(req.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
	})
	g := start(t, s).open(t, "?locale=C", 1280, 900)
	for _, tc := range forms {
		t.Run(tc.name, func(t *testing.T) {
			var got struct {
				Read, Draft     json.RawMessage
				Errors, Reasons []string
			}
			options := "{}"
			for name, value := range map[string]string{"values": tc.values, "defaults": tc.defaults} {
				if value != "" {
					options = fmt.Sprintf("{ ...%s, %s: JSON.parse(%q) }", options, name, value)
				}
			}
			g.eval(t, fmt.Sprintf(`(async () => {
				const { build } = await import("/app.js").then((m) => m.form);
				const form = build(JSON.parse(%q), %s), box = document.createElement("div");
				box.append(form.box);
				let read; try { read = form.read() } catch { read = null }
				const texts = (selector) => [...box.querySelectorAll(selector)].map((e) => e.textContent).filter(Boolean);
				return { read, draft: form.draft(), errors: texts(".field-error"), reasons: texts(".reason") };
			})()`, tc.schema, options), &got)
			if tc.want != "" {
				assert.JSONEq(t, tc.want, string(got.Read))
			} else {
				assert.Equal(t, "null", string(got.Read))
			}
			draft := tc.draft
			if draft == "" {
				draft = tc.want
			}
			assert.JSONEq(t, draft, string(got.Draft))
			for what, texts := range map[string][2][]string{"errors": {tc.errors, got.Errors}, "reasons": {tc.reasons, got.Reasons}} {
				want, got := texts[0], texts[1]
				if assert.Len(t, got, len(want), what) {
					for i := range want {
						assert.Contains(t, got[i], want[i], what)
					}
				}
			}
		})
	}
	// The page's own bounds, whatever the preview lets through.
	t.Run("bounds of the page", func(t *testing.T) {
		for name, schema := range map[string]string{
			"properties": `{"properties":{` + list(20_000, `"p%d":{"type":"string"}`) + `}}`,
			"within":     `{"properties":{"o":{"properties":{` + list(20_000, `"p%d":{"type":"string"}`) + `}}}}`,
			"required":   `{"required":[` + list(20_000, `"p%d"`) + `],"properties":{"p1":{"type":"string"}}}`,
			"choices":    `{"properties":{"e":{"enum":[` + list(20_000, `"e%d"`) + `]},"l":{"type":"array","items":{"enum":[` + list(20_000, `"e%d"`) + `]}}}}`,
			"items":      `{"properties":{"l":{"type":"array","items":{"type":"string"}}}}`,
		} {
			var elements int
			g.eval(t, fmt.Sprintf(`(async () => {
				const { build } = await import("/app.js").then((m) => m.form);
				const box = document.createElement("div"), form = build(JSON.parse(%q), { defaults: { l: Array.from({ length: 20000 }, (_, i) => "i" + i) } });
				box.append(form.box); form.draft(); try { form.read() } catch {}
				return box.querySelectorAll("*").length })()`, schema), &elements)
			assert.Less(t, elements, 1000, name)
		}
	})
	// Keywords whose values are of another type than they should be, objects that can't
	// become strings included: the form is built, and what can't be shown is left out.
	t.Run("malformed schemas", func(t *testing.T) {
		var failures []string
		g.eval(t, `(async () => {
			const { build } = await import("/app.js").then((m) => m.form);
			const values = [{ toString: 1, valueOf: 1 }, null, 1, "x", [[{ toString: 1 }]], true, JSON.parse('{"__proto__":{"toString":1}}')];
			const keys = ["title", "description", "format", "examples", "example", "enum", "enumNames", "const", "default", "type", "items", "properties", "required", "oneOf", "anyOf", "nullable", "minimum", "maxLength", "minItems", "pattern", "$ref", "prefixItems"];
			const failures = [];
			const run = (name, schema, options) => {
				try {
					const form = build(schema, options), box = document.createElement("div");
					box.append(form.box);
					form.draft();
				} catch (e) { failures.push(name + ": " + e) }
			};
			for (const v of values) for (const k of keys) {
				for (const type of ["string", "number", "boolean", "array", "object"]) {
					const p = { type, items: { type: "string" }, properties: { q: { type: "string" } }, [k]: v };
					run([k, JSON.stringify(v), type], { properties: { p, l: { type: "array", items: p } } }, { defaults: { p: v, l: [v] } });
				}
				run([k, "whole"], { type: "object", properties: { p: {} }, [k]: v }, { values: v });
				run([k, "choices"], { properties: { p: { oneOf: [{ const: "a", [k]: v }, { const: v }] }, e: { enum: [v, "b"], enumNames: [v, v], [k]: v } } });
			}
			return failures.slice(0, 20);
		})()`, &failures)
		assert.Empty(t, failures)
	})
	// The locale of a view is one that Intl takes, whatever the browser says.
	t.Run("locale", func(t *testing.T) {
		var shown string
		g.eval(t, `document.getElementById("locale").value`, &shown)
		assert.Equal(t, "en", shown)
		for given, want := range map[string]string{"": "", "C": "en", "de-de": "de-DE", "en_US.UTF-8": "en", "x": "en", "nb-NO": "nb-NO"} {
			var got struct{ Locale, Shown string }
			g.eval(t, fmt.Sprintf(`(async () => {
				const { context } = await import("/app.js").then((m) => m.settings), input = document.getElementById("locale");
				input.value = %q;
				const { locale } = context();
				if (locale) new Intl.NumberFormat(locale);
				return { locale: locale ?? "", shown: input.value } })()`, given), &got)
			assert.Equal(t, want, got.Locale, given)
			assert.Equal(t, want, got.Shown, given)
		}
	})
	// A form is built from a schema, with its defaults, and reports invalid values.
	t.Run("a call", func(t *testing.T) {
		g.eval(t, `document.querySelector("button.tool[data-tool=form]").click(); document.getElementById("as-form").click()`, nil)
		field := func(name, value string) {
			g.eval(t, `{ const l = [...document.querySelectorAll("#fields label")].find((l) => l.firstElementChild.textContent === "`+name+`"); l.control.value = `+value+` }`, nil)
		}
		g.eval(t, `document.getElementById("call").click()`, nil)
		g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent === "This is required.")`)
		field("name", `"Ada"`)
		field("n", `"1.5"`)
		g.eval(t, `document.getElementById("call").click()`, nil)
		g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent === "Enter a whole number.")`)
		field("n", `"7"`)
		field("list", `"[1, {"`)
		g.eval(t, `document.getElementById("call").click()`, nil)
		g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent.startsWith("Enter valid JSON"))`)
		g.shoot(t, "form-mistake")
		field("list", `"[1]"`)
		field("pick", `"1"`)
		g.eval(t, `document.getElementById("call").click()`, nil)
		g.wait(t, `document.getElementById("result").textContent.includes("done")`)
		assert.JSONEq(t, `{"name":"Ada","n":7,"x":1.5,"off":false,"size":"m","list":[1],"pick":"q"}`, sent)
	})
	t.Run("wide and deep", func(t *testing.T) {
		var fields int
		g.eval(t, `(async () => {
			const { build } = await import("/app.js").then((m) => m.form);
			const nested = (depth) => depth === 0 ? { type: "string" } : { type: "object", properties: Object.fromEntries(Array.from({ length: 40 }, (_, i) => ["p" + i, nested(depth - 1)])) };
			const box = document.createElement("div");
			box.append(build(nested(3)).box);
			return box.querySelectorAll("input, select, textarea").length })()`, &fields)
		assert.Less(t, fields, 1000)
	})
	t.Run("deep", func(t *testing.T) {
		var reasons []string
		g.eval(t, `(async () => {
			const { build } = await import("/app.js").then((m) => m.form);
			let schema = { type: "string" };
			for (let i = 0; i < 1000; i++) schema = { type: "object", properties: { x: schema } };
			const box = document.createElement("div");
			box.append(build(schema).box);
			return [...box.querySelectorAll(".reason")].map((e) => e.textContent) })()`, &reasons)
		assert.Equal(t, []string{"Enter JSON. The form does not support objects this deeply nested."}, reasons)
	})
	t.Run("what was entered is kept between form and JSON", func(t *testing.T) {
		var got string
		g.eval(t, `(async () => {
			const args = await import("/app.js").then((m) => m.arguments);
			const click = (id) => document.getElementById(id).click();
			args.show({ inputSchema: { properties: { s: { type: "string" }, r: { $ref: "#/$defs/a" } } } }, { s: "x", r: { y: 1 } });
			click("as-json");
			const json = document.getElementById("json"), values = JSON.parse(json.value);
			json.value = JSON.stringify({ ...values, s: "z" });
			click("as-form");
			return JSON.stringify(args.read()) })()`, &got)
		assert.JSONEq(t, `{"s":"z","r":{"y":1}}`, got)
	})
	t.Run("an invalid result", func(t *testing.T) {
		var shown string
		g.eval(t, `(async () => {
			const { showResult } = await import("/app.js").then((m) => m.result);
			for (const result of [null, 5, { content: {} }, { content: [null, 5, { type: "text" }, { type: "image", mimeType: "text/html,<b>", data: {} }, { type: "text", text: "the last" }] }]) showResult({ result });
			return document.getElementById("result").textContent })()`, &shown)
		assert.Contains(t, shown, "the last")
	})
	t.Run("a server asks", func(t *testing.T) {
		g.call(t, "asks", "{}")
		g.wait(t, `document.querySelector("#ask[open]")`)
		var labels []string
		g.eval(t, `document.getElementById("ask-accept").click(); [...document.querySelectorAll("#ask-body :is(label, legend) > bdi:first-child")].map((e) => e.textContent)`, &labels)
		assert.Equal(t, []string{"room", "mail", "extras"}, labels, "those that are required first")
		g.wait(t, `document.querySelectorAll("#ask [aria-invalid]").length === 2 && document.activeElement.matches("#ask select")`)
		g.shoot(t, "preview-asks")
		g.eval(t, `{ const box = document.getElementById("ask-body");
			box.querySelector("select").selectedIndex = 2; box.querySelector("[type=email]").value = "ada@example.com"; box.querySelectorAll(".choices input")[1].click();
			document.getElementById("ask-accept").click() }`, nil)
		g.wait(t, `!document.querySelector("#ask[open]") && document.getElementById("result").textContent.includes('"content":{"extras":["projector"],"mail":"ada@example.com","room":"g"}')`)
		g.wait(t, `document.getElementById("actions").textContent.includes("Which <b>room</b>?") && document.getElementById("actions").textContent.includes("Accepted.")`)
		g.call(t, "asks", "{}")
		g.wait(t, `document.querySelector("#ask[open]")`)
		g.eval(t, `document.getElementById("ask").dispatchEvent(new Event("cancel", { cancelable: true }))`, nil) // as Escape does
		g.wait(t, `!document.querySelector("#ask[open]") && document.getElementById("result").textContent.includes('"action":"cancel"')`)
	})
	t.Run("a mode that the view did not declare", func(t *testing.T) {
		g.eval(t, `document.getElementById("mode").value = "pip"`, nil)
		g.call(t, "forecast", `{"place":"Oslo"}`)
		g.wait(t, `document.documentElement.dataset.ready && document.getElementById("mode").value === "inline" && document.querySelector("#mode option[value=pip]")?.disabled !== false`)
		g.wait(t, `[...document.getElementById("mode").options].map((o) => o.disabled).join() === "false,false,true"`)
	})
}

package mcpapps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"weak"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/toolschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// validateSchemas returns an error if clients would reject a list with the schemas
// that a tool declares. Schemas that the SDK infers or rejects are left to it.
func validateSchemas(t *mcp.Tool) error {
	if err := validateSchema(t.InputSchema); err != nil {
		return fmt.Errorf("the root of InputSchema %w", err)
	}
	if err := validateSchema(t.OutputSchema); err != nil {
		return fmt.Errorf("the root of OutputSchema %w", err)
	}
	return nil
}

const losesList = ", for which clients reject the whole list of tools"

func validateSchema(v any) error {
	switch s := v.(type) {
	case nil:
		return nil
	case *jsonschema.Schema:
		if s == nil {
			return nil
		}
		typ := any(s.Type)
		switch {
		case s.Types != nil:
			typ = s.Types
		case s.Type == "":
			typ = nil
		}
		if fault := toolschema.TypeFault(typ); fault != "" {
			return fmt.Errorf("%s%s: set Type to %q, with the values as Properties", fault, losesList, "object")
		}
		return nil
	}
	obj, err := jsonvalue.Object(v)
	if err != nil {
		return nil // mcp.Server.AddTool says so
	}
	for _, f := range toolschema.Faults(obj) {
		return fmt.Errorf("%s%s: %s", f.Message, losesList, f.Remedy)
	}
	return nil
}

// validateOutput returns an error if clients would reject a list with the schema that
// the SDK infers for a handler's output.
func validateOutput[Out any](t *mcp.Tool) error {
	typ := reflect.TypeFor[Out]()
	if t.OutputSchema != nil || typ == reflect.TypeFor[any]() {
		return nil
	}
	fault, ok := outputFaults.Load(typ)
	if !ok {
		fault, _ = outputFaults.LoadOrStore(typ, outputFault(typ))
	}
	if fault == "" {
		return nil
	}
	return fmt.Errorf("the root of the schema of the output type %v %s%s: wrap it in a struct", typ, fault, losesList)
}

// outputFaults maps output types to what toolschema.TypeFault says of their schemas,
// for the whole process: servers that are made for each request register the same
// types again.
var outputFaults sync.Map // reflect.Type -> string

func outputFault(typ reflect.Type) string {
	if typ.Kind() == reflect.Pointer { // the SDK infers the schema of what it points to
		typ = typ.Elem()
	}
	s, err := jsonschema.ForType(typ, nil)
	switch {
	case err != nil || s == nil:
		return "" // mcp.AddTool says so
	case s.Types != nil:
		return toolschema.TypeFault(s.Types)
	case s.Type == "":
		return toolschema.TypeFault(nil)
	}
	return toolschema.TypeFault(s.Type)
}

// schemaJSON maps schemas, by pointer, to their JSON, for the whole process:
// stateless deployments create a server for each request, but not its schemas.
// The pointers are weak, so an entry is removed once its schema is collected.
var schemaJSON sync.Map // weak.Pointer[jsonschema.Schema] -> json.RawMessage

// encodedSchema returns the JSON of a *jsonschema.Schema, in which no property at the
// root has a boolean as its schema. It returns v itself if it is of another type or
// can't be encoded.
func encodedSchema(v any) any {
	s, ok := v.(*jsonschema.Schema)
	if !ok || s == nil {
		return v
	}
	key := weak.Make(s)
	if raw, ok := schemaJSON.Load(key); ok {
		return raw
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // as the SDK encodes results
	if err := enc.Encode(s); err != nil {
		return v
	}
	encoded := withoutBooleans(s, bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
	// Without spare capacity, so that appending to it can't write into it.
	data := make(json.RawMessage, len(encoded))
	copy(data, encoded)
	var raw any = data
	if raw, loaded := schemaJSON.LoadOrStore(key, raw); loaded {
		return raw
	}
	runtime.AddCleanup(s, func(key weak.Pointer[jsonschema.Schema]) { schemaJSON.Delete(key) }, key)
	return raw
}

// withoutBooleans replaces true and false as schemas of properties, at the root of
// the encoding of s, by objects of the same meaning. jsonschema-go writes true for a
// field of type any, and clients on version 1 of the TypeScript SDK reject a list of
// tools that has one.
func withoutBooleans(s *jsonschema.Schema, data []byte) []byte {
	if !hasUntyped(s.Properties) {
		return data
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	var out []byte
	copied := 0
	for skip(dec, "properties"); dec.More(); {
		var raw json.RawMessage
		if _, err := dec.Token(); err != nil || dec.Decode(&raw) != nil {
			return data
		}
		if object, ok := booleanSchemas[string(raw)]; ok {
			end := int(dec.InputOffset())
			out = append(append(out, data[copied:end-len(raw)]...), object...)
			copied = end
		}
	}
	return append(out, data[copied:]...)
}

var booleanSchemas = map[string]string{"true": `{}`, "false": `{"not":{}}`}

// hasUntyped reports whether any of the schemas may be encoded as a boolean.
func hasUntyped(props map[string]*jsonschema.Schema) bool {
	for _, p := range props {
		if p != nil && p.Type == "" && p.Types == nil {
			return true
		}
	}
	return false
}

// skip moves dec to the first member of the object that is the root's member of the
// given name. If there is none, dec has no more.
func skip(dec *json.Decoder, name string) {
	_, _ = dec.Token() // the {
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return
		}
		if tok == name {
			_, _ = dec.Token()
			return
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return
		}
	}
}

package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
)

// An input is what a tool's input type says.
type input struct {
	schema *jsonschema.Schema
	files  []string // the arguments of type UploadedFile
	own    bool     // the schema differs from the SDK's
	err    error

	mu sync.Mutex
	// correct has what tools with this input say beside their schema, as JSON, and have
	// been found to say without a mistake.
	correct map[string]bool
}

// maxCorrect and maxCorrectBytes bound how much is kept of the tools of one input type.
const (
	maxCorrect      = 64
	maxCorrectBytes = 4 << 10
)

func (in *input) isCorrect(key string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.correct[key]
}

func (in *input) addCorrect(key string) {
	if len(key) > maxCorrectBytes {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.correct == nil || len(in.correct) >= maxCorrect {
		in.correct = make(map[string]bool)
	}
	in.correct[key] = true
}

// inputs has the input of each type, for the whole process: servers that are made for each
// request declare the same types again. The schemas are shared, and nobody changes them.
var inputs sync.Map // reflect.Type -> *input

func inputOf(typ reflect.Type) *input {
	if typ.Kind() == reflect.Pointer { // the SDK infers the schema of what it points to
		typ = typ.Elem()
	}
	in, ok := inputs.Load(typ)
	if !ok {
		in, _ = inputs.LoadOrStore(typ, infer(typ))
	}
	return in.(*input)
}

// The marks of the types of files in a schema that is being inferred. They are replaced
// before anybody sees them.
const (
	markOpened   = "mcpapps:OpenedFile"
	markUploaded = "mcpapps:UploadedFile"
)

// infer infers a schema as the SDK does, except for files.
func infer(typ reflect.Type) *input {
	if typ == reflect.TypeFor[any]() {
		return &input{schema: &jsonschema.Schema{Type: "object"}}
	}
	schema, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[OpenedFile]():   {Type: "object", Comment: markOpened},
		reflect.TypeFor[UploadedFile](): {Type: "object", Comment: markUploaded},
	}})
	if err != nil {
		return &input{err: fmt.Errorf("the input type %v: %w", typ, err)}
	}
	in := &input{schema: schema}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		var file *jsonschema.Schema
		switch {
		case p.Comment == markOpened:
			file = openedSchema()
			file.Type, file.Types = p.Type, p.Types // a pointer may be null
		case p.Comment == markUploaded:
			file = uploadedSchema()
			in.files = append(in.files, name)
		case p.Items != nil && p.Items.Comment == markUploaded:
			file = &jsonschema.Schema{Type: "array", Items: uploadedSchema(), MinItems: p.MinItems, MaxItems: p.MaxItems}
			in.files = append(in.files, name)
		default:
			continue
		}
		file.Description = p.Description
		schema.Properties[name] = file
		in.own = true
	}
	var all any
	data, err := json.Marshal(schema)
	if err == nil {
		all, err = jsonvalue.Decode(data)
	}
	if err == nil && isMarked(all) {
		err = errors.New("a file is inside of another argument: ChatGPT fills only the arguments themselves, so make it a field of the input type")
	}
	if err != nil {
		return &input{err: fmt.Errorf("the input type %v: %w", typ, err)}
	}
	return in
}

// isMarked reports whether a file is anywhere in a schema.
func isMarked(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, isMarked)
	case map[string]any:
		if c := v["$comment"]; c == markOpened || c == markUploaded {
			return true
		}
		for _, member := range v {
			if isMarked(member) {
				return true
			}
		}
	}
	return false
}

// fileName matches the names of files without a folder: neither / nor \ is in them, and they
// are not "." or "..".
const fileName = `^([^/\\]*[^/\\.][^/\\]*|\.{3,})$`

// openedSchema allows more keys, which later versions of ChatGPT may send.
func openedSchema() *jsonschema.Schema {
	one := 1
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"name":        {Type: "string", MinLength: &one, Pattern: fileName},
			"resourceUri": {Type: "string", MinLength: &one},
		},
		Required:      []string{"name", "resourceUri"},
		PropertyOrder: []string{"name", "resourceUri"},
	}
}

// uploadedSchema is the schema that ChatGPT's review requires.
func uploadedSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"download_url": {Type: "string"},
			"file_id":      {Type: "string"},
			"mime_type":    {Type: "string"},
			"file_name":    {Type: "string"},
		},
		Required:      []string{"download_url", "file_id"},
		PropertyOrder: []string{"download_url", "file_id", "mime_type", "file_name"},
	}
}

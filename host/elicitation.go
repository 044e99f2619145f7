package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
)

type elicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)

// checkedElicitation wraps the program's handler. The SDK validates the answer
// against the server's schema without bound: a schema that refers to itself
// overflows the stack, which ends the process. It also fills in the defaults of
// absent values, valid or not. So schemas that a form can't have are refused, and
// so are answers that would get an invalid default.
func checkedElicitation(next elicitationHandler) elicitationHandler {
	if next == nil {
		return nil
	}
	return func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		schema, err := formSchema(req.Params)
		if err != nil {
			return nil, invalidParams("elicitation/create: %v", err)
		}
		res, err := next(ctx, req)
		if err != nil || res == nil || res.Action != "accept" || res.Content == nil {
			return res, err
		}
		for _, name := range invalidDefaults(schema) {
			if _, ok := res.Content[name]; !ok {
				return nil, invalidParams("elicitation/create: the answer has no %q, and the schema's default for it is invalid", name)
			}
		}
		return res, nil
	}
}

// dropInvalidDefaults is middleware that removes the defaults which the requested
// schema itself rejects. It does not see the requests in a result of protocol
// version 2026-07-28: checkedElicitation does.
func dropInvalidDefaults(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if r, ok := req.(*mcp.ElicitRequest); ok && r.Params != nil {
			// An invalid schema is refused before the program sees it.
			if schema, err := formSchema(r.Params); err == nil {
				r.Params = withoutDefaults(r.Params, invalidDefaults(schema))
			}
		}
		return next(ctx, method, req)
	}
}

// formSchema decodes the requested schema, nil for none. It fails for one that is not
// that of a form.
func formSchema(p *mcp.ElicitParams) (map[string]any, error) {
	if p == nil || p.RequestedSchema == nil {
		return nil, nil
	}
	raw, err := json.Marshal(p.RequestedSchema)
	if err != nil {
		return nil, err
	}
	decoded, err := schemacheck.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("the requested schema: %w", err)
	}
	patterns := 0
	if err := checkForm(decoded, 0, &patterns); err != nil {
		return nil, fmt.Errorf("the requested schema %w: MCP allows an object with properties of primitive types", err)
	}
	schema, _ := decoded.(map[string]any)
	if schema != nil && schemacheck.New(schema).Exhausted() {
		return nil, errors.New("the requested schema is too large, or has keywords that are misspelled")
	}
	return schema, nil
}

// checkForm fails for a schema that the SDK would validate at great cost. The bounds
// are far above what the schema of a form has.
func checkForm(v any, depth int, patterns *int) error {
	const deepest, patternBytes = 16, 4000
	if depth > deepest {
		return fmt.Errorf("is nested more than %d deep", deepest)
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := checkForm(item, depth+1, patterns); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, member := range v {
			text, isString := member.(string)
			switch _, isObject := member.(map[string]any); {
			case isString && (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef"), isObject && key == "patternProperties":
				return fmt.Errorf("has %s", key)
			case isString && key == "pattern":
				if *patterns += len(text); *patterns > patternBytes {
					return fmt.Errorf("has patterns of more than %d bytes", patternBytes)
				}
			}
			if err := checkForm(member, depth+1, patterns); err != nil {
				return err
			}
		}
	}
	return nil
}

// invalidDefaults returns the properties that need not be there and whose default the
// schema rejects, in order.
func invalidDefaults(schema map[string]any) []string {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	checker := schemacheck.New(schema)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(map[string]any)
		def, ok := property["default"]
		if !ok || slices.Contains(required, any(name)) {
			continue
		}
		if checker.CheckPart(property, def) != schemacheck.Valid {
			names = append(names, name)
		}
	}
	return names
}

// withoutDefaults returns a copy of p whose schema lacks the defaults of some
// properties.
func withoutDefaults(p *mcp.ElicitParams, names []string) *mcp.ElicitParams {
	schema, _ := p.RequestedSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	if len(names) == 0 || properties == nil {
		return p
	}
	properties = maps.Clone(properties)
	for _, name := range names {
		property, _ := properties[name].(map[string]any)
		property = maps.Clone(property)
		delete(property, "default")
		properties[name] = property
	}
	schema = maps.Clone(schema)
	schema["properties"] = properties
	out := *p
	out.RequestedSchema = schema
	return &out
}

// Package toolschema decides what the root of a tool's schema may be, so that no
// client rejects the list of tools that contains it.
package toolschema

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Fault is why clients reject a schema.
type Fault struct {
	// Path is the place of the value at fault in the schema; it is empty for the
	// root itself.
	Path []any
	// Message continues a sentence that begins with "the root of" the schema.
	Message string
	Remedy  string
}

// Faults returns why clients reject a schema, given its root: the parts that
// clients on version 1 of the TypeScript SDK, and the schemas of the protocol
// before 2026-07-28, define. One fault costs such a client all tools of the list.
func Faults(root map[string]any) []Fault {
	var faults []Fault
	add := func(remedy, message string, path ...any) {
		faults = append(faults, Fault{path, message, remedy})
	}
	if fault := TypeFault(root["type"]); fault != "" {
		add(`write "type": "object" at the root, with the values as properties`, fault)
	}
	if v, ok := root["required"]; ok {
		if list, err := jsonvalue.Strings(v); err != nil || list == nil {
			add("write a list of property names, or leave it out", "has required as "+text.JSON(v)+", which is not a list of strings", "required")
		}
	}
	v, ok := root["properties"]
	if !ok {
		return faults
	}
	props, err := jsonvalue.Object(v)
	if err != nil || props == nil {
		add("write an object with a schema for each property, or leave it out", "has properties as "+text.JSON(v)+", which is not an object", "properties")
		return faults
	}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		p := props[name]
		if obj, err := jsonvalue.Object(p); err == nil && obj != nil {
			continue
		}
		remedy := "write an object, or leave the property out"
		if p == true {
			remedy = "write {}, which allows any value too"
		}
		add(remedy, fmt.Sprintf("has %s as the schema of the property %s, which is not an object", text.JSON(p), text.Quote(name)), "properties", name)
	}
	return faults
}

// TypeFault returns why clients reject the type of a schema's root, "" if they
// accept it. Nil stands for no type.
func TypeFault(typ any) string {
	switch typ {
	case "object":
		return ""
	case nil:
		return "has no type"
	}
	return "has the type " + text.JSON(typ)
}

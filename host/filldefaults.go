package host

import "encoding/json"

// FillDefaults returns args, a JSON object, with the defaults of an input schema for
// properties that are absent, as [Connection.Call] and [Connection.Open] send them. Values
// that are present stay byte for byte. A program shows them in its form with args {}.
func FillDefaults(schema, args json.RawMessage) json.RawMessage { return fillDefaults(schema, args) }

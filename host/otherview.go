package host

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
)

// noteOtherView notes that a result names another view than the one that is opened, as
// the tool's entry in the list names it.
func (b *Bridge) noteOtherView(result json.RawMessage, uri string) {
	var r struct {
		IsError bool `json:"isError"`
		Meta    struct {
			UI struct {
				URI string `json:"resourceUri"`
			} `json:"ui"`
			Flat string `json:"ui/resourceUri"` // mcpapps.LegacyResourceURIKey
		} `json:"_meta"`
	}
	_ = json.Unmarshal(result, &r) // what does not fit stays empty
	named := cmp.Or(r.Meta.UI.URI, r.Meta.Flat)
	if named == uri || r.IsError || appuri.Validate(named) != nil {
		return
	}
	b.note(LevelInfo, NoteOtherView, fmt.Sprintf("the result names the view %s, which some hosts would open instead of %s", short(named), short(uri)))
}

package check

import (
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

var viewContrast = newRule(Rule{
	Code:     "view-contrast",
	Severity: SeverityWarning,
	Hosts:    []string{hostAll},
	Summary:  "a text of the view can hardly be seen in the light or the dark theme",
	Why:      "a view without a background of its own shows the host's, which is dark in the dark theme, under text that is black unless the view says otherwise",
	Remedy:   liveview.ContrastRemedy,
})

// unreadable is the contrast below which a text can hardly be seen. WCAG asks for 4.5,
// or 3 for large text, which is a matter for the author's own tests.
const unreadable = 1.6

// judgeContrast judges the texts of a view in both themes.
func (found *findings) judgeContrast(v *liveView) {
	for _, dark := range []bool{false, true} {
		var seen []string
		more := 0
		for _, b := range v.contrast {
			switch {
			case b.Kind != liveview.BarrierContrast || b.Dark != dark || b.Contrast >= unreadable:
			case len(seen) < 3:
				seen = append(seen, b.Element+" "+strings.TrimPrefix(b.Message, "in the light theme: "))
			default:
				more++
			}
		}
		if len(seen) == 0 {
			continue
		}
		message := strings.Join(seen, "; ")
		if more > 0 {
			message += fmt.Sprintf("; and %d more", more)
		}
		found.add(viewContrast, place{Tool: v.tool.Name, URI: v.uri}, "%s", message)
	}
}

package preview

import (
	"errors"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// A notice is a report about a view's frame, which only the page can see.
type notice struct {
	Kind    string `json:"kind"`
	Text    string `json:"text"`    // a detail, such as a method
	Seconds int    `json:"seconds"` // of silence
	More    bool   `json:"more"`    // further notices in this second are dropped
}

// notice adds a report of the page to the view's record and passes it to the program.
func (v *view) notice(n notice) error {
	more := ""
	if n.More {
		more = " Further ones in this second are not shown."
	}
	silence := time.Duration(n.Seconds) * time.Second
	switch n.Kind {
	case "view-left":
		v.emit(Event{Kind: EventViewLeft})
		v.note(host.LevelError, host.NoteViewLost, "The view navigated to another page, or was blocked when it tried. What the frame shows is not the view."+more)
	case "proxy-left":
		v.emit(Event{Kind: EventProxyLeft})
		v.note(host.LevelError, host.NoteViewLost, "The sandbox proxy navigated to another page, so the view is gone. Call the tool again."+more)
	case "silent":
		v.emit(Event{Kind: EventSilent, Silence: silence})
		v.note(host.LevelError, host.NoteViewLost, fmt.Sprintf("The view does not answer for %d s. Its script hangs or is stopped in a debugger, or its process died. Call the tool again for a new view.", n.Seconds))
	case "back":
		v.emit(Event{Kind: EventBack, Silence: silence})
		v.note(host.LevelInfo, host.NoteViewLost, fmt.Sprintf("The view answers again, after about %d s.", n.Seconds))
	case "died":
		v.emit(Event{Kind: EventDied})
		v.closeWithoutTeardown(errors.New("the view does not answer: its process died, or it removed its own frame"))
	case "forged":
		v.note(host.LevelError, host.NoteUnknown, fmt.Sprintf("The view sent %.100s, which only the sandbox proxy may send: dropped.%s", n.Text, more))
	case "not-json":
		v.note(host.LevelError, host.NoteInvalid, "The view posted a message that can't be encoded as JSON: dropped."+more)
	case "too-large":
		v.note(host.LevelError, host.NoteLimit, fmt.Sprintf("The view posted a message of %s characters: dropped.%s", n.Text, more))
	default:
		return fmt.Errorf("the page sent an unknown notice: %q", n.Kind)
	}
	return nil
}

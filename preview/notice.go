package preview

import (
	"errors"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// A notice is what the page reports of the frame of a view, which the page
// alone can see.
type notice struct {
	Kind    string `json:"kind"`
	Text    string `json:"text"`    // a detail, such as a method
	Seconds int    `json:"seconds"` // of silence
	More    bool   `json:"more"`    // notices of this kind are dropped until the second is over
}

// notice puts what the page reports on the view's record, and tells the program.
func (v *view) notice(n notice) error {
	more := ""
	if n.More {
		more = " What follows in this second is not shown."
	}
	silence := time.Duration(n.Seconds) * time.Second
	switch n.Kind {
	case "view-left":
		v.emit(Event{Kind: EventViewLeft})
		v.note(host.LevelError, host.NoteViewLost, "The view went to another page, or was stopped on the way there: what the frame shows is not the view."+more)
	case "proxy-left":
		v.emit(Event{Kind: EventProxyLeft})
		v.note(host.LevelError, host.NoteViewLost, "The sandbox proxy went elsewhere: the view is gone. Call the tool again."+more)
	case "silent":
		v.emit(Event{Kind: EventSilent, Silence: silence})
		v.note(host.LevelError, host.NoteViewLost, fmt.Sprintf("The view does not answer for %d s: its script hangs, is stopped in a debugger, or its process died. Call the tool again for a new view.", n.Seconds))
	case "back":
		v.emit(Event{Kind: EventBack, Silence: silence})
		v.note(host.LevelInfo, host.NoteViewLost, fmt.Sprintf("The view answers again, after about %d s.", n.Seconds))
	case "died":
		v.emit(Event{Kind: EventDied})
		v.fail(errors.New("the view does not answer: its process died, or it removed its own frame"))
	case "forged":
		v.note(host.LevelError, host.NoteUnknown, fmt.Sprintf("The view sent %.100s, which is between the host and its sandbox: dropped.%s", n.Text, more))
	case "not-json":
		v.note(host.LevelError, host.NoteInvalid, "The view posted a message that can't be encoded as JSON: dropped."+more)
	case "too-large":
		v.note(host.LevelError, host.NoteLimit, fmt.Sprintf("The view posted a message of %s characters: dropped.%s", n.Text, more))
	default:
		return fmt.Errorf("the page sent an unknown notice: %q", n.Kind)
	}
	return nil
}

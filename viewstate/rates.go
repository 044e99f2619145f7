package viewstate

import (
	"sync"
	"time"
)

// rates bounds how often each owner saves. Its stores have one, because a server that
// exists for one request only can't have it. The zero value is ready for use.
type rates struct {
	mu sync.Mutex
	// full is when an owner who saves nothing until then has the whole burst again. After
	// that time an entry says nothing. Two maps make it cheap to drop such entries: what
	// has not been touched since the last two changes of maps is dropped.
	full, older map[ownerKey]time.Time
	changed     time.Time // when full became older
}

// mostOwners bounds a map, whatever ids clients invent. The owners beyond it push out
// those who have not saved for the longest time.
const mostOwners = 1 << 16

// allow reports whether an owner may save now, given a rate per second and twice of it as
// burst. If not, it returns how long to wait.
func (r *rates) allow(owner ownerKey, perSecond int) (wait time.Duration, ok bool) {
	interval := time.Second / time.Duration(perSecond)
	burst := 2 * time.Duration(perSecond) * interval
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.full == nil || now.Sub(r.changed) > burst || len(r.full) >= mostOwners {
		r.full, r.older, r.changed = make(map[ownerKey]time.Time), r.full, now
	}
	full, touched := r.full[owner]
	if !touched {
		full = r.older[owner]
	}
	if full.Before(now) {
		full = now
	}
	if wait := full.Add(interval).Sub(now) - burst; wait > 0 {
		return wait, false
	}
	r.full[owner] = full.Add(interval)
	return 0, true
}

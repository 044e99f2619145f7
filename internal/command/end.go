package command

import "time"

// exitGrace is how long a process is waited for after its input was closed, and again
// after it was asked to end.
const exitGrace = 2 * time.Second

// Close ends the process: it closes its input, asks it to end if it is not gone
// after 2 s, and kills it and all that it started after 2 s more. It returns when
// the process has ended, or 10 s after it was killed: the system may hold up a
// process that waits for a device. Further calls wait for the first.
func (p *Process) Close() error {
	p.closeOnce.Do(func() {
		close(p.closing)
		p.in.Close()
		if !p.exitsWithin(p.grace) {
			Terminate(p.cmd)
			p.exitsWithin(p.grace)
		}
		Kill(p.cmd) // what it left running
		p.exitsWithin(5 * p.grace)
		p.out.Close()
		close(p.gone)
	})
	return nil
}

// Abandon ends the process and all that it started at once.
func (p *Process) Abandon() {
	select {
	case <-p.gone: // its number may be that of another process now
	default:
		Kill(p.cmd)
		p.Close()
	}
}

func (p *Process) exitsWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// watch waits for the end of the process. What it started may hold its output
// open: that is given the same time, and then ended.
func (p *Process) watch() {
	p.exitErr = p.cmd.Wait()
	close(p.exited)
	if p.outputEndsWithin(p.grace) {
		return
	}
	Kill(p.cmd)
	if p.outputEndsWithin(p.grace) {
		return
	}
	p.out.Close() // which does not end a read on every system
	close(p.stuck)
}

func (p *Process) outputEndsWithin(d time.Duration) bool {
	select {
	case <-p.outputEnded:
		return true
	case <-p.closing:
		return true
	case <-time.After(d):
		return false
	}
}

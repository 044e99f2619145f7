package host

import (
	"errors"

	"github.com/mcpapps-go/mcpapps/appclient"
)

// SetApp replaces the view's document and metadata, for a document that has changed
// while its view is open. The program then loads the view's frame again:
// [SandboxHandler] serves the new document, and a sandbox proxy that asks again gets
// it. The view receives input and result again once it is initialized. Until then the
// bridge sends it only the answers to its requests.
//
// After a WaitApp that failed, SetApp gives the view a document after all. The
// bridge keeps app: do not change it. The error is [ErrClosed] for a bridge that is
// closed or closing.
func (b *Bridge) SetApp(app *appclient.App) error {
	if app == nil {
		return errors.New("Bridge.SetApp: the app is nil")
	}
	b.mu.Lock()
	defer b.unlock()
	if b.phase >= phaseClosing {
		return ErrClosed
	}
	b.phase = phaseNew
	b.opts.App = b.emulation.app(app)
	b.firstLoad = b.load + 1
	if b.opening != nil {
		b.opening.appErr = nil
	}
	if b.proxyAsked { // the proxies of several loads in quick succession may all ask
		b.documents = min(b.documents+1, maxDocuments)
	}
	return nil
}

// maxDocuments bounds how often proxies may ask for documents that no frame has loaded
// yet.
const maxDocuments = 100

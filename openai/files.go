package openai

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An OpenedFile is the argument "file" of a tool with a [File] entrypoint. The server does
// not get the file's content: the view reads it from ChatGPT, by ResourceURI. Declare it
// as a field of the tool's input:
//
//	type openInput struct {
//		File openai.OpenedFile `json:"file"`
//	}
type OpenedFile struct {
	Name        string `json:"name"`        // without a folder: the schema that [Tool] infers rejects others
	ResourceURI string `json:"resourceUri"` // opaque, for the view
}

// An UploadedFile is an argument that ChatGPT fills with a file of the conversation. The
// type, a pointer to it or a slice of it may be the type of fields of a tool's input: see
// [Tool]. DownloadURL is valid for a short time. Whoever calls the tool chooses it, and
// OpenAI's reference does not state its hosts: fetch it over https only, with a bound on the
// size, and never from an address of your own network. A server that is registered with
// OpenAI can log the hosts that ChatGPT sends and then allow those alone.
type UploadedFile struct {
	DownloadURL string `json:"download_url"`
	FileID      string `json:"file_id"`
	MIMEType    string `json:"mime_type,omitempty"`
	FileName    string `json:"file_name,omitempty"`
}

// maxPath is the longest path that [FilePath] returns, in bytes: Windows has paths of
// nearly this length.
const maxPath = 32 << 10

// FilePath returns the path of the file for which a view was opened by a [File]
// entrypoint. ChatGPT sends it with each call from that view. It is "" on other calls.
//
// A path that is not absolute on the server's system is an error, and so is a malformed
// one. The errors don't repeat it; keep it out of yours too, since what a tool returns
// reaches the model.
//
// The client chooses the path: trust it as far as you trust the connection. Where the
// server runs on the user's machine, only the user's own client can send it. Before you
// read other files beside it, resolve links and check that they are in the same folder;
// [os.OpenRoot] does both.
func FilePath(req *mcp.CallToolRequest) (string, error) {
	if req == nil || req.Params == nil {
		return "", nil
	}
	v, ok := req.Params.Meta[metakey.OpenAIResource]
	if !ok {
		return "", nil
	}
	resource, _ := v.(map[string]any)
	path, ok := resource["path"].(string)
	switch {
	case !ok:
		return "", errors.New(`the client sent _meta["` + metakey.OpenAIResource + `"] without a path: call the tool without it, or with an absolute path`)
	case path == "":
		return "", nil
	case len(path) > maxPath || strings.ContainsRune(path, 0) || !filepath.IsAbs(path):
		return "", errors.New(`the client sent a path that is not absolute on this system: call the tool from the view of a file on the server's machine`)
	}
	return path, nil
}

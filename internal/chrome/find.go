package chrome

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// Find returns the path of an installed Chromium, Chrome or Edge: the one that
// the environment variable MCPAPPS_CHROMIUM names, whether it exists or not, or
// the first that is on the PATH or where the system installs it.
func Find() (string, error) {
	if p := os.Getenv("MCPAPPS_CHROMIUM"); p != "" {
		return p, nil
	}
	for _, name := range candidates(runtime.GOOS, os.Getenv) {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no Chromium, Chrome or Edge found: install one, or set MCPAPPS_CHROMIUM to its path")
}

// candidates returns the commands and the absolute paths to try, in order.
func candidates(goos string, getenv func(string) string) []string {
	list := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "chromium-headless-shell", "chrome-headless-shell"}
	switch goos {
	case "windows":
		// An installation for all users is in one of the first two folders, one
		// for a single user in the last.
		for _, program := range []string{`Google\Chrome\Application\chrome.exe`, `Chromium\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
			for _, name := range []string{"ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"} {
				if dir := getenv(name); dir != "" {
					list = append(list, dir+`\`+program)
				}
			}
		}
	case "darwin":
		for _, app := range []string{"Google Chrome", "Chromium", "Microsoft Edge"} {
			for _, dir := range []string{"", getenv("HOME")} {
				list = append(list, dir+"/Applications/"+app+".app/Contents/MacOS/"+app)
			}
		}
	default:
		list = append(list, "microsoft-edge", "microsoft-edge-stable")
	}
	return list
}

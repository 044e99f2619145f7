package mcpappstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

// MatchPicture compares what the view shows with a picture in a PNG file, whose name is
// relative to the test's folder. tolerance is the share of pixels that may differ, such
// as 0.001; a pixel differs if its red, green or blue does by more than 10 of 255.
//
// Browsers and systems draw text differently, so the file's real name has the browser's
// major version and the system: view.png stands for view.chrome156-linux.png. Run
//
//	MCPAPPS_UPDATE=1 go test
//
// to write it, and look at it. If there is a picture only for others, nothing is
// compared and the test's log says so; with MCPAPPS_BROWSER=required the test fails.
//
// The picture is taken when the view does not change any more: fonts are loaded, and
// animations are at their end, or at their beginning if they have no end. If it differs, the test fails, and the picture of the view
// and of the difference are written beside the file.
func (p *Page) MatchPicture(file string, tolerance float64) {
	p.t.Helper()
	if tolerance < 0 || tolerance >= 1 {
		p.t.Fatalf("mcpappstest: a tolerance of %v: give the share of pixels that may differ, at least 0 and less than 1", tolerance)
	}
	got := p.stillPicture()
	stem := strings.TrimSuffix(file, ".png")
	key := pictureKey(p.browser.Product())
	file = stem + "." + key + ".png"
	if golden.Updating() {
		if err := golden.Compare(file, got); err != nil {
			p.t.Fatalf("mcpappstest: %v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		others, _ := filepath.Glob(stem + ".*-*.png")
		message := fmt.Sprintf("mcpappstest: there is no picture %s: write it with MCPAPPS_UPDATE=1 go test, and look at it", file)
		if len(others) > 0 && !testbrowser.Required() {
			p.t.Log(message + "; nothing was compared")
			return
		}
		p.t.Error(message)
		return
	case err != nil:
		p.t.Fatalf("mcpappstest: %v", err)
	}
	gotFile, diffFile := stem+"."+key+".got.png", stem+"."+key+".diff.png"
	share, diff, err := comparePictures(want, got)
	if err == nil && share <= tolerance {
		_ = os.Remove(gotFile) // of an earlier run
		_ = os.Remove(diffFile)
		return
	}
	if writeErr := os.WriteFile(gotFile, got, 0o644); writeErr != nil {
		p.t.Fatalf("mcpappstest: %v", writeErr)
	}
	if err != nil {
		p.t.Errorf("mcpappstest: %s: %v; the view is in %s", file, err, gotFile)
		return
	}
	if err := os.WriteFile(diffFile, diff, 0o644); err != nil {
		p.t.Fatalf("mcpappstest: %v", err)
	}
	p.t.Errorf("mcpappstest: %s: %.3f%% of the pixels differ, and %.3f%% may; the view is in %s, the difference in %s. If it is meant, run MCPAPPS_UPDATE=1 go test",
		file, 100*share, 100*tolerance, gotFile, diffFile)
}

// pictureKey names what decides how a page is drawn.
func pictureKey(product string) string {
	name, version, _ := strings.Cut(product, "/")
	major, _, _ := strings.Cut(version, ".")
	return strings.ToLower(name) + major + "-" + runtime.GOOS
}

// stillPicture returns a picture of the view when it is the same twice.
func (p *Page) stillPicture() []byte {
	p.t.Helper()
	p.settle()
	p.Eval(`(async () => {
		await document.fonts.ready;
		document.documentElement.style.setProperty("caret-color", "transparent", "important");
	})()`, nil)
	var last []byte
	err := p.until(func(ctx context.Context) (bool, error) {
		d, err := p.view.Document()
		if err != nil {
			return false, err
		}
		err = d.Eval(ctx, `(async () => {
			for (const a of document.getAnimations()) {
				if (a.effect?.getComputedTiming().endTime !== Infinity) {
					a.finish();
				} else if (a.playState === "running") {
					a.pause();
					a.currentTime = 0;
					(globalThis[Symbol.for("mcpappstest.paused")] ??= []).push(a);
					await a.ready; // until then the compositor goes on
				}
			}
			for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
		})()`, nil)
		if err != nil {
			return false, err
		}
		now, err := p.view.Screenshot(ctx)
		if err != nil {
			return false, err
		}
		if bytes.Equal(last, now) {
			return true, nil
		}
		last = now
		return false, errors.New("it changes all the time")
	})
	if err != nil {
		p.fatalf("taking a picture: %v", err)
	}
	p.Eval(`(() => {
		document.documentElement.style.removeProperty("caret-color");
		globalThis[Symbol.for("mcpappstest.paused")]?.splice(0).forEach((a) => a.play());
	})()`, nil)
	return last
}

// comparePictures returns the share of pixels that differ, and a picture that shows
// them in red on what else there is.
func comparePictures(want, got []byte) (share float64, diff []byte, err error) {
	a, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		return 0, nil, fmt.Errorf("reading the picture: %w", err)
	}
	b, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		return 0, nil, fmt.Errorf("reading the view's picture: %w", err)
	}
	size := a.Bounds().Size()
	if b.Bounds().Size() != size {
		return 0, nil, fmt.Errorf("it has %v pixels, and the view %v", size, b.Bounds().Size())
	}
	left, right := pixels(a), pixels(b)
	out := image.NewRGBA(left.Rect)
	differing := 0
	for i := 0; i < len(left.Pix); i += 4 {
		if differs(left.Pix[i:i+3], right.Pix[i:i+3]) {
			differing++
			copy(out.Pix[i:], []byte{255, 0, 0, 255})
			continue
		}
		y := color.GrayModel.Convert(color.RGBA{right.Pix[i], right.Pix[i+1], right.Pix[i+2], 255}).(color.Gray).Y
		faint := 200 + y/5
		copy(out.Pix[i:], []byte{faint, faint, faint, 255})
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, out); err != nil {
		return 0, nil, err
	}
	return float64(differing) / float64(max(1, size.X*size.Y)), buf.Bytes(), nil
}

// channelTolerance is by how much of 255 a channel of equal pixels may differ.
const channelTolerance = 10

func differs(a, b []byte) bool {
	for i := range a {
		if max(a[i], b[i])-min(a[i], b[i]) > channelTolerance {
			return true
		}
	}
	return false
}

func pixels(img image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

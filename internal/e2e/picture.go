package e2e

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Ink returns the share of pixels in a picture in [Artifacts] that do not have its
// most frequent colour: 0 for a blank picture.
func Ink(t testing.TB, name string) float64 {
	t.Helper()
	f, err := os.Open(filepath.Join(Artifacts(t), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	counts := make(map[color.Color]int)
	most, all := 0, 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			c := picture.At(x, y)
			counts[c]++
			most = max(most, counts[c])
			all++
		}
	}
	if all == 0 {
		t.Fatalf("%s has no pixels", name)
	}
	return 1 - float64(most)/float64(all)
}

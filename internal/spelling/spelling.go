// Package spelling finds the name that a misspelled one stands for.
package spelling

import "strings"

// Distance returns the Levenshtein distance of a and b, by bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diag+cost)
		}
	}
	return row[len(b)]
}

// Nearest returns the candidate with the least distance to the first 100 bytes of s,
// "" if there are none.
func Nearest(s string, candidates []string) string {
	if len(s) > 100 {
		s = s[:100]
	}
	best, at := "", 0
	for _, c := range candidates {
		if d := Distance(s, c); best == "" || d < at {
			best, at = c, d
		}
	}
	return best
}

// Fold returns a key without case and separators.
func Fold(key string) string { return folder.Replace(strings.ToLower(key)) }

var folder = strings.NewReplacer("/", "", ".", "", "_", "", "-", "")

// maxKey is the length, in bytes, above which a key is not compared.
const maxKey = 60

// Key returns the known key that another one probably misspells, "" if there is none.
func Key(key string, known []string) string {
	if len(key) > maxKey {
		return ""
	}
	for _, k := range known {
		if Fold(key) == Fold(k) {
			return k
		}
	}
	for _, k := range known {
		if len(k) > 4 && Distance(key, k) <= 2 {
			return k
		}
	}
	return ""
}

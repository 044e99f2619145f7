package check

import "slices"

// distance returns the Levenshtein distance of a and b, by bytes.
func distance(a, b string) int {
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

// nearest returns the candidate that is most like s, "" if there is none.
func nearest(s string, candidates []string) string {
	if len(s) > 100 {
		s = s[:100]
	}
	best, at := "", 0
	for _, c := range candidates {
		if d := distance(s, c); best == "" || d < at {
			best, at = c, d
		}
	}
	return best
}

// nearestOf is nearest for candidates in no order, and silent where even the
// nearest is no likely slip.
func nearestOf(s string, candidates []string) string {
	slices.Sort(candidates)
	n := nearest(s, candidates)
	if n == "" || distance(shorten(s), n) > max(len(n)/2, 2) {
		return ""
	}
	return n
}

// Package variables finds environment variables that nothing reads: a misspelt one would leave its setting at the default.
package variables

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Prefix begins every setting's name, and testPrefix those of the tests, which the program leaves alone.
const (
	Prefix     = "VEZNE_"
	testPrefix = "VEZNE_TEST_"
)

// Unknown is a variable that nothing reads.
type Unknown struct {
	Name    string
	Nearest string // the setting that may be meant; empty: none is near
}

// Find returns the variables of an environment ("NAME=value" each) that look like settings and are none of the known, by name.
// Values are looked at only to tell what Kubernetes sets.
func Find(environment, known []string) []Unknown {
	isPod := slices.ContainsFunc(environment, func(pair string) bool { return strings.HasPrefix(pair, "KUBERNETES_SERVICE_HOST=") })
	var found []Unknown
	for _, pair := range environment {
		name, value, _ := strings.Cut(pair, "=")
		upper := strings.ToUpper(name)
		switch {
		case !strings.HasPrefix(upper, Prefix), strings.HasPrefix(name, testPrefix), slices.Contains(known, name):
		case isPod && isServiceLink(name, value):
		default:
			found = append(found, Unknown{Name: name, Nearest: nearest(upper, known)})
		}
	}
	slices.SortFunc(found, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// Kubernetes tells each pod of every service of its namespace: of one called vezne or vezne-api by VEZNE_SERVICE_HOST,
// VEZNE_API_PORT_8080_TCP_ADDR and the like, and by VEZNE_PORT, which has an address for its value and no number.
var (
	serviceLink = regexp.MustCompile(`^VEZNE(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|` +
		`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)
	servicePort = regexp.MustCompile(`^VEZNE(_[A-Z0-9_]+)?_PORT$`)
	portAddress = regexp.MustCompile(`^(tcp|udp|sctp)://`)
)

func isServiceLink(name, value string) bool {
	return serviceLink.MatchString(name) || servicePort.MatchString(name) && portAddress.MatchString(value)
}

// maxNamed bounds the names that are compared, which takes as long as both are together.
const maxNamed = 100

// nearest is the known name that the fewest changes lead to, where they are fewer than half of what follows the prefix, or the
// one of which the name has only some words.
func nearest(name string, known []string) string {
	words := strings.TrimPrefix(name, Prefix)
	if len(name) > maxNamed || words == "" {
		return ""
	}
	var longer []string
	for _, k := range known {
		if strings.Contains(strings.TrimPrefix(k, "VEZNE")+"_", "_"+words+"_") {
			longer = append(longer, k)
		}
	}
	if len(longer) == 1 {
		return longer[0]
	}
	best, fewest := "", (len(name)-len(Prefix)+1)/2
	for _, k := range known {
		if changes := levenshtein.ComputeDistance(name, k); changes < fewest || changes == fewest && best == "" {
			best, fewest = k, changes
		}
	}
	return best
}

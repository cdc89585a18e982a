package program

import (
	"os"
	"time"

	"github.com/vezne/vezne/adapters/hostclock"
)

// skewFile is empty but in the binary that the end-to-end tests link with a name here: it names a file in the working
// directory that says by how much the clock is wrong.
var skewFile string

// hostSource is this machine's clock.
func hostSource() hostclock.Source {
	host := hostclock.Host()
	if skewFile == "" {
		return host
	}
	return func() (time.Time, time.Duration) {
		wall, elapsed := host()
		text, _ := os.ReadFile(skewFile) // none: the clock is right
		skew, _ := time.ParseDuration(string(text))
		return wall.Add(skew), elapsed
	}
}

package epoch

import (
	"errors"
	"time"
)

// Mark is how far a database is: a number that grows while anything is committed. It is recorded outside of the database, which
// has to be as far as that ever after, or it is an earlier state of itself.
type Mark struct {
	Installation string    `json:"installation"`
	Epoch        int64     `json:"epoch"`
	Name         string    `json:"name"`
	Number       int64     `json:"number"`
	At           time.Time `json:"at"`
}

// maxNameBytes bounds the names in a mark that was kept outside.
const maxNameBytes = 64

// Check refuses what no mark has. Whoever could write to the place could have written anything.
func (m Mark) Check() error {
	switch {
	case m.Installation == "" || m.Name == "" || len(m.Installation) > maxNameBytes || len(m.Name) > maxNameBytes:
		return errors.New("a mark without the names of its installation and epoch")
	case m.Epoch < 1 || m.Number < 0:
		return errors.New("a mark with an impossible number")
	}
	return nil
}

// Standing is how a database stands to what was recorded outside of it.
type Standing string

// Standings.
const (
	Foremost Standing = "foremost" // nothing outside is ahead of it: its mark is to be recorded
	Earlier  Standing = "earlier"  // it is an earlier state of what was recorded
	Fenced   Standing = "fenced"   // another epoch has taken its place: it must change nothing and send nothing any more
)

// Against compares a database's mark with what was recorded outside; the zero mark: nothing is. Of two epochs of one number the one
// that was recorded first has the place.
func (m Mark) Against(recorded Mark) Standing {
	switch {
	case recorded == Mark{} || recorded.Installation != m.Installation || recorded.Epoch < m.Epoch:
		return Foremost
	case recorded.Epoch > m.Epoch || recorded.Name != m.Name:
		return Fenced
	case recorded.Number > m.Number:
		return Earlier
	default:
		return Foremost
	}
}

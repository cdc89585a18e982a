package wallet

import (
	"time"

	"github.com/vezne/vezne/core"
)

// Holiday is a day on which banks book nothing.
type Holiday struct {
	Day       core.Day
	Version   int
	Name      string
	UpdatedAt time.Time
}

// Identity implements Row.
func (h Holiday) Identity() core.Identity {
	return core.Identity{Table: "holidays", Key: string(h.Day), Version: h.Version}
}

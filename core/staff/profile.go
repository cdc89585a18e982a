package staff

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
)

// Profile is what a staff member says about themself: nothing in it gives a right.
type Profile struct {
	StaffID   int64
	Version   int      // 0: nothing was saved
	Name      string   // empty: the email stands for it
	Language  lang.Tag // empty: what the browser asks for
	Theme     Theme    // empty: SystemTheme
	UpdatedAt time.Time
}

// Identity implements Row.
func (p Profile) Identity() core.Identity {
	return core.Identity{Table: "staff_profiles", Key: strconv.FormatInt(p.StaffID, 10), Version: p.Version}
}

// Saved is the profile's next version. Whatever depends on all that a member has saved is committed with it, so that two such
// decisions at one moment are not made apart.
func (p Profile) Saved(now time.Time) Profile {
	p.Version++
	p.UpdatedAt = now
	return p
}

// Theme is how a console looks.
type Theme string

// Themes.
const (
	SystemTheme Theme = "system" // as the member's machine does
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// Themes lists all of them.
func Themes() []Theme { return []Theme{SystemTheme, LightTheme, DarkTheme} }

// IsTheme reports whether t is one of Themes.
func (t Theme) IsTheme() bool { return slices.Contains(Themes(), t) }

// MaxProfileName bounds a member's name, in characters.
const MaxProfileName = 64

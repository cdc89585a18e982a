package approval

import (
	"github.com/vezne/vezne/core"
)

// Beside implements Guarded.
func (Rule) Beside() []core.Identity { return nil }

// Guards implements Guarded: these rules are one of the things that they are about.
func (r Rule) Guards(core.Judged) []core.Guard {
	return core.GuardIf(true, core.GuardRules, r.Ref(), 0)
}

package routing

import (
	"github.com/vezne/vezne/core"
)

// Beside implements Guarded.
func (Rule) Beside() []core.Identity { return nil }

// Guards implements Guarded: who gets which payments is held up with everything of a rule.
func (r Rule) Guards(core.Judged) []core.Guard {
	return core.GuardIf(true, core.GuardRouting, core.GuardSubject("route_rule", r.ID, r.Version > 1, r.Name), 0)
}

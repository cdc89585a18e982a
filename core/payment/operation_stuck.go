package payment

import (
	"slices"
	"strings"
)

// mayInstead is a payment's status and how it can be called off.
func (p Payment) MayInstead() string {
	var commands []string
	for _, c := range []Command{Reject, Cancel, Fail} {
		if _, err := PathOf(p, c); err == nil {
			commands = append(commands, string(c))
		}
	}
	slices.Sort(commands)
	return string(p.Status) + " → " + strings.Join(commands, ", ")
}

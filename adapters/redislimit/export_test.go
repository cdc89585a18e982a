package redislimit

// Known is how many keys are in memory.
func (l *Local) Known() int { return len(l.full.young) + len(l.full.old) }

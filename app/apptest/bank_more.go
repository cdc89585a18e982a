package apptest

import "github.com/vezne/vezne/core/gateway"

// Lines are all lines that the bank has written of an account, each once, also those that it hides.
func (b *Bank) Lines(accountID string) []gateway.StatementLine {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.account(accountID)
	if a == nil {
		return nil
	}
	var lines []gateway.StatementLine
	for _, l := range a.lines {
		if !l.isRepeat {
			lines = append(lines, l.StatementLine)
		}
	}
	return lines
}

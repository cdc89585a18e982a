package wallet

import (
	"sync"

	"github.com/vezne/vezne/core/wallet"
)

// maxImported is how many lines are remembered as imported, at most twice.
const maxImported = 50_000

type lineKey struct {
	walletID int64
	lineID   string
}

// importedLines remembers lines that are imported: the end of a statement is read over and over. What it has forgotten is
// only decided anew, and kept out by the store.
type importedLines struct {
	mu          sync.Mutex
	young, aged map[lineKey]struct{}
}

func (k *importedLines) has(walletID int64, lineID string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, isYoung := k.young[lineKey{walletID, lineID}]
	_, isAged := k.aged[lineKey{walletID, lineID}]
	return isYoung || isAged
}

func (k *importedLines) add(walletID int64, lines ...wallet.BankLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range lines {
		if k.young == nil || len(k.young) >= maxImported {
			k.young, k.aged = map[lineKey]struct{}{}, k.young
		}
		k.young[lineKey{walletID, l.LineID}] = struct{}{}
	}
}

package payment

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
)

// TransferEntry books what a transfer does: its whole amount is reserved when it begins, and posted or given back when it
// ends. A transfer's amount never changes.
func TransferEntry(p Payment, kind ledger.EntryKind, at time.Time, id core.ID) ledger.Entry {
	e := ledger.New(kind, p.Payee.WalletID, p.RequestedAmount, at, id)
	e.PaymentID = p.ID
	return e
}

// endTransfer is the ledger's part of a transfer's end: it is posted when it is completed, and given back otherwise. A
// transfer ends once, and nothing leads out of that; what the bank says or does afterwards has other postings:
//
//   - A completed one that comes back (ReturnedPayout) is booked when its line is imported (EntryReturn).
//   - A failed one that the bank carried out after all (LatePayout): its line is imported as any that took money without
//     Vezne (EntryOutgoing). When the dealer has spent what was given back, that line waits until the ledger can take it.
//   - One that came back before it was known to have left fails, and is given back here. The bank lists both its lines,
//     and they are imported as those of a failed one: out and in again, which comes to nothing.
func endTransfer(p Payment, d Decision) []ledger.Entry {
	kind := ledger.EntryRelease
	switch {
	case p.Method.Kind() != Transfer:
		return nil
	case p.Status == Completed:
		kind = ledger.EntryPost
	}
	return []ledger.Entry{TransferEntry(p, kind, d.At, d.IDs.Next())}
}

package operation

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// discrepancies is the work on the ones of a case.
type discrepancies struct {
	c    Case
	d    payment.Decision
	list []discrepancy.Discrepancy // changed or new
}

// open records a discrepancy of the case's operation, or brings the open one of that kind up to date.
func (w *discrepancies) open(kind discrepancy.Kind, seen gateway.Money, detail string) {
	w.openSince(time.Time{}, kind, seen, detail)
}

// openSince is open for what may come again: one that was resolved and is older than a moment was about something else.
func (w *discrepancies) openSince(since time.Time, kind discrepancy.Kind, seen gateway.Money, detail string) {
	o := w.c.Operation
	found, isNews := discrepancy.Record(w.c.Discrepancies, discrepancy.Discrepancy{
		ID: w.d.IDs.Next(), Version: 1, PaymentID: o.PaymentID, TrackingCode: o.TrackingCode, OperationID: o.ID,
		GatewayID: o.GatewayID, DealerID: w.c.Payment.DealerID, ProviderID: w.c.Payment.ProviderID, Kind: kind,
		Status: discrepancy.Open, Expected: o.Due, Seen: seen, Detail: detail, CreatedAt: w.d.At, UpdatedAt: w.d.At,
	}, since)
	if isNews {
		w.list = append(w.list, found)
	}
}

// settle closes the operation's open discrepancies of some kinds: later news resolved them.
func (w *discrepancies) settle(why string, kinds ...discrepancy.Kind) {
	for _, known := range w.c.Discrepancies {
		if known.OperationID == w.c.Operation.ID && known.Status == discrepancy.Open && slices.Contains(kinds, known.Kind) {
			known.Version++
			known.Status, known.UpdatedAt, known.ResolvedBy, known.Reason = discrepancy.Settled, w.d.At, core.System, why
			w.list = append(w.list, known)
		}
	}
}

// hasOpen reports whether the case's operation has an open discrepancy: of these kinds, or of any where none is named.
func (c Case) hasOpen(kinds ...discrepancy.Kind) bool {
	return slices.ContainsFunc(c.Discrepancies, func(d discrepancy.Discrepancy) bool {
		isKind := len(kinds) == 0 || slices.Contains(kinds, d.Kind)
		return d.OperationID == c.Operation.ID && d.IsOpen() && isKind
	})
}

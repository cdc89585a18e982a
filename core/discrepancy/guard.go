package discrepancy

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// Beside implements Guarded.
func (Discrepancy) Beside() []core.Identity { return nil }

// Guards implements Guarded: money that does not fit and is taken for the payment. By staff only is any accepted.
func (d Discrepancy) Guards(in core.Judged) []core.Guard {
	if d.Status != Accepted {
		return nil
	}
	amount := d.Seen
	for _, p := range core.RowsOf[payment.Payment](in.Changeset) {
		if p.ID == d.PaymentID {
			amount = gateway.Lira(p.Amount)
		}
	}
	return []core.Guard{{Action: core.GuardCompletion, Subject: "payment/" + d.TrackingCode, DealerID: d.DealerID, Amount: amount}}
}

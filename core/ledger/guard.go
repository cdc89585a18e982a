package ledger

import (
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// OfWallet is a row that says whose a wallet is.
type OfWallet interface {
	core.Row
	WalletAndDealer() (wallet, dealer int64)
}

// Beside implements Guarded.
func (Entry) Beside() []core.Identity { return nil }

// Guards implements Guarded: money that is booked without the bank's having moved any, which is what a day's difference comes
// to.
func (e Entry) Guards(in core.Judged) []core.Guard {
	if e.Kind != EntryAdjustment {
		return nil
	}
	dealer, amount, direction := int64(0), e.Change(), "in"
	for _, row := range in.Changeset {
		if r, ok := row.(OfWallet); ok {
			if wallet, of := r.WalletAndDealer(); wallet == e.WalletID {
				dealer = of
			}
		}
	}
	if amount.Minor() < 0 {
		amount, direction = money.Kurus(-amount.Minor()), "out"
	}
	return []core.Guard{{
		Action: core.GuardAdjustment, Subject: fmt.Sprintf("wallet/%d/%s/%s", e.WalletID, e.Day, direction), DealerID: dealer,
		Amount: gateway.Lira(amount),
	}}
}

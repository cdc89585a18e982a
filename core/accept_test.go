package core_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay: an end gives an offer's hold back, amount and count; staff who accept
// the money after it take both again.
func TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay(t *testing.T) {
	t.Parallel()
	p := started(t, payment.EIBANDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: p.Amount}
	load := owner.AccountUse{Amount: p.Amount, Count: 1}
	use := func(change core.Changeset) {
		for _, u := range core.RowsOf[owner.AccountUse](change) {
			load.Amount, load.Count = lira(load.Amount.Minor()+u.Amount.Minor()), load.Count+u.Count
		}
	}
	ended, err := payment.Decide(p, payment.Expire, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(ended); load.Amount.Minor() != 0 || load.Count != 0 {
		t.Errorf("after the end the account holds %+v", load)
	}
	credited, err := wallet.DecideCredit(aWallet(), alone(bankLine(bringing(777))), core.RowsOf[payment.Payment](ended)[0], nil, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(credited); load.Amount.Minor() != 777 || load.Count != 1 {
		t.Errorf("with the money the account holds %+v", load)
	}
}

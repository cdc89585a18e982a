package core_test

import (
	"testing"

	"github.com/vezne/vezne/core"
)

// TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay: an end gives an offer's hold back, amount and count; staff who accept
// the money after it take both again.
func TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay(t *testing.T) {
	t.Parallel()
	p := started(t, core.EIBANDeposit)
	p.Account = core.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: p.Amount}
	load := core.AccountUse{Amount: p.Amount, Count: 1}
	use := func(change core.Changeset) {
		for _, u := range core.RowsOf[core.AccountUse](change) {
			load.Amount, load.Count = lira(load.Amount.Minor()+u.Amount.Minor()), load.Count+u.Count
		}
	}
	ended, err := core.Decide(p, core.Expire, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(ended); load.Amount.Minor() != 0 || load.Count != 0 {
		t.Errorf("after the end the account holds %+v", load)
	}
	credited, err := core.DecideCredit(aWallet(), alone(bankLine(bringing(777))), core.RowsOf[core.Payment](ended)[0], nil, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(credited); load.Amount.Minor() != 777 || load.Count != 1 {
		t.Errorf("with the money the account holds %+v", load)
	}
}

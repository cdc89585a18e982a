package wallet_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay: an end gives an offer's hold back, amount and count; staff who accept
// the money after it take both again.
func TestMoneyAcceptedAfterTheEndCountsOnItsAccountsDay(t *testing.T) {
	t.Parallel()
	p := coretest.Started(t, payment.EIBANDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: coretest.Account(1).Day, Held: p.Amount}
	load := owner.LimitUsage{Amount: p.Amount, Count: 1}
	use := func(change core.Changeset) {
		for _, u := range core.RowsOf[owner.LimitUsage](change) {
			load.Amount, load.Count = coretest.Lira(load.Amount.Minor()+u.Amount.Minor()), load.Count+u.Count
		}
	}
	ended, err := payment.Decide(p, payment.Expire, coretest.Decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(ended); load.Amount.Minor() != 0 || load.Count != 0 {
		t.Errorf("after the end the account holds %+v", load)
	}
	credited, err := wallet.DecideCredit(aWallet(), alone(bankLine(bringing(777))), core.RowsOf[payment.Payment](ended)[0], nil, coretest.Decision(t))
	if err != nil {
		t.Fatal(err)
	}
	if use(credited); load.Amount.Minor() != 777 || load.Count != 1 {
		t.Errorf("with the money the account holds %+v", load)
	}
}

// TestCreditIsADecisionOfItsOwn: a line completes a deposit with its own amount as staff, or the gateway, would, and belongs
// to it from then on.
func TestCreditIsADecisionOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  payment.Status
		by      core.ActorKind
		command payment.Command // empty: refused
		code    fault.Code
		use     int64 // of the account's day
	}{
		"staff, shown":             {payment.Showing, core.ByStaff, payment.Approve, "", 5000},
		"staff, said paid":         {payment.Processing, core.ByStaff, payment.Approve, "", 5000},
		"staff, expired":           {payment.Expired, core.ByStaff, payment.Accept, "", 30000},
		"staff, called off":        {payment.Canceled, core.ByStaff, payment.Accept, "", 30000},
		"staff, completed":         {payment.Completed, core.ByStaff, "", fault.AlreadyFinal, 0},
		"the gateway, shown":       {payment.Showing, core.ByGateway, payment.Succeed, "", 5000},
		"the gateway, said paid":   {payment.Processing, core.ByGateway, payment.Succeed, "", 5000},
		"the system, said paid":    {payment.Processing, core.BySystem, payment.Succeed, "", 5000},
		"the gateway, expired":     {payment.Expired, core.ByGateway, "", fault.AlreadyFinal, 0},
		"the gateway, called off":  {payment.Canceled, core.ByGateway, "", fault.AlreadyFinal, 0},
		"the system, expired":      {payment.Expired, core.BySystem, "", fault.AlreadyFinal, 0},
		"the customer, called off": {payment.Canceled, core.ByCustomer, "", fault.AlreadyFinal, 0},
		"the gateway, completed":   {payment.Completed, core.ByGateway, "", fault.AlreadyFinal, 0},
	} {
		p := deposit(t, inStatus(c.status))
		if c.status.IsFinal() {
			p.Account.Held = coretest.Lira(0) // given back at its end
		}
		d := coretest.Decision(t)
		d.By.Kind = c.by
		change, err := wallet.DecideCredit(aWallet(), alone(bankLine(bringing(30000))), p, nil, d)
		if c.command == "" {
			if !fault.Is(err, c.code) || !cmp.Equal(change, core.Changeset{}, coretest.Exactly) {
				t.Errorf("%s: %v, %+v", name, err, change)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l := core.RowsOf[wallet.BankLine](change)[0]; l.Version != 2 || l.Status != wallet.LineMatched || l.PaymentID != p.ID || l.Note != "why" {
			t.Errorf("%s: %+v", name, l)
		}
		after := core.RowsOf[payment.Payment](change)[0]
		isPaid := after.Status == payment.Completed && after.Amount.Equal(coretest.Lira(30000)) && after.Account.Held.Equal(coretest.Lira(30000))
		if !isPaid || after.Version != p.Version+1 {
			t.Errorf("%s: %+v", name, after)
		}
		m := core.RowsOf[payment.Transition](change)[len(core.RowsOf[payment.Transition](change))-1]
		if m.Command != c.command || m.To != payment.Completed || m.Actor != d.By || !m.Amount.Equal(coretest.Lira(30000)) {
			t.Errorf("%s: %+v", name, m)
		}
		if len(core.RowsOf[payment.Callback](change)) != 1 {
			t.Fatalf("%s: %+v", name, core.RowsOf[payment.Callback](change))
		}
		if told := core.RowsOf[payment.Callback](change)[0].Payload; told.Status != payment.Completed || !told.Amount.Equal(coretest.Lira(30000)) {
			t.Errorf("%s: %+v", name, told)
		}
		if len(core.RowsOf[owner.LimitUsage](change)) != 1 || core.RowsOf[owner.LimitUsage](change)[0].AccountID != 1 || !core.RowsOf[owner.LimitUsage](change)[0].Amount.Equal(coretest.Lira(c.use)) {
			t.Errorf("%s: %+v", name, core.RowsOf[owner.LimitUsage](change))
		}
		if len(core.RowsOf[ledger.Entry](change)) != 0 {
			t.Errorf("%s: booked again: %+v", name, core.RowsOf[ledger.Entry](change))
		}
	}
}

// TestALineCreditsOnce: only a line that waits, once, an E-IBAN deposit of the wallet's own dealer.
func TestALineCreditsOnce(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStatuses() {
		for _, direction := range []gateway.Direction{gateway.Incoming, gateway.Outgoing} {
			l := bankLine(func(l *wallet.BankLine) { l.Status, l.Direction = s, direction })
			change, err := wallet.DecideCredit(aWallet(), alone(l), deposit(t), nil, coretest.Decision(t))
			mayCredit := direction == gateway.Incoming && (s == wallet.LineUnmatched || s == wallet.LineDoubtful)
			if mayCredit != (err == nil) || l.MayCredit() != mayCredit || err != nil && !fault.Is(err, fault.NotAllowed) {
				t.Errorf("%s %s: %v", direction, s, err)
			}
			if err != nil {
				continue
			}
			_, err = wallet.DecideCredit(aWallet(), alone(core.RowsOf[wallet.BankLine](change)[0]), deposit(t, second), nil, coretest.Decision(t))
			if !fault.Is(err, fault.NotAllowed) {
				t.Errorf("%s %s credits twice: %v", direction, s, err)
			}
		}
	}
	for _, m := range payment.Methods() {
		_, err := wallet.DecideCredit(aWallet(), alone(bankLine()), deposit(t, func(p *payment.Payment) { p.Method = m }), nil, coretest.Decision(t))
		if isRefused := fault.Is(err, fault.WrongMethod); isRefused == (m == payment.EIBANDeposit) {
			t.Errorf("%s: %v", m, err)
		}
	}
	others := deposit(t, func(p *payment.Payment) { p.DealerID = 6 })
	if _, err := wallet.DecideCredit(aWallet(), alone(bankLine()), others, nil, coretest.Decision(t)); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("another dealer's: %v", err)
	}
}

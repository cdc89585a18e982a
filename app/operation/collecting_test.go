package operation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestNobodyIsToldToPayADealersAccountThroughAGateway: the gateway did not say before that it collects there.
func TestNobodyIsToldToPayADealersAccountThroughAGateway(t *testing.T) {
	t.Parallel()
	for name, iban := range map[string]func(w *world) string{
		"a wallet's":         func(w *world) string { return w.Wallet.IBAN },
		"a manual account's": func(w *world) string { return strings.ToLower(w.Accounts[0].IBAN[:4]) + " " + w.Accounts[0].IBAN[4:] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.rig(&rig{})
			r.start = func(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
				started, err := r.StartDeposit(ctx, o)
				if err == nil {
					started.Next.Pay.IBAN = iban(w)
				}
				return started, err
			}
			p := w.StartDeposit(t, payment.BankDeposit, lira(733))
			_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, Kind: gateway.Bank, GatewayID: w.Gateway.ID})
			if err != nil || o.Next.Kind() != "" {
				t.Fatalf("begun: %+v, %v", o.Next, err)
			}
			all := w.operations(p)
			if len(all) != 1 || all[0].Next.Pay != nil || all[0].Phase != coreoperation.Calling {
				t.Errorf("kept: %+v", all)
			}
			accounts, err := w.Store.GatewayAccounts(t.Context())
			if err != nil || !strings.HasPrefix(accounts[0].Trouble, "it has customers pay to a dealer's bank account: TR") || accounts[0].Takes() {
				t.Errorf("the account has the trouble %q (%v)", accounts[0].Trouble, err)
			}
			if said := w.Logs.String(); !strings.Contains(said, "level=ERROR") {
				t.Errorf("the log says %s", said)
			}
			w.later(time.Minute) // the gateway says that it has the order: nobody is shown where to pay all the same
			for _, o := range w.operations(p) {
				if o.Next.Pay != nil {
					t.Errorf("shown later: %+v", o.Next.Pay)
				}
			}
			_, o, err = w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, Kind: gateway.Bank})
			if err != nil || o.GatewayID != w.OtherGateway.ID || o.Next.Pay == nil {
				t.Errorf("begun elsewhere: %+v, %v", o, err)
			}
		})
	}
}

// TestAnAccountThatAGatewayHasShownIsTheGateways, declared or not.
func TestAnAccountThatAGatewayHasShownIsTheGateways(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.AddAccount(gateway.BankAccount{ID: "acc-88", IBAN: apptest.CollectingIBAN, BankName: "B", Holder: "H"}, lira(0))
	w.begun(payment.BankDeposit, lira(733))
	_, err := w.Wallets.Create(t.Context(), app.Request{Staff: w.Admin}, wallet.NewWallet{
		DealerID: w.Dealer.ID, GatewayID: w.BankGateway.ID, BankAccountID: "acc-88", Min: money.New(1000, money.TRY),
		Max: money.New(500_000, money.TRY), DailyLimit: money.New(0, money.TRY),
	})
	if !fault.Is(err, fault.BankAccountTaken) {
		t.Errorf("a wallet of it: %v", err)
	}
}

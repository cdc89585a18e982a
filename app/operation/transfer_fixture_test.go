package operation_test

import (
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// bankFaults lets the next calls of a kind to the bank fail, one each.
func (w *world) bankFaults(call gateway.Capability, faults ...apptest.Fault) {
	w.faults(w.Bank.SimulatedGateway, call, faults...)
}

// transfer is one of 250.00 whose call has been made.
func (w *world) transfer() (payment.Payment, gateway.Ref) {
	w.t.Helper()
	p := w.StartTransfer(w.t, lira(250))
	w.Work(w.t)
	return p, w.operations(p)[0].Reference
}

// holds checks what the wallet has in lira, and that its entries say the same.
func (w *world) holds(available, reserved int64) {
	w.t.Helper()
	held := w.Held(w.t, w.Wallet)
	if held.AvailableBalance != lira(available) || held.Reserved != lira(reserved) {
		w.t.Errorf("the wallet has %s available, %s reserved, want %d and %d", held.AvailableBalance, held.Reserved, available, reserved)
	}
	sum := [3]int64{}
	for _, e := range w.entries() {
		sum[0], sum[1], sum[2] = sum[0]+e.Available.Minor(), sum[1]+e.Reserved.Minor(), sum[2]+e.Outside.Minor()
	}
	if sum[0] != held.AvailableBalance.Minor() || sum[1] != held.Reserved.Minor() || sum[0]+sum[1]+sum[2] != 0 {
		w.t.Errorf("the wallet has %s and %s, and its entries add up to %v", held.AvailableBalance, held.Reserved, sum)
	}
}

func (w *world) entries() []ledger.Entry {
	w.t.Helper()
	all, err := w.Store.Entries(w.t.Context(), w.Wallet.ID, core.Paging[core.ID]{Limit: core.MaxPage})
	w.no(err)
	return all
}

// booked checks the kinds of the entries of a transfer.
func (w *world) booked(p payment.Payment, want ...ledger.EntryKind) {
	w.t.Helper()
	var got []ledger.EntryKind
	for _, e := range w.entries() {
		if e.PaymentID == p.ID {
			got = append(got, e.Kind)
		}
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		w.t.Errorf("%s is booked as %q, want %q", p.TrackingCode, got, want)
	}
}

// asking is a request for a transfer.
func (w *world) asking(amount money.Amount) app.Creation {
	return app.Creation{
		Request: w.Fill(payment.Request{Method: payment.EIBANTransfer, Amount: amount}),
		Render:  func(payment.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
	}
}

// latest is the newest discrepancy of a payment.
func (w *world) latest(p payment.Payment, want discrepancy.Kind) discrepancy.Discrepancy {
	w.t.Helper()
	all, err := w.Store.DiscrepanciesOf(w.t.Context(), p.Key())
	w.no(err)
	if len(all) == 0 || all[len(all)-1].Kind != want {
		w.t.Fatalf("discrepancies %+v, want one of kind %s last", all, want)
	}
	return all[len(all)-1]
}

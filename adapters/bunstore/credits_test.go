package bunstore_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// credited is payments, and the credits that belong to them.
type credited struct {
	*testing.T
	payments   []payment.Payment
	moves      []payment.Transition
	lines      []wallet.BankLine
	operations []operation.Operation
	want       map[core.ID]payment.Credit // by payment; none: nothing
}

var (
	anOperator = core.Actor{Kind: core.ByStaff, ID: "7", Name: "İpek \"o'K\"", Addr: "192.0.2.7"}
	theSystem  = core.Actor{Kind: core.BySystem}
)

// payment is one with the move that completed it, if a command is given. A credit of it has a source, and names no
// money.
func (o *credited) payment(
	method payment.Method, status payment.Status, by core.Actor, command payment.Command, source payment.CreditSource,
) *payment.Payment {
	o.Helper()
	p := core.RowsOf[payment.Payment](newDeposit(o))[0]
	p.Method, p.Status, p.DealerID, p.ProviderID = method, status, 3, 4
	p.Amount = money.New(10_000+int64(len(o.payments)), money.TRY)
	p.CreatedAt = p.CreatedAt.UTC().Truncate(time.Second)
	p.FinishedAt = p.CreatedAt.Add(time.Minute)
	k := payment.Credit{
		PaymentID: p.ID, Number: 1, ID: p.ID, Version: 1, TrackingCode: p.TrackingCode, DealerID: 3, ProviderID: 4,
		Amount: p.Amount, Source: source, Brought: money.New(0, money.TRY), Actor: theSystem, At: p.FinishedAt,
	}
	if command != "" {
		m := payment.Transition{
			ID: p.ID, PaymentID: p.ID, At: p.FinishedAt.Add(-time.Second), Actor: by, Command: command, From: payment.Showing,
			To: payment.Completed, Amount: p.Amount, Reason: "seen",
		}
		if status == payment.Success {
			m.To = payment.Success
		}
		o.moves = append(o.moves, m)
		k.Actor, k.Reason, k.At = by, m.Reason, m.At
	}
	if source != "" {
		o.want[p.ID] = k
	}
	o.payments = append(o.payments, p)
	return &o.payments[len(o.payments)-1]
}

// line is one of the wallet that was matched with the payment.
func (o *credited) line(p *payment.Payment, id string, isSource bool) *wallet.BankLine {
	l := wallet.BankLine{
		WalletID: 7, LineID: id, ID: core.ID("L" + id), Version: 1, Direction: gateway.Incoming, Amount: p.Amount,
		BookedAt: p.CreatedAt, ImportedAt: p.CreatedAt, Status: wallet.LineMatched, PaymentID: p.ID,
	}
	if isSource {
		k := o.want[p.ID]
		k.WalletID, k.LineID, k.Brought = 7, id, p.Amount
		o.want[p.ID] = k
	}
	o.lines = append(o.lines, l)
	return &o.lines[len(o.lines)-1]
}

// operation is the payment's at a gateway, and the one that counts for it.
func (o *credited) operation(p *payment.Payment, number int, isSource bool) {
	p.Gateway.GatewayID, p.Gateway.OperationID = 1, core.ID(fmt.Sprintf("%s%d", p.ID[:20], number))
	o.operations = append(o.operations, operation.Operation{
		ID: p.Gateway.OperationID, Version: 1, PaymentID: p.ID, Kind: operation.DepositOperation, Number: number, GatewayID: 1,
		Reference: gateway.Ref(p.Gateway.OperationID), Phase: operation.Closed, CreatedAt: p.CreatedAt,
	})
	if isSource {
		k := o.want[p.ID]
		k.OperationID, k.Brought = p.Gateway.OperationID, p.Amount
		o.want[p.ID] = k
	}
}

// everyWay is payments of every method that ended in every way.
func everyWay(t *testing.T) *credited {
	o := &credited{T: t, want: map[core.ID]payment.Credit{}}
	o.line(o.payment(payment.EIBANDeposit, payment.Completed, theSystem, payment.Succeed, payment.CreditOfLine), "matched", true)
	o.line(o.payment(payment.EIBANDeposit, payment.Completed, anOperator, payment.Accept, payment.CreditOfLine), "late", true)
	reversed := o.line(o.payment(payment.EIBANDeposit, payment.Completed, theSystem, payment.Succeed, payment.CreditOfLine), "reversed", true)
	reversed.ReversedByLineID = "back"
	o.payment(payment.EIBANDeposit, payment.Completed, anOperator, payment.Approve, payment.CreditOfStaff)
	o.line(o.payment(payment.EIBANDeposit, payment.Completed, theSystem, payment.Succeed, payment.CreditBefore), "doubtful", false).Status = wallet.LineDoubtful
	for _, method := range payment.Methods() {
		isDeposit := method.Kind() == payment.Deposit
		switch {
		case method == payment.CreditCard:
			o.operation(o.payment(method, payment.Success, theSystem, payment.Succeed, payment.CreditOfOperation), 1, true)
			refunded := o.payment(method, payment.Refunded, theSystem, payment.Succeed, payment.CreditOfOperation)
			refunded.Gateway.Refunded = refunded.Amount
			o.operation(refunded, 1, true)
		case isDeposit && method != payment.EIBANDeposit && method != payment.ManualDeposit:
			twice := o.payment(method, payment.Completed, anOperator, payment.Accept, payment.CreditOfOperation)
			o.operation(twice, 1, false)
			o.operation(twice, 2, true)
			o.operation(o.payment(method, payment.Completed, anOperator, payment.Approve, payment.CreditOfStaff), 1, false)
			o.operation(o.payment(method, payment.Completed, theSystem, "", payment.CreditBefore), 1, false)
		}
		if method.Kind() == payment.Deposit || method.Kind() == payment.Card {
			o.payment(method, payment.Completed, anOperator, payment.Approve, payment.CreditOfStaff)
			o.payment(method, payment.Completed, theSystem, payment.Complete, payment.CreditBefore)
			o.payment(method, payment.Completed, theSystem, "", payment.CreditBefore)
		} else {
			o.payment(method, payment.Completed, anOperator, payment.Complete, "")
		}
		for _, status := range []payment.Status{payment.Showing, payment.Expired, payment.Rejected} {
			o.operation(o.payment(method, status, anOperator, "", ""), 1, false)
		}
	}
	return o
}

// TestEveryCreditIsGuarded: of payments of every method that ended in every way.
func TestEveryCreditIsGuarded(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s, o := openStore(t, cfg), everyWay(t)
		for i := range o.operations {
			op := &o.operations[i]
			if k := o.want[op.PaymentID]; k.OperationID == op.ID {
				op.Brought = k.Brought
			}
		}
		money := slices.Concat(core.Rows(o.lines), core.Rows(o.operations))
		credits := slices.Concat(core.Rows(o.payments), core.Rows(o.moves), core.Rows(slices.Collect(maps.Values(o.want))))
		for _, change := range []core.Changeset{money, credits} {
			if err := s.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		if check, err := s.CheckCredits(t.Context(), 10); err != nil || len(check.Breaches) > 0 || check.Awaiting > 0 {
			t.Errorf("the check finds %+v (%v)", check, err)
		}
		o.goesOn(s)
	})
}

// goesOn corrects every credit, and tries what would make it wrong.
func (o *credited) goesOn(s *bunstore.Store) {
	o.Helper()
	refused := func(want fault.Code, change core.Changeset) {
		o.Helper()
		if err := s.Commit(o.Context(), change); !fault.Is(err, want) {
			o.Errorf("%v, want %s", err, want)
		}
	}
	accepted := func(p payment.Payment, credits ...payment.Credit) {
		o.Helper()
		if err := s.Commit(o.Context(), append(core.Rows(credits), p)); err != nil {
			o.Fatalf("%s %s: %v", p.Method, p.Status, err)
		}
	}
	for _, p := range o.payments {
		p.Version, p.Reason = 2, "anything else may change"
		accepted(p)
		k, isCredited := o.want[p.ID]
		if !isCredited || p.Status == payment.Refunded {
			continue
		}
		p.Version, p.Amount = 3, money.New(p.Amount.Minor()-1, money.TRY)
		refused(fault.Uncredited, core.Changeset{p})
		less := k
		less.Number, less.Source, less.WalletID, less.LineID, less.OperationID = 2, payment.CreditOfStaff, 0, "", ""
		less.Brought, less.Amount = money.New(0, money.TRY), money.New(-1, money.TRY)
		accepted(p, less)
		k.Version = 2
		refused(fault.Uncredited, core.Changeset{k})
	}
	for _, k := range o.want {
		if k.LineID != "" { // what brought money then brings nobody else any
			other := k
			other.PaymentID, other.ID = "another", "another"
			refused(fault.Conflict, core.Changeset{other})
		}
	}
}

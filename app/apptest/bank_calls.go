package apptest

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// statementSpan is the longest window of one question to a Bank.
const statementSpan = 3 * 24 * time.Hour

// Describe implements ports.Plugin.
func (w *Bank) Describe() gateway.Descriptor {
	return w.described(gateway.Descriptor{
		Code: w.Code, Title: "Bank " + w.Code, Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Stable,
		Kinds:        []gateway.Kind{gateway.Account},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"bank.test"}}},
		Config:       []gateway.ConfigField{{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true}},
		Account: &gateway.AccountTraits{
			StatementSpan: statementSpan, PageSize: w.PageSize, TransferMin: money.MustDecimal("1"),
			Keys: gateway.KeyTraits{Mode: gateway.RefKey, Find: true, Settle: 30 * time.Second},
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed},
	})
}

// ListAccounts implements ports.AccountReader.
func (w *Bank) ListAccounts(context.Context) ([]gateway.BankAccount, error) {
	if err := w.asked(gateway.CanReadAccounts, ""); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []gateway.BankAccount
	for _, a := range w.accounts {
		list = append(list, a.BankAccount)
	}
	return list, nil
}

// ReadBalance implements ports.AccountReader. What is on its way is not available.
func (w *Bank) ReadBalance(_ context.Context, accountID string) (gateway.Balance, error) {
	if err := w.asked(gateway.CanReadAccounts, ""); err != nil {
		return gateway.Balance{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.account(accountID)
	if a == nil {
		return gateway.Balance{}, errNotFound
	}
	at := w.clock.Now().Add(-w.Lag)
	total := a.total(at)
	return gateway.Balance{Total: total, Available: total.Sub(w.onItsWay(accountID, at)), Asset: gateway.TRY, At: at}, nil
}

// onItsWay is what transfers under way have taken by a moment. The caller holds b.mu.
func (w *Bank) onItsWay(accountID string, at time.Time) money.Decimal {
	var sum money.Decimal
	for _, t := range w.transfers {
		isOpen := t.State == gateway.PayoutSent || t.State == gateway.PayoutQueued || t.State == gateway.PayoutNeedsApproval
		if t.AccountID == accountID && isOpen && !t.at.After(at) {
			sum = sum.Add(t.Amount.Amount)
		}
	}
	return sum
}

// ReadStatement implements ports.StatementReader. Lines come in the order in which the bank wrote them, so that one
// booked late comes after what was there: the cursor is the number of the last line that was looked at.
func (w *Bank) ReadStatement(_ context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	if err := w.asked(gateway.CanReadStatement, ""); err != nil {
		return gateway.StatementPage{}, err
	}
	from, err := strconv.Atoi("0" + string(q.Cursor))
	if err != nil || q.To.Sub(q.From) > statementSpan {
		return gateway.StatementPage{}, &gateway.Error{
			Class: gateway.Invalid, Effect: gateway.EffectNone, Err: errors.New("no such cursor, or more than three days"),
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.account(q.AccountID)
	if a == nil {
		return gateway.StatementPage{}, errNotFound
	}
	limit := w.PageSize
	if q.Limit > 0 {
		limit = min(limit, q.Limit)
	}
	var page gateway.StatementPage
	for i, l := range a.lines {
		isAsked := i >= from && !l.BookedAt.Before(q.From) && l.BookedAt.Before(q.To) && !w.hidden[l.ID]
		switch {
		case !isAsked:
		case len(page.Lines) == limit:
			page.Next = gateway.Cursor(strconv.Itoa(i))
			return page, nil
		default:
			page.Lines = append(page.Lines, l.StatementLine)
		}
	}
	return page, nil
}

// SendTransfer implements ports.TransferSender. What the account does not hold is refused, and without an effect.
func (w *Bank) SendTransfer(_ context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	after, err := w.enter(gateway.CanTransfer, o.Ref)
	if err == nil {
		err = w.order(o)
	}
	if err == nil {
		err = after()
	}
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	return w.report(o.Ref)
}

func (w *Bank) order(o gateway.TransferOrder) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t, ok := w.transfers[o.Ref]; ok {
		t.Orders++ // a test sees that it was sent twice
		return nil
	}
	a, now := w.account(o.AccountID), w.clock.Now()
	if a == nil {
		return &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, RawText: "no such account"}
	}
	if a.total(now).Sub(w.onItsWay(o.AccountID, now)).Cmp(o.Amount.Amount) < 0 {
		return &gateway.Error{
			Class: gateway.OutOfFunds, Effect: gateway.EffectNone, RawCode: "AM04", Reason: &gateway.Reason{Code: gateway.NoFunds},
		}
	}
	t := &BankTransfer{TransferOrder: o, State: gateway.PayoutSent, Orders: 1, at: now}
	w.transfers[o.Ref] = t
	if w.AtOnce {
		w.settle(t)
	}
	return nil
}

// ReadTransfer implements ports.TransferSender.
func (w *Bank) ReadTransfer(_ context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	if err := w.asked(ReadingTransfer, k.Ref); err != nil {
		return gateway.PayoutReport{}, err
	}
	return w.report(k.Ref)
}

func (w *Bank) report(ref gateway.Ref) (gateway.PayoutReport, error) {
	t, ok := w.Transfer(ref)
	if !ok {
		return gateway.PayoutReport{}, errNotFound
	}
	return gateway.PayoutReport{
		Ref: ref, External: gateway.ExternalRef{ID: "bank-" + string(ref)}, State: t.State, Trust: gateway.Answered,
		Reason: t.Reason, Raw: string(t.State), Proof: t.LineID,
	}, nil
}

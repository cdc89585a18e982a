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
func (b *Bank) Describe() gateway.Descriptor {
	return b.described(gateway.Descriptor{
		Code: b.Code, Title: "Bank " + b.Code, Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Stable,
		Kinds:        []gateway.Kind{gateway.Account},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"bank.test"}}},
		Config:       []gateway.ConfigField{{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true}},
		Account: &gateway.AccountTraits{
			StatementSpan: statementSpan, PageSize: b.PageSize, TransferMin: money.MustDecimal("1"),
			Keys: gateway.KeyTraits{Mode: gateway.RefKey, Find: true, Settle: 30 * time.Second},
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed},
	})
}

// ListAccounts implements ports.AccountReader.
func (b *Bank) ListAccounts(context.Context) ([]gateway.BankAccount, error) {
	if err := b.asked(gateway.CanReadAccounts, ""); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []gateway.BankAccount
	for _, a := range b.accounts {
		list = append(list, a.BankAccount)
	}
	return list, nil
}

// ReadBalance implements ports.AccountReader. What is on its way is not available.
func (b *Bank) ReadBalance(_ context.Context, accountID string) (gateway.Balance, error) {
	if err := b.asked(gateway.CanReadAccounts, ""); err != nil {
		return gateway.Balance{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.account(accountID)
	if a == nil {
		return gateway.Balance{}, errNotFound
	}
	at := b.clock.Now().Add(-b.Lag)
	total := a.total(at)
	return gateway.Balance{Total: total, Available: total.Sub(b.onItsWay(accountID, at)), Asset: gateway.TRY, At: at}, nil
}

// onItsWay is what transfers under way have taken by a moment. The caller holds b.mu.
func (b *Bank) onItsWay(accountID string, at time.Time) money.Decimal {
	var sum money.Decimal
	for _, t := range b.transfers {
		isOpen := t.State == gateway.PayoutSent || t.State == gateway.PayoutQueued || t.State == gateway.PayoutNeedsApproval
		if t.AccountID == accountID && isOpen && !t.at.After(at) {
			sum = sum.Add(t.Amount.Amount)
		}
	}
	return sum
}

// ReadStatement implements ports.StatementReader. Lines come in the order in which the bank wrote them, so that one
// booked late comes after what was there: the cursor is the number of the last line that was looked at.
func (b *Bank) ReadStatement(_ context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	if err := b.asked(gateway.CanReadStatement, ""); err != nil {
		return gateway.StatementPage{}, err
	}
	from, err := strconv.Atoi("0" + string(q.Cursor))
	if err != nil || q.To.Sub(q.From) > statementSpan {
		return gateway.StatementPage{}, &gateway.Error{
			Class: gateway.Invalid, Effect: gateway.EffectNone, Err: errors.New("no such cursor, or more than three days"),
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.account(q.AccountID)
	if a == nil {
		return gateway.StatementPage{}, errNotFound
	}
	limit := b.PageSize
	if q.Limit > 0 {
		limit = min(limit, q.Limit)
	}
	var page gateway.StatementPage
	for i, l := range a.lines {
		isAsked := i >= from && !l.BookedAt.Before(q.From) && l.BookedAt.Before(q.To) && !b.hidden[l.ID]
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
func (b *Bank) SendTransfer(_ context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	after, err := b.enter(gateway.CanTransfer, o.Ref)
	if err == nil {
		err = b.order(o)
	}
	if err == nil {
		err = after()
	}
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	return b.report(o.Ref)
}

func (b *Bank) order(o gateway.TransferOrder) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.transfers[o.Ref]; ok {
		t.Orders++ // a test sees that it was sent twice
		return nil
	}
	a, now := b.account(o.AccountID), b.clock.Now()
	if a == nil {
		return &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, RawText: "no such account"}
	}
	if a.total(now).Sub(b.onItsWay(o.AccountID, now)).Cmp(o.Amount.Amount) < 0 {
		return &gateway.Error{
			Class: gateway.OutOfFunds, Effect: gateway.EffectNone, RawCode: "AM04", Reason: &gateway.Reason{Code: gateway.NoFunds},
		}
	}
	t := &BankTransfer{TransferOrder: o, State: gateway.PayoutSent, Orders: 1, at: now}
	b.transfers[o.Ref] = t
	if b.AtOnce {
		b.settle(t)
	}
	return nil
}

// ReadTransfer implements ports.TransferSender.
func (b *Bank) ReadTransfer(_ context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	if err := b.asked(ReadingTransfer, k.Ref); err != nil {
		return gateway.PayoutReport{}, err
	}
	return b.report(k.Ref)
}

func (b *Bank) report(ref gateway.Ref) (gateway.PayoutReport, error) {
	t, ok := b.Transfer(ref)
	if !ok {
		return gateway.PayoutReport{}, errNotFound
	}
	return gateway.PayoutReport{
		Ref: ref, External: gateway.ExternalRef{ID: "bank-" + string(ref)}, State: t.State, Trust: gateway.Answered,
		Reason: t.Reason, Raw: string(t.State), Proof: t.LineID,
	}, nil
}

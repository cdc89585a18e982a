// Package backoffice answers what staff ask: payments within their scope, with history and callbacks.
package backoffice

import (
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// DefaultPage is how many rows a page has when the question does not say.
const DefaultPage = 50

// Service answers staff.
type Service struct {
	Payments  ports.Payments
	Callbacks ports.Callbacks
	Directory ports.Directory // cached: it is asked once per row of a page
}

// Transaction finds a payment by its tracking code; outside the staff member's scope it is not found.
func (s *Service) Transaction(ctx context.Context, staff core.Staff, code string) (core.Payment, error) {
	const op = "backoffice.Transaction"
	if err := staff.Require(core.ReadTransactions); err != nil {
		return core.Payment{}, err
	}
	p, err := s.Payments.PaymentByTrackingCode(ctx, code)
	if err == nil && !staff.Scope().Includes(p) {
		return core.Payment{}, fault.New(op, fault.NotFound)
	}
	return p, err
}

// Page is one page of payments, newest first.
type Page struct {
	Payments []core.Payment
	HasNext  bool
}

// Transactions gives a page of payments. Fault Invalid: Limit is not 1 to core.MaxPage, a status or method is none, or
// MaxAmount is set to nothing.
func (s *Service) Transactions(ctx context.Context, staff core.Staff, q core.PaymentQuery) (Page, error) {
	const op = "backoffice.Transactions"
	if err := staff.Require(core.ReadTransactions); err != nil {
		return Page{}, err
	}
	if err := check(q); err != nil {
		return Page{}, fault.E(op, "", err)
	}
	if mine := staff.Scope(); mine != (core.Scope{}) {
		q.Scope = mine
	}
	limit := q.Limit
	q.Limit++ // one more tells whether there is a next page
	rows, err := s.Payments.ListPayments(ctx, q)
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	return Page{Payments: rows[:min(limit, len(rows))], HasNext: len(rows) > limit}, nil
}

func check(q core.PaymentQuery) error {
	var form core.Form
	if q.Limit < 1 || q.Limit > core.MaxPage {
		form.Fail("first", "field.between", 1, core.MaxPage)
	}
	if !areAmong(q.Statuses, core.Statuses()) {
		form.Fail("status", "field.choice", fmt.Sprint(core.Statuses()))
	}
	if !areAmong(q.Methods, core.Methods()) {
		form.Fail("method", "field.choice", fmt.Sprint(core.Methods()))
	}
	if zero := money.New(0, q.MaxAmount.Currency()); q.MaxAmount != (money.Amount{}) && !zero.Less(q.MaxAmount) {
		form.Fail("maxAmount", "field.min", core.MinAmount(q.MaxAmount.Currency()).String())
	}
	return form.Err("backoffice.check")
}

// areAmong tells whether all that is asked for exists; more than exists is asked for by nobody in good faith.
func areAmong[T comparable](asked, all []T) bool {
	return len(asked) <= len(all) && !slices.ContainsFunc(asked, func(v T) bool { return !slices.Contains(all, v) })
}

// Provider gives the provider of a payment that was found within the scope; a dealer's own has none, which is the zero one.
func (s *Service) Provider(ctx context.Context, p core.Payment) (core.Provider, error) {
	if p.IsDealers() {
		return core.Provider{}, nil
	}
	return s.Directory.Provider(ctx, p.ProviderID)
}

// RequestedBy is who asked for a payment that was found within the scope: its provider, or the dealer whose own it is.
func (s *Service) RequestedBy(ctx context.Context, p core.Payment) (core.Actor, error) {
	if p.IsDealers() {
		d, err := s.Directory.Dealer(ctx, p.DealerID)
		return d.Actor(""), err
	}
	provider, err := s.Provider(ctx, p)
	return provider.Actor(""), err
}

// History gives a payment's creation and moves, oldest first. The payment was found within the scope.
func (s *Service) History(ctx context.Context, p core.Payment) ([]core.Move, error) {
	by, err := s.RequestedBy(ctx, p)
	if err != nil {
		return nil, err
	}
	moves, err := s.Payments.Moves(ctx, p.ID)
	return append([]core.Move{p.Creation(by)}, moves...), err
}

// CallbackLog is a callback with its attempts.
type CallbackLog struct {
	core.Callback
	Tries []core.Attempt
}

// CallbackLog gives a callback with every attempt. Its payment was found within the scope.
func (s *Service) CallbackLog(ctx context.Context, c core.Callback) (*CallbackLog, error) {
	tries, err := s.Callbacks.Attempts(ctx, c.ID)
	return &CallbackLog{Callback: c, Tries: tries}, err
}

// CallbackLogs gives a payment's callbacks with every attempt, oldest first.
func (s *Service) CallbackLogs(ctx context.Context, p core.Payment) ([]CallbackLog, error) {
	callbacks, err := s.Callbacks.CallbacksOf(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	logs := make([]CallbackLog, 0, len(callbacks))
	for _, c := range callbacks {
		tries, err := s.Callbacks.Attempts(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		logs = append(logs, CallbackLog{Callback: c, Tries: tries})
	}
	return logs, nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/once"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// staffAction is something that a staff member does; ctx says that they do, and may carry a second person's approval.
type staffAction struct {
	permission staff.Permission
	do         func(w *World, ctx context.Context, who app.Request, s Step) (said string, err error)
}

// errNothing: what the step is about was not made.
var errNothing = errors.New(nothing)

// staffActions are all kinds of steps of staff.
func staffActions() map[string]staffAction {
	return map[string]staffAction{
		"look":           {staff.ReadTransactions, (*World).lookAt},
		"approve":        {staff.DecideDeposits, (*World).approve},
		"reject":         {staff.DecideDeposits, (*World).reject},
		"credit-line":    {staff.DecideDeposits, (*World).creditLine},
		"set-aside":      {staff.DecideDeposits, (*World).setAside},
		"bring-back":     {staff.DecideDeposits, (*World).bringBack},
		"claim":          {staff.DecideWithdrawal, (*World).claim},
		"release":        {staff.DecideWithdrawal, (*World).release},
		"pay-out":        {staff.DecideWithdrawal, (*World).payOut},
		"complete":       {staff.DecideWithdrawal, (*World).complete},
		"fail":           {staff.DecideWithdrawal, (*World).failWithdrawal},
		"reject-paying":  {staff.DecideWithdrawal, (*World).rejectWithdrawal},
		"approve-payout": {staff.DecideWithdrawal, (*World).approvePayout},
		"reject-payout":  {staff.DecideWithdrawal, (*World).rejectPayout},
		"refund":         {staff.RefundPayments, (*World).refund},
		"refund-twice":   {staff.RefundPayments, (*World).refund},
		"resolve":        {staff.ResolveDiscrepancies, (*World).resolve},
		"refund-dispute": {staff.ResolveDiscrepancies, (*World).refundDispute},
		"wallet":         {staff.EditWallets, (*World).wallet},
		"redirect":       {staff.EditProviders, (*World).redirect},
		"second":         {staff.DecideApprovals, (*World).second},
		"refuse":         {staff.DecideApprovals, (*World).refuse},
	}
}

// byStaff does a step of staff. What needs a second person becomes a request, as the back office does it.
func (w *World) byStaff(s Step) string {
	who, ok := w.cast.staff[s.Who]
	if !ok {
		return "nobody of that name"
	}
	if p, isThere := w.payment(s.Of); isThere && (s.Kind == "refund" || s.Kind == "refund-twice" || s.Kind == "refund-dispute") {
		w.truth.clicks[p.ID]++
	}
	said := w.ask1(by(who), s)
	if s.Kind == "refund-twice" { // an impatient finger: the same wish reaches the service twice
		said += "; again: " + w.ask1(by(who), s)
	}
	return said
}

// ask1 asks for a step once: with the step's own key, so that the same wish is done once.
func (w *World) ask1(who app.Request, s Step) string {
	input, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	key := fmt.Sprint(s.ID)
	if w.mutant.isKeyless {
		w.clicks++
		key = fmt.Sprint(s.ID, "/", w.clicks)
	}
	var said string
	first, err := w.process.once.Do(w.ctx, once.Request{
		Request: who, Action: s.Kind, Key: key, Arguments: input,
	}, func(keyed app.Request) (err error) {
		if said, err = w.perform(w.ctx, keyed, s); approval.Needs(err) == nil {
			return err
		}
		a, err := w.process.approvals.Ask(w.ctx, approval.Asked{
			Request: keyed, Action: s.Kind, Permission: staffActions()[s.Kind].permission, Input: string(input),
		}, approval.Needs(err))
		said = "waits for a second person: " + string(a.ID)
		return err
	})
	switch {
	case errors.Is(err, errNothing):
		return nothing
	case first != nil:
		return "done before"
	default:
		return outcome(err, "%s", said)
	}
}

// perform does what a staff member asks for.
func (w *World) perform(ctx context.Context, who app.Request, s Step) (string, error) {
	if w.mutant.perform != nil {
		if said, isDone, err := w.mutant.perform(w, ctx, who, s); isDone {
			return said, err
		}
	}
	return staffActions()[s.Kind].do(w, ctx, who, s)
}

// move is a staff member's decision about what a step has made.
func (w *World) move(who app.Request, s Step) (app.StaffMove, payment.Payment, error) {
	p, ok := w.payment(s.Of)
	if !ok {
		return app.StaffMove{}, p, errNothing
	}
	return app.StaffMove{Request: who.Because("simulated"), TrackingCode: p.TrackingCode}, p, nil
}

// stands is what a step says of a payment.
func stands(p payment.Payment, err error) (string, error) {
	return fmt.Sprintf("%s %s", p.Status, p.Amount), err
}

// lookAt is a staff member who opens a payment: what they decide on later is what they see now.
func (w *World) lookAt(_ context.Context, who app.Request, s Step) (string, error) {
	p, ok := w.payment(s.Of)
	if !ok {
		return "", errNothing
	}
	w.made[s.Of].seen[w.cast.byID[who.Staff.ID]] = p
	return stands(p, nil)
}

// approve credits a deposit with an amount, or with what it says.
func (w *World) approve(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	seen := payments.Seen{Expected: p.Amount}
	if looked, ok := w.made[s.Of].seen[w.cast.byID[who.Staff.ID]]; ok {
		seen.Expected = looked.Amount
	}
	if s.Minor > 0 {
		seen.Amount = money.New(s.Minor, money.TRY)
	}
	return stands(w.process.deposits.Approve(ctx, m, seen))
}

func (w *World) reject(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	return stands(w.process.deposits.Reject(ctx, m))
}

// walletOf is the wallet that has a line.
func (w *World) walletOf(line bank.Line) (string, bool) {
	for _, key := range w.mirror.lineOrder {
		if key.id != line.ID {
			continue
		}
		if held, err := w.db.Wallet(w.ctx, 0, key.wallet); err == nil {
			return held.WalletID, true
		}
	}
	return "", false
}

// creditLine credits a deposit (To) with a line that a step has made.
func (w *World) creditLine(ctx context.Context, who app.Request, s Step) (string, error) {
	p, ok := w.payment(s.To)
	return w.aboutLine(s, func(held, line string) (wallet.BankLine, error) {
		if !ok {
			return wallet.BankLine{}, errNothing
		}
		return w.process.statements.Credit(ctx, who.Because("simulated"), held, line, p.TrackingCode)
	})
}

func (w *World) setAside(ctx context.Context, who app.Request, s Step) (string, error) {
	return w.aboutLine(s, func(wallet, line string) (wallet.BankLine, error) {
		return w.process.statements.SetAside(ctx, who.Because("simulated"), wallet, line)
	})
}

func (w *World) bringBack(ctx context.Context, who app.Request, s Step) (string, error) {
	return w.aboutLine(s, func(wallet, line string) (wallet.BankLine, error) {
		return w.process.statements.BringBack(ctx, who.Because("simulated"), wallet, line)
	})
}

func (w *World) aboutLine(s Step, do func(wallet, line string) (wallet.BankLine, error)) (string, error) {
	one := w.made[s.Of]
	if one == nil {
		return "", errNothing
	}
	wallet, ok := w.walletOf(one.line)
	if !ok {
		return "", errNothing
	}
	l, err := do(wallet, one.line.ID)
	return string(l.Status), err
}

// claim takes a withdrawal, or, where its claim has lapsed, takes it over.
func (w *World) claim(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	isOthers := p.Claim.StaffID != 0 && p.Claim.StaffID != who.Staff.ID
	now, err := w.process.withdrawals.Claim(ctx, m, isOthers)
	return "claimed by " + now.Claim.Name, err
}

func (w *World) release(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil || w.truth.byHand[p.ID] > 0 {
		return "who has paid does not give it back", err
	}
	return stands(w.process.withdrawals.Release(ctx, m))
}

// payOut is a staff member who really sends the money of a withdrawal that is theirs, unless somebody has, or they see that
// it waits for a second person.
func (w *World) payOut(_ context.Context, who app.Request, s Step) (string, error) {
	p, ok := w.payment(s.Of)
	switch {
	case !ok:
		return "", errNothing
	case p.Claim.StaffID != who.Staff.ID || p.Claim.IsAwaiting() || p.Status.IsFinal() || w.truth.byHand[p.ID] > 0:
		return "nothing is to be paid", nil
	}
	w.truth.byHand[p.ID]++
	if ruleBounds()[core.GuardWithdrawal].Less(p.Amount) && !w.truth.together[p.ID] {
		w.fail(approvedFirst, "%s alone pays %s of %s", s.Who, p.Amount, p.TrackingCode)
	}
	return "the money is sent", nil
}

func (w *World) complete(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil || w.truth.byHand[p.ID] == 0 {
		return "it is not paid", err
	}
	return stands(w.process.withdrawals.Complete(ctx, m, ""))
}

func (w *World) failWithdrawal(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil || w.truth.byHand[p.ID] > 0 {
		return "it is paid", err
	}
	return stands(w.process.withdrawals.Fail(ctx, m))
}

func (w *World) rejectWithdrawal(ctx context.Context, who app.Request, s Step) (string, error) {
	m, p, err := w.move(who, s)
	if err != nil || w.truth.byHand[p.ID] > 0 {
		return "it is paid", err
	}
	return stands(w.process.withdrawals.Reject(ctx, m))
}

func (w *World) approvePayout(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	return stands(w.process.operations.ApprovePayout(ctx, m))
}

func (w *World) rejectPayout(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	return stands(w.process.operations.RejectPayout(ctx, m))
}

// refund returns a payment back, or a part of it.
func (w *World) refund(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	if err != nil {
		return "", err
	}
	return stands(w.process.operations.Refund(ctx, m, money.New(s.Minor, money.TRY), nil))
}

// dispute is the first open discrepancy of what a step has made.
func (w *World) dispute(s Step) (discrepancy.Discrepancy, bool) {
	p, _ := w.payment(s.Of)
	for _, d := range w.mirror.disputes(p.ID) {
		if d.Status == discrepancy.Open {
			return d, true
		}
	}
	return discrepancy.Discrepancy{}, false
}

// resolve decides about a discrepancy: What is the resolution.
func (w *World) resolve(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	d, ok := w.dispute(s)
	if err != nil || !ok {
		return "", errNothing
	}
	after, err := w.process.operations.Resolve(ctx, m, d.ID, operation.Resolution(s.What), money.New(s.Minor, money.TRY))
	return fmt.Sprintf("%s is %s", after.Kind, after.Status), err
}

func (w *World) refundDispute(ctx context.Context, who app.Request, s Step) (string, error) {
	m, _, err := w.move(who, s)
	d, ok := w.dispute(s)
	if err != nil || !ok {
		return "", errNothing
	}
	after, err := w.process.operations.RefundDiscrepancy(ctx, m, d.ID, nil)
	return fmt.Sprintf("%s is %s", after.Kind, after.Status), err
}

// request is the oldest that waits for a second person.
func (w *World) waitingRequest() (coreapproval.Approval, bool) {
	for _, id := range w.mirror.waiting {
		if a := w.mirror.approvals[id]; a.StatusAt(w.clock.Now()) == coreapproval.Waiting {
			return a, true
		}
	}
	return coreapproval.Approval{}, false
}

// second approves what another has asked for, which is then done.
func (w *World) second(ctx context.Context, who app.Request, _ Step) (string, error) {
	waiting, ok := w.waitingRequest()
	if !ok {
		return "", errNothing
	}
	a, err := w.process.approvals.Approve(ctx, who, waiting.ID, "simulated",
		func(ctx context.Context, requester app.Request, a coreapproval.Approval) (string, error) {
			var s Step
			if err := json.Unmarshal([]byte(a.Input.Reveal()), &s); err != nil {
				return "", err
			}
			_, err := w.perform(ctx, requester, s)
			return "", err
		})
	return fmt.Sprintf("%s of %s is %s", a.Action, a.RequesterName, a.Status), err
}

func (w *World) refuse(ctx context.Context, who app.Request, _ Step) (string, error) {
	waiting, ok := w.waitingRequest()
	if !ok {
		return "", errNothing
	}
	a, err := w.process.approvals.Refuse(ctx, who, waiting.ID, "simulated")
	return fmt.Sprintf("%s of %s is %s", a.Action, a.RequesterName, a.Status), err
}

// inbound is a browser's request, which says nothing.
func inbound() gateway.Inbound { return gateway.Inbound{Method: "GET", Path: "/"} }

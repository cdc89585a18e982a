package main

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// mutant is a defect that is put back from outside: a port answers otherwise, a commit is rewritten, or staff go round a
// use case. What is nil is as it is.
type mutant struct {
	name  string
	what  string
	finds []string // the invariants of which it breaks one

	isUnswept bool     // nobody sweeps
	isKeyless bool     // nobody says that a wish is the one before
	isShared  bool     // nobody remembers which bank accounts are whose
	schema    []string // what the database does not hold to any more
	wire      func(*process)
	commit    func(*World, core.Changeset) core.Changeset
	claim     func(*World) claimer
	disputes  func([]discrepancy.Discrepancy) []discrepancy.Discrepancy
	answer    func(gateway.Request, gateway.Response) gateway.Response
	lost      func(error) error // what a plugin says of a call without an answer
	perform   func(w *World, ctx context.Context, who app.Request, s Step) (said string, isDone bool, err error)
}

type claimer func(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error)

// mutants are all defects that the simulator has to find.
func mutants() []mutant {
	return []mutant{
		{
			name: "credit-before-line", what: "C1: a deposit that was credited by hand is forgotten when its line comes",
			finds: []string{firstInLine}, perform: (*World).approveAsBefore,
		},
		{
			name: "credit-of-doubtful-line", what: "C1: of two deposits that a line may belong to, crediting one by hand leaves the other to the line",
			finds: []string{noDoubt}, perform: (*World).approveAsBefore, commit: forgetDoubt,
		},
		{
			name: "shared-account", what: "C2: a wallet is made of the account on which a gateway collects, whose lines do not name orders",
			finds: []string{oneInflow}, isShared: true, schema: []string{"DELETE FROM bank_accounts"}, commit: withoutClaims, answer: withoutTexts,
		},
		{
			name: "without-credit", what: "a deposit is completed, and no credit names its money",
			finds: []string{oneCredit}, schema: []string{"DROP TRIGGER payments_credited"}, commit: withoutCredits,
		},
		{
			name: "redirect-alone", what: "H4: where money goes is changed by one person", finds: []string{ownersKept}, wire: guardNothing,
		},
		{
			name: "accept-unseen", what: "H1: accepting a discrepancy credits more than was seen",
			finds: []string{lessThanSeen}, disputes: seenEverything, perform: (*World).acceptUnseen,
		},
		{
			name: "unbounded-word", what: "H2: what staff credit by hand has no bound",
			finds: []string{byWord}, perform: (*World).approveAsBefore,
		},
		{
			name: "unseen-amount", what: "H2: an approval credits an amount that its approver has not seen",
			finds: []string{asSeen}, perform: (*World).approveAsBefore,
		},
		{
			name: "split-refunds", what: "H3: refunds are judged one by one", finds: []string{refundsBound}, wire: judgeAlone, commit: withoutTotals,
		},
		{
			name: "refund-twice", what: "H3: a click that comes twice is done twice", finds: []string{refundOnce}, isKeyless: true,
		},
		{
			name: "paid-first", what: "four eyes on a withdrawal come after its money has left", finds: []string{approvedFirst},
			wire: guardNothing,
		},
		{
			name: "lost-wake-up", what: "what a lost wake-up was for is found by nobody", finds: []string{atRest}, isUnswept: true,
		},
		{
			name: "two-statuses", what: "a callback that is sent again says something else", finds: []string{callbackSays}, claim: sayOtherwise,
		},
		{
			name: "pay-again", what: "a payout whose outcome is unknown is sent again", finds: []string{paidOnce}, lost: withoutEffect,
		},
		{
			name: "reversed-line", what: "correctness 1: a line that was taken back is a line as any other",
			finds: []string{noReversed}, answer: withoutReversals,
		},
		{
			name: "callbacks-overtake", what: "correctness 2: callbacks of a payment are delivered in any order",
			finds: []string{callbackLast, lastWord}, claim: claimNewestFirst, commit: supersedeNone,
		},
		{
			name: "news-lost", what: "correctness 3: news of what has ended are worth one question", finds: []string{newsKept}, commit: askOnce,
		},
		{
			name: "tried-for-ever", what: "correctness 4: what never leaves is tried for ever, and nobody is told", finds: []string{atRest},
			commit: tellNobody,
		},
	}
}

func mutantNames() []string {
	var names []string
	for _, m := range mutants() {
		names = append(names, m.name)
	}
	return names
}

func mutantNamed(name string) (mutant, bool) {
	at := slices.IndexFunc(mutants(), func(m mutant) bool { return m.name == name })
	if at < 0 {
		return mutant{}, false
	}
	return mutants()[at], true
}

// approveAsBefore completes a deposit with whatever amount its approver gives, by the status table alone.
func (w *World) approveAsBefore(ctx context.Context, who app.Request, s Step) (string, bool, error) {
	if s.Kind != "approve" {
		return "", false, nil
	}
	p, ok := w.payment(s.Of)
	if !ok {
		return "", true, errNothing
	}
	load := func(ctx context.Context) (payment.Payment, error) { return w.db.PaymentByID(ctx, p.ID) }
	now, err := w.unguarded().Move(ctx, load, who.Because("simulated"), func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		h := payment.HandCredit{Expected: p.Amount, AccountMax: lira(9_999_999), MostTimes: 1_000_000}
		if s.Minor > 0 {
			h.Amount = money.New(s.Minor, money.TRY)
		}
		change, err := payment.DecideHandCredit(p, h, d)
		return core.Edit(change, func(k *payment.Credit) { k.AwaitsMoney, k.NeedsSecond = false, "" }), err // forgotten from then on
	})
	said, err := stands(now, err)
	return said, true, err
}

// unguarded is the unit of work of a process without a gate before its commits.
func (w *World) unguarded() *app.UnitOfWork {
	unit := *w.process.unit
	unit.Staff = apptest.Ungated{Committer: store{Store: w.db, p: w.process}}
	return &unit
}

// forgetDoubt forgets of lines that nobody could tell once whose they are.
func forgetDoubt(_ *World, c core.Changeset) core.Changeset {
	return core.Edit(c, func(l *wallet.BankLine) { l.WasDoubtful = false })
}

var lineText = regexp.MustCompile(`"text":"[^"]*"`)

// withoutTexts is a bank whose statements do not say what a payment is for.
func withoutTexts(r gateway.Request, a gateway.Response) gateway.Response {
	if strings.Contains(r.URL, "/statement") {
		a.Body = lineText.ReplaceAll(a.Body, []byte(`"text":""`))
	}
	return a
}

var lineReverses = regexp.MustCompile(`,"reverses":"[^"]*"`)

// withoutReversals is a bank whose statements do not say which line another takes back.
func withoutReversals(r gateway.Request, a gateway.Response) gateway.Response {
	if strings.Contains(r.URL, "/statement") {
		a.Body = lineReverses.ReplaceAll(bytes.Clone(a.Body), nil)
	}
	return a
}

// seenEverything has each discrepancy seen a fortune.
func seenEverything(list []discrepancy.Discrepancy) []discrepancy.Discrepancy {
	list = slices.Clone(list)
	for i := range list {
		if list[i].Seen.Amount.Sign() > 0 && isLira(list[i].Seen) {
			list[i].Seen.Amount = lira(9_999_999).Decimal()
		}
	}
	return list
}

// acceptUnseen accepts a discrepancy with all that was asked for, however little came.
func (w *World) acceptUnseen(ctx context.Context, who app.Request, s Step) (string, bool, error) {
	p, ok := w.payment(s.Of)
	if s.Kind != "resolve" || s.What != string(operation.AcceptMoney) || !ok || s.Minor != 0 {
		return "", false, nil
	}
	s.Minor = p.Amount.Minor()
	said, err := staffActions()[s.Kind].do(w, ctx, who, s)
	return said, true, err
}

// judgeAlone has the gate judge each refund as if there were no other.
func judgeAlone(p *process) {
	gate := p.unit.Staff.(*approval.Gate)
	gate.Operations, gate.Approvals = noOperations{gate.Operations}, noTotals{gate.Approvals}
}

type noOperations struct{ ports.Operations }

// OperationsOf implements ports.Operations.
func (noOperations) OperationsOf(context.Context, ...core.ID) ([]operation.Operation, error) {
	return nil, nil
}

type noTotals struct{ ports.Approvals }

// RunningTotals implements ports.Approvals.
func (noTotals) RunningTotals(context.Context, []string) ([]coreapproval.RunningTotal, error) {
	return nil, nil
}

// withoutTotals keeps nothing of what a person did in a day.
func withoutTotals(_ *World, c core.Changeset) core.Changeset {
	return core.Without[coreapproval.RunningTotal](c)
}

// guardNothing has no gate before the commits of staff.
func guardNothing(p *process) { p.once.UnitOfWork = p.w.unguarded() }

// withoutCredits keeps no credit of what is completed.
func withoutCredits(_ *World, c core.Changeset) core.Changeset {
	return core.Without[payment.Credit](c)
}

// withoutClaims takes no bank account for anybody.
func withoutClaims(_ *World, c core.Changeset) core.Changeset {
	return core.Without[owner.IBANClaim](c)
}

// sayOtherwise has what is sent again say that it was called off.
func sayOtherwise(w *World) claimer {
	return func(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
		rows, err := w.db.ClaimCallbacks(ctx, receiver, now, until, limit)
		for i := range rows {
			if rows[i].AttemptCount > 0 {
				rows[i].Payload.Status = payment.Canceled
			}
		}
		return rows, err
	}
}

// claimNewestFirst claims whatever is due, by what was committed, and the newest first.
func claimNewestFirst(w *World) claimer {
	return func(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
		var due []payment.Callback
		for _, id := range w.mirror.order {
			rows, err := w.db.CallbacksOf(ctx, w.mirror.payments[id].ID)
			if err != nil {
				return nil, err
			}
			for _, cb := range rows {
				isDue := cb.Status == payment.Waiting && !cb.NextAttemptAt.After(now) && cb.LeaseUntil.Before(now)
				if cb.Receiver == receiver && isDue {
					due = append(due, cb)
				}
			}
		}
		slices.SortFunc(due, func(a, b payment.Callback) int { return cmp.Compare(b.ID, a.ID) })
		due = due[:min(len(due), limit)]
		for i := range due {
			due[i].Version++
			due[i].LeaseUntil = until
		}
		return due, w.db.Commit(ctx, core.Rows(due))
	}
}

// supersedeNone leaves a callback waiting whose news are not true any more.
func supersedeNone(w *World, c core.Changeset) core.Changeset {
	return slices.DeleteFunc(slices.Clone(c), func(row core.Row) bool {
		cb, ok := row.(payment.Callback)
		before := w.mirror.callbacks[cb.ID]
		return ok && before.Status == payment.Waiting && before.SupersededAt.IsZero() && !cb.SupersededAt.IsZero()
	})
}

// withoutEffect is a plugin that takes a call without an answer for one that was never sent.
func withoutEffect(error) error {
	return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawText: "not sent, it says"}
}

// askOnce asks no more about what has ended.
func askOnce(_ *World, c core.Changeset) core.Changeset {
	return core.Edit(c, func(o *operation.Operation) {
		isAnswered := slices.ContainsFunc(core.RowsOf[operation.GatewayCall](c), func(call operation.GatewayCall) bool { return call.OperationID == o.ID })
		if o.Phase == operation.Closed && isAnswered {
			o.NextAt = time.Time{}
		}
	})
}

// tellNobody opens no discrepancy about a payout that has not left.
func tellNobody(w *World, c core.Changeset) core.Changeset {
	return slices.DeleteFunc(slices.Clone(c), func(row core.Row) bool {
		d, ok := row.(discrepancy.Discrepancy)
		o := w.mirror.operations[d.OperationID]
		return ok && d.Version == 1 && o.Kind == operation.PayoutOperation && (o.Phase == operation.Planned || o.Phase == operation.Calling)
	})
}

package restore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/command"
	begun "github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	requests "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// disputed is a world whose gateway tells disputes, and a card payment of 250.00 that was paid there before the backup.
type disputed struct {
	*world
	paid payment.Payment
	ref  gateway.Ref
}

func newDisputed(t *testing.T) *disputed {
	t.Helper()
	w := &disputed{world: newWorld(t)}
	w.Sandbox.As = w.Sandbox.Disputing()
	w.later(time.Second) // its disputes are listed from now on
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	_, o, err := w.Operations.Begin(t.Context(), begun.Begin{Token: p.Token})
	if err != nil {
		t.Fatal(err)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.later(10 * time.Second)
	w.paid, w.ref = p, o.Reference
	w.credited(25_000)
	return w
}

// later lets time pass, with the sweeper coming by at its end.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.Clock.Advance(d)
	if err := w.Sweep.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.waits()
}

// credited checks what the payment is credited with.
func (w *disputed) credited(minor int64) {
	w.t.Helper()
	if p := w.Reload(w.t, w.paid); p.Amount.Minor() != minor || p.Status != payment.Success {
		w.t.Fatalf("the payment is %s and credited with %s, want %d", p.Status, p.Amount, minor)
	}
	check, err := w.Store.CheckCredits(w.t.Context(), 10)
	if err != nil || len(check.Breaches) != 0 {
		w.t.Fatalf("credits do not add up: %+v, %v", check.Breaches, err)
	}
}

// one is the payment's only dispute.
func (w *disputed) one() dispute.Dispute {
	w.t.Helper()
	all, err := w.Store.DisputesOf(w.t.Context(), w.paid.Key())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("disputes are %+v, %v", all, err)
	}
	return all[0]
}

// submits has finance submit evidence against the payment's dispute.
func (w *disputed) submits() dispute.Dispute {
	w.t.Helper()
	d, err := w.Disputes.Submit(w.t.Context(), by(w.Finance, ""), w.one().ID, dispute.NewEvidence{Statement: "delivered"})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// lostSubmits is what the database that was lost has done after the backup: it submitted evidence.
func (w *disputed) lostSubmits(d dispute.Dispute, key gateway.Key) {
	w.t.Helper()
	_, err := w.Sandbox.As.(ports.DisputeAnswerer).AnswerDispute(w.t.Context(), gateway.EvidenceOrder{
		ID: d.ExternalID, Key: key, Evidence: []gateway.Evidence{{Kind: gateway.EvidenceStatement, Text: "delivered"}},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestADisputeThatWasOpenedAfterTheBackup has taken its money when the installation thaws, and is told of after that.
func TestADisputeThatWasOpenedAfterTheBackup(t *testing.T) {
	t.Parallel()
	w := newDisputed(t)
	w.restored(func() { w.Sandbox.Dispute(w.ref, 10_000, bank.NeedsResponse) })
	sent := len(w.Sender.Sent())
	w.asks()
	w.credited(15_000)
	if d := w.one(); d.State != gateway.DisputeNeedsResponse || len(w.Sender.Sent()) != sent {
		t.Errorf("it is %s, and %d callbacks were sent while frozen", d.State, len(w.Sender.Sent())-sent)
	}
	w.acknowledge()
	w.thaw()
	w.later(time.Minute)
	w.credited(15_000)
	if len(w.Sender.Sent()) != sent+1 {
		t.Errorf("after the thaw %d callbacks were sent", len(w.Sender.Sent())-sent)
	}
}

// TestADisputeThatEndedAfterTheBackup is asked about, however long it would have rested.
func TestADisputeThatEndedAfterTheBackup(t *testing.T) {
	t.Parallel()
	w := newDisputed(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.later(time.Hour + time.Minute)
	w.credited(0)
	w.restored(func() { w.Sandbox.MoveTo(id, bank.Won) })
	w.asks()
	w.credited(25_000)
}

// TestAGatewayThatSaysNothingOfDisputes remains, and nobody waits for it for ever.
func TestAGatewayThatSaysNothingOfDisputes(t *testing.T) {
	t.Parallel()
	w := newDisputed(t)
	w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.later(time.Hour + time.Minute)
	w.restored()
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c == gateway.CanReadDispute {
			return apptest.Broken
		}
		return apptest.NoFault
	}
	w.asks()
	w.remainsOf(t, "not_answered", "gateway/1")
}

// TestEvidenceIsNotSubmittedTwiceAfterARestore: what was submitted after the backup is seen, what was not is submitted after the thaw, and
// while the installation is frozen nothing is.
func TestEvidenceIsNotSubmittedTwiceAfterARestore(t *testing.T) {
	t.Parallel()
	later := gateway.Key("evidence-" + string(core.FirstID(apptest.Start)))
	for name, c := range map[string]struct {
		lost     func(w *disputed, d dispute.Dispute)
		frozen   int // pieces of evidence that the gateway has before the thaw
		outcomes []dispute.SubmissionOutcome
	}{
		"nothing was submitted": {func(*disputed, dispute.Dispute) {}, 0, []dispute.SubmissionOutcome{dispute.Submitted}},
		"it was submitted": {func(w *disputed, d dispute.Dispute) {
			w.lostSubmits(d, d.Submissions[0].Key())
		}, 1, []dispute.SubmissionOutcome{dispute.Submitted}},
		"it was submitted, and the gateway asks for more": {func(w *disputed, d dispute.Dispute) {
			w.lostSubmits(d, d.Submissions[0].Key())
			w.Sandbox.MoveTo(d.ExternalID, bank.NeedsResponse)
		}, 1, []dispute.SubmissionOutcome{dispute.Submitted}},
		"later evidence was submitted, and the gateway asks for more": {func(w *disputed, d dispute.Dispute) {
			w.lostSubmits(d, later)
			w.Sandbox.MoveTo(d.ExternalID, bank.NeedsResponse)
		}, 1, []dispute.SubmissionOutcome{dispute.SubmissionMissed, dispute.Submitted}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newDisputed(t)
			w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
			w.later(time.Hour + time.Minute)
			away := true
			w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				if away && c == gateway.CanAnswerDispute {
					return apptest.NotSent
				}
				return apptest.NoFault
			}
			d := w.submits()
			w.waits()
			away = false
			w.restored(func() { c.lost(w, d) })
			w.asks()
			if got := len(w.Sandbox.Evidence(d.ExternalID)); got != c.frozen {
				t.Errorf("while frozen the gateway has %d pieces of evidence", got)
			}
			w.acknowledge()
			w.thaw()
			w.later(20 * time.Minute)
			if got := len(w.Sandbox.Evidence(d.ExternalID)); got != 1 {
				t.Errorf("after the thaw the gateway has %d pieces of evidence", got)
			}
			var outcomes []dispute.SubmissionOutcome
			for _, s := range w.one().Submissions {
				outcomes = append(outcomes, s.Outcome)
			}
			if len(outcomes) != len(c.outcomes) || outcomes[0] != c.outcomes[0] || outcomes[len(outcomes)-1] != c.outcomes[len(outcomes)-1] {
				t.Errorf("outcomes are %v, want %v", outcomes, c.outcomes)
			}
		})
	}
}

// TestADisputeIsNotConcededTwiceAfterARestore: that it is conceded was about to be sent at the backup, and its gateway says nothing while the
// installation is frozen. After the thaw it is asked first, and told only where the dispute goes on.
func TestADisputeIsNotConcededTwiceAfterARestore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lost func(w *disputed, d dispute.Dispute)
		told int
		want gateway.DisputeState
	}{
		"nothing was sent":               {func(*disputed, dispute.Dispute) {}, 1, gateway.DisputeLost},
		"it was conceded":                {func(w *disputed, d dispute.Dispute) { w.Sandbox.MoveTo(d.ExternalID, bank.Lost) }, 0, gateway.DisputeLost},
		"the payer's bank has given way": {func(w *disputed, d dispute.Dispute) { w.Sandbox.MoveTo(d.ExternalID, bank.Won) }, 0, gateway.DisputeWon},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newDisputed(t)
			w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
			w.later(time.Hour + time.Minute)
			var mu sync.Mutex
			isAway, told := true, 0
			w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				mu.Lock()
				defer mu.Unlock()
				switch {
				case isAway && (c == gateway.CanAcceptDispute || c == gateway.CanReadDispute):
					return apptest.NotSent
				case c == gateway.CanAcceptDispute:
					told++
				}
				return apptest.NoFault
			}
			d, err := w.Disputes.Accept(t.Context(), app.BySystem.Because("theirs"), w.one().ID)
			if err != nil {
				t.Fatal(err)
			}
			w.waits()
			w.restored(func() { c.lost(w, d) })
			w.asks()
			w.remainsOf(t, epoch.NotAnswered, "gateway/1")
			w.acknowledge()
			w.thaw()
			mu.Lock()
			isAway = false
			mu.Unlock()
			for range 3 {
				w.later(7 * time.Hour)
			}
			mu.Lock()
			defer mu.Unlock()
			if d := w.one(); d.State != c.want || told != c.told {
				t.Errorf("it is %s, and the gateway was told %d times that it is conceded; want %s and %d", d.State, told, c.want, c.told)
			}
		})
	}
}

// TestNobodySubmitsEvidenceWhileFrozen, nor concedes.
func TestNobodySubmitsEvidenceWhileFrozen(t *testing.T) {
	t.Parallel()
	w := newDisputed(t)
	w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.later(time.Hour + time.Minute)
	d := w.one()
	w.restored()
	_, err := w.Disputes.Submit(t.Context(), by(w.Finance, ""), d.ID, dispute.NewEvidence{Statement: "delivered"})
	w.wants(fault.Frozen, err)
}

// TestARequestFromBeforeTheBackupEnds: it may have been approved after the backup, and would be done again.
func TestARequestFromBeforeTheBackupEnds(t *testing.T) {
	t.Parallel()
	w := newDisputed(t)
	w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.later(time.Hour + time.Minute)
	commands := w.Commands()
	in := command.AcceptDisputeInput{ID: w.one().ID, Said: command.Said{Reason: "theirs"}}
	_, _, err := command.Run(t.Context(), commands, commands.AcceptDispute, by(w.Finance, ""), in)
	w.wants(fault.ApprovalNeeded, err)
	id := core.ID(fault.ArgsOf(err)[0].(string))
	w.restored()
	approve := func() {
		t.Helper()
		_, err := w.Approvals.Approve(t.Context(), by(w.Admin, ""), id, "", approval.Run(commands.Approved))
		w.wants(fault.ApprovalDecided, err)
	}
	approve() // before the sweeper has come by
	w.asks()
	kept, err := w.Store.Approval(t.Context(), id)
	if err != nil || kept.Status != requests.Lapsed {
		t.Errorf("the request is %s, %v", kept.Status, err)
	}
	w.acknowledge()
	w.thaw()
	approve()
	if d := w.one(); d.IsToAccept() {
		t.Errorf("the dispute is %+v", d)
	}
}

package dispute_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var pdf = []byte("%PDF-1.4 delivered")

// attached is a file of a payment's notes.
func (w *world) attached(p payment.Payment, content []byte) core.ID {
	w.t.Helper()
	_, made, err := w.Notes.Add(w.t.Context(), apptest.By(w.Admin, p, ""), note.New{FileName: "dekont.pdf", Content: content})
	w.no(err)
	return made.ID
}

// needed is a dispute of the world's payment that needs a response.
func (w *world) needed() dispute.Dispute {
	w.t.Helper()
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.tells(id, gateway.Signed)
	return w.is(0, gateway.DisputeNeedsResponse)
}

func (w *world) submits(d dispute.Dispute, files ...dispute.Piece) error {
	_, err := w.Disputes.Submit(w.t.Context(), apptest.By(w.Finance, w.paid, "").Request, d.ID, dispute.NewEvidence{Statement: "delivered", Files: files})
	return err
}

// outcome is what became of the last evidence.
func (w *world) outcome() dispute.SubmissionOutcome {
	w.t.Helper()
	all := w.kept()[0].Submissions
	return all[len(all)-1].Outcome
}

// TestEvidenceIsSubmittedOnce, with its files, although the answers are lost; and it is won then.
func TestEvidenceIsSubmittedOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]apptest.Fault{
		"answered": apptest.NoFault, "the answer is lost": apptest.Lost, "not sent": apptest.NotSent, "broken": apptest.Broken,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			d := w.needed()
			file := w.attached(w.paid, pdf)
			left := 2
			w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				if c == gateway.CanAnswerDispute && left > 0 {
					left--
					return fault
				}
				return apptest.NoFault
			}
			w.no(w.submits(d, dispute.Piece{Kind: gateway.EvidenceReceipt, NoteID: file}))
			w.Work(t)
			for range 3 {
				w.later(20 * time.Minute)
			}
			sum := sha256.Sum256(pdf)
			got := w.Sandbox.Evidence(d.ExternalID)
			if len(got) != 1 || got[0]["statement"] != "delivered" || got[0]["receipt"] != hex.EncodeToString(sum[:]) {
				t.Errorf("the gateway has %v", got)
			}
			if d = w.is(0, gateway.DisputeUnderReview); w.outcome() != dispute.Submitted {
				t.Errorf("evidence is %+v, %s", d.Submissions, d.Trouble)
			}
			w.Sandbox.MoveTo(d.ExternalID, bank.Won)
			w.tells(d.ExternalID, gateway.Signed)
			w.is(25_000, gateway.DisputeWon)
		})
	}
}

// TestEvidenceThatIsNotTaken: what a dishonest colleague, or a late one, tries.
func TestEvidenceThatIsNotTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.needed()
	own := w.attached(w.paid, pdf)
	other, _ := w.pays(10_000)
	foreign := w.attached(other, pdf)
	large := w.attached(w.paid, append(pdf, bytes.Repeat([]byte("x"), note.MaxFileBytes-len(pdf))...))
	larger := w.attached(w.paid, append(pdf, bytes.Repeat([]byte("y"), note.MaxFileBytes-len(pdf))...))
	_, text, err := w.Notes.Add(t.Context(), apptest.By(w.Admin, w.paid, ""), note.New{Kind: note.Text, Text: "no file"})
	w.no(err)
	piece := func(kind gateway.EvidenceKind, id core.ID) dispute.Piece {
		return dispute.Piece{Kind: kind, NoteID: id}
	}
	for name, files := range map[string][]dispute.Piece{
		"a file of another payment": {piece(gateway.EvidenceReceipt, foreign)}, "a note without a file": {piece(gateway.EvidenceReceipt, text.ID)},
		"a kind twice":           {piece(gateway.EvidenceOther, own), piece(gateway.EvidenceOther, own)},
		"a file as the text":     {piece(gateway.EvidenceStatement, own)},
		"a kind that is none":    {piece("poem", own)},
		"more than 4 MiB in all": {piece(gateway.EvidenceOther, own), piece(gateway.EvidenceReceipt, large), piece(gateway.EvidenceService, larger)},
	} {
		if err := w.submits(d, files...); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	finance := apptest.By(w.Finance, w.paid, "").Request
	if _, err := w.Disputes.Submit(t.Context(), finance, d.ID, dispute.NewEvidence{Statement: " "}); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a statement: %v", err)
	}
	for _, who := range []app.Request{apptest.By(w.DealerStaff, w.paid, "").Request, apptest.By(w.Viewer, w.paid, "").Request} {
		if _, err := w.Disputes.Submit(t.Context(), who, d.ID, dispute.NewEvidence{Statement: "x"}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", who.Staff.Email, err)
		}
	}
	for _, html := range []string{"<html><script>alert(1)</script>", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`} {
		if _, _, err := w.Notes.Add(t.Context(), apptest.By(w.Admin, w.paid, ""), note.New{FileName: "x.pdf", Content: []byte(html)}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is a PDF: %v", html, err)
		}
	}
	w.no(w.submits(d))
	if err := w.submits(d); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("a second time while the first is on its way: %v", err)
	}
	w.Work(t)
	if err := w.submits(d); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("under review: %v", err)
	}
}

// TestEvidenceAndConcedingAtOnce: one of them happens.
func TestEvidenceAndConcedingAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.needed()
	agreed := app.BySystem.Because("theirs")
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c == gateway.CanAnswerDispute || c == gateway.CanAcceptDispute {
			return apptest.NotSent // so that neither ends meanwhile
		}
		return apptest.NoFault
	}
	var both sync.WaitGroup
	errs := make([]error, 2)
	both.Go(func() { errs[0] = w.submits(d) })
	both.Go(func() { _, errs[1] = w.Disputes.Accept(context.Background(), agreed, d.ID) })
	both.Wait()
	if (errs[0] == nil) == (errs[1] == nil) || !fault.Is(errors.Join(errs...), fault.NotAllowed) {
		t.Errorf("submitted: %v; conceded: %v", errs[0], errs[1])
	}
}

// TestEvidenceThatCannotArrive is missed after the deadline, and refused where the gateway says so or the customer was forgotten.
func TestEvidenceThatCannotArrive(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault apptest.Fault
		does  func(w *world, d dispute.Dispute)
		want  dispute.SubmissionOutcome
	}{
		"the gateway is away until the deadline": {apptest.NotSent, func(w *world, d dispute.Dispute) { w.later(8 * 24 * time.Hour) }, dispute.SubmissionMissed},
		"the payer's bank has decided": {apptest.NotSent, func(w *world, d dispute.Dispute) {
			w.Sandbox.MoveTo(d.ExternalID, bank.Lost)
			w.tells(d.ExternalID, gateway.Signed)
		}, dispute.SubmissionMissed},
		"it is refused": {apptest.Refusing, func(*world, dispute.Dispute) {}, dispute.SubmissionRefused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			d := w.needed()
			w.Sandbox.Fault = func(done gateway.Capability, _ gateway.Ref) apptest.Fault {
				if done == gateway.CanAnswerDispute {
					return c.fault
				}
				return apptest.NoFault
			}
			w.no(w.submits(d))
			w.Work(t)
			c.does(w, d)
			w.later(7 * time.Hour)
			if got := w.outcome(); got != c.want || len(w.Sandbox.Evidence(d.ExternalID)) != 0 {
				t.Errorf("it is %s: %+v", got, w.kept()[0])
			}
		})
	}
}

// TestAnAnswerAboutAnotherDisputeIsNoAnswer: evidence is not submitted on the word of an answer that is about another one.
func TestAnAnswerAboutAnotherDisputeIsNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.needed()
	w.Sandbox.As = liar{w.Sandbox.Disputing(), func(r gateway.DisputeReport) gateway.DisputeReport {
		r.ID += "0"
		return r
	}}
	w.Gateway.Version++ // opened anew
	w.no(w.Store.Commit(t.Context(), core.Changeset{w.Gateway}))
	w.no(w.submits(d))
	w.Work(t)
	if len(w.Sandbox.Evidence(d.ExternalID)) != 0 || w.outcome() != dispute.SubmissionPending {
		t.Errorf("submitted: %v, %s", w.Sandbox.Evidence(d.ExternalID), w.outcome())
	}
}

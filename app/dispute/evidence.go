package dispute

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Submit commits to submitting evidence against a dispute; its gateway is told soon after. The files are files of the payment's notes.
// Faults: Forbidden, NotFound (also: the dispute of a payment of somebody else's), NotAllowed (its gateway takes no such call, or nobody knows
// whose it is), those of dispute.DecideSubmit.
func (s *Service) Submit(ctx context.Context, by app.Request, id core.ID, in dispute.NewEvidence) (dispute.Dispute, error) {
	takes := func(d dispute.Dispute, g *app.Gateway) bool {
		return g.Has(gateway.CanAnswerDispute) && d.PaymentID != ""
	}
	return s.decide(ctx, "dispute.Submit", "submitDisputeEvidence", by, id, takes,
		func(d dispute.Dispute, p payment.Payment, by core.Scope, decision payment.Decision) (core.Changeset, error) {
			all, err := s.Notes.NotesOf(ctx, p.ID)
			if err != nil {
				return nil, err
			}
			readable := slices.DeleteFunc(slices.Clone(all), func(n note.Note) bool { return !n.IsFor(by) })
			return dispute.DecideSubmit(d, p, readable, len(all), in, by, decision)
		})
}

// Takes reports whether a dispute takes evidence now, and whether it can be conceded, as far as is known here.
func (s *Service) Takes(ctx context.Context, d dispute.Dispute) (evidence, acceptance bool) {
	g, err := s.Gateways.Gateway(ctx, d.GatewayID)
	if err != nil || d.PaymentID == "" || d.IsToAnswer() || d.IsToAccept() || d.State.IsOver() || d.State == gateway.DisputeUnknown {
		return false, false
	}
	return g.Has(gateway.CanAnswerDispute) && d.TakesEvidence(s.UnitOfWork.Clock.Now()), g.Has(gateway.CanAcceptDispute)
}

// answer submits evidence to a gateway.
func (s *Service) answer(ctx context.Context, g *app.Gateway, d dispute.Dispute) error {
	evidence, err := s.evidence(ctx, d)
	if fault.Is(err, fault.NotFound) {
		e := &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, RawCode: "the customer was forgotten"}
		return s.kept(ctx, d.NotSubmitted(e, s.UnitOfWork.Clock.Now()))
	}
	if err != nil {
		return fault.E("dispute.answer", "", err)
	}
	answerer, _ := g.Gateway.(ports.DisputeAnswerer)
	pending := d.Submissions[len(d.Submissions)-1]
	isDone := func(seen gateway.DisputeReport) bool {
		isThere := seen.Answered == pending.Key() || d.HasLaterEvidence(seen.Answered)
		now := dispute.Dispute{State: seen.State, EvidenceDue: seen.EvidenceDue}
		return isThere || !now.TakesEvidence(s.UnitOfWork.Clock.Now())
	}
	return s.send(ctx, g, d, gateway.CanAnswerDispute, isDone, dispute.Dispute.NotSubmitted, func(ctx context.Context) (gateway.DisputeReport, error) {
		return answerer.AnswerDispute(ctx, gateway.EvidenceOrder{ID: d.ExternalID, Key: pending.Key(), Evidence: evidence})
	})
}

// evidence is what the notes of a dispute's last submission say. Fault: NotFound (the customer was forgotten).
func (s *Service) evidence(ctx context.Context, d dispute.Dispute) (all []gateway.Evidence, err error) {
	const op = "dispute.evidence"
	notes, err := s.Notes.NotesOf(ctx, d.PaymentID)
	if err != nil {
		return nil, err
	}
	for _, piece := range d.Submissions[len(d.Submissions)-1].Pieces {
		i := slices.IndexFunc(notes, func(n note.Note) bool { return n.ID == piece.NoteID })
		if i < 0 || !piece.Kind.IsFile() && notes[i].Text == "" {
			return nil, fault.New(op, fault.NotFound)
		}
		one := gateway.Evidence{Kind: piece.Kind}
		if piece.Kind.IsFile() {
			file, err := s.Notes.NoteFile(ctx, piece.NoteID)
			if err != nil {
				return nil, err
			}
			one.Name, one.Type, one.Content = notes[i].FileName, notes[i].FileType, file.Content
		} else {
			one.Text = notes[i].Text
		}
		all = append(all, one)
	}
	return all, nil
}

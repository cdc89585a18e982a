package payment

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Notes are what staff write about payments, and the files that they attach to them.
type Notes struct {
	UnitOfWork *app.UnitOfWork
	Store      ports.Notes
}

// Add adds a note to a payment that the staff member may see. Faults: NotFound, Forbidden, those of note.Decide.
func (s *Notes) Add(ctx context.Context, m app.StaffMove, n note.New) (payment.Payment, note.Note, error) {
	const op = "note.Add"
	m.Permission, m.Action = staff.WriteNotes, "addNote"
	var p payment.Payment
	var made note.Note
	err := s.UnitOfWork.Again(ctx, func() error {
		var err error
		if p, err = s.UnitOfWork.Find(ctx, m); err != nil {
			return err
		}
		change, err := s.decide(ctx, m, p, n, &made)
		if err != nil {
			return err
		}
		entry := core.AuditEntry{At: made.At, Action: m.Action, Target: "payment/" + p.TrackingCode, After: note.Audit(made)}
		return s.UnitOfWork.CommitEntry(ctx, m.Request, entry, change)
	})
	return p, made, fault.E(op, "", err)
}

// decide decides about a note of a payment as it is.
func (s *Notes) decide(
	ctx context.Context, m app.StaffMove, p payment.Payment, n note.New, made *note.Note,
) (core.Changeset, error) {
	have, err := s.Store.NotesOf(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return nil, fault.E("note.decide", fault.Internal, err)
	}
	change, note, err := note.Decide(p, len(have), n, m.Scope(), payment.Decision{By: m.Actor(), At: now, IDs: ids})
	*made = note
	return change, err
}

// Of returns the notes of payments that a staff member may see, as far as they are for them: by payment and number.
func (s *Notes) Of(ctx context.Context, by staff.Staff, payments ...core.ID) ([]note.Note, error) {
	all, err := s.Store.NotesOf(ctx, payments...)
	var list []note.Note
	for _, n := range all {
		if n.IsFor(by.Scope()) {
			list = append(list, n)
		}
	}
	return list, fault.E("note.Of", "", err)
}

// File returns a note of a payment with the content of its file. Fault: NotFound (also: another payment's, one that is not for this
// person, and one without a file).
func (s *Notes) File(ctx context.Context, by app.Request, code string, id core.ID) (note.Note, []byte, error) {
	const op = "note.File"
	p, err := s.UnitOfWork.Find(ctx, app.StaffMove{Request: by, Permission: staff.ReadTransactions, TrackingCode: code})
	if err != nil {
		return note.Note{}, nil, fault.E(op, "", err)
	}
	notes, err := s.Of(ctx, by.Staff, p.ID)
	if err != nil {
		return note.Note{}, nil, fault.E(op, "", err)
	}
	for _, n := range notes {
		if n.ID != id || !n.HasFile() {
			continue
		}
		file, err := s.Store.NoteFile(ctx, id)
		return n, file.Content, fault.E(op, "", err)
	}
	return note.Note{}, nil, fault.New(op, fault.NotFound)
}

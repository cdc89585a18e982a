package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

func (m mutationResolver) AddNote(ctx context.Context, input command.AddNoteInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.AddNote, input)
}

func (t transactionResolver) Notes(ctx context.Context, p *payment.Payment) ([]note.Note, error) {
	list, err := t.Config.Notes.Of(ctx, staffOf(ctx), p.ID)
	return append([]note.Note{}, list...), err // none is an empty list
}

func (noteResolver) Text(_ context.Context, n *note.Note) (*string, error) {
	return orNull(n.Text), nil
}

func (noteResolver) File(_ context.Context, n *note.Note) (*generated.Attachment, error) {
	if !n.HasFile() {
		return nil, nil //nolint:nilnil // null: there is none
	}
	return &generated.Attachment{Name: n.FileName, Type: n.FileType, Size: n.FileSize}, nil
}

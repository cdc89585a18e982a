package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/ports"
)

var _ ports.Notes = (*Store)(nil)

// noteRow is a note. What it says is sealed with the customer's key.
type noteRow struct {
	bun.BaseModel `bun:"table:payment_notes"`

	PaymentID core.ID        `bun:"payment_id,pk"`
	Number    int            `bun:"number,pk"`
	ID        core.ID        `bun:"id"`
	Kind      note.Kind      `bun:"kind"`
	Audience  note.Audience  `bun:"audience"`
	FileType  string         `bun:"file_type"`
	FileSize  int            `bun:"file_size"`
	ByKind    core.ActorKind `bun:"by_kind"`
	ByID      string         `bun:"by_id"`
	ByName    string         `bun:"by_name"`
	ByAddr    string         `bun:"by_addr"`
	At        timestamp      `bun:"at,type:timestamptz"`
	KeyID     string         `bun:"key_id"`
	Personal  string         `bun:"personal"` // sealed; empty: the customer was forgotten
}

// noteJSON is what is sealed of a note.
type noteJSON struct {
	Text     string `json:"text,omitempty"`
	FileName string `json:"file_name,omitempty"`
}

func noteRowOf(n note.Note, k dataKey) (noteRow, error) {
	sealed, err := sealPersonal(k, noteJSON{Text: n.Text, FileName: n.FileName}, "payment_notes.personal", n.ID)
	return noteRow{
		PaymentID: n.PaymentID, Number: n.Number, ID: n.ID, Kind: n.Kind, Audience: n.Audience, FileType: n.FileType, FileSize: n.FileSize,
		ByKind: n.Author.Kind, ByID: n.Author.ID, ByName: n.Author.Name, ByAddr: n.Author.Addr, At: timestamp(n.At), KeyID: k.id, Personal: sealed,
	}, err
}

func (r noteRow) note(k dataKey) (note.Note, error) {
	said, err := openPersonal[noteJSON](k, r.Personal, "payment_notes.personal", r.ID)
	return note.Note{
		ID: r.ID, PaymentID: r.PaymentID, Number: r.Number, Kind: r.Kind, Audience: r.Audience, Text: said.Text, FileName: said.FileName,
		FileType: r.FileType, FileSize: r.FileSize, At: time.Time(r.At),
		Author: core.Actor{Kind: r.ByKind, ID: r.ByID, Name: r.ByName, Addr: r.ByAddr},
	}, err
}

func (r noteRow) keyID() string { return r.KeyID }

// noteFileRow is the content of a note's file, sealed with the customer's key.
type noteFileRow struct {
	bun.BaseModel `bun:"table:payment_note_files"`

	NoteID    core.ID `bun:"note_id,pk"`
	PaymentID core.ID `bun:"payment_id"`
	KeyID     string  `bun:"key_id"`
	Content   string  `bun:"content"` // sealed
}

func noteFileRowOf(f note.File, k dataKey) (noteFileRow, error) {
	sealed, err := sealPersonal(k, f.Content, "payment_note_files.content", f.NoteID)
	return noteFileRow{NoteID: f.NoteID, PaymentID: f.PaymentID, KeyID: k.id, Content: sealed}, err
}

func (r noteFileRow) file(k dataKey) (note.File, error) {
	content, err := openPersonal[[]byte](k, r.Content, "payment_note_files.content", r.NoteID)
	return note.File{NoteID: r.NoteID, PaymentID: r.PaymentID, Content: content}, err
}

func (r noteFileRow) keyID() string { return r.KeyID }

// notes are only ever inserted, with what they say sealed.
func notes() table {
	return keyed(func(n note.Note) core.ID { return n.PaymentID }, noteRowOf)
}

func noteFiles() table {
	return keyed(func(f note.File) core.ID { return f.PaymentID }, noteFileRowOf)
}

// keyed is a kind of row about a payment that never changes and is sealed with the payment's key. There is none about a customer who
// was forgotten: another process may have the key still, and would go on telling.
func keyed[T core.Row, R any](of func(T) core.ID, rowOf func(T, dataKey) (R, error)) table {
	return table{
		rows: kinds[T](), columns: rowType[R](),
		templates: func(w templateWriter) []template { return append(keyTemplates(w), w.insert(rowType[R](), "")) },
		put: func(e *encoder, at int, rows []core.Row) {
			e.putKeys(at, nil)
			for _, row := range core.RowsOf[T](rows) {
				k := e.keysIn.payments[of(row)]
				e.putUsed(at, k)
				r, err := rowOf(row, k)
				putVersion(e, at+keyTemplateCount, row.Identity(), r, err)
			}
		},
	}
}

// NotesOf implements ports.Notes.
func (s *Store) NotesOf(ctx context.Context, payments ...core.ID) ([]note.Note, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	q := s.reads.NewSelect().Where("payment_id IN (?)", bun.List(payments)).OrderExpr("payment_id, number")
	return queriedPersonal(ctx, s, "bunstore.NotesOf", noteRow.note, q)
}

// NoteFile implements ports.Notes.
func (s *Store) NoteFile(ctx context.Context, noteID core.ID) (note.File, error) {
	const op = "bunstore.NoteFile"
	found, err := onePersonal(ctx, s, op, noteFileRow.file, "note_id = ?", noteID)
	if err == nil && len(found.Content) == 0 {
		err = fault.New(op, fault.NotFound)
	}
	return found, err
}

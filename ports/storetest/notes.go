package storetest

import (
	"bytes"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
)

// note is a note about a payment, with a file where its number is even.
func (w *world) note(p payment.Payment, number int) (note.Note, core.Changeset) {
	w.t.Helper()
	content := []byte(nil)
	if number%2 == 0 {
		content = append([]byte("%PDF-"), bytes.Repeat([]byte{0, 255, 39, 92}, 5000)...)
	}
	change, n, err := note.Decide(p, number-1, note.New{
		Kind: note.Text, Audience: note.ForAll, Text: `it's "paid" \\ 100 % çünkü?`, FileName: "dekont.pdf", Content: content,
	}, core.Scope{}, payment.Decision{
		By: core.Actor{Kind: core.ByStaff, ID: "7", Name: awkward, Addr: "192.0.2.7"}, At: epoch, IDs: w.ids,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n, change
}

func notesOfPayments(w *world) {
	p, other := w.payment(), w.payment()
	w.commit(core.Changeset{p, other})
	var want []note.Note
	for number := range 3 {
		n, change := w.note(p, number+1)
		w.commit(change)
		want = append(want, n)
	}
	read := func(ids ...core.ID) []note.Note {
		list, err := w.store.NotesOf(w.ctx, ids...)
		if err != nil {
			w.t.Fatal(err)
		}
		return list
	}
	w.same(len(want), len(read(p.ID, other.ID)))
	for i, n := range read(p.ID) {
		w.same([]any{want[i].ID, want[i].Number, want[i].Text, want[i].FileName, want[i].FileType, want[i].FileSize, want[i].Author, want[i].At},
			[]any{n.ID, n.Number, n.Text, n.FileName, n.FileType, n.FileSize, n.Author, n.At})
	}
	w.same(0, len(read(other.ID)))
	w.same(0, len(read()))
	file, err := w.store.NoteFile(w.ctx, want[1].ID)
	w.same([]any{nil, p.ID, want[1].FileSize}, []any{err, file.PaymentID, len(file.Content)})
	_, err = w.store.NoteFile(w.ctx, want[0].ID)
	w.same(fault.NotFound, fault.CodeOf(err))
	_, twin := w.note(p, 3)
	w.same(fault.Conflict, fault.CodeOf(w.store.Commit(w.ctx, twin)))
}

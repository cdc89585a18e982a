package dispute

import (
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
)

// maxSubmissions bounds how often staff submit evidence against one dispute.
const maxSubmissions = 20

// Submission is evidence that staff have submitted. What it says is in notes of the payment: they are sealed, shown to whoever may read
// them, and forgotten with the customer.
type Submission struct {
	ID        core.ID
	By        core.Actor
	At        time.Time
	Pieces    []Piece
	Outcome   SubmissionOutcome
	SettledAt time.Time // since when the outcome is another one than Pending; zero: it is not
}

// Piece is a piece of evidence, and the note that has it.
type Piece struct {
	Kind   gateway.EvidenceKind
	NoteID core.ID
}

// SubmissionOutcome says what became of evidence.
type SubmissionOutcome string

// Outcomes of submissions.
const (
	SubmissionPending SubmissionOutcome = "pending" // the gateway does not have it yet, or has not said so
	Submitted         SubmissionOutcome = "submitted"
	SubmissionRefused SubmissionOutcome = "refused" // by the gateway: there may be another one
	SubmissionMissed  SubmissionOutcome = "missed"  // the dispute took none any more when the gateway could be told, or has later evidence
)

// SubmissionOutcomes lists all outcomes.
func SubmissionOutcomes() []SubmissionOutcome {
	return []SubmissionOutcome{SubmissionPending, Submitted, SubmissionRefused, SubmissionMissed}
}

// Key is the idempotency key with which the gateway is told, and by which it says that it has the evidence.
func (s Submission) Key() gateway.Key { return gateway.Key(evidenceKey + string(s.ID)) }

const evidenceKey = "evidence-"

// IsToAnswer reports whether the gateway is still to be told of evidence.
func (d Dispute) IsToAnswer() bool {
	count := len(d.Submissions)
	return count > 0 && d.Submissions[count-1].Outcome == SubmissionPending
}

// TakesEvidence reports whether evidence may be submitted at a moment, as far as is known here.
func (d Dispute) TakesEvidence(now time.Time) bool {
	isOpen := d.State == gateway.DisputeInquiry || d.State == gateway.DisputeNeedsResponse
	return isOpen && !d.IsToAccept() && (d.EvidenceDue.IsZero() || now.Before(d.EvidenceDue))
}

// NewEvidence is what somebody wants to submit.
type NewEvidence struct {
	Statement string
	Product   string // empty: nothing is said of it
	Files     []Piece
}

// DecideSubmit commits to submitting evidence; the gateway is told at once. The texts become notes of the payment, and the files are
// notes that it has: known are those that this person may read, and have is how many there are in all. One person is enough: evidence
// moves no money and decides nothing. Faults: NotAllowed (the dispute takes no evidence, or some is on its way), Invalid (no statement,
// a text that is too long, a kind that is given twice or is none of a file, a note that is none of the payment's with a file, too many
// bytes or submissions, the customer was forgotten).
func DecideSubmit(
	n Dispute, p payment.Payment, known []note.Note, have int, in NewEvidence, by core.Scope, d payment.Decision,
) (core.Changeset, error) {
	const op = "dispute.DecideSubmit"
	if !n.TakesEvidence(d.At) || n.IsToAnswer() {
		return nil, fault.New(op, fault.NotAllowed, string(n.State))
	}
	var form core.Form
	made := Submission{ID: d.IDs.Next(), By: d.By, At: d.At, Outcome: SubmissionPending}
	in.Statement = form.Text("statement", core.Input{Kind: core.TextInput, Text: in.Statement}, note.MaxChars)
	in.Product = form.Text("product", core.Input{Kind: core.TextInput, Text: in.Product}, note.MaxChars)
	if strings.TrimSpace(in.Statement) == "" {
		form.Fail("statement", "field.required")
	}
	checkFiles(&form, known, in.Files)
	if len(n.Submissions) >= maxSubmissions {
		form.Fail("evidence", "field.items", maxSubmissions)
	}
	if err := form.Err(op); err != nil {
		return nil, err
	}
	var change core.Changeset
	for _, text := range []struct {
		kind gateway.EvidenceKind
		says string
	}{{gateway.EvidenceStatement, in.Statement}, {gateway.EvidenceProduct, in.Product}} {
		if strings.TrimSpace(text.says) == "" {
			continue
		}
		rows, written, err := note.Decide(p, have+len(made.Pieces), note.New{Kind: note.Text, Text: text.says}, by, d)
		if err != nil {
			return nil, err
		}
		change, made.Pieces = append(change, rows...), append(made.Pieces, Piece{text.kind, written.ID})
	}
	made.Pieces = append(made.Pieces, in.Files...)
	n = n.Cued(d.At)
	n.Submissions, n.UpdatedAt = append(slices.Clone(n.Submissions), made), d.At
	return append(change, n), nil
}

// checkFiles checks the files that evidence names.
func checkFiles(form *core.Form, known []note.Note, files []Piece) {
	seen, size := map[gateway.EvidenceKind]bool{}, 0
	for _, f := range files {
		i := slices.IndexFunc(known, func(n note.Note) bool { return n.ID == f.NoteID && n.HasFile() })
		switch {
		case !f.Kind.IsFile() || !slices.Contains(gateway.EvidenceKinds(), f.Kind) || seen[f.Kind]:
			form.Fail("files", "field.once")
			return
		case i < 0:
			form.Fail("files", "field.file")
			return
		}
		seen[f.Kind] = true
		if size += known[i].FileSize; size > gateway.MaxEvidenceBytes {
			form.Fail("files", "field.bytes", gateway.MaxEvidenceBytes)
			return
		}
	}
}

// settleEvidence says what became of evidence, by the gateway's answer: it has what bears the key. A dispute that takes none any more
// has missed it, and so has one that has later evidence. The latter is of a database that was lost; it is kept without what it said.
func (d *Dispute) settleEvidence(answered gateway.Key, now time.Time) {
	later, isLater := d.laterEvidence(answered)
	if d.IsToAnswer() {
		switch pending := d.Submissions[len(d.Submissions)-1]; {
		case pending.Key() == answered:
			d.settled(Submitted, now)
		case isLater, !d.TakesEvidence(now):
			d.settled(SubmissionMissed, now)
		}
	}
	if isLater && len(d.Submissions) < maxSubmissions {
		d.Submissions = append(slices.Clone(d.Submissions), Submission{ID: later, By: core.System, At: now, Outcome: Submitted, SettledAt: now})
		d.UpdatedAt = now
	}
}

// laterEvidence is the evidence that a gateway has and the dispute does not know: what was submitted after the backup from which the
// database was restored.
func (d Dispute) laterEvidence(answered gateway.Key) (id core.ID, ok bool) {
	name, isOurs := strings.CutPrefix(string(answered), evidenceKey)
	isKnown := slices.ContainsFunc(d.Submissions, func(s Submission) bool { return s.Key() == answered })
	return core.ID(name), isOurs && !isKnown && core.IsID(name)
}

// HasLaterEvidence reports whether a gateway has evidence that was submitted after all that the dispute knows.
func (d Dispute) HasLaterEvidence(answered gateway.Key) bool {
	_, ok := d.laterEvidence(answered)
	return ok
}

func (d *Dispute) settled(as SubmissionOutcome, now time.Time) {
	d.Submissions = slices.Clone(d.Submissions)
	last := &d.Submissions[len(d.Submissions)-1]
	last.Outcome, last.SettledAt, d.UpdatedAt = as, now, now
}

// NotSubmitted is a dispute after the gateway was told of evidence without success. What it has refused for good is not told again. Whether
// it has the rest is asked before it is told again.
func (d Dispute) NotSubmitted(e *gateway.Error, now time.Time) Dispute {
	d = d.NoAnswer(e, now)
	isRefusal := e.Class == gateway.Invalid || e.Class == gateway.Unsupported || e.Class == gateway.Refused
	if isRefusal && e.Effect == gateway.EffectNone {
		d.settled(SubmissionRefused, now)
	}
	return d
}

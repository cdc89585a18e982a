package bank

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/vezne/vezne/core/money"
)

// Statuses of a dispute.
const (
	Inquiry       = "inquiry" // the payer's bank asks: no money has moved
	NeedsResponse = "needs_response"
	UnderReview   = "under_review"
	Won           = "won"
	Lost          = "lost"
	Closed        = "closed" // an inquiry that came to nothing
)

// evidenceTime is how long evidence is taken.
const evidenceTime = 7 * 24 * time.Hour

// maxDisputes bounds how many disputes one deposit has.
const maxDisputes = 20

// Dispute is a dispute of a deposit, as the API gives it.
type Dispute struct {
	ID               string     `json:"id"`
	DepositID        string     `json:"deposit_id"`
	DepositReference string     `json:"deposit_reference"`
	Status           string     `json:"status"`
	Reason           string     `json:"reason"`
	Amount           Money      `json:"amount"`               // what the payer disputes
	Withdrawn        *Money     `json:"withdrawn,omitempty"`  // from the merchant, in all
	Reinstated       *Money     `json:"reinstated,omitempty"` // to the merchant, in all
	Fee              *Money     `json:"fee,omitempty"`
	EvidenceDue      *time.Time `json:"evidence_due,omitempty"`
	EvidenceKey      string     `json:"evidence_key,omitempty"` // of the evidence that came last
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
}

type dispute struct {
	Dispute
	no        int
	notifyURL string
	isTaken   bool                    // the merchant is without the money now
	files     map[string]evidenceFile // that were sent, by their ids
	evidence  []map[string]string     // that was submitted
}

// evidenceFile is a file of evidence, of which the bank keeps the hash.
type evidenceFile struct{ kind, sum string }

// disputeFee is what the bank charges for a chargeback, won or lost.
var disputeFee = Money{Value: money.MustDecimal("15"), Currency: lira}

// OpenDispute has the payer of a deposit dispute an amount of it; nil: all that was paid. Status is Inquiry or NeedsResponse. It
// is told.
func (b *Bank) OpenDispute(ref string, amount *Money, reason, status string) (Dispute, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	d, ok := b.deposit(ref, now)
	if !ok {
		return Dispute{}, errUnknownReference
	}
	x, err := b.openDispute(d, amount, reason, status, now)
	if err != nil {
		return Dispute{}, err
	}
	return x.Dispute, nil
}

func (b *Bank) openDispute(d *deposit, amount *Money, reason, status string, at time.Time) (*dispute, error) {
	count := 0
	for _, x := range b.disputes.all() {
		if x.DepositReference == d.Reference {
			count++
		}
	}
	switch {
	case d.Paid == nil:
		return nil, errors.New("nothing was paid")
	case status != Inquiry && status != NeedsResponse:
		return nil, fmt.Errorf("a dispute begins as %q or %q", Inquiry, NeedsResponse)
	case count >= maxDisputes || !isText(reason):
		return nil, errors.New("too many disputes, or too long a reason")
	}
	disputed := *d.Paid
	if amount != nil {
		disputed = *amount
	}
	if disputed.Value.Sign() <= 0 || !disputed.isSameAsset(*d.Paid) {
		return nil, errors.New("give an amount in what was paid")
	}
	b.seq++
	x := &dispute{no: b.seq, notifyURL: d.notifyURL, Dispute: Dispute{
		ID: b.id("dp", fmt.Sprint(d.Reference, " ", count+1)), DepositID: d.ID, DepositReference: d.Reference, Reason: reason, Amount: disputed,
		CreatedAt: at,
	}}
	b.disputes.add(x.ID, x)
	b.moveDispute(x, status, at)
	return x, nil
}

// MoveDispute brings a dispute into a status, with what follows for the money. It is told.
func (b *Bank) MoveDispute(id, status string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	x, ok := b.disputes.find(id)
	if !ok {
		return errors.New("no dispute has this id")
	}
	switch status {
	case Inquiry, NeedsResponse, UnderReview, Won, Lost, Closed, unlisted:
		b.moveDispute(x, status, now)
		return nil
	default:
		return fmt.Errorf("a dispute has no status %q", status)
	}
}

// moveDispute takes the money with a chargeback, and gives it back with one that is won.
func (b *Bank) moveDispute(x *dispute, status string, at time.Time) {
	isChargeback := status == NeedsResponse || status == UnderReview || status == Lost
	switch {
	case isChargeback && !x.isTaken:
		total := Money{Currency: x.Amount.Currency, Network: x.Amount.Network}
		if x.Withdrawn != nil {
			total = *x.Withdrawn
		}
		total = total.plus(x.Amount.Value)
		fee := disputeFee
		x.Withdrawn, x.Fee, x.isTaken = &total, &fee, true
	case (status == Won || status == Closed) && x.isTaken:
		total := *x.Withdrawn
		x.Reinstated, x.isTaken = &total, false
	}
	x.Status, x.UpdatedAt, x.EvidenceDue = status, at, nil
	if status == Inquiry || status == NeedsResponse {
		due := at.Add(evidenceTime)
		x.EvidenceDue = &due
	}
	event, past := b.event("dispute."+status, at), x.Dispute
	event.Dispute = &past
	b.enqueue(notification{at: at.Add(notifyDelay), ref: x.DepositReference, url: x.notifyURL, event: event})
}

// planDispute has the payer of a deposit dispute it a day after it was paid, as its code says.
func (b *Bank) planDispute(d *deposit, at time.Time) {
	if len(d.scenario.dispute) == 0 {
		return
	}
	statuses := d.scenario.dispute
	d.scenario.dispute = nil // it is paid once
	b.tasks.push(at.Add(24*time.Hour), func(at time.Time) {
		x, err := b.openDispute(d, nil, "fraudulent", statuses[0], at)
		if err != nil {
			return
		}
		for i, status := range statuses[1:] {
			b.tasks.push(at.Add(time.Duration(i+1)*24*time.Hour), func(at time.Time) { b.moveDispute(x, status, at) })
		}
	})
}

func (b *Bank) readDispute(c *call) (any, *problem) {
	x, ok := b.disputes.find(c.PathValue("id"))
	if !ok {
		return nil, missing("dispute")
	}
	return x.Dispute, nil
}

func (b *Bank) listDisputes(c *call) (any, *problem) {
	q, p := c.page()
	if p != nil {
		return nil, p
	}
	place := func(x *dispute) (time.Time, int) { return x.CreatedAt, x.no }
	return pageOf(q, b.disputes.all(), place, func(x *dispute) Dispute { return x.Dispute }), nil
}

// Bounds of evidence.
const (
	maxEvidenceFiles = 40 // of one dispute
	maxEvidenceBytes = 2 << 20
	maxEvidenceText  = 8 << 10
)

// addEvidenceFile takes a file of evidence, and gives it an id: the same for the same key.
func (b *Bank) addEvidenceFile(c *call) (any, *problem) {
	key, p := c.key()
	if p != nil {
		return nil, p
	}
	var in struct {
		Kind    string `json:"kind"`
		Name    string `json:"name"`
		Type    string `json:"type"`
		Content []byte `json:"content"`
	}
	if p := c.read(&in); p != nil {
		return nil, p
	}
	x, ok := b.disputes.find(c.PathValue("id"))
	id := b.id("file", c.PathValue("id")+" "+key)
	switch {
	case !ok:
		return nil, missing("dispute")
	case len(in.Content) == 0 || len(in.Content) > maxEvidenceBytes || !isText(in.Kind) || !isText(in.Name) || in.Type != http.DetectContentType(in.Content):
		return nil, invalid("invalid_request", "a file has a kind, a name, its type and 1 byte to 2 MiB")
	case x.files[id].sum == "" && len(x.files) >= maxEvidenceFiles:
		return nil, invalid("invalid_request", "too many files")
	}
	if x.files == nil {
		x.files = map[string]evidenceFile{}
	}
	x.files[id] = evidenceFile{in.Kind, fmt.Sprintf("%x", sha256.Sum256(in.Content))}
	return map[string]string{"id": id}, nil
}

// submitEvidence takes evidence against a dispute that waits for it: then the payer's bank decides.
func (b *Bank) submitEvidence(c *call) (any, *problem) {
	key, p := c.key()
	if p != nil {
		return nil, p
	}
	var in struct {
		Texts map[string]string `json:"texts"`
		Files []string          `json:"files"`
	}
	if p := c.read(&in); p != nil {
		return nil, p
	}
	x, ok := b.disputes.find(c.PathValue("id"))
	switch {
	case !ok:
		return nil, missing("dispute")
	case x.EvidenceKey == key:
		return x.Dispute, nil
	case x.EvidenceDue == nil || !c.now.Before(*x.EvidenceDue):
		return nil, invalid("evidence_not_taken", "the dispute takes no evidence")
	}
	got := map[string]string{}
	for kind, text := range in.Texts {
		if text == "" || len(text) > maxEvidenceText {
			return nil, invalid("invalid_request", "a text of evidence has 1 byte to 8 KiB")
		}
		got[kind] = text
	}
	for _, id := range in.Files {
		if x.files[id].sum == "" {
			return nil, missing("file")
		}
		got[x.files[id].kind] = x.files[id].sum
	}
	x.EvidenceKey = key
	x.evidence = append(x.evidence, got)
	b.changes++
	b.moveDispute(x, UnderReview, c.now)
	return x.Dispute, nil
}

// Evidence is what was submitted against a dispute, oldest first: by kind a text, or the SHA-256 of a file in hex.
func (b *Bank) Evidence(id string) []map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	x, ok := b.disputes.find(id)
	if !ok {
		return nil
	}
	return slices.Clone(x.evidence)
}

// acceptDispute concedes a dispute that is open; any other stays as it is.
func (b *Bank) acceptDispute(c *call) (any, *problem) {
	if _, p := c.key(); p != nil {
		return nil, p
	}
	x, ok := b.disputes.find(c.PathValue("id"))
	if !ok {
		return nil, missing("dispute")
	}
	if x.Status == Inquiry || x.Status == NeedsResponse || x.Status == UnderReview {
		b.changes++
		b.moveDispute(x, Lost, c.now)
	}
	return x.Dispute, nil
}

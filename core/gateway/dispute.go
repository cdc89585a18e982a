package gateway

import "time"

// MaxDisputeIDBytes bounds the gateway's own id of a dispute. One that has no id within it is not kept.
const MaxDisputeIDBytes = 120

// DisputeState is where a dispute stands at the gateway. A plugin maps the gateway's raw texts by one table; a text that is
// not in it is DisputeUnknown.
type DisputeState string

// States of a dispute.
const (
	DisputeInquiry       DisputeState = "inquiry"        // the payer's bank asks: no chargeback yet
	DisputeNeedsResponse DisputeState = "needs_response" // a chargeback; evidence may be given until it is due
	DisputeUnderReview   DisputeState = "under_review"   // the payer's bank or the card scheme decides
	DisputeWon           DisputeState = "won"
	DisputeLost          DisputeState = "lost"   // decided against us, accepted, or not answered in time
	DisputeClosed        DisputeState = "closed" // an inquiry that came to no chargeback
	DisputeUnknown       DisputeState = "unknown"
)

// DisputeStates lists all states of a dispute.
func DisputeStates() []DisputeState {
	return []DisputeState{
		DisputeInquiry, DisputeNeedsResponse, DisputeUnderReview, DisputeWon, DisputeLost, DisputeClosed, DisputeUnknown,
	}
}

// IsOver reports whether a dispute in the state has ended. A card scheme may open it again.
func (s DisputeState) IsOver() bool {
	return s == DisputeWon || s == DisputeLost || s == DisputeClosed
}

// DisputeReason is why the payer disputes, in words that the card schemes' own codes fall under.
type DisputeReason string

// Reasons of disputes.
const (
	DisputeFraud          DisputeReason = "fraud"             // the payer says that they did not pay
	DisputeUnrecognized   DisputeReason = "unrecognized"      // the payer does not recognize the payment
	DisputeAuthorization  DisputeReason = "authorization"     // it was not authorized as the scheme wants it
	DisputeProcessing     DisputeReason = "processing_error"  // another amount, currency or account
	DisputeDuplicate      DisputeReason = "duplicate"         // paid twice
	DisputeNotReceived    DisputeReason = "not_received"      // goods or services did not come
	DisputeNotAsDescribed DisputeReason = "not_as_described"  // they came otherwise than described, or defective
	DisputeCanceled       DisputeReason = "canceled"          // the payer had called it off
	DisputeCreditMissing  DisputeReason = "credit_not_issued" // a refund that was promised did not come
	DisputeOther          DisputeReason = "other"
)

// DisputeReasons lists all reasons.
func DisputeReasons() []DisputeReason {
	return []DisputeReason{
		DisputeFraud, DisputeUnrecognized, DisputeAuthorization, DisputeProcessing, DisputeDuplicate, DisputeNotReceived,
		DisputeNotAsDescribed, DisputeCanceled, DisputeCreditMissing, DisputeOther,
	}
}

// DisputeReport is what a dispute is at the gateway, as it answers when it is asked. A payment may have several, each for a
// part of it. Withdrawn and Reinstated are totals: the same report again says nothing new, and a second chargeback of a
// dispute that was won withdraws more than the first.
type DisputeReport struct {
	ID string `json:"id,omitempty"` // the gateway's own, the same for the dispute's whole life
	// Ref and External say which deposit is disputed. One of them will do.
	Ref       Ref           `json:"ref,omitempty"`
	External  ExternalRef   `json:"external,omitzero"`
	State     DisputeState  `json:"state,omitempty"`
	Reason    DisputeReason `json:"reason,omitempty"`
	RawReason string        `json:"raw_reason,omitempty"` // the gateway's own code, or the card scheme's
	// Amount is what the payer disputes, in the asset that they paid; so are the two totals.
	Amount     Money  `json:"amount,omitzero"`
	Withdrawn  *Money `json:"withdrawn,omitempty"`  // taken from our balance so far, without fees; nil: nothing
	Reinstated *Money `json:"reinstated,omitempty"` // given back to our balance so far, of what was withdrawn; nil: nothing
	Fee        *Money `json:"fee,omitempty"`        // what the gateway has charged for it so far, in whatever currency
	// EvidenceDue is until when evidence is taken; zero: none is, or it is not stated.
	EvidenceDue time.Time `json:"evidence_due,omitzero"`
	At          time.Time `json:"at,omitzero"` // when it was opened; zero: not stated
	// Answered is the Key of the evidence that AnswerDispute has submitted last, as the gateway has kept it with the dispute; empty:
	// none was submitted by AnswerDispute.
	Answered Key    `json:"answered,omitempty"`
	Raw      string `json:"raw,omitempty"`
}

// DisputePage is one page of a listing: the gateway's own ids.
type DisputePage struct {
	IDs  []string
	Next Cursor
}

// DisputeCue names a dispute in a notification, which is never believed: the gateway is asked about it.
type DisputeCue struct {
	ID    string `json:"id,omitempty"`
	Trust Trust  `json:"trust,omitempty"`
}

// EvidenceKind says what a piece of evidence shows, in words that gateways' own fields fall under.
type EvidenceKind string

// Kinds of evidence. The first two are texts, the others files.
const (
	EvidenceStatement     EvidenceKind = "statement"     // what speaks against the dispute
	EvidenceProduct       EvidenceKind = "product"       // what was paid for
	EvidenceReceipt       EvidenceKind = "receipt"       // what the customer was sent about the payment
	EvidenceCommunication EvidenceKind = "communication" // with the customer
	EvidenceService       EvidenceKind = "service"       // that the customer had what was paid for
	EvidenceOther         EvidenceKind = "other"
)

// EvidenceKinds lists all kinds.
func EvidenceKinds() []EvidenceKind {
	return []EvidenceKind{EvidenceStatement, EvidenceProduct, EvidenceReceipt, EvidenceCommunication, EvidenceService, EvidenceOther}
}

// IsFile reports whether a piece of the kind is a file.
func (k EvidenceKind) IsFile() bool { return k != EvidenceStatement && k != EvidenceProduct }

// MaxEvidenceBytes bounds the files of one order of evidence together.
const MaxEvidenceBytes = 4 << 20

// EvidenceOrder is evidence against a dispute. There is a statement, and at most one piece of each kind.
type EvidenceOrder struct {
	ID       string // the dispute's, at the gateway
	Key      Key
	Evidence []Evidence
}

// Evidence is one piece: a text, or a file.
type Evidence struct {
	Kind    EvidenceKind
	Text    string // 1 to 2000 characters; empty: it is a file
	Name    string // of the file, which ends as its type does
	Type    string // of the file: application/pdf, image/png or image/jpeg
	Content []byte // of the file
}

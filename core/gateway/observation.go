package gateway

import "time"

// State is what a deposit is at the gateway. A plugin maps the gateway's raw texts by one table; a text that is not in
// it is Unknown, never Failed.
type State string

// States of a deposit.
const (
	Waiting      State = "waiting"    // nothing seen yet
	Processing   State = "processing" // money or a card was seen, not yet decided
	Authorized   State = "authorized"
	Review       State = "review" // paid, but held by the gateway's fraud check
	Paid         State = "paid"
	PartPaid     State = "part-paid"
	OverPaid     State = "over-paid"
	Failed       State = "failed"
	Canceled     State = "canceled"
	Expired      State = "expired"
	Refunding    State = "refunding"
	Refunded     State = "refunded"
	PartRefunded State = "part-refunded"
	Disputed     State = "disputed"
	Unknown      State = "unknown"
)

// IsHeld reports whether somebody may decide about it at the gateway: what came is held, or a card was only authorized.
func (s State) IsHeld() bool { return s == Review || s == Authorized }

// Rank orders a deposit's states: a report of lower rank than one before came out of order and changes nothing. Waiting and processing
// may alternate (a replaced transaction), and a failure may be followed by a success on the same page.
func (s State) Rank() int {
	switch s {
	case Waiting, Processing, Authorized:
		return 1
	case Review, PartPaid:
		return 2
	case Failed, Canceled, Expired:
		return 3
	case Paid, OverPaid:
		return 4
	case Refunding, Refunded, PartRefunded, Disputed:
		return 5
	default:
		return 0
	}
}

// States lists all states of a deposit.
func States() []State {
	return []State{
		Waiting, Processing, Authorized, Review, Paid, PartPaid, OverPaid, Failed, Canceled, Expired, Refunding, Refunded,
		PartRefunded, Disputed, Unknown,
	}
}

// Trust says how far a report is to be believed. The greater wins.
type Trust int

// Trusts. A report says how what it reports was proven; what the core makes of that is IsCue, and nowhere else. What a
// signature does not cover is not reported: a notification that is signed without the amount reports Processing, and no Paid.
const (
	Hint         Trust = iota // anybody could have sent it
	SharedSecret              // a secret came along in the body
	Signed                    // a signature covers everything reported here
	Answered                  // the gateway answered our own question
)

// String names the trust.
func (t Trust) String() string {
	return [...]string{"hint", "shared secret", "signed", "answered"}[min(max(t, Hint), Answered)]
}

// Observation is a report of what a deposit is at the gateway: of a start, a return, a notification, a question or a
// listing. It is never a command.
type Observation struct {
	Ref      Ref         `json:"ref,omitempty"` // may be empty where the gateway names only its own id
	External ExternalRef `json:"external,omitzero"`
	State    State       `json:"state,omitempty"`
	Trust    Trust       `json:"trust,omitempty"`
	// Paid is what really arrived, in the asset that was due; always set when State is Paid, PartPaid or OverPaid.
	Paid *Money `json:"paid,omitempty"`
	// CanStillPay: the customer may try again on the same page, so that Failed is not the end.
	CanStillPay bool      `json:"can_still_pay,omitempty"`
	Refunded    *Money    `json:"refunded,omitempty"`
	Fee         *Money    `json:"fee,omitempty"`
	At          time.Time `json:"at,omitzero"`        // of the event, at the gateway; zero: not stated
	Reason      *Reason   `json:"reason,omitempty"`   // why it failed
	Raw         string    `json:"raw,omitempty"`      // the gateway's own status text
	Payer       *Party    `json:"payer,omitempty"`    // who paid, where it is known
	Confirms    int       `json:"confirms,omitempty"` // confirmations so far
}

// IsCue reports whether a report is only a reason to ask the gateway: it is not trusted enough, or not complete enough, to
// move money, and nothing ends without an answer of the gateway's own.
//
//	Answered                            is taken in
//	Signed, Paid, with the amount       is taken in
//	Signed, Paid, without the amount    is a reason to ask
//	Signed, anything else               is a reason to ask
//	SharedSecret, Hint                  are a reason to ask
func (o Observation) IsCue() bool {
	if o.Trust >= Answered {
		return false
	}
	return o.Trust < Signed || o.State != Paid || o.Paid == nil
}

// Reason says why something was refused.
type Reason struct {
	Code    ReasonCode `json:"code,omitempty"`
	RawCode string     `json:"raw_code,omitempty"`
	RawText string     `json:"raw_text,omitempty"` // the gateway's own, without secrets and card numbers
	Soft    bool       `json:"soft,omitempty"`     // may succeed if tried again
}

// ReasonCode is Vezne's own word for a refusal. It becomes error_code in the card callback, in capitals.
type ReasonCode string

// Reasons. Lost, stolen and fraud are told to nobody outside: to the customer they are DO_NOT_HONOUR.
const (
	InsufficientFunds ReasonCode = "INSUFFICIENT_FUNDS"
	DoNotHonour       ReasonCode = "DO_NOT_HONOUR"
	ExpiredCard       ReasonCode = "EXPIRED_CARD"
	WrongCVC          ReasonCode = "WRONG_CVC"
	LimitExceeded     ReasonCode = "LIMIT_EXCEEDED"
	NotPermitted      ReasonCode = "NOT_PERMITTED"
	AuthFailed        ReasonCode = "AUTHENTICATION_FAILED"
	LostOrStolen      ReasonCode = "LOST_OR_STOLEN"
	FraudSuspected    ReasonCode = "FRAUD_SUSPECTED"
	InvalidCard       ReasonCode = "INVALID_CARD"
	IssuerDown        ReasonCode = "ISSUER_UNAVAILABLE"
	NameMismatch      ReasonCode = "NAME_MISMATCH"
	InvalidTarget     ReasonCode = "INVALID_RECIPIENT"
	NoFunds           ReasonCode = "NO_FUNDS" // ours at the gateway
	TimedOut          ReasonCode = "TIMEOUT"
	CanceledByPayer   ReasonCode = "CANCELLED"
	Declined          ReasonCode = "DECLINED" // any other
)

// Public is the reason as it may be told outside.
func (c ReasonCode) Public() ReasonCode {
	switch c {
	case LostOrStolen, FraudSuspected:
		return DoNotHonour
	case "", NoFunds:
		return Declined
	default:
		return c
	}
}

// Party is a sender or recipient.
type Party struct {
	Name       string `json:"name,omitempty"`
	IBAN       string `json:"iban,omitempty"`
	Wallet     string `json:"wallet,omitempty"`
	NationalID string `json:"-"`
}

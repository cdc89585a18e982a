package payment

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

// CallbackHeader is one header of a callback.
type CallbackHeader struct{ Name, Value string }

// CallbackMessage is one attempt's request: signed with a fresh timestamp, ready to be sent.
type CallbackMessage struct {
	Body    []byte
	Headers []CallbackHeader

	Acknowledgement owner.Acknowledgement // which answers to it acknowledge

	// Of the attempt, for traces and figures; they are not sent.

	Cause core.Cause
	Late  time.Duration // how long it has been due
}

// orderBody ends every callback's payload: which of its payment's it is, what it corrects, and what is Vezne's own.
type orderBody struct {
	Sequence   int             `json:"sequence"`
	Correction *correctionBody `json:"correction,omitempty"`
	Dispute    *disputeBody    `json:"dispute,omitempty"`
	Reference  string          `json:"reference,omitempty"`
	Reason     EndedBy         `json:"reason,omitempty"`
	PaidBy     gateway.Kind    `json:"paid_by,omitempty"`
	RestoredTo string          `json:"restored_to,omitempty"`
}

type correctionBody struct {
	PreviousAmount money.Amount `json:"previous_amount"`
}

// disputeBody is what a callback says of a dispute: Vezne's own addition.
type disputeBody struct {
	ID          core.ID               `json:"id"`
	State       gateway.DisputeState  `json:"state"`
	Reason      gateway.DisputeReason `json:"reason"`
	Amount      money.Amount          `json:"amount"`
	Withdrawn   money.Amount          `json:"withdrawn"`
	Reinstated  money.Amount          `json:"reinstated"`
	EvidenceDue string                `json:"evidence_due,omitempty"`
}

// depositFields are what the payloads of deposits and withdrawals begin with, in the documented order.
type depositFields struct {
	TrackingCode string       `json:"tracking_code"`
	Status       Status       `json:"status"`
	Amount       money.Amount `json:"amount"`
	Username     string       `json:"username"`
	Fullname     string       `json:"fullname"`
	UserID       string       `json:"user_id"`
	SiteID       int64        `json:"site_id"`
	Timestamp    int64        `json:"timestamp"`
	Hash         string       `json:"hash"`
}

// depositBody is the deposit callback's payload.
type depositBody struct {
	depositFields
	orderBody
}

// withdrawalBody is the deposit's fields plus the recipient's IBAN.
type withdrawalBody struct {
	depositFields
	IBAN string `json:"iban"`
	orderBody
}

// cardBody is the credit card callback's payload in the documented order.
type cardBody struct {
	TrackingCode  string       `json:"tracking_code"`
	OrderID       string       `json:"order_id"`
	Status        Status       `json:"status"`
	Amount        money.Amount `json:"amount"`
	Currency      string       `json:"currency"`
	Username      string       `json:"username"`
	UserID        string       `json:"user_id"`
	SiteID        int64        `json:"site_id"`
	CustomerName  string       `json:"customer_name"`
	CustomerEmail string       `json:"customer_email"`
	Timestamp     int64        `json:"timestamp"`
	Hash          string       `json:"hash"`
	ErrorCode     string       `json:"error_code,omitempty"`
	ErrorMessage  string       `json:"error_message,omitempty"`
	orderBody
}

// dealerCardBody is the dealer's credit card callback in the documented order: some fields are of a success, others of a
// failure.
type dealerCardBody struct {
	Success       bool         `json:"success"`
	TrackingCode  string       `json:"tracking_code"`
	OrderID       string       `json:"order_id"`
	Status        Status       `json:"status"`
	Amount        money.Amount `json:"amount"`
	Currency      string       `json:"currency"`
	CustomerName  string       `json:"customer_name"`
	CustomerEmail string       `json:"customer_email,omitempty"`
	CustomerPhone string       `json:"customer_phone,omitempty"`
	StatusMessage string       `json:"status_message,omitempty"`
	CompletedAt   string       `json:"completed_at,omitempty"`
	ErrorCode     string       `json:"error_code,omitempty"`
	ErrorMessage  string       `json:"error_message,omitempty"`
	Timestamp     int64        `json:"timestamp"`
	Hash          string       `json:"hash"`
	orderBody
	CompletedAtISO string `json:"completed_at_iso,omitempty"`
}

// dealerBody is the callback of a dealer's own deposit, withdrawal or transfer, in the shape of the one for its cards. What a kind does not
// have is left out: a transfer has no customer, a deposit no recipient.
type dealerBody struct {
	Success       bool         `json:"success"`
	TrackingCode  string       `json:"tracking_code"` // a transfer's transfer_id
	Status        Status       `json:"status"`
	Amount        money.Amount `json:"amount"`
	Currency      string       `json:"currency"`
	Username      string       `json:"username,omitempty"`
	UserID        string       `json:"userid,omitempty"`
	Fullname      string       `json:"fullname,omitempty"`
	RecipientName string       `json:"recipient_name,omitempty"`
	RecipientIBAN string       `json:"recipient_iban,omitempty"`
	CompletedAt   string       `json:"completed_at,omitempty"`
	Timestamp     int64        `json:"timestamp"`
	Hash          string       `json:"hash"`
	orderBody
	CompletedAtISO string `json:"completed_at_iso,omitempty"`
}

// Signer is whose callback it is: with whose keys it is signed, and which answers of its receiver acknowledge it.
type Signer struct {
	APIKey        string
	SecretKey     core.Secret
	WebhookSecret core.Secret // zero: no Standard Webhooks signature

	PreviousWebhook owner.PreviousKey // signs beside WebhookSecret while its grace lasts

	Acknowledgement owner.Acknowledgement // its receivers'
}

// SignerOf is a provider as the one whose keys sign its callbacks.
func SignerOf(p owner.Provider) Signer {
	return Signer{p.APIKey, p.SecretKey, p.WebhookSecret, p.PreviousWebhook, p.CallbackAcknowledgement}
}

// SignerOfDealer is a dealer as the one whose keys sign its callbacks.
func SignerOfDealer(d owner.Dealer) Signer {
	return Signer{APIKey: d.APIKey, SecretKey: d.SecretKey, Acknowledgement: d.CallbackAcknowledgement}
}

// SequenceHeader is the header that repeats the body's sequence.
const SequenceHeader = "X-Callback-Sequence"

// moment is a time as dealer documents write it, and as Vezne adds it, with its offset.
func moment(at time.Time, zone *time.Location) (local, iso string) {
	at = at.In(zone)
	return at.Format("2006-01-02T15:04:05"), at.Format("2006-01-02T15:04:05-07:00")
}

// Message builds and signs the callback for an attempt at a moment: the legacy hash (Authentication: callbacks) in
// body and headers, and the Standard Webhooks headers beside it. Times within are in the zone.
func (c Callback) Message(p Signer, at time.Time, zone *time.Location) (CallbackMessage, error) {
	unix := strconv.FormatInt(at.Unix(), 10)
	hash := sign.Hash(p.APIKey, p.SecretKey.Reveal(), c.Payload.TrackingCode, string(c.Payload.Status), unix)
	body, err := c.body(at.Unix(), hash, zone)
	if err != nil {
		return CallbackMessage{}, err
	}
	headers := []CallbackHeader{
		{"Content-Type", "application/json"},
		{"X-Api-Key", p.APIKey},
		{"X-Timestamp", unix},
		{"X-Hash", hash},
		{"X-Callback-Id", string(c.ID)},
		{SequenceHeader, strconv.Itoa(c.Sequence)},
		{"webhook-id", string(c.ID)},
		{"webhook-timestamp", unix},
	}
	if !p.WebhookSecret.IsZero() {
		signature := p.webhook(string(c.ID), at, body)
		headers = append(headers, CallbackHeader{"webhook-signature", signature})
	}
	return CallbackMessage{
		Body: body, Headers: headers, Acknowledgement: p.Acknowledgement, Late: at.Sub(c.NextAttemptAt),
		Cause: core.Cause{Trace: c.Trace, IsRepeat: c.AttemptCount > 0},
	}, nil
}

// webhook is the Standard Webhooks signature: during the grace of a rotated secret that of each, the new one's first.
func (p Signer) webhook(id string, at time.Time, body []byte) string {
	unix := strconv.FormatInt(at.Unix(), 10)
	signature := sign.Webhook(p.WebhookSecret.Reveal(), id, unix, body)
	if p.PreviousWebhook.IsLive(at) {
		signature += " " + sign.Webhook(p.PreviousWebhook.Key.Reveal(), id, unix, body)
	}
	return signature
}

// Document is what the callback says as its receiver reads it, but for the timestamp and the hash, of which each attempt has its own:
// they are 0 and empty. Empty: the customer was forgotten.
func (c Callback) Document(zone *time.Location) (string, error) {
	if owner.IsForgotten(c.Payload.UserID) {
		return "", nil
	}
	body, err := c.body(0, "", zone)
	return string(body), err
}

func (c Callback) body(timestamp int64, hash string, zone *time.Location) ([]byte, error) {
	doc := c.document(timestamp, hash, zone)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func (c Callback) document(timestamp int64, hash string, zone *time.Location) any {
	p := c.Payload
	d := depositFields{
		TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Username: p.Username, Fullname: p.Fullname,
		UserID: p.UserID, SiteID: p.SiteID, Timestamp: timestamp, Hash: hash,
	}
	switch c.Kind {
	case WithdrawalCallback:
		return withdrawalBody{depositFields: d, IBAN: p.IBAN, orderBody: c.order(zone)}
	case CreditCardCallback:
		return cardBody{
			TrackingCode: p.TrackingCode, OrderID: p.Card.OrderID, Status: p.Status, Amount: p.Amount,
			Currency: p.Amount.Currency().Code, Username: p.Username, UserID: p.UserID, SiteID: p.SiteID,
			CustomerName: p.Card.CustomerName, CustomerEmail: p.Card.CustomerEmail, Timestamp: timestamp, Hash: hash,
			ErrorCode: p.Card.ErrorCode, ErrorMessage: p.Card.ErrorMessage, orderBody: c.order(zone),
		}
	case DealerCardCallback:
		return c.dealerCard(timestamp, hash, zone)
	case DealerDepositCallback, DealerWithdrawalCallback, DealerTransferCallback:
		return c.dealers(timestamp, hash, zone)
	case DepositCallback, EIBANDepositCallback:
	}
	return depositBody{depositFields: d, orderBody: c.order(zone)}
}

func (c Callback) order(zone *time.Location) orderBody {
	o := orderBody{Sequence: c.Sequence, Reference: c.Payload.Reference, Reason: c.Payload.EndedBy, PaidBy: c.Payload.PaidBy}
	if correction := c.Payload.Correction; correction.IsSet {
		o.Correction = &correctionBody{PreviousAmount: correction.PreviousAmount}
	}
	if !c.RestoredTo.IsZero() {
		_, o.RestoredTo = moment(c.RestoredTo, zone)
	}
	if d := c.Payload.Dispute; d.ID != "" {
		o.Dispute = &disputeBody{ID: d.ID, State: d.State, Reason: d.Reason, Amount: d.Amount, Withdrawn: d.Withdrawn, Reinstated: d.Reinstated}
		if !d.EvidenceDue.IsZero() {
			_, o.Dispute.EvidenceDue = moment(d.EvidenceDue, zone)
		}
	}
	return o
}

func (c Callback) dealers(timestamp int64, hash string, zone *time.Location) dealerBody {
	p := c.Payload
	b := dealerBody{
		Success: p.Status == Completed, TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Currency: p.Amount.Currency().Code,
		Timestamp: timestamp, Hash: hash, orderBody: c.order(zone),
	}
	if c.Kind != DealerTransferCallback {
		b.Username, b.UserID = p.Username, p.UserID
	}
	if c.Kind == DealerDepositCallback {
		b.Fullname = p.Fullname
	} else {
		b.RecipientName, b.RecipientIBAN = p.Fullname, p.IBAN
	}
	if b.Success {
		b.CompletedAt, b.CompletedAtISO = moment(p.Card.FinishedAt, zone)
	}
	return b
}

func (c Callback) dealerCard(timestamp int64, hash string, zone *time.Location) dealerCardBody {
	p := c.Payload
	b := dealerCardBody{
		Success: p.Status == Success, TrackingCode: p.TrackingCode, OrderID: p.Card.OrderID, Status: p.Status,
		Amount: p.Amount, Currency: p.Amount.Currency().Code, CustomerName: p.Card.CustomerName, Timestamp: timestamp,
		Hash: hash, orderBody: c.order(zone),
	}
	if b.Success {
		b.CustomerEmail, b.CustomerPhone = p.Card.CustomerEmail, p.Card.CustomerPhone
		b.StatusMessage = lang.Say(p.Card.Language, "card.succeeded")
		b.CompletedAt, b.CompletedAtISO = moment(p.Card.FinishedAt, zone)
	} else {
		b.ErrorCode, b.ErrorMessage = p.Card.ErrorCode, p.Card.ErrorMessage
	}
	return b
}

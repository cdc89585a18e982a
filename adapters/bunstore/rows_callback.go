package bunstore

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

type callbackRow struct {
	bun.BaseModel `bun:"table:callbacks"`

	ID            core.ID               `bun:"id,pk"`
	Version       int                   `bun:"version"`
	PaymentID     core.ID               `bun:"payment_id"`
	Sequence      int                   `bun:"sequence"`
	ProviderID    int64                 `bun:"provider_id"`
	SiteID        int64                 `bun:"site_id"`
	DealerID      int64                 `bun:"dealer_id"`
	Kind          payment.CallbackKind  `bun:"kind"`
	Receiver      string                `bun:"receiver"`
	State         payment.CallbackState `bun:"state"`
	Payload       string                `bun:"payload"`
	Attempts      int                   `bun:"attempts"`
	NextAttemptAt stamp                 `bun:"next_attempt_at,type:timestamptz"`
	LeaseUntil    stamp                 `bun:"lease_until,type:timestamptz"`
	CreatedAt     stamp                 `bun:"created_at,type:timestamptz"`
	FinishedAt    stamp                 `bun:"finished_at,type:timestamptz"`
	SupersededAt  stamp                 `bun:"superseded_at,type:timestamptz"`
}

// payloadJSON is what the payload column holds.
type payloadJSON struct {
	TrackingCode string         `json:"tracking_code"`
	Status       payment.Status `json:"status"`
	Currency     string         `json:"currency,omitempty"`
	AmountMinor  *int64         `json:"amount_minor,omitempty"`
	Username     string         `json:"username,omitempty"`
	Fullname     string         `json:"fullname,omitempty"`
	UserID       string         `json:"user_id,omitempty"`
	SiteID       int64          `json:"site_id,omitempty"`
	IBAN         string         `json:"iban,omitempty"`
	Card         cardJSON       `json:"card,omitzero"`

	// Of a correction, in the same currency as the amount.
	IsCorrection  bool   `json:"is_correction,omitempty"`
	PreviousMinor *int64 `json:"previous_minor,omitempty"`
}

type cardJSON struct {
	OrderID       string    `json:"order_id,omitempty"`
	CustomerName  string    `json:"customer_name,omitempty"`
	CustomerEmail string    `json:"customer_email,omitempty"`
	CustomerPhone string    `json:"customer_phone,omitempty"`
	FinishedAt    time.Time `json:"finished_at,omitzero"`
	Language      lang.Tag  `json:"language,omitempty"`
	ErrorCode     string    `json:"error_code,omitempty"`
	ErrorMessage  string    `json:"error_message,omitempty"`
}

func payloadText(p payment.Payload) (string, error) {
	code, err := codeOf(p.Amount, p.Correction.PreviousAmount)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(payloadJSON{
		TrackingCode: p.TrackingCode, Status: p.Status, Currency: code,
		AmountMinor: minorOf(p.Amount), Username: p.Username, Fullname: p.Fullname, UserID: p.UserID,
		SiteID: p.SiteID, IBAN: p.IBAN, Card: cardJSON(p.Card),
		IsCorrection: p.Correction.IsSet, PreviousMinor: minorOf(p.Correction.PreviousAmount),
	})
	return string(text), err
}

func payloadOf(text string) (payment.Payload, error) {
	var p payloadJSON
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return payment.Payload{}, err
	}
	money := amountsIn(p.Currency)
	p.Card.FinishedAt = p.Card.FinishedAt.UTC()
	return payment.Payload{
		TrackingCode: p.TrackingCode, Status: p.Status, Amount: money.of(p.AmountMinor), Username: p.Username,
		Fullname: p.Fullname, UserID: p.UserID, SiteID: p.SiteID, IBAN: p.IBAN,
		Card: payment.CardPayload(p.Card), Correction: payment.Correction{
			IsSet: p.IsCorrection, PreviousAmount: money.of(p.PreviousMinor),
		},
	}, money.err
}

func callbackRowOf(c payment.Callback) (callbackRow, error) {
	payload, err := payloadText(c.Payload)
	return callbackRow{
		ID: c.ID, Version: c.Version, PaymentID: c.PaymentID, Sequence: c.Sequence, ProviderID: c.ProviderID,
		SiteID: c.SiteID, DealerID: c.DealerID, Kind: c.Kind, Receiver: c.Receiver, State: c.State, Payload: payload, Attempts: c.Attempts,
		NextAttemptAt: stamp(c.NextAttemptAt), LeaseUntil: stamp(c.LeaseUntil), CreatedAt: stamp(c.CreatedAt),
		FinishedAt: stamp(c.FinishedAt), SupersededAt: stamp(c.SupersededAt),
	}, err
}

func (r callbackRow) callback() (payment.Callback, error) {
	payload, err := payloadOf(r.Payload)
	return payment.Callback{
		ID: r.ID, Version: r.Version, PaymentID: r.PaymentID, Sequence: r.Sequence, ProviderID: r.ProviderID,
		SiteID: r.SiteID, DealerID: r.DealerID, Kind: r.Kind, Receiver: r.Receiver, State: r.State, Payload: payload, Attempts: r.Attempts,
		NextAttemptAt: time.Time(r.NextAttemptAt), LeaseUntil: time.Time(r.LeaseUntil),
		CreatedAt: time.Time(r.CreatedAt), FinishedAt: time.Time(r.FinishedAt),
		SupersededAt: time.Time(r.SupersededAt),
	}, err
}

type attemptRow struct {
	bun.BaseModel `bun:"table:attempts"`

	CallbackID core.ID       `bun:"callback_id,pk"`
	ID         core.ID       `bun:"id,pk"`
	Number     int           `bun:"number"`
	At         stamp         `bun:"at,type:timestamptz"`
	Duration   time.Duration `bun:"duration_ns"`
	URL        string        `bun:"url"`
	HTTPStatus int           `bun:"http_status"`
	Error      string        `bun:"error"`
	Answer     string        `bun:"answer"`
}

func attemptRowOf(a payment.Attempt) attemptRow {
	return attemptRow{
		CallbackID: a.CallbackID, ID: a.ID, Number: a.Number, At: stamp(a.At), Duration: a.Duration, URL: a.URL,
		HTTPStatus: a.HTTPStatus, Error: a.Error, Answer: a.Answer,
	}
}

func (r attemptRow) attempt() (payment.Attempt, error) {
	return payment.Attempt{
		CallbackID: r.CallbackID, ID: r.ID, Number: r.Number, At: time.Time(r.At), Duration: r.Duration, URL: r.URL,
		HTTPStatus: r.HTTPStatus, Error: r.Error, Answer: r.Answer,
	}, nil
}

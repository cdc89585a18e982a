package bunstore

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// savedPaymentRow is all that ever changes of a payment, and what it is found by. The rest is written once, when the payment is created:
// saving needs no key, and brings nothing back that was forgotten meanwhile.
type savedPaymentRow struct {
	bun.BaseModel `bun:"table:payments"`

	ID             core.ID        `bun:"id,pk"`
	DealerID       int64          `bun:"dealer_id,pk"`
	Version        int            `bun:"version"`
	Status         payment.Status `bun:"status"`
	Currency       string         `bun:"currency"`
	AmountMinor    *int64         `bun:"amount_minor"`
	AccountID      int64          `bun:"account_id"`
	AccountBank    string         `bun:"account_bank"`
	AccountHolder  string         `bun:"account_holder"`
	AccountIBAN    string         `bun:"account_iban"`
	AccountDay     core.Day       `bun:"account_day"`
	HeldMinor      *int64         `bun:"held_minor"`
	Details        string         `bun:"details"`
	GatewayID      int64          `bun:"gateway_id"`
	OperationID    core.ID        `bun:"operation_id"`
	RefundedMinor  *int64         `bun:"refunded_minor"`
	CorrectedMinor *int64         `bun:"corrected_minor"`
	ClaimStaffID   int64          `bun:"claim_staff_id"`
	ClaimName      string         `bun:"claim_name"`
	ClaimedUntil   timestamp      `bun:"claimed_until,type:timestamptz"`
	ClaimRequestID core.ID        `bun:"claim_request_id"`
	Reason         string         `bun:"reason"`
	ExpiresAt      timestamp      `bun:"expires_at,type:timestamptz"`
	UpdatedAt      timestamp      `bun:"updated_at,type:timestamptz"`
	FinishedAt     timestamp      `bun:"finished_at,type:timestamptz"`
}

type paymentRow struct {
	bun.BaseModel `bun:"table:payments"`

	savedPaymentRow
	TrackingCode   string         `bun:"tracking_code"`
	Fingerprint    string         `bun:"token_fingerprint"`
	Method         payment.Method `bun:"method"`
	ProviderID     int64          `bun:"provider_id"`
	SiteID         int64          `bun:"site_id"`
	SiteName       string         `bun:"site_name"`
	Language       lang.Tag       `bun:"language"`
	RequestedMinor *int64         `bun:"requested_minor"`
	IsIBANSuspect  bool           `bun:"is_iban_suspect"`
	CreatedAt      timestamp      `bun:"created_at,type:timestamptz"`
	UserID         string         `bun:"user_id"`
	KeyID          string         `bun:"key_id"`
	Personal       string         `bun:"personal"` // sealed; empty: the customer was forgotten
}

func savedPaymentRowOf(p payment.Payment) (savedPaymentRow, error) {
	code, err := codeOf(p.RequestedAmount, p.Amount, p.Account.Held, p.Gateway.Refunded, p.Gateway.Disputed, p.CorrectedAmount, p.Cleared)
	if err != nil {
		return savedPaymentRow{}, err
	}
	details, err := detailsText(p)
	return savedPaymentRow{
		ID: p.ID, DealerID: p.DealerID, Version: p.Version, Status: p.Status, Currency: code, AmountMinor: minorOf(p.Amount),
		AccountID: p.Account.AccountID, AccountBank: p.Account.BankName, AccountHolder: p.Account.Holder,
		AccountIBAN: p.Account.IBAN, AccountDay: p.Account.Day, HeldMinor: minorOf(p.Account.Held),
		Details: details, GatewayID: p.Gateway.GatewayID, OperationID: p.Gateway.OperationID,
		RefundedMinor: minorOf(p.Gateway.Refunded), CorrectedMinor: minorOf(p.CorrectedAmount),
		ClaimStaffID: p.Claim.StaffID, ClaimName: p.Claim.Name, ClaimedUntil: timestamp(p.Claim.Until),
		ClaimRequestID: p.Claim.Hold.ApprovalID,
		Reason:         p.Reason, ExpiresAt: timestamp(p.ExpiresAt), UpdatedAt: timestamp(p.UpdatedAt), FinishedAt: timestamp(p.FinishedAt),
	}, err
}

func paymentRowOf(p payment.Payment, k dataKey) (paymentRow, error) {
	saved, err := savedPaymentRowOf(p)
	if err != nil {
		return paymentRow{}, err
	}
	sealed, err := sealPersonal(k, personalOf(p), "payments.personal", p.ID)
	return paymentRow{
		savedPaymentRow: saved, TrackingCode: p.TrackingCode, Fingerprint: p.TokenFingerprint, Method: p.Method,
		ProviderID: p.ProviderID, SiteID: p.SiteID, SiteName: p.SiteName, Language: p.Language,
		RequestedMinor: minorOf(p.RequestedAmount), IsIBANSuspect: p.IsIBANSuspect, CreatedAt: timestamp(p.CreatedAt),
		UserID: p.Customer.UserID, KeyID: k.id, Personal: sealed,
	}, err
}

// payment opens a row with its key.
func (r paymentRow) payment(k dataKey) (payment.Payment, error) {
	money := amountsIn(r.Currency)
	details, err := detailsOf(r.Details)
	personal, unopened := openPersonal[personalJSON](k, r.Personal, "payments.personal", r.ID)
	p := payment.Payment{
		ID: r.ID, Version: r.Version, TrackingCode: r.TrackingCode, TokenFingerprint: r.Fingerprint, Method: r.Method, Status: r.Status,
		ProviderID: r.ProviderID, SiteID: r.SiteID, SiteName: r.SiteName, DealerID: r.DealerID,
		Language:        r.Language,
		RequestedAmount: money.of(r.RequestedMinor), Amount: money.of(r.AmountMinor), IsIBANSuspect: r.IsIBANSuspect,
		Account: owner.OfferedAccount{
			AccountID: r.AccountID, BankName: r.AccountBank, Holder: r.AccountHolder, IBAN: r.AccountIBAN,
			Day: r.AccountDay, Held: money.of(r.HeldMinor),
		},
		Payer: details.Payer, Payee: details.Payee, Failure: details.Failure, PaidBy: details.PaidBy, EndedBy: details.EndedBy,
		Gateway: payment.GatewayState{
			GatewayID: r.GatewayID, OperationID: r.OperationID, Refunded: money.of(r.RefundedMinor),
			Disputed: money.of(details.Disputed), Disputes: details.Disputes,
		},
		Claim: payment.Claim{
			StaffID: r.ClaimStaffID, Name: r.ClaimName, Until: time.Time(r.ClaimedUntil),
			Hold: details.Hold.hold(r.ClaimRequestID),
		},
		CorrectedAmount: money.of(r.CorrectedMinor), Cleared: money.of(details.Cleared),
		Reason: r.Reason, ExpiresAt: time.Time(r.ExpiresAt), CreatedAt: time.Time(r.CreatedAt),
		UpdatedAt: time.Time(r.UpdatedAt), FinishedAt: time.Time(r.FinishedAt),
	}
	personal.take(&p, r.UserID)
	return p, errors.Join(money.err, err, unopened)
}

func (r paymentRow) keyID() string {
	if r.Personal == "" {
		return ""
	}
	return r.KeyID
}

func (r paymentRow) name() string { return r.TrackingCode + " " + string(r.ID) }

// detailsJSON is what the details column holds: what cards, payouts, disputed payments and withdrawals that a second person approves have beyond
// other payments, but for what is personal: of the payer our order id, of the payee the dealer's wallet. It is empty for those,
// which are most.
type detailsJSON struct {
	Payer   payment.CardPayer `json:"payer,omitzero"`
	Payee   payment.Payee     `json:"payee,omitzero"`
	Failure payment.Failure   `json:"failure,omitzero"`
	Hold    holdJSON          `json:"hold,omitzero"`
	Cleared *int64            `json:"cleared_minor,omitempty"`
	PaidBy  gateway.Kind      `json:"paid_by,omitempty"`
	EndedBy payment.EndedBy   `json:"ended_by,omitempty"`

	Disputed *int64 `json:"disputed_minor,omitempty"`
	Disputes int    `json:"disputes,omitempty"`
}

// holdJSON is the claim that there was before a request began to hold the withdrawal.
type holdJSON struct {
	StaffID int64  `json:"staff_id,omitempty"`
	Name    string `json:"name,omitempty"`
	Until   int64  `json:"until,omitempty"` // microseconds since 1970
}

func holdJSONOf(h payment.ClaimHold) holdJSON {
	j := holdJSON{StaffID: h.StaffID, Name: h.Name}
	if !h.Until.IsZero() {
		j.Until = h.Until.UnixMicro()
	}
	return j
}

func (j holdJSON) hold(request core.ID) payment.ClaimHold {
	h := payment.ClaimHold{ApprovalID: request, StaffID: j.StaffID, Name: j.Name}
	if j.Until != 0 {
		h.Until = time.UnixMicro(j.Until).UTC()
	}
	return h
}

func detailsText(p payment.Payment) (string, error) {
	d := detailsJSON{
		Payer: payment.CardPayer{OrderID: p.Payer.OrderID}, Payee: payment.Payee{WalletID: p.Payee.WalletID}, Failure: p.Failure,
		Hold: holdJSONOf(p.Claim.Hold), Cleared: minorOf(p.Cleared), PaidBy: p.PaidBy, EndedBy: p.EndedBy,
		Disputed: minorOf(p.Gateway.Disputed), Disputes: p.Gateway.Disputes,
	}
	if d == (detailsJSON{}) {
		return "", nil
	}
	text, err := json.Marshal(d)
	return string(text), err
}

func detailsOf(text string) (d detailsJSON, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &d)
	}
	return d, err
}

type moveRow struct {
	bun.BaseModel `bun:"table:moves"`

	PaymentID core.ID   `bun:"payment_id,pk"`
	ID        core.ID   `bun:"id,pk"`
	At        timestamp `bun:"at,type:timestamptz"`
	actorRow
	Command     payment.Command `bun:"command"`
	From        payment.Status  `bun:"from_status"`
	To          payment.Status  `bun:"to_status"`
	Currency    string          `bun:"currency"`
	AmountMinor *int64          `bun:"amount_minor"`
	Reason      string          `bun:"reason"`
}

func moveRowOf(m payment.Transition) moveRow {
	return moveRow{
		PaymentID: m.PaymentID, ID: m.ID, At: timestamp(m.At), actorRow: actorRowOf(m.Actor), Command: m.Command,
		From: m.From, To: m.To, Currency: m.Amount.Currency().Code, AmountMinor: minorOf(m.Amount), Reason: m.Reason,
	}
}

func (r moveRow) move() (payment.Transition, error) {
	money := amountsIn(r.Currency)
	return payment.Transition{
		ID: r.ID, PaymentID: r.PaymentID, At: time.Time(r.At), Actor: r.actor(), Command: r.Command,
		From: r.From, To: r.To, Amount: money.of(r.AmountMinor), Reason: r.Reason,
	}, money.err
}

// PaymentByTrackingCode implements ports.Payments.
func (s *Store) PaymentByTrackingCode(ctx context.Context, code string) (payment.Payment, error) {
	return s.paymentBy(ctx, "bunstore.PaymentByTrackingCode", s.finders.byTrackingCode, code)
}

// PaymentByReference implements ports.Payments. A reference is found by its keyed hash within its owner, as a name is.
func (s *Store) PaymentByReference(ctx context.Context, o payment.ReferenceOwner, reference string) (payment.Payment, error) {
	const op = "bunstore.PaymentByReference"
	b, err := s.blindingOf(ctx)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	term := b.reference(payment.Payment{ProviderID: o.ProviderID, DealerID: o.DealerID, Reference: reference})
	return onePersonal(ctx, s, op, paymentRow.payment, "id = (SELECT id FROM payment_terms WHERE term = ? ORDER BY id DESC LIMIT 1)", term)
}

// PaymentByToken implements ports.Payments.
func (s *Store) PaymentByToken(ctx context.Context, token string) (payment.Payment, error) {
	p, err := s.paymentBy(ctx, "bunstore.PaymentByToken", s.finders.byToken, fingerprintOf(token))
	if err == nil {
		p.Token = token
	}
	return p, err
}

// PaymentByID implements ports.Payments.
func (s *Store) PaymentByID(ctx context.Context, id core.ID) (payment.Payment, error) {
	return s.paymentBy(ctx, "bunstore.PaymentByID", s.finders.byID, string(id))
}

// DuePayments implements ports.Payments. The words of its index are repeated as they are there. SQLite would rather read
// all that show and sort them.
func (s *Store) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[payment.Payment], error) {
	at := func(r paymentRow) core.DueCursor { return core.DueCursor{At: time.Time(r.ExpiresAt), ID: r.ID} }
	q := s.reads.NewSelect().ModelTableExpr("payments AS payment_row" + s.dialect.byIndex("payments_due"))
	q = q.Where("status IN ('showing', 'pending') AND operation_id = '' AND expires_at <= ?", timestamp(now))
	o := personalOpener[paymentRow, payment.Payment]{table: "payments", turn: paymentRow.payment, name: paymentRow.name}
	return duePage(ctx, s, "bunstore.DuePayments", q, after, limit, o.open, at)
}

// together puts queries of a table together, each of which returns at most limit rows in the same order.
func together[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), parts []any, order string, limit int,
) ([]T, error) {
	union := strings.TrimSuffix(strings.Repeat("SELECT * FROM (?) AS part UNION ALL ", len(parts)), " UNION ALL ")
	return raw(ctx, s, op, turn, "SELECT * FROM ("+union+") AS parts ORDER BY "+order+" LIMIT ?", append(parts, limit)...)
}

// MovesOf implements ports.Payments.
func (s *Store) MovesOf(
	ctx context.Context, payments []core.ID, page core.Paging[payment.TransitionID],
) ([]payment.Transition, error) {
	order := listOrder[payment.TransitionID]{
		columns: []string{"at", "id"}, values: func(c payment.TransitionID) []any { return []any{timestamp(c.At), c.ID} },
	}
	return pageOfEach(ctx, s, "bunstore.MovesOf", moveRow.move, "moves", "", order, payments, page)
}

// PaymentsByID implements ports.Payments.
func (s *Store) PaymentsByID(ctx context.Context, scope core.Scope, ids []core.ID) ([]payment.Payment, error) {
	const op = "bunstore.PaymentsByID"
	if len(ids) == 0 {
		return nil, nil
	}
	q := s.alsoIn(s.reads.NewSelect().Where("id IN (?)", bun.List(ids)), scope)
	return queriedPersonal(ctx, s, op, paymentRow.payment, q.OrderExpr("id"))
}

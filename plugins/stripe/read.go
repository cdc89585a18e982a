package stripe

import (
	"cmp"
	"context"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// intent is a payment intent: all tries of cards on a session, and the money of the one that succeeded.
type intent struct {
	ID        string              `json:"id"`
	Status    string              `json:"status"`
	Received  int64               `json:"amount_received"`
	Currency  string              `json:"currency"`
	Created   int64               `json:"created"`
	Metadata  map[string]string   `json:"metadata"`
	LastError *failure            `json:"last_payment_error"`
	Charge    *expandable[charge] `json:"latest_charge"`
	Review    *expandable[review] `json:"review"`
}

// charge is one try of a card; the latest one is that which paid.
type charge struct {
	Refunded int64 `json:"amount_refunded"`
	Disputed bool  `json:"disputed"`
}

// review is the fraud check of a payment whose money was taken.
type review struct {
	IsOpen bool `json:"open"`
}

// whole asks for a session's objects, which are ids otherwise.
func whole(prefix string) []string { return []string{prefix + "latest_charge", prefix + "review"} }

const inSession = "payment_intent."

// ReadDeposit implements ports.DepositReader.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	s, err := g.sessionOf(ctx, k)
	if err != nil {
		return gateway.Observation{}, err
	}
	return s.observe(k.Ref)
}

func (g *Gateway) sessionOf(ctx context.Context, k gateway.DepositKey) (session, error) {
	id := k.External.Alt[altSession]
	if id == "" {
		return g.sessionByRef(ctx, k.Ref)
	}
	var s session
	err := g.get(ctx, pathSessions+plugkit.Path(id), url.Values{"expand[]": whole(inSession)}, &s)
	if err == nil && s.ID != id {
		err = plugkit.Distrust(gateway.Retryable, "the answer is about another session")
	}
	if err == nil {
		err = s.isOf(k.Ref)
	}
	return s, err
}

// sessionByRef finds a session by our reference alone, once a card was tried on it: Stripe searches payment intents and not
// sessions. What a search shows may be an hour old, so that it only leads to the session.
func (g *Gateway) sessionByRef(ctx context.Context, ref gateway.Ref) (session, error) {
	if !isPlain(string(ref)) {
		return session{}, plugkit.Refuse(gateway.NotFound, "no order has such a reference")
	}
	var found list[intent]
	query := url.Values{"query": {`metadata["` + metaRef + `"]:"` + string(ref) + `"`}, "limit": {page}}
	if err := g.get(ctx, pathIntents+"/search", query, &found); err != nil {
		return session{}, err
	}
	var best *session
	for _, p := range found.Data {
		if p.Metadata[metaRef] != string(ref) {
			continue
		}
		var sessions list[session]
		query := url.Values{"payment_intent": {p.ID}, "expand[]": whole("data." + inSession)}
		if err := g.get(ctx, pathSessions, query, &sessions); err != nil {
			return session{}, err
		}
		for _, s := range sessions.Data {
			if err := s.isOf(ref); err != nil {
				return session{}, err
			}
			if best == nil || s.PaymentStatus == "paid" {
				best = &s
			}
		}
	}
	if best == nil {
		return session{}, plugkit.Refuse(gateway.NotFound, "no card was tried for this order")
	}
	return *best, nil
}

// isPlain reports whether a reference is letters and digits, which a search takes as they are.
func isPlain(ref string) bool {
	return ref != "" && !strings.ContainsFunc(ref, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// observe reports a session. Once there is a payment intent its status counts, and the money that it received.
func (s session) observe(ref gateway.Ref) (gateway.Observation, error) {
	o := gateway.Observation{
		Ref: ref, Trust: gateway.Answered, External: gateway.ExternalRef{Alt: map[string]string{altSession: s.ID}},
	}
	switch {
	case s.Intent == nil:
		o.Raw = s.Status + "/" + s.PaymentStatus
		o.State = sessions.Of(o.Raw)
		return o, nil
	case s.Intent.object == nil:
		return o, plugkit.Distrust(gateway.Retryable, "the answer has no payment intent, though it was asked for")
	}
	p := s.Intent.object
	o.External.ID = p.ID
	if err := p.observe(&o); err != nil {
		return o, err
	}
	if s.Status != "open" {
		o.CanStillPay = false
	}
	if s.Status == "expired" && slices.Contains([]gateway.State{gateway.Waiting, gateway.Failed, gateway.Canceled}, o.State) {
		o.State = gateway.Expired
	}
	return o, nil
}

// observe adds what an intent says.
func (p *intent) observe(o *gateway.Observation) error {
	o.Raw, o.State = p.Status, intents.Of(p.Status)
	if o.State == gateway.Waiting && p.LastError != nil { // the customer may try another card while the session is open
		o.State, o.Reason, o.CanStillPay = gateway.Failed, p.LastError.reason(), true
	}
	if o.State != gateway.Paid {
		return nil
	}
	paid := units(p.Received, p.Currency)
	if p.Received <= 0 || p.Currency == "" {
		return plugkit.Distrust(gateway.Retryable, "a payment succeeded, and the answer does not say of how much")
	}
	if p.Charge == nil || p.Charge.object == nil || p.Review != nil && p.Review.object == nil {
		return plugkit.Distrust(gateway.Retryable, "the answer has no charge or review, though they were asked for")
	}
	o.Paid = &paid
	back := units(p.Charge.object.Refunded, p.Currency)
	switch {
	case p.Charge.object.Disputed:
		o.State = gateway.Disputed
	case back.Amount.Cmp(paid.Amount) >= 0:
		o.State = gateway.Refunded
	case back.Amount.Sign() > 0:
		o.State = gateway.PartRefunded
	case p.Review != nil && p.Review.object.IsOpen:
		o.State = gateway.Review
	}
	if back.Amount.Sign() > 0 {
		o.Refunded = &back
	}
	return nil
}

func (f failure) reason() *gateway.Reason { return failures.Reason(f.raw(), f.Message) }

// undivided are currencies that Stripe states in whole units; a few have three decimals, and all others two.
var (
	undivided = strings.Fields("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF")
	thousands = strings.Fields("BHD JOD KWD OMR TND")
)

// units reads an amount in the smallest unit of its currency.
func units(n int64, currency string) gateway.Money {
	asset := gateway.Asset{Code: strings.ToUpper(currency), Decimals: 2}
	switch {
	case slices.Contains(undivided, asset.Code):
		asset.Decimals = 0
	case slices.Contains(thousands, asset.Code):
		asset.Decimals = 3
	}
	return gateway.Money{Amount: money.DecimalOf(big.NewInt(n), asset.Decimals), Asset: asset}
}

// CancelDeposit implements ports.DepositCanceler. Stripe closes a session that is open; of any other it says why not, and
// the session tells what became of it.
func (g *Gateway) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	id := o.External.Alt[altSession]
	if id == "" {
		s, err := g.sessionByRef(ctx, o.Ref)
		if err != nil {
			return gateway.Observation{}, err
		}
		id = s.ID
		o.External.Alt = map[string]string{altSession: id}
	}
	var closed session
	err := g.post(ctx, pathSessions+plugkit.Path(id, "expire"), "", url.Values{"expand[]": whole(inSession)}, &closed)
	if err == nil {
		err = closed.isOf(o.Ref)
	}
	if err == nil {
		return closed.observe(o.Ref)
	}
	if !gateway.IsClass(err, gateway.Invalid) {
		return gateway.Observation{}, err
	}
	seen, readErr := g.ReadDeposit(ctx, o.DepositKey)
	if readErr == nil && (seen.State == gateway.Waiting || seen.CanStillPay) {
		readErr = err
	}
	return seen, readErr
}

// ListDeposits implements ports.DepositLister: the payment intents of a window, newest first. A cursor is the last one's id.
func (g *Gateway) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	if !w.From.Before(w.To) {
		return gateway.ObservationPage{}, nil
	}
	query := url.Values{
		"created[gte]": {seconds(w.From)}, "created[lt]": {seconds(w.To)}, "limit": {page}, "expand[]": whole("data."),
	}
	if c != "" {
		query.Set("starting_after", string(c))
	}
	var found list[intent]
	if err := g.get(ctx, pathIntents, query, &found); err != nil {
		return gateway.ObservationPage{}, err
	}
	var listed gateway.ObservationPage
	for _, p := range found.Data {
		if *found.HasMore {
			listed.Next = gateway.Cursor(p.ID)
		}
		if p.Metadata[metaRef] == "" {
			continue // not one of ours
		}
		o := gateway.Observation{
			Ref: gateway.Ref(p.Metadata[metaRef]), Trust: gateway.Answered, External: gateway.ExternalRef{ID: p.ID},
			At: time.Unix(p.Created, 0).UTC(),
		}
		if err := p.observe(&o); err != nil {
			return gateway.ObservationPage{}, err
		}
		listed.Items = append(listed.Items, o)
	}
	return listed, nil
}

// seconds is a moment as Stripe takes it, rounded up: a window has its beginning and not its end.
func seconds(at time.Time) string {
	return strconv.FormatInt(at.Add(time.Second-1).Unix(), 10)
}

// paidIntent is the id of the payment intent of a deposit; an error where no card was tried.
func (g *Gateway) paidIntent(ctx context.Context, k gateway.DepositKey) (string, error) {
	if k.External.ID != "" {
		return k.External.ID, nil
	}
	s, err := g.sessionOf(ctx, k)
	switch {
	case err != nil:
		return "", err
	case s.Intent == nil:
		return "", plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	default:
		return cmp.Or(s.Intent.id, s.Intent.object.ID), nil
	}
}

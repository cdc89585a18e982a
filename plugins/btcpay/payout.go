package btcpay

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// payout is a payout as the server tells it.
type payout struct {
	ID               string          `json:"id"`
	PullPaymentID    string          `json:"pullPaymentId"`
	State            string          `json:"state"`
	OriginalAmount   number          `json:"originalAmount"`
	OriginalCurrency string          `json:"originalCurrency"`
	Metadata         json.RawMessage `json:"metadata"`
	Proof            json.RawMessage `json:"paymentProof"`
}

// proof is the transaction, or whatever a person entered who paid it elsewhere: any JSON will do there. A transaction that
// the server does not count was replaced by another.
func (p payout) proof() string {
	var said struct{ TransactionID, ID, Link, Accounted any }
	if json.Unmarshal(p.Proof, &said) != nil || said.Accounted == false {
		return ""
	}
	transaction, _ := said.TransactionID.(string)
	id, _ := said.ID.(string)
	link, _ := said.Link.(string)
	return cmp.Or(transaction, id, link)
}

// newPull asks for a pull payment. Its claims are never approved by themselves.
type newPull struct {
	Name          string   `json:"name"`
	Description   string   `json:"description"`
	Amount        string   `json:"amount"`
	Currency      string   `json:"currency"`
	PayoutMethods []string `json:"payoutMethods"`
	ApprovesAll   bool     `json:"autoApproveClaims"`
	ExpiresAt     int64    `json:"expiresAt"`
}

type newPayout struct {
	Destination   string         `json:"destination"`
	Amount        string         `json:"amount"`
	PayoutMethod  string         `json:"payoutMethodId"`
	PullPaymentID string         `json:"pullPaymentId"`
	IsApproved    bool           `json:"approved"`
	Metadata      payoutMetadata `json:"metadata"`
}

type payoutMetadata struct {
	Ref    string `json:"ref"`
	Source string `json:"source"` // shown in the server's list
}

// envelopeLife is how long a payout can be claimed from its envelope. It is used at once; the rest is for clocks that
// differ.
const envelopeLife = time.Hour

// SendPayout implements ports.Payer.
//
// A payout of its own would be in coins: its amount has no currency. So each is claimed from an envelope that holds
// exactly its lira, and the server converts it when it is approved, at its own rate. An envelope pays once.
//
// The server has no idempotency key. This first looks for a payout with the reference, so that a repetition finds it
// and sends nothing; and then for an envelope, since the payouts of an archived one are hidden. Two calls at the same time
// can still both find nothing: the core never sends twice.
func (g *Gateway) SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	address, err := g.checkOrder(o)
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	if known, err := g.payoutByRef(ctx, o.Ref); !gateway.IsClass(err, gateway.NotFound) {
		if err != nil {
			return gateway.PayoutReport{}, unsent(err)
		}
		return known.report(), nil
	}
	envelope, err := g.envelopeOf(ctx, o.Ref)
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	order := newPayout{
		Destination: address, Amount: o.Amount.Amount.Fixed(gateway.TRY.Decimals), PayoutMethod: g.payBy, PullPaymentID: envelope,
		IsApproved: g.isApproved, Metadata: payoutMetadata{Ref: string(o.Ref), Source: "Vezne " + string(o.Ref)},
	}
	if envelope != "" { // of a payout that was not made, as the server listed none
		report, err := g.claim(ctx, o.Ref, order)
		if err == nil || gateway.ErrorOf(err).RawCode != "expired" {
			return report, err
		}
	}
	if order.PullPaymentID, err = g.newEnvelope(ctx, o.Ref, order.Amount); err != nil {
		return gateway.PayoutReport{}, unsent(err) // an envelope alone pays nobody, and expires
	}
	return g.claim(ctx, o.Ref, order)
}

// envelopeOf finds the latest envelope of a payout; empty: there is none. What was paid from an archived one nobody can see:
// a payout that was may not be sent again.
func (g *Gateway) envelopeOf(ctx context.Context, ref gateway.Ref) (string, error) {
	list, err := g.pulls(ctx)
	if err != nil {
		return "", unsent(err)
	}
	latest := ""
	for _, p := range slices.Backward(list) { // the newest comes first
		if p.Name != string(ref) || p.Description != envelopeFor(ref) {
			continue
		}
		if p.IsArchived {
			return "", &gateway.Error{Class: gateway.Conflicting, RawText: "the payout's pull payment was archived: whether it was paid does not show"}
		}
		latest = p.ID
	}
	return latest, nil
}

// envelopeFor marks the pull payments that payouts are claimed from.
func envelopeFor(ref gateway.Ref) string { return "payout " + string(ref) }

func (g *Gateway) newEnvelope(ctx context.Context, ref gateway.Ref, amount string) (string, error) {
	var made pull
	err := g.client.Call(ctx, "POST", g.path("pull-payments"), newPull{
		Name: string(ref), Description: envelopeFor(ref), Amount: amount, Currency: gateway.TRY.Code,
		PayoutMethods: []string{g.payBy}, ExpiresAt: g.clock.Now().Add(envelopeLife).Unix(),
	}, &made)
	if err == nil && made.ID == "" {
		err = plugkit.Distrust(gateway.Retryable, "the answer has no id")
	}
	return made.ID, err
}

// checkOrder finds what is wrong with an order before anything is asked.
func (g *Gateway) checkOrder(o gateway.PayoutOrder) (address string, err error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return "", err
	}
	asset := assetOf(g.payBy)
	if o.Ref == "" || o.Asset.Code != asset.Code || o.Asset.Network != asset.Network {
		return "", plugkit.Refuse(gateway.Unsupported, "payouts are in "+asset.String()+", and have a reference")
	}
	fields, failed := gateway.CheckFields(descriptor().Payout.Needs, asset, o.Fields)
	if len(failed) > 0 {
		return "", plugkit.Refuse(gateway.Invalid, failed[0].Name+" is missing or wrong")
	}
	return fields["wallet_address"], nil
}

// claim makes the payout. Two refusals may mean that it is there already: of the address, to which only one payout can
// be open, and of the envelope.
func (g *Gateway) claim(ctx context.Context, ref gateway.Ref, order newPayout) (gateway.PayoutReport, error) {
	var p payout
	err := g.client.Call(ctx, "POST", g.path("payouts"), order, &p)
	if err != nil {
		code := gateway.ErrorOf(err).RawCode
		if code != "duplicate-destination" && code != "overdraft" {
			return gateway.PayoutReport{}, err
		}
		known, otherErr := g.payoutByRef(ctx, ref)
		switch {
		case otherErr == nil:
			return known.report(), nil
		case gateway.IsClass(otherErr, gateway.NotFound):
			return gateway.PayoutReport{}, err
		default: // whether it is ours is not known
			return gateway.PayoutReport{}, &gateway.Error{Class: gateway.Conflicting, RawCode: code, Err: otherErr}
		}
	}
	if p.ID == "" {
		return gateway.PayoutReport{}, plugkit.Distrust(gateway.Retryable, "the answer has no id")
	}
	return p.report(), nil
}

func (g *Gateway) payoutByID(ctx context.Context, id string) (payout, error) {
	var p payout
	err := g.get(ctx, g.path("payouts", id), &p)
	if isForbidden(err) {
		if _, err := g.payouts(ctx); err != nil {
			return payout{}, err
		}
		return payout{}, plugkit.Refuse(gateway.NotFound, "the server has no such payout, or it is another store's")
	}
	if err != nil {
		return payout{}, err
	}
	if p.ID != id {
		return payout{}, plugkit.Distrust(gateway.Retryable, "the answer is not the payout that was asked for")
	}
	return p, nil
}

// payouts lists the store's payouts, but those of archived pull payments: the server hides them in every list and read.
func (g *Gateway) payouts(ctx context.Context) ([]payout, error) {
	var list []payout
	err := g.get(ctx, g.path("payouts")+"?includeCancelled=true", &list)
	return list, err
}

// payoutByRef looks through all of the store's payouts, for which the server has neither a filter nor pages. Of several
// with one reference it returns the one that is furthest.
func (g *Gateway) payoutByRef(ctx context.Context, ref gateway.Ref) (payout, error) {
	list, err := g.payouts(ctx)
	if err != nil {
		return payout{}, err
	}
	list = slices.DeleteFunc(list, func(p payout) bool { return ref == "" || refIn(p.Metadata, payoutRefOf) != ref })
	if len(list) == 0 {
		return payout{}, plugkit.Refuse(gateway.NotFound, "no payout has this reference")
	}
	return slices.MaxFunc(list, func(a, b payout) int { return cmp.Compare(a.progress(), b.progress()) }), nil
}

func (g *Gateway) findPayout(ctx context.Context, k gateway.PayoutKey) (payout, error) {
	if k.External.ID != "" {
		return g.payoutByID(ctx, k.External.ID)
	}
	return g.payoutByRef(ctx, k.Ref)
}

func (p payout) progress() int {
	order := []gateway.PayoutState{
		gateway.PayoutCanceled, gateway.PayoutUnknown, gateway.PayoutNeedsApproval, gateway.PayoutQueued, gateway.PayoutSent,
		gateway.PayoutDone,
	}
	return slices.Index(order, payoutStates.Of(p.State))
}

// report is the payout's. Sent is in the lira that were asked for; what they came to in coins shows on the server.
func (p payout) report() gateway.PayoutReport {
	r := gateway.PayoutReport{
		Ref: refIn(p.Metadata, payoutRefOf), External: gateway.ExternalRef{ID: p.ID}, State: payoutStates.Of(p.State),
		Trust: gateway.Answered, Raw: p.State, Proof: p.proof(),
	}
	if isOut := r.State == gateway.PayoutSent || r.State == gateway.PayoutDone; isOut && p.OriginalAmount.Sign() > 0 {
		asset := plugkit.Currency(p.OriginalCurrency)
		r.Sent = &gateway.Money{Amount: p.OriginalAmount.Decimal, Asset: asset}
	}
	return r
}

// ReadPayout implements ports.Payer.
func (g *Gateway) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	p, err := g.findPayout(ctx, k)
	switch {
	case err == nil:
		return p.report(), nil
	case gateway.IsClass(err, gateway.NotFound):
		return g.hidden(ctx, k, err)
	default:
		return gateway.PayoutReport{}, err
	}
}

// hidden reports a payout that is not found. Where its envelope was archived it may be there all the same.
func (g *Gateway) hidden(ctx context.Context, k gateway.PayoutKey, missing error) (gateway.PayoutReport, error) {
	switch _, err := g.envelopeOf(ctx, k.Ref); {
	case gateway.IsClass(err, gateway.Conflicting):
		return gateway.PayoutReport{
			Ref: k.Ref, External: k.External, State: gateway.PayoutUnknown, Trust: gateway.Answered, Raw: "archived",
		}, nil
	case err != nil:
		return gateway.PayoutReport{}, err
	default:
		return gateway.PayoutReport{}, missing
	}
}

// CancelPayout implements ports.PayoutCanceler.
func (g *Gateway) CancelPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	p, err := g.findPayout(ctx, k)
	if err != nil {
		return gateway.PayoutReport{}, unsent(err)
	}
	if s := payoutStates.Of(p.State); s != gateway.PayoutNeedsApproval && s != gateway.PayoutQueued {
		return p.report(), nil
	}
	err = g.client.Call(ctx, "DELETE", g.path("payouts", p.ID), nil, nil)
	if err != nil && gateway.ErrorOf(err).RawCode != "invalid-state" { // it was sent meanwhile
		return gateway.PayoutReport{}, err
	}
	return g.reread(ctx, p.ID)
}

// reread reports a payout after it was moved.
func (g *Gateway) reread(ctx context.Context, id string) (gateway.PayoutReport, error) {
	p, err := g.payoutByID(ctx, id)
	if err != nil {
		return gateway.PayoutReport{}, afterwards(err)
	}
	return p.report(), nil
}

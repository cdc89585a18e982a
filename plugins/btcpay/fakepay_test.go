package btcpay_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// pull is a pull payment at the server.
type pull struct {
	id, name, description, currency, refunds string
	amount                                   money.Decimal
	expires                                  time.Time
	isArchived                               bool
}

// payout is a payout at the server.
type payout struct {
	id, state, destination, pullID, currency string
	amount                                   money.Decimal
	metadata                                 any
	ref                                      string
	proof                                    any
}

func (s *server) createPull(_ *http.Request, in map[string]any) (any, error) {
	if err := only(in, "name", "description", "amount", "currency", "BOLT11Expiration", "autoApproveClaims", "startsAt", "expiresAt",
		"payoutMethods"); err != nil {
		return nil, err
	}
	amount, err := amountIn(in, "amount")
	if err != nil {
		return nil, err
	}
	if text(in, "currency") == "" || len(text(in, "name")) > 50 {
		return nil, wrong("name", "The name should be maximum 50 characters.")
	}
	p := &pull{id: s.id(), name: text(in, "name"), description: text(in, "description"), currency: text(in, "currency"), amount: amount}
	if at, ok := in["expiresAt"].(float64); ok {
		p.expires = time.Unix(int64(at), 0)
	}
	s.pulls = append(s.pulls, p)
	s.writes++
	return p.show(), nil
}

func (p *pull) show() any {
	return map[string]any{
		"id": p.id, "name": p.name, "description": p.description, "currency": p.currency, "amount": p.amount.String(),
		"archived": p.isArchived, "autoApproveClaims": false, "viewLink": "https://btcpay.example.com/pull-payments/" + p.id,
	}
}

// refundInvoice knows the variant Custom alone. It gives back as much as it is told to, as the server does.
func (s *server) refundInvoice(r *http.Request, in map[string]any) (any, error) {
	b, err := s.bill(r)
	if err != nil {
		return nil, err
	}
	amount, amountErr := amountIn(in, "customAmount")
	if err := errors.Join(amountErr, only(in, "name", "description", "payoutMethodId", "refundVariant", "subtractPercentage",
		"customAmount", "customCurrency")); err != nil {
		return nil, err
	}
	canRefund := b.status == "Settled" || b.status == "Invalid" || b.status == "Expired" && b.additional != "None"
	switch {
	case !canRefund:
		return nil, failure(400, "non-refundable", "Cannot refund this invoice")
	case text(in, "refundVariant") != "Custom":
		return nil, wrong("refundVariant", "Please select a valid refund option")
	case text(in, "payoutMethodId") != "BTC-CHAIN" || len(text(in, "name")) > 50:
		return nil, wrong("payoutMethodId", "Please select one of the payment methods which were available for the original invoice")
	}
	p := &pull{
		id: s.id(), name: text(in, "name"), description: text(in, "description"), currency: text(in, "customCurrency"),
		amount: amount, refunds: b.id,
	}
	s.pulls = append(s.pulls, p)
	s.writes++
	return p.show(), nil
}

func (s *server) listPulls(r *http.Request, _ map[string]any) (any, error) {
	list := []any{}
	for _, p := range slices.Backward(s.pulls) { // the newest first
		if !p.isArchived || r.URL.Query().Get("includeArchived") == "true" {
			list = append(list, p.show())
		}
	}
	return list, nil
}

func (s *server) pull(id string) (*pull, error) {
	for _, p := range s.pulls {
		if p.id == id {
			return p, nil
		}
	}
	return nil, failure(404, "pullpayment-not-found", "The pull payment was not found")
}

func (s *server) getPull(r *http.Request, _ map[string]any) (any, error) {
	p, err := s.pull(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return p.show(), nil
}

func (s *server) pullPayouts(r *http.Request, _ map[string]any) (any, error) {
	list := []any{}
	for _, p := range s.payouts {
		if p.pullID == r.PathValue("id") && s.isListed(p, r) {
			list = append(list, p.show())
		}
	}
	return list, nil
}

// isListed hides payouts of an archived pull payment, as every list and read of 2.x does (PullPaymentHostedService.cs, line
// 259 in 2.4.1): there is no switch for it.
func (s *server) isListed(p *payout, r *http.Request) bool {
	return !s.isArchived(p) && (p.state != "Cancelled" || r.URL.Query().Get("includeCancelled") == "true")
}

func (s *server) isArchived(p *payout) bool {
	from, err := s.pull(p.pullID)
	return err == nil && from.isArchived
}

func (s *server) listPayouts(r *http.Request, _ map[string]any) (any, error) {
	list := []any{}
	for _, p := range s.payouts {
		if s.isListed(p, r) {
			list = append(list, p.show())
		}
	}
	return list, nil
}

func (p *payout) show() any {
	return map[string]any{
		"id": p.id, "pullPaymentId": p.pullID, "revision": 0, "date": 1592312018, "destination": p.destination,
		"originalCurrency": p.currency, "originalAmount": p.amount.String(), "payoutCurrency": "BTC", "payoutAmount": nil,
		"payoutMethodId": "BTC-CHAIN", "state": p.state, "metadata": p.metadata, "paymentProof": p.proof,
	}
}

// createPayout takes amounts in the currency of the pull payment, and in coins where there is none.
func (s *server) createPayout(_ *http.Request, in map[string]any) (any, error) {
	amount, err := amountIn(in, "amount")
	if err := errors.Join(err, only(in, "destination", "amount", "payoutMethodId", "pullPaymentId", "approved", "metadata")); err != nil {
		return nil, err
	}
	if !gateway.IsAddress("Bitcoin", text(in, "destination")) || text(in, "payoutMethodId") != "BTC-CHAIN" {
		return nil, wrong("destination", "The destination is invalid for the payment specified")
	}
	p := &payout{
		state: "AwaitingApproval", destination: text(in, "destination"), pullID: text(in, "pullPaymentId"), currency: "BTC",
		amount: amount, metadata: in["metadata"], ref: text(part(in, "metadata"), "ref"),
	}
	if p.pullID != "" {
		from, err := s.pull(p.pullID)
		if err != nil {
			return nil, err
		}
		if err := s.mayClaim(from, amount); err != nil {
			return nil, err
		}
		p.currency = from.currency
	}
	for _, other := range s.payouts {
		isOpen := other.state != "Completed" && other.state != "Cancelled"
		if isOpen && other.destination == p.destination && s.isStrict {
			return nil, failure(400, "duplicate-destination", "This address is already used for another payout")
		}
	}
	if in["approved"] == true {
		p.state = "AwaitingPayment"
	}
	p.id = s.id()
	s.payouts = append(s.payouts, p)
	s.writes++
	return p.show(), nil
}

func (s *server) mayClaim(from *pull, amount money.Decimal) error {
	spent := money.Decimal{}
	for _, other := range s.payouts {
		if other.pullID == from.id && other.state != "Cancelled" {
			spent = spent.Add(other.amount)
		}
	}
	switch {
	case from.isArchived:
		return failure(400, "archived", "This pull payment has been archived")
	case !from.expires.IsZero() && from.expires.Before(s.now()):
		return failure(400, "expired", "This pull payment is expired")
	case spent.Add(amount).Cmp(from.amount) > 0:
		return failure(400, "overdraft", "The payout amount overdraft the pull payment's limit")
	default:
		return nil
	}
}

func (s *server) payout(r *http.Request) (*payout, error) {
	for _, p := range s.payouts {
		if p.id == r.PathValue("id") && !s.isArchived(p) {
			return p, nil
		}
		if p.id == r.PathValue("id") {
			return nil, s.missing("payout", false)
		}
	}
	return nil, s.missing("payout", s.version == newest)
}

func (s *server) getPayout(r *http.Request, _ map[string]any) (any, error) {
	p, err := s.payout(r)
	if err != nil {
		return nil, err
	}
	return p.show(), nil
}

func (s *server) cancelPayout(r *http.Request, _ map[string]any) (any, error) {
	p, err := s.payout(r)
	if err != nil {
		return nil, err
	}
	if p.state == "Completed" || p.state == "InProgress" {
		return nil, failure(400, "invalid-state", "The payout is not in a state that can be marked with the specified state")
	}
	p.state = "Cancelled"
	s.writes++
	return nil, nil
}

// collects implements conformance.Fake.
func (s *server) collects(ref gateway.Ref) []gateway.Money {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []gateway.Money
	for _, b := range s.invoices {
		if b.orderID == string(ref) {
			list = append(list, gateway.Money{Amount: b.amount, Asset: gateway.Asset{Code: b.currency, Decimals: 2}})
		}
	}
	return list
}

// sends implements conformance.Fake.
func (s *server) sends(ref gateway.Ref) []gateway.Money {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []gateway.Money
	for _, p := range s.payouts {
		if p.ref == string(ref) {
			list = append(list, gateway.Money{Amount: p.amount, Asset: gateway.Asset{Code: p.currency, Decimals: 2}})
		}
	}
	return list
}

// addresses implements conformance.Fake. The address of notifications is set once, in the webhook.
func (s *server) addresses(ref gateway.Ref) (back, notify string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.invoices {
		if b.orderID == string(ref) {
			back = text(part(b.asked, "checkout"), "redirectURL")
		}
	}
	return back, ""
}

// tells implements conformance.Fake.
func (s *server) tells(ref gateway.Ref) (gateway.Inbound, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.invoices {
		if b.orderID == string(ref) {
			kind := map[string]string{
				"New": "InvoiceCreated", "New PaidPartial": "InvoiceReceivedPayment", "Processing": "InvoiceProcessing",
				"Expired": "InvoiceExpired", "Invalid": "InvoiceInvalid", "Settled": "InvoiceSettled",
			}
			name := kind[b.status+" "+b.additional]
			if name == "" {
				name = kind[b.status]
			}
			if name == "" {
				name = "Invoice" + b.status
			}
			return s.message(map[string]any{
				"type": name, "invoiceId": b.id, "metadata": map[string]any{"orderId": b.orderID},
				"manuallyMarked": b.additional == "Marked", "overPaid": b.additional == "PaidOver", "partiallyPaid": false,
			}, fmt.Sprint(b.id, b.status, b.additional, s.now().Unix())), true
		}
	}
	for _, p := range s.payouts {
		if p.ref == string(ref) {
			body := map[string]any{"type": "PayoutUpdated", "payoutId": p.id, "pullPaymentId": p.pullID, "payoutState": p.state}
			return s.message(body, fmt.Sprint(p.id, p.state, s.now().Unix())), true
		}
	}
	return gateway.Inbound{}, false
}

// message signs a delivery.
func (s *server) message(body map[string]any, delivery string) gateway.Inbound {
	body["deliveryId"], body["originalDeliveryId"], body["isRedelivery"] = delivery, delivery, false
	body["webhookId"], body["storeId"], body["timestamp"] = "Wh00k", s.store, s.now().Unix()
	raw, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		panic(err) // of texts and numbers
	}
	return signed(raw, s.secret, s.now())
}

func signed(body []byte, secret string, at time.Time) gateway.Inbound {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return gateway.Inbound{
		Method: http.MethodPost, Path: "/hook", Body: body, Peer: netip.MustParseAddr("192.0.2.1"), Arrived: at,
		Header: gateway.Header{
			{Name: "Content-Type", Value: "application/json"}, {Name: "BTCPay-Sig", Value: "sha256=" + hex.EncodeToString(mac.Sum(nil))},
		},
	}
}

// set implements conformance.Fake.
func (s *server) set(ref gateway.Ref, to conformance.Situation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.invoices {
		if b.orderID == string(ref) {
			if to == conformance.IsNotFound {
				s.invoices = append(s.invoices[:i], s.invoices[i+1:]...)
				return true
			}
			return s.bring(b, to)
		}
	}
	for i, p := range s.payouts {
		if p.ref == string(ref) {
			if to == conformance.IsNotFound {
				s.payouts = append(s.payouts[:i], s.payouts[i+1:]...)
				return true
			}
			return p.bring(to)
		}
	}
	return to == conformance.NeedsApproval // every payout does
}

// bring brings an invoice into a situation.
func (s *server) bring(b *bill, to conformance.Situation) bool {
	all := s.coins(b)
	states := map[conformance.Situation]struct {
		status, additional string
		came               string // how many times the amount
		payment            string
	}{
		conformance.IsWaiting:             {"New", "None", "0", ""},
		conformance.IsProcessing:          {"Processing", "None", "1", "Processing"},
		conformance.IsPaid:                {"Settled", "None", "1", "Settled"},
		conformance.IsPaidLess:            {"New", "PaidPartial", "0.5", "Settled"},
		conformance.IsPaidMore:            {"Settled", "PaidOver", "1.5", "Settled"},
		conformance.IsPaidInOtherCurrency: {"Settled", "None", "1", "Settled"},
		conformance.IsFailed:              {"Invalid", "None", "1", "Processing"},
		conformance.IsCanceled:            {"Invalid", "Marked", "0", ""},
		conformance.IsExpired:             {"Expired", "None", "0", ""},
		conformance.IsUnlisted:            {"Frozen", "None", "1", "Settled"},
		conformance.IsMarkedPaid:          {"Settled", "Marked", "0", ""},
	}
	if to == conformance.RefundIsPending {
		return true
	}
	state, ok := states[to]
	if !ok {
		return false // no fraud check, no time limit, and refunds do not show on the invoice
	}
	b.status, b.additional, b.payments = state.status, state.additional, nil
	if came := all.Mul(money.MustDecimal(state.came)); came.Sign() > 0 {
		b.payments = []paid{{b.methods[0], state.payment, came, s.now()}}
	}
	if to == conformance.IsPaidInOtherCurrency {
		b.currency = "USD"
	}
	return true
}

// bring brings a payout into a situation.
func (p *payout) bring(to conformance.Situation) bool {
	state, ok := map[conformance.Situation]string{
		conformance.NeedsApproval: "AwaitingApproval", conformance.IsQueued: "AwaitingPayment", conformance.IsSent: "InProgress",
		conformance.IsDone: "Completed", conformance.IsCanceled: "Cancelled", conformance.IsUnlisted: "Frozen",
	}[to]
	if !ok {
		return false // it rejects nothing, and takes nothing back
	}
	p.state = state
	if to == conformance.IsSent || to == conformance.IsDone {
		p.proof = map[string]any{
			"ProofType": "PayoutTransactionOnChainBlob", "TransactionId": "5f2a" + p.id, "Candidates": []string{"5f2a" + p.id},
			"Accounted": true,
		}
	}
	return true
}

package sandbox_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject())
}

func subject() conformance.Subject {
	return conformance.Subject{
		Plugin:      sandbox.Plugin(),
		Environment: gateway.Sandbox,
		Config: map[string]string{
			"base_url": "http://sandbox.test", "api_key": "key", "api_secret": "secret", "notify_secret": "notify",
			"wallet_secret": "wallet",
		},
		NewFake: newFake,
		Fields: map[string]string{
			"iban": bank.TestIBAN("00"), "crypto_type": "USDT (TRC20)", "wallet_number": bank.TestWallet("00"),
			"wallet_address": bank.TestAddress("TRC20", "00"),
		},
		Tables: tables(),
		Lacks: map[conformance.Situation]string{
			conformance.IsOfOtherMode: "the sandbox has one mode, and moves no money",
		},
		Vectors:      vectors(),
		StaleAfter:   300 * time.Second,
		ApprovalCode: bank.Code,
	}
}

// vectors are the examples of the README. They were computed with openssl dgst -sha256 -hmac.
func vectors() []conformance.Vector {
	body := []byte(`{"reference":"R1"}`)
	return []conformance.Vector{{
		Name: "request signature", Source: "computed with openssl dgst -sha256 -hmac",
		Check: func() (got, want string) {
			return sandbox.RequestSignature("s3cr3t", "POST", "/v1/deposits", body), requestVector
		},
	}, {
		Name: "request signature without a body", Source: "computed with openssl dgst -sha256 -hmac",
		Check: func() (got, want string) {
			return sandbox.RequestSignature("s3cr3t", "GET", "/v1/deposits/R1?a=b", nil), questionVector
		},
	}}
}

// fake is a bank whose payers and payees wait for the kit.
type fake struct {
	*bank.Bank
	addresses *sync.Map // by reference, the addresses of an order
}

func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	f := fake{addresses: &sync.Map{}, Bank: bank.New(bank.Config{
		APIKey: c.Text("api_key"), APISecret: c.Text("api_secret"), NotifySecret: c.Text("notify_secret"),
		WalletSecret: c.Text("wallet_secret"), Now: now, ByHand: true,
	})}
	return conformance.Fake{
		Handler: http.HandlerFunc(f.serve),
		Addresses: func(ref gateway.Ref) (string, string) {
			all, _ := f.addresses.Load(string(ref))
			pair, _ := all.([2]string)
			return pair[0], pair[1]
		},
		Mutations:         func() int { return f.State().Changes },
		Deposits:          f.deposits,
		Payouts:           func(ref gateway.Ref) []gateway.Money { return f.sent(ref, false) },
		Transfers:         func(ref gateway.Ref) []gateway.Money { return f.sent(ref, true) },
		Set:               f.set,
		Notification:      f.notification,
		Return:            f.back,
		RefuseCredentials: func() { f.RefuseKeys(true) },
		AddLine:           f.addLine,
		Dispute:           f.dispute,
		Evidence: func(id string) (all []map[gateway.EvidenceKind]string) {
			for _, got := range f.Evidence(id) {
				of := map[gateway.EvidenceKind]string{}
				for kind, value := range got {
					of[gateway.EvidenceKind(kind)] = value
				}
				all = append(all, of)
			}
			return all
		},
		UnknownType: func() (gateway.Inbound, bool) {
			in := gateway.Inbound{Method: "POST", Path: "/hook", Body: []byte(`{"id":"evt_unknown_type","type":"merchant.updated"}`)}
			return signedAt(in, c.Text("notify_secret"), now()), true
		},
	}
}

// serve keeps the addresses of orders, which the bank does not show.
func (f fake) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var order struct {
		Reference string
		Back      string `json:"return_url"`
		Notify    string `json:"notify_url"`
	}
	if r.URL.Path == "/v1/deposits" && json.Unmarshal(body, &order) == nil {
		f.addresses.Store(order.Reference, [2]string{order.Back, order.Notify})
	}
	f.ServeHTTP(w, r)
}

func (f fake) deposits(ref gateway.Ref) []gateway.Money {
	var all []gateway.Money
	for _, d := range f.State().Deposits {
		if d.Reference == string(ref) {
			all = append(all, moneyOf(d.Due))
		}
	}
	return all
}

func (f fake) sent(ref gateway.Ref, isTransfer bool) []gateway.Money {
	var all []gateway.Money
	for _, p := range f.State().Payouts {
		if p.Reference == string(ref) && isTransfer == (p.AccountID != "") {
			all = append(all, moneyOf(p.Amount))
		}
	}
	return all
}

func moneyOf(m bank.Money) gateway.Money {
	return gateway.Money{Amount: m.Value, Asset: gateway.Asset{Code: m.Currency, Network: m.Network, Decimals: 2}}
}

// set finds the event, or the scenario of what comes next, that makes a situation.
func (f fake) set(ref gateway.Ref, s conformance.Situation) bool {
	event, isEvent := map[conformance.Situation]string{
		conformance.IsWaiting: bank.Waiting, conformance.IsProcessing: bank.Processing, conformance.IsPaid: bank.Paid,
		conformance.IsPaidLess: bank.Underpaid, conformance.IsPaidMore: bank.Overpaid, conformance.IsPaidInOtherCurrency: "paid_in_usd",
		conformance.IsInReview: bank.Review, conformance.IsFailed: bank.Failed, conformance.IsCanceled: bank.Canceled,
		conformance.IsExpired: bank.Expired, conformance.IsRefunded: bank.Refunded, conformance.IsPartRefunded: bank.PartlyRefunded,
		conformance.IsDisputed: bank.Disputed, conformance.IsUnlisted: "in_orbit",
		conformance.IsNotFound: "forgotten", conformance.IsMarkedPaid: "marked_paid", conformance.IsPastVoidTime: "closed",
		conformance.IsQueued: bank.Queued, conformance.IsSent: bank.Sent, conformance.IsDone: bank.Done,
		conformance.IsRejected: bank.Rejected, conformance.IsReturned: bank.Returned,
	}[s]
	if s == conformance.IsPaidAmongFailures { // the page ends with the card that succeeds
		return f.Fire(string(ref), bank.Failed) == nil && f.Fire(string(ref), bank.Paid) == nil
	}
	if isEvent {
		return f.Fire(string(ref), event) == nil
	}
	return f.choose(string(ref), s)
}

func (f fake) choose(ref string, s conformance.Situation) bool {
	if refund, ok := f.refundOf(ref); ok && s == conformance.RefundFails {
		return f.Fire(refund, bank.RefundFailed) == nil
	}
	if s == conformance.NeedsApproval && f.Fire(ref, bank.NeedsApproval) == nil {
		return true
	}
	code, ok := map[conformance.Situation]string{
		conformance.RefundIsPending: "51", conformance.RefundFails: "52", conformance.NeedsApproval: "01",
		conformance.HasNoFunds: "10", conformance.HasWrongName: "12", conformance.StartIsRefused: "05",
	}[s]
	return ok && f.SetOutcome(ref, code) == nil
}

func (f fake) refundOf(ref string) (string, bool) {
	for _, r := range f.State().Refunds {
		if r.DepositReference == ref || r.Reference == ref {
			return r.Reference, true
		}
	}
	return "", false
}

func (f fake) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	about := string(ref)
	for _, d := range f.State().Disputes {
		if d.DepositReference == about {
			about = d.ID
		}
	}
	header, body, ok := f.Notification(about)
	return gateway.Inbound{Method: "POST", Path: "/hook", Header: headerOf(header), Body: body}, ok
}

func headerOf(h http.Header) gateway.Header {
	var list gateway.Header
	for name, values := range h {
		for _, v := range values {
			list = append(list, gateway.Field{Name: name, Value: v})
		}
	}
	return list
}

func (f fake) back(ref gateway.Ref) (gateway.Inbound, bool) {
	for _, d := range f.State().Deposits {
		if d.Reference == string(ref) {
			q := url.Values{"sandbox_deposit": {d.ID}, "sandbox_status": {d.Status}}
			return gateway.Inbound{Method: "GET", Path: "/return/9f8c2d7be1a04c55", Query: q.Encode()}, true
		}
	}
	return gateway.Inbound{}, false
}

// dispute opens an order's dispute, or brings it into a state.
func (f fake) dispute(ref gateway.Ref, s gateway.DisputeState) (string, bool) {
	status := map[gateway.DisputeState]string{
		gateway.DisputeInquiry: bank.Inquiry, gateway.DisputeNeedsResponse: bank.NeedsResponse, gateway.DisputeUnderReview: bank.UnderReview,
		gateway.DisputeWon: bank.Won, gateway.DisputeLost: bank.Lost, gateway.DisputeClosed: bank.Closed, gateway.DisputeUnknown: "in_orbit",
	}[s]
	for _, d := range f.State().Disputes {
		if d.DepositReference == string(ref) {
			return d.ID, f.MoveDispute(d.ID, status) == nil
		}
	}
	opens := bank.NeedsResponse
	if s == gateway.DisputeInquiry || s == gateway.DisputeClosed {
		opens = bank.Inquiry
	}
	d, err := f.OpenDispute(string(ref), nil, "not_received", opens)
	return d.ID, err == nil && f.MoveDispute(d.ID, status) == nil
}

func (f fake) addLine(accountID string, l gateway.StatementLine) {
	direction := bank.Incoming
	if l.Direction == gateway.Outgoing {
		direction = bank.Outgoing
	}
	_, err := f.Book(accountID, bank.Line{
		ID: l.ID, Direction: direction, Amount: bank.Money{Value: l.Amount, Currency: money.TRY.Code}, BookedAt: l.BookedAt,
		Text: l.Text, Party: bank.Party{Name: l.Party.Name, IBAN: l.Party.IBAN},
	})
	if err != nil {
		panic(err) // the kit books nothing that a bank would not
	}
}

const (
	requestVector  = "f26568278f4d3b2b90df5dae40afaf8b18bc57f8a14c99a150b257b6820282c6"
	questionVector = "8a06c5d0260205adcb50dd3595d15503f89abed728714b9de45ad08904145e35"
)

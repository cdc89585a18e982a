package apidoc_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// endings are the statuses with which a callback goes out (the contract's States and transitions).
var endings = map[payment.Kind][]payment.Status{
	payment.Deposit:    {payment.Completed, payment.Canceled, payment.Expired},
	payment.Withdrawal: {payment.Completed, payment.Rejected, payment.Failed, payment.Canceled},
	payment.Card:       {payment.Success, payment.Failed, payment.Cancelled},
	payment.Payout:     {payment.Completed, payment.Rejected, payment.Failed, payment.Canceled},
}

// webhooks are the descriptions of the kinds of callbacks.
var webhooks = map[payment.CallbackKind]string{
	payment.DepositCallback: "deposit", payment.EIBANDepositCallback: "deposit", payment.WithdrawalCallback: "withdrawal",
	payment.CreditCardCallback: "creditCard",
}

// ended is a callback of a payment that has ended, as the decisions make it.
func ended(id core.ID, method payment.Method, status payment.Status) payment.Callback {
	const code = "0123456789ABCDEF"
	p := payment.Payload{
		TrackingCode: method.Prefix() + code, Status: status, Amount: money.New(125075, money.TRY),
		Username: "ayse.yilmaz", Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: 1,
	}
	switch method {
	case payment.ManualWithdrawal, payment.EIBANWithdrawal, payment.BankWithdrawal:
		p.IBAN = "TR330006100519786457841326"
	case payment.CreditCard:
		p.Card = payment.CardPayload{OrderID: "CC" + code, CustomerName: "Ayşe Yılmaz", CustomerEmail: "ayse@example.com"}
		if status == payment.Failed {
			p.Card.ErrorCode, p.Card.ErrorMessage = string(gateway.TimedOut), lang.Say(lang.TR, "reason.TIMEOUT")
		}
	}
	return payment.Callback{ID: id, Sequence: 1, Kind: method.Callback(), Payload: p}
}

func TestCallbacksAreAsDescribed(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	ids, err := core.NewIDs(at, bytes.NewReader(make([]byte, 16)))
	if err != nil {
		t.Fatal(err)
	}
	provider := owner.Provider{
		APIKey: "vzp_example", SecretKey: core.NewSecret("vzs_example"), WebhookSecret: core.NewSecret("whsec_dmV6bmUtZXhhbXBsZS1zZWNyZXQ="),
	}
	for _, method := range payment.Methods() {
		if method.Kind() == payment.Transfer {
			continue // no event of the dealer document
		}
		if len(endings[method.Kind()]) == 0 {
			t.Errorf("nobody knows how a payment of %s ends", method)
		}
		for _, status := range endings[method.Kind()] {
			for _, secret := range []core.Secret{provider.WebhookSecret, {}} {
				p := provider
				p.WebhookSecret = secret
				message, err := ended(ids.Next(), method, status).Message(payment.SignerOf(p), at, time.UTC)
				if err != nil {
					t.Fatal(err)
				}
				document.CheckCallback(t, webhooks[method.Callback()], message)
				if !isCorrectable(method, status) {
					continue
				}
				corrected := ended(ids.Next(), method, status)
				corrected.Sequence, corrected.Payload.Correction = 2, payment.Correction{IsSet: true, PreviousAmount: money.New(1, money.TRY)}
				if message, err = corrected.Message(payment.SignerOf(p), at, time.UTC); err != nil {
					t.Fatal(err)
				}
				document.CheckCallback(t, webhooks[method.Callback()], message)
			}
		}
	}
}

// isCorrectable: a credit is corrected, and nothing else.
func isCorrectable(m payment.Method, s payment.Status) bool {
	return s == payment.Success || s == payment.Completed && m.Kind() == payment.Deposit
}

// TestCallbacksToDealersAreAsDescribed: a dealer's own card payment, whichever way it ended.
func TestCallbacksToDealersAreAsDescribed(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	ids, err := core.NewIDs(at, bytes.NewReader(make([]byte, 16)))
	if err != nil {
		t.Fatal(err)
	}
	dealer := owner.Dealer{ID: 3, APIKey: "vzd_example", SecretKey: core.NewSecret("vzds_example")}
	for _, command := range []payment.Command{payment.Succeed, payment.Expire, payment.Cancel, payment.Fail, payment.Reject} {
		change := payment.DecideCreate(payment.Request{
			Method: payment.CreditCard, Dealer: dealer, Amount: money.New(125075, money.TRY), Language: lang.EN,
			Payer: payment.CardPayer{FirstName: "Ayşe", LastName: "Yılmaz", Email: "ayse@example.com", Phone: "+905551112233"},
		}, payment.CreateParams{At: at, ExpiresIn: time.Minute, TrackingCode: "CC-0123456789ABCDEF", IDs: ids})
		d := payment.Decision{At: at, Schedule: payment.DefaultRetrySchedule, IDs: ids}
		started := core.RowsOf[payment.Payment](change)[0]
		change, err := payment.Decide(started, command, d)
		if command == payment.Succeed {
			change, err = apptest.Accepted(started, d)
		}
		if err != nil {
			t.Fatal(err)
		}
		message, err := core.RowsOf[payment.Callback](change)[0].Message(payment.SignerOfDealer(dealer), at, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		document.CheckCallback(t, "dealerCreditCard", message)
	}
}

// TestCallbacksOfDealersOwnPayments: of each kind, as a test callback and as what really ended.
func TestCallbacksOfDealersOwnPayments(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	dealer := owner.Dealer{ID: 3, APIKey: "vzd_example", SecretKey: core.NewSecret("vzds_example")}
	for kind, webhook := range map[payment.CallbackKind]string{
		payment.DealerDepositCallback: "dealerDeposit", payment.DealerWithdrawalCallback: "dealerWithdrawal", payment.DealerTransferCallback: "dealerTransfer",
	} {
		cb, err := payment.NewTestCallback(kind, 0, at, bytes.NewReader(make([]byte, 64)))
		if err != nil {
			t.Fatal(err)
		}
		for _, status := range []payment.Status{payment.Completed, payment.Canceled, payment.Cancelled, payment.Expired, payment.Rejected, payment.Failed} {
			cb.Payload.Status = status
			message, err := cb.Message(payment.SignerOfDealer(dealer), at, time.UTC)
			if err != nil {
				t.Fatal(err)
			}
			document.CheckCallback(t, webhook, message)
		}
	}
}

// TestEveryErrorCodeIsDescribed: what the card callback may say of a failure stands in the description by name.
func TestEveryErrorCodeIsDescribed(t *testing.T) {
	t.Parallel()
	described := string(apidoc.OpenAPI(lang.EN))
	for _, code := range []gateway.ReasonCode{
		gateway.InsufficientFunds, gateway.DoNotHonour, gateway.ExpiredCard, gateway.WrongCVC, gateway.LimitExceeded,
		gateway.NotPermitted, gateway.AuthFailed, gateway.LostOrStolen, gateway.FraudSuspected, gateway.InvalidCard,
		gateway.IssuerDown, gateway.NameMismatch, gateway.InvalidTarget, gateway.NoFunds, gateway.TimedOut,
		gateway.CanceledByPayer, gateway.Declined,
	} {
		if public := string(code.Public()); lang.Has("reason."+public) && !strings.Contains(described, "`"+public+"`") {
			t.Errorf("the error_code %s is not described", public)
		}
	}
}

package payment

import (
	"io"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// testMark begins what follows the method's prefix in the tracking code of a test callback. O and L are none of the
// letters of real codes, so that no payment ever has such a code.
const testMark = "TESTONLY"

// TestHeader marks a test callback beside its tracking code.
const TestHeader = "X-Callback-Test"

// TestWarning says what a receiver's author should change before real callbacks come.
type TestWarning string

// NotStatus200 warns of another 2xx than 200, which frameworks answer by themselves, where 200 alone acknowledges.
const NotStatus200 TestWarning = "not_status_200"

// Warning is what is to be changed about the answer to a test callback; empty: nothing is known.
func (a DeliveryResult) Warning() TestWarning {
	if !a.IsAccepted() && owner.Any2xx.Takes(a.HTTPStatus) {
		return NotStatus200
	}
	return ""
}

// NewTestCallback is a callback about no payment, of a kind and with what such a one reports. It is kept nowhere.
func NewTestCallback(kind CallbackKind, siteID int64, at time.Time, random io.Reader) (Callback, error) {
	method := testMethod(kind)
	code, err := core.NewTrackingCode(method.Prefix(), random)
	if err != nil {
		return Callback{}, err
	}
	ids, err := core.NewIDs(at, random)
	if err != nil {
		return Callback{}, err
	}
	prefix := method.Prefix()
	code = prefix + testMark + code[len(prefix)+len(testMark):]
	p := Payload{
		TrackingCode: code, Status: Completed, Amount: money.New(10_000, money.TRY), Username: "test.user",
		Fullname: "Test User", UserID: "test-user", SiteID: siteID,
	}
	switch method.Kind() {
	case Withdrawal:
		p.IBAN = "TR330006100519786457841326"
	case Card:
		p.Status = Success
		p.Card = CardPayload{
			OrderID: "TEST-ORDER", CustomerName: "Test User", CustomerEmail: "test.user@example.com",
			CustomerPhone: "+905550000000", Language: lang.TR,
		}
	case Transfer:
		p.IBAN = "TR330006100519786457841326"
	case Deposit, Payout:
	}
	p.Card.FinishedAt = at
	return Callback{ID: ids.Next(), Sequence: 1, Kind: kind, Payload: p}, nil
}

// TestDealerCallbackKinds are the kinds of callbacks that a dealer can be sent.
func TestDealerCallbackKinds() []CallbackKind {
	return []CallbackKind{DealerCardCallback, DealerDepositCallback, DealerWithdrawalCallback, DealerTransferCallback}
}

// TestCallbackKinds are the kinds of callbacks that a provider or one of its sites can be sent.
func TestCallbackKinds() []CallbackKind {
	return []CallbackKind{DepositCallback, EIBANDepositCallback, WithdrawalCallback, CreditCardCallback}
}

func testMethod(kind CallbackKind) Method {
	switch kind {
	case EIBANDepositCallback:
		return EIBANDeposit
	case WithdrawalCallback, DealerWithdrawalCallback:
		return ManualWithdrawal
	case DealerTransferCallback:
		return EIBANTransfer
	case CreditCardCallback, DealerCardCallback:
		return CreditCard
	case DepositCallback, DealerDepositCallback:
	}
	return ManualDeposit
}

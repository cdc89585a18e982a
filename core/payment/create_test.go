package payment_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
)

func TestDecideCreate(t *testing.T) {
	t.Parallel()
	site := owner.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"}
	customer := owner.Customer{UserID: "u", Username: "n", Fullname: "f"}
	for _, m := range payment.Methods() {
		for _, iban := range []string{"TR330006100519786457841326", "TR330006100519786457841327"} {
			ids := coretest.NewIDs(t, coretest.Evening)
			change := payment.DecideCreate(payment.Request{
				Method: m, Provider: owner.Provider{ID: 7}, Site: site, Customer: customer, Amount: coretest.Lira(100), IBAN: iban, Language: "en",
			}, payment.CreateParams{At: coretest.Evening, ExpiresIn: time.Hour, TrackingCode: "CC-1", Token: "T", IDs: ids})
			want := payment.Payment{
				ID: coretest.NewIDs(t, coretest.Evening).Next(), Version: 1, TrackingCode: "CC-1", Method: m, Status: m.Kind().FirstStatus(), ProviderID: 7, SiteID: 3,
				SiteName: "Site", DealerID: 5, Customer: customer, Language: "en", RequestedAmount: coretest.Lira(100), Amount: coretest.Lira(100),
				ExpiresAt: coretest.Evening.Add(time.Hour), CreatedAt: coretest.Evening, UpdatedAt: coretest.Evening,
			}
			switch m.Kind() {
			case payment.Withdrawal, payment.Payout, payment.Transfer:
				want.IBAN, want.IsIBANSuspect = iban, iban[len(iban)-1] == '7'
			case payment.Card:
				want.Token, want.TokenFingerprint, want.Payer.OrderID = "T", sign.Fingerprint("T"), "CC1"
			case payment.Deposit:
				want.Token, want.TokenFingerprint = "T", sign.Fingerprint("T")
			}
			if got := core.RowsOf[payment.Payment](change); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %+v, want %+v", m, got, want)
			}
			if got := core.RowsOf[owner.NotBlocked](change); len(got) != 1 || got[0] != (owner.NotBlocked{ProviderID: 7, UserID: "u"}) {
				t.Errorf("%s: unblocked %+v", m, got)
			}
			if len(core.RowsOf[payment.Transition](change))+len(core.RowsOf[payment.Callback](change))+len(core.RowsOf[owner.LimitUsage](change)) != 0 {
				t.Errorf("%s: a birth changes more than the payment: %+v", m, change)
			}
		}
	}
	never := payment.DecideCreate(payment.Request{Method: payment.ManualWithdrawal}, payment.CreateParams{At: coretest.Evening, IDs: coretest.NewIDs(t, coretest.Evening)})
	if !core.RowsOf[payment.Payment](never)[0].ExpiresAt.IsZero() || len(never.WakeUps()) != 0 {
		t.Errorf("a payment that never expires: %+v", core.RowsOf[payment.Payment](never)[0])
	}
}

// TestADealersOwnPaymentNamesTheDealer: its customer is to see whom they pay.
func TestADealersOwnPaymentNamesTheDealer(t *testing.T) {
	t.Parallel()
	at, ids := coretest.Evening, coretest.NewIDs(t, coretest.Evening)
	for want, r := range map[string]payment.Request{
		"Marmara": {Method: payment.CreditCard, Dealer: owner.Dealer{ID: 3, Name: "Marmara"}},
		"shop":    {Method: payment.CreditCard, Provider: owner.Provider{ID: 1}, Site: owner.Site{ID: 2, DealerID: 3, Name: "shop"}},
	} {
		made, _ := core.First[payment.Payment](payment.DecideCreate(r, payment.CreateParams{At: at, IDs: ids}))
		if made.SiteName != want {
			t.Errorf("the payee is %q, want %q", made.SiteName, want)
		}
	}
}

package apidoc_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// endings are the statuses with which a callback goes out (the contract's States and transitions).
var endings = map[core.Kind][]core.Status{
	core.Deposit:    {core.Completed, core.Canceled, core.Expired},
	core.Withdrawal: {core.Completed, core.Rejected, core.Failed, core.Canceled},
}

func TestCallbacksAreAsDescribed(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	ids, err := core.NewIDs(at, bytes.NewReader(make([]byte, 16)))
	if err != nil {
		t.Fatal(err)
	}
	provider := core.Provider{
		APIKey: "vzp_example", SecretKey: core.NewSecret("vzs_example"), WebhookSecret: core.NewSecret("whsec_dmV6bmUtZXhhbXBsZS1zZWNyZXQ="),
	}
	for _, method := range core.Methods() {
		for _, status := range endings[method.Kind()] {
			callback := core.Callback{ID: ids.Next(), Kind: method.Callback(), Payload: core.Payload{
				TrackingCode: method.Prefix() + "0123456789ABCDEF", Status: status, Amount: money.New(125075, money.TRY),
				Username: "ayse.yilmaz", Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: 1,
			}}
			if method.Kind() == core.Withdrawal {
				callback.Payload.IBAN = "TR330006100519786457841326"
			}
			for _, secret := range []core.Secret{provider.WebhookSecret, {}} {
				p := provider
				p.WebhookSecret = secret
				message, err := callback.Message(p, at)
				if err != nil {
					t.Fatal(err)
				}
				document.CheckCallback(t, string(method.Kind()), message)
			}
		}
	}
}

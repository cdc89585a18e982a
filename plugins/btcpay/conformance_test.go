package btcpay_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
)

// config is a valid configuration; the secrets are the kit's.
func config() map[string]string {
	return map[string]string{
		"base_url": "https://btcpay.example.com", "api_key": "c0ffee", "store_id": "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776",
		"webhook_secret": "s3cr3t", "payment_methods": "BTC-CHAIN,BTC-LN",
	}
}

// documents are what the Greenfield API's own documents say, distilled.
func documents(t *testing.T) *conformance.Documents {
	t.Helper()
	d, err := conformance.ReadDocuments("testdata/greenfield.json")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, version := range []string{oldest, middle, newest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, subject(t, version))
		})
	}
}

// subject is a server of one version.
func subject(t *testing.T, version string) conformance.Subject {
	t.Helper()
	return conformance.Subject{
		Plugin: btcpay.Plugin(), Environment: gateway.Sandbox, Config: config(), NewFake: fakeOf(version),
		Fields: map[string]string{"wallet_address": destination},
		Vectors: []conformance.Vector{
			{Name: "a signature computed by two others", Source: "computed with openssl dgst -sha256 -hmac and Node's crypto", Check: func() (got, want string) {
				return btcpay.Signature("s3cr3t", []byte(`{"type":"InvoiceSettled","invoiceId":"HMprBnL9BTXWuPvpoKBS6e"}`)),
					"sha256=091c3a4c2c13be83c7e4afdd243e9d8ab6b3c841e7beb1a7cefb4ada0f98887e"
			}},
		},
		Unplayed:  map[string]string{"Expired, PaidLate": "TestEveryStatusIsReadWithItsMoney"},
		Documents: documents(t).Only(version), Lacks: lacks, Tables: tables(),
		Replies: map[gateway.Disposition]gateway.Reply{
			gateway.Stored: ok, gateway.Duplicate: ok, gateway.UnknownRef: ok,
			gateway.BadSignature: {Status: 401, ContentType: "text/plain; charset=utf-8", Body: "bad signature"},
			gateway.TryAgain:     {Status: 503, ContentType: "text/plain; charset=utf-8", Body: "try again"},
		},
	}
}

// lacks is what a server that only watches a chain and pays out does not have.
var lacks = map[conformance.Situation]string{
	conformance.IsInReview:          "nobody holds a payment on a chain for fraud",
	conformance.IsOfOtherMode:       "a test network is another server, with secrets of its own",
	conformance.IsDisputed:          "a payment on a chain is not charged back",
	conformance.IsPaidAmongFailures: "an invoice has no tries: what arrives at its address counts",
	conformance.StartIsRefused:      "every well-formed order makes an invoice; a store without rates is a fault (generic-error)",
	conformance.IsRefunded:          "refunds are pull payments of their own, which an invoice does not show",
	conformance.IsPartRefunded:      "refunds are pull payments of their own, which an invoice does not show",
	conformance.IsPastVoidTime:      "an invoice can be refunded at any time",
	conformance.RefundFails:         "a pull payment waits for its claim for ever; what was claimed of an archived one is not known",
	conformance.IsRejected:          "a payout is refused before it is made, or canceled",
	conformance.IsFailed:            "a payout has no such state: it waits until the wallet sends it",
	conformance.IsReturned:          "what was sent on a chain does not come back",
	conformance.HasNoFunds:          "a payout waits until the wallet has enough",
	conformance.HasWrongName:        "an address has no name",
}

var ok = gateway.Reply{Status: 200, ContentType: "text/plain; charset=utf-8", Body: "OK"}

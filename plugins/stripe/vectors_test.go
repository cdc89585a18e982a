package stripe_test

import (
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/stripe"
)

// vectors are published or computed examples of what is signed.
func vectors() []conformance.Vector {
	is := func(name, source, secret, stamp, body, want string) conformance.Vector {
		return conformance.Vector{Name: name, Source: source, Check: func() (string, string) {
			return stripe.NotificationSignature(secret, stamp, body), want
		}}
	}
	return []conformance.Vector{
		is("notification, published with a client for Rust", "arlyon/async-stripe 1a164c8 src/resources/webhook_events.rs, test_webhook_construct_event",
			"webhook_secret", "1533204620", publishedBody, "f0bdba6d4eacbd8ad8a3bbadd7248e633ec1477f7899c124c51b39405fa36613"),
		is("notification, computed", "computed by two independent programs, of the scheme that docs.stripe.com/webhooks tells", "whsec_test",
			"1795000000", `{"id":"evt_1","type":"checkout.session.completed"}`,
			"9162417de5a2b38f6be725ef1eb90cdf497137dfdccc673474bfaea5f9f78f83"),
	}
}

const publishedBody = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "ii_123",
      "object": "invoiceitem",
      "amount": 1000,
      "currency": "usd",
      "customer": "cus_123",
      "date": 1533204620,
      "description": "Test Invoice Item",
      "discountable": false,
      "invoice": "in_123",
      "livemode": false,
      "metadata": {},
      "period": {
        "start": 1533204620,
        "end": 1533204620
      },
      "plan": null,
      "proration": false,
      "quantity": null,
      "subscription": null
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "invoiceitem.created"
}
`

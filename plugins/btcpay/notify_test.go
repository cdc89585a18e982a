package btcpay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
)

// delivery is a message as the server writes it.
func delivery(kind, rest string) []byte {
	return []byte(`{
  "deliveryId": "XjoFkhHh5KGBEcQPYHFau3",
  "webhookId": "3aFT6UHRgYW4P3dZ6nFPLi",
  "originalDeliveryId": "XjoFkhHh5KGBEcQPYHFau3",
  "isRedelivery": false,
  "type": "` + kind + `",
  "timestamp": 1772442000,
  "storeId": "46y7JuD7dUHEN1BxeAmtReA5zjUzSho7HVXVteQr1XUW"` + rest + `
}`)
}

const ofInvoice = `,
  "invoiceId": "XEDvpempoTYJHJTKGDff1Q",
  "metadata": {"orderId": "CD8K2M4"}`

func TestEveryTypeOfNotification(t *testing.T) {
	t.Parallel()
	const payment = ofInvoice + `, "afterExpiration": true, "paymentMethodId": "BTC-CHAIN", "payment": {"id": "081a-0", "receivedDate": 1657727232,
		"value": "0.00010601", "fee": "0", "status": "Processing", "destination": "myt81FzqMYU7nGU6Fm54t4ZqMMKKN2n9g6"}`
	for _, c := range []struct {
		kind, rest string
		want       gateway.State
		trust      gateway.Trust
	}{
		{"InvoiceCreated", ofInvoice, gateway.Waiting, gateway.Signed},
		{"InvoiceReceivedPayment", payment, gateway.Processing, gateway.Signed},
		{"InvoicePaymentSettled", payment, gateway.Processing, gateway.Signed},
		{"InvoiceProcessing", ofInvoice + `, "overPaid": true`, gateway.Processing, gateway.Signed},
		{"InvoiceExpired", ofInvoice + `, "partiallyPaid": false`, gateway.Expired, gateway.Signed},
		{"InvoiceExpired", ofInvoice + `, "partiallyPaid": true`, gateway.Processing, gateway.Hint},
		{"InvoiceExpiredPaidPartial", ofInvoice, gateway.Processing, gateway.Signed},
		{"InvoicePaidAfterExpiration", ofInvoice, gateway.Processing, gateway.Signed},
		{"InvoiceSettled", ofInvoice + `, "manuallyMarked": false, "overPaid": false`, gateway.Processing, gateway.Signed},
		{"InvoiceSettled", ofInvoice + `, "manuallyMarked": false, "overPaid": true`, gateway.Processing, gateway.Signed},
		{"InvoiceSettled", ofInvoice + `, "manuallyMarked": true`, gateway.Review, gateway.Hint},
		{"InvoiceInvalid", ofInvoice + `, "manuallyMarked": false`, gateway.Failed, gateway.Hint},
		{"InvoiceInvalid", ofInvoice + `, "manuallyMarked": true`, gateway.Canceled, gateway.Hint},
		{"InvoiceHaunted", ofInvoice, gateway.Unknown, gateway.Hint},
		{"PayoutCreated", ofInvoice, gateway.Unknown, gateway.Hint}, // names no payout
	} {
		n, err := read(t, opened(t), delivery(c.kind, c.rest))
		if err != nil || len(n.Events) != 1 || len(n.Payouts) != 0 || n.Type != c.kind || n.ID != "XjoFkhHh5KGBEcQPYHFau3" {
			t.Errorf("%s: %+v, %v", c.kind, n, err)
			continue
		}
		o := n.Events[0]
		if o.State != c.want || o.Trust != c.trust || o.Ref != "CD8K2M4" || o.External.ID != "XEDvpempoTYJHJTKGDff1Q" || o.Paid != nil ||
			!o.At.Equal(conformance.Opening) || !strings.HasPrefix(o.Raw, c.kind) {
			t.Errorf("%s%s: %+v, want %s with trust %q", c.kind, c.rest, o, c.want, c.trust)
		}
	}
}

func read(t *testing.T, s *shop, body []byte) (gateway.Notification, error) {
	t.Helper()
	return s.ReadNotification(t.Context(), signed(body, "s3cr3t", conformance.Opening))
}

func TestNotificationsOfPayoutsAreHints(t *testing.T) {
	t.Parallel()
	for _, kind := range btcpay.PayoutEvents() {
		for state, want := range btcpay.PayoutStates() {
			n, err := read(t, opened(t), delivery(kind, `, "payoutId": "P0", "pullPaymentId": "PP0", "payoutState": "`+state+`"`))
			if err != nil || len(n.Payouts) != 1 || len(n.Events) != 0 {
				t.Errorf("%s: %+v, %v", kind, n, err)
				continue
			}
			if p := n.Payouts[0]; p.State != want || p.Trust != gateway.Hint || p.External.ID != "P0" || p.Ref != "" || p.Raw != state {
				t.Errorf("%s: %+v", kind, p)
			}
		}
	}
	n, err := read(t, opened(t), delivery("PayoutUpdated", `, "payoutId": "P0", "payoutState": "Haunted"`))
	if err != nil || n.Payouts[0].State != gateway.PayoutUnknown {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestARedeliveryHasTheIDOfTheFirstDelivery(t *testing.T) {
	t.Parallel()
	s := opened(t)
	first, err := read(t, s, delivery("InvoiceSettled", ofInvoice))
	if err != nil {
		t.Fatal(err)
	}
	again := strings.Replace(string(delivery("InvoiceSettled", ofInvoice)), `"deliveryId": "XjoFkhHh5KGBEcQPYHFau3"`, `"deliveryId": "9Zz"`, 1)
	second, err := read(t, s, []byte(strings.Replace(again, "false", "true", 1)))
	if err != nil || first.ID != second.ID {
		t.Errorf("%s and %s, %v", first.ID, second.ID, err)
	}
	for _, body := range []string{`{"type":"InvoiceSettled","invoiceId":"a"}`, `{"type":"InvoiceSettled","invoiceId":"b"}`} {
		n, err := read(t, s, []byte(body))
		if err != nil || len(n.ID) != 64 || n.ID == first.ID {
			t.Errorf("%+v, %v", n, err)
		}
	}
	n, err := read(t, s, []byte(`{"type":"InvoiceSettled","invoiceId":"a","deliveryId":"D1"}`))
	if err != nil || n.ID != "D1" {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestWhatOthersWroteIntoAnInvoiceDoesNoHarm(t *testing.T) {
	t.Parallel()
	for _, metadata := range []string{
		`null`, `{}`, `[]`, `17`, `"CD8K2M4"`, `{"orderId": 17}`, `{"orderId": null}`, `{"orderId": {"a": 1}}`,
		`{"orderId": "` + strings.Repeat("x", 41) + `"}`,
	} {
		n, err := read(t, opened(t), delivery("InvoiceSettled", `, "invoiceId": "a", "metadata": `+metadata))
		if err != nil || len(n.Events) != 1 || n.Events[0].Ref != "" || n.Events[0].External.ID != "a" {
			t.Errorf("%s: %+v, %v", metadata, n, err)
		}
	}
}

// TestTheTestOfAWebhookIsTaken: what the button in the server's settings sends.
func TestTheTestOfAWebhookIsTaken(t *testing.T) {
	t.Parallel()
	body := `{"deliveryId":"D","originalDeliveryId":"__test__1__test__","type":"InvoiceSettled","timestamp":1772442000,"invoiceId":"__test__2__test__","metadata":null}`
	n, err := read(t, opened(t), []byte(body))
	if err != nil || n.ID != "__test__1__test__" || len(n.Events) != 1 {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestOnlyARightSignatureIsBelieved(t *testing.T) {
	t.Parallel()
	s := opened(t)
	body := delivery("InvoiceSettled", ofInvoice)
	right := btcpay.Signature("s3cr3t", body)
	for name, values := range map[string][]string{
		"none": nil, "empty": {""}, "the scheme alone": {"sha256="}, "no scheme": {strings.TrimPrefix(right, "sha256=")},
		"another scheme": {strings.Replace(right, "sha256", "sha1", 1)}, "capitals": {strings.ToUpper(right)},
		"capital digits": {"sha256=" + strings.ToUpper(right[7:])}, "cut": {right[:70]}, "longer": {right + "00"},
		"twice": {right, right}, "joined": {right + "," + right}, "another secret": {btcpay.Signature("other", body)},
		"an empty secret": {btcpay.Signature("", body)}, "blanks": {" " + right},
		"of another body": {btcpay.Signature("s3cr3t", append(body[:len(body):len(body)], '\n'))},
	} {
		in := gateway.Inbound{Method: "POST", Body: body}
		for _, v := range values {
			in.Header = append(in.Header, gateway.Field{Name: "btcpay-sig", Value: v})
		}
		_, err := s.ReadNotification(t.Context(), in)
		if !gateway.IsClass(err, gateway.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoNotificationIsInvalid(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for _, body := range []string{
		"", "null", "[]", "{}", "17", `"x"`, `{"type":17}`, `{"type":""}`, `{"type":"InvoiceSettled"`, `{"type":"InvoiceSettled","invoiceId":{}}`,
		`{"type":"InvoiceSettled"}{}`, fmt.Sprintf(`{"type":"InvoiceSettled","x":"%s"}`, strings.Repeat("x", gateway.MaxNotificationBytes)),
	} {
		if n, err := read(t, s, []byte(body)); !gateway.IsClass(err, gateway.Invalid) {
			t.Errorf("%.40s: %+v, %v", body, n, err)
		}
	}
	in := signed(delivery("InvoiceSettled", ofInvoice), "s3cr3t", conformance.Opening)
	in.Method = "GET"
	if n, err := s.ReadNotification(t.Context(), in); !gateway.IsClass(err, gateway.Invalid) {
		t.Errorf("%+v, %v", n, err)
	}
	if n, err := read(t, s, delivery("PaymentRequestCreated", "")); err != nil || len(n.Events)+len(n.Payouts) != 0 {
		t.Errorf("of something else: %+v, %v", n, err)
	}
}

// TestNoFaultOfOursIsA4xx: the server would never send it again.
func TestNoFaultOfOursIsA4xx(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for d, want := range map[gateway.Disposition]int{
		gateway.Stored: 200, gateway.Duplicate: 200, gateway.UnknownRef: 200, gateway.BadSignature: 401, gateway.TryAgain: 503,
	} {
		if got := s.Acknowledge(d); got.Status != want {
			t.Errorf("%d is answered with %d", d, got.Status)
		}
	}
}

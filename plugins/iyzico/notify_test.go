package iyzico_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
)

// hosted and direct are the vectors' notifications.
var (
	hosted = map[string]string{
		"iyziEventType": "CHECKOUT_FORM_AUTH", "iyziPaymentId": "25149157", "token": "077aff05-1e9b-44aa-aa11-c268bb8b3826",
		"paymentConversationId": "CC-1", "status": "SUCCESS",
	}
	direct = map[string]string{
		"iyziEventType": "THREE_DS_AUTH", "paymentId": "25149157", "paymentConversationId": "CC-1", "status": "SUCCESS",
	}
)

const (
	hostedSignature = "7b190c729e3a1bcb38ce65b114d227196a8470fbed6dbf817e66121a3db11996"
	directSignature = "41dfd86ceb9d81764e66d7731d224b3fcc1e4c61a38b18c0f4359beea50c637f"
)

func (s *shop) inbound(fields map[string]string, signatures ...string) gateway.Inbound {
	body, _ := json.Marshal(fields)
	in := s.bank.inbound(body, "")
	for _, signature := range signatures {
		in.Header = append(in.Header, gateway.Field{Name: "x-iyz-signature-v3", Value: signature})
	}
	return in
}

func changed(fields map[string]string, name, value string) map[string]string {
	other := maps.Clone(fields)
	other[name] = value
	return other
}

func TestASignedNotificationIsACueAndNoMoney(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for signature, fields := range map[string]map[string]string{hostedSignature: hosted, directSignature: direct} {
		n, err := s.ReadNotification(t.Context(), s.inbound(fields, signature))
		if err != nil || len(n.Events) != 1 || n.Type != fields["iyziEventType"] || n.ID == "" {
			t.Fatalf("%s: %+v, %v", fields["iyziEventType"], n, err)
		}
		o := n.Events[0]
		if o.Ref != "CC-1" || o.State != gateway.Processing || o.Trust != gateway.Signed || o.Paid != nil || o.Raw != "SUCCESS" {
			t.Errorf("%s: %+v", fields["iyziEventType"], o)
		}
		if o.External.Alt["token"] != fields["token"] {
			t.Errorf("%s: External is %+v", fields["iyziEventType"], o.External)
		}
	}
	if len(s.Sent()) != 0 {
		t.Errorf("%d calls were made", len(s.Sent()))
	}
}

func TestEverythingThatIsSignedIsHeld(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	bad := func(name string, in gateway.Inbound) {
		t.Helper()
		if n, err := s.ReadNotification(t.Context(), in); !conformance.IsFailure(err, gateway.Unauthenticated, gateway.EffectNone) {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
	for signature, fields := range map[string]map[string]string{hostedSignature: hosted, directSignature: direct} {
		for name, value := range fields {
			for i := range value {
				bad(name, s.inbound(changed(fields, name, value[:i]+string(value[i]+1)+value[i+1:]), signature))
			}
			bad(name+" longer", s.inbound(changed(fields, name, value+"0"), signature))
		}
		for name, signatures := range map[string][]string{
			"missing": nil, "empty": {""}, "twice": {signature, signature}, "beside another": {signature, "00"},
			"in capitals": {strings.ToUpper(signature)}, "too short": {signature[:62]}, "too long": {signature + "00"},
			"with a blank": {" " + signature}, "no hex": {strings.Repeat("z", 64)}, "of the other form": {strings.Repeat("0", 64)},
		} {
			bad("a signature that is "+name, s.inbound(fields, signatures...))
		}
	}
	bad("hosted as direct", s.inbound(hosted, directSignature))
	bad("direct as hosted", s.inbound(direct, hostedSignature))
}

func TestWithoutSignaturesANotificationIsAHint(t *testing.T) {
	t.Parallel()
	s := newShop(t, "webhook_signature", "off")
	for _, signatures := range [][]string{nil, {hostedSignature}, {"forged"}} {
		n, err := s.ReadNotification(t.Context(), s.inbound(hosted, signatures...))
		if err != nil || n.Events[0].Trust != gateway.Hint || n.Events[0].Paid != nil {
			t.Errorf("%v: %+v, %v", signatures, n, err)
		}
	}
}

func TestTheSecretBeforeIsTakenForAWhile(t *testing.T) {
	t.Parallel()
	g := shopOf(t, conformance.Subject{
		Plugin: iyzico.Plugin(), Environment: gateway.Sandbox, Config: sandboxSettings(), NewFake: newFake,
		Previous: map[string]string{"secret_key": "sandbox-secret", "api_key": "sandbox-old"},
	}, "secret_key", "sandbox-new-secret")
	s := newShop(t)
	if _, err := g.ReadNotification(t.Context(), s.inbound(hosted, hostedSignature)); err != nil {
		t.Errorf("signed with the secret before: %v", err)
	}
	g.bank.secret = "sandbox-secret" // answers may still be signed with it; requests are signed with the new one
	if _, err := g.StartDeposit(t.Context(), order("CC1", "22")); !gateway.IsClass(err, gateway.Misconfigured) {
		t.Errorf("a bank that knows the old secret only: %v", err)
	}
}

func TestEveryStatusOfANotification(t *testing.T) {
	t.Parallel()
	s := newShop(t, "webhook_signature", "off")
	for status, want := range map[string]gateway.State{
		"SUCCESS": gateway.Processing, "FAILURE": gateway.Failed, "INIT_THREEDS": gateway.Processing,
		"CALLBACK_THREEDS": gateway.Processing, "PENDING_CREDIT": gateway.Processing, "INIT_BANK_TRANSFER": gateway.Waiting,
		"INIT_CREDIT": gateway.Waiting, "INIT_APM": gateway.Waiting, "INIT_CONTACTLESS": gateway.Waiting,
		"BKM_POS_SELECTED": gateway.Waiting, "REFUNDED": gateway.Unknown,
		"SUCCESS/1": gateway.Unknown, // a key of the plugin's own table is no word of iyzico's
	} {
		n, err := s.ReadNotification(t.Context(), s.inbound(changed(hosted, "status", status)))
		if err != nil || n.Events[0].State != want || n.Events[0].Raw != status {
			t.Errorf("%s: %+v, %v, want %s", status, n.Events, err, want)
		}
		if isFailed := want == gateway.Failed; n.Events[0].CanStillPay != isFailed {
			t.Errorf("%s: can still pay %v", status, n.Events[0].CanStillPay)
		}
	}
}

func TestTheSameEventHasTheSameID(t *testing.T) {
	t.Parallel()
	s := newShop(t, "webhook_signature", "off")
	id := func(fields map[string]string) string {
		n, err := s.ReadNotification(t.Context(), s.inbound(fields))
		if err != nil {
			t.Fatal(err)
		}
		return n.ID
	}
	first := id(hosted)
	if id(hosted) != first || id(changed(hosted, "iyziEventTime", "1772442000000")) != first {
		t.Error("the same event, tried again, has another ID")
	}
	for name, value := range hosted {
		if id(changed(hosted, name, value+"x")) == first {
			t.Errorf("another %s has the same ID", name)
		}
	}
}

func TestWhatIsNoNotificationIsRefused(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"required", "off"} {
		s := newShop(t, "webhook_signature", mode)
		for name, body := range map[string]string{
			"nothing": "", "no JSON": "token=1", "half": `{"status":"SUCCESS"`, "two": `{"status":"SUCCESS","token":"t"}{}`,
			"a list": `[]`, "a text": `"SUCCESS"`, "no order": `{"status":"SUCCESS"}`, "no status": `{"token":"t"}`,
			"an object for a text": `{"status":{},"token":"t"}`, "deep": strings.Repeat(`{"a":`, 20000),
			"long": `{"status":"SUCCESS","token":"` + strings.Repeat("t", gateway.MaxNotificationBytes) + `"}`,
		} {
			in := s.inbound(hosted, hostedSignature)
			in.Body = []byte(body)
			if n, err := s.ReadNotification(t.Context(), in); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
				t.Errorf("%s: %+v, %v", name, n, err)
			}
		}
		get, form := s.inbound(hosted, hostedSignature), s.inbound(hosted, hostedSignature)
		get.Method, form.Header[0].Value = "GET", "application/x-www-form-urlencoded"
		for _, in := range []gateway.Inbound{get, form} {
			if _, err := s.ReadNotification(t.Context(), in); !gateway.IsClass(err, gateway.Invalid) {
				t.Errorf("%s %s: %v", in.Method, in.Header.Get("Content-Type"), err)
			}
		}
	}
}

func TestAnAnswerToANotificationIsTwoHundred(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for _, d := range gateway.Dispositions() {
		if got := s.Acknowledge(d); got != gateway.DefaultReply(d) {
			t.Errorf("%d: %+v", d, got)
		}
	}
}

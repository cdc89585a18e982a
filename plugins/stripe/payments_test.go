package stripe_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/stripe"
	"github.com/vezne/vezne/ports"
)

// TestAStartThatIsSentAgainLaterIsTheSame: its form depends on the order and not on the clock, which a key demands.
func TestAStartThatIsSentAgainLaterIsTheSame(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.order("R1", "125.50")
	s.Lose("POST", "/v1/checkout/sessions")
	if _, err := s.StartDeposit(t.Context(), o); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
		t.Fatalf("a start whose answer was lost gave %v", err)
	}
	s.Between(nil)
	s.Clock.Advance(14 * time.Minute)
	first, err := s.StartDeposit(t.Context(), o)
	if err != nil || len(s.house.deposits("R1")) != 1 {
		t.Fatalf("the start was sent again, and gave %v and %v", err, s.house.deposits("R1"))
	}
	if !first.ExpiresAt.Equal(o.ExpiresAt.Add(31 * time.Minute)) {
		t.Errorf("the session ends at %s", first.ExpiresAt)
	}
	other := o
	other.Amount = conformance.Lira("1")
	if _, err := s.StartDeposit(t.Context(), other); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectUnknown) {
		t.Errorf("another order under the same key gave %v", err)
	}
}

// TestASessionOfAnotherAmountIsNotTaken: nobody is sent to a page that asks for something else.
func TestASessionOfAnotherAmountIsNotTaken(t *testing.T) {
	t.Parallel()
	for what, change := range map[string][2]string{
		"amount": {`"amount_total":12550`, `"amount_total":100`}, "currency": {`"currency":"try"`, `"currency":"usd"`},
		"page over http": {`"url":"https://`, `"url":"http://`},
	} {
		s := newShop(t)
		k := s.started("R1", "125.50")
		real, _ := s.house.answerOf(k)
		s.house.instead = func(method, _ string) (int, string) {
			if method != "POST" {
				return 0, ""
			}
			return 200, strings.Replace(real, change[0], change[1], 1)
		}
		if _, err := s.StartDeposit(t.Context(), s.order("R1", "125.50")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("a session with another %s gave %v", what, err)
		}
	}
}

// TestAStartWhoseAnswerWasLostIsFoundOncePaid: by a search, which may be behind.
func TestAStartWhoseAnswerWasLostIsFoundOncePaid(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.house.behind = time.Minute
	k := s.paid("R1", "125.50")
	byRef := gateway.DepositKey{Ref: k.Ref, Due: k.Due}
	if _, err := s.ReadDeposit(t.Context(), byRef); !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("what the search does not show yet gave %v", err)
	}
	s.Clock.Advance(time.Minute)
	if o := s.read(byRef); o.State != gateway.Paid || *o.Paid != conformance.Lira("125.50") || o.External.Alt["session"] != k.External.Alt["session"] {
		t.Errorf("%+v", o)
	}
	quoted := gateway.DepositKey{Ref: `R1" OR status:"succeeded`}
	if _, err := s.ReadDeposit(t.Context(), quoted); !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("a reference that is part of a query gave %v", err)
	}
}

// TestTheMainIDIsThePaymentIntent: disputes and reviews name nothing else, and are found by what the first card taught.
func TestTheMainIDIsThePaymentIntent(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("R1", "125.50")
	k.External = k.External.Learn(s.read(k).External)
	s.house.set(k.Ref, conformance.IsDisputed)
	in, _ := s.house.notification(k.Ref)
	n, err := s.ReadNotification(t.Context(), in)
	if err != nil || len(n.Events) != 1 {
		t.Fatalf("%+v %v", n, err)
	}
	e := n.Events[0]
	if e.Ref != "" || e.External.ID != k.External.ID || k.External.ID == "" || e.State != gateway.Disputed || !e.IsCue() {
		t.Errorf("a dispute is told of by %+v, and the deposit is known by %+v", e, k.External)
	}
	if o := s.read(k); o.State != gateway.Disputed || *o.Paid != conformance.Lira("125.50") {
		t.Errorf("%+v", o)
	}
}

// TestNoNotificationSaysPaid: it shows what was, and not whether the fraud check holds the money.
func TestNoNotificationSaysPaid(t *testing.T) {
	t.Parallel()
	for _, situation := range []conformance.Situation{
		conformance.IsPaid, conformance.IsInReview, conformance.IsFailed, conformance.IsRefunded, conformance.IsExpired,
	} {
		s := newShop(t)
		k := s.started("R1", "125.50")
		s.house.set(k.Ref, situation)
		in, isThere := s.house.notification(k.Ref)
		n, err := s.ReadNotification(t.Context(), in)
		if err != nil || !isThere || len(n.Events) != 1 {
			t.Fatalf("%s: %+v %v", situation, n, err)
		}
		if e := n.Events[0]; !e.IsCue() || e.Paid != nil || e.State == gateway.Paid {
			t.Errorf("%s: %+v", situation, e)
		}
	}
}

// TestAnEventOfASucceededPaymentIsACue: it has an amount, and it may be of an hour ago.
func TestAnEventOfASucceededPaymentIsACue(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("R1", "125.50")
	s.house.mu.Lock()
	in := s.house.event("pi", "payment_intent.succeeded", s.house.intent(s.house.byRef("R1"), nil))
	s.house.mu.Unlock()
	n, err := s.ReadNotification(t.Context(), in)
	if err != nil || len(n.Events) != 1 || n.Events[0].Ref != k.Ref || n.Events[0].State != gateway.Processing || n.Events[0].Paid != nil {
		t.Errorf("%+v %v", n, err)
	}
}

// TestForgedAndReplayedNotificationsAreRefused, and those of another account or environment.
func TestForgedAndReplayedNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("R1", "125.50")
	in, _ := s.house.notification(k.Ref)
	if _, err := s.ReadNotification(t.Context(), in); err != nil {
		t.Fatalf("a right message with an old scheme beside its signature gave %v", err)
	}
	signature := in.Header.Get("Stripe-Signature")
	stamp, v1, v0 := cut3(signature)
	with := func(header string) gateway.Inbound {
		changed := in
		changed.Header = gateway.Header{{Name: "Stripe-Signature", Value: header}}
		return changed
	}
	if _, err := s.ReadNotification(t.Context(), with(stamp+",v1="+strings.Repeat("0", 64)+","+v1)); err != nil {
		t.Errorf("while a secret is rolled there are two signatures, of which one is right: %v", err)
	}
	late := in
	late.Arrived = in.Arrived.Add(5*time.Minute + time.Second)
	early := in
	early.Arrived = in.Arrived.Add(-5*time.Minute - time.Second)
	for what, message := range map[string]gateway.Inbound{
		"of five minutes ago": late, "of the future": early, "old scheme alone": with(stamp + "," + v0), "no time": with(v1),
		"two times": with(stamp + "," + signature), "another time": with("t=1,v1=" + v1), "nothing": with(""),
		"capitals": with(stamp + "," + strings.ToUpper(v1)),
	} {
		if _, err := s.ReadNotification(t.Context(), message); !conformance.IsFailure(err, gateway.Unauthenticated, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	live := newHouse("sk_live_1", "whsec_shop", s.Clock.Now) // with the same secret, by a mistake
	live.sessions = s.house.sessions
	foreign, _ := live.notification(k.Ref)
	if _, err := s.ReadNotification(t.Context(), foreign); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("a message of the live mode gave %v", err)
	}
}

// cut3 is the parts of a signature header.
func cut3(header string) (stamp, v1, v0 string) {
	parts := strings.Split(header, ",")
	return parts[0], parts[1], parts[2]
}

// TestARefundIsMadeOnceWhateverBecameOfItsKey: Stripe forgets keys after a day.
func TestARefundIsMadeOnceWhateverBecameOfItsKey(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("R1", "125.50")
	o := refundOf(k, "B1", "25")
	s.Lose("POST", "/v1/refunds")
	if _, err := s.Refund(t.Context(), o); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
		t.Fatalf("a refund whose answer was lost gave %v", err)
	}
	s.Between(nil)
	s.Clock.Advance(48 * time.Hour)
	clear(s.house.saved)
	r, err := s.Refund(t.Context(), o)
	if err != nil || r.State != gateway.RefundDone || *r.Amount != conformance.Lira("25") {
		t.Errorf("%+v %v", r, err)
	}
	if seen := s.read(k); seen.State != gateway.PartRefunded || *seen.Refunded != conformance.Lira("25") || *seen.Paid != conformance.Lira("125.50") {
		t.Errorf("%+v", seen)
	}
}

// TestARefundHasItsKeyAndIsHeldToItsPayment: an answer about another payment's refund is not taken for ours.
func TestARefundHasItsKeyAndIsHeldToItsPayment(t *testing.T) {
	t.Parallel()
	for what, method := range map[string]string{"the refund's answer": "POST", "the list": "GET"} {
		s := newShop(t)
		k := s.paid("R1", "125.50")
		if method == "GET" {
			if _, err := s.Refund(t.Context(), refundOf(k, "B1", "25")); err != nil {
				t.Fatal(err)
			}
		}
		s.house.instead = func(verb, path string) (int, string) {
			const refund = `{"id":"re_1","object":"refund","status":"succeeded","amount":2500,"currency":"try","created":1,"payment_intent":"pi_other",` +
				`"metadata":{"vezne_refund":"B1"}}`
			switch {
			case path != "/v1/refunds" || verb != method:
				return 0, ""
			case verb == "GET":
				return 200, `{"object":"list","url":"/v1/refunds","has_more":false,"data":[` + refund + `]}`
			default:
				return 200, refund
			}
		}
		if r, err := s.Refund(t.Context(), refundOf(k, "B1", "25")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s about another payment: %+v %v", what, r, err)
		}
		if last := s.Sent()[len(s.Sent())-1]; method == "POST" && last.Header.Get("Idempotency-Key") != "key-B1" {
			t.Errorf("the refund has the key %q", last.Header.Get("Idempotency-Key"))
		}
	}
}

// TestASearchThatFindsMoreFindsOurs.
func TestASearchThatFindsMoreFindsOurs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, other := s.paid("R1", "1"), s.paid("R12", "2")
	s.house.instead = func(_, path string) (int, string) {
		if path != "/v1/payment_intents/search" {
			return 0, ""
		}
		found, err := json.Marshal(object{
			"object": "search_result", "url": path, "has_more": false,
			"data": []any{s.house.intent(s.house.byRef(string(other.Ref)), nil), s.house.intent(s.house.byRef(string(k.Ref)), nil)},
		})
		if err != nil {
			t.Error(err)
		}
		return 200, string(found)
	}
	if o := s.read(gateway.DepositKey{Ref: k.Ref, Due: k.Due}); o.State != gateway.Paid || *o.Paid != conformance.Lira("1") {
		t.Errorf("%+v", o)
	}
}

// TestARefundIsFoundAmongMoreThanAPage of them.
func TestARefundIsFoundAmongMoreThanAPage(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("R1", "125.50")
	first, err := s.Refund(t.Context(), refundOf(k, "B1", "1"))
	if err != nil {
		t.Fatal(err)
	}
	s.change(k.Ref, func(c *checkout) {
		for range 150 {
			c.pay.back = append(c.pay.back, &giveBack{id: s.house.id("re"), status: "succeeded", amount: 1, meta: object{}})
		}
	})
	if again, err := s.Refund(t.Context(), refundOf(k, "B1", "1")); err != nil || again.External.ID != first.External.ID {
		t.Errorf("%+v %v", again, err)
	}
}

// TestAReviewHoldsThePaymentUntilItIsClosed.
func TestAReviewHoldsThePaymentUntilItIsClosed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("R1", "125.50")
	s.house.set(k.Ref, conformance.IsInReview)
	if o := s.read(k); o.State != gateway.Review {
		t.Errorf("%+v", o)
	}
	s.change(k.Ref, func(c *checkout) { *c.pay.review = false })
	if o := s.read(k); o.State != gateway.Paid || *o.Paid != conformance.Lira("125.50") {
		t.Errorf("%+v", o)
	}
}

// TestARefusedCardIsTheEndOnlyWithItsSession.
func TestARefusedCardIsTheEndOnlyWithItsSession(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("R1", "125.50")
	s.change(k.Ref, func(c *checkout) { s.house.refused(c, "stolen_card") })
	o := s.read(k)
	if o.State != gateway.Failed || !o.CanStillPay || o.Reason.Code != gateway.LostOrStolen || o.Reason.RawCode != "stolen_card" {
		t.Errorf("%+v", o)
	}
	s.Clock.Advance(time.Hour)
	if o := s.read(k); o.State != gateway.Expired || o.CanStillPay {
		t.Errorf("%+v", o)
	}
}

// TestSomebodyElsesPaymentsAreNotListed: an account may have others than ours.
func TestSomebodyElsesPaymentsAreNotListed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ours, other := s.paid("R1", "1"), s.paid("R2", "2")
	s.change(other.Ref, func(c *checkout) { c.cardMeta = object{"order": "7"} })
	page, err := s.ListDeposits(t.Context(), gateway.Window{From: s.Clock.Now(), To: s.Clock.Now().Add(time.Second)}, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].Ref != ours.Ref || page.Items[0].State != gateway.Paid {
		t.Errorf("%+v %v", page, err)
	}
	in, _ := s.house.notification(other.Ref)
	if n, err := s.ReadNotification(t.Context(), in); err != nil || len(n.Events) > 0 && n.Events[0].Ref == "R2" && n.Events[0].State == gateway.Paid {
		t.Errorf("%+v %v", n, err)
	}
}

// TestErrorsAreWhatTheTableSays, by their code before their status.
func TestErrorsAreWhatTheTableSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		kind, code string
		class      gateway.Class
		effect     gateway.Effect
	}{
		{400, "invalid_request_error", "amount_too_small", gateway.Invalid, gateway.EffectNone},
		{400, "invalid_request_error", "", gateway.Invalid, gateway.EffectNone},
		{400, "idempotency_error", "", gateway.Conflicting, gateway.EffectUnknown},
		{409, "invalid_request_error", "idempotency_key_in_use", gateway.Conflicting, gateway.EffectUnknown},
		{402, "card_error", "card_declined", gateway.Refused, gateway.EffectNone},
		{402, "card_error", "a_new_one", gateway.Refused, gateway.EffectNone},
		{400, "api_error", "", gateway.Retryable, gateway.EffectUnknown},
		{400, "a_new_type", "", gateway.Retryable, gateway.EffectUnknown},
		{424, "invalid_request_error", "", gateway.Retryable, gateway.EffectUnknown},
		{500, "api_error", "balance_insufficient", gateway.Retryable, gateway.EffectUnknown},
		{400, "invalid_request_error", "balance_insufficient", gateway.OutOfFunds, gateway.EffectNone},
		{403, "invalid_request_error", "", gateway.Misconfigured, gateway.EffectNone},
		{429, "invalid_request_error", "lock_timeout", gateway.RateLimited, gateway.EffectNone},
	} {
		s := newShop(t)
		s.house.instead = func(string, string) (int, string) {
			return c.status, `{"error":{"type":"` + c.kind + `","code":"` + c.code + `","message":"why"}}`
		}
		_, err := s.StartDeposit(t.Context(), s.order("R1", "1"))
		if !conformance.IsFailure(err, c.class, c.effect) || gateway.ErrorOf(err).RawText != "why" {
			t.Errorf("%d %s %s: %v", c.status, c.kind, c.code, err)
		}
	}
}

// TestWhatStripeCannotTakeIsRefusedBeforeTheCall.
func TestWhatStripeCannotTakeIsRefusedBeforeTheCall(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	dollars := conformance.Lira("1")
	dollars.Asset.Code = "USD"
	for what, change := range map[string]func(*gateway.DepositOrder){
		"dollars": func(o *gateway.DepositOrder) { o.Amount = dollars }, "nothing": func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0") },
		"half a kuruş": func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0.005") }, "no key": func(o *gateway.DepositOrder) { o.Key = "" },
		"crypto": func(o *gateway.DepositOrder) { o.Kind = gateway.Crypto },
	} {
		o := s.order("R1", "1")
		change(&o)
		if _, err := s.StartDeposit(t.Context(), o); err == nil || !gateway.HasNoEffect(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(s.Sent()) > 0 {
		t.Errorf("%d requests were made", len(s.Sent()))
	}
}

// TestAKeyOfTheOtherEnvironmentIsRefused without a call.
func TestAKeyOfTheOtherEnvironmentIsRefused(t *testing.T) {
	t.Parallel()
	for environment, keys := range map[string][]string{
		gateway.Sandbox: {"sk_live_1", "rk_live_1"}, gateway.Production: {"sk_test_1", "rk_test_1"}, "staging": {"sk_test_1"},
	} {
		for _, key := range keys {
			values := map[string]string{"secret_key": key, "webhook_secret": "whsec_1"}
			c := gateway.NewConfig(stripe.Plugin().Describe().Config, values, nil)
			if _, err := stripe.Plugin().Open(ports.GatewayEnv{Environment: environment, Config: c}); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
				t.Errorf("%s with %s: %v", environment, key, err)
			}
		}
	}
	for _, wrong := range []string{"pk_live_1", "sk_live_", "sk_live_1 ", "live"} {
		if gateway.CheckConfig(stripe.Plugin().Describe().Config, map[string]string{"secret_key": wrong, "webhook_secret": "whsec_1"}) == nil {
			t.Errorf("the secret key %q is taken", wrong)
		}
	}
}

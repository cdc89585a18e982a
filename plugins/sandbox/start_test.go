package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// trouble is a first request that goes wrong.
type trouble struct {
	code   string
	class  gateway.Class
	effect gateway.Effect
	after  time.Duration // Retry-After
	kept   bool
}

func troubles() []trouble {
	return []trouble{
		{"40", gateway.Retryable, gateway.EffectUnknown, 0, false},
		{"41", gateway.RateLimited, gateway.EffectNone, 2 * time.Second, false},
		{"42", gateway.Retryable, gateway.EffectUnknown, 0, false},
		{"43", gateway.Retryable, gateway.EffectUnknown, 0, true},
		{"44", gateway.Retryable, gateway.EffectNone, 0, false},
		{"45", gateway.Retryable, gateway.EffectUnknown, 0, true},
		{"46", gateway.Retryable, gateway.EffectUnknown, 0, true},
		{"47", gateway.Maintenance, gateway.EffectNone, time.Minute, false},
	}
}

func (x trouble) meets(w *world, err error) {
	w.t.Helper()
	e := gateway.ErrorOf(err)
	if err == nil || e.Class != x.class || e.Effect != x.effect || e.RetryAfter != x.after {
		w.t.Errorf("scenario %s: got %v, retry after %s", x.code, err, e.RetryAfter)
	}
}

func TestFirstRequestOfADepositGoesWrong(t *testing.T) {
	t.Parallel()
	for _, x := range troubles() {
		for _, kind := range []gateway.Kind{gateway.Card, gateway.Wallet, gateway.Bank, gateway.Crypto} {
			t.Run(x.code+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				o := w.order(kind, "500."+x.code)
				_, err := w.gateway.StartDeposit(w.ctx, o)
				x.meets(w, err)
				w.check("kept", w.state(), map[bool]string{true: "waiting", false: "not-found"}[x.kept])
				w.start(o)
				w.check("one order after it was sent again", len(w.bank.State().Deposits), 1)
			})
		}
	}
}

func TestFirstRequestOfAPayoutGoesWrong(t *testing.T) {
	t.Parallel()
	for _, x := range troubles() {
		t.Run(x.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := w.payoutOrder("500." + x.code)
			_, err := w.gateway.SendPayout(w.ctx, o)
			x.meets(w, err)
			_, err = w.gateway.ReadPayout(w.ctx, gateway.PayoutKey{Ref: o.Ref})
			w.check("kept", err == nil, x.kept)
			w.check("or not found", err == nil || gateway.IsClass(err, gateway.NotFound), true)
			p, err := w.gateway.SendPayout(w.ctx, o)
			w.ok(err)
			w.check("sent again", p.State, gateway.PayoutDone)
			w.check("one payout", len(w.bank.State().Payouts), 1)
		})
	}
}

func TestBankThatIsDownMayHaveActed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok(w.bank.Down(time.Minute))
	_, err := w.gateway.StartDeposit(w.ctx, w.order(gateway.Card, "10.00"))
	e := gateway.ErrorOf(err)
	w.check("class and effect", []any{e.Class, e.Effect}, []any{gateway.Retryable, gateway.EffectUnknown})
	w.pass(time.Minute)
	w.start(w.order(gateway.Card, "10.00"))
}

func TestTooManyCallsSayWhenToComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok(w.bank.Throttle(2))
	for range 2 {
		_, err := w.gateway.ListAccounts(w.ctx)
		e := gateway.ErrorOf(err)
		w.check("class and time", []any{e.Class, e.RetryAfter}, []any{gateway.RateLimited, 2 * time.Second})
	}
	_, err := w.gateway.ListAccounts(w.ctx)
	w.ok(err)
}

func TestAmountsThatAreTooFineOrTooGreatAreInvalid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, amount := range []string{"0", "-1", "1.001", "10000000.01"} {
		_, err := w.gateway.StartDeposit(w.ctx, w.order(gateway.Card, amount))
		w.check("an order of "+amount, gateway.ErrorOf(err).Class, gateway.Invalid)
	}
	o := w.order(gateway.Card, "10.00")
	o.Amount.Asset = gateway.Asset{Code: "USD", Decimals: 2}
	_, err := w.gateway.StartDeposit(w.ctx, o)
	w.check("an order in USD", gateway.ErrorOf(err).Class, gateway.Unsupported)
	w.check("nothing is kept", len(w.bank.State().Deposits), 0)
}

func TestProbe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		spoil  func(*bank.Config, map[string]string)
		isFine bool
		failed string
		class  gateway.Class
	}{
		{name: "right keys", spoil: func(*bank.Config, map[string]string) {}, isFine: true},
		{name: "a wrong key", spoil: func(_ *bank.Config, v map[string]string) { v["api_key"] = "x" }, failed: "credentials", class: gateway.Misconfigured},
		{name: "a wrong secret", spoil: func(_ *bank.Config, v map[string]string) { v["api_secret"] = "x" }, failed: "credentials", class: gateway.Misconfigured},
		{name: "a wrong notification secret", spoil: func(_ *bank.Config, v map[string]string) { v["notify_secret"] = "x" }, failed: "notification secret", class: gateway.Unauthenticated},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.spoil)
			report := w.gateway.Probe(w.ctx)
			w.check("fine", report.IsOK(), c.isFine)
			for _, check := range report.Checks {
				if !check.OK {
					w.check("failed", []any{check.Name, check.Class}, []any{c.failed, c.class})
				}
			}
		})
	}
}

func TestProbeIsFineWhateverTheBanksClockSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok(w.bank.Advance(30 * 24 * time.Hour))
	w.check("fine", w.gateway.Probe(w.ctx).IsOK(), true)
}

func TestOrderLivesAsLongAsItWasOrderedToAfterTheClockWasMovedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok(w.bank.Advance(20 * time.Minute))
	s := w.start(w.order(gateway.Card, "10.00"))
	w.check("ends", s.ExpiresAt, opening.Add(15*time.Minute))
	w.pass(14 * time.Minute)
	w.check("the state", w.state(), gateway.Waiting)
	w.ok(w.bank.Advance(time.Minute))
	w.check("the state later", w.state(), gateway.Expired)
}

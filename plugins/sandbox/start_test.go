package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

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
				if !check.IsOK {
					w.check("failed", []any{check.Name, check.Failure}, []any{c.failed, c.class})
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
	w.check("ends", s.ExpiresAt, conformance.Opening.Add(15*time.Minute))
	w.pass(14 * time.Minute)
	w.check("the state", w.state(), gateway.Waiting)
	w.ok(w.bank.Advance(time.Minute))
	w.check("the state later", w.state(), gateway.Expired)
}

package garanti_test

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/garanti"
	"github.com/vezne/vezne/ports"
)

// TestASignedReturnIsNoPayment: neither one that the bank knows nothing of, nor one that names another amount, nor another order's.
func TestASignedReturnIsNoPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	success := s.bank.signedForm([2]string{"clientid", "30691299"}, [2]string{"oid", "R1"}, [2]string{"procreturncode", "00"},
		[2]string{"response", "Approved"}, [2]string{"mdstatus", "1"}, [2]string{"txnamount", "12550"})
	if got := s.returned(k, s.bank.inbound(success)); got.State != gateway.Waiting || got.Paid != nil {
		t.Errorf("a signed success of which the bank knows nothing is %+v", got)
	}
	s.bank.charge(o, "00").kurus = 1
	if got := s.returned(k, s.bank.inbound(success)); got.Paid == nil || *got.Paid != conformance.Lira("0.01") {
		t.Errorf("a lower amount shows as %+v", got)
	}
	_, other := s.paid("R2", "125.50")
	mine, _ := s.started("R3", "125.50")
	if got := s.returned(mine, s.bank.inbound(s.bank.result(other))); got.State != gateway.Waiting {
		t.Errorf("another order's success is %+v", got)
	}
}

// TestASignedFailureUndoesNoPayment: also one that is cut anew, since the hash covers values with nothing between them.
func TestASignedFailureUndoesNoPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	failed := s.bank.result(o)
	s.bank.charge(o, "00")
	anew := maps.Clone(failed)
	anew.Set("hashparams", strings.Replace(failed.Get("hashparams"), "clientid:oid:", "oid:clientid:", 1))
	anew.Set("oid", "30691299")
	anew.Set("clientid", "R1")
	for what, form := range map[string]url.Values{"as it came": failed, "cut anew": anew} {
		if got := s.returned(k, s.bank.inbound(form)); got.State != gateway.Paid || *got.Paid != conformance.Lira("125.50") {
			t.Errorf("a failure %s undid a payment: %+v", what, got)
		}
	}
}

// failure are the fields of a failed try that a form must sign.
func failure(changes ...[2]string) [][2]string {
	fields := [][2]string{{"clientid", "30691299"}, {"oid", "R1"}, {"procreturncode", ""}, {"response", ""}, {"mdstatus", "0"}}
	for _, c := range changes {
		for i := range fields {
			if fields[i][0] == c[0] {
				fields[i][1] = c[1]
			}
		}
	}
	return fields
}

// TestOnlyASignedReturnTellsOfAFailure: whatever else a browser brings, an order waits.
func TestOnlyASignedReturnTellsOfAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	_, other := s.started("R2", "1.00")
	right := s.bank.result(o)
	with := func(name, value string) url.Values {
		f := maps.Clone(right)
		f[name] = []string{value}
		return f
	}
	changed := func(name, value string) url.Values { return s.bank.signedForm(failure([2]string{name, value})...) }
	without := func(name string) url.Values {
		var kept [][2]string
		for _, f := range failure() {
			if f[0] != name {
				kept = append(kept, f)
			}
		}
		form := s.bank.signedForm(kept...)
		form.Set(name, map[string]string{"oid": "R1", "clientid": "30691299", "mdstatus": "0"}[name])
		return form
	}
	listed := func(names string, text string) url.Values {
		f := s.bank.signedForm(failure()...)
		f.Set("hashparams", names)
		f.Set("hash", upper512(text+s.bank.setting("store_key")))
		return f
	}
	const all, value = "clientid:oid:procreturncode:response:mdstatus", "30691299R10"
	stranger := newBank(func(string) string { return "another" }, s.Clock.Now)
	long, many := listed(all, value), all
	for i := range 70 {
		name := "n" + strings.Repeat("x", i)
		many += ":" + name
		long.Set(name, "")
	}
	long.Set("hashparams", many)
	small := maps.Clone(right)
	small.Set("hash", strings.ToLower(right.Get("hash")))
	for what, form := range map[string]url.Values{
		"without a hash":           with("hash", ""),
		"with a changed result":    with("mdstatus", "7"),
		"of another key":           stranger.signedForm(failure()...),
		"of another order":         s.bank.result(other),
		"of another terminal":      changed("clientid", "30691298"),
		"of a success":             changed("mdstatus", "1"),
		"of half a 3-D Secure":     changed("mdstatus", "4"),
		"of a charge":              changed("procreturncode", "00"),
		"of no result":             changed("mdstatus", ""),
		"of a long result":         changed("mdstatus", "0R1"),
		"whose order is unsigned":  without("oid"),
		"whose result is unsigned": without("mdstatus"),
		"whose shop is unsigned":   without("clientid"),
		"whose code is unsigned":   without("procreturncode"),
		"whose answer is unsigned": without("response"),
		"that signs nothing":       listed("", ""),
		"that signs a name twice":  listed(all+":oid", value+"R1"),
		"that signs what it lacks": listed(all+":rnd", value),
		"that signs its own list":  listed(all+":hashparams", value+all+":hashparams"),
		"that signs without end":   long,
		"in small letters":         small,
	} {
		if got := s.returned(k, s.bank.inbound(form)); got.State != gateway.Waiting {
			t.Errorf("a return %s: %+v", what, got)
		}
	}
}

// TestARightReturnTellsOfAFailure, once, in one form, and never after the payment.
func TestARightReturnTellsOfAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	right := s.bank.result(o)
	twice, asked, inJSON := s.bank.inbound(right), s.bank.inbound(right), s.bank.inbound(right)
	twice.Body = append(twice.Body, "&oid=R1"...)
	asked.Method = "GET"
	inJSON.Header = gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	for what, in := range map[string]gateway.Inbound{"with a field twice": twice, "by GET": asked, "of another type": inJSON} {
		if got := s.returned(k, in); got.State != gateway.Waiting {
			t.Errorf("a return %s: %+v", what, got)
		}
	}
	plain := s.bank.signedForm(failure()...)
	plain.Set("hashparams", strings.TrimSuffix(plain.Get("hashparams"), ":"))
	for what, form := range map[string]url.Values{"right": right, "without a colon at its end": plain, "of another result": s.bank.signedForm(failure([2]string{"mdstatus", "7"})...)} {
		got := s.returned(k, s.bank.inbound(form))
		if got.State != gateway.Failed || !got.CanStillPay || got.Trust != gateway.Answered || got.Reason.Code != gateway.AuthFailed {
			t.Errorf("the one %s: %+v", what, got)
		}
	}
	s.bank.charge(o, "00")
	if got := s.returned(k, s.bank.inbound(right)); got.State != gateway.Paid || *got.Paid != conformance.Lira("125.50") {
		t.Errorf("a failure of before, brought once more after the payment, gave %+v", got)
	}
}

// asked answers every question from a bank.
type asked struct{ b *bank }

// Do implements ports.Doer.
func (a asked) Do(context.Context, gateway.Request) (gateway.Response, error) {
	return gateway.Response{Status: 200, Body: []byte(a.b.signed("PROVAUT", "30691299", "7000679", "R1", "GVPS", "92", "0108", "x", "", ""))}, nil
}

// TestTheKeyBeforeAChangeStillCounts, for forms that were given out under it.
func TestTheKeyBeforeAChangeStillCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	values := map[string]string{}
	for name := range settings() {
		values[name] = s.bank.setting(name)
	}
	values["store_key"] = "a-new-one"
	for previous, want := range map[string]gateway.State{s.bank.setting("store_key"): gateway.Failed, "": gateway.Waiting} {
		c := gateway.NewConfig(garanti.Plugin().Describe().Config, values, map[string]string{"store_key": previous})
		g, err := garanti.Plugin().Open(ports.GatewayEnv{Environment: gateway.Production, Config: c, Clock: s.Clock, HTTP: asked{s.bank}})
		if err != nil {
			t.Fatal(err)
		}
		renewed := &shop{s.Shop, g.(*garanti.Gateway), t, s.bank}
		if got := renewed.returned(k, s.bank.inbound(s.bank.result(o))); got.State != want {
			t.Errorf("under the key before: %+v", got)
		}
	}
}

// TestNoKeyIsNoKey: what anybody can sign is not signed.
func TestNoKeyIsNoKey(t *testing.T) {
	t.Parallel()
	if garanti.IsReturn([]string{""}, "R1", garanti.Sign("R1")) || garanti.IsReturn(nil, "", "") || garanti.IsSign("", garanti.Sum("")) {
		t.Error("a signature without a key is taken")
	}
}

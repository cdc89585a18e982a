package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

func descriptorCases(s suite) []testCase {
	list := []testCase{
		{"the descriptor and the methods agree", descriptorAgrees},
		{"the descriptor is the same each time", descriptorIsConstant},
		{"the sample configuration and the customer's fields are valid", samplesAreValid},
		{"a missing, malformed or unknown value is an error that names its field", wrongValuesAreNamed},
		{"a customer's field of a well-known name is checked for what it is", knownFieldsAreChecked},
		{"opening makes no call and never panics", openMakesNoCall},
		{"two gateways of different configuration share nothing", twoShareNothing},
		{"no host is reached but those that are named", onlyNamedHosts},
		{"secrets show in no URL, error, report or printed gateway", secretsStayInside},
	}
	if s.MisplacedConfig != nil {
		list = append(list, testCase{"keys of another environment are refused without a call", misplacedIsRefused})
	}
	return list
}

func descriptorAgrees(w *world) {
	for _, problem := range plugins.Check(w.Plugin) {
		w.t.Error(problem)
	}
	for _, c := range gateway.Capabilities() {
		w.check(ports.CapabilityOf(w.gateway, c) == w.has(c), "Plugin.Has says %v of %s, and of the opened gateway it is %v",
			w.has(c), c, !w.has(c))
	}
}

func descriptorIsConstant(w *world) {
	diff := cmp.Diff(w.d, w.Plugin.Describe(), cmp.Comparer(func(a, b money.Decimal) bool { return a == b }),
		cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }))
	w.check(diff == "", "Describe gives something else the second time: %s", diff)
}

func samplesAreValid(w *world) {
	if err := gateway.CheckConfig(w.d.Config, w.Config); err != nil {
		w.t.Errorf("Subject.Config is not valid: %v %v", err, fault.FieldsOf(err))
	}
	for _, f := range w.needs() {
		w.check(f.IsOptional || w.Fields[f.Name] != "", "Subject.Fields lacks %q, which Needs asks for", f.Name)
	}
}

// needs are what customers must supply.
func (s suite) needs() []gateway.FieldSpec {
	var all []gateway.FieldSpec
	if s.d.Deposit != nil {
		all = slices.Concat(s.d.Deposit.Needs, s.d.Deposit.Refund.NeedsTarget)
	}
	if s.d.Payout != nil {
		all = append(all, s.d.Payout.Needs...)
	}
	return all
}

func wrongValuesAreNamed(w *world) {
	isNamed := func(field string, values map[string]string) {
		named := slices.ContainsFunc(fault.FieldsOf(gateway.CheckConfig(w.d.Config, values)),
			func(f fault.Field) bool { return f.Name == field })
		w.check(named, "gateway.CheckConfig takes %q for the field %q: say Required, Type or Pattern in the descriptor",
			values[field], field)
	}
	malformed := map[gateway.FieldType]string{
		gateway.URLField: "ftp://files", gateway.IntField: "1.5", gateway.BoolField: "perhaps", gateway.ChoiceField: "\u2620",
		gateway.DecimalField: "1e3",
	}
	for _, f := range w.d.Config {
		if f.IsRequired && f.Default == "" {
			isNamed(f.Name, w.without(f.Name))
		}
		for _, value := range []string{malformed[f.Type], "a\x00b", "\xff"} {
			if value != "" {
				isNamed(f.Name, w.with(f.Name, value))
			}
		}
	}
	isNamed("not_a_field", w.with("not_a_field", "x"))
}

// with is the configuration with another value.
func (w *world) with(field, value string) map[string]string {
	values := maps.Clone(w.values)
	values[field] = value
	return values
}

// without is the configuration without a value.
func (w *world) without(field string) map[string]string {
	values := maps.Clone(w.values)
	delete(values, field)
	return values
}

func knownFieldsAreChecked(w *world) {
	known := map[string]gateway.FieldCheck{
		"iban": gateway.CheckIBAN, "account_holder": gateway.CheckName, "wallet_number": gateway.CheckWallet,
		"wallet_address": gateway.CheckAddress, "national_id": gateway.CheckTCKN, "phone": gateway.CheckPhone,
		"email": gateway.CheckEmail,
	}
	for _, f := range w.needs() {
		want, isKnown := known[f.Name]
		w.check(!isKnown || f.Check == want,
			"Needs checks the field %q as %q, and it must be %q: what is wrong is refused before any call", f.Name, f.Check, want)
	}
}

// noCalls is a Doer for what must make no call.
type noCalls struct{ w *world }

// Do implements ports.Doer.
func (n noCalls) Do(_ context.Context, r gateway.Request) (gateway.Response, error) {
	n.w.leaks.add("no calls", "%s %s was called where no call is allowed", r.Method, r.URL)
	return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}
}

// opens opens the subject with a configuration that may be wrong. Opening must make no call.
func (w *world) opens(values map[string]string) error {
	g, err := w.tryOpen(gateway.NewConfig(w.d.Config, values, nil), noCalls{w})
	if err == nil {
		w.ok("Close", g.Close())
		return nil
	}
	w.leaks.checkValue("an error of Open", err)
	return err
}

func openMakesNoCall(w *world) {
	w.ok("Open", w.opens(w.values))
	for _, f := range w.d.Config {
		err := w.opens(w.without(f.Name))
		w.check(err == nil || gateway.CheckConfig(w.d.Config, w.without(f.Name)) != nil,
			"Open refuses a configuration without %q, which gateway.CheckConfig takes: say Required in the descriptor (%v)",
			f.Name, err)
	}
}

func misplacedIsRefused(w *world) {
	w.check(w.opens(w.MisplacedConfig) != nil,
		"Open takes Subject.MisplacedConfig in the environment %q: test keys in production lose money silently", w.Environment)
}

func twoShareNothing(w *world) {
	other := newWorldWith(w.t, w.Subject, withKitSecrets(w.Subject, "0ddba11c0de5"), "B")
	defer other.finish()
	both := []*world{w, other}
	w.together(2, func(i int) { both[i].askAll() })
	w.askAll() // again, after the other has been used
	w.sentNothingOf(other, "KITB")
	other.sentNothingOf(w, "KIT0")
}

// askAll asks all queries. That they succeed shows that each gateway used keys and hosts of its own.
func (w *world) askAll() {
	for _, q := range w.allQueries() {
		if _, err := q.ask(w); err != nil {
			w.leaks.add("ask all", "%s failed beside another gateway of the same plugin: %v", q.name, err)
		}
	}
}

// sentNothingOf checks that no secret and no reference of another gateway was sent by this one.
func (w *world) sentNothingOf(other *world, mark string) {
	for _, r := range w.transport.sent() {
		text := fmt.Sprintf("%s %s %v %s", r.Method, r.URL, r.Header, r.Body)
		for _, secret := range w.d.SecretValues(other.config) {
			isShared := slices.Contains(w.d.SecretValues(w.config), secret)
			w.check(isShared || !strings.Contains(text, secret),
				"a gateway sent the secret of another one: two gateways share nothing, so keep nothing at package level")
		}
		w.check(!strings.Contains(text, mark), "a gateway made another one's call: %s %s", r.Method, r.URL)
	}
}

// onlyNamedHosts makes every call that asks. The transport finds what reaches another host.
func onlyNamedHosts(w *world) {
	w.askAll()
	w.probe()
}

// secretsStayInside makes every call that asks, in every failure mode. The leak detector checks what comes of it.
func secretsStayInside(w *world) {
	w.leaks.checkValue("the gateway, when it is printed,", w.gateway)
	text, err := json.Marshal(w.gateway)
	w.leaks.checkText("the gateway, written as JSON,", fmt.Sprintf("%s %v", text, err))
	all := w.allQueries()
	for _, m := range failureModes() {
		w.meet(m, nil)
		for _, q := range all {
			_, _ = q.ask(w) // whatever it reports was checked by then
		}
		w.probe()
		w.transport.restore()
	}
}

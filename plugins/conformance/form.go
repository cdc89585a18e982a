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

func formSentences(k kit) []sentence {
	list := []sentence{
		{"the descriptor and the methods agree", descriptorAgrees},
		{"the descriptor is the same each time", descriptorIsConstant},
		{"the sample configuration and the customer's fields are valid", samplesAreValid},
		{"a missing value is an error that names its field", missingIsNamed},
		{"a value of the wrong shape is an error that names its field", wrongShapeIsNamed},
		{"a value that nobody asked for is an error that names it", extraIsNamed},
		{"a customer's field of a well-known name is checked for what it is", knownFieldsAreChecked},
		{"opening makes no call and never panics", openIsQuiet},
		{"two gateways of different configuration share nothing", twoShareNothing},
		{"no host is reached but those that are named", onlyNamedHosts},
		{"secrets show in no URL, error, report or printed gateway", secretsStayInside},
	}
	if k.MisplacedConfig != nil {
		list = append(list, sentence{"keys of another environment are refused without a call", misplacedIsRefused})
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
	first, second := w.Plugin.Describe(), w.Plugin.Describe()
	diff := cmp.Diff(first, second, cmp.Comparer(func(a, b money.Decimal) bool { return a == b }),
		cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }))
	w.check(diff == "", "Describe gives something else the second time: %s", diff)
}

func samplesAreValid(w *world) {
	if err := gateway.CheckConfig(w.d.Config, w.Config); err != nil {
		w.t.Errorf("Subject.Config is not valid: %v %v", err, fault.FieldsOf(err))
	}
	for _, specs := range w.needs() {
		for _, f := range specs {
			w.check(f.IsOptional || w.Fields[f.Name] != "", "Subject.Fields lacks %q, which Needs asks for", f.Name)
		}
	}
}

// needs are what customers must supply.
func (k kit) needs() [][]gateway.FieldSpec {
	var all [][]gateway.FieldSpec
	if k.d.Deposit != nil {
		all = append(all, k.d.Deposit.Needs, k.d.Deposit.Refund.NeedsTarget)
	}
	if k.d.Payout != nil {
		all = append(all, k.d.Payout.Needs)
	}
	return all
}

// isNamed checks that a configuration is refused because of a field.
func (w *world) isNamed(field string, values map[string]string) {
	w.t.Helper()
	named := slices.ContainsFunc(fault.FieldsOf(gateway.CheckConfig(w.d.Config, values)),
		func(f fault.Field) bool { return f.Name == field })
	w.check(named, "gateway.CheckConfig takes %q for the field %q: say Required, Type or Pattern in the descriptor",
		values[field], field)
}

func missingIsNamed(w *world) {
	for _, f := range w.d.Config {
		if f.IsRequired && f.Default == "" {
			values := maps.Clone(w.values)
			delete(values, f.Name)
			w.isNamed(f.Name, values)
		}
	}
}

func wrongShapeIsNamed(w *world) {
	wrong := map[gateway.FieldType]string{
		gateway.URLField: "ftp://files", gateway.IntField: "1.5", gateway.BoolField: "perhaps", gateway.ChoiceField: "\u2620",
		gateway.DecimalField: "1e3",
	}
	for _, f := range w.d.Config {
		for _, value := range []string{wrong[f.Type], "a\x00b", "\xff"} {
			if value != "" {
				values := maps.Clone(w.values)
				values[f.Name] = value
				w.isNamed(f.Name, values)
			}
		}
	}
}

func extraIsNamed(w *world) {
	values := maps.Clone(w.values)
	values["not_a_field"] = "x"
	w.isNamed("not_a_field", values)
}

func knownFieldsAreChecked(w *world) {
	known := map[string]gateway.FieldCheck{
		"iban": gateway.CheckIBAN, "account_holder": gateway.CheckName, "wallet_number": gateway.CheckWallet,
		"wallet_address": gateway.CheckAddress, "national_id": gateway.CheckTCKN, "phone": gateway.CheckPhone,
		"email": gateway.CheckEmail,
	}
	for _, specs := range w.needs() {
		for _, f := range specs {
			want, isKnown := known[f.Name]
			w.check(!isKnown || f.Check == want,
				"Needs checks the field %q as %q, and it must be %q: what is wrong is refused before any call", f.Name, f.Check, want)
		}
	}
}

// silence is a Doer that nobody may use.
type silence struct{ w *world }

// Do implements ports.Doer.
func (s silence) Do(_ context.Context, r gateway.Request) (gateway.Response, error) {
	s.w.ear.complain("silence", fmt.Sprintf("%s %s was called where no call is allowed", r.Method, r.URL))
	return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}
}

func openIsQuiet(w *world) {
	w.open(w.config, silence{w})
	for _, f := range w.d.Config {
		values := maps.Clone(w.values)
		delete(values, f.Name)
		g, err := w.Plugin.Open(ports.GatewayEnv{
			Environment: w.Environment, Config: gateway.NewConfig(w.d.Config, values, nil), HTTP: silence{w}, Clock: w.clock,
		})
		if err == nil {
			w.ok("Close", g.Close())
			continue
		}
		w.ear.hear("an error of Open", fmt.Sprintf("%v %+v %#v", err, err, err))
		w.check(gateway.CheckConfig(w.d.Config, values) != nil,
			"Open refuses a configuration without %q, which gateway.CheckConfig takes: say Required in the descriptor (%v)",
			f.Name, err)
	}
}

func misplacedIsRefused(w *world) {
	g, err := w.Plugin.Open(ports.GatewayEnv{
		Environment: w.Environment, Config: gateway.NewConfig(w.d.Config, w.MisplacedConfig, nil), HTTP: silence{w},
		Clock: w.clock,
	})
	if err == nil {
		w.ok("Close", g.Close())
		w.t.Errorf("Open takes Subject.MisplacedConfig in the environment %q: test keys in production lose money silently",
			w.Environment)
	}
}

func twoShareNothing(w *world) {
	other := newWorldWith(w.t, w.Subject, planted(w.t, w.Subject, "0ddba11c0de5"), "B")
	defer other.judge()
	both := []*world{w, other}
	w.together(2, func(i int) { both[i].exercise() })
	w.exercise() // once more, now that the other was at work
	w.hasNothingOf(other)
	other.hasNothingOf(w)
}

// exercise makes a few calls; that they succeed shows that each gateway used the keys and hosts of its own.
func (w *world) exercise() {
	for _, ask := range w.questions() {
		if _, err := ask(w); err != nil {
			w.ear.complain("exercise", fmt.Sprintf("a question failed beside another gateway of the same plugin: %v", err))
		}
	}
}

// hasNothingOf checks that no secret and no reference of another gateway was sent by this one.
func (w *world) hasNothingOf(other *world) {
	w.t.Helper()
	for _, r := range w.wire.requests() {
		text := fmt.Sprintf("%s %s %v %s", r.Method, r.URL, r.Header, r.Body)
		for _, secret := range w.d.SecretValues(other.config) {
			isShared := slices.Contains(w.d.SecretValues(w.config), secret)
			w.check(isShared || !strings.Contains(text, secret),
				"a gateway sent the secret of another one: two gateways share nothing, so keep nothing at package level")
		}
		mark := "KIT" + other.refs.series
		if other.refs.series == "" {
			mark = "KIT0"
		}
		w.check(!strings.Contains(text, mark), "a gateway made another one's call: %s %s", r.Method, r.URL)
	}
}

func onlyNamedHosts(w *world) {
	w.exercise()
	w.probe()
	for _, r := range w.everything() {
		_ = r.do(w) // wherever it leads, the wire notes it
	}
}

// everything is all questions of all groups.
func (w *world) everything() []reading {
	w.t.Helper()
	var all []reading
	if w.d.Deposit != nil {
		all = append(all, depositReadings(w)...)
	}
	if w.d.Payout != nil {
		all = append(all, payoutRail(w.kit).readings(w)...)
	}
	if w.d.Account != nil {
		all = append(all, transferRail(w.kit).readings(w)...)
		all = append(all, accountReadings(w)...)
	}
	return all
}

// secretsStayInside is judged by the ear, which hears everything that is asked here.
func secretsStayInside(w *world) {
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		w.ear.hear("the gateway, printed with "+form+",", fmt.Sprintf(form, w.gateway))
	}
	text, err := json.Marshal(w.gateway)
	w.ear.hear("the gateway, written as JSON,", fmt.Sprintf("%s %v", text, err))
	all := w.everything()
	for _, t := range troubles() {
		for _, r := range all {
			w.wire.down(t, nil)
			_ = r.do(w) // whatever it says, the ear hears it
			w.probe()
			w.wire.heal()
		}
	}
	w.refuse()
	for _, r := range all {
		_ = r.do(w)
	}
	w.probe()
}

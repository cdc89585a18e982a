package conformance

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// Live runs what is safe against a real account: questions, and in the gateway's sandbox an order that nobody pays. The account comes
// from environment variables, VEZNE_LIVE_ACME_API_KEY for the field api_key of acme; VEZNE_LIVE_ACME_ENVIRONMENT is sandbox unless it
// says production. What the gateway answers is held against Subject.Documents, and never printed with the account's secrets.
func Live(t *testing.T, s Subject) {
	t.Helper()
	if err := s.fromEnvironment(); err != nil {
		t.Fatal(err)
	}
	s.NewFake = nil
	for _, c := range newSuite(s).liveCases() {
		t.Run(c.name, func(t *testing.T) { // one after another: the gateway counts calls
			w := newWorldWith(t, s, s.Config, fmt.Sprintf("L%d", time.Now().Unix()))
			defer w.finish()
			c.run(w)
		})
	}
}

// fromEnvironment puts the account into the subject. Its error names what is missing, and no value.
func (s *Subject) fromEnvironment() error {
	d := s.Plugin.Describe()
	prefix := "VEZNE_LIVE_" + strings.ToUpper(strings.ReplaceAll(d.Code, "-", "_")) + "_"
	s.Config, s.Environment = map[string]string{}, gateway.Sandbox
	if named := os.Getenv(prefix + "ENVIRONMENT"); named != "" {
		s.Environment = named
	}
	for _, f := range d.Config {
		if value := os.Getenv(prefix + strings.ToUpper(f.Name)); value != "" {
			s.Config[f.Name] = value
		}
	}
	var wrong []string
	for _, f := range fault.FieldsOf(gateway.CheckConfig(d.Config, s.Config)) {
		wrong = append(wrong, prefix+strings.ToUpper(f.Name))
	}
	if s.Environment != gateway.Sandbox && s.Environment != gateway.Production {
		wrong = append(wrong, prefix+"ENVIRONMENT")
	}
	if len(wrong) > 0 {
		return fmt.Errorf("no account to try %s with: set %s (plugins/README.md, \"Against a real account\")", d.Title,
			strings.Join(wrong, ", "))
	}
	return nil
}

func (s suite) liveCases() []testCase {
	list := []testCase{
		{"the account works", func(w *world) {
			report := w.probe()
			w.check(report.IsOK(), "Probe: %+v", report)
		}},
		{"what was never ordered is not found", liveNotFound},
	}
	list = append(list, when(s.has(gateway.CanListDeposits), testCase{"the deposits of a day are listed", func(w *world) {
		w.t.Logf("%d deposits", len(w.listAll(gateway.Window{From: w.clock.Now().Add(-24 * time.Hour), To: w.clock.Now()})))
	}})...)
	list = append(list, when(s.has(gateway.CanListOptions), testCase{"options are listed", func(w *world) {
		_, err := w.listOptions()
		w.ok("ListOptions", err)
	}})...)
	list = append(list, when(s.has(gateway.CanQuote), testCase{"a quote is exact", func(w *world) {
		_, err := w.quote(gateway.QuoteRequest{From: lira(w.usual()), To: w.quotedAsset()})
		w.ok("Quote", err)
	}})...)
	list = append(list, when(s.d.Account != nil, testCase{"accounts have a balance and a statement", liveAccounts})...)
	list = append(list, when(s.d.Deposit != nil && s.Environment == gateway.Sandbox,
		testCase{"an order that nobody pays waits", liveOrderWaits})...)
	return append(list, testCase{"wrong keys are found", liveWrongKeys}) // the last: some gateways lock a key out for a while
}

func liveNotFound(w *world) {
	for _, t := range w.orderTypes() {
		if t.keys.Find && t.name != "a transfer" {
			o := t.newOrder(w, t.usual)
			got, err := o.read(w, receipt{due: o.amount})
			w.checkNotFound(t.readName+" by Ref alone", got, err)
		}
	}
}

func liveAccounts(w *world) {
	all, err := w.listAccounts()
	w.ok("ListAccounts", err)
	for _, a := range all {
		_, err := w.readBalance(a.ID)
		w.ok("ReadBalance", err)
		_, err = w.readStatement(gateway.StatementQuery{
			AccountID: a.ID, Window: gateway.Window{From: w.clock.Now().Add(-24 * time.Hour), To: w.clock.Now()}, Limit: 10,
		})
		w.ok("ReadStatement", err)
	}
}

// liveOrderWaits starts an order in the gateway's sandbox. Nobody pays it: it ends by itself, or is canceled where that is possible.
func liveOrderWaits(w *world) {
	d := w.start()
	got, err := w.readDeposit(d.key())
	w.ok("ReadDeposit", err)
	w.check(isOneOf(got.State, gateway.Waiting, gateway.Processing), "an order that nobody paid reads as %s (%q)", got.State, got.Raw)
	w.t.Logf("order %s leads to %q and reads as %s (%q)", d.order.Ref, d.started.Next.Kind(), got.State, got.Raw)
	if w.has(gateway.CanCancelDeposit) {
		r, err := w.orderOf(d.order).cancel(w, receipt{external: d.started.External, due: d.due()})
		w.ok("CancelDeposit", err)
		w.check(!isPaid(gateway.State(r.state)), "an order that nobody paid was canceled, and reads as %s", r.state)
	}
}

func liveWrongKeys(w *world) {
	values := map[string]string{}
	for _, f := range w.d.Config {
		values[f.Name] = w.values[f.Name]
		if f.Type == gateway.SecretField && values[f.Name] != "" {
			values[f.Name] = another(f, values[f.Name])
		}
	}
	wrong := w.on(w.open(gateway.NewConfig(w.d.Config, values, nil), w.transport))
	report := wrong.probe()
	w.check(!report.IsOK(), "with other keys Probe is fine: it makes no call that needs them")
	for _, c := range report.Checks {
		w.check(c.IsOK || isOneOf(c.Failure, gateway.Misconfigured, gateway.Unauthenticated),
			"with other keys Probe says %q (%s): staff are not told that the keys are wrong", c.Failure, c.Detail)
	}
}

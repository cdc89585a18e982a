package operations_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestASignedRequestIsTakenOnce: where a provider, a dealer and a website require request signatures, no process takes a hash, a
// request that was changed, or one that another process has taken. A dealer who requires keys gets no payment without one.
func TestASignedRequestIsTakenOnce(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		first, last := servers[0], servers[len(servers)-1]
		admin := in.SignIn(first, "admin")
		change := func(mutation string, input map[string]any) {
			t.Helper()
			kind := strings.ToUpper(mutation[:1]) + mutation[1:] + "Input!"
			var data any
			if err := admin.Ask(fmt.Sprintf(`mutation($input: %s) { %s(input: $input) { __typename } }`, kind, mutation),
				map[string]any{"input": input}, &data); err != nil {
				t.Fatal(err)
			}
		}
		var dealer struct {
			Dealer struct{ SiteTokens []struct{ ID string } }
		}
		if err := admin.Ask(`{ dealer(id: 1) { siteTokens { id } } }`, nil, &dealer); err != nil || len(dealer.Dealer.SiteTokens) == 0 {
			t.Fatalf("%+v, %v", dealer, err)
		}
		change("updateProvider", map[string]any{"id": in.Keys.Provider.ID, "signatureMode": "REQUIRED"})
		change("updateDealer", map[string]any{"id": 1, "signatureMode": "REQUIRED", "isIdempotencyRequired": true})
		change("updateSiteToken", map[string]any{"id": dealer.Dealer.SiteTokens[0].ID, "signatureMode": "REQUIRED"})

		for name, args := range map[string][]string{
			"a provider": {"start-manual-deposit"},
			"a dealer":   {"dealer-manual-iban-deposit"},
			"a website":  {"dealer-manual-iban-deposit", "--site-token"},
		} {
			ask := func(p *harness.Process, more ...string) func(change func(*http.Request)) harness.Answer {
				said := in.Succeed(append(append([]string{"sign"}, args...), append(more, "--demo", in.Dir)...)...)
				return func(change func(*http.Request)) harness.Answer {
					r := printedRequest(t, said)
					at, err := url.Parse(p.URL)
					if err != nil {
						t.Fatal(err)
					}
					r.URL.Host, r.Host = at.Host, ""
					if change != nil {
						change(r)
					}
					a, err := harness.Send(r)
					if err != nil {
						t.Fatal(err)
					}
					return a
				}
			}
			for _, p := range servers {
				harness.Eventually(t, func() error {
					if a := ask(p)(nil); a.Status != http.StatusUnauthorized {
						return fmt.Errorf("the hash of %s is answered with %d %s", name, a.Status, a.Body)
					}
					return nil
				})
			}
			v2 := func(key string) []string { return []string{"--v2", "--idempotency-key", key} }
			once, again := ask(first, v2("one")...), ask(last, v2("two")...)
			if a := once(func(r *http.Request) { r.URL.RawQuery = "x=1" }); a.Status != http.StatusUnauthorized {
				t.Errorf("another query of %s is answered with %d %s", name, a.Status, a.Body)
			}
			if a := once(func(r *http.Request) { // another space
				sent, err := io.ReadAll(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				changed := bytes.Replace(sent, []byte(`"amount":`), []byte(`"amount": `), 1)
				if bytes.Equal(changed, sent) {
					t.Fatalf("%s has no amount", sent)
				}
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
			}); a.Status != http.StatusUnauthorized {
				t.Errorf("another body of %s is answered with %d %s", name, a.Status, a.Body)
			}
			if a := again(func(r *http.Request) { r.Header.Set("Idempotency-Key", "another") }); a.Status != http.StatusUnauthorized {
				t.Errorf("another key of %s is answered with %d %s", name, a.Status, a.Body)
			}
			if a := once(nil); a.Status != http.StatusOK {
				t.Errorf("the signature of %s is answered with %d %s", name, a.Status, a.Body)
			}
			if a := ask(last, v2("three")...)(nil); a.Status != http.StatusOK { // the other process takes such signatures, but not this one again
				t.Errorf("another signature of %s is answered with %d %s", name, a.Status, a.Body)
			}
			at, _ := url.Parse(last.URL)
			replayed := once(func(r *http.Request) { r.URL.Host = at.Host })
			if replayed.Status != http.StatusUnauthorized || !strings.Contains(string(replayed.Body), "Nonce already used") {
				t.Errorf("the signature of %s, once more, is answered with %d %s", name, replayed.Status, replayed.Body)
			}
		}
		said := in.Succeed("sign", "dealer-send-money", "--v2", "--wallet-id", in.Keys.Wallets[0].WalletID, "--demo", in.Dir)
		r := printedRequest(t, said)
		at, err := url.Parse(first.URL)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Host = at.Host
		if a, err := harness.Send(r); err != nil || a.Status < 400 || a.Status >= 500 || !strings.Contains(string(a.Body), "Idempotency-Key") {
			t.Errorf("a transfer without a key is answered with %d %s (%v)", a.Status, a.Body, err)
		}
	})
}

// TestAStolenSessionIsOldAndMovesNothing: a session whose proof is old moves no money and takes no file out, of a member without a
// second factor too, until they have given their password; and names that read backwards are refused.
func TestAStolenSessionIsOldAndMovesNothing(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		server := servers[len(servers)-1]
		m := in.Member("operator")
		operator, err := harness.SignIn(servers[0].URL, m.Email, m.Password)
		if err != nil {
			t.Fatal(err)
		}
		operator.Base = server.URL
		p := in.Provider(server).Create(t, "start-manual-deposit", "15000.00")
		for _, name := range []string{"Ay\u202eşe Yılmaz", "Ayşe \u2067Yılmaz", "Ayşe\u2069 Yılmaz"} {
			order := harness.Order("120.00")
			order.Fullname = name
			if a, _, err := in.Provider(server).Try("start-manual-deposit", order, ""); err != nil || a.Status != http.StatusUnprocessableEntity {
				t.Errorf("the name %q is answered with %d %s (%v)", name, a.Status, a.Body, err)
			}
		}

		old := "UPDATE sessions SET proven_at = proven_at - 3600000000"
		if in.Setting("DATABASE_URL") != "" {
			old = "UPDATE sessions SET proven_at = proven_at - interval '1 hour'"
		}
		if err := in.Tamper(old); err != nil {
			t.Fatal(err)
		}
		do := map[string]func() error{
			"a large deposit": func() error {
				_, err := operator.DecideAlone("approveDeposit", p.TrackingCode, "expectedAmount", "15000.00", "reason", "seen")
				return err
			},
			"an export": func() error {
				var data any
				return operator.Ask(`mutation { startExport(input: {format: CSV}) { job { id } } }`, nil, &data)
			},
		}
		for what, act := range do {
			if err := act(); harness.CodeOf(err) != "STEP_UP_NEEDED" {
				t.Errorf("%s gives %v", what, err)
			}
		}
		prove := func(password string) error {
			var data any
			return operator.Ask(`mutation($p: String!) { stepUp(input: {password: $p}) { session { provenUntil } } }`, map[string]any{"p": password}, &data)
		}
		if err := prove("not " + m.Password); harness.CodeOf(err) != "BAD_LOGIN" {
			t.Errorf("a wrong password gives %v", err)
		}
		if err := prove(m.Password); err != nil {
			t.Fatal(err)
		}
		for what, act := range do {
			if err := act(); err != nil && harness.CodeOf(err) != "APPROVAL_NEEDED" {
				t.Errorf("%s after a proof: %v", what, err)
			}
		}
	})
}

// TestAnExportStaysWithTheRightsItWasOrderedBy: whoever is moved to a dealer gets nothing of what they ordered before, of any kind, and
// an address of a file that they had asked for opens nothing.
func TestAnExportStaysWithTheRightsItWasOrderedBy(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		admin, auditor := in.SignIn(servers[0], "admin"), in.SignIn(servers[0], "auditor")
		const year = `from: "2026-01-01T00:00:00Z", until: "2026-12-31T00:00:00Z", format: CSV`
		wallet := fmt.Sprintf("walletId: %q, ", in.Keys.Wallets[0].WalletID)
		jobs := map[string]harness.JobView{}
		for kind, order := range map[string]string{
			"transactions": `startExport(input: {format: CSV})`,
			"a statement":  `exportList(input: {list: STATEMENT, ` + wallet + year + `})`,
			"a ledger":     `exportList(input: {list: LEDGER, ` + wallet + year + `})`,
			"bank lines":   `exportList(input: {list: BANK_LINES, format: CSV})`,
			"statistics":   `exportList(input: {list: STATISTICS, by: [PROVIDER], ` + year + `})`,
			"the audit":    `exportList(input: {list: AUDIT, format: CSV})`,
		} {
			var data struct{ Ordered struct{ Job harness.JobView } }
			if err := auditor.Ask(`mutation { ordered: `+order+` { job { id } } }`, nil, &data); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if jobs[kind] = auditor.Over(t, data.Ordered.Job.ID); jobs[kind].Status != "DONE" {
				t.Fatalf("%s: %+v", kind, jobs[kind])
			}
		}
		path := auditor.Ticket(t, jobs["the audit"])
		var me struct{ Me struct{ ID string } }
		if err := auditor.Ask(`{ me { id } }`, nil, &me); err != nil {
			t.Fatal(err)
		}
		var data any
		err := admin.Ask(`mutation($id: ID!) { updateStaff(input: {id: $id, role: DEALER, dealerId: 2}) { __typename } }`,
			map[string]any{"id": me.Me.ID}, &data)
		if err != nil {
			err = admin.Agreed(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if a := harness.Get(t, auditor.Base+path); a.Status != http.StatusNotFound {
			t.Errorf("the address of before answers %d", a.Status)
		}
		m := in.Member("auditor")
		for _, p := range servers {
			moved, err := harness.SignIn(p.URL, m.Email, m.Password)
			if err != nil {
				t.Fatal(err)
			}
			auditor.Base = p.URL
			for kind, job := range jobs {
				for name, s := range map[string]harness.Staff{"the session of before": auditor, "a new session": moved} {
					err := s.Ask(`mutation($id: ID!) { exportDownload(input: {jobId: $id}) { path } }`, map[string]any{"id": job.ID}, &data)
					if refused := (harness.Refusal{}); !errors.As(err, &refused) || refused.Extensions.Code == "INTERNAL" {
						t.Errorf("%s may still take the file of %s: %v", name, kind, err)
					}
				}
			}
		}
	})
}

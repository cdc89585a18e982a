package payments_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// career is one way of a payment from its creation to its end.
type career struct {
	name   string
	paths  []string // of the creating calls that it is for
	amount string   // asked for
	steps  func(t *testing.T, d *desk, p harness.Payment)
	status string // in the end, in the callback's word
	final  string // amount
	moves  string // as staff see them
}

// desk is everybody who takes part in a career.
type desk struct {
	server   *harness.Process
	operator harness.Staff
}

func byStaff(mutation string, arguments ...string) func(*testing.T, *desk, harness.Payment) {
	return func(t *testing.T, d *desk, p harness.Payment) {
		t.Helper()
		d.operator.Must(t, mutation, p.TrackingCode, arguments...)
	}
}

// byClaim is byStaff for what only the one who has claimed a withdrawal may say.
func byClaim(mutation string, arguments ...string) func(*testing.T, *desk, harness.Payment) {
	return func(t *testing.T, d *desk, p harness.Payment) {
		t.Helper()
		d.operator.MustPay(t, mutation, p.TrackingCode, arguments...)
	}
}

var deposits, withdrawals = []string{"start-manual-deposit", "start-eiban-deposit"}, []string{"start-manual-withdraw", "start-eiban-withdraw"}

// careers are all ends that a payment can come to, but for expiry, which has tests of its own.
func careers() []career {
	staff := byStaff
	return []career{
		{"approved", deposits, "250.00", func(t *testing.T, d *desk, p harness.Payment) {
			d.pay(t, p, "250")
			staff("approveDeposit")(t, d, p)
		}, "completed", "250.00", "SHOWING>SHOWING SHOWING>PROCESSING PROCESSING>COMPLETED"},
		{"amount changed by the customer and then by staff", deposits, "250", func(t *testing.T, d *desk, p harness.Payment) {
			d.pay(t, p, "1.300,50")
			staff("approveDeposit", "amount", "1299.95")(t, d, p)
		}, "completed", "1299.95", "SHOWING>SHOWING SHOWING>SHOWING SHOWING>PROCESSING PROCESSING>COMPLETED"},
		{"amount changed by the customer", deposits, "250", func(t *testing.T, d *desk, p harness.Payment) {
			d.pay(t, p, "300,50")
			staff("approveDeposit")(t, d, p)
		}, "completed", "300.50", "SHOWING>SHOWING SHOWING>SHOWING SHOWING>PROCESSING PROCESSING>COMPLETED"},
		{
			"approved before the customer said anything", deposits, "1", staff("approveDeposit"),
			"completed", "1.00", "SHOWING>PROCESSING PROCESSING>COMPLETED",
		},
		{"rejected", deposits, "75.5", func(t *testing.T, d *desk, p harness.Payment) {
			d.pay(t, p, "75,50")
			staff("rejectDeposit", "reason", "para gelmedi")(t, d, p)
		}, "canceled", "75.50", "SHOWING>SHOWING SHOWING>PROCESSING PROCESSING>CANCELED"},
		{"called off by the customer", deposits, "40", func(t *testing.T, d *desk, p harness.Payment) {
			p.At(d.server).Press(t, "cancel", nil)
		}, "canceled", "40.00", "SHOWING>SHOWING SHOWING>CANCELED"},
		{
			"completed", withdrawals, "1500.25", byClaim("completeWithdrawal"),
			"completed", "1500.25", "PENDING>PROCESSING PROCESSING>COMPLETED",
		},
		{
			"rejected", withdrawals, "10", staff("rejectWithdrawal", "reason", "limit"),
			"rejected", "10.00", "PENDING>PROCESSING PROCESSING>REJECTED",
		},
		{
			"failed", withdrawals, "10", byClaim("failWithdrawal", "reason", "banka reddetti"),
			"failed", "10.00", "PENDING>PROCESSING PROCESSING>FAILED",
		},
		{
			"canceled", withdrawals, "10", staff("cancelWithdrawal", "reason", "müşteri vazgeçti"),
			"canceled", "10.00", "PENDING>CANCELED",
		},
	}
}

// TestMainJob takes a payment of each method through every career: from a signed request to a signed callback.
func TestMainJob(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		d := &desk{server: server, operator: in.SignIn(server, "operator")}
		checkConnection(t, in, server)
		made := make(map[string]career)
		for _, c := range careers() {
			for _, path := range c.paths {
				p := in.Provider(server).Create(t, path, c.amount)
				c.steps(t, d, p)
				checkCareer(t, d, to.Next(t), p, c)
				made[p.TrackingCode] = c
			}
		}
		server.Stop(t) // everything that was under way has come
		for code, c := range made {
			if n := len(to.Of(code)); n != 1 {
				t.Errorf("%s: its callback came %d times", c.name, n)
			}
		}
	})
}

// checkConnection calls E1 and E2.
func checkConnection(t *testing.T, in *harness.Installation, p *harness.Process) {
	t.Helper()
	var said struct {
		Success  bool
		Provider struct{ ID int64 }
		Sites    []struct{ ID int64 }
	}
	for path, key := range map[string]string{"welcome": "", "sites": in.Keys.Provider.VerificationKey} {
		header := map[string]string{"sites": "X-Key"}[path]
		r, err := in.Provider(p).Signed(path, header, key, "")
		if err != nil {
			t.Fatal(err)
		}
		a, err := harness.Send(r)
		if err != nil || json.Unmarshal(a.Body, &said) != nil || !said.Success || said.Provider.ID != in.Keys.Provider.ID {
			t.Errorf("%s answers %d %s (%v)", path, a.Status, a.Body, err)
		}
	}
	if len(said.Sites) != len(in.Keys.Sites) {
		t.Errorf("E2 lists %d sites, want %d", len(said.Sites), len(in.Keys.Sites))
	}
}

// pay goes through the page: sees the details, settles the amount, finds the IBAN, and says that it is paid.
func (d *desk) pay(t *testing.T, p harness.Payment, typed string) {
	t.Helper()
	customer := p.At(d.server)
	if page := customer.Open(t); !strings.Contains(page, p.TrackingCode) || !strings.Contains(page, p.Site.Name) {
		t.Errorf("the page shows neither tracking code nor site:\n%s", page)
	}
	customer.Press(t, "continue", url.Values{"amount": {typed}})
	account := d.operator.Transaction(t, p.TrackingCode).Account
	if account == nil {
		t.Fatalf("after Continue no account is offered to %s:\n%s", p.TrackingCode, customer.Open(t))
	}
	page := customer.Open(t)
	for _, text := range []string{account.IBAN, account.BankName, account.Holder, grouped(account.IBAN)} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not show %q", text)
		}
	}
	customer.Press(t, "paid", nil)
}

// grouped is an IBAN for reading.
func grouped(iban string) string {
	var groups []string
	for ; len(iban) > 4; iban = iban[4:] {
		groups = append(groups, iban[:4])
	}
	return strings.Join(append(groups, iban), " ")
}

// checkCareer checks the callback, and what staff and customer see in the end.
func checkCareer(t *testing.T, d *desk, l harness.Letter, p harness.Payment, c career) {
	t.Helper()
	iban := ""
	if strings.Contains(p.TrackingCode, "WIT-") {
		iban = harness.CustomerIBAN
	}
	want := harness.LetterBody{
		TrackingCode: p.TrackingCode, Status: c.status, Amount: json.Number(c.final), Username: "ayse.yilmaz",
		Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: p.Site.ID, Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, IBAN: iban,
	}
	switch {
	case c.name == "called off by the customer":
		want.Reason = "customer"
	case c.status == "canceled":
		want.Reason = "staff"
	}
	if l.LetterBody != want {
		t.Errorf("%s: the callback says\n%+v, want\n%+v", c.name, l.LetterBody, want)
	}
	found := d.operator.Settled(t, p.TrackingCode)
	var moves []string
	for _, m := range found.History {
		if m.From != "" && m.Command != "APPROVE_REQUEST" { // the creation, and the second person
			moves = append(moves, m.From+">"+m.To)
		}
	}
	if status := harness.InGraphQL(c.status); found.Status != status || found.Amount != c.final || strings.Join(moves, " ") != c.moves {
		t.Errorf("%s: %s of %s by %s, want %s of %s by %s", c.name, found.Status, found.Amount, moves, status, c.final, c.moves)
	}
	if cb := found.Callbacks[0]; cb.Status != "DELIVERED" || cb.AttemptCount != 1 || cb.ID != l.ID || len(cb.Attempts) != 1 {
		t.Errorf("%s: the callback is logged as %+v, arrived as %s", c.name, cb, l.ID)
	}
	if p.PaymentURL != "" && !strings.Contains(p.At(d.server).Open(t), `<main class="card `+c.status+`"`) {
		t.Errorf("%s: the page does not say so:\n%s", c.name, p.At(d.server).Open(t))
	}
	if _, err := d.operator.Decide(decisionFor(p), p.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
		t.Errorf("%s: deciding once more gives %v", c.name, err)
	}
}

// decisionFor is a decision that fits a payment's kind.
func decisionFor(p harness.Payment) string {
	if p.PaymentURL == "" {
		return "completeWithdrawal"
	}
	return "approveDeposit"
}

// TestRefusedDecisions: each says by its code why, and nothing moves.
func TestRefusedDecisions(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	provider := in.Provider(server)
	deposit, withdrawal := provider.Create(t, deposits[0], "10"), provider.Create(t, withdrawals[0], "10")
	elsewhere := harness.Caller{Base: server.URL, Keys: in.Keys.Provider, Site: in.Keys.Sites[1]}.Create(t, deposits[0], "10")
	for _, r := range []struct {
		role, mutation, code, amount, want string
	}{
		{"viewer", "approveDeposit", deposit.TrackingCode, "", "FORBIDDEN"},
		{"operator", "approveDeposit", withdrawal.TrackingCode, "", "WRONG_METHOD"},
		{"operator", "completeWithdrawal", deposit.TrackingCode, "", "WRONG_METHOD"},
		{"operator", "completeWithdrawal", withdrawal.TrackingCode, "", "NOT_CLAIMED"},
		{"operator", "failWithdrawal", withdrawal.TrackingCode, "", "NOT_CLAIMED"},
		{"viewer", "claimWithdrawal", withdrawal.TrackingCode, "", "FORBIDDEN"},
		{"operator", "claimWithdrawal", deposit.TrackingCode, "", "WRONG_METHOD"},
		{"operator", "approveDeposit", "MAN-0000000000000000", "", "NOT_FOUND"},
		{"operator", "approveDeposit", deposit.TrackingCode, "10.001", "INVALID"},
		{"operator", "approveDeposit", deposit.TrackingCode, "-1", "INVALID"},
		{"dealer", "approveDeposit", elsewhere.TrackingCode, "", "NOT_FOUND"}, // another dealer's
	} {
		var arguments []string
		if r.amount != "" {
			arguments = []string{"amount", r.amount}
		}
		_, err := in.SignIn(server, r.role).Decide(r.mutation, r.code, arguments...)
		if harness.CodeOf(err) != r.want {
			t.Errorf("%s by %s of %s (%s) gives %v, want %s", r.mutation, r.role, r.code, r.amount, err, r.want)
		}
	}
	if _, err := (harness.Staff{Base: server.URL}).Decide("approveDeposit", deposit.TrackingCode); harness.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("deciding without signing in gives %v", err)
	}
	for _, p := range []harness.Payment{deposit, withdrawal, elsewhere} {
		found := in.SignIn(server, "viewer").Transaction(t, p.TrackingCode)
		if found.Status != harness.InGraphQL(p.Status) || len(found.Callbacks) != 0 {
			t.Errorf("refused decisions moved %s to %s", p.TrackingCode, found.Status)
		}
	}
	if _, err := harness.SignIn(server.URL, in.Keys.Staff[0].Email, "not the password"); harness.CodeOf(err) != "BAD_LOGIN" {
		t.Errorf("a wrong password gives %v", err)
	}
	server.Stop(t)
}

// TestUpdateProvider: callbacks go where the settings of the moment say, each kind to its own address.
func TestUpdateProvider(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s,1s,1s,1s,1s,1s,1s,1s,1s,1s")
		to := harness.NewReceiver(t, in.Keys.Provider, func(l harness.Letter) int {
			if l.Path == "/moving" {
				return 503
			}
			return 200
		})
		admin, provider := in.SignIn(server, "admin"), in.Provider(server)
		admin.UpdateProvider(t, in.Keys.Provider.ID, map[string]any{
			"callbackUrl": to.URL + "/manual", "depositCallbackUrl": to.URL + "/eiban", "withdrawalCallbackUrl": to.URL + "/withdrawal",
		})
		end := func(path string) harness.Payment {
			p := provider.Create(t, path, "20")
			decide := admin.Must
			if p.PaymentURL == "" {
				decide = admin.MustPay
			}
			decide(t, decisionFor(p), p.TrackingCode)
			return p
		}
		expect := func(p harness.Payment, path string) {
			t.Helper()
			if l := to.Next(t); l.TrackingCode != p.TrackingCode || l.Path != path {
				t.Errorf("the callback of %s came to %s, want that of %s at %s", l.TrackingCode, l.Path, p.TrackingCode, path)
			}
		}
		expect(end("start-manual-deposit"), "/manual")
		expect(end("start-eiban-deposit"), "/eiban")
		expect(end("start-manual-withdraw"), "/withdrawal")
		expect(end("start-eiban-withdraw"), "/withdrawal")

		admin.UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"depositCallbackUrl": "", "callbackUrl": to.URL + "/moving"})
		moving := end("start-eiban-deposit") // to callbackUrl again
		expect(moving, "/moving")
		admin.UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"callbackUrl": to.URL + "/moved"})
		harness.Eventually(t, func() error { // attempts at the old address may have come before the change
			if l := to.Next(t); l.TrackingCode != moving.TrackingCode || l.Path != "/moved" {
				return fmt.Errorf("%s came to %s", l.TrackingCode, l.Path)
			}
			return nil
		})

		admin.UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"callbackUrl": ""})
		if skipped := admin.Settled(t, end("start-manual-deposit").TrackingCode); skipped.Callbacks[0].Status != "SKIPPED" {
			t.Errorf("without a URL the callback is %s, want skipped", skipped.Callbacks[0].Status)
		}
		server.Stop(t)
	})
}

package wallets_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// credit is what tests read of what a transaction is credited with.
type credit struct {
	Number         int
	Amount, Source string
}

// twins are two deposits of one amount whose customers are shown the same account.
func twins(t *testing.T, b *harness.Branch, amount string) (first, second harness.Payment, w harness.Eiban) {
	t.Helper()
	shown := map[string]harness.Payment{}
	for range len(b.Wallets) + 1 {
		second, w = deposit(t, b, amount)
		if first, isTwin := shown[w.WalletID]; isTwin {
			return first, second, w
		}
		shown[w.WalletID] = second
	}
	t.Fatal("every customer is shown another account")
	return first, second, w
}

// staysUnpaid waits until the wallet's lines have been looked at once more, and checks that a deposit got none of them.
func staysUnpaid(t *testing.T, b *harness.Branch, w harness.Eiban, p harness.Payment) {
	t.Helper()
	stands(t, b, w, interest(t, b, w).ID, "UNMATCHED")
	if found := b.Operator.Transaction(t, p.TrackingCode); found.Status == "COMPLETED" || len(b.To.Of(p.TrackingCode)) > 0 {
		t.Errorf("one payment credits %s as well: %+v", p.TrackingCode, found)
	}
}

// TestOnePaymentCreditsOneDeposit: of two deposits that are the same, one is credited by hand, and the customer pays once, before
// that or after it.
func TestOnePaymentCreditsOneDeposit(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		first, second, w := twins(t, b, "417.30")
		if _, err := b.Operator.DecideAlone("approveDeposit", first.TrackingCode, "expectedAmount", "417.30"); harness.CodeOf(err) != "INVALID" {
			t.Errorf("an exception without a reason: %v", err)
		}
		b.Operator.Must(t, "approveDeposit", first.TrackingCode)
		b.To.Callback(t, first)
		l := b.Booked(t, w, bank.Incoming, "417.30", "havale", "AYSE YILMAZ")
		if found := stands(t, b, w, l.ID, "MATCHED"); found.Transaction.TrackingCode != first.TrackingCode {
			t.Errorf("the money is matched with %+v", found.Transaction)
		}
		staysUnpaid(t, b, w, second)
		if _, err := creditLine(b.Operator, w.WalletID, l.ID, second.TrackingCode); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
			t.Errorf("crediting the other one with it: %v", err)
		}

		first, second, w = twins(t, b, "418.30")
		l = b.Booked(t, w, bank.Incoming, "418.30", "havale", "AYSE YILMAZ")
		stands(t, b, w, l.ID, "DOUBTFUL")
		b.Operator.Must(t, "approveDeposit", first.TrackingCode)
		b.To.Callback(t, first)
		staysUnpaid(t, b, w, second)
		if _, err := creditLine(b.Operator, w.WalletID, l.ID, second.TrackingCode); harness.CodeOf(err) != "LINE_AWAITED" {
			t.Errorf("one person credits the other one with it: %v", err)
		}
		if _, err := creditLine(b.Operator, w.WalletID, l.ID, first.TrackingCode); err != nil {
			t.Errorf("the line is bound to the word that waits for it: %v", err)
		}
		staysUnpaid(t, b, w, second)
		b.CheckBooks(t, w)
		b.Server.Stop(t)
	})
}

// TestOnePersonsWordIsBounded: what nobody saw, what is more than was asked for, and what a gateway or a bank would report needs
// a second person, also of the dealer's staff.
func TestOnePersonsWordIsBounded(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		dealers := in.SignIn(s.Server, "dealer")
		shown := in.Provider(s.Server).Create(t, "start-manual-deposit", "250")
		shown.At(s.Server).Press(t, "continue", url.Values{"amount": {"250"}})
		unshown := in.Provider(s.Server).Create(t, "start-manual-deposit", "251")
		live := s.StartDeposit(t, "bank", "252.04") // nobody pays it
		live.Must(t, harness.Press("begin"))
		for _, c := range []struct {
			what     string
			of       harness.Payment
			expected string
			amount   string
			code     string
		}{
			{"ten times what was asked for", shown, "250.00", "2500", "APPROVAL_NEEDED"},
			{"any amount", shown, "250.00", "999999999.99", "APPROVAL_NEEDED"},
			{"what the customer has changed", shown, "249.00", "249", "AMOUNT_CHANGED"},
			{"where no account was shown", unshown, "251.00", "251", "APPROVAL_NEEDED"},
			{"what its gateway has not seen", live, "252.04", "252.04", "APPROVAL_NEEDED"},
		} {
			for name, who := range map[string]harness.Staff{"the operator": s.Operator, "the dealer's staff": dealers} {
				_, err := who.DecideAlone("approveDeposit", c.of.TrackingCode, "expectedAmount", c.expected, "amount", c.amount, "reason", "seen")
				if harness.CodeOf(err) != c.code {
					t.Errorf("%s credits %s: %v, want %s", name, c.what, err, c.code)
				}
			}
			if found := s.Operator.Transaction(t, c.of.TrackingCode); found.Status == "COMPLETED" {
				t.Errorf("%s is credited", c.what)
			}
		}
		if _, err := s.Operator.DecideAlone("approveDeposit", shown.TrackingCode, "expectedAmount", "250.00", "amount", "249"); err != nil {
			t.Errorf("less than was asked for: %v", err)
		}
		s.Server.Stop(t)
	})
}

// TestACreditIsCorrected by two people, and everybody who was told of it is told.
func TestACreditIsCorrected(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s")
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		operator, admin, dealers := in.SignIn(server, "operator"), in.SignIn(server, "admin"), in.SignIn(server, "dealer")
		p := in.Provider(server).Create(t, "start-manual-deposit", "300")
		p.At(server).Press(t, "continue", url.Values{"amount": {"300"}})
		operator.Must(t, "approveDeposit", p.TrackingCode)
		to.Callback(t, p)
		correct := func(s harness.Staff, expected string) error {
			return s.Ask(`mutation($code: String!, $expected: Decimal!) { correctCredit(input: {trackingCode: $code, amount: "30.50",
				expectedAmount: $expected, reason: "a zero too many"}) { transaction { status } } }`,
				map[string]any{"code": p.TrackingCode, "expected": expected}, &struct{}{})
		}
		if err := correct(dealers, "300.00"); harness.CodeOf(err) != "FORBIDDEN" {
			t.Errorf("the dealer's staff correct: %v", err)
		}
		if err := correct(admin, "301.00"); harness.CodeOf(err) != "AMOUNT_CHANGED" {
			t.Errorf("what was not seen is corrected: %v", err)
		}
		refused := correct(admin, "300.00")
		if err := admin.Approve(harness.WaitingBy(refused)); harness.CodeOf(err) != "OWN_REQUEST" {
			t.Errorf("the same one approves: %v", err)
		}
		if err := admin.Agreed(refused); err != nil {
			t.Fatal(err)
		}
		if got := to.Callbacks(t, p, 2)[1]; got.Amount != "30.50" || got.Sequence != 2 || got.Correction.PreviousAmount != "300.00" {
			t.Errorf("the callback says %+v", got.LetterBody)
		}
		checkCorrectionShows(t, operator, p)
		server.Stop(t)
	})
}

func checkCorrectionShows(t *testing.T, s harness.Staff, p harness.Payment) {
	t.Helper()
	var data struct {
		Transaction struct {
			Amount, CorrectedAmount string
			Credits                 []credit
			History                 harness.Nodes[struct {
				Command, Amount, Reason string
				Actor                   struct{ Name string }
			}]
			Callbacks []struct{ PreviousAmount *string }
			Approvals []harness.Request
		}
	}
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { amount correctedAmount credits { number amount source }
		history { nodes { command amount reason actor { name } } } callbacks { previousAmount } approvals { status requestedBy { name } decidedBy { name } } } }`,
		map[string]any{"code": p.TrackingCode}, &data)
	found := data.Transaction
	want := []credit{{Number: 1, Amount: "300.00", Source: "STAFF"}, {Number: 2, Amount: "-269.50", Source: "STAFF"}}
	if err != nil || found.Amount != "30.50" || found.CorrectedAmount != "-269.50" || !slices.Equal(found.Credits, want) {
		t.Errorf("it is shown as %+v (%v)", found, err)
	}
	isTold := func(command string) bool {
		for _, m := range found.History {
			if m.Command == command && m.Actor.Name != "" {
				return true
			}
		}
		return false
	}
	if !isTold("CORRECT") || len(found.Approvals) != 1 || found.Approvals[0].DecidedBy.Name == "" {
		t.Errorf("its history is %+v, its approvals are %+v", found.History, found.Approvals)
	}
	if c := found.Callbacks; len(c) != 2 || c[0].PreviousAmount != nil || c[1].PreviousAmount == nil || *c[1].PreviousAmount != "300.00" {
		t.Errorf("its callbacks are %+v", c)
	}
	_, file := s.Export(t, "CSV", `{trackingCode: "`+p.TrackingCode+`"}`)
	rows := harness.CsvRows(t, file)
	if len(rows) < 2 {
		t.Fatalf("the export is %q", rows)
	}
	if at := slices.Index(rows[0], "Total corrections"); at < 0 || rows[1][at] != "-269.50" {
		t.Errorf("the export is %q", rows)
	}
	harness.Eventually(t, func() error {
		byStatus, _, err := s.Statistics("")
		if got := byStatus["COMPLETED"]; err == nil && (got.Corrected != -26950 || got.Approved != 3050) {
			err = fmt.Errorf("statistics say %+v", got)
		}
		return err
	})
}

// TestNobodyAloneRedirectsMoney: with the rule on, where a site's money goes is decided by two people.
func TestNobodyAloneRedirectsMoney(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		admin := in.SignIn(server, "admin")
		var made struct {
			CreateDealer struct{ Dealer struct{ ID string } }
		}
		if err := admin.Ask(`mutation { createDealer(input: {name: "Başka Bayi"}) { dealer { id } } }`, nil, &made); err != nil {
			t.Fatal(err)
		}
		rule := `mutation { setApprovalRule(input: {action: ROUTING, isOn: true}) { approvalRule { isOn } } }`
		if err := admin.Agreed(admin.Ask(rule, nil, &struct{}{})); err != nil {
			t.Fatalf("the rule by two: %v", err)
		}
		type siteView struct{ ID, DealerID string }
		site := func() siteView {
			t.Helper()
			var data struct{ Provider struct{ Sites []siteView } }
			query := fmt.Sprintf(`{ provider(id: "%d") { sites { id dealerId } } }`, in.Keys.Provider.ID)
			if err := admin.Ask(query, nil, &data); err != nil {
				t.Fatal(err)
			}
			return data.Provider.Sites[0]
		}
		before := site()
		move := fmt.Sprintf(`mutation { updateSite(input: {id: %q, dealerId: %q}) { site { id } } }`, before.ID, made.CreateDealer.Dealer.ID)
		alone := admin.Ask(move, nil, &struct{}{})
		if harness.CodeOf(alone) != "APPROVAL_NEEDED" || site() != before {
			t.Errorf("one admin moves a site to another dealer: %v; it is at %s", alone, site().DealerID)
		}
		if account := admin.Requests(t, "WAITING"); len(account) != 1 || !strings.HasPrefix(account[0].Subject, "site/") {
			t.Errorf("there wait %+v", account)
		}
		if err := admin.Agreed(alone); err != nil || site().DealerID != made.CreateDealer.Dealer.ID {
			t.Errorf("by two: %v; it is at %s", err, site().DealerID)
		}
		server.Stop(t)
	})
}

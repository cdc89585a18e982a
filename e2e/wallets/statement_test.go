package wallets_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestStatementPages books 250 lines at the bank: D5 gives them in three pages, each once, newest first, as the bank does.
func TestStatementPages(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const lines = 250
		b := in.OpenBranch()
		w := b.Wallets[0]
		account := b.Account(t, w).ID
		harness.InParallel(t, lines, 8, func(i int) error {
			direction := bank.Incoming
			if i%10 == 0 {
				direction = bank.Outgoing
			}
			return b.AdminCall("lines", map[string]any{
				"account_id": account, "direction": direction, "text": fmt.Sprintf("%d. satır", i),
				"amount": map[string]string{"value": fmt.Sprintf("%d.%02d", 10+i, i%100), "currency": "TRY"},
				"party":  map[string]string{"name": "ÇİĞDEM ŞAHİN", "iban": harness.CustomerIBAN},
			})
		})
		entries := b.CheckBooks(t, w)
		if len(entries) != lines+1 {
			t.Errorf("the ledger has %d entries, want one for the opening and for each of %d lines", len(entries), lines)
		}
		from, to := harness.TheseDays()
		for page, want := range []struct{ rows, number int }{{100, 1}, {100, 1}, {100, 2}, {50, 3}, {0, 4}} { // 0: not given
			p, err := b.Dealer.Records(w.WalletID, from, to, page)
			if err != nil {
				t.Fatal(err)
			}
			asked := harness.Pagination{Page: want.number, PerPage: 100, Records: lines, Pages: 3, HasMore: want.number < 3}
			isAsked := p.WalletID == w.WalletID && p.DateRange.Start == from && p.DateRange.End == to
			if p.Pagination != asked || len(p.Transactions) != want.rows || !isAsked {
				t.Errorf("page %d has %d records and says %+v", page, len(p.Transactions), p.Pagination)
			}
		}
		checkRanges(t, b, w)
		b.Server.Stop(t)
	})
}

// checkRanges asks for days that D5 does not give, and for one without lines.
func checkRanges(t *testing.T, b *harness.Branch, w harness.Eiban) {
	t.Helper()
	now := time.Now().In(harness.Zone())
	day := func(ahead int) string { return now.AddDate(0, 0, ahead).Format(time.DateOnly) }
	foreign := b.In.Keys.Wallets[len(b.In.Keys.Wallets)-1].WalletID
	for _, c := range []struct{ wallet, from, to, want string }{
		{w.WalletID, day(-3), day(0), ""},
		{w.WalletID, day(-4), day(0), "422 DATE_RANGE_EXCEEDED"},
		{w.WalletID, day(0), day(-1), "422 INVALID_DATE_RANGE"},
		{foreign, day(0), day(0), "403 WALLET_NOT_ASSIGNED"},
	} {
		_, err := b.Dealer.Records(c.wallet, c.from, c.to, 1)
		var no harness.DealerRefusal
		if errors.As(err, &no) {
			err = errors.New(fmt.Sprint(no.Status, " ", no.ErrorCode))
		}
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("D5 from %s to %s gives %s, want %s", c.from, c.to, got, c.want)
		}
	}
	before, err := b.Dealer.Records(w.WalletID, day(-3), day(-1), 1)
	if err != nil || before.Pagination != (harness.Pagination{Page: 1, PerPage: 100}) {
		t.Errorf("the days before have %+v (%v)", before.Pagination, err)
	}
}

// deposit starts an E-IBAN deposit and has its customer be shown an account: that of the wallet that is given.
func deposit(t *testing.T, b *harness.Branch, amount string) (harness.Payment, harness.Eiban) {
	t.Helper()
	p := b.Provider.Create(t, "start-eiban-deposit", amount)
	p.At(b.Server).Press(t, "continue", url.Values{"amount": {amount}})
	account := b.Operator.Transaction(t, p.TrackingCode).Account
	if account == nil {
		t.Fatalf("no account is offered to %s", p.TrackingCode)
	}
	for _, w := range b.Wallets {
		if w.IBAN == account.IBAN {
			return p, w
		}
	}
	t.Fatalf("%s is offered %s, which is no wallet of %+v", p.TrackingCode, account.IBAN, b.Wallets)
	return p, harness.Eiban{}
}

// TestDepositsAreMatched: money on a wallet's account completes the deposit that it is surely for, and nothing else.
func TestDepositsAreMatched(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		for _, c := range []struct{ amount, text, name string }{
			{"250", "havale", "AYSE YILMAZ"},
			{"251", "%s", "YILMAZ AYŞE NUR"}, // the text names the deposit
			{"252", "fast", "Ayşe  Yılmaz"},
			{"253", "%s", ""}, // the bank does not say who pays, but from where the customer has paid before
		} {
			p, w := deposit(t, b, c.amount)
			l := b.Booked(t, w, bank.Incoming, c.amount, strings.ReplaceAll(c.text, "%s", strings.ToLower(p.TrackingCode)), c.name)
			got := b.To.Callback(t, p)
			if got.Status != "completed" || string(got.Amount) != c.amount+".00" {
				t.Errorf("the callback of %s says %s of %s", c.amount, got.Status, got.Amount)
			}
			p.Sees(t, "completed")
			matched := b.Operator.Lines(t, w.WalletID, "MATCHED")
			if len(matched) == 0 || matched[0].LineID != l.ID || matched[0].Transaction.TrackingCode != p.TrackingCode {
				t.Errorf("line %s is not matched with %s: %+v", l.ID, p.TrackingCode, matched)
			}
		}
		checkThirdParty(t, b)
		for _, w := range b.Wallets {
			b.CheckBooks(t, w)
		}
		b.Server.Stop(t)
	})
}

// checkThirdParty has somebody else pay a deposit: whose money that is only staff can decide, though its text names the
// deposit.
func checkThirdParty(t *testing.T, b *harness.Branch) {
	t.Helper()
	p, w := deposit(t, b, "400")
	l := b.Booked(t, w, bank.Incoming, "400", p.TrackingCode, "ÜÇÜNCÜ KİŞİ LTD. ŞTİ.")
	harness.Eventually(t, func() error {
		if waiting := b.Operator.Lines(t, w.WalletID, "DOUBTFUL"); len(waiting) != 1 || waiting[0].LineID != l.ID {
			return fmt.Errorf("the doubtful lines are %+v", waiting)
		}
		return nil
	})
	if found := b.Operator.Transaction(t, p.TrackingCode); found.Status != "SHOWING" || len(b.To.Of(p.TrackingCode)) > 0 {
		t.Errorf("paid by somebody else, %s is %s", p.TrackingCode, found.Status)
	}
	credited, err := creditLine(b.Operator, w.WalletID, l.ID, p.TrackingCode)
	if err != nil || credited.Status != "MATCHED" || credited.Transaction.TrackingCode != p.TrackingCode {
		t.Errorf("crediting it gives %+v (%v)", credited, err)
	}
	if got := b.To.Callback(t, p); got.Status != "completed" || got.Amount != "400.00" {
		t.Errorf("its callback says %s of %s", got.Status, got.Amount)
	}
	if _, err := creditLine(b.Operator, w.WalletID, l.ID, p.TrackingCode); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
		t.Errorf("crediting it once more gives %v", err)
	}
}

// TestDoubtfulLines: a line that two deposits may be paid with waits for staff. However many of them choose at once, it
// completes one deposit, once.
func TestDoubtfulLines(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		made := make([]harness.Payment, 8)
		var w harness.Eiban
		for i := range made {
			made[i], w = deposit(t, b, "300")
		}
		l := b.Booked(t, w, bank.Incoming, "300", "havale", "VELİ KAYA")
		var waiting []harness.BankLine
		harness.Eventually(t, func() error {
			if waiting = b.Operator.Lines(t, w.WalletID, "DOUBTFUL"); len(waiting) != 1 {
				return fmt.Errorf("the doubtful lines are %+v", waiting)
			}
			return nil
		})
		if waiting[0].LineID != l.ID || len(waiting[0].Candidates) < 2 || waiting[0].Candidates[0].Score >= 80 {
			t.Errorf("waiting is %+v", waiting[0])
		}
		dealers := in.SignIn(b.Server, "dealer")
		var won atomic.Int64
		harness.InParallel(t, len(made), len(made), func(i int) error {
			_, err := creditLine([]harness.Staff{b.Operator, dealers}[i%2], w.WalletID, l.ID, made[i].TrackingCode)
			if err == nil {
				won.Add(1)
			} else if harness.CodeOf(err) == "NOT_ALLOWED_IN_STATUS" {
				err = nil
			}
			return err
		})
		if won.Load() != 1 {
			t.Errorf("one line was credited %d times", won.Load())
		}
		completed := 0
		for _, p := range made {
			if found := b.Operator.Transaction(t, p.TrackingCode); found.Status == "COMPLETED" {
				completed++
				if got := b.To.Callback(t, p); got.Status != "completed" || got.Amount != "300.00" {
					t.Errorf("its callback says %s of %s", got.Status, got.Amount)
				}
			} else if found.Status != "SHOWING" || len(found.Callbacks) > 0 {
				t.Errorf("a deposit that got nothing is %s", found.Status)
			}
		}
		if completed != 1 {
			t.Errorf("one line completed %d deposits", completed)
		}
		checkSettingAside(t, b, w)
		b.CheckBooks(t, w)
		b.Server.Stop(t)
	})
}

// credit completes a deposit with a bank line.
func creditLine(s harness.Staff, walletID, lineID, code string) (harness.BankLine, error) {
	var data struct {
		CreditBankLine struct{ BankLine harness.BankLine }
	}
	err := s.Ask(`mutation($wallet: String!, $line: String!, $code: String!) {
		creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code, reason: "dekont"}) { bankLine `+harness.LineFields+` } }`,
		map[string]any{"wallet": walletID, "line": lineID, "code": code}, &data)
	return data.CreditBankLine.BankLine, err
}

// interest books money of the bank's own, which is no customer's.
func interest(t *testing.T, b *harness.Branch, w harness.Eiban) bank.Line {
	t.Helper()
	interest := harness.Line(bank.Incoming, "7.77", "faiz", "SIM BANK A.Ş.")
	interest.Party.IBAN = bank.TurkishIBAN("99998", "99")
	l, err := b.Till.Book(b.Account(t, w).ID, interest)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// checkSettingAside books money that is no customer's: staff say so, and may take it back.
func checkSettingAside(t *testing.T, b *harness.Branch, w harness.Eiban) {
	t.Helper()
	l := interest(t, b, w)
	harness.Eventually(t, func() error {
		if waiting := b.Operator.Lines(t, w.WalletID, "UNMATCHED"); len(waiting) != 1 || waiting[0].LineID != l.ID {
			return fmt.Errorf("the unmatched lines are %+v", waiting)
		}
		return nil
	})
	for _, move := range []struct{ mutation, status string }{
		{"setAsideBankLine", "SET_ASIDE"}, {"bringBackBankLine", "UNMATCHED"}, {"setAsideBankLine", "SET_ASIDE"},
	} {
		var data map[string]struct{ BankLine harness.BankLine }
		query := `mutation($wallet: String!, $line: String!) { ` + move.mutation +
			`(input: {walletId: $wallet, lineId: $line, reason: "faiz"}) { bankLine ` + harness.LineFields + ` } }`
		err := b.Operator.Ask(query, map[string]any{"wallet": w.WalletID, "line": l.ID}, &data)
		if l := data[move.mutation].BankLine; err != nil || l.Status != move.status || l.Note != "faiz" {
			t.Errorf("%s gives %+v (%v)", move.mutation, data, err)
		}
	}
	p := b.Provider.Create(t, "start-eiban-deposit", "7.77")
	if _, err := creditLine(b.Operator, w.WalletID, l.ID, p.TrackingCode); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
		t.Errorf("crediting a line that was set aside gives %v", err)
	}
}

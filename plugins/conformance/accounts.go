package conformance

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

func accountCases(s suite) []testCase {
	list := []testCase{
		{"an account has an ID of its own, an IBAN and an asset", accountsAreWhole},
		{"a balance says when it was true, and has no more available than there is", balanceIsDated},
		{"an account that is not there is an error", noSuchAccount},
		{"a line comes back as it was booked", linesAreRight},
		{"every line comes once, even when others are booked between two pages", linesComeOnce},
		{"lines of the same time all come, oldest first", sameTimesAllCome},
		{"a window has its beginning and not its end", windowIsHalfOpen},
		{"a window without lines is one empty page", emptyWindow},
		{"a line has the same ID each time", lineIDsAreStable},
		{"lines of one account are not another's", accountsDoNotMix},
	}
	if s.d.Account.StatementSpan > 0 {
		list = append(list, testCase{"a window longer than the bank's is refused, or read whole", longWindow})
	}
	return append(list, queryCases("reading accounts", accountQueries)...)
}

func accountQueries(w *world) []query {
	id := w.account().ID
	w.book(id, line("12.34", gateway.Incoming, Opening))
	return []query{
		newQuery("ListAccounts", (*world).listAccounts),
		newQuery("ReadBalance", func(w *world) (gateway.Balance, error) { return w.readBalance(id) }),
		newQuery("ReadStatement", func(w *world) (gateway.StatementPage, error) { return w.readStatement(w.statement(id)) }),
	}
}

// account is the first that is open.
func (w *world) account() gateway.BankAccount {
	list, err := w.listAccounts()
	w.ok("ListAccounts", err)
	i := slices.IndexFunc(list, func(a gateway.BankAccount) bool { return a.IsOpen })
	if i < 0 {
		w.t.Fatal("ListAccounts gives no open account: the fake needs one")
	}
	return list[i]
}

// book has the fake book lines.
func (w *world) book(account string, lines ...gateway.StatementLine) {
	if w.fake.AddLine == nil {
		w.t.Fatal("Fake.AddLine is missing, and the gateway reads statements")
	}
	for _, l := range lines {
		w.fake.AddLine(account, l)
	}
}

func line(amount string, d gateway.Direction, at time.Time) gateway.StatementLine {
	return gateway.StatementLine{
		Direction: d, Amount: money.MustDecimal(amount), Asset: gateway.TRY, BookedAt: at, Text: "EFT 48151623",
		Party: gateway.Party{Name: customer.FullName, IBAN: exampleIBAN},
	}
}

// statement asks for the hours around the beginning, in small pages.
func (w *world) statement(account string) gateway.StatementQuery {
	around := 12 * time.Hour
	if span := w.d.Account.StatementSpan; span > 0 {
		around = min(around, span/2)
	}
	return gateway.StatementQuery{
		AccountID: account, Window: gateway.Window{From: Opening.Add(-around), To: Opening.Add(around)}, Limit: 3,
	}
}

// readAll reads a statement to its end. It calls between, if there is one, after the first page.
func (w *world) readAll(q gateway.StatementQuery, between func(last gateway.StatementLine)) []gateway.StatementLine {
	var all []gateway.StatementLine
	for page := range maxPages {
		got, err := w.readStatement(q)
		w.ok("ReadStatement", err)
		w.check(len(got.Lines) <= q.Limit, "ReadStatement gave %d lines, and Limit is %d", len(got.Lines), q.Limit)
		all = append(all, got.Lines...)
		if q.Cursor = got.Next; q.Cursor == "" {
			return all
		}
		if between != nil && page == 0 && len(all) > 0 {
			between(all[len(all)-1])
		}
	}
	w.t.Fatalf("ReadStatement gave %d pages and goes on: Next must be empty on the last", maxPages)
	return nil
}

// have checks that a statement has each of the booked lines of its window once, as it was booked, and none of the others.
// Each line that is booked has an amount of its own.
func (w *world) have(got []gateway.StatementLine, span gateway.Window, booked ...gateway.StatementLine) {
	for _, want := range booked {
		same := withAmount(got, want.Amount)
		if want.BookedAt.Before(span.From) || !want.BookedAt.Before(span.To) {
			w.check(len(same) == 0, "ReadStatement gives a line of %s, and the window is from %s to %s: drop what the bank gives "+
				"beyond it. A window is half open, or lines count twice", want.BookedAt, span.From, span.To)
			continue
		}
		w.check(len(same) == 1,
			"ReadStatement has the line of %s %d times, and must have it once: take times that are equal together, let the "+
				"cursor say which line was the last, and mind the decimal comma, the sign, and lira or kuruş", want.Amount, len(same))
		for _, l := range same {
			w.check(l.Direction == want.Direction, "a line of %s that is %s comes back %s", want.Amount, want.Direction,
				l.Direction)
			w.check(l.BookedAt.Equal(want.BookedAt), "a line booked at %s comes back with %s: mind the bank's time zone",
				want.BookedAt, l.BookedAt)
			w.check(l.Asset.Code == want.Asset.Code, "a line of %s comes back in %s", want.Asset, l.Asset)
		}
	}
	w.check(slices.IsSortedFunc(got, func(a, b gateway.StatementLine) int { return a.BookedAt.Compare(b.BookedAt) }),
		"ReadStatement must give the oldest line first")
}

func withAmount(lines []gateway.StatementLine, amount money.Decimal) []gateway.StatementLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l gateway.StatementLine) bool { return l.Amount != amount })
}

// booksAndReads books lines and reads them back.
func (w *world) booksAndReads(q gateway.StatementQuery, lines ...gateway.StatementLine) {
	w.book(q.AccountID, lines...)
	w.have(w.readAll(q, nil), q.Window, lines...)
}

func accountsAreWhole(w *world) {
	list, err := w.listAccounts()
	w.ok("ListAccounts", err)
	w.check(len(list) > 0, "ListAccounts is empty: the fake needs an account")
	seen := map[string]bool{}
	for _, a := range list {
		w.check(a.ID != "" && !seen[a.ID], "an account's ID %q must be its own", a.ID)
		seen[a.ID] = true
		w.check(iban.IsValid(a.IBAN), "the account %q has the IBAN %q, whose check digits are wrong (written without blanks)",
			a.ID, a.IBAN)
		w.check(a.Asset.Code != "", "the account %q has no Asset", a.ID)
	}
}

func balanceIsDated(w *world) {
	a := w.account()
	b, err := w.readBalance(a.ID)
	w.ok("ReadBalance", err)
	w.check(!b.At.IsZero(),
		"Balance.At is missing: where the bank does not say it, take the time of the answer from the clock")
	w.check(!b.At.After(w.clock.Now().Add(time.Minute)), "Balance.At is %s, and it is %s now", b.At, w.clock.Now())
	w.check(b.Available.Cmp(b.Total) <= 0, "%s are available of %s: mind which is which, and the decimal comma", b.Available,
		b.Total)
	w.check(b.Asset.Code == a.Asset.Code, "the balance of a %s account is in %s", a.Asset, b.Asset)
}

func noSuchAccount(w *world) {
	const nowhere = "9999999999"
	_, err := w.readBalance(nowhere)
	w.check(err != nil && gateway.ErrorOf(err).Class != gateway.Retryable,
		"ReadBalance of an account that is not there gave error %v", err)
	page, err := w.readStatement(w.statement(nowhere))
	w.check(err != nil && gateway.ErrorOf(err).Class != gateway.Retryable,
		"ReadStatement of an account that is not there gave %d lines and error %v", len(page.Lines), err)
}

func linesAreRight(w *world) {
	w.booksAndReads(w.statement(w.account().ID),
		line("0.01", gateway.Incoming, Opening), line("250", gateway.Outgoing, Opening.Add(time.Minute)),
		line("99999.99", gateway.Incoming, Opening.Add(2*time.Minute)),
		line("1234.56", gateway.Outgoing, Opening.Add(3*time.Minute)))
}

func linesComeOnce(w *world) {
	q := w.statement(w.account().ID)
	var booked []gateway.StatementLine
	for i, amount := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		booked = append(booked, line(amount, gateway.Incoming, Opening.Add(time.Duration(i/3)*time.Minute)))
	}
	w.book(q.AccountID, booked...)
	late := line("101", gateway.Incoming, Opening.Add(time.Hour))
	got := w.readAll(q, func(last gateway.StatementLine) {
		w.book(q.AccountID, line("100", gateway.Incoming, last.BookedAt), late)
	})
	w.have(got, q.Window, append(booked, late)...)
	w.check(len(withAmount(got, money.MustDecimal("100"))) <= 1, "a line that was booked between two pages comes more than once")
}

func sameTimesAllCome(w *world) {
	lines := []gateway.StatementLine{line("99", gateway.Outgoing, Opening.Add(-time.Minute))}
	for _, amount := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} { // three whole pages of one time
		lines = append(lines, line(amount, gateway.Outgoing, Opening))
	}
	w.booksAndReads(w.statement(w.account().ID), lines...)
}

func windowIsHalfOpen(w *world) {
	q := w.statement(w.account().ID)
	w.booksAndReads(q,
		line("1", gateway.Incoming, q.From.Add(-time.Second)), line("2", gateway.Incoming, q.From),
		line("3", gateway.Incoming, q.To.Add(-time.Second)), line("4", gateway.Incoming, q.To))
}

func emptyWindow(w *world) {
	q := w.statement(w.account().ID)
	q.From, q.To = q.From.AddDate(0, 0, -730), q.To.AddDate(0, 0, -730)
	page, err := w.readStatement(q)
	w.ok("ReadStatement of a window without lines", err)
	w.check(len(page.Lines) == 0 && page.Next == "", "a window without lines gave %d lines and the cursor %q",
		len(page.Lines), page.Next)
}

func lineIDsAreStable(w *world) {
	id := w.account().ID
	w.book(id, line("1", gateway.Incoming, Opening), line("2", gateway.Incoming, Opening), line("2", gateway.Incoming, Opening))
	first := ids(w.readAll(w.statement(id), nil))
	w.clock.Advance(time.Hour)
	w.book(id, line("3", gateway.Incoming, Opening.Add(-time.Minute)))
	second := ids(w.readAll(w.statement(id), nil))
	w.check(len(first) == 3, "three lines, two of them alike, have %d different IDs", len(first))
	for lineID, amount := range first {
		w.check(second[lineID] == amount,
			"the line %q has another ID when it is read again: take the bank's own, or derive it from what never changes (not "+
				"from its place in the list)", lineID)
	}
}

// ids are the lines' IDs, with their amounts.
func ids(lines []gateway.StatementLine) map[string]string {
	all := map[string]string{}
	for _, l := range lines {
		all[l.ID] = l.Amount.String()
	}
	return all
}

func accountsDoNotMix(w *world) {
	list, err := w.listAccounts()
	w.ok("ListAccounts", err)
	if len(list) < 2 {
		return
	}
	first, second := line("1", gateway.Incoming, Opening), line("2", gateway.Incoming, Opening)
	w.book(list[0].ID, first)
	w.booksAndReads(w.statement(list[1].ID), second)
	w.check(len(withAmount(w.readAll(w.statement(list[0].ID), nil), second.Amount)) == 0 &&
		len(withAmount(w.readAll(w.statement(list[1].ID), nil), first.Amount)) == 0, "lines of one account show in another")
}

func longWindow(w *world) {
	span := w.d.Account.StatementSpan
	q := w.statement(w.account().ID)
	q.From, q.To = Opening.Add(-2*span), Opening.Add(time.Hour)
	if _, err := w.readStatement(q); err != nil {
		w.check(gateway.IsClass(err, gateway.Invalid), "a window that is too long is an error of class %q: %v", gateway.Invalid,
			err)
		return
	}
	w.booksAndReads(q, line("1", gateway.Incoming, q.From.Add(time.Minute)), line("2", gateway.Incoming, Opening.Add(-span)),
		line("3", gateway.Incoming, Opening))
}

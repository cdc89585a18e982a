package bank_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// reopened opens a bank with kept books at a moment.
func reopened(books []bank.Books, now time.Time) *bank.Bank {
	return bank.New(bank.Config{
		APISecret: "secret-1", NotifyURL: "https://vezne.test/hook", Books: books, Now: func() time.Time { return now },
		Post: func(context.Context, string, http.Header, []byte) (int, error) { return http.StatusOK, nil },
	})
}

// overJSON is what becomes of books in a file.
func overJSON(t *testing.T, books []bank.Books) (read []bank.Books) {
	t.Helper()
	data, err := json.Marshal(books)
	if err == nil {
		err = json.Unmarshal(data, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func mustBook(t *testing.T, b *bank.Bank, account, direction, amount string, at time.Time) bank.Line {
	t.Helper()
	l, err := b.Book(account, bank.Line{
		Direction: direction, Amount: tryAmount(amount), BookedAt: at, Text: "EFT " + amount,
		Party: bank.Party{Name: "Ayşe Yılmaz", IBAN: bank.TestIBAN("00")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// lived is a bank with lines of every sort: of one moment, booked late, out, taken back, and of two accounts.
func lived(t *testing.T) *bank.Bank {
	t.Helper()
	b := reopened(nil, opening)
	first := mustBook(t, b, "acc-1", bank.Incoming, "100.10", time.Time{})
	mustBook(t, b, "acc-1", bank.Incoming, "200", time.Time{})
	mustBook(t, b, "acc-1", bank.Incoming, "300", opening.Add(-26*time.Hour)) // stands first, was entered third
	mustBook(t, b, "acc-2", bank.Outgoing, "50", opening.Add(123456789))
	if err := b.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reverse("acc-1", first.ID); err != nil {
		t.Fatal(err)
	}
	mustBook(t, b, "acc-1", bank.Outgoing, "7.07", opening.In(time.FixedZone("", 3*60*60)))
	return b
}

func holdings(b *bank.Bank) string {
	text := ""
	for _, a := range b.State().Accounts {
		text += fmt.Sprintln(a.ID, a.Balance.Total, a.Balance.Available)
		for _, l := range a.Lines {
			text += fmt.Sprintln(l.ID, l.AccountID, l.Direction, l.Amount, l.BookedAt.UTC(), l.ValueDate, l.Text, l.Reference, l.Party,
				l.BalanceAfter, l.Reverses)
		}
	}
	return text
}

func TestBooksRestoreTheSameLines(t *testing.T) {
	t.Parallel()
	before := lived(t)
	books, lines := before.Books()
	after := reopened(overJSON(t, books), before.Now().Add(time.Minute))
	if got, want := holdings(after), holdings(before); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, number := after.Books()
	if lines != 6 || number != lines || !reflect.DeepEqual(overJSON(t, again), overJSON(t, books)) {
		t.Errorf("%d lines were kept, %d are there:\n%v\n%v", lines, number, again, books)
	}
	var amounts, balances []string
	for _, l := range after.State().Accounts[0].Lines {
		amounts, balances = append(amounts, l.Amount.Value.String()), append(balances, l.BalanceAfter.Value.String())
	}
	if want := []string{"300", "100.1", "200", "7.07", "100.1"}; !slices.Equal(amounts, want) {
		t.Errorf("lines by their times: %v, want %v", amounts, want)
	}
	if want := []string{"1000600.1", "1000100.1", "1000300.1", "1000492.93", "1000500"}; !slices.Equal(balances, want) {
		t.Errorf("balances by when they were written: %v, want %v", balances, want)
	}
}

func TestLineAfterARestoreTakesNoOldID(t *testing.T) {
	t.Parallel()
	before := lived(t)
	books, _ := before.Books()
	for name, kept := range map[string][]bank.Books{
		"whole":            overJSON(t, books),
		"without a line":   {{AccountID: "acc-1", Entries: books[0].Entries[1:]}},
		"with a wrong one": {{AccountID: "acc-1", Entries: append([]bank.Entry{{}}, books[0].Entries[1:]...)}},
		"only the last":    {{AccountID: "acc-1", Entries: books[0].Entries[4:]}},
	} {
		for _, now := range []time.Time{opening, before.Now()} { // the clock stands where the old lines were written
			b, taken := reopened(kept, now), map[string]bool{}
			for _, e := range kept[0].Entries {
				taken[e.ID] = true
			}
			for range 8 {
				l := mustBook(t, b, "acc-1", bank.Incoming, "1", time.Time{})
				if taken[l.ID] {
					t.Errorf("%s: %s was there already", name, l.ID)
				}
				taken[l.ID] = true
			}
		}
	}
}

func TestStatementGoesOnOverARestore(t *testing.T) {
	t.Parallel()
	before := lived(t)
	books, _ := before.Books()
	after := reopened(overJSON(t, books), before.Now())
	first := before.State().Accounts[0].Lines[0]
	back, err := after.Reverse("acc-1", first.ID)
	if err != nil || back.Reverses != first.ID || back.Direction != bank.Outgoing {
		t.Errorf("the reversal of a restored line: %v, %v", back, err)
	}
	if _, lines := after.Books(); lines != 7 {
		t.Errorf("%d lines", lines)
	}
	if n := after.Step(t.Context()); n != 0 {
		t.Errorf("%d notifications of what was told before", n)
	}
}

// TestMoneyOfAClockThatWasAhead: the bank's clock begins anew, and what was written under the old one counts at once.
func TestMoneyOfAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	books, _ := lived(t).Books()
	after := reopened(books, opening.Add(time.Minute))
	if got := after.State().Accounts[0].Balance.Total.Value.String(); got != "1000492.93" {
		t.Errorf("the account holds %s", got)
	}
}

func TestLineOfAnotherCurrencyOrOfAnIDIsNotBookedByHand(t *testing.T) {
	t.Parallel()
	b := reopened(nil, opening)
	for _, amount := range []bank.Money{{Value: tryAmount("5").Value, Currency: "USD"}, {Value: tryAmount("5").Value}, tryAmount("1000000000000.01")} {
		if _, err := b.Book("acc-1", bank.Line{Direction: bank.Incoming, Amount: amount}); err == nil {
			t.Errorf("%v was booked", amount)
		}
	}
	for range 2 {
		l, err := b.Book("acc-1", bank.Line{ID: "mine", Direction: bank.Incoming, Amount: tryAmount("5")})
		if err != nil || l.ID == "mine" {
			t.Errorf("booked as %q, %v", l.ID, err)
		}
	}
}

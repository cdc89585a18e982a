package sandbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func (w *world) balance() gateway.Balance {
	w.t.Helper()
	b, err := w.gateway.ReadBalance(w.ctx, "acc-1")
	w.ok(err)
	return b
}

// statement reads the whole statement around the beginning.
func (w *world) statement() []gateway.StatementLine {
	w.t.Helper()
	q := gateway.StatementQuery{AccountID: "acc-1"}
	q.From, q.To = conformance.Opening.Add(-24*time.Hour), conformance.Opening.Add(48*time.Hour)
	var all []gateway.StatementLine
	for {
		page, err := w.gateway.ReadStatement(w.ctx, q)
		w.ok(err)
		all = append(all, page.Lines...)
		if q.Cursor = page.Next; q.Cursor == "" {
			return all
		}
	}
}

// book writes a line of an amount, so long after the beginning.
func (w *world) book(amount string, after time.Duration) bank.Line {
	w.t.Helper()
	l, err := w.bank.Book("acc-1", bank.Line{
		Direction: bank.Incoming, Amount: bank.Money{Value: money.MustDecimal(amount), Currency: "TRY"},
		BookedAt: conformance.Opening.Add(after), Text: "EFT",
	})
	w.ok(err)
	return l
}

func amountsOf(lines []gateway.StatementLine) []string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Amount.String())
	}
	return list
}

func TestBalanceIsHalfAMinuteBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.SendTransfer(w.ctx, w.transferOrder("1000.16")) // on its way for two minutes
	w.ok(err)
	b := w.balance()
	w.check("at once", []any{b.Total, b.Available, b.At}, []any{"1000000", "1000000", conformance.Opening.Add(-30 * time.Second)})
	w.pass(30 * time.Second)
	b = w.balance()
	w.check("after half a minute it is set aside", []any{b.Total, b.Available}, []any{"1000000", "998999.84"})
	w.pass(2 * time.Minute)
	b = w.balance()
	w.check("after it was booked", []any{b.Total, b.Available}, []any{"998999.84", "998999.84"})
}

func TestTransferOfMoreThanIsAvailableHasNoFunds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.transferOrder("600000.16")
	_, err := w.gateway.SendTransfer(w.ctx, first)
	w.ok(err)
	second := first
	second.Ref, second.Key = "TPBW2", "k2"
	_, err = w.gateway.SendTransfer(w.ctx, second)
	w.check("the second", gateway.ErrorOf(err).Class, gateway.OutOfFunds)
	second.AccountID = "acc-9"
	_, err = w.gateway.SendTransfer(w.ctx, second)
	w.check("from nowhere", gateway.ErrorOf(err).Class, gateway.NotFound)
}

func TestTransferThatFailsIsGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.SendTransfer(w.ctx, w.transferOrder("1000.17"))
	w.ok(err)
	w.pass(3 * time.Minute)
	b := w.balance()
	w.check("all is there", []any{b.Total, b.Available}, []any{"1000000", "1000000"})
}

func TestReturnedTransferIsAPairOfLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.SendTransfer(w.ctx, w.transferOrder("1000.35"))
	w.ok(err)
	w.pass(25 * time.Hour)
	lines := w.statement()
	w.check("two lines", len(lines), 2)
	w.check("out and back", []any{lines[0].Direction, lines[1].Direction}, []any{gateway.Outgoing, gateway.Incoming})
	w.check("of the transfer", []any{lines[0].EndToEnd, lines[1].EndToEnd}, []any{"TPBW1", "TPBW1"})
	w.check("the second takes the first back", lines[1].Reverses, lines[0].ID)
	w.check("balances", []any{*lines[0].BalanceAfter, *lines[1].BalanceAfter}, []any{"998999.65", "1000000"})
	w.check("told", slices.Sorted(slices.Values(w.told())), []string{"line", "line", "payout done", "payout returned"})
}

func TestReversedDepositIsAPairOfLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pay := w.start(w.order(gateway.Bank, "100.64")).Next.Pay
	w.pass(25 * time.Hour)
	lines := w.statement()
	w.check("in and back", []any{lines[0].Direction, lines[1].Direction}, []any{gateway.Incoming, gateway.Outgoing})
	w.check("with the reference", lines[0].Text, pay.Reference)
	w.check("the second takes the first back", lines[1].Reverses, lines[0].ID)
}

func TestReferenceOfADepositIsMissingOrMisspeltOnTheStatement(t *testing.T) {
	t.Parallel()
	for code, text := range map[string]string{"60": "", "61": "ref {reference}X7"} {
		w := newWorld(t)
		pay := w.start(w.order(gateway.Bank, "100."+code)).Next.Pay
		w.pass(5 * time.Second)
		want := ""
		if text != "" {
			want = "ref " + pay.Reference + "X7"
		}
		w.check("the text", w.statement()[0].Text, want)
	}
}

func TestLateBookedLineStandsAtItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.book("1", time.Minute)
	w.book("2", -time.Hour)
	w.check("lines", amountsOf(w.statement()), []string{"2", "1"})
	w.pass(2 * time.Second)
	w.check("both are told", w.told(), []string{"line", "line"})
}

func TestLineThatIsBookedAfterMidnightCountsForTheDayBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.order(gateway.Bank, "100.65"))
	w.pass(13 * time.Hour)
	line := w.bank.State().Accounts[0].Lines[0]
	w.check("booked", line.BookedAt, time.Date(2026, time.March, 2, 21, 5, 0, 0, time.UTC)) // five past midnight in Istanbul
	w.check("counts for", line.ValueDate, "2026-03-02")
}

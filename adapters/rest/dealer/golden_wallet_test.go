package dealer_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// walletGoldens are those of D4 to D7.
var walletGoldens = []golden{
	{"d4-eibans", after(func(t *testing.T, s *server) { t.Helper(); s.transfer(t) }, eibans, "")},
	{"d4-no-eibans", after(func(t *testing.T, s *server) {
		t.Helper()
		s.changeWallet(t, func(w *wallet.Wallet) { w.IsActive = false })
	}, eibans, "")},
	{"d4-error-403-switched-off", after(switchOff(noEIBAN), eibans, "")},
	{"d4-error-403-switched-off-tr", func(t *testing.T, s *server) request {
		s.changeDealer(t, noEIBAN)
		return s.call(eibans, "").With("Accept-Language", "tr")
	}},

	{"d5-transactions", after(someLines, transactions, "")},
	{"d5-no-transactions", plain(transactions, "")},
	{"d5-second-page", after(manyLines, transactions+"&page=2", "")},
	{"d5-error-403-switched-off", after(switchOff(noEIBAN), transactions, "")},
	{"d5-error-403-no-wallet", plain(strings.Replace(transactions, "{{wallet}}", "W-NOBODYS", 1), "")},
	{"d5-error-403-anothers-wallet", func(_ *testing.T, s *server) request {
		return s.call(strings.Replace(transactions, "{{wallet}}", s.OtherWallet.WalletID, 1), "")
	}},
	{"d5-error-422", plain("/transactions", "")},
	{"d5-error-422-tr", turkish("/transactions?wallet_id=%00&start_date=02.03.2026&end_date=2026-02-29&page=0", "")},
	{"d5-error-422-order", plain(dates("2026-03-02", "2026-03-01"), "")},
	{"d5-error-422-order-tr", turkish(dates("2026-03-02", "2026-03-01"), "")},
	{"d5-error-422-range", plain(dates("2026-03-01", "2026-03-05"), "")},
	{"d5-error-422-range-tr", turkish(dates("2026-03-01", "2026-03-05"), "")},

	{"d6-sent", plain(send, sendBody)},
	{"d6-sent-tr", turkish(send, sendBody)},
	{"d6-sent-plainly", plain(send, `{"wallet_id":"{{wallet}}","recipient_iban":"de89370400440532013000","recipient_name":"Erika Mustermann","amount":"10"}`)},
	{"d6-replayed", again(send, sendBody, sendBody)},
	{"d6-error-403-switched-off", after(switchOff(noEIBAN), send, sendBody)},
	{"d6-error-403-anothers-wallet", func(_ *testing.T, s *server) request {
		return s.call(send, strings.Replace(sendBody, "{{wallet}}", s.OtherWallet.WalletID, 1))
	}},
	{"d6-error-403-anothers-wallet-tr", func(_ *testing.T, s *server) request {
		return s.call(send, strings.Replace(sendBody, "{{wallet}}", s.OtherWallet.WalletID, 1)).With("Accept-Language", "")
	}},
	{"d6-error-409-key-reused", again(send, sendBody, strings.Replace(sendBody, "250", "251", 1))},
	{"d6-error-409-key-reused-tr", func(t *testing.T, s *server) request {
		return again(send, sendBody, strings.Replace(sendBody, "250", "251", 1))(t, s).With("Accept-Language", "")
	}},
	{"d6-error-422", plain(send, "{}")},
	{"d6-error-422-tr", turkish(send, `{"wallet_id":7,"recipient_iban":true,"recipient_name":" ","amount":"ten","description":{}}`)},
	{"d6-error-422-iban", plain(send, strings.Replace(sendBody, "TR33", "TR34", 1))},
	{"d6-error-422-iban-tr", turkish(send, strings.Replace(sendBody, "TR33", "TR34", 1))},
	{"d6-error-422-amount", plain(send, strings.Replace(sendBody, "250.00", "9.99", 1))},
	{"d6-error-422-amount-tr", turkish(send, strings.Replace(sendBody, "250.00", "9.99", 1))},
	{"d6-error-422-balance", plain(send, strings.Replace(sendBody, "250.00", "10000.01", 1))},
	{"d6-error-422-balance-tr", turkish(send, strings.Replace(sendBody, "250.00", "10000.01", 1))},
	{"d6-error-503-bank", after(func(t *testing.T, s *server) {
		t.Helper()
		s.changeBank(t, func(a *owner.GatewayAccount) { a.IsEnabled = false })
	}, send, sendBody)},

	{"d7-pending", after(func(t *testing.T, s *server) { t.Helper(); s.transfer(t) }, status, "")},
	{"d7-completed", after(settled, status, "")},
	{"d7-failed", after(func(t *testing.T, s *server) { t.Helper(); s.ends(t, gateway.PayoutFailed) }, status, "")},
	{"d7-cancelled", after(func(t *testing.T, s *server) { t.Helper(); s.ends(t, gateway.PayoutCanceled) }, status, "")},
	{"d7-error-403-switched-off", after(switchOff(noEIBAN), "/transfer-status?transfer_id=TRF-0123456789ABCDEF", "")},
	{"d7-error-404", plain("/transfer-status?transfer_id=TRF-0123456789ABCDEF", "")},
	{"d7-error-404-tr", turkish("/transfer-status?transfer_id=TRF-0123456789ABCDEF", "")},
	{"d7-error-422", plain("/transfer-status", "")},
	{"d7-error-422-tr", turkish("/transfer-status?transfer_id=%20", "")},
}

// dates is D5 for other days.
func dates(from, to string) string {
	return "/transactions?wallet_id={{wallet}}&start_date=" + url.QueryEscape(from) + "&end_date=" + url.QueryEscape(to)
}

// line is one of a wallet's statement.
func (s *server) line(id string, d gateway.Direction, minor int64, at time.Time) wallet.BankLine {
	return wallet.BankLine{
		WalletID: s.Wallet.ID, LineID: id, Version: 1, Direction: d, Status: wallet.LineUnmatched,
		Amount: money.New(minor, money.TRY), BookedAt: at, Text: "Ödeme " + id, ImportedAt: s.Clock.Now(),
		Party: gateway.Party{Name: "Ayşe Yılmaz", IBAN: "TR330006100519786457841326"},
	}
}

// someLines are two of the days asked for, on their first and their last second, one that the bank says little about, and
// the seconds before and after.
func someLines(t *testing.T, s *server) {
	t.Helper()
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, s.Zone)
	bare := s.line("noon", gateway.Incoming, 1, first.Add(12*time.Hour))
	bare.Party, bare.Text = gateway.Party{}, ""
	s.importLines(t, s.line("before", gateway.Incoming, 100, first.Add(-time.Second)),
		s.line("first", gateway.Incoming, 125075, first), bare,
		s.line("last", gateway.Outgoing, 99999999999, first.AddDate(0, 0, 2).Add(-time.Second)),
		s.line("after", gateway.Incoming, 100, first.AddDate(0, 0, 2)))
}

// manyLines are 203 of one day.
func manyLines(t *testing.T, s *server) {
	t.Helper()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, s.Zone)
	var lines []wallet.BankLine
	for i := range 203 {
		lines = append(lines, s.line(fmt.Sprintf("L%03d", i), gateway.Incoming, int64(100+i), noon.Add(time.Duration(i)*time.Second)))
	}
	s.importLines(t, lines...)
}

func (s *server) importLines(t *testing.T, lines ...wallet.BankLine) {
	t.Helper()
	ids, err := core.NewIDs(s.Clock.Now(), s.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		lines[i].ID = ids.Next()
	}
	s.Commit(t, core.Rows(lines))
}

// settled is a transfer that the bank has carried out forty seconds after it was asked for.
func settled(t *testing.T, s *server) {
	t.Helper()
	s.ends(t, gateway.PayoutDone)
}

// ends makes a transfer that ends as the bank says, forty seconds later.
func (s *server) ends(t *testing.T, state gateway.PayoutState) {
	t.Helper()
	s.transfer(t)
	end := map[gateway.PayoutState]payment.Command{
		gateway.PayoutDone: payment.Complete, gateway.PayoutFailed: payment.Fail, gateway.PayoutCanceled: payment.Cancel,
	}[state]
	s.Clock.Advance(40 * time.Second)
	d, err := s.UnitOfWork.Decision(t.Context(), s.Sent, app.BySystem)
	if err != nil {
		t.Fatal(err)
	}
	change, err := payment.Decide(s.Sent, end, d)
	if err != nil {
		t.Fatal(err)
	}
	s.Commit(t, change)
}

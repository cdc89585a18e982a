package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// statement commits two wallets of dealer 1, one of dealer 2 and thirty of dealer 3, with lines in all states, and gives
// the lines newest first, and the dealer of each wallet. One wallet is not there.
func (w *world) statement() (lines []wallet.BankLine, dealerOf map[int64]int64) {
	w.t.Helper()
	dealerOf = map[int64]int64{99: 0}
	wallets := []int64{99}
	for i := range 33 {
		wallet := w.wallet([]int64{1, 1, 2}[min(i, 2)])
		if i > 2 {
			wallet.DealerID = 3
		}
		w.commit(core.Changeset{wallet})
		dealerOf[wallet.ID] = wallet.DealerID
		wallets = append(wallets, wallet.ID)
	}
	for i := range 190 {
		l := w.bareLine(wallets[i*i%len(wallets)], tomorrowAt(9).Add(-time.Duration(i)*time.Hour))
		if i%2 == 0 {
			l.WalletID = wallets[i/2%4]
		}
		l.Status = wallet.LineStatuses()[i/3%6]
		lines = append(lines, l)
	}
	w.commit(core.Rows(lines[90:]), core.Rows(lines[:90]))
	slices.Reverse(lines)
	return lines, dealerOf
}

func linesNarrowed(w *world) {
	lines, dealerOf := w.statement()
	wallets := []int64{0, 99, -1}
	for id := range dealerOf {
		wallets = append(wallets, id)
	}
	slices.Sort(wallets)
	for name, states := range map[string][]wallet.LineStatus{
		"any": nil, "unmatched": {wallet.LineUnmatched}, "waiting": {wallet.LineUnmatched, wallet.LineDoubtful, wallet.LineUnbooked},
		"twice": {wallet.LineMatched, wallet.LineSetAside, wallet.LineMatched}, "of no name": {"other"}, "all": wallet.LineStatuses(),
	} {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			for _, dealerID := range []int64{0, 1, 2, 3, 4, -1} {
				for _, walletID := range wallets[:8] {
					q := wallet.LineQuery{Scope: core.Scope{DealerID: dealerID}, WalletID: walletID, Statuses: states, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
					want := slices.DeleteFunc(slices.Clone(lines), func(l wallet.BankLine) bool {
						return dealerID != 0 && dealerOf[l.WalletID] != dealerID || walletID != 0 && l.WalletID != walletID ||
							states != nil && !slices.Contains(states, l.Status)
					})
					w.same(want, read(w, w.store.LinesIn, q))
					if q.Limit = 7; len(want) > q.Limit {
						q.After = want[len(want)/2].ID
						w.same(want[len(want)/2+1:][:min(len(want)-len(want)/2-1, q.Limit)], read(w, w.store.LinesIn, q))
					}
				}
			}
		})
	}
}

// linesFoundBy finds lines by what they were imported with, in whatever state they are by now.
func linesFoundBy(w *world) {
	other := "TR320010009999901234567890"
	line := func(name, text, iban string, minor int64, hour int) wallet.BankLine {
		l := w.bareLine(7, tomorrowAt(hour))
		l.Party, l.Text, l.Amount, l.Direction = gateway.Party{Name: name, IBAN: iban}, text, lira(minor), gateway.Incoming
		return l
	}
	ayse, ali := line("AYŞE YILMAZ", "havale MAN-1", senderIBAN, 100, 9), line("Ali Yılmaz", "EFT 7890", other, 250, 12)
	out := line("Kira", "havale", "", 100, 15)
	out.Direction = gateway.Outgoing
	w.commit(core.Changeset{ayse, ali, out})
	again := ayse
	again.ID, again.Party.Name = w.bareLine(7, tomorrowAt(9)).ID, "SOMEBODY ELSE" // the same line once more: it is known
	w.commit(core.Changeset{again})
	for name, c := range map[string]struct {
		q    wallet.LineQuery
		want []wallet.BankLine
	}{
		"a first name":      {wallet.LineQuery{Text: "ayse"}, []wallet.BankLine{ayse}},
		"a last name":       {wallet.LineQuery{Text: "yılmaz"}, []wallet.BankLine{ali, ayse}},
		"two words":         {wallet.LineQuery{Text: "Yilmaz HAVALE"}, []wallet.BankLine{ayse}},
		"a part of a word":  {wallet.LineQuery{Text: "yılm"}, nil},
		"nobody":            {wallet.LineQuery{Text: "somebody"}, nil},
		"an IBAN":           {wallet.LineQuery{Text: "TR33 0006 1005 1978 6457 8413 26"}, []wallet.BankLine{ayse}},
		"last digits":       {wallet.LineQuery{Text: "1326"}, []wallet.BankLine{ayse}},
		"digits, or a word": {wallet.LineQuery{Text: "7890"}, []wallet.BankLine{ali}},
		"a code":            {wallet.LineQuery{Text: "MAN-1 havale"}, []wallet.BankLine{ayse}},
		"an amount":         {wallet.LineQuery{Amount: lira(100)}, []wallet.BankLine{out, ayse}},
		"amount and words":  {wallet.LineQuery{Amount: lira(100), Text: "havale"}, []wallet.BankLine{out, ayse}},
		"at least":          {wallet.LineQuery{MinAmount: lira(101)}, []wallet.BankLine{ali}},
		"at most":           {wallet.LineQuery{MaxAmount: lira(100), Direction: gateway.Incoming}, []wallet.BankLine{ayse}},
		"booked then":       {wallet.LineQuery{BookedFrom: tomorrowAt(12), BookedUntil: tomorrowAt(15)}, []wallet.BankLine{ali}},
		"of another wallet": {wallet.LineQuery{Text: "yılmaz", WalletID: 8}, nil},
		"in a state":        {wallet.LineQuery{Text: "yılmaz", Statuses: []wallet.LineStatus{wallet.LineMatched}}, nil},
		"by ids":            {wallet.LineQuery{IDs: []core.ID{ali.ID, out.ID}}, []wallet.BankLine{out, ali}},
	} {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			c.q.Limit = 10
			w.same(c.want, read(w, w.store.LinesIn, c.q))
		})
	}
	page := wallet.LineQuery{Text: "yılmaz", Paging: core.Paging[core.ID]{After: ali.ID, Limit: 1}}
	w.same([]wallet.BankLine{ayse}, read(w, w.store.LinesIn, page))
}

func linesOfPayment(w *world) {
	one, other := w.payment().ID, w.payment().ID
	var want []wallet.BankLine
	var change core.Changeset
	for i := range 12 {
		l := w.bareLine(int64(7+i%2), tomorrowAt(9-i%5))
		l.Status, l.PaymentID = wallet.LineMatched, []core.ID{one, other, ""}[i%3]
		change = append(change, l)
		if l.PaymentID == one {
			want = append(want, l)
		}
	}
	slices.Reverse(core.RowsOf[wallet.BankLine](change))
	w.commit(change)
	w.same(want, each(w, w.store.LinesOf, one))
	w.same(4, len(each(w, w.store.LinesOf, other)))
	w.same(0, len(each(w, w.store.LinesOf, "")))
	w.same(0, len(each(w, w.store.LinesOf, w.payment().ID)))
	gone := save(want[0], wallet.LineUnmatched, "")
	w.commit(core.Changeset{gone})
	w.same(want[1:], each(w, w.store.LinesOf, one))
}

// paidBy is a line from an IBAN that is matched with a deposit of a customer.
func (w *world) paidBy(iban string, customer owner.CustomerKey) core.Changeset {
	p, l := w.deposit(5, epoch), w.bankLine(7)
	p.ProviderID, p.Customer.UserID = customer.ProviderID, customer.UserID
	l.Party.IBAN, l.PaymentID = iban, p.ID
	return core.Changeset{p, l}
}

func sendersInOrder(w *world) {
	ayse, ali, other := owner.CustomerKey{ProviderID: 1, UserID: "ayşe"}, owner.CustomerKey{ProviderID: 1, UserID: "ali"},
		owner.CustomerKey{ProviderID: 2, UserID: "ali"}
	for _, customer := range []owner.CustomerKey{other, ayse, ali, ayse, ayse} { // the oldest first
		w.commit(w.paidBy(senderIBAN, customer), w.paidBy("TR320010009999901234567890", owner.CustomerKey{UserID: "x"}))
	}
	w.same([]owner.CustomerKey{ayse, ali, other}, w.paidFrom(senderIBAN, 5))
	w.same([]owner.CustomerKey{ayse, ali}, w.paidFrom(senderIBAN, 4)) // of the latest four lines
	w.same([]owner.CustomerKey{ayse}, w.paidFrom(senderIBAN, 2))
	w.same(0, len(w.paidFrom(senderIBAN, 0)))
	w.same(0, len(w.paidFrom("TR330006100519786457841327", 5)))
}

func onlyDeposits(w *world) {
	change := func(spoil func(p *payment.Payment, l *wallet.BankLine)) {
		c := w.paidBy(senderIBAN, owner.CustomerKey{ProviderID: 1, UserID: fmt.Sprint(w.payment().ID)})
		p, _ := core.First[payment.Payment](c)
		l, _ := core.First[wallet.BankLine](c)
		spoil(&p, &l)
		w.commit(core.Changeset{p, l})
	}
	kept := owner.CustomerKey{ProviderID: 1, UserID: "kept"}
	w.commit(w.paidBy(senderIBAN, kept))
	change(func(_ *payment.Payment, l *wallet.BankLine) { l.Direction = gateway.Outgoing })
	change(func(_ *payment.Payment, l *wallet.BankLine) { l.PaymentID = "" })
	change(func(_ *payment.Payment, l *wallet.BankLine) { l.PaymentID = w.payment().ID }) // is not there
	change(func(p *payment.Payment, _ *wallet.BankLine) { p.Method = payment.EIBANTransfer })
	change(func(p *payment.Payment, _ *wallet.BankLine) { p.Method = payment.ManualDeposit })
	w.same([]owner.CustomerKey{kept}, w.paidFrom(senderIBAN, 1))
}

func sendersNormalized(w *world) {
	spellings := []string{senderIBAN, "TR33 0006 1005 1978 6457 8413 26", " tr330006100519786457841326\n"}
	var want []owner.CustomerKey
	for i, spelling := range spellings {
		customer := owner.CustomerKey{ProviderID: int64(i), UserID: "ayşe"}
		w.commit(w.paidBy(spelling, customer))
		want = slices.Insert(want, 0, customer)
	}
	for _, spelling := range spellings {
		w.same(want, w.paidFrom(spelling, 9))
	}
}

func noSender(w *world) {
	for i, text := range []string{"", " ", "TR33**********************26", "TR33", longName, awkward} {
		w.commit(w.paidBy(text, owner.CustomerKey{ProviderID: int64(i), UserID: "u"}))
		w.same(0, len(w.paidFrom(text, 9)))
	}
}

func senderOnceMatched(w *world) {
	customer := owner.CustomerKey{ProviderID: 1, UserID: "ayşe"}
	change := w.paidBy(senderIBAN, customer)
	l, _ := core.First[wallet.BankLine](change)
	p, _ := core.First[payment.Payment](change)
	l.Status, l.PaymentID = wallet.LineUnmatched, ""
	w.commit(core.Changeset{p, l})
	w.same(0, len(w.paidFrom(senderIBAN, 9)))
	matched := save(l, wallet.LineMatched, p.ID)
	w.commit(core.Changeset{matched})
	w.same([]owner.CustomerKey{customer}, w.paidFrom(senderIBAN, 9))
	taken := save(matched, wallet.LineReversed, p.ID)
	taken.ReversedByLineID = "its reversal"
	w.commit(core.Changeset{taken})
	w.same(0, len(w.paidFrom(senderIBAN, 9)))
}

func (w *world) candidates(query wallet.CandidateQuery) []payment.Payment {
	w.t.Helper()
	found := each(w, w.store.Candidates, query)
	w.same(1, len(found))
	return found[0]
}

func candidatesBetween(w *world) {
	var all []payment.Payment
	for i := range 40 {
		p := w.deposit(int64(5+i%2), tomorrowAt(9).Add(time.Duration(i*i%13)*time.Minute))
		if i%5 == 4 {
			p.Method = payment.ManualDeposit
		}
		all = append(all, p)
	}
	w.commit(core.Rows(all), core.Changeset{w.deposit(0, tomorrowAt(9))})
	slices.SortFunc(all, func(a, b payment.Payment) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	minutes := []int{-1, 0, 1, 4, 9, 12, 13}
	for _, from := range minutes {
		for _, until := range minutes {
			q := wallet.CandidateQuery{
				Account: owner.AccountKey{ID: 5, DealerID: 7}, From: tomorrowAt(9).Add(time.Duration(from) * time.Minute),
				Until: tomorrowAt(9).Add(time.Duration(until) * time.Minute), Limit: 50,
			}
			want := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool {
				return p.Account.AccountID != 5 || p.Method != payment.EIBANDeposit || p.CreatedAt.Before(q.From) ||
					!p.CreatedAt.Before(q.Until)
			})
			w.same(want, w.candidates(q))
			q.Limit = 3
			w.same(want[:min(3, len(want))], w.candidates(q))
		}
	}
	w.same(0, len(w.candidates(wallet.CandidateQuery{Account: owner.AccountKey{ID: 5, DealerID: 7}, Until: tomorrowAt(20)})))
	w.same(0, len(w.candidates(wallet.CandidateQuery{Account: owner.AccountKey{ID: 5, DealerID: 8}, Until: tomorrowAt(20), Limit: 5})))
	w.same(0, len(w.candidates(wallet.CandidateQuery{Until: tomorrowAt(20), Limit: 5}))) // shown no account
}

func candidateStatuses(w *world) {
	want := map[core.ID]bool{}
	var all []payment.Payment
	for _, status := range payment.Statuses() {
		p := w.deposit(5, tomorrowAt(9))
		p.Status = status
		all = append(all, p)
		want[p.ID] = status != payment.Completed
	}
	w.commit(core.Rows(all))
	q := wallet.CandidateQuery{Account: owner.AccountKey{ID: 5, DealerID: 7}, From: tomorrowAt(9), Until: tomorrowAt(10), Limit: 50}
	found := w.candidates(q)
	w.same(len(all)-1, len(found))
	for _, p := range found {
		w.same(true, want[p.ID])
	}
	first := found[0]
	first.Version, first.Status = 2, payment.Completed
	w.commit(core.Changeset{first})
	w.same(found[1:], w.candidates(q))
}

package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

func lineListSentences() []sentence {
	return []sentence{
		{"a line is found by its wallet and the bank's own id only", lineByID},
		{"lines are narrowed by dealer, wallet and states, newest first", linesNarrowed},
		{"pages of lines cover everything once", linePagesByID},
		{"a line is listed where it was saved to", linesMove},
		{"a payment's lines are those that are matched with it, oldest first", linesOfPayment},
	}
}

func lineByID(w *world) {
	l := w.bankLine(7)
	w.commit(core.Changeset{l, w.bankLine(7), w.bankLine(8)})
	w.same(l, w.lineOf(7, l.LineID))
	for _, other := range []core.BankLine{
		{WalletID: 8, LineID: l.LineID}, {WalletID: 7, LineID: l.LineID + " "}, {WalletID: 7}, {LineID: l.LineID},
		{WalletID: 7, LineID: string(l.ID)},
	} {
		_, err := w.store.BankLine(w.ctx, other.WalletID, other.LineID)
		w.fails(fault.NotFound, err)
	}
}

// statement commits two wallets of dealer 1, one of dealer 2 and thirty of dealer 3, with lines in all states, and gives
// the lines newest first, and the dealer of each wallet. One wallet is not there.
func (w *world) statement() (lines []core.BankLine, dealerOf map[int64]int64) {
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
		l.State = core.LineStates()[i/3%6]
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
	for name, states := range map[string][]core.LineState{
		"any": nil, "unmatched": {core.LineUnmatched}, "waiting": {core.LineUnmatched, core.LineDoubtful, core.LineUnbooked},
		"twice": {core.LineMatched, core.LineSetAside, core.LineMatched}, "of no name": {"other"}, "all": core.LineStates(),
	} {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			for _, dealerID := range []int64{0, 1, 2, 3, 4, -1} {
				for _, walletID := range wallets[:8] {
					q := core.LineQuery{Scope: core.Scope{DealerID: dealerID}, WalletID: walletID, States: states, Limit: core.MaxPage}
					want := slices.DeleteFunc(slices.Clone(lines), func(l core.BankLine) bool {
						return dealerID != 0 && dealerOf[l.WalletID] != dealerID || walletID != 0 && l.WalletID != walletID ||
							states != nil && !slices.Contains(states, l.State)
					})
					w.same(want, w.linesIn(q))
				}
			}
		})
	}
}

func linePagesByID(w *world) {
	lines, dealerOf := w.statement()
	for _, dealerID := range []int64{0, 1, 3} {
		want := slices.DeleteFunc(slices.Clone(lines), func(l core.BankLine) bool {
			return dealerID != 0 && dealerOf[l.WalletID] != dealerID || l.State == core.LineMatched
		})
		var got []core.BankLine
		q := core.LineQuery{Scope: core.Scope{DealerID: dealerID}, States: core.LineStates()[1:], Limit: 7}
		for page := w.linesIn(q); len(page) > 0 && len(got) <= len(want); page = w.linesIn(q) {
			w.same(true, len(page) <= q.Limit)
			got = append(got, page...)
			q.After = got[len(got)-1].ID
		}
		w.same(want, got)
	}
	w.same(0, len(w.linesIn(core.LineQuery{})))
}

func linesMove(w *world) {
	wallet := w.funded(0)
	l := w.bankLine(wallet.ID)
	l.State = core.LineUnmatched
	w.commit(core.Changeset{l})
	for _, state := range []core.LineState{core.LineDoubtful, core.LineMatched, core.LineSetAside, core.LineUnmatched} {
		l = save(l, state, "")
		w.commit(core.Changeset{l})
		for _, asked := range core.LineStates() {
			want := []core.BankLine{}
			if asked == state {
				want = append(want, l)
			}
			for _, q := range []core.LineQuery{{}, {WalletID: wallet.ID}, {Scope: core.Scope{DealerID: wallet.DealerID}}} {
				q.States, q.Limit = []core.LineState{asked}, 5
				w.same(want, w.linesIn(q))
			}
		}
	}
}

func linesOfPayment(w *world) {
	one, other := w.payment().ID, w.payment().ID
	var want []core.BankLine
	var change core.Changeset
	for i := range 12 {
		l := w.bareLine(int64(7+i%2), tomorrowAt(9-i%5))
		l.State, l.PaymentID = core.LineMatched, []core.ID{one, other, ""}[i%3]
		change = append(change, l)
		if l.PaymentID == one {
			want = append(want, l)
		}
	}
	slices.Reverse(core.RowsOf[core.BankLine](change))
	w.commit(change)
	w.same(want, w.linesOf(one))
	w.same(4, len(w.linesOf(other)))
	w.same(0, len(w.linesOf("")))
	w.same(0, len(w.linesOf(w.payment().ID)))
	gone := save(want[0], core.LineUnmatched, "")
	w.commit(core.Changeset{gone})
	w.same(want[1:], w.linesOf(one))
}

func senderSentences() []sentence {
	return []sentence{
		{"who paid from an IBAN comes once, those of the latest lines first", sendersInOrder},
		{"only incoming lines of E-IBAN deposits tell who paid", onlyDeposits},
		{"senders are compared by their normalized IBAN", sendersNormalized},
		{"what is no IBAN is nobody's", noSender},
		{"a line tells who paid from when it is matched", senderOnceMatched},
		{"candidates are an account's deposits of a time, newest first", candidatesBetween},
		{"a deposit is a candidate in every status but completed", candidateStatuses},
	}
}

// paidBy is a line from an IBAN that is matched with a deposit of a customer.
func (w *world) paidBy(iban string, customer core.CustomerKey) core.Changeset {
	p, l := w.deposit(5, epoch), w.bankLine(7)
	p.ProviderID, p.Customer.UserID = customer.ProviderID, customer.UserID
	l.Party.IBAN, l.PaymentID = iban, p.ID
	return core.Changeset{p, l}
}

func sendersInOrder(w *world) {
	ayse, ali, other := core.CustomerKey{ProviderID: 1, UserID: "ayşe"}, core.CustomerKey{ProviderID: 1, UserID: "ali"},
		core.CustomerKey{ProviderID: 2, UserID: "ali"}
	for _, customer := range []core.CustomerKey{other, ayse, ali, ayse, ayse} { // the oldest first
		w.commit(w.paidBy(senderIBAN, customer), w.paidBy("TR320010009999901234567890", core.CustomerKey{UserID: "x"}))
	}
	w.same([]core.CustomerKey{ayse, ali, other}, w.paidFrom(senderIBAN, 5))
	w.same([]core.CustomerKey{ayse, ali}, w.paidFrom(senderIBAN, 4)) // of the latest four lines
	w.same([]core.CustomerKey{ayse}, w.paidFrom(senderIBAN, 2))
	w.same(0, len(w.paidFrom(senderIBAN, 0)))
	w.same(0, len(w.paidFrom("TR330006100519786457841327", 5)))
}

func onlyDeposits(w *world) {
	change := func(spoil func(p *core.Payment, l *core.BankLine)) {
		c := w.paidBy(senderIBAN, core.CustomerKey{ProviderID: 1, UserID: fmt.Sprint(w.payment().ID)})
		p, _ := core.First[core.Payment](c)
		l, _ := core.First[core.BankLine](c)
		spoil(&p, &l)
		w.commit(core.Changeset{p, l})
	}
	kept := core.CustomerKey{ProviderID: 1, UserID: "kept"}
	w.commit(w.paidBy(senderIBAN, kept))
	change(func(_ *core.Payment, l *core.BankLine) { l.Direction = gateway.Outgoing })
	change(func(_ *core.Payment, l *core.BankLine) { l.PaymentID = "" })
	change(func(_ *core.Payment, l *core.BankLine) { l.PaymentID = w.payment().ID }) // is not there
	change(func(p *core.Payment, _ *core.BankLine) { p.Method = core.EIBANTransfer })
	change(func(p *core.Payment, _ *core.BankLine) { p.Method = core.ManualDeposit })
	w.same([]core.CustomerKey{kept}, w.paidFrom(senderIBAN, 1))
}

func sendersNormalized(w *world) {
	spellings := []string{senderIBAN, "TR33 0006 1005 1978 6457 8413 26", " tr330006100519786457841326\n"}
	var want []core.CustomerKey
	for i, spelling := range spellings {
		customer := core.CustomerKey{ProviderID: int64(i), UserID: "ayşe"}
		w.commit(w.paidBy(spelling, customer))
		want = slices.Insert(want, 0, customer)
	}
	for _, spelling := range spellings {
		w.same(want, w.paidFrom(spelling, 9))
	}
}

func noSender(w *world) {
	for i, text := range []string{"", " ", "TR33**********************26", "TR33", longName, awkward} {
		w.commit(w.paidBy(text, core.CustomerKey{ProviderID: int64(i), UserID: "u"}))
		w.same(0, len(w.paidFrom(text, 9)))
	}
}

func senderOnceMatched(w *world) {
	customer := core.CustomerKey{ProviderID: 1, UserID: "ayşe"}
	change := w.paidBy(senderIBAN, customer)
	l, _ := core.First[core.BankLine](change)
	p, _ := core.First[core.Payment](change)
	l.State, l.PaymentID = core.LineUnmatched, ""
	w.commit(core.Changeset{p, l})
	w.same(0, len(w.paidFrom(senderIBAN, 9)))
	matched := save(l, core.LineMatched, p.ID)
	w.commit(core.Changeset{matched})
	w.same([]core.CustomerKey{customer}, w.paidFrom(senderIBAN, 9))
	taken := save(matched, core.LineReversed, p.ID)
	taken.ReversedBy = "its reversal"
	w.commit(core.Changeset{taken})
	w.same(0, len(w.paidFrom(senderIBAN, 9)))
}

func (w *world) candidates(query core.CandidateQuery) []core.Payment {
	w.t.Helper()
	found, err := w.store.Candidates(w.ctx, []core.CandidateQuery{query})
	w.no(err)
	w.same(1, len(found))
	return found[0]
}

func candidatesBetween(w *world) {
	var all []core.Payment
	for i := range 40 {
		p := w.deposit(int64(5+i%2), tomorrowAt(9).Add(time.Duration(i*i%13)*time.Minute))
		if i%5 == 4 {
			p.Method = core.ManualDeposit
		}
		all = append(all, p)
	}
	w.commit(core.Rows(all), core.Changeset{w.deposit(0, tomorrowAt(9))})
	slices.SortFunc(all, func(a, b core.Payment) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	minutes := []int{-1, 0, 1, 4, 9, 12, 13}
	for _, from := range minutes {
		for _, until := range minutes {
			q := core.CandidateQuery{
				AccountID: 5, From: tomorrowAt(9).Add(time.Duration(from) * time.Minute),
				Until: tomorrowAt(9).Add(time.Duration(until) * time.Minute), Limit: 50,
			}
			want := slices.DeleteFunc(slices.Clone(all), func(p core.Payment) bool {
				return p.Account.AccountID != 5 || p.Method != core.EIBANDeposit || p.CreatedAt.Before(q.From) ||
					!p.CreatedAt.Before(q.Until)
			})
			w.same(want, w.candidates(q))
			q.Limit = 3
			w.same(want[:min(3, len(want))], w.candidates(q))
		}
	}
	w.same(0, len(w.candidates(core.CandidateQuery{AccountID: 5, Until: tomorrowAt(20)})))
	w.same(0, len(w.candidates(core.CandidateQuery{Until: tomorrowAt(20), Limit: 5}))) // shown no account
}

func candidateStatuses(w *world) {
	want := map[core.ID]bool{}
	var all []core.Payment
	for _, status := range core.Statuses() {
		p := w.deposit(5, tomorrowAt(9))
		p.Status = status
		all = append(all, p)
		want[p.ID] = status != core.Completed
	}
	w.commit(core.Rows(all))
	q := core.CandidateQuery{AccountID: 5, From: tomorrowAt(9), Until: tomorrowAt(10), Limit: 50}
	found := w.candidates(q)
	w.same(len(all)-1, len(found))
	for _, p := range found {
		w.same(true, want[p.ID])
	}
	first := found[0]
	first.Version, first.Status = 2, core.Completed
	w.commit(core.Changeset{first})
	w.same(found[1:], w.candidates(q))
}

package wallet_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// alike is another customer of the same name.
var alike = owner.Customer{UserID: "u-3003", Username: "ayse.y", Fullname: "Ayşe Yılmaz"}

// used is what is used today of the daily limit of the wallet's account.
func (w *world) used() (amount string, count int) {
	w.t.Helper()
	loads, err := w.Store.AccountLoads(w.t.Context(), w.Dealer.ID, owner.EIBANAccount, core.DayOf(w.Clock.Now(), w.Zone))
	w.no(err)
	return loads[0].Used.String(), loads[0].Count
}

func TestALineThatFitsCompletesItsDeposit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.offered(lira(250), mehmet)
	w.Clock.Advance(time.Minute)
	id := w.receive(lira(250), ayse, "")
	w.round()
	p = w.has(p, payment.Completed)
	if l := w.is(id, wallet.LineMatched); l.PaymentID != p.ID {
		t.Errorf("it is matched with %q", l.PaymentID)
	}
	last := w.moves(p)[len(w.moves(p))-1]
	if last.Command != payment.Succeed || last.Actor != w.BankGateway.Actor() || last.Reason != "bank line "+id+": amount, name, in_time" {
		t.Errorf("the timeline says %+v", last)
	}
	if all := w.callbacks(p); len(all) != 1 || all[0].Status != payment.Delivered || all[0].Payload.Status != payment.Completed {
		t.Errorf("callbacks %+v", all)
	}
	if used, n := w.used(); used != "500.00" || n != 2 {
		t.Errorf("%s and %d are used of the day", used, n)
	}
	for range 40 {
		w.round()
	}
	if got := len(w.callbacks(p)); got != 1 {
		t.Errorf("%d callbacks", got)
	}
	w.entries(ledger.EntryIncoming)
}

func TestALineThatNamesItsDepositNeedsNobodyToChoose(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offered(lira(90), owner.Customer{})
	p := w.offered(lira(90), alike)
	w.Clock.Advance(time.Second)
	id := w.receive(lira(90), ayse, "ödeme "+strings.ToLower(strings.ReplaceAll(p.TrackingCode, "-", " ")))
	w.round()
	w.has(p, payment.Completed)
	if !strings.Contains(w.line(id).Note, "tracking_code") {
		t.Errorf("the note is %q", w.line(id).Note)
	}
}

func TestAThirdPartysMoneyIsLeftToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(90), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(90), stranger, p.TrackingCode)
	w.round()
	w.is(id, wallet.LineDoubtful)
	w.has(p, payment.Showing)
}

func TestOfDepositsThatAreMuchAlikeAPersonChooses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.offered(lira(250), owner.Customer{}), w.offered(lira(250), alike)
	less := w.offered(lira(240), owner.Customer{})
	w.offered(lira(10), mehmet)
	w.Clock.Advance(time.Second)
	id := w.receive(lira(250), ayse, "")
	w.round()
	l := w.is(id, wallet.LineDoubtful)
	ranked, err := w.Statements.Candidates(t.Context(), w.Operator, l)
	w.no(err)
	list := ranked[l.ID]
	if len(list) != 3 || list[2].Payment.ID != less.ID || list[0].Score < list[1].Score || list[1].Score <= list[2].Score {
		t.Errorf("candidates %+v", list)
	}
	w.has(p, payment.Showing)
	w.has(other, payment.Showing)
	doubtful := wallet.LineQuery{Statuses: []wallet.LineStatus{wallet.LineDoubtful}, Paging: core.Paging[core.ID]{Limit: 10}}
	queue, err := w.Statements.LinesIn(t.Context(), w.DealerStaff, "", doubtful)
	w.no(err)
	if len(queue) != 1 || queue[0].LineID != id {
		t.Errorf("the queue is %+v", queue)
	}
}

func TestAnAmountThatDiffersIsLeftToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(249), ayse, p.TrackingCode)
	w.round()
	w.is(id, wallet.LineDoubtful)
	w.has(p, payment.Showing)
}

func TestNothingIsCompletedByItselfWithoutAScore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Statements.AutoScore = 0
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(250), ayse, p.TrackingCode)
	w.round()
	w.is(id, wallet.LineDoubtful)
	w.has(p, payment.Showing)
}

func TestADepositThatComesAfterItsMoneyIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(250), ayse, "")
	w.round()
	w.is(id, wallet.LineUnmatched)
	w.later(5 * time.Minute)
	p := w.offered(lira(250), owner.Customer{})
	w.round()
	w.has(p, payment.Completed)
	w.is(id, wallet.LineMatched)
}

func TestALineThatWasDoubtfulIsLeftToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Statements.AutoScore = 85
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Minute)
	id := w.receive(lira(250), ayse, "")
	w.round()
	w.is(id, wallet.LineDoubtful)
	w.later(20 * time.Minute)
	w.claimed(p)
	w.round()
	w.has(p, payment.Processing)
	w.is(id, wallet.LineDoubtful)
}

func TestOfManyDepositsTheOnesOfTheTimeAreLookedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.claimed(w.offered(lira(250), owner.Customer{}))
	w.Clock.Advance(time.Minute)
	id := w.Bank.Receive("acc-1", lira(250), ayse, "", w.Clock.Now())
	w.Clock.Advance(20 * time.Minute)
	for range 250 { // what was asked for after the money came
		w.offered(lira(1), mehmet)
	}
	w.round()
	w.has(p, payment.Completed)
	w.is(id, wallet.LineMatched)
}

func TestTheOlderOfTwoLinesIsMatchedFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	first, second := w.receive(lira(250), ayse, ""), w.receive(lira(250), ayse, "")
	w.round()
	w.has(p, payment.Completed)
	w.is(first, wallet.LineMatched)
	w.is(second, wallet.LineUnmatched)
	if got := len(w.callbacks(p)); got != 1 {
		t.Errorf("%d callbacks", got)
	}
}

func TestHoweverManyLinesWaitEachFindsItsDeposit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ids []string
	for range 450 {
		ids = append(ids, w.receive(lira(1), stranger, ""))
	}
	w.round()
	w.later(time.Minute)
	p := w.offered(lira(250), owner.Customer{})
	oldest := w.line(ids[0])
	w.Clock.Advance(time.Second)
	paid := w.receive(lira(250), ayse, "")
	w.round()
	w.has(p, payment.Completed)
	w.is(paid, wallet.LineMatched)
	if after := w.line(ids[0]); after != oldest {
		t.Errorf("%+v has become %+v", oldest, after)
	}
}

func TestADepositThatCantBeDecidedKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	whole, p := w.offered(lira(100), mehmet), w.offered(lira(250), owner.Customer{})
	broken := whole
	ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
	w.no(err)
	code, err := core.NewTrackingCode(payment.EIBANDeposit.Prefix(), w.UnitOfWork.Random)
	w.no(err)
	broken.ID, broken.Version, broken.TokenFingerprint = ids.Next(), 1, ""
	broken.TrackingCode, broken.SiteID = code, 999 // there is no such site, and so no address for its callback
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{broken}))
	_, err = w.Deposits.Cancel(t.Context(), whole)
	w.no(err)
	w.Clock.Advance(time.Second)
	bad, paid := w.receive(lira(100), stranger, broken.TrackingCode), w.receive(lira(250), ayse, "")
	w.round()
	w.is(bad, wallet.LineUnmatched)
	w.is(paid, wallet.LineMatched)
	w.has(p, payment.Completed)
	if f := w.feed(); f.FailureCount != 0 || !strings.Contains(f.Trouble, bad) {
		t.Errorf("the feed is %+v", f)
	}
}

func TestALineOfAPageHasTheCandidatesThatItHasAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offered(lira(250), mehmet)
	w.offered(lira(250), owner.Customer{})
	w.offered(lira(240), mehmet)
	w.Clock.Advance(time.Second)
	var lines []wallet.BankLine
	for _, amount := range []int64{250, 240, 10} {
		id := w.receive(lira(amount), stranger, "")
		w.round()
		lines = append(lines, w.line(id))
	}
	completed := w.receive(lira(250), ayse, "")
	w.round()
	lines = append(lines, w.is(completed, wallet.LineMatched))
	page, err := w.Statements.Candidates(t.Context(), w.Operator, lines...)
	w.no(err)
	for _, l := range lines {
		alone, err := w.Statements.Candidates(t.Context(), w.Operator, l)
		w.no(err)
		if !reflect.DeepEqual(alone[l.ID], page[l.ID]) {
			t.Errorf("%v: %+v alone, %+v on a page", l.Amount, alone[l.ID], page[l.ID])
		}
	}
	if len(page[lines[0].ID]) < 1 || len(page[lines[1].ID]) != 1 || len(page[lines[2].ID]) > 0 || len(page[lines[3].ID]) > 0 {
		t.Errorf("candidates %v", page)
	}
}

package wallet_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// truth is a day as it was, and what was done to either side's books.
type truth struct {
	b        wallet.DayBook
	injected []string
	effects  int64 // what the ledger has more than the bank
}

// TestWhatIsInjectedIsFound: books that come from the same truth differ in what was done to them, and in nothing else.
func TestWhatIsInjectedIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := truth{b: dayBook()}
		for i := range rapid.IntRange(0, 12).Draw(t, "lines") {
			x.line(t, fmt.Sprint("line-", i))
		}
		x.b.Statement = rapid.Permutation(x.b.Statement).Draw(t, "the bank's order")
		if len(x.b.Statement) > 0 && rapid.Bool().Draw(t, "listed twice") {
			x.b.Statement = append(x.b.Statement, x.b.Statement[0])
		}
		offset := rapid.SampledFrom([]int64{0, 0, 700, -10000}).Draw(t, "offset of the balance")
		r := reconciled(t, x.b, nil)
		x.b.Closing = coretest.Lira(r.LedgerClosing.Minor() - x.effects + offset)
		r = reconciled(t, x.b, nil)
		if x.effects != offset {
			d := wallet.Difference{Kind: wallet.BalanceDiffers, Ours: r.LedgerClosing, Theirs: x.b.Closing}
			x.injected = append(x.injected, difference(d))
		}
		got := found(r)
		slices.Sort(got)
		slices.Sort(x.injected)
		if diff := gocmp.Diff(x.injected, got); diff != "" {
			t.Fatalf("(-injected +found):\n%s", diff)
		}
		checkDay(t, x.b, r)
		if held := x.held(); held != x.b.Closing.Minor()-offset {
			t.Fatalf("the bank's lines come to %d, and it holds %s with an offset of %d", held, x.b.Closing, offset)
		}
	})
}

// held is what the bank's own lines come to.
func (x *truth) held() int64 {
	held := x.b.Opening.Minor()
	for i, l := range x.b.Statement {
		isTwice := slices.ContainsFunc(x.b.Statement[:i], func(other wallet.BankLine) bool { return other.LineID == l.LineID })
		switch {
		case isTwice || !x.b.IsOfDay(l.BookedAt):
		case l.Direction == gateway.Outgoing:
			held -= l.Amount.Minor()
		default:
			held += l.Amount.Minor()
		}
	}
	return held
}

// line is a booking of the day with everything that belongs to it, and perhaps something wrong with it.
func (x *truth) line(t *rapid.T, id string) {
	direction := rapid.SampledFrom([]gateway.Direction{gateway.Incoming, gateway.Outgoing}).Draw(t, "direction")
	l := dayLine(id, direction, rapid.SampledFrom([]int64{100, 700, 10000}).Draw(t, "amount"))
	entry := entryOf(l)
	isTransfer := direction == gateway.Outgoing && rapid.Bool().Draw(t, "a transfer's")
	if isTransfer {
		l = ofTransfer(l, core.ID("of-"+id))
		entry = postOf(l.PaymentID, l.Amount.Minor(), noon.AddDate(0, 0, rapid.IntRange(-1, 1).Draw(t, "day of its post")))
	}
	theirs, booked := l, -entry.Outside.Minor()
	wrong := rapid.SampledFrom([]string{
		"", "", "", "never imported", "unbooked", "not listed", "amount", "elsewhere", "confirmed",
	}).Draw(t, "wrong")
	want := wallet.Difference{Kind: wallet.MissingHere, LineID: id, Ours: coretest.Lira(0), Theirs: coretest.Lira(booked)}
	switch wrong {
	case "":
		x.add(&theirs, &l, &entry)
		return
	case "never imported":
		x.add(&theirs, nil, nil)
	case "unbooked":
		l = l.Unbooked("")
		x.add(&theirs, &l, nil)
	case "not listed":
		x.add(nil, &l, &entry)
		want = wallet.Difference{Kind: wallet.MissingThere, LineID: id, EntryID: entry.ID, Ours: coretest.Lira(booked), Theirs: coretest.Lira(0)}
	case "amount":
		theirs.Amount = coretest.Lira(theirs.Amount.Minor() + 1)
		x.add(&theirs, &l, &entry)
		want = wallet.Difference{
			Kind: wallet.AmountDiffers, LineID: id, EntryID: entry.ID, Ours: coretest.Lira(booked), Theirs: coretest.Lira(booked + int64(cmp.Compare(booked, 0))),
		}
	case "confirmed": // and the bank has no line of it
		entry = postOf("of-nothing-"+core.ID(id), 700, noon)
		x.add(nil, nil, &entry)
		want = wallet.Difference{Kind: wallet.MissingThere, EntryID: entry.ID, Ours: coretest.Lira(-700), Theirs: coretest.Lira(0)}
	case "elsewhere": // of yesterday: nothing of it is of today
		l.BookedAt, theirs.BookedAt = l.BookedAt.AddDate(0, 0, -1), theirs.BookedAt.AddDate(0, 0, -1)
		x.add(&theirs, &l, &entry)
		return
	}
	x.injected = append(x.injected, difference(want))
	x.effects += want.Ours.Minor() - want.Theirs.Minor()
}

func (x *truth) add(theirs, ours *wallet.BankLine, entry *ledger.Entry) {
	if theirs != nil {
		x.b.Statement = append(x.b.Statement, *theirs)
	}
	if ours != nil {
		x.b.Lines = append(x.b.Lines, *ours)
	}
	if entry != nil {
		x.b.Entries = append(x.b.Entries, *entry)
	}
}

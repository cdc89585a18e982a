package drill_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/cmd/vezne/drill"
	"github.com/vezne/vezne/core/money"
)

var noon = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func order(kind drill.Kind, key string, codes ...string) drill.Order {
	return drill.Order{Kind: kind, Key: key, Amount: money.New(100_00, money.TRY), Codes: codes}
}

func letter(code, id string, isMarked bool, after time.Duration) drill.Letter {
	return drill.Letter{Code: code, ID: id, Status: "completed", IsMarked: isMarked, At: noon.Add(after)}
}

// good is a world after a restore in which everything is as it should be.
func good() drill.World {
	before := order(drill.CardPayment, "before", "CC-1")
	before.IsBefore = true
	told := order(drill.SmallPayout, "told", "TPBW-3")
	told.IsTold = true
	paid := drill.Stored{Status: "completed", IsFinal: true, Amount: "100.00"}
	return drill.World{
		Orders: []drill.Order{
			before, order(drill.ManualWithdrawal, "known", "WIT-2"), told, order(drill.ManualDeposit, "repeated", "MAN-4", "MAN-5"),
			order(drill.EIBANDeposit, "lined", "EIBAN-6"), order(drill.LargePayout, "never answered"),
		},
		Stored: map[string]drill.Stored{"CC-1": paid, "MAN-5": paid},
		Movements: []drill.Movement{
			{Key: "before", Where: "CC1", Amount: "100.00"}, {Key: "known", Where: "by hand", Amount: "100.00", IsOut: true, IsRemain: true},
			{Key: "told", Where: "TPBW3", Amount: "100.00", IsOut: true, IsRemain: true}, {Key: "repeated", Where: "by hand", Amount: "100.00"},
			{Key: "lined", Where: "bank line 6", Amount: "100.00", HasLine: true},
		},
		Letters: []drill.Letter{
			letter("CC-1", "a", false, 0), letter("CC-1", "b", true, time.Hour), letter("WIT-2", "c", false, 0), letter("EIBAN-6", "d", false, 0),
			letter("MAN-5", "e", false, time.Hour),
		},
	}
}

func TestNothingIsLostWhereAllIsKnown(t *testing.T) {
	t.Parallel()
	r := drill.Count(good())
	if r.Lost+r.Doubled != 0 || r.Answered != 5 || r.Known != 2 || r.Told != 1 || r.Repeated != 1 || r.Marked != 1 || r.OnlyOutside != 3 || r.OnlyOutsideSum != money.New(300_00, money.TRY) {
		t.Errorf("it is counted as %+v", r)
	}
}

// TestWhatALossIs: each way in which a restore fails is found, and named.
func TestWhatALossIs(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		change        func(*drill.World)
		lost, doubled int
		finding       string
	}{
		"a payment from before the backup is gone": {func(w *drill.World) { delete(w.Stored, "CC-1") }, 2, 0, "answered before the backup"},
		"the books say something else than was told": {func(w *drill.World) {
			w.Stored["CC-1"] = drill.Stored{Status: "expired", IsFinal: true, Amount: "100.00"}
		}, 2, 0, "was told as completed and is expired"},
		"a payment has no end":         {func(w *drill.World) { w.Stored["MAN-5"] = drill.Stored{Status: "pending", Amount: "100.00"} }, 3, 0, "does not end"},
		"its caller knows nothing":     {func(w *drill.World) { w.Orders[2].IsTold = false }, 1, 0, "nobody knows what became of it"},
		"nobody is led to a payout":    {func(w *drill.World) { w.Movements[2].IsRemain = false }, 1, 0, "neither in the books nor among what remains"},
		"the statement was not read":   {func(w *drill.World) { w.Movements[4].HasLine = false }, 1, 0, "neither in the books nor among what remains"},
		"another amount is booked":     {func(w *drill.World) { w.Movements[0].Amount = "99.00" }, 1, 0, "99.00 of CC-1 moved"},
		"money is nobody's":            {func(w *drill.World) { w.Movements[0].Key = "" }, 1, 1, "is nobody's"},
		"a payout left twice":          {func(w *drill.World) { w.Movements = append(w.Movements, w.Movements[2]) }, 0, 1, "moved 2 times"},
		"a payout was asked for again": {func(w *drill.World) { w.SentAgain = []string{"TPBW3"} }, 0, 1, "asked again"},
		"a deposit is credited twice": {func(w *drill.World) {
			w.Stored["MAN-4"] = w.Stored["MAN-5"]
		}, 0, 1, "paid 2 times in the books"},
		"a deposit is credited without money":  {func(w *drill.World) { w.Movements[3] = w.Movements[4] }, 0, 2, "MAN-4 is paid 1 times in the books, and money moved 0 times"},
		"a repeat does not say that it is one": {func(w *drill.World) { w.Letters[1].IsMarked = false }, 0, 1, "CC-1 was told again"},
		"two payments of an order are told":    {func(w *drill.World) { w.Letters = append(w.Letters, letter("MAN-4", "f", false, 0)) }, 0, 1, "under 2 tracking codes"},
	} {
		w := good()
		c.change(&w)
		r := drill.Count(w)
		if r.Lost != c.lost || r.Doubled != c.doubled || !strings.Contains(strings.Join(r.Findings, "\n"), c.finding) {
			t.Errorf("%s: lost %d and doubled %d, want %d and %d, and %q among\n%s", what, r.Lost, r.Doubled, c.lost, c.doubled, c.finding, strings.Join(r.Findings, "\n"))
		}
	}
}

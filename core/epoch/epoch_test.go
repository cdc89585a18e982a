package epoch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

var noon = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func first() epoch.Epoch {
	return epoch.Epoch{Version: 1, Installation: "i", Name: "a", Number: 1, State: epoch.Live}
}

// TestADatabaseStandsToWhatWasRecorded in each of the ways that there are.
func TestADatabaseStandsToWhatWasRecorded(t *testing.T) {
	t.Parallel()
	mark := epoch.Mark{Installation: "i", Epoch: 2, Name: "b", Number: 7}
	for name, c := range map[string]struct {
		recorded epoch.Mark
		want     epoch.Standing
	}{
		"nothing is recorded":                    {epoch.Mark{}, epoch.Foremost},
		"another installation":                   {epoch.Mark{Installation: "other", Epoch: 9, Name: "z", Number: 9}, epoch.Foremost},
		"the same mark":                          {mark, epoch.Foremost},
		"an earlier one":                         {epoch.Mark{Installation: "i", Epoch: 2, Name: "b", Number: 6}, epoch.Foremost},
		"a later one":                            {epoch.Mark{Installation: "i", Epoch: 2, Name: "b", Number: 8}, epoch.Earlier},
		"the epoch before, however far it was":   {epoch.Mark{Installation: "i", Epoch: 1, Name: "a", Number: 99}, epoch.Foremost},
		"the next epoch":                         {epoch.Mark{Installation: "i", Epoch: 3, Name: "c", Number: 1}, epoch.Fenced},
		"another that was restored from the one": {epoch.Mark{Installation: "i", Epoch: 2, Name: "c", Number: 1}, epoch.Fenced},
	} {
		if got := mark.Against(c.recorded); got != c.want {
			t.Errorf("%s: it is %s, want %s", name, got, c.want)
		}
	}
}

// TestEpochsOfARestore: an operator's word begins the next one at once, what a process finds does when it is thawed, and only payments
// from before the freeze may have been told of.
func TestEpochsOfARestore(t *testing.T) {
	t.Parallel()
	backup := noon.Add(-time.Hour)
	restored := epoch.Freeze(first(), epoch.Restored, backup, noon, "b")
	if restored.Number != 2 || restored.Name != "b" || !restored.IsFrozen() || !restored.RestoredTo.Equal(backup) {
		t.Errorf("restored it is %+v", restored)
	}
	if thawed := epoch.Thaw(restored, noon.Add(time.Hour), "c"); thawed.Number != 2 || thawed.Name != "b" || thawed.IsFrozen() || thawed.Version != 3 {
		t.Errorf("thawed it is %+v", thawed)
	}
	found := epoch.Freeze(first(), epoch.Behind, backup, noon, "b")
	if found.Number != 1 || found.Name != "a" || !found.IsFrozen() {
		t.Errorf("found behind it is %+v", found)
	}
	if thawed := epoch.Thaw(found, noon.Add(time.Hour), "c"); thawed.Number != 2 || thawed.Name != "c" {
		t.Errorf("thawed it is %+v", thawed)
	}
	if future := epoch.Freeze(first(), epoch.Behind, noon.Add(time.Hour), noon, "b"); future.RestoredTo.After(noon) {
		t.Errorf("it is restored to %s, which has not come", future.RestoredTo)
	}
	for at, want := range map[time.Time]bool{backup: true, noon.Add(time.Minute): false} {
		if to, ok := restored.MayRepeat(core.FirstID(at)); ok != want || ok && !to.Equal(backup) {
			t.Errorf("of a payment of %s it may repeat: %t, %s", at, ok, to)
		}
	}
	if _, ok := first().MayRepeat(core.FirstID(noon)); ok {
		t.Error("what was never restored repeats something")
	}
}

// TestThawingTakesTwo whatever the rules say, and freezing nobody.
func TestThawingTakesTwo(t *testing.T) {
	t.Parallel()
	for _, cause := range []epoch.Cause{epoch.Restored, epoch.Behind, epoch.Copied} {
		frozen := epoch.Freeze(first(), cause, noon, noon, "b")
		guards := core.Judge(core.Changeset{epoch.Thaw(frozen, noon, "c")}, []core.Row{frozen}).Guards()
		if len(guards) != 1 || guards[0].Action != core.GuardThaw || !guards[0].IsAlways {
			t.Errorf("thawing what is %s is guarded by %+v", cause, guards)
		}
		// The second person approves the same: who asked and who approves each make up a name.
		if again := core.Judge(core.Changeset{epoch.Thaw(frozen, noon, "d")}, []core.Row{frozen}).Guards(); !slices.Equal(again, guards) {
			t.Errorf("thawing what is %s is guarded by %+v, and when it is approved by %+v", cause, guards, again)
		}
	}
	frozen := epoch.Freeze(first(), epoch.Restored, noon, noon, "b")
	if guards := core.Judge(core.Changeset{frozen}, []core.Row{first()}).Guards(); len(guards) != 0 {
		t.Errorf("freezing is guarded by %+v", guards)
	}
}

func TestWhatRemainsIsAcknowledgedOnce(t *testing.T) {
	t.Parallel()
	r := epoch.Remain{ID: core.FirstID(noon), Version: 1, Kind: epoch.PaidByHand, Subject: "payment/WIT-1"}
	done, err := r.Acknowledge(core.System, noon, "seen at the bank")
	if err != nil || done.IsOpen() || done.Version != 2 {
		t.Fatalf("acknowledged it is %+v, %v", done, err)
	}
	if _, err := done.Acknowledge(core.System, noon, "again"); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	other := epoch.Remain{Kind: epoch.DecidedByHand, Subject: r.Subject}
	if missing := epoch.Missing([]epoch.Remain{r, other}, []epoch.Remain{done}); len(missing) != 1 || missing[0].Kind != other.Kind {
		t.Errorf("missing are %+v", missing)
	}
}

// TestMarksFromOutside may be anything.
func TestMarksFromOutside(t *testing.T) {
	t.Parallel()
	good := epoch.Mark{Installation: "i", Epoch: 1, Name: "a"}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []epoch.Mark{
		{}, {Installation: "i", Epoch: 1}, {Installation: "i", Name: "a"}, {Installation: "i", Epoch: 1, Name: "a", Number: -1},
		{Installation: "i", Epoch: 1, Name: strings.Repeat("a", 65)},
	} {
		if bad.Check() == nil {
			t.Errorf("%+v is taken for a mark", bad)
		}
	}
	if name, err := epoch.NewName(strings.NewReader(strings.Repeat("x", 16))); err != nil || len(name) != 32 {
		t.Errorf("a name is %q, %v", name, err)
	}
}

// TestAFreezeHasANameOfItsOwn: what remains of one is not known in the next, though the epoch may be the same; and it is found after the
// thaw, though the epoch may have another name.
func TestAFreezeHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	one := epoch.Freeze(first(), epoch.Behind, noon, noon, "b")
	thawed := epoch.Thaw(one, noon.Add(time.Minute), "c")
	next := epoch.Freeze(thawed, epoch.Behind, noon, noon.Add(time.Hour), "d")
	if one.Freeze() != thawed.Freeze() || next.Freeze() == one.Freeze() {
		t.Errorf("freezes are %s, after the thaw %s, then %s", one.Freeze(), thawed.Freeze(), next.Freeze())
	}
}

// TestFactsInEnglish: the release before takes an amount, roles and what is not listed out of that line.
func TestFactsInEnglish(t *testing.T) {
	t.Parallel()
	for want, facts := range map[string]epoch.Facts{
		"":                    {},
		"250.00 TRY, showing": {Amount: gateway.Lira(money.New(25_000, money.TRY)), Status: payment.Showing},
		"part-paid, 7.00 TRY": {State: gateway.PartPaid, Amount: gateway.Lira(money.New(700, money.TRY))},
		"3 not answered; nothing of it is sent before that": {Unanswered: 3},
		"active: admin 2, finance 1":                        {Active: []epoch.RoleCount{{Role: staff.Admin, Count: 2}, {Role: staff.Finance, Count: 1}}},
		"not listed: deposits, unfinished, disputes":        {Missing: []epoch.Unlisted{epoch.Deposits, epoch.Disputes}, Gap: epoch.Unfinished},
		"not listed: payouts":                               {Missing: []epoch.Unlisted{epoch.Payouts}},
		"SIM Bank, no answer":                               {Bank: "SIM Bank", Trouble: "no answer"},
	} {
		if got := facts.English(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

package payment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// claimFor is how long a claim lasts in these tests.
const claimFor = 10 * time.Minute

// claimed is a withdrawal that staff member 1 has until ten minutes past.
func claimed(t coretest.T) payment.Payment {
	t.Helper()
	change, err := payment.DecideClaim(coretest.Started(t, payment.ManualWithdrawal), 1, coretest.Evening.Add(claimFor), false, byStaff(t, 1, coretest.Evening, ""))
	if err != nil {
		t.Fatalf("claim: %v", err)
	}
	return core.RowsOf[payment.Payment](change)[0]
}

func byStaff(t coretest.T, id int64, at time.Time, reason string) payment.Decision {
	t.Helper()
	d := coretest.Decision(t)
	d.By, d.At, d.Reason = core.Actor{Kind: core.ByStaff, ID: fmt.Sprint(id), Name: fmt.Sprintf("%d@example.com", id)}, at, reason
	return d
}

// TestClaiming: who gets a withdrawal, when, and how it is refused.
func TestClaiming(t *testing.T) {
	t.Parallel()
	free, held := coretest.Started(t, payment.ManualWithdrawal), claimed(t)
	change, err := payment.DecideRelease(held, 1, byStaff(t, 1, coretest.Evening, ""))
	if err != nil {
		t.Fatal(err)
	}
	released := core.RowsOf[payment.Payment](change)[0]
	in, late := coretest.Evening.Add(claimFor-1), coretest.Evening.Add(claimFor)
	for name, c := range map[string]struct {
		payment  payment.Payment
		staff    int64
		at       time.Time
		takeOver bool
		reason   string
		want     fault.Code
	}{
		"nobody's":                           {free, 2, coretest.Evening, false, "", ""},
		"nobody's, although to take over":    {free, 2, coretest.Evening, true, "", ""},
		"given back":                         {released, 2, coretest.Evening, false, "", ""},
		"one's own":                          {held, 1, in, false, "", ""},
		"one's own, lapsed":                  {held, 1, late, false, "", ""},
		"another's":                          {held, 2, in, false, "why", fault.Claimed},
		"another's, to take over":            {held, 2, in, true, "why", fault.Claimed},
		"another's, lapsed":                  {held, 2, late, false, "why", fault.ClaimLapsed},
		"another's, lapsed, to take over":    {held, 2, late, true, "not paid, I called the bank", ""},
		"another's, lapsed, without a cause": {held, 2, late, true, "", fault.Invalid},
	} {
		until := c.at.Add(claimFor)
		change, err := payment.DecideClaim(c.payment, c.staff, until, c.takeOver, byStaff(t, c.staff, c.at, c.reason))
		if got := fault.CodeOf(err); got != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if c.want == fault.Claimed || c.want == fault.ClaimLapsed {
			if args := fault.ArgsOf(err); len(args) != 1 || args[0] != "1@example.com" {
				t.Errorf("%s: is told %v", name, args)
			}
		}
		if c.want != "" {
			continue
		}
		want := payment.Claim{StaffID: c.staff, Name: fmt.Sprintf("%d@example.com", c.staff), Until: until}
		p, m := core.RowsOf[payment.Payment](change)[0], core.RowsOf[payment.Transition](change)[0]
		if p.Claim != want || p.Status != payment.Processing || p.Version != c.payment.Version+1 {
			t.Errorf("%s: %+v", name, p)
		}
		if !p.Claim.IsHeld(until.Add(-1)) || p.Claim.IsHeld(until) {
			t.Errorf("%s: held until %s, want %s", name, p.Claim.Until, until)
		}
		if m.Command != payment.Take || m.Reason != c.reason || m.Actor.ID != fmt.Sprint(c.staff) || len(core.RowsOf[payment.Callback](change))+len(core.RowsOf[owner.LimitUsage](change)) != 0 {
			t.Errorf("%s: %+v", name, change)
		}
	}
}

// TestAClaimIsNeverShortened, whatever the clock or the settings say when it is claimed again.
func TestAClaimIsNeverShortened(t *testing.T) {
	t.Parallel()
	p := claimed(t)
	change, err := payment.DecideClaim(p, 1, coretest.Evening.Add(time.Minute), false, byStaff(t, 1, coretest.Evening, ""))
	if err != nil || !core.RowsOf[payment.Payment](change)[0].Claim.Until.Equal(p.Claim.Until) {
		t.Errorf("%+v, %v", core.RowsOf[payment.Payment](change), err)
	}
}

// TestOnlyWithdrawalsAreClaimed, and only while they are open.
func TestOnlyWithdrawalsAreClaimed(t *testing.T) {
	t.Parallel()
	decisions := map[string]func(p payment.Payment) (core.Changeset, error){
		"claim": func(p payment.Payment) (core.Changeset, error) {
			return payment.DecideClaim(p, 1, coretest.Evening, false, coretest.Decision(t))
		},
		"release": func(p payment.Payment) (core.Changeset, error) {
			return payment.DecideRelease(p, 1, coretest.Decision(t))
		},
	}
	for _, c := range []payment.Command{payment.Complete, payment.Fail, payment.Reject, payment.Cancel} {
		decisions[string(c)] = func(p payment.Payment) (core.Changeset, error) {
			return payment.DecideWithdrawalEnd(p, c, 1, coretest.Decision(t))
		}
	}
	for name, decide := range decisions {
		for _, m := range payment.Methods() {
			p := coretest.Started(t, m)
			if m.Kind() != payment.Withdrawal {
				if change, err := decide(p); !fault.Is(err, fault.WrongMethod) || !cmp.Equal(change, core.Changeset{}, coretest.Exactly) {
					t.Errorf("%s of a %s: %v, %+v", name, m, err, change)
				}
				continue
			}
			for _, s := range []payment.Status{payment.Completed, payment.Rejected, payment.Failed, payment.Canceled} {
				p.Status = s
				for _, p.Claim.StaffID = range []int64{0, 1, 2} {
					if change, err := decide(p); !fault.Is(err, fault.AlreadyFinal) || !cmp.Equal(change, core.Changeset{}, coretest.Exactly) {
						t.Errorf("%s of a %s that is %s: %v, %+v", name, m, s, err, change)
					}
				}
			}
		}
	}
}

// TestWhoEndsAWithdrawal: by who has claimed it, and when.
func TestWhoEndsAWithdrawal(t *testing.T) {
	t.Parallel()
	change, err := payment.DecideRelease(claimed(t), 1, byStaff(t, 1, coretest.Evening, ""))
	if err != nil || core.RowsOf[payment.Payment](change)[0].Claim != (payment.Claim{}) || core.RowsOf[payment.Payment](change)[0].Status != payment.Processing {
		t.Fatalf("given back: %+v, %v", core.RowsOf[payment.Payment](change), err)
	}
	for name, c := range map[string]struct {
		payment payment.Payment
		staff   int64
		want    string // of complete, fail, reject, cancel, release
	}{
		"nobody has it": {
			coretest.Started(t, payment.ManualWithdrawal), 1, "NOT_CLAIMED NOT_CLAIMED processing,rejected canceled NOT_CLAIMED",
		},
		"nobody has it, and nobody asks": {
			coretest.Started(t, payment.ManualWithdrawal), 0, "NOT_CLAIMED NOT_CLAIMED processing,rejected canceled NOT_CLAIMED",
		},
		"given back": {
			core.RowsOf[payment.Payment](change)[0], 1, "NOT_CLAIMED NOT_CLAIMED rejected NOT_ALLOWED_IN_STATUS NOT_CLAIMED",
		},
		"one's own":     {claimed(t), 1, "completed failed rejected NOT_ALLOWED_IN_STATUS processing"},
		"somebody's":    {claimed(t), 2, "NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED"},
		"nobody's hand": {claimed(t), 0, "NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED NOT_CLAIMED"},
	} {
		for _, at := range []time.Time{coretest.Evening, coretest.Evening.Add(24 * time.Hour)} { // a claim that has lapsed counts
			var got []string
			for _, command := range []payment.Command{payment.Complete, payment.Fail, payment.Reject, payment.Cancel} {
				got = append(got, result(payment.DecideWithdrawalEnd(c.payment, command, c.staff, byStaff(t, c.staff, at, "why"))))
			}
			got = append(got, result(payment.DecideRelease(c.payment, c.staff, byStaff(t, c.staff, at, ""))))
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("%s: %s, want %s", name, all, c.want)
			}
		}
	}
}

// view is a withdrawal as a staff member saw it, and when. What they do about it is decided on that.
type view struct {
	payment payment.Payment
	at      time.Time
}

// desk is a withdrawal that several people have before them.
type desk struct {
	payment payment.Payment
	now     time.Time
	ids     *core.IDs
	views   map[int64]view
	holds   map[int64]time.Time // until when each has been told that the withdrawal is theirs
	paid    int
}

// TestTheWithdrawalDesk: whatever several people do, in whatever order, seeing it as it was a while ago: no two of them have
// the withdrawal at the same time, only who has it says that it is paid, once, and whoever takes it over says why.
func TestTheWithdrawalDesk(t *testing.T) {
	t.Parallel()
	for range 3 { // a hundred each
		rapid.Check(t, func(t *rapid.T) {
			d := &desk{
				payment: coretest.Started(t, payment.EIBANWithdrawal), now: coretest.Evening, ids: coretest.NewIDs(t, coretest.Evening),
				views: map[int64]view{}, holds: map[int64]time.Time{},
			}
			t.Repeat(map[string]func(*rapid.T){
				"":     d.check,
				"look": func(t *rapid.T) { d.views[d.somebody(t)] = view{d.payment, d.now} },
				"wait": func(t *rapid.T) {
					d.now = d.now.Add(time.Duration(rapid.IntRange(1, 700).Draw(t, "seconds")) * time.Second)
				},
				"claim":     func(t *rapid.T) { d.claim(t, false) },
				"take over": func(t *rapid.T) { d.claim(t, true) },
				"release":   d.release,
				"end":       d.end,
			})
		})
	}
}

func (d *desk) somebody(t *rapid.T) int64 { return rapid.Int64Range(1, 3).Draw(t, "who") }

// draw is somebody who acts on what they saw; without having looked, on what is there.
func (d *desk) draw(t *rapid.T, reason string) (int64, payment.Payment, payment.Decision) {
	who := d.somebody(t)
	seen, ok := d.views[who]
	if !ok {
		seen = view{d.payment, d.now}
	}
	delete(d.views, who)
	by := byStaff(t, who, seen.at, reason)
	by.IDs = d.ids
	return who, seen.payment, by
}

// commits keeps a decision as a store does, unless it lost a race.
func (d *desk) commits(change core.Changeset, err error) bool {
	if err != nil || core.RowsOf[payment.Payment](change)[0].Version != d.payment.Version+1 {
		return false
	}
	d.payment = core.RowsOf[payment.Payment](change)[0]
	return true
}

func (d *desk) claim(t *rapid.T, takeOver bool) {
	reason := rapid.SampledFrom([]string{"", "not paid"}).Draw(t, "reason")
	who, p, by := d.draw(t, reason)
	before := d.payment.Claim
	change, err := payment.DecideClaim(p, who, by.At.Add(claimFor), takeOver, by)
	if !d.commits(change, err) {
		return
	}
	isOthers := before.StaffID != 0 && before.StaffID != who
	if isOthers && (!takeOver || core.RowsOf[payment.Transition](change)[0].Reason == "") {
		t.Fatalf("%d has it after %+v, and the history says %+v", who, before, core.RowsOf[payment.Transition](change))
	}
	for other, until := range d.holds {
		if other != who && d.now.Before(until) {
			t.Fatalf("%d has it at %s, and %d has it until %s", who, d.now, other, until)
		}
	}
	if until := d.payment.Claim.Until; d.payment.Claim.StaffID != who || until.Before(d.holds[who]) {
		t.Fatalf("%d has claimed until %s, and has %+v", who, d.holds[who], d.payment.Claim)
	}
	d.holds[who] = d.payment.Claim.Until
}

func (d *desk) release(t *rapid.T) {
	who, p, by := d.draw(t, "")
	holder := d.payment.Claim.StaffID
	if !d.commits(payment.DecideRelease(p, who, by)) {
		return
	}
	if holder != who {
		t.Fatalf("%d gives back what %d has", who, holder)
	}
	delete(d.holds, who)
}

func (d *desk) end(t *rapid.T) {
	command := rapid.SampledFrom([]payment.Command{payment.Complete, payment.Complete, payment.Fail, payment.Reject, payment.Cancel}).Draw(t, "command")
	who, p, by := d.draw(t, "why")
	holder := d.payment.Claim.StaffID
	if !d.commits(payment.DecideWithdrawalEnd(p, command, who, by)) {
		return
	}
	isPaying := command == payment.Complete || command == payment.Fail
	if holder != who && (isPaying || holder != 0) {
		t.Fatalf("%d orders %s of what %d has", who, command, holder)
	}
	if command == payment.Complete {
		d.paid++
	}
}

func (d *desk) check(t *rapid.T) {
	if isPaid := d.payment.Status == payment.Completed; d.paid > 1 || isPaid != (d.paid == 1) {
		t.Fatalf("paid %d times, and %s", d.paid, d.payment.Status)
	}
	if c := d.payment.Claim; c.StaffID != 0 && !c.Until.Equal(d.holds[c.StaffID]) {
		t.Fatalf("%+v, and they were told %v", c, d.holds)
	}
}

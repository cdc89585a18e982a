package audit_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// tenChained has ten entries behind those of the seed, and returns the number before them.
func tenChained(t *testing.T) (*log, int64) {
	t.Helper()
	l := newLog(t)
	before := l.head(t).No
	for i := range 10 {
		l.entry(t, l.Clock.Now().Add(time.Duration(i)*time.Second))
	}
	l.chain(t)
	return l, before
}

type links = []coreaudit.ChainedEntry

// TestVerifyNamesWhatWasDone changes the fifth of ten in every way that there is.
func TestVerifyNamesWhatWasDone(t *testing.T) {
	t.Parallel()
	l, before := tenChained(t)
	i := int(before) + 4 // of the whole chain
	fifth := before + 5
	renumber := func(c links, from int, by int64) links {
		for k := from; k < len(c); k++ {
			c[k].Link.No += by
		}
		return c
	}
	forged := func(c links, at int) coreaudit.ChainedEntry {
		e := l.entryOf(t, c[at].Entry.At)
		return coreaudit.ChainedEntry{Link: coreaudit.NewLink(c[at-1].Link, e, l.key()), Entry: e, HasEntry: true}
	}
	for name, c := range map[string]struct {
		change func(links) links
		kind   coreaudit.Break
		no     int64
	}{
		"nothing":               {func(c links) links { return c }, "", 0},
		"a field":               {func(c links) links { c[i].Entry.Reason = "x"; return c }, coreaudit.BreakChanged, fifth},
		"who did it":            {func(c links) links { c[i].Entry.Actor.ID = "8"; return c }, coreaudit.BreakChanged, fifth},
		"when":                  {func(c links) links { c[i].Entry.At = c[i].Entry.At.Add(time.Microsecond); return c }, coreaudit.BreakChanged, fifth},
		"the hash":              {func(c links) links { c[i].Link.Hash[0] ^= 1; return c }, coreaudit.BreakChanged, fifth},
		"the version":           {func(c links) links { c[i].Link.Version = 3; return c }, coreaudit.BreakChanged, fifth},
		"a deleted entry":       {func(c links) links { c[i].Entry, c[i].HasEntry = core.AuditEntry{}, false; return c }, coreaudit.BreakMissing, fifth},
		"a deleted link":        {func(c links) links { return slices.Delete(c, i, i+1) }, coreaudit.BreakUnlinked, fifth},
		"deleted and made good": {func(c links) links { return renumber(slices.Delete(c, i, i+1), i, -1) }, coreaudit.BreakChanged, fifth},
		"two changed places": {func(c links) links {
			c[i].Link, c[i+1].Link = c[i+1].Link, c[i].Link
			c[i].Link.No, c[i+1].Link.No = fifth, fifth+1
			return c
		}, coreaudit.BreakChanged, fifth},
		"an inserted link": {func(c links) links {
			return renumber(slices.Insert(c, i, forged(c, i)), i+1, 1)
		}, coreaudit.BreakInserted, fifth},
		"an inserted link that does not fit": {func(c links) links {
			f := forged(c, i)
			f.Link.Hash[0] ^= 1
			return renumber(slices.Insert(c, i, f), i+1, 1)
		}, coreaudit.BreakInserted, fifth},
		"an inserted link before the last": {func(c links) links {
			return renumber(slices.Insert(c, len(c)-1, forged(c, len(c)-1)), len(c), 1)
		}, coreaudit.BreakInserted, before + 10},
		"an entry and its hash made good": {func(c links) links {
			c[i].Entry.Reason = "x"
			c[i].Link = coreaudit.NewLink(c[i-1].Link, c[i].Entry, l.key())
			return c
		}, coreaudit.BreakChanged, fifth + 1}, // its hash is right, and the next one was made over another
		"the last of them": {func(c links) links { c[len(c)-1].Entry.Target = "x"; return c }, coreaudit.BreakChanged, before + 10},
		"the first of all": {func(c links) links { c[0].Entry.Target = "x"; return c }, coreaudit.BreakChanged, 1},
	} {
		l.tamper(c.change)
		r := l.verify(t, audit.Question{})
		if c.kind == "" {
			if r.Break != nil || r.Checked != before+10 {
				t.Errorf("%s: %+v", name, r)
			}
			continue
		}
		if r.Break == nil || r.Break.Kind != c.kind || r.Break.No != c.no || r.Checked < c.no-1 || r.Checked > c.no {
			t.Errorf("%s: %+v in %+v, want %s at %d", name, r.Break, r, c.kind, c.no)
			continue
		}
		if text := r.Break.String(); !strings.Contains(text, "number "+strconv.FormatInt(c.no, 10)) {
			t.Errorf("%s is said as %q", name, text)
		}
	}
}

// TestTheSignedCheckpointFindsWhatTheChainItselfCannotShow has somebody who has the key write the end of the chain anew, or
// somebody without it cut it. With the checkpoint of that moment put back too, only what was kept elsewhere shows it.
func TestTheSignedCheckpointFindsWhatTheChainItselfCannotShow(t *testing.T) {
	t.Parallel()
	l, before := tenChained(t)
	kept, grown := l.head(t).Head(), l.entryOf(t, l.Clock.Now())
	anew := func(c links) links {
		c[before].Entry.Reason = "x"
		for k := int(before); k < len(c); k++ {
			c[k].Link = coreaudit.NewLink(c[k-1].Link, c[k].Entry, l.key())
		}
		return c
	}
	for name, change := range map[string]func(links) links{
		"written anew": anew, "cut": func(c links) links { return c[:len(c)-1] }, "cut by ten": func(c links) links { return c[:before] },
		"cut and grown again": func(c links) links {
			c = c[:len(c)-1]
			return append(c, coreaudit.ChainedEntry{Link: coreaudit.NewLink(c[len(c)-1].Link, grown, l.key()), Entry: grown, HasEntry: true})
		},
	} {
		l.tamper(change)
		if r := l.verify(t, audit.Question{}); r.Break == nil || r.Break.Kind != coreaudit.BreakHead || r.Break.No != kept.No {
			t.Errorf("%s: the checkpoint shows %+v", name, r.Break)
		}
		l.putBack(t, change)
		if r := l.verify(t, audit.Question{}); r.Break != nil {
			t.Errorf("%s: the chain alone shows %+v", name, r.Break)
		}
		for _, from := range []int64{1, before + 1} {
			r := l.verify(t, audit.Question{Head: kept, From: from})
			if r.Break == nil || r.Break.Kind != coreaudit.BreakHead || r.Break.No != kept.No {
				t.Errorf("%s, from %d: %+v", name, from, r.Break)
			}
		}
	}
	l.tamper(func(c links) links { return c })
	for _, head := range []coreaudit.Head{kept, {}} {
		if r := l.verify(t, audit.Question{Head: head}); r.Break != nil {
			t.Errorf("the head as it is: %+v", r.Break)
		}
	}
	kept.Hash[0] ^= 1
	if r := l.verify(t, audit.Question{Head: kept}); r.Break == nil || r.Break.Kind != coreaudit.BreakHead {
		t.Errorf("another hash: %+v", r.Break)
	}
}

func TestVerifyFromANumberTrustsWhatIsBefore(t *testing.T) {
	t.Parallel()
	l, before := tenChained(t)
	l.tamper(func(c links) links { c[before+2].Entry.Reason = "x"; return c })
	if r := l.verify(t, audit.Question{From: before + 3}); r.Break == nil || r.Break.No != before+3 {
		t.Errorf("%+v", r)
	}
	if r := l.verify(t, audit.Question{From: before + 4}); r.Break != nil || r.Checked != 7 {
		t.Errorf("%+v", r)
	}
	if r := l.verify(t, audit.Question{From: before + 11}); r.Break != nil || r.Checked != 0 || r.Last.No != before+10 {
		t.Errorf("behind the last: %+v", r)
	}
	if _, err := l.service.Verify(t.Context(), audit.Question{From: before + 12}); !fault.Is(err, fault.NotFound) {
		t.Errorf("beyond it: %v", err)
	}
}

func TestVerifyCountsWhatIsNotChainedYet(t *testing.T) {
	t.Parallel()
	l, _ := tenChained(t)
	l.entry(t, l.Clock.Now().Add(time.Hour))
	oldest := l.entry(t, l.Clock.Now())
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Unchained != 2 || !r.OldestUnchained.Equal(oldest.At) {
		t.Errorf("%+v", r)
	}
}

// TestAnEntryThatWasPutIntoThePastIsTold has somebody insert a row: it is chained as any late one, and looks like none.
func TestAnEntryThatWasPutIntoThePastIsTold(t *testing.T) {
	t.Parallel()
	l, _ := tenChained(t)
	l.Clock.Advance(48 * time.Hour)
	l.entry(t, l.Clock.Now())
	l.chain(t)
	l.entry(t, l.Clock.Now().Add(-24*time.Hour))
	l.Clock.Advance(2 * time.Hour)
	l.chain(t)
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Late != 1 || r.FirstLate != l.head(t).No {
		t.Errorf("%+v", r)
	}
}

func TestTheCheckAlarmsAndRemembersWhereTheChainEnded(t *testing.T) {
	t.Parallel()
	l, _ := tenChained(t)
	var told []bool
	l.service.Checked = func(isBroken bool) { told = append(told, isBroken) }
	l.service.Check(t.Context())
	l.entry(t, l.Clock.Now().Add(time.Minute))
	l.chain(t)
	l.service.Check(t.Context())
	if len(told) != 2 || told[0] || told[1] || strings.Contains(l.Logs.String(), "level=ERROR") {
		t.Fatalf("%v; %s", told, l.Logs)
	}
	whole := l.service.Store
	l.service.Store = tampered{AuditLog: whole, change: func(c links) links { return c[:len(c)-1] }}
	l.service.Check(t.Context())
	l.service.Store = tampered{AuditLog: whole, change: func(c links) links {
		if len(c) > 3 {
			c[3].Entry.Target = "x"
		}
		return c
	}}
	l.service.Check(t.Context())
	ended, end := context.WithCancel(t.Context())
	end()
	l.service.Check(ended) // no news
	l.service.Store = whole
	l.service.Check(t.Context())
	if want := []bool{false, false, true, true, false}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if n := strings.Count(l.Logs.String(), "the audit log was tampered with"); n != 2 {
		t.Errorf("the alarm was logged %d times: %s", n, l.Logs)
	}
}

func TestOnlyWhoMayReadsTheLog(t *testing.T) {
	t.Parallel()
	l, _ := tenChained(t)
	for _, member := range []staff.Staff{l.Operator, l.Viewer, l.DealerStaff, {}} {
		if _, err := l.service.Entries(t.Context(), member, core.AuditQuery{Paging: core.Paging[core.ID]{Limit: 5}}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", member.Role, err)
		}
	}
	if rows, err := l.service.Entries(t.Context(), l.Admin, core.AuditQuery{Paging: core.Paging[core.ID]{Limit: 5}}); err != nil || len(rows) != 5 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

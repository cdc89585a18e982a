package audit_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/coretest/audittest"
)

var auditKeys = audittest.Keys(1)

func auditEntry() core.AuditEntry {
	return core.AuditEntry{
		ID: "01KJPZV378MJ136W1VE5CA0XGM", At: time.Date(2026, 3, 2, 9, 0, 0, 123_456_000, time.UTC),
		Actor:  core.Actor{Kind: core.ByStaff, ID: "7", Name: "ayşe@example.com", Addr: "2001:db8::7"},
		Action: "approveDeposit", Target: "payment/MAN-1", Reason: "agreed", Before: `{"status":"processing"}`, After: `{"status":"completed"}`,
	}
}

// TestAuditHashStaysAsItIs: links that were written have to be found right for ever. A change here needs a new version of
// the encoding, beside this one.
func TestAuditHashStaysAsItIs(t *testing.T) {
	t.Parallel()
	of := func(key audit.Key) (first, second audit.Link) {
		first = audit.NewLink(audit.Link{}, auditEntry(), key)
		return first, audit.NewLink(first, core.AuditEntry{ID: "01KJPZV378MJ136W1VE5CA0XGN", At: first2026(), Actor: core.System}, key)
	}
	plain, plainSecond := of(audit.Key{})
	keyed, keyedSecond := of(auditKeys.Signer())
	for got, want := range map[string]string{
		plain.Head().String():       "1:55e1a4e4dbf9e6bec2eab671bf352c2d72a22e8524c57d42e0e70417e990ace7",
		plainSecond.Head().String(): "2:6b720aa7f86204b95e8e385ab00674490f4a396ca6a0cbab38d584a23b88dd5b",
		keyed.Head().String():       "1:1c2efb6bbfafbe33de235cf9ec4d3e331a12fb546fc98989c14d18c2e637e0d8",
		keyedSecond.Head().String(): "2:4ea584166846b8ad3b7ce3a977bed689b74981fcfb52f5a9c3bdfd668ca16db3",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if plain.Version != 1 || keyed.Version != 2 || keyed.KeyID != "fcc15c29701b1b67" {
		t.Errorf("%+v, %+v", plain, keyed)
	}
}

func first2026() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// TestEveryFieldOfAnEntryIsInItsHash holds also fields that are added later to it.
func TestEveryFieldOfAnEntryIsInItsHash(t *testing.T) {
	t.Parallel()
	before := audit.NewLink(audit.Link{}, auditEntry(), auditKeys.Signer())
	var change func(path string, whole *core.AuditEntry, v reflect.Value)
	n := 0
	change = func(path string, whole *core.AuditEntry, v reflect.Value) {
		switch {
		case v.Type() == reflect.TypeFor[time.Time]():
			v.Set(reflect.ValueOf(whole.At.Add(time.Microsecond)))
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				e := auditEntry()
				at := reflect.ValueOf(&e).Elem()
				for _, name := range strings.Split(strings.Trim(path+"."+v.Type().Field(i).Name, "."), ".") {
					at = at.FieldByName(name)
				}
				change(path+"."+v.Type().Field(i).Name, &e, at)
			}
			return
		case v.Kind() == reflect.String:
			v.SetString(v.String() + "x")
		default:
			t.Fatalf("%s is a %s: the hash knows none", path, v.Kind())
		}
		n++
		if after := audit.NewLink(audit.Link{}, *whole, auditKeys.Signer()); after.Hash == before.Hash {
			t.Errorf("%s is not in the hash", path)
		}
	}
	e := auditEntry()
	change("", &e, reflect.ValueOf(&e).Elem())
	if n != 11 {
		t.Errorf("%d fields were changed", n)
	}
}

func TestTextsThatMoveBetweenFieldsChangeTheHash(t *testing.T) {
	t.Parallel()
	a, b := auditEntry(), auditEntry()
	a.Action, a.Target = "approve", "Deposit"
	b.Action, b.Target = "approveDeposit", ""
	if audit.NewLink(audit.Link{}, a, auditKeys.Signer()).Hash == audit.NewLink(audit.Link{}, b, auditKeys.Signer()).Hash {
		t.Error("two entries have one hash")
	}
}

func TestALinkFollowsOneLinkAndOneEntryOnly(t *testing.T) {
	t.Parallel()
	first := audit.NewLink(audit.Link{}, auditEntry(), auditKeys.Signer())
	e := auditEntry()
	e.ID = "01KJPZV378MJ136W1VE5CA0XGN"
	second := audit.NewLink(first, e, auditKeys.Signer())
	if second.No != 2 || second.EntryID != e.ID || !second.Follows(first, e, auditKeys) || !first.Follows(audit.Link{}, auditEntry(), auditKeys) {
		t.Fatalf("the chain does not hold: %+v", second)
	}
	changed := func(change func(*audit.Link)) audit.Link {
		l := second
		change(&l)
		return l
	}
	other := auditEntry()
	for name, broken := range map[string]bool{
		"another number":   changed(func(l *audit.Link) { l.No = 3 }).Follows(first, e, auditKeys),
		"another entry":    changed(func(l *audit.Link) { l.EntryID = other.ID }).Follows(first, e, auditKeys),
		"another hash":     changed(func(l *audit.Link) { l.Hash[31] ^= 1 }).Follows(first, e, auditKeys),
		"another version":  changed(func(l *audit.Link) { l.Version++ }).Follows(first, e, auditKeys),
		"behind nothing":   second.Follows(audit.Link{}, e, auditKeys),
		"a changed entry":  second.Follows(first, other, auditKeys),
		"behind a changed": second.Follows(audit.Link{No: 1, Hash: audit.Hash{1}}, e, auditKeys),
	} {
		if broken {
			t.Errorf("%s: it follows", name)
		}
	}
}

// TestALinkOfSomebodyWithoutTheKeyFollowsNothing has them try what can be computed without it.
func TestALinkOfSomebodyWithoutTheKeyFollowsNothing(t *testing.T) {
	t.Parallel()
	e, first := auditEntry(), audit.NewLink(audit.Link{}, auditEntry(), auditKeys.Signer())
	e.ID = "01KJPZV378MJ136W1VE5CA0XGN"
	renamed := audit.NewLink(first, e, audittest.Keys(2).Signer())
	renamed.KeyID = first.KeyID
	for name, forged := range map[string]audit.Link{
		"without a key": audit.NewLink(first, e, audit.Key{}), "under another key": audit.NewLink(first, e, audittest.Keys(2).Signer()),
		"under another key, with the name of this one": renamed,
	} {
		if forged.Follows(first, e, auditKeys) {
			t.Errorf("%s: it follows", name)
		}
	}
	plain := audit.NewLink(audit.Link{}, auditEntry(), audit.Key{})
	if !plain.Follows(audit.Link{}, auditEntry(), auditKeys) || !audit.NewLink(plain, e, auditKeys.Signer()).Follows(plain, e, auditKeys) {
		t.Error("a chain from before there were keys does not hold, or does not go on")
	}
	rotated := audittest.Keys(2, 1)
	second := audit.NewLink(first, e, rotated.Signer())
	if !first.Follows(audit.Link{}, auditEntry(), rotated) || !second.Follows(first, e, rotated) || second.KeyID == first.KeyID {
		t.Error("a chain does not hold over a change of keys")
	}
	if second.Follows(first, e, audittest.Keys(2)[:0]) {
		t.Error("a link holds without any key")
	}
}

func TestAuditKeysAreReadAndNotShown(t *testing.T) {
	t.Parallel()
	keys := audittest.Keys(1, 2)
	if text := fmt.Sprintf("%v %+v %#v", keys, keys, keys); strings.Contains(text, strings.Repeat("\x01", 4)) {
		t.Errorf("printed as %q", text)
	}
	for _, text := range []string{"", "AAAA", "nonsense!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,x"} {
		if _, err := audit.ParseKeys(text); err == nil || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if keys.Has("") || !keys.Has(keys[1].ID()) || keys.Has(audittest.Keys(3)[0].ID()) || audit.Keys(nil).Signer() != (audit.Key{}) {
		t.Error("keys are taken for each other")
	}
}

func TestACheckpointIsSignedWithEveryFieldOfIt(t *testing.T) {
	t.Parallel()
	c := audit.Checkpoint{
		Name: audit.ChainName, Version: 7, Head: audit.Head{No: 17, Hash: audit.Hash{1}}, At: first2026(),
		Adoptions: audit.Adoptions{{Base: 5, Kind: audit.BreakHead, No: 9, Seen: audit.Hash{2}}},
	}.Sign(auditKeys.Signer())
	back, err := audit.ParseCheckpoint(c.Line())
	if err != nil || !reflect.DeepEqual(back, c) || !back.IsSigned(auditKeys) {
		t.Fatalf("%+v comes back as %+v (%v)", c, back, err)
	}
	if c.IsSigned(audittest.Keys(2)) || (audit.Checkpoint{}).IsSigned(auditKeys) {
		t.Error("signed under a key that has not signed it")
	}
	for name, change := range map[string]func(*audit.Checkpoint){
		"name": func(c *audit.Checkpoint) { c.Name = "x" }, "version": func(c *audit.Checkpoint) { c.Version++ },
		"number": func(c *audit.Checkpoint) { c.Head.No-- }, "hash": func(c *audit.Checkpoint) { c.Head.Hash[31]++ },
		"time":      func(c *audit.Checkpoint) { c.At = c.At.Add(time.Microsecond) },
		"adoptions": func(c *audit.Checkpoint) { c.Adoptions = nil },
		"signature": func(c *audit.Checkpoint) { c.Signature[0]++ },
		"key":       func(c *audit.Checkpoint) { c.KeyID = "" },
	} {
		changed := c
		change(&changed)
		if changed.IsSigned(auditKeys) {
			t.Errorf("with another %s it is signed all the same", name)
		}
	}
	for _, line := range []string{"", "{}", "null", "[]", `{"hash":"x"}`, strings.Replace(string(c.Line()), "5/head", "5/x", 1)} {
		if got, err := audit.ParseCheckpoint([]byte(line)); err == nil {
			t.Errorf("%q is %+v", line, got)
		}
	}
}

func TestAStatementOfWhatWasDroppedIsSignedWithEveryFieldOfIt(t *testing.T) {
	t.Parallel()
	d := audit.Dropped{
		Until: core.FirstID(first2026()), Through: audit.Head{No: 17, Hash: audit.Hash{1}}, Links: 9, Digest: audit.Hash{2},
	}.Sign(auditKeys.Signer())
	back, err := audit.ParseDropped(d.State())
	if err != nil || back != d || !back.IsSigned(auditKeys) || !back.Before().Equal(first2026().Truncate(time.Millisecond)) {
		t.Fatalf("%+v comes back as %+v (%v)", d, back, err)
	}
	if d.IsSigned(audittest.Keys(2)) || (audit.Dropped{}).IsSigned(auditKeys) || (audit.Dropped{}).IsSigned(nil) {
		t.Error("signed under a key that has not signed it")
	}
	for name, change := range map[string]func(*audit.Dropped){
		"end": func(d *audit.Dropped) { d.Until = core.FirstID(first2026().AddDate(0, 1, 0)) }, "number": func(d *audit.Dropped) { d.Through.No++ },
		"hash": func(d *audit.Dropped) { d.Through.Hash[31]++ }, "links": func(d *audit.Dropped) { d.Links-- },
		"digest": func(d *audit.Dropped) { d.Digest[0]++ }, "signature": func(d *audit.Dropped) { d.Signature[0]++ }, "key": func(d *audit.Dropped) { d.KeyID = "" },
	} {
		changed := d
		change(&changed)
		if changed.IsSigned(auditKeys) {
			t.Errorf("with another %s it is signed all the same", name)
		}
	}
	for _, state := range []string{"", "{}", "null", "[]", strings.Replace(d.State(), string(d.Until), "x", 1), strings.Replace(d.State(), "17:", "x:", 1)} {
		if got, err := audit.ParseDropped(state); err == nil {
			t.Errorf("%q is %+v", state, got)
		}
	}
}

func TestATallyIsOfTheseLinksInThisOrder(t *testing.T) {
	t.Parallel()
	digest := func(links ...audit.Link) audit.Hash {
		var tally audit.Tally
		for _, l := range links {
			tally.Add(l)
		}
		if tally.Links != int64(len(links)) {
			t.Errorf("%d links are counted as %d", len(links), tally.Links)
		}
		return tally.Digest()
	}
	a := audit.NewLink(audit.Link{}, auditEntry(), auditKeys.Signer())
	b := audit.NewLink(a, auditEntry(), auditKeys.Signer())
	first, again := digest(a, b), digest(a, b)
	if digest() != (audit.Hash{}) || digest(a) == (audit.Hash{}) || first != again {
		t.Error("no links are some, or the same are others")
	}
	for name, change := range map[string]func(*audit.Link){
		"number": func(l *audit.Link) { l.No++ }, "entry": func(l *audit.Link) { l.EntryID = "x" }, "version": func(l *audit.Link) { l.Version++ },
		"key": func(l *audit.Link) { l.KeyID = "" }, "hash": func(l *audit.Link) { l.Hash[0]++ },
	} {
		c := a
		change(&c)
		if digest(a, b) == digest(c, b) || digest(b, a) == digest(b, c) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	if digest(a, b) == digest(b, a) || digest(a) == digest(a, b) {
		t.Error("another order, or one link more, makes no difference")
	}
}

func TestAnAdoptionGivesUpLaterHeadsAndCoversWhatWasSeen(t *testing.T) {
	t.Parallel()
	a := audit.Adoptions{{Base: 60, Kind: audit.BreakHead, No: 80}, {Base: 100, Kind: audit.BreakChanged, No: 7, Seen: audit.Hash{1}}}
	for _, c := range []struct {
		no        int64
		adoptions int
		want      bool
	}{{60, 0, true}, {61, 0, false}, {80, 0, false}, {80, 1, true}, {101, 1, false}, {101, 2, true}, {500, 9, true}} {
		if got := a.Expect(c.no, c.adoptions); got != c.want {
			t.Errorf("head %d from after %d adoptions: expected %t", c.no, c.adoptions, got)
		}
	}
	if !a.Covers(audit.BreakChanged, 7, audit.Hash{1}) || a.Covers(audit.BreakChanged, 7, audit.Hash{2}) ||
		a.Covers(audit.BreakChanged, 8, audit.Hash{1}) || a.Covers(audit.BreakMissing, 7, audit.Hash{1}) {
		t.Error("an adoption covers something else")
	}
}

func TestParseAuditHead(t *testing.T) {
	t.Parallel()
	head := audit.NewLink(audit.Link{No: 16}, auditEntry(), auditKeys.Signer()).Head()
	if got, err := audit.ParseHead(" " + head.String() + "\n"); err != nil || got != head {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"", "17", "17:", "0:" + head.Hash.String(), "-1:" + head.Hash.String(), "x:" + head.Hash.String(), "17:" + head.Hash.String() + "00", "17:zz"} {
		if got, err := audit.ParseHead(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestFirstID(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 5_000_000, time.UTC)
	first := core.FirstID(at)
	if made, ok := first.Time(); !ok || !made.Equal(at) {
		t.Errorf("%s was made at %s", first, made)
	}
	before, err := core.NewIDs(at.Add(-time.Millisecond), strings.NewReader(strings.Repeat("\xff", 10)))
	if err != nil {
		t.Fatal(err)
	}
	then, err := core.NewIDs(at, strings.NewReader(strings.Repeat("\x00", 10)))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := before.Next(), then.Next(); a >= first || b < first {
		t.Errorf("%s, %s and %s are in no order", a, first, b)
	}
	if zero := core.FirstID(time.Time{}); zero != core.ID(fmt.Sprintf("%026d", 0)) {
		t.Errorf("of no time %s", zero)
	}
}

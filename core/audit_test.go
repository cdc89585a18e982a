package core_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

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
	first := auditEntry().Link(core.AuditLink{})
	second := core.AuditEntry{ID: "01KJPZV378MJ136W1VE5CA0XGN", At: first2026(), Actor: core.System}.Link(first)
	for got, want := range map[string]string{
		first.Head().String():  "1:55e1a4e4dbf9e6bec2eab671bf352c2d72a22e8524c57d42e0e70417e990ace7",
		second.Head().String(): "2:6b720aa7f86204b95e8e385ab00674490f4a396ca6a0cbab38d584a23b88dd5b",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func first2026() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// TestEveryFieldOfAnEntryIsInItsHash holds also fields that are added later to it.
func TestEveryFieldOfAnEntryIsInItsHash(t *testing.T) {
	t.Parallel()
	before := auditEntry().Link(core.AuditLink{})
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
		if after := whole.Link(core.AuditLink{}); after.Hash == before.Hash {
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
	if a.Link(core.AuditLink{}).Hash == b.Link(core.AuditLink{}).Hash {
		t.Error("two entries have one hash")
	}
}

func TestALinkFollowsOneLinkAndOneEntryOnly(t *testing.T) {
	t.Parallel()
	first := auditEntry().Link(core.AuditLink{})
	e := auditEntry()
	e.ID = "01KJPZV378MJ136W1VE5CA0XGN"
	second := e.Link(first)
	if second.No != 2 || second.EntryID != e.ID || !second.Follows(first, e) || !first.Follows(core.AuditLink{}, auditEntry()) {
		t.Fatalf("the chain does not hold: %+v", second)
	}
	changed := func(change func(*core.AuditLink)) core.AuditLink {
		l := second
		change(&l)
		return l
	}
	other := auditEntry()
	for name, broken := range map[string]bool{
		"another number":   changed(func(l *core.AuditLink) { l.No = 3 }).Follows(first, e),
		"another entry":    changed(func(l *core.AuditLink) { l.EntryID = other.ID }).Follows(first, e),
		"another hash":     changed(func(l *core.AuditLink) { l.Hash[31] ^= 1 }).Follows(first, e),
		"another version":  changed(func(l *core.AuditLink) { l.Version++ }).Follows(first, e),
		"behind nothing":   second.Follows(core.AuditLink{}, e),
		"a changed entry":  second.Follows(first, other),
		"behind a changed": second.Follows(core.AuditLink{No: 1, Hash: core.AuditHash{1}}, e),
	} {
		if broken {
			t.Errorf("%s: it follows", name)
		}
	}
}

func TestParseAuditHead(t *testing.T) {
	t.Parallel()
	head := auditEntry().Link(core.AuditLink{No: 16}).Head()
	if got, err := core.ParseAuditHead(" " + head.String() + "\n"); err != nil || got != head {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"", "17", "17:", "0:" + head.Hash.String(), "-1:" + head.Hash.String(), "x:" + head.Hash.String(), "17:" + head.Hash.String() + "00", "17:zz"} {
		if got, err := core.ParseAuditHead(text); err == nil {
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

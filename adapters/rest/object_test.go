package rest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/money"
)

func TestObject(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 22, 5, 9, 999_999_999, time.UTC)
	istanbul := time.FixedZone("+03", 3*60*60)
	got := rest.NewObject().
		Object("empty", func(*rest.Object) {}).
		Objects("none", 0, nil).
		Texts("texts", nil).
		Texts("two", []string{"a", "\"\\\n\x00<&>ş\u2028"}).
		Objects("list", 2, func(o *rest.Object, i int) { o.Int("i", int64(i)).Bool("b", i == 1) }).
		Amount("amount", money.New(5, money.TRY)).
		Time("at", at, istanbul).
		ISOTime("iso", at, istanbul).
		ISOTime("utc", at, time.UTC).
		Text("broken", "a\xffb").
		End()
	want := `{"empty":{},"none":[],"texts":[],"two":["a","\"\\\n\u0000<&>ş` + "\u2028" + `"],` +
		`"list":[{"i":0,"b":false},{"i":1,"b":true}],"amount":0.05,"at":"2027-01-01 01:05:09",` +
		`"iso":"2027-01-01T01:05:09+03:00","utc":"2026-12-31T22:05:09+00:00","broken":"a` + "\ufffd" + `b","at_iso":"2027-01-01T01:05:09+03:00"}`
	if string(got) != want {
		t.Errorf("want %s\ngot  %s", want, got)
	}
}

// TestTimesWithoutAnOffsetHaveTwins: behind all fields of their own object, in the order of the times, and of no other object.
func TestTimesWithoutAnOffsetHaveTwins(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 22, 5, 9, 0, time.UTC)
	istanbul := time.FixedZone("+03", 3*60*60)
	got := rest.NewObject().
		Time("before", at, istanbul).
		Object("data", func(o *rest.Object) {
			o.DealerTime("made", at, istanbul).DealerTime("done", time.Time{}, istanbul).Time("third", at, time.UTC).Int("n", 1)
		}).
		Objects("list", 2, func(o *rest.Object, i int) { o.Time("at", at.AddDate(0, 0, i), time.UTC).Bool("b", true) }).
		Object("none", func(*rest.Object) {}).
		End()
	want := `{"before":"2027-01-01 01:05:09",` +
		`"data":{"made":"2027-01-01T01:05:09","done":"","third":"2026-12-31 22:05:09","n":1,` +
		`"made_iso":"2027-01-01T01:05:09+03:00","done_iso":"","third_iso":"2026-12-31T22:05:09+00:00"},` +
		`"list":[{"at":"2026-12-31 22:05:09","b":true,"at_iso":"2026-12-31T22:05:09+00:00"},` +
		`{"at":"2027-01-01 22:05:09","b":true,"at_iso":"2027-01-01T22:05:09+00:00"}],"none":{},` +
		`"before_iso":"2027-01-01T01:05:09+03:00"}`
	if string(got) != want {
		t.Errorf("want %s\ngot  %s", want, got)
	}
}

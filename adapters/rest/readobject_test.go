package rest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

func TestReadObject(t *testing.T) {
	t.Parallel()
	text := func(s string) core.Input { return core.Input{Kind: core.TextInput, Text: s} }
	number := func(s string) core.Input { return core.Input{Kind: core.NumberInput, Text: s} }
	other := core.Input{Kind: core.OtherInput}
	for body, want := range map[string][]core.Input{
		`{}`:                                     {{}, {}},
		` {"a":"x","b":1} `:                      {text("x"), number("1")},
		`{"b":null,"a":""}`:                      {text(""), {}},
		`{"b":-1.50e+03,"a":1e999999999}`:        {number("1e999999999"), number("-1.50e+03")},
		`{"a":true,"b":[1,{"a":2}]}`:             {other, other},
		`{"a" : {"b": ":}"} ,"c":"a","b":false}`: {{Kind: core.ObjectInput, Text: `{"b": ":}"}`}, other},
		`{"\u0061":"\u00e7\ud83d\ude00\"\\"}`:    {text(`ç😀"\`), {}},
		`{"A":1,"a ":1,"aa":1,"":1,"b":"\/"}`:    {{}, text("/")},
		`{"x":{"a":1,"b":[[[]]]},"b":"\u0000"}`:  {{}, text("\x00")},
	} {
		got, err := rest.ReadObject([]byte(body), []string{"a", "b"})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: want %+v, got %+v %v", body, want, got, err)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		depth int
		isOK  bool
	}{{1, true}, {63, true}, {64, false}, {10_000, false}, {100_000, false}, {1_000_000, false}} {
		for _, pair := range []string{"[]", "{}"} {
			opening := pair[:1]
			if pair == "{}" {
				opening = `{"x":`
			}
			body := `{"x":` + strings.Repeat(opening, tt.depth) + "1" + strings.Repeat(pair[1:], tt.depth) + "}"
			if _, err := rest.ReadObject([]byte(body), nil); (err == nil) != tt.isOK {
				t.Errorf("%d times %s: %v", tt.depth, opening, err)
			}
		}
	}
}

func FuzzReadObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, `{"a":"x","b":[1,{"c":null}],"a2":-1.5e-7}`, `[]`, `null`, ``, `{"a":1,"a":2}`, `{"\u0061":1,"a":2}`,
		"{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"a":1}x`, "\ufeff{}", `{"b":{"b":{"b":1}}}`, `{"a":01}`, `{"a":1e99999}`,
	} {
		f.Add([]byte(seed))
	}
	names := []string{"a", "b"}
	f.Fuzz(func(t *testing.T, body []byte) {
		sent := slices.Clone(body)
		got, err := rest.ReadObject(body, names)
		if !slices.Equal(body, sent) {
			t.Fatal("the body was changed")
		}
		if err != nil {
			if !fault.Is(err, fault.InvalidJSON) || got != nil {
				t.Fatalf("%v %v", got, err)
			}
			return
		}
		// Whatever is taken is taken by the standard library too, with the same values.
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil || members == nil {
			t.Fatalf("%q is no object: %v", body, err)
		}
		for i, name := range names {
			checkInput(t, got[i], members[name])
		}
	})
}

func checkInput(t *testing.T, got core.Input, raw json.RawMessage) {
	t.Helper()
	if !utf8.ValidString(got.Text) {
		t.Fatalf("%q is not UTF-8", got.Text)
	}
	want := core.Input{Kind: core.OtherInput}
	switch {
	case raw == nil || string(raw) == "null":
		want = core.Input{}
	case raw[0] == '"':
		want.Kind = core.TextInput
		if err := json.Unmarshal(raw, &want.Text); err != nil {
			t.Fatal(err)
		}
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		want = core.Input{Kind: core.NumberInput, Text: string(raw)}
	case raw[0] == '{':
		want = core.Input{Kind: core.ObjectInput, Text: string(raw)}
	}
	if got != want {
		t.Fatalf("%s: want %+v, got %+v", raw, want, got)
	}
}

package plugkit_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

func TestAFormHasEachFieldOnce(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded; charset=utf-8"
	for name, c := range map[string]struct{ method, media, body string }{
		"by GET": {"GET", form, "a=1"}, "JSON": {"POST", "application/json", `{"a":1}`}, "no type": {"POST", "", "a=1"},
		"twice": {"POST", form, "a=1&a=1"}, "unreadable": {"POST", form, "a=%zz"},
		"too long": {"POST", form, "a=" + strings.Repeat("1", gateway.MaxNotificationBytes)},
	} {
		in := gateway.Inbound{Method: c.method, Header: gateway.Header{{Name: "Content-Type", Value: c.media}}, Body: []byte(c.body)}
		if got, err := plugkit.Form(in); !gateway.IsClass(err, gateway.Invalid) || got != nil {
			t.Errorf("%s: %v (%v)", name, got, err)
		}
	}
	in := gateway.Inbound{Method: "POST", Header: gateway.Header{{Name: "Content-Type", Value: form}}, Body: []byte("a=1+%2B&b=")}
	if got, err := plugkit.Form(in); err != nil || !maps.Equal(got, map[string]string{"a": "1 +", "b": ""}) {
		t.Errorf("got %v (%v)", got, err)
	}
}

func TestAListNamesFieldsOnce(t *testing.T) {
	t.Parallel()
	form := map[string]string{"a": "1", "b": "", "hash": "h"}
	if got := plugkit.Listed(form, []string{"b", "a"}, "hash"); !maps.Equal(got, map[string]string{"a": "1", "b": ""}) {
		t.Errorf("got %v", got)
	}
	for name, names := range map[string][]string{
		"nothing": {}, "what is not there": {"a", "c"}, "twice": {"a", "a"}, "itself": {"a", "hash"}, "without end": strings.Split(strings.Repeat("a ", 65), " "),
	} {
		if got := plugkit.Listed(form, names, "hash"); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

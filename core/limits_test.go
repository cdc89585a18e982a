package core_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

func TestParseRate(t *testing.T) {
	t.Parallel()
	taken := map[string]core.Rate{
		"off": {}, "1/s": {Events: 1, Per: time.Second}, "6000/m": {Events: 6000, Per: time.Minute},
		"1000000000/h": {Events: 1_000_000_000, Per: time.Hour},
	}
	for text, want := range taken {
		got, err := core.ParseRate(text)
		if err != nil || got != want || got.String() != text || got.IsOff() != (text == "off") {
			t.Errorf("ParseRate(%q) = %s (off: %v), %v", text, got, got.IsOff(), err)
		}
	}
	for _, text := range []string{"", "OFF", "0/s", "-1/s", "1", "1/", "/s", "1/d", "1.5/s", "1/s/s", "1000000001/h", "99999999999999999999/s", " 1/s", "1e3/s"} {
		if got, err := core.ParseRate(text); err == nil {
			t.Errorf("ParseRate(%q) = %s", text, got)
		}
	}
}

func TestRateTenth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"off": "off", "1/s": "1/s", "19/m": "1/m", "20/m": "2/m", "6000/h": "600/h"} {
		rate, err := core.ParseRate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := rate.Tenth().String(); got != want {
			t.Errorf("a tenth of %s is %s, want %s", text, got, want)
		}
	}
}

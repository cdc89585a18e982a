package harness

import (
	"net/http"
	"testing"
)

// Sizes of the crashes: more payments than one process works on at once, and fewer stuck calls than that.
const (
	Crashed      = 60
	StuckOfAKind = 4
)

// Losing lets the calls that order something pass, but for some: of those, half are lost on their way, and of half the
// answer is lost.
func Losing(path string) func(TillCall) Fate {
	seen, lost := 0, map[Fate]int{}
	return func(c TillCall) Fate {
		if c.method != http.MethodPost || c.Path != path {
			return Answered
		}
		seen++
		for f, every := range map[Fate]int{NeverArrives: 1, NeverAnswers: 2} {
			if seen%4 == every && lost[f] < StuckOfAKind {
				lost[f]++
				return f
			}
		}
		return Answered
	}
}

// SettleMissing does what staff do about payouts that the gateway does not know: look there, and write them off.
func (s *Shop) SettleMissing(t *testing.T, operator Staff) {
	t.Helper()
	missing := operator.open(t)
	if len(missing) < StuckOfAKind {
		t.Errorf("%d payouts are missing, and %d never arrived", len(missing), StuckOfAKind)
	}
	for _, d := range missing {
		if sent := s.Sent(Payment{TrackingCode: d.TrackingCode}); len(sent) > 0 {
			t.Errorf("%s counts as missing, and the gateway has %+v", d.TrackingCode, sent)
		}
		operator.Resolve(t, d, "WRITE_OFF", "bankada yok")
	}
}

package payment_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
)

// TestParseRetrySchedule: what is taken is read again from what String writes.
func TestParseRetrySchedule(t *testing.T) {
	t.Parallel()
	taken := map[string]payment.RetrySchedule{
		"0s":                                 {0},
		"0s,30s,2m":                          {0, 30 * time.Second, 2 * time.Minute},
		"1s , 1h":                            {time.Second, time.Hour},
		"1h2m3.004s":                         {time.Hour + 2*time.Minute + 3004*time.Millisecond},
		"168h":                               {7 * 24 * time.Hour},
		strings.Repeat("1s,", 49) + "1s":     slices.Repeat(payment.RetrySchedule{time.Second}, 50),
		"0s,30s,2m,10m,30m,1h,3h,6h,12h,24h": payment.DefaultRetrySchedule, // as the decisions list it
	}
	for text, want := range taken {
		for _, text := range []string{" " + text + "\n", want.String()} {
			if got, err := payment.ParseRetrySchedule(text); err != nil || !slices.Equal(got, want) {
				t.Errorf("ParseRetrySchedule(%q) = %v, %v, want %v", text, got, err, want)
			}
		}
	}
	refused := []string{"", ",", "1s,", "30", "-1s", "168h0m1s", "abc", "1s;2s", "9999999999h", strings.Repeat("1s,", 50) + "1s"}
	for _, text := range refused {
		if got, err := payment.ParseRetrySchedule(text); err == nil {
			t.Errorf("ParseRetrySchedule(%q) = %v", text, got)
		}
	}
}

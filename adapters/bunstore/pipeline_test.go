package bunstore_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// message is one of the server's.
func message(letter byte, body string) string {
	return string(binary.BigEndian.AppendUint32([]byte{letter}, uint32(4+len(body)))) + body
}

var (
	bound     = message('2', "")
	completed = message('C', "INSERT 0 1\x00")
	data      = message('D', "\x00\x01\x00\x00\x00\x011")
	ready     = message('Z', "I")
	refused   = message('E', "SERROR\x00VERROR\x00CVZ001\x00Mthe first\x00\x00")
	ended     = message('E', "SFATAL\x00VFATAL\x00C57P01\x00Mthe server shuts down\x00\x00")
)

// TestAPipelineIsCommittedOnlyWhereTheServerSaysSo of all of its statements.
func TestAPipelineIsCommittedOnlyWhereTheServerSaysSo(t *testing.T) {
	t.Parallel()
	two := bound + completed + bound + data + completed
	cases := []struct{ name, answers, said string }{
		{"all of them", two + ready, ""},
		{"with what may come at any time", message('S', "a\x00b\x00") + bound + message('N', "SNOTICE\x00\x00") + completed + bound + completed + message('A', "xxxxa\x00b\x00") + ready, ""},
		{"an error", bound + completed + bound + refused + ready, "VZ001"},
		{"an error at the end of the transaction", two + refused + ready, "VZ001"},
		{"two errors", bound + refused + ended + ready, "VZ001"},
		{"none", ready, "none"},
		{"one", bound + completed + ready, "none"},
		{"three", two + bound + completed + ready, "none"},
		{"in a transaction", two + message('Z', "T"), "none"},
		{"after an end of the connection", bound + ended, "none"},
		{"with rows to be sent", bound + message('G', "\x00\x00\x00") + ready, "none"},
		{"with a message without a length", "2\x00\x00\x00\x03" + two + ready, "none"},
		{"with a message of 2 MB", message('D', strings.Repeat("x", 2<<20)) + two + ready, "none"},
	}
	for _, c := range cases {
		said, err := bunstore.ReadAnswers(strings.NewReader(c.answers), 2)
		if isUnknown := c.said == "none"; isUnknown != (err != nil) || !isUnknown && said != c.said {
			t.Errorf("%s: %q, %v", c.name, said, err)
		}
	}
	for cut := range len(two + ready) {
		if said, err := bunstore.ReadAnswers(strings.NewReader((two + ready)[:cut]), 2); err == nil {
			t.Errorf("after %d bytes: %q", cut, said)
		}
	}
}

// TestTextsComeBackAsTheyWere: of one row, and of several, whose values are arrays.
func TestTextsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		letters := rapid.SampledFrom([]string{"'", `"`, `\`, "{", "}", ",", " ", "NULL", "null", "\n", "ğ", "€", "🏦", "$1", "?", "a", ";", "--", "/*pipeline*/", "\x01"})
		texts := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(letters, 0, 8).Draw(t, "letters"), "") })
		rapid.Check(t, func(r *rapid.T) {
			var change core.Changeset
			want := map[string]string{}
			for _, text := range rapid.SliceOfN(texts, 1, 4).Draw(r, "texts") {
				p := core.RowsOf[payment.Payment](newDeposit(t))[0]
				p.Reason, want[p.TrackingCode] = text, text
				change = append(change, p)
			}
			if err := s.Commit(t.Context(), change); err != nil {
				r.Fatal(err)
			}
			for code, text := range want {
				if p, err := s.PaymentByTrackingCode(t.Context(), code); err != nil || p.Reason != text {
					r.Fatalf("%q came back as %q (%v)", text, p.Reason, err)
				}
			}
		})
	})
}

package operations_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestACustomerIsForgotten by the command, beside another whose name shares a word: afterwards nobody finds them, the other is
// still found, callbacks and books are as they were, and the audit log verifies.
func TestACustomerIsForgotten(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		create := func(name, user string) harness.Payment {
			t.Helper()
			order := harness.Order("120.00")
			order.Fullname, order.UserID, order.Username = name, user, user+"-login"
			a, p, err := s.Provider.Try("start-manual-withdraw", order, "")
			if err != nil || a.Status != 200 {
				t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
			}
			s.Operator.MustPay(t, "completeWithdrawal", p.TrackingCode)
			s.To.Callback(t, p)
			return p
		}
		one, other := create("Zerafettin Quokkaoğlu", "u-quokka"), create("Zerafettin Yılmaz", "u-yilmaz")
		receipt := []byte("%PDF-1.7 of okkao")
		note, a := s.Operator.Attach(t, one.TrackingCode, "called Quokkaoğlu", "quokkaoğlu.pdf", receipt)
		if got := s.Operator.Receipt(t, one.TrackingCode, note); got.Status != 200 || !bytes.Equal(got.Body, receipt) {
			t.Fatalf("attached with %d %s, it is fetched with %d %s", a.Status, a.Body, got.Status, got.Body)
		}
		s.Server.Stop(t)

		said := harness.Launch{Args: []string{"forget", "--provider", "1", "--user", "u-quokka", "--yes"}, Env: in.Env}.Execute(t)
		if said.Code == 0 || !strings.Contains(said.Stderr, "ten years") {
			t.Errorf("within ten years it ends with %d and says: %s%s", said.Code, said.Stdout, said.Stderr)
		}
		in.Succeed("forget", "--provider", "1", "--user", "u-quokka", "--yes", "--before-legal-period", "a court has ordered it")
		in.Succeed("audit", "verify")
		if in.Setting("DATABASE_URL") != "" {
			for _, word := range []string{"okkao", "u-quokka"} {
				if bytes.Contains(bytes.ToLower(in.Dump()), []byte(word)) {
					t.Errorf("the database still has %q", word)
				}
			}
		}
		s.Server = in.Serve()
		s.Admin = in.SignIn(s.Server, "admin")
		for text, want := range map[string][]string{
			"quokka": nil, "u-quokka": nil, "zerafettin": {other.TrackingCode}, one.TrackingCode: {one.TrackingCode},
		} {
			var data struct {
				Transactions struct {
					Nodes []struct {
						TrackingCode string
						Customer     struct{ UserID, Fullname string }
					}
				}
			}
			err := s.Admin.Ask(`query($text: String!) { transactions(filter: { text: $text }) {
				nodes { trackingCode customer { userId fullname } } } }`, map[string]any{"text": text}, &data)
			var found []string
			for _, n := range data.Transactions.Nodes {
				found = append(found, n.TrackingCode)
			}
			if err != nil || !slices.Equal(found, want) {
				t.Errorf("%q finds %v (%v), not %v", text, found, err, want)
			}
		}
		if got := s.Admin.Notes(t, one.TrackingCode); len(got) != 1 || got[0].Text != "" || got[0].File != nil && got[0].File.Name != "" {
			t.Errorf("notes still say %+v", got)
		}
		if a := s.Admin.Receipt(t, one.TrackingCode, note); a.Status != http.StatusNotFound {
			t.Errorf("the receipt is answered with %d %s", a.Status, a.Body)
		}
		if err := s.Admin.AddNote(one.TrackingCode, "it was Quokkaoğlu"); harness.CodeOf(err) != "INVALID" {
			t.Errorf("a note about who is forgotten: %v", err)
		}
		if got := s.Admin.Transaction(t, one.TrackingCode); got.Status != "COMPLETED" || got.Amount != "120.00" {
			t.Errorf("%+v", got)
		}
	})
}

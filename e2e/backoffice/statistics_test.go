package backoffice_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestWhatIsDecidedIsCounted: statistics come to be what counting every transaction gives, at every process, also of what
// was decided while no worker was there.
func TestWhatIsDecidedIsCounted(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		desk := in.SignIn(servers[0], "dealer")
		for i := range 6 {
			decideOne(t, in, servers[i%len(servers)], desk, i)
		}
		checkCounted(t, in, servers)
		for _, server := range servers {
			server.Stop(t)
		}
		alone := in.Serve("VEZNE_ROLE=api")
		desk = in.SignIn(alone, "dealer")
		for i := range 4 {
			decideOne(t, in, alone, desk, i)
		}
		alone.Stop(t)
		servers = in.ServeAll()
		checkCounted(t, in, servers)
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// decideOne asks for a withdrawal and, of three, completes one and rejects one.
func decideOne(t *testing.T, in *harness.Installation, at *harness.Process, desk harness.Staff, i int) {
	t.Helper()
	made, err := in.Dealer(at).Withdraw(fmt.Sprintf("%d.50", 100+i))
	if err != nil {
		t.Fatal(err)
	}
	switch i % 3 {
	case 0:
		desk.MustPay(t, "completeWithdrawal", made.TrackingCode)
	case 1:
		desk.Must(t, "rejectWithdrawal", made.TrackingCode)
	}
}

// checkCounted waits until every process counts what there is.
func checkCounted(t *testing.T, in *harness.Installation, servers []*harness.Process) {
	t.Helper()
	for _, server := range servers {
		viewer, dealers := in.SignIn(server, "operator"), in.SignIn(server, "dealer")
		for name, s := range map[string]harness.Staff{"the operator": viewer, "the dealer's staff": dealers} {
			want := map[string]harness.Counted{}
			for _, p := range s.All(t) {
				c := want[p.Status]
				c.Count++
				if p.Status == "COMPLETED" || p.Status == "REFUNDED" {
					c.Approved += harness.MinorOf(p.Amount)
				}
				want[p.Status] = c
			}
			harness.Eventually(t, func() error {
				got, until, err := s.Statistics("")
				if err == nil && (!maps.Equal(got, want) || until == "") {
					err = fmt.Errorf("%s count %v, want %v (counted until %q)", name, got, want, until)
				}
				return err
			})
		}
		if got, _, err := dealers.Statistics("999"); err != nil || len(got) != 0 {
			t.Errorf("another dealer's statistics are %v (%v)", got, err)
		}
	}
}

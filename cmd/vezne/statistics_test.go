package main_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"
)

// counted is what statistics say of a status.
type counted struct {
	count     int
	approved  int64 // minor units
	corrected int64 // minor units
}

// statistics asks for everything of the last year, by status.
func (s staff) statistics(dealerID string) (byStatus map[string]counted, countedUntil string, err error) {
	filter := map[string]any{}
	if dealerID != "" {
		filter["dealerId"] = dealerID
	}
	var data struct {
		Statistics struct {
			CountedUntil string
			TimeZone     string
			Rows         []struct {
				Status          string
				Currency        string
				Count           int
				ApprovedAmount  string
				CorrectedAmount string
			}
		}
	}
	now := time.Now().UTC()
	err = s.ask(`query($filter: StatisticsFilter, $from: DateTime!, $to: DateTime!) {
		statistics(filter: $filter, by: [status], from: $from, to: $to) {
			countedUntil timeZone rows { status currency count approvedAmount correctedAmount } } }`,
		map[string]any{"filter": filter, "from": now.AddDate(-1, 0, 0), "to": now.Add(time.Hour)}, &data)
	byStatus = map[string]counted{}
	for _, r := range data.Statistics.Rows {
		byStatus[r.Status] = counted{r.Count, minorOf(r.ApprovedAmount), minorOf(r.CorrectedAmount)}
	}
	if err == nil && data.Statistics.TimeZone != shared.zone.String() {
		err = fmt.Errorf("the time zone is %q", data.Statistics.TimeZone)
	}
	return byStatus, data.Statistics.CountedUntil, err
}

func minorOf(amount string) int64 {
	minor, err := strconv.ParseInt(strings.ReplaceAll(amount, ".", ""), 10, 64)
	if err != nil {
		panic(err) // an amount has two decimals
	}
	return minor
}

// TestWhatIsDecidedIsCounted: statistics come to be what counting every transaction gives, at every process, also of what
// was decided while no worker was there.
func TestWhatIsDecidedIsCounted(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		servers := in.serveAll()
		desk := in.signIn(servers[0], "dealer")
		for i := range 6 {
			in.decideOne(t, servers[i%len(servers)], desk, i)
		}
		in.checkCounted(t, servers)
		for _, server := range servers {
			server.stop(t)
		}
		alone := in.serve("VEZNE_ROLE=api")
		desk = in.signIn(alone, "dealer")
		for i := range 4 {
			in.decideOne(t, alone, desk, i)
		}
		alone.stop(t)
		servers = in.serveAll()
		in.checkCounted(t, servers)
		for _, server := range servers {
			server.stop(t)
		}
	})
}

// decideOne asks for a withdrawal and, of three, completes one and rejects one.
func (in *installation) decideOne(t *testing.T, at *process, desk staff, i int) {
	t.Helper()
	made, err := in.dealer(at).withdraw(fmt.Sprintf("%d.50", 100+i))
	if err != nil {
		t.Fatal(err)
	}
	switch i % 3 {
	case 0:
		desk.mustPay(t, "completeWithdrawal", made.TrackingCode)
	case 1:
		desk.must(t, "rejectWithdrawal", made.TrackingCode)
	}
}

// checkCounted waits until every process counts what there is.
func (in *installation) checkCounted(t *testing.T, servers []*process) {
	t.Helper()
	for _, server := range servers {
		viewer, dealers := in.signIn(server, "operator"), in.signIn(server, "dealer")
		for name, s := range map[string]staff{"the operator": viewer, "the dealer's staff": dealers} {
			want := map[string]counted{}
			for _, p := range s.all(t) {
				c := want[p.Status]
				c.count++
				if p.Status == "completed" || p.Status == "success" || p.Status == "refunded" {
					c.approved += minorOf(p.Amount)
				}
				want[p.Status] = c
			}
			eventually(t, func() error {
				got, until, err := s.statistics("")
				if err == nil && (!maps.Equal(got, want) || until == "") {
					err = fmt.Errorf("%s count %v, want %v (counted until %q)", name, got, want, until)
				}
				return err
			})
		}
		if got, _, err := dealers.statistics("999"); err != nil || len(got) != 0 {
			t.Errorf("another dealer's statistics are %v (%v)", got, err)
		}
	}
}

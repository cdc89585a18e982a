package graph_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// otherDealers is a member of the other dealer's staff, with their session.
func (a *api) otherDealers(t *testing.T) *wsClient {
	t.Helper()
	member := a.colleague(t, staff.DealerStaff)
	member.Version, member.DealerID = 2, a.OtherDealer.ID
	a.save(t, member)
	a.tokens["other"] = a.session(t, member)
	return a.serve(t).signedIn(t, "other")
}

// TestApprovalsAreToldToWhoMaySeeThem: as they are asked for and as they end, to the dealer whose payment it is.
func TestApprovalsAreToldToWhoMaySeeThem(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	stranger, own, all := a.otherDealers(t), s.signedIn(t, staff.DealerStaff), s.signedIn(t, staff.Admin)
	for _, c := range []*wsClient{stranger, own, all} {
		c.subscribe("approvals", watchApprovals, nil)
	}
	stranger.subscribe("transactions", watchTransactions, nil)
	first := waitingRequest(a, t)
	for _, c := range []*wsClient{own, all} {
		if e := c.event(); !e.IsNew || e.Approval.ID != string(first.discrepancy) || e.Approval.Status != "WAITING" {
			t.Errorf("the request is told as %+v", e)
		}
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": first.discrepancy}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	for _, c := range []*wsClient{own, all} {
		if e := c.event(); e.IsNew || e.Approval.ID != string(first.discrepancy) || e.Approval.Status != "APPROVED" {
			t.Errorf("its end is told as %+v", e)
		}
	}
	theirs := a.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(100), Provider: a.OtherProvider, Site: a.OtherSite})
	if e := stranger.event(); e.Transaction.TrackingCode != theirs.TrackingCode {
		t.Errorf("another dealer's staff are told %+v", e)
	}
}

// TestJobsAreToldToTheirMaker: and to an admin; who asks for one job hears of no other.
func TestJobsAreToldToTheirMaker(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	start := func(by staff.Staff) core.ID {
		a.Clock.Advance(1)
		j, err := a.Jobs.StartExport(t.Context(), app.Request{Staff: by}, reports.Export{Format: report.CSV, Language: lang.EN})
		if err != nil {
			t.Fatal(err)
		}
		return j.ID
	}
	earlier := start(a.Viewer)
	admin, viewer, one := s.signedIn(t, staff.Admin), s.signedIn(t, staff.Viewer), s.signedIn(t, staff.Viewer)
	admin.subscribe("1", watchJobs, nil)
	viewer.subscribe("1", watchJobs, nil)
	one.subscribe("1", watchJobs, vars{"id": earlier})
	hidden, own := start(a.Operator), start(a.Viewer)
	for _, want := range []core.ID{hidden, own} {
		if e := admin.event(); !e.IsNew || e.Job.ID != string(want) {
			t.Errorf("an admin is told %+v, want %s", e, want)
		}
	}
	if e := viewer.event(); !e.IsNew || e.Job.ID != string(own) || e.Job.Status != "QUEUED" {
		t.Errorf("the maker is told %+v, want %s", e, own)
	}
	a.Jobs.Wake()
	if err := a.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		e := one.event()
		if e.Job.ID != string(earlier) {
			t.Fatalf("who asks for one job is told %+v", e)
		}
		if e.Job.Status == "DONE" {
			break
		}
	}
	for id, want := range map[string]string{string(hidden): "NOT_FOUND", "01JNB6QG000000000000000000": "NOT_FOUND", "x": "NOT_FOUND"} {
		viewer.ask("2", watchJobs, vars{"id": id})
		for m := viewer.hear(); ; m = viewer.hear() {
			if m.ID != "2" {
				continue // of one's own job
			}
			if m.Type != "error" || !strings.Contains(string(m.Payload), want) {
				t.Errorf("watching the job %s is answered by %s %s", id, m.Type, m.Payload)
			}
			break
		}
	}
}

// TestAProvidersStaffAreToldOfTheirOwn: payments and discrepancies of their provider, and nothing of another's.
func TestAProvidersStaffAreToldOfTheirOwn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	c, all := s.signedIn(t, staff.ProviderStaff), s.signedIn(t, staff.Admin)
	c.subscribe("1", watchTransactions, nil)
	c.subscribe("2", watchDiscrepancies, nil)
	all.subscribe("1", watchTransactions, nil)
	hidden := a.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(100), Provider: a.OtherProvider, Site: a.OtherSite})
	all.until(hidden, payment.Showing)
	own := overpaidCard(a, t)
	for {
		e := c.event()
		if e.Discrepancy.TrackingCode == own.TrackingCode {
			break
		}
		if e.Transaction.TrackingCode != own.TrackingCode {
			t.Fatalf("told is %+v", e)
		}
	}
}

// TestAStreamEndsWhenAFactorIsDemanded: the role demands one from now on, and the session has none.
func TestAStreamEndsWhenAFactorIsDemanded(t *testing.T) {
	t.Parallel()
	a := newAPI(t, often, func(c *graph.Config) { requiring(staff.Support)(c) })
	ws := a.serve(t).signedIn(t, staff.Viewer)
	ws.subscribe("1", watchTransactions, nil)
	member := a.Viewer
	member.Version, member.Role = member.Version+1, staff.Support
	a.save(t, member)
	if code, reason := ws.ends(); code != 4403 || reason != "FORBIDDEN" {
		t.Errorf("the WebSocket ends with %d %s", code, reason)
	}
}

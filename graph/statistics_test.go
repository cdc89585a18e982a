package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	groupFields = ` from to method provider { id name } dealerId dealerName gateway { id name } status currency count endedCount
		approvedCount approvalRate requestedAmount approvedAmount medianDecisionMs deliveredCallbackCount failedCallbackCount
		callbackSuccessRate medianCallbackDelayMs `
	countAll = `query($filter: StatisticsFilter, $by: [StatisticsDimension!], $per: StatisticsInterval, $from: DateTime!, $to: DateTime!) {
		statistics(filter: $filter, by: $by, per: $per, from: $from, to: $to) { from to timeZone countedUntil rows {` + groupFields + `} } }`
)

// dayVars are of the day of apptest.Start in its time zone.
func dayVars(more vars) vars {
	v := vars{"from": "2026-03-02T00:00:00+03:00", "to": "2026-03-03T00:00:00+03:00"}
	for name, value := range more {
		v[name] = value
	}
	return v
}

// busyDay has deposits and withdrawals of both dealers, and a card at a gateway, decided in various ways.
func busyDay(t *testing.T) *api {
	t.Helper()
	a := newAPI(t)
	a.payAndApprove(t)
	a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	paidCard(a, t)
	a.Start(t, payment.Start{Method: payment.EIBANWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	refused := a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(99999))
	a.Clock.Advance(90 * time.Minute)
	a.as(t, staff.Operator, `mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code, reason: "no"}) { transaction { status } } }`,
		vars{"code": refused.TrackingCode})
	a.Work(t)
	if err := a.Statistics.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGoldenStatistics(t *testing.T) {
	t.Parallel()
	a := busyDay(t)
	checkGolden(t, "statistics", a.as(t, staff.Viewer, countAll, dayVars(nil)).Raw)
	checkGolden(t, "statistics-methods", a.as(t, staff.Operator, countAll, dayVars(vars{"by": []string{"method", "status"}, "per": "day"})).Raw)
	checkGolden(t, "statistics-owners", a.as(t, staff.Admin, countAll, dayVars(vars{"by": []string{"provider", "dealer", "gateway"}, "per": "month"})).Raw)
	checkGolden(t, "statistics-hours", a.as(t, staff.DealerStaff, countAll, dayVars(vars{"per": "hour", "filter": vars{"method": "manual_deposit", "currency": "TRY"}})).Raw)
	checkGolden(t, "statistics-invalid", a.as(t, staff.Viewer, countAll, dayVars(vars{"to": "2026-03-01T21:00:00Z"})).Raw)
}

func TestADealersStaffCountTheirDealersOnly(t *testing.T) {
	t.Parallel()
	a := busyDay(t)
	count := func(role staff.Role, filter vars) string {
		raw := a.as(t, role, `query($filter: StatisticsFilter, $from: DateTime!, $to: DateTime!) {
			statistics(filter: $filter, by: [dealer], from: $from, to: $to) { rows { dealerId count } } }`, dayVars(vars{"filter": filter})).Raw
		_, rows, _ := strings.Cut(raw, `"rows":`)
		return strings.TrimSuffix(rows, "}}}")
	}
	for _, c := range []struct {
		role   staff.Role
		filter vars
		want   string
	}{
		{staff.Viewer, nil, `[{"dealerId":"1","count":4},{"dealerId":"2","count":1}]`},
		{staff.Viewer, vars{"dealerId": 2}, `[{"dealerId":"2","count":1}]`},
		{staff.DealerStaff, nil, `[{"dealerId":"1","count":4}]`},
		{staff.DealerStaff, vars{"dealerId": 1}, `[{"dealerId":"1","count":4}]`},
		{staff.DealerStaff, vars{"dealerId": 2}, `[]`},
		{staff.DealerStaff, vars{"providerId": 2}, `[]`},
		{staff.Viewer, vars{"gatewayId": 1}, `[{"dealerId":"1","count":1}]`},
		{staff.Viewer, vars{"currency": "USD"}, `[]`},
	} {
		if got := count(c.role, c.filter); got != c.want {
			t.Errorf("%s, %v: got %s, want %s", c.role, c.filter, got, c.want)
		}
	}
}

func TestStatisticsRefuse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		vars  vars
		field string
	}{
		"an empty range":             {vars{"to": "2026-03-02T00:00:00+03:00"}, "to"},
		"a month and a day, hourly":  {vars{"per": "hour", "to": "2026-04-03T00:00:00+03:00"}, "to"},
		"four days long ago, hourly": {vars{"per": "hour", "from": "2026-01-01T00:00:00Z", "to": "2026-01-05T00:00:00Z"}, "to"},
		"three years, daily":         {vars{"per": "day", "from": "2023-03-02T00:00:00Z"}, "to"},
		"all time":                   {vars{"from": "0001-01-01T00:00:00Z"}, "to"},
		"a bad dealer":               {vars{"filter": vars{"dealerId": 0}}, "dealerId"},
		"another interval":           {vars{"per": "week"}, ""},
		"another dimension":          {vars{"by": []string{"site"}}, ""},
	} {
		answer := a.as(t, staff.Viewer, countAll, dayVars(c.vars))
		field, _ := answer.field()
		if answer.code() == "" || c.field != "" && (answer.code() != "INVALID" || field != c.field) {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	for name, v := range map[string]vars{
		"31 days, hourly": {"per": "hour", "to": "2026-04-02T00:00:00+03:00"}, "three old days, hourly": {"per": "hour", "from": "2026-01-01T00:00:00Z", "to": "2026-01-04T00:00:00Z"},
		"two years, daily": {"per": "day", "from": "2024-03-02T00:00:00Z"}, "years": {"from": "2010-01-01T00:00:00Z"},
	} {
		if answer := a.as(t, staff.Viewer, countAll, dayVars(v)); answer.code() != "" {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	groupFields = ` from until method provider { id name } dealer { id name } gateway { id name } status currency count endedCount
		approvedCount approvalRate requestedAmount approvedAmount medianDecisionMs deliveredCallbackCount failedCallbackCount
		callbackSuccessRate medianCallbackDelayMs `
	countAll = `query($filter: StatisticsFilter, $by: [StatisticsDimension!], $per: StatisticsInterval, $from: DateTime!, $until: DateTime!) {
		statistics(filter: $filter, by: $by, per: $per, from: $from, until: $until) { from until timeZone countedUntil rows {` + groupFields + `} } }`
)

// dayVars are of the day of apptest.Start in its time zone.
func dayVars(more vars) vars {
	v := vars{"from": "2026-03-02T00:00:00+03:00", "until": "2026-03-03T00:00:00+03:00"}
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
	a.Start(t, payment.Request{Method: payment.EIBANWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
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
	checkGolden(t, "statistics-methods", a.as(t, staff.Operator, countAll, dayVars(vars{"by": []string{"METHOD", "STATUS"}, "per": "DAY"})).Raw)
	checkGolden(t, "statistics-owners", a.as(t, staff.Admin, countAll, dayVars(vars{"by": []string{"PROVIDER", "DEALER", "GATEWAY"}, "per": "MONTH"})).Raw)
	checkGolden(t, "statistics-hours", a.as(t, staff.DealerStaff, countAll, dayVars(vars{"per": "HOUR", "filter": vars{"method": "MANUAL_DEPOSIT", "currency": "TRY"}})).Raw)
	checkGolden(t, "statistics-invalid", a.as(t, staff.Viewer, countAll, dayVars(vars{"until": "2026-03-01T21:00:00Z"})).Raw)
}

func TestADealersStaffCountTheirDealersOnly(t *testing.T) {
	t.Parallel()
	a := busyDay(t)
	count := func(role staff.Role, filter vars) string {
		raw := a.as(t, role, `query($filter: StatisticsFilter, $from: DateTime!, $until: DateTime!) {
			statistics(filter: $filter, by: [DEALER], from: $from, until: $until) { rows { dealer { id } count } } }`, dayVars(vars{"filter": filter})).Raw
		_, rows, _ := strings.Cut(raw, `"rows":`)
		return strings.TrimSuffix(rows, "}}}")
	}
	for _, c := range []struct {
		role   staff.Role
		filter vars
		want   string
	}{
		{staff.Viewer, nil, `[{"dealer":{"id":"1"},"count":4},{"dealer":{"id":"2"},"count":1}]`},
		{staff.Viewer, vars{"dealerId": 2}, `[{"dealer":{"id":"2"},"count":1}]`},
		{staff.DealerStaff, nil, `[{"dealer":{"id":"1"},"count":4}]`},
		{staff.DealerStaff, vars{"dealerId": 1}, `[{"dealer":{"id":"1"},"count":4}]`},
		{staff.DealerStaff, vars{"dealerId": 2}, `[]`},
		{staff.DealerStaff, vars{"providerId": 2}, `[]`},
		{staff.Viewer, vars{"gatewayId": 1}, `[{"dealer":{"id":"1"},"count":1}]`},
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
		"an empty range":             {vars{"until": "2026-03-02T00:00:00+03:00"}, "until"},
		"a month and a day, hourly":  {vars{"per": "HOUR", "until": "2026-04-03T00:00:00+03:00"}, "until"},
		"four days long ago, hourly": {vars{"per": "HOUR", "from": "2026-01-01T00:00:00Z", "until": "2026-01-05T00:00:00Z"}, "until"},
		"three years, daily":         {vars{"per": "DAY", "from": "2023-03-02T00:00:00Z"}, "until"},
		"all time":                   {vars{"from": "0001-01-01T00:00:00Z"}, "until"},
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
		"31 days, hourly": {"per": "HOUR", "until": "2026-04-02T00:00:00+03:00"}, "three old days, hourly": {"per": "HOUR", "from": "2026-01-01T00:00:00Z", "until": "2026-01-04T00:00:00Z"},
		"two years, daily": {"per": "DAY", "from": "2024-03-02T00:00:00Z"}, "years": {"from": "2010-01-01T00:00:00Z"},
	} {
		if answer := a.as(t, staff.Viewer, countAll, dayVars(v)); answer.code() != "" {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

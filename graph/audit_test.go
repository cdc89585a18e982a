package graph_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const listAudit = `query($filter: AuditFilter, $first: Int, $after: String) {
	auditLog(filter: $filter, first: $first, after: $after) {
		edges { cursor node { id } } nodes { id at actor { kind name address } actorId action target reason before after
			isChained chainNumber } pageInfo { hasNextPage endCursor } } }`

// chain links what was done so far.
func (a *api) chain(t *testing.T) {
	t.Helper()
	if _, err := a.Audit.Chain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestGoldenAuditLog(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	a.Clock.Advance(time.Hour)
	a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 1, "name": "Acme"}})
	a.chain(t)
	a.Clock.Advance(time.Second)
	r := request(t, a.tokens[staff.Operator], `mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code, reason: "IBAN kapalı"}) { transaction { status } } }`,
		vars{"code": a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(99999)).TrackingCode})
	r.RemoteAddr = "203.0.113.9:4711"
	if answer := a.send(t, r); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	checkGolden(t, "audit-log", a.as(t, staff.Admin, listAudit, vars{"first": 2}).Raw)
}

func TestAuditLogPagesAndFilters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Clock.Advance(time.Hour)
	from := a.Clock.Now()
	for range 5 {
		a.Clock.Advance(time.Second)
		a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 1, "name": "Acme"}})
	}
	type entry struct {
		ID     core.ID
		Action string
	}
	var got []core.ID
	filter := vars{"actorKind": "STAFF", "actorId": "1", "action": "updateProvider", "target": "provider/1", "from": from, "until": a.Clock.Now()}
	for v := (vars{"first": 2, "filter": filter}); v != nil; {
		var page struct {
			Nodes    []entry
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		a.as(t, staff.Admin, listAudit, v).into(t, "auditLog", &page)
		for _, n := range page.Nodes {
			got = append(got, n.ID)
		}
		v = vars{"first": 2, "filter": filter, "after": page.PageInfo.EndCursor}
		if !page.PageInfo.HasNextPage {
			v = nil
		}
	}
	if len(got) != 4 { // the fifth is not before its own moment
		t.Errorf("got %v", got)
	}
	code := a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(99999)).TrackingCode
	a.as(t, staff.Operator, `mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`, vars{"code": code})
	for text, want := range map[string]int{
		`{action: "updateProvider"}`: 5, `{action: "log"}`: 0, `{actorKind: STAFF, actorId: 2}`: 1, `{actorKind: GATEWAY}`: 0,
		`{target: "provider/1"}`: 6, `{actorKind: SYSTEM, target: "provider/1"}`: 1,
	} {
		var page struct{ Nodes []entry }
		a.as(t, staff.Admin, `{ auditLog(filter: `+text+`) { nodes { id action } } }`, nil).into(t, "auditLog", &page)
		if len(page.Nodes) != want {
			t.Errorf("%s: got %v, want %d", text, page.Nodes, want)
		}
	}
	for name, v := range map[string]vars{
		"first": {"first": 201}, "after": {"after": "x"}, "actorKind": {"filter": vars{"actorId": "1"}},
		"action": {"filter": vars{"action": strings.Repeat("x", 401)}}, "target": {"filter": vars{"target": "a\u0001b"}},
	} {
		answer := a.as(t, staff.Admin, listAudit, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
	if answer := a.as(t, staff.Admin, listAudit, vars{"filter": vars{"actorKind": "Staff"}}); answer.code() != "INVALID" {
		t.Errorf("a kind of actor that is none: %s", answer.Raw)
	}
}

// unaudited are the mutations that change nothing for the audit log to tell.
var unaudited = map[string]string{
	"testGatewayAccount": "asks the gateway, and changes the account only when it was in trouble",
	"reconcileDay":       "computes a day again",
	"setWalletActive":    "the matrix switches on what is on",
	"exportDownload":     "a path; the download itself is audited",
}

// stateless are the mutations that change the state of nothing that is kept.
var stateless = map[string]string{"login": "begins a session"}

// TestEveryActionOfAPersonIsAuditedWithAddressAndReason runs every mutation of the schema that succeeds for an admin.
func TestEveryActionOfAPersonIsAuditedWithAddressAndReason(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var rows []core.AuditEntry
	a.UnitOfWork.Commits = &apptest.Commits{Committer: a.UnitOfWork.Commits, After: func(c core.Changeset) error {
		for _, e := range core.RowsOf[core.AuditEntry](c) {
			if e.Actor.Kind == core.ByStaff {
				rows = append(rows, e)
			}
		}
		return nil
	}}
	for name, o := range matrix {
		mutation, ok := strings.CutPrefix(name, "mutation ")
		if _, isOthers := ownOnly[name]; !ok || isOthers { // those about one's own requests have tests of their own
			continue
		}
		s := o.about(a, t)
		query := o.query
		takesReason := inputField(rootFields()[name], "reason") != nil
		if takesReason && !strings.Contains(query, "reason:") {
			query = strings.Replace(query, mutation+"(input: {", mutation+`(input: {reason: "why", `, 1)
		}
		rows = nil
		answer := a.as(t, staff.Admin, query, a.varsOf(s, query))
		if answer.code() != o.code {
			t.Errorf("%s: %s", name, answer.Raw)
		}
		if o.code == "APPROVAL_NEEDED" {
			continue // what is audited is the request
		}
		if _, isUnaudited := unaudited[mutation]; isUnaudited != (len(rows) == 0) {
			t.Errorf("%s: audited %+v", name, rows)
		}
		for _, e := range rows {
			if _, isStateless := stateless[mutation]; isStateless != (e.Before == "" && e.After == "") {
				t.Errorf("%s: audited with the states %q and %q", name, e.Before, e.After)
			}
			isOther := strings.Contains(query, e.Action+"(") || mutation == "decideMany" && strings.Contains(query, e.Action+":") || mutation == "approveRequest" // a claim before; what is approved
			if e.Action != mutation && !isOther {
				t.Errorf("%s: audited as %s, which AuditFilter.action does not find", name, e.Action)
			}
			if e.Actor.Addr == "" || e.Actor.ID == "" || e.Actor.Name == "" || e.Action == "" || e.Target == "" {
				t.Errorf("%s: audited without who, from where or what: %+v", name, e)
			}
		}
		isReasoned := slices.ContainsFunc(rows, func(e core.AuditEntry) bool { return strings.Contains(e.Reason, "why") })
		if takesReason && len(rows) > 0 && !isReasoned {
			t.Errorf("%s: audited without its reason: %+v", name, rows)
		}
		a.noSecretIn(t, rows)
	}
}

var secretShape = regexp.MustCompile(`vz(s|v|c|ds|ts|t|g|q|qs)_[0-9a-z]{20}|whsec_|argon2id|key-of-`)

func (a *api) noSecretIn(t *testing.T, rows []core.AuditEntry) {
	t.Helper()
	for _, e := range rows {
		if found := secretShape.FindString(e.Before + e.After + e.Reason + e.Target); found != "" {
			t.Errorf("%s keeps the secret %s", e.Action, found)
		}
	}
}

package storetest_test

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// brokenApprovals is what may be broken about requests for a second person and their rules.
type brokenApprovals struct {
	requests func(q *core.ApprovalQuery)
	listed   func(s *memory.Store, q core.ApprovalQuery, found []core.Approval) []core.Approval
	rules    func(rules core.ApprovalRules) core.ApprovalRules
	anybody  bool // whoever is not there is found

	lapseEarlier time.Duration
}

func (b broken) DueApprovals(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[core.Approval], error) {
	return b.Store.DueApprovals(ctx, now.Add(b.lapseEarlier), after, limit)
}

func (b broken) Approvals(ctx context.Context, q core.ApprovalQuery) ([]core.Approval, error) {
	asked := q
	if b.requests != nil {
		b.requests(&asked)
	}
	found, err := b.Store.Approvals(ctx, asked)
	if b.listed != nil {
		found = b.listed(b.Store, q, found)
	}
	return found, err
}

func (b broken) ApprovalRules(ctx context.Context) (core.ApprovalRules, error) {
	found, err := b.Store.ApprovalRules(ctx)
	if b.rules != nil {
		found = b.rules(found)
	}
	return found, err
}

func (b broken) StaffByID(ctx context.Context, id int64) (core.Staff, error) {
	s, err := b.Store.StaffByID(ctx, id)
	if b.anybody {
		return s, nil
	}
	return s, err
}

func approvalDefects() []defect {
	return slices.Concat(decisionDefects(), approvalFieldDefects(), approvalListDefects(), []defect{
		{"loses the last rule", "approvals/every field of an approval rule comes back", rulesRead(func(r core.ApprovalRules) core.ApprovalRules {
			return first(r, len(r)-1)
		})},
		{"gives rules in no order", "approvals/every field of an approval rule comes back", rulesRead(func(r core.ApprovalRules) core.ApprovalRules {
			slices.Reverse(r)
			return r
		})},
		{"takes any version of a rule", "versions/an old version is a conflict/approval rule", changing(anyRuleVersion)},
		{"finds staff who are not there", "approvals/a staff member is found by id", func() broken {
			return broken{brokenApprovals: brokenApprovals{anybody: true}}
		}},
	})
}

func rulesRead(rules func(core.ApprovalRules) core.ApprovalRules) func() broken {
	return func() broken { return broken{brokenApprovals: brokenApprovals{rules: rules}} }
}

// decisionDefects are of stores that take decisions which nobody may make, by keeping them as something that is allowed.
func decisionDefects() []defect {
	const alone = "approvals/nobody decides about their own request, and somebody does"
	const once = "approvals/of concurrent decisions about a request exactly one wins, with all that it does"
	const ended = "approvals/what has ended is not decided again by who saw it waiting"
	approvals := func(c *core.Changeset) []core.Approval { return c.Approvals }
	when := func(state core.ApprovalState, isAsRequester bool) func() broken {
		return eachOf(approvals, func(a *core.Approval) {
			if a.State == state && a.DecidedBy != 0 && isAsRequester == (a.DecidedBy == a.RequesterID) {
				allow(a)
			}
		})
	}
	return []defect{
		{"lets requesters approve", alone, when(core.ApprovalApproved, true)},
		{"lets requesters refuse", alone, when(core.ApprovalRefused, true)},
		{"lets others withdraw", alone, when(core.ApprovalWithdrawn, false)},
		{"lets somebody lapse a request", alone, when(core.ApprovalLapsed, false)},
		{"lets somebody decide what waits", alone, when(core.ApprovalWaiting, true)},
		{"lets nobody approve", alone, eachOf(approvals, func(a *core.Approval) {
			if a.State == core.ApprovalApproved && a.DecidedBy == 0 {
				allow(a)
			}
		})},
		{"lets nobody refuse", alone, eachOf(approvals, func(a *core.Approval) {
			if a.State == core.ApprovalRefused && a.DecidedBy == 0 {
				allow(a)
			}
		})},
		{"lets requesters approve as they ask", alone, eachOf(approvals, func(a *core.Approval) {
			if a.Version == 1 {
				allow(a)
			}
		})},
		{"does what a refused decision does", alone, func() broken { return broken{commit: commitInParts} }},
		{"decides as often as it is asked", once, changing(func(s *memory.Store, c *core.Changeset) {
			anyApprovalVersion(s, c, core.ApprovalStates()...)
		})},
		{"approves what was refused", ended, changing(func(s *memory.Store, c *core.Changeset) {
			anyApprovalVersion(s, c, core.ApprovalRefused)
		})},
		{"approves what has lapsed", ended, changing(func(s *memory.Store, c *core.Changeset) {
			anyApprovalVersion(s, c, core.ApprovalLapsed)
		})},
		{"approves what was withdrawn", ended, changing(func(s *memory.Store, c *core.Changeset) {
			anyApprovalVersion(s, c, core.ApprovalWithdrawn)
		})},
		{"does what comes with a late decision", ended, func() broken { return broken{commit: commitInParts} }},
		{"takes any version of a request", "versions/an old version is a conflict/approval",
			changing(func(s *memory.Store, c *core.Changeset) { anyApprovalVersion(s, c, core.ApprovalStates()...) })},
	}
}

// allow has somebody decide who may.
func allow(a *core.Approval) {
	switch a.State {
	case core.ApprovalApproved, core.ApprovalRefused:
		a.DecidedBy = a.RequesterID + 1
	case core.ApprovalWithdrawn:
		a.DecidedBy = a.RequesterID
	default:
		a.DecidedBy = 0
	}
}

// anyApprovalVersion takes a request for the next version of what is stored, where that is in one of the states.
func anyApprovalVersion(s *memory.Store, c *core.Changeset, states ...core.ApprovalState) {
	c.Approvals = slices.Clone(c.Approvals)
	for i := range c.Approvals {
		a := &c.Approvals[i]
		if stored, _ := s.Approval(context.Background(), a.ID); slices.Contains(states, stored.State) {
			a.Version = stored.Version + 1
		}
	}
}

func anyRuleVersion(s *memory.Store, c *core.Changeset) {
	stored, _ := s.ApprovalRules(context.Background())
	c.ApprovalRules = slices.Clone(c.ApprovalRules)
	for i := range c.ApprovalRules {
		r := &c.ApprovalRules[i]
		r.Version = stored.Of(r.Action).Version + 1
		if !slices.ContainsFunc(stored, func(known core.ApprovalRule) bool { return known.Action == r.Action }) {
			r.Version = 1
		}
	}
}

func approvalFieldDefects() []defect {
	const everyField, everyRule = "approvals/every field of a request comes back", "approvals/every field of an approval rule comes back"
	approvals := func(c *core.Changeset) []core.Approval { return c.Approvals }
	rules := func(c *core.Changeset) []core.ApprovalRule { return c.ApprovalRules }
	return []defect{
		{"forgets what was asked for", everyField, eachOf(approvals, func(a *core.Approval) { a.Input = core.Secret{} })},
		{"forgets what was issued", everyField, eachOf(approvals, func(a *core.Approval) { a.Result = core.Secret{} })},
		{"forgets who decided", everyField, eachOf(approvals, func(a *core.Approval) { a.DecidedByName = "" })},
		{"forgets why it was decided so", everyField, eachOf(approvals, func(a *core.Approval) { a.DecisionReason = "" })},
		{"forgets a network", everyField, eachOf(approvals, func(a *core.Approval) {
			a.Guards = slices.Clone(a.Guards)
			a.Guards[0].Amount.Asset.Network = ""
		})},
		{"keeps one guard", "approvals/requests come newest first and are narrowed",
			eachOf(approvals, func(a *core.Approval) { a.Guards = first(a.Guards, 1) })},
		{"forgets when a request lapses", everyRule, eachOf(rules, func(r *core.ApprovalRule) { r.LapseAfter = core.DefaultLapse })},
		{"has every rule on", everyRule, eachOf(rules, func(r *core.ApprovalRule) { r.IsOn = true })},
		{"begins at one lira", everyRule, eachOf(rules, func(r *core.ApprovalRule) {
			if r.Above.IsZero() {
				r.Above = money.New(100, money.TRY)
			}
		})},
	}
}

func approvalListDefects() []defect {
	const narrowed = "approvals/requests come newest first and are narrowed"
	list := func(name string, requests func(q *core.ApprovalQuery)) defect {
		return defect{name, narrowed, func() broken { return broken{brokenApprovals: brokenApprovals{requests: requests}} }}
	}
	gives := func(name string, listed func(*memory.Store, core.ApprovalQuery, []core.Approval) []core.Approval) defect {
		return defect{name, narrowed, func() broken { return broken{brokenApprovals: brokenApprovals{listed: listed}} }}
	}
	return []defect{
		list("lists requests in every state", func(q *core.ApprovalQuery) { q.States = nil }),
		list("lists every dealer's requests", func(q *core.ApprovalQuery) { q.Scope = core.Scope{} }),
		list("lists everybody's requests", func(q *core.ApprovalQuery) { q.RequesterID = 0 }),
		list("lists requests about anything", func(q *core.ApprovalQuery) { q.Subject = "" }),
		{"lapses what is not over", "approvals/requests that wait lapse from their time on, page by page", func() broken {
			return broken{brokenApprovals: brokenApprovals{lapseEarlier: time.Second}}
		}},
		list("loses a request of a page", func(q *core.ApprovalQuery) { q.Limit-- }),
		list("has a request on two pages", func(q *core.ApprovalQuery) {
			if q.After != "" {
				q.After += "0"
			}
		}),
		list("gives all where none are asked for", func(q *core.ApprovalQuery) {
			if q.Limit == 0 {
				q.Limit = 9
			}
		}),
		gives("lists the oldest request first", func(_ *memory.Store, _ core.ApprovalQuery, found []core.Approval) []core.Approval {
			slices.Reverse(found)
			return found
		}),
		gives("shows a dealer what is about another one too", func(s *memory.Store, q core.ApprovalQuery, found []core.Approval) []core.Approval {
			if q.DealerID == 0 {
				return found
			}
			asked := q
			asked.Scope, asked.Limit = core.Scope{}, core.MaxPage
			all, _ := s.Approvals(context.Background(), asked)
			return first(slices.DeleteFunc(all, func(a core.Approval) bool { return a.Guards[0].DealerID != q.DealerID }), q.Limit)
		}),
		gives("seeks a subject among all that a request is about", func(s *memory.Store, q core.ApprovalQuery, found []core.Approval) []core.Approval {
			asked := q
			asked.Subject, asked.Limit = "", core.MaxPage
			all, _ := s.Approvals(context.Background(), asked)
			return first(slices.DeleteFunc(all, func(a core.Approval) bool {
				return q.Subject != "" && !slices.ContainsFunc(a.Guards, func(g core.Guard) bool { return g.Subject == q.Subject })
			}), q.Limit)
		}),
	}
}

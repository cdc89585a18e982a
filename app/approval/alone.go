package approval

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/ports"
)

// errMoved: the person's day went on while their changeset was being judged.
var errMoved = errors.New("a running total has changed")

// day is what a staff member did alone today, of the actions that a changeset is about.
type day struct {
	before map[core.GuardedAction]approval.RunningTotal
	adds   map[core.GuardedAction]money.Amount
}

// dayOf reads what the day of a member of staff has of what its guards add to.
func (g *Gate) dayOf(ctx context.Context, rules approval.Rules, guards []core.Guard, member int64) (day, error) {
	d := day{before: map[core.GuardedAction]approval.RunningTotal{}, adds: rules.Counted(guards)}
	today, byKey := core.DayOf(g.Clock.Now(), g.Zone), map[string]core.GuardedAction{}
	for action := range d.adds {
		key := approval.DayTotalKey(strconv.FormatInt(member, 10), action, today)
		byKey[key], d.before[action] = action, approval.RunningTotal{Key: key}
	}
	found, err := g.Approvals.RunningTotals(ctx, slices.Sorted(maps.Keys(byKey)))
	for _, t := range found {
		d.before[byKey[t.Key]] = t
	}
	return d, fault.E("approval.Gate.dayOf", "", err)
}

func (d day) sums() map[core.GuardedAction]money.Amount {
	sums := map[core.GuardedAction]money.Amount{}
	for action, t := range d.before {
		sums[action] = t.Amount
	}
	return sums
}

// totals are the rows of the day with what the changeset adds.
func (d day) totals(now time.Time) []approval.RunningTotal {
	var rows []approval.RunningTotal
	for _, action := range slices.Sorted(maps.Keys(d.adds)) {
		t, added := d.before[action], d.adds[action]
		t.Version++
		t.Amount, t.UpdatedAt = money.New(t.Amount.Minor()+added.Minor(), added.Currency()), now
		rows = append(rows, t)
	}
	return rows
}

// hasMoved reports whether somebody else has saved one of the totals since.
func (d day) hasMoved(ctx context.Context, reads ports.Approvals) (bool, error) {
	versions, keys := map[string]int{}, []string{}
	for _, t := range d.before {
		versions[t.Key] = t.Version
		keys = append(keys, t.Key)
	}
	found, err := reads.RunningTotals(ctx, keys)
	return slices.ContainsFunc(found, func(t approval.RunningTotal) bool { return versions[t.Key] != t.Version }), err
}

// refundedAlone is what the payments of which a changeset begins refunds gave back before without a second person, by
// subject.
func (g *Gate) refundedAlone(ctx context.Context, judged core.Judged) (map[string]money.Amount, error) {
	sums := map[string]money.Amount{}
	for _, o := range newRefunds(judged) {
		earlier, err := g.Operations.OperationsOf(ctx, o.PaymentID)
		if err != nil {
			return nil, fault.E("approval.Gate.refundedAlone", "", err)
		}
		var keys []string
		for _, known := range earlier {
			keys = append(keys, approval.ApprovedTotalKey(known.ID))
		}
		approved, err := g.Approvals.RunningTotals(ctx, keys)
		if err != nil {
			return nil, fault.E("approval.Gate.refundedAlone", "", err)
		}
		sums["payment/"+o.TrackingCode] = approval.RefundedAlone(earlier, func(id core.ID) bool {
			key := approval.ApprovedTotalKey(id)
			return slices.ContainsFunc(approved, func(t approval.RunningTotal) bool { return t.Key == key })
		})
	}
	return sums, nil
}

func newRefunds(judged core.Judged) []operation.Operation {
	var begun []operation.Operation
	for _, o := range core.RowsOf[operation.Operation](judged.Changeset) {
		if _, isOld := core.Before(judged, o); o.Kind == operation.RefundOperation && !isOld {
			begun = append(begun, o)
		}
	}
	return begun
}

// approvedTotals say of refunds that a second person approved them: they do not count as done alone.
func approvedTotals(judged core.Judged) []approval.RunningTotal {
	var rows []approval.RunningTotal
	for _, o := range newRefunds(judged) {
		amount, _ := o.Amount.Amount.Amount(money.TRY) // of coins, of which none is counted, it is not said
		rows = append(rows, approval.RunningTotal{
			Key: approval.ApprovedTotalKey(o.ID), Version: 1, Amount: amount, UpdatedAt: o.CreatedAt,
		})
	}
	return rows
}

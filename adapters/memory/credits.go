package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

type creditKey struct {
	paymentID core.ID
	number    int
}

func (s *Store) makeCreditTable() {
	s.credits = newTable(row[creditKey, core.Credit]{
		key:     func(k core.Credit) creditKey { return creditKey{k.PaymentID, k.Number} },
		version: func(k core.Credit) int { return k.Version },
		names: func(k core.Credit) []string {
			var names []string
			if k.LineID != "" {
				names = append(names, fmt.Sprintf("line %d/%s", k.WalletID, k.LineID))
			}
			if k.OperationID != "" {
				names = append(names, "operation "+string(k.OperationID))
			}
			return names
		},
		clone: func(k core.Credit) core.Credit { k.NeedsSecond = ""; return k },
	})
}

// covers reports whether all credits of the changeset have the money behind them, and whether the payments that it completes
// or corrects have their credits.
func (s *Store) covers(c core.Changeset) bool {
	for _, k := range c.Credits {
		if !s.isCovered(k, c) {
			return false
		}
	}
	for _, p := range c.Payments {
		before, isOld := s.payments.get(p.ID)
		isSame := before.Status == p.Status && before.Amount == p.Amount
		if all := s.creditsWith(p.ID, c); isOld && p.IsCredited() && !isSame && (len(all) == 0 || core.Credited(all) != p.Amount) {
			return false
		}
	}
	return true
}

func (s *Store) isCovered(k core.Credit, c core.Changeset) bool {
	if before, isOld := s.credits.get(creditKey{k.PaymentID, k.Number}); isOld {
		bound := before
		bound.Version, bound.WalletID, bound.LineID, bound.OperationID, bound.Brought = 2, k.WalletID, k.LineID, k.OperationID, k.Brought
		k.NeedsSecond = ""
		if !before.IsAwaiting() || bound != k || k.Source != core.CreditOfStaff || (k.LineID == "") == (k.OperationID == "") {
			return false
		}
	} else if !isWellFormed(k) {
		return false
	}
	if (k.LineID != "" || k.OperationID != "") && s.brought(k, c) < k.Brought.Minor() {
		return false
	}
	if k.Number == 1 {
		return true
	}
	all := s.creditsWith(k.PaymentID, c)
	sum, first := core.Credited(all), all[0]
	isBounded := first.Source == core.CreditOfLine || first.Source == core.CreditOfOperation
	return first.Number == 1 && sum.Minor() >= 0 && (!isBounded || sum.Minor() <= s.brought(first, c))
}

// isWellFormed reports whether a new row may be what it says.
func isWellFormed(k core.Credit) bool {
	hasLine, hasOperation := k.LineID != "", k.OperationID != ""
	if k.Number == 1 && k.Amount.Minor() <= 0 {
		return false
	}
	isWithin := k.Amount.Minor() <= k.Brought.Minor()
	switch k.Source {
	case core.CreditOfLine:
		return hasLine && !hasOperation && isWithin
	case core.CreditOfOperation:
		return hasOperation && !hasLine && isWithin
	default:
		return !hasLine && !hasOperation
	}
}

// brought is what the credit's bank line or operation brought, in the smallest unit.
func (s *Store) brought(k core.Credit, c core.Changeset) int64 {
	if k.LineID != "" {
		l, ok := s.bankLines[lineKey{k.WalletID, k.LineID}]
		if !ok || l.Direction != gateway.Incoming {
			return 0
		}
		return l.Amount.Minor()
	}
	o, _ := s.operations.get(k.OperationID)
	for _, changed := range c.Operations {
		if changed.ID == k.OperationID {
			o = changed
		}
	}
	if o.PaymentID != k.PaymentID {
		return 0
	}
	return o.Brought.Minor()
}

// creditsWith are a payment's credits as they will be.
func (s *Store) creditsWith(payment core.ID, c core.Changeset) []core.Credit {
	all := s.credits.where(func(k core.Credit) bool { return k.PaymentID == payment })
	for _, k := range c.Credits {
		isOf := k.PaymentID == payment
		if i := slices.IndexFunc(all, func(known core.Credit) bool { return known.Number == k.Number }); isOf && i >= 0 {
			all[i] = k
		} else if isOf {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, byCreditNumber)
	return all
}

func byCreditNumber(a, b core.Credit) int { return cmp.Compare(a.Number, b.Number) }

// CreditsOf implements ports.Credits.
func (s *Store) CreditsOf(ctx context.Context, paymentID core.ID) ([]core.Credit, error) {
	return s.CreditsOfAll(ctx, []core.ID{paymentID})
}

// CreditsOfAll implements ports.Credits.
func (s *Store) CreditsOfAll(ctx context.Context, payments []core.ID) ([]core.Credit, error) {
	return list(ctx, s, "memory.CreditsOfAll", func() []core.Credit {
		found := s.credits.where(func(k core.Credit) bool { return slices.Contains(payments, k.PaymentID) })
		slices.SortFunc(found, func(a, b core.Credit) int {
			return cmp.Or(cmp.Compare(a.PaymentID, b.PaymentID), cmp.Compare(a.Number, b.Number))
		})
		return found
	})
}

// AwaitingCredits implements ports.Credits.
func (s *Store) AwaitingCredits(ctx context.Context, accountIDs []int64, limit int) ([]core.Awaited, error) {
	return list(ctx, s, "memory.AwaitingCredits", func() []core.Awaited {
		var found []core.Awaited
		for _, k := range s.credits.where(core.Credit.IsAwaiting) {
			if p, ok := s.payments.get(k.PaymentID); ok && slices.Contains(accountIDs, p.Account.AccountID) {
				found = append(found, core.Awaited{Payment: p, Credit: k})
			}
		}
		slices.SortFunc(found, func(a, b core.Awaited) int { return cmp.Compare(a.Payment.ID, b.Payment.ID) })
		return first(found, limit)
	})
}

// CheckCredits implements ports.Credits.
func (s *Store) CheckCredits(ctx context.Context, most int) (core.CreditCheck, error) {
	return read(ctx, s, "memory.CheckCredits", func() (core.CreditCheck, bool) {
		var check core.CreditCheck
		of := map[core.ID][]core.Credit{}
		for _, k := range s.credits.where(func(core.Credit) bool { return true }) {
			of[k.PaymentID] = append(of[k.PaymentID], k)
		}
		found := map[core.CreditBreachKind]int{}
		for _, p := range s.payments.where(func(core.Payment) bool { return true }) {
			all, brought := of[p.ID], money.New(0, money.TRY)
			slices.SortFunc(all, byCreditNumber)
			if len(all) > 0 {
				brought = money.New(s.brought(all[0], core.Changeset{}), money.TRY)
			}
			for _, kind := range core.CreditBreaches(p, all, brought) {
				if found[kind]++; found[kind] <= most {
					check.Breaches = append(check.Breaches, core.CreditBreach{Kind: kind, TrackingCode: p.TrackingCode})
				}
			}
		}
		for _, k := range s.credits.where(core.Credit.IsAwaiting) {
			if check.Awaiting++; check.OldestAwaiting.IsZero() || k.At.Before(check.OldestAwaiting) {
				check.OldestAwaiting = k.At
			}
		}
		return check, true
	})
}

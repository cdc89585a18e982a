package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// repeating is a changeset with the idempotency key of another one.
func repeating(c, other core.Changeset) core.Changeset {
	return core.Without[payment.IdempotencyRecord](c).Merge(core.Rows(core.RowsOf[payment.IdempotencyRecord](other)))
}

// failures are changes that each break a changeset which was fine, wherever in it: each row that is there already, and what
// else a store refuses.
func failures(w *world) map[string]func(*core.Changeset) {
	taken := w.everything()
	w.commit(taken)
	account := core.RowsOf[owner.Account](taken)[0].ID
	changes := map[string]func(*core.Changeset){
		"use":         func(c *core.Changeset) { *c = append(*c, use(account, 0)) },
		"idempotency": func(c *core.Changeset) { *c = repeating(*c, taken) },
		"unblock":     func(c *core.Changeset) { *c = append(*c, owner.Unblock(w.block().CustomerKey)) },
		"blocked": func(c *core.Changeset) {
			*c = append(*c, owner.NotBlocked(core.RowsOf[owner.Block](taken)[0].CustomerKey))
		},
		"saved line": func(c *core.Changeset) {
			line := core.RowsOf[wallet.BankLine](*c)[0]
			line.Version = 2
			*c = append(*c, line)
		},
		"balance": func(c *core.Changeset) {
			*c = append(*c, w.entry(core.RowsOf[wallet.Wallet](*c)[0].ID, ledger.EntryOutgoing, lineMinor))
		},
	}
	for _, row := range taken {
		switch row.(type) {
		case wallet.BankLine, owner.IBANClaim: // may come again
		case owner.LimitUsage, payment.IdempotencyRecord, owner.NotBlocked, payment.OpenBound: // above
		default:
			changes["the same of "+string(row.Identity().Table)] = func(c *core.Changeset) { *c = append(*c, row) }
		}
	}
	return changes
}

// failingLeavesNothing looks in two ways: no read finds anything, and the same changeset without what broke it is
// accepted, which it could not be if one of its rows, its use or its idempotency record had stayed.
func failingLeavesNothing(w *world) {
	codes := map[string]fault.Code{
		"idempotency": fault.Duplicate, "blocked": fault.Blocked, "balance": fault.Insufficient,
	}
	for name, breaks := range failures(w) {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			whole := w.everything()
			broken := whole
			breaks(&broken)
			code, ok := codes[name]
			if !ok {
				code = fault.Conflict
			}
			w.refused(code, broken)
			w.nothingOf(whole)
			w.commit(core.Changeset{owner.NotBlocked(core.RowsOf[owner.Block](whole)[0].CustomerKey)}, whole)
		})
	}
}

func takenNames(w *world) {
	taken := w.everything()
	w.commit(taken)
	names := map[core.Table][]string{
		"payments": {"TrackingCode", "TokenFingerprint"}, "providers": {"APIKey"}, "dealers": {"APIKey"}, "site_tokens": {"Token"},
		"sites": {"CredentialFingerprint"}, "staff": {"Email"}, "sessions": {"Fingerprint"}, "operations": {"Reference", "ReturnToken"},
		"gateway_accounts": {"Code", "HookToken"}, "notifications": {"GatewayID Key"}, "wallets": {"GatewayID BankAccountID", "WalletID", "IBAN"},
		"ledger_entries": {"Kind PaymentID", "WalletID LineID", "WalletID Day Number"}, "passkeys": {"CredentialID"}, "invitations": {"Fingerprint"},
		"callbacks": {"PaymentID Sequence"}, "audit_chain": {"EntryID"},
	}
	for _, theirs := range taken {
		for _, together := range names[theirs.Identity().Table] {
			w.t.Run(fmt.Sprint(theirs.Identity().Table, " ", together), func(t *testing.T) {
				w := w.in(t)
				change := w.everything()
				i := slices.IndexFunc(change, func(mine core.Row) bool { return mine.Identity().Table == theirs.Identity().Table })
				mine := change[i]
				for _, name := range strings.Fields(together) {
					mine = set(mine, name, reflect.ValueOf(theirs).FieldByName(name).Interface())
				}
				change[i] = mine
				w.refused(fault.Conflict, change)
			})
		}
	}
}

func givenUpName(w *world) {
	before, after := w.provider(), w.provider()
	w.commit(core.Changeset{before})
	oldKey := before.APIKey
	before.Version, before.APIKey = 2, "vzp_rotated"
	after.APIKey = oldKey
	w.commit(core.Changeset{before}, core.Changeset{after})
	w.isStored(after)
}

// largeChangeset has more values than one SQL statement takes parameters, and more text than some take.
func largeChangeset(w *world) {
	const rows = 1000
	var change core.Changeset
	for range rows {
		p := w.payment()
		change = append(change, p)
		change = append(change, w.move(p.ID))
		change = append(change, w.callback(p.ID, "site/1/deposit"))
	}
	w.commit(change)
	w.isStored(change[len(change)-3:]...)
	w.refused(fault.Conflict, core.Rows(core.RowsOf[payment.Payment](change)))
}

func blockedCustomer(w *world) {
	blocked, p := w.block(), w.payment()
	not := func(providerID int64, userID string) core.Row {
		return owner.NotBlocked(owner.CustomerKey{ProviderID: providerID, UserID: userID})
	}
	w.commit(core.Changeset{blocked})
	others := []core.Row{
		not(blocked.ProviderID+1, blocked.UserID), not(blocked.ProviderID, blocked.UserID+" "), not(blocked.ProviderID, ""),
	}
	w.refused(fault.Blocked, append(core.Changeset{p, others[0], owner.NotBlocked(blocked.CustomerKey)}, others[1:]...))
	w.nothingThere(p)
	w.commit(append(others, p))
}

func (w *world) nothingOf(c core.Changeset) {
	w.t.Helper()
	w.nothingThere(c...)
	a := core.RowsOf[owner.Account](c)[0]
	loads, err := w.store.AccountLoads(w.ctx, a.DealerID, a.Kind, today)
	w.no(err)
	w.same(0, len(loads))
}

// nothingThere reads rows of whatever kind.
func (w *world) nothingThere(rows ...core.Row) {
	w.t.Helper()
	for _, row := range rows {
		if !slices.Contains(Conditions(), reflect.TypeOf(row)) {
			kindOf(row).isNotThere(w, row)
		}
	}
}

// canceled calls everything that a store has. It also refuses NotFound: nobody has looked.
func canceled(w *world) {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	for _, c := range calls(w.store) {
		f := w.filling()
		_, err := c.with(ctx, func(t reflect.Type) reflect.Value { return f.argument(t) })
		if err == nil || fault.Is(err, fault.NotFound) {
			w.t.Errorf("%s gave %v", c.name, err)
		}
	}
}

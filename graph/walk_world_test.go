package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// committed writes down every change.
type committed struct {
	ports.Committer
	mu sync.Mutex
	to *strings.Builder

	scope  core.Scope // of whoever changes something
	others []core.Row // that is none of theirs
}

// Commit implements ports.Committer.
func (c *committed) Commit(ctx context.Context, change core.Changeset) error {
	// A job's order, and the audit of it, repeat what was asked; the job's own changes come later.
	seen := slices.DeleteFunc(slices.Clone(change), func(row core.Row) bool {
		_, isJob := row.(report.Job)
		e, isEntry := row.(core.AuditEntry)
		_, isBlock := row.(owner.Block) // of the own provider (isOthers), by any user id
		return isJob || isBlock || isEntry && strings.HasPrefix(e.Target, "job/")
	})
	c.mu.Lock()
	for _, row := range change {
		if isOthers(row, c.scope) {
			c.others = append(c.others, row)
		}
	}
	fmt.Fprintf(c.to, "%+v\n", seen)
	c.mu.Unlock()
	return c.Committer.Commit(ctx, change)
}

// decided returns the first tenants payments that staff have decided, or claimed, and one at a gateway.
func (w *tenants) decided(t *testing.T) {
	t.Helper()
	w.overpaid(t, payment.CreditCard)
	w.othersCard = w.overpay(t, w.Start(t, payment.Request{
		Method: payment.BankDeposit, Amount: lira(25000), Provider: w.OtherProvider, Site: w.OtherSite,
	}))
	rejected := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(30000)).TrackingCode
	for _, query := range []string{
		fmt.Sprintf(`mutation { claimWithdrawal(input: {trackingCode: %q}) { transaction { status } } }`, w.myWithdrawal),
		fmt.Sprintf(`mutation { rejectWithdrawal(input: {trackingCode: %q, reason: "no"}) { transaction { status } } }`, rejected),
	} {
		if answer := w.as(t, staff.Operator, query, nil); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
	}
}

// scopeOf is what the members of a role see.
func (w tenants) scopeOf(t *testing.T, role staff.Role) core.Scope {
	t.Helper()
	for _, member := range w.staff() {
		if member.Role == role {
			return member.Scope()
		}
	}
	t.Fatalf("nobody has the role %s", role)
	return core.Scope{}
}

// isOthers reports whether a row that was committed is a setting of somebody out of a scope.
func isOthers(row core.Row, scope core.Scope) bool {
	if b, isBlock := row.(owner.Block); isBlock {
		return !scope.CoversProvider(b.ProviderID)
	}
	o, ok := row.(interface{ IsIn(core.Scope) bool })
	return ok && !o.IsIn(scope)
}

// others are the handles of what belongs to the other dealer and the other provider.
func (w tenants) others() []string {
	return []string{
		w.OtherWallet.WalletID, w.entry, w.deposit.TrackingCode, w.withdrawal.TrackingCode, w.transfer.TrackingCode,
		string(w.deposit.ID), string(w.withdrawal.ID), string(w.transfer.ID), w.othersCard.TrackingCode, string(w.othersCard.discrepancy),
	}
}

// everyID is what a walk asks with: of others, and of its own.
func (w tenants) everyID() []string {
	return []string{
		"2", w.OtherWallet.WalletID, w.line, w.entry, w.deposit.TrackingCode, w.withdrawal.TrackingCode, w.transfer.TrackingCode,
		string(w.deposit.ID), string(w.othersCard.discrepancy), "1", "3", w.Wallet.WalletID, w.mine, w.myWithdrawal, "u-1001", w.OtherWallet.IBAN,
		"acc-2", w.Admin.Email, "u-theirs-77", "https://mine.test/hook", "4", "5", w.requests[0], w.requests[1],
	}
}

// hiddenFrom is what no answer shows to staff of the first dealer or the first provider.
func (w tenants) hiddenFrom(role staff.Role) []string {
	hidden := []string{
		w.OtherWallet.WalletID, w.OtherWallet.IBAN, w.line + `"`, w.entry, "theirs", w.deposit.TrackingCode, w.withdrawal.TrackingCode,
		w.transfer.TrackingCode, w.OtherDealer.Name, w.OtherProvider.Name, w.Admin.Email, w.othersCard.TrackingCode, string(w.othersCard.discrepancy),
	}
	hidden = append(hidden, w.secret...)
	if role.IsProviders() { // nor what only dealers and the installation itself are to know
		return append(hidden, w.Dealer.Name, w.Wallet.WalletID, w.mine+`"`, w.Operator.Email, "192.0.2.1", `"dealerId":"`)
	}
	return append(hidden, `"dealerId":"2"`, `"providerId":"2"`)
}

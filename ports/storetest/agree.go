package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// Agree does the same random things to two stores, with few rows and few moments so that they often meet, and compares
// the faults on the way and every read at the end. Both stores are empty at first and nobody else uses them. All checks
// share them; each has rows of its own.
func Agree(t *testing.T, tested, reference Store) {
	t.Helper()
	m := newMaker()
	rapid.Check(t, func(rt *rapid.T) {
		d := newDuel(t.Context(), rt, m, tested, reference)
		for range rapid.IntRange(4, 19).Draw(rt, "steps") {
			rapid.SampledFrom([]func(){
				d.commit, d.commit, d.commit, d.commitEntries, d.commitLines, d.commitApprovals, d.claim, d.claimAtGates,
				d.claimAtGates,
			}).Draw(rt, "step")()
		}
		d.forget()
		query, lines, now := d.query(), d.lineQuery(), d.moment()
		if diff := difference(d.look(reference, query, lines, now), d.look(tested, query, lines, now)); diff != "" {
			rt.Fatalf("the stores differ (-reference +tested):\n%s", diff)
		}
	})
}

// duel is one check: the rows it may write, at the versions that are stored, and the customers it may block.
type duel struct {
	*rapid.T
	*maker
	ctx               context.Context // lives exactly as long as the test
	tested, reference Store
	rows              core.Changeset
	records           []payment.IdempotencyRecord
	receivers         []string
	gateways          []int64
	versions          map[core.Identity]int // by identity without its version
	kinds             int                   // bits: what changeset draws
}

func newDuel(ctx context.Context, rt *rapid.T, m *maker, tested, reference Store) *duel {
	d := &duel{T: rt, maker: m, ctx: ctx, tested: tested, reference: reference, versions: map[core.Identity]int{}}
	_, n, _ := m.next()
	d.receivers = []string{fmt.Sprintf("duel/%d/a", n), fmt.Sprintf("duel/%d/b", n)}
	d.gateways = []int64{n, n - 1}
	d.kinds = rapid.IntRange(0, 1<<8-1).Draw(rt, "kinds")
	d.leaveOthersAlone()
	for i := range 3 {
		p, staff := m.payment(), m.staff()
		p.ProviderID = n
		c, a := m.callback(p.ID, d.receivers[i%2]), m.account(n)
		d.rows = d.rows.Merge(core.Changeset{
			p,
			c,
			m.move(p.ID),
			m.attempt(c.ID),
			owner.NotBlocked(m.block().CustomerKey),
			m.operation(p.ID),
			m.discrepancy(p.ID),
			m.gatewayCall(p.ID),
			m.notification(),
			m.gatewayAccount(),
			m.routeRule(),
			m.wallet(n),
		})
		wallet := core.RowsOf[wallet.Wallet](d.rows)[i].ID
		d.rows = append(d.rows, m.feed(wallet))
		d.rows = append(d.rows, m.reconciliation(wallet, today), m.reconciliation(wallet, tomorrow))
		d.rows = append(d.rows, m.provider())
		d.rows = append(d.rows, m.site(n))
		d.rows = append(d.rows, m.dealer())
		d.rows = append(d.rows, m.siteToken())
		d.rows = append(d.rows, a)
		d.rows = append(d.rows, staff)
		d.rows = append(d.rows, m.session(staff.ID))
		d.rows = append(d.rows, m.factors(staff.ID))
		d.rows = append(d.rows, m.passkey(staff.ID))
		d.rows = append(d.rows, m.challenge(staff.ID))
		d.rows = append(d.rows, m.invitation())
		d.rows = append(d.rows, m.approval())
		alter(d.rows, i, func(r *approval.Approval) { r.RequesterID = n })
		d.records = append(d.records, m.record())
	}
	for i := range core.RowsOf[payment.Payment](d.rows) { // a second one of each payment, to the same receiver or the other
		d.rows = append(d.rows, m.callback(core.RowsOf[payment.Payment](d.rows)[i].ID, d.receivers[0]))
	}
	d.rows = append(d.rows, m.approvalRule())
	d.rows = append(d.rows, m.runningTotal(), m.runningTotal())
	d.shareNames()
	return d
}

// both compares the faults of one call to each store.
func (d *duel) both(what string, tested, reference error) {
	if (tested == nil) != (reference == nil) {
		d.Fatalf("%s: tested gives %v, the reference %v", what, tested, reference)
	}
	documented := []fault.Code{fault.Conflict, fault.Duplicate, fault.Blocked, fault.Insufficient, fault.OwnRequest, fault.Uncredited}
	if tested != nil && !slices.Contains(documented, fault.CodeOf(tested)) {
		d.Fatalf("%s: %v", what, tested)
	}
}

func (d *duel) commit() {
	change := d.changeset()
	if !d.oneIn(10) { // else what completes a payment is refused
		change = change.Merge(core.Rows(missingCredits(d.ctx, d.reference, d.maker, change)))
	}
	d.commitBoth(change)
}

func (d *duel) commitBoth(change core.Changeset) {
	err := d.reference.Commit(d.ctx, change)
	d.both("commit", d.tested.Commit(d.ctx, change), err)
	if err == nil {
		d.remember(change)
	}
}

func (d *duel) claim() {
	receiver, now := rapid.SampledFrom(d.receivers).Draw(d.T, "receiver"), d.moment()
	until := now.Add(time.Duration(rapid.IntRange(1, 3).Draw(d.T, "lease")) * time.Minute)
	want, errWant := d.reference.ClaimCallbacks(d.ctx, receiver, now, until, 100)
	got, errGot := d.tested.ClaimCallbacks(d.ctx, receiver, now, until, 100)
	d.both("claim", errGot, errWant)
	slices.SortFunc(want, byDueThenID) // callbacks due at one moment come in any order
	slices.SortFunc(got, byDueThenID)
	if diff := difference(want, got); diff != "" {
		d.Fatalf("claims differ (-reference +tested):\n%s", diff)
	}
	d.remember(core.Rows(got))
}

func byDueThenID(a, b payment.Callback) int {
	return cmp.Or(a.NextAttemptAt.Compare(b.NextAttemptAt), cmp.Compare(a.ID, b.ID))
}

func (d *duel) forget() {
	before := d.moment()
	want, errWant := d.reference.ForgetAnswers(d.ctx, before, 1000)
	got, errGot := d.tested.ForgetAnswers(d.ctx, before, 1000)
	d.both("forget", errGot, errWant)
	if got != want {
		d.Fatalf("%d answers forgotten, the reference forgot %d", got, want)
	}
}

// look reads everything that this check may have written.
func (d *duel) look(s Store, query report.PaymentQuery, lines wallet.BankLineQuery, now time.Time) map[string]any {
	seen := map[string]any{}
	note := func(what string, i int, value any, err error) {
		if err != nil {
			value = fault.CodeOf(err)
		}
		seen[fmt.Sprint(what, " ", i)] = value
	}
	d.lookAtPayments(s, query, now, note)
	d.lookAtOwners(s, note)
	d.lookAtGates(s, now, note)
	d.lookAtWallets(s, lines, note)
	d.lookAtStatements(s, lines, note)
	d.lookAtDesk(s, now, note)
	d.lookAtApprovals(s, now, note)
	return seen
}

func (d *duel) lookAtPayments(
	s Store, query report.PaymentQuery, now time.Time, note func(string, int, any, error),
) {
	for i, p := range core.RowsOf[payment.Payment](d.rows) {
		byCode, err := s.PaymentByTrackingCode(d.ctx, p.TrackingCode)
		note("payment", i, byCode, err)
		byToken, err := s.PaymentByToken(d.ctx, p.Token)
		note("by token", i, byToken, err)
		moves, err := s.MovesOf(d.ctx, p.ID)
		note("moves", i, moves, err)
		callbacks, err := s.CallbacksOf(d.ctx, p.ID)
		note("callbacks", i, callbacks, err)
		logs, err := s.CallbackLogs(d.ctx, p.ID)
		note("callback logs", i, logs, err)
		answer, err := s.FirstAnswer(d.ctx, d.records[i].IdempotencyKey)
		note("first answer", i, stored(answer), err)
	}
	listed, err := s.SearchPayments(d.ctx, query)
	note("list", 0, listed, err)
	due, err := s.DuePayments(d.ctx, now, core.DueCursor{}, 10_000)
	note("due payments", 0, d.ownDue(due.Rows), err)
	before := d.receivers[0][:len(d.receivers[0])-1]
	receivers, err := s.DueReceivers(d.ctx, now, before, 10)
	note("due receivers", 0, receivers, err)
}

// ownDue leaves out other checks' payments; those due at one moment come in any order.
func (d *duel) ownDue(due []payment.Payment) []payment.Payment {
	due = slices.DeleteFunc(due, func(p payment.Payment) bool {
		return p.ProviderID != core.RowsOf[payment.Payment](d.rows)[0].ProviderID
	})
	slices.SortFunc(due, func(a, b payment.Payment) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID))
	})
	return due
}

func (d *duel) lookAtOwners(s Store, note func(string, int, any, error)) {
	for i, p := range core.RowsOf[owner.Provider](d.rows) {
		provider, err := s.Provider(d.ctx, p.ID)
		note("provider", i, provider, err)
		provider, err = s.ProviderByAPIKey(d.ctx, p.APIKey)
		note("by API key", i, provider, err)
		site, err := s.SiteByCredential(d.ctx, core.RowsOf[owner.Site](d.rows)[i].CredentialFingerprint)
		note("site", i, site, err)
		member, err := s.StaffByEmail(d.ctx, core.RowsOf[staff.Staff](d.rows)[i].Email)
		note("staff", i, member, err)
		session, whose, err := s.SessionByFingerprint(d.ctx, core.RowsOf[staff.Session](d.rows)[i].Fingerprint)
		note("session", i, session, err)
		note("session's staff", i, whose, err)
		factors, err := s.FactorsOf(d.ctx, core.RowsOf[staff.Factors](d.rows)[i].StaffID)
		note("factors", i, factors, err)
		passkeys, err := s.PasskeysOf(d.ctx, core.RowsOf[staff.Staff](d.rows)[i].ID)
		note("passkeys", i, passkeys, err)
		challenge, err := s.ChallengeByFingerprint(d.ctx, core.RowsOf[staff.Challenge](d.rows)[i].Fingerprint)
		note("challenge", i, challenge, err)
		invitation, err := s.Invitation(d.ctx, core.RowsOf[staff.Invitation](d.rows)[i].ID)
		note("invitation", i, invitation, err)
	}
	for i, row := range core.RowsOf[owner.NotBlocked](d.rows) {
		customer := owner.CustomerKey(row)
		block, err := s.BlockOf(d.ctx, customer)
		note("block", i, block, err)
		blocks, err := s.Blocks(d.ctx, owner.BlockQuery{ProviderID: customer.ProviderID, Limit: 10})
		note("blocks", i, blocks, err)
		token, err := s.SiteToken(d.ctx, core.RowsOf[owner.SiteToken](d.rows)[i].ID)
		note("site token", i, token, err)
		account, err := s.Account(d.ctx, core.RowsOf[owner.Account](d.rows)[i].ID)
		note("account", i, account, err)
	}
	history, err := s.CustomerHistory(d.ctx, owner.CustomerKey{ProviderID: core.RowsOf[payment.Payment](d.rows)[0].ProviderID, UserID: "u1"})
	note("customer", 0, history, err)
	sites, err := s.Sites(d.ctx, core.RowsOf[owner.Site](d.rows)[0].ProviderID)
	note("sites", 0, sites, err)
	for i, day := range []core.Day{today, tomorrow} {
		loads, err := s.AccountLoads(d.ctx, core.RowsOf[owner.Account](d.rows)[0].DealerID, owner.ManualAccount, day)
		note("loads", i, loads, err)
	}
}

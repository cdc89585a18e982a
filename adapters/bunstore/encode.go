package bunstore

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// rowKey names a row that a commit changes. Two commits with a key in common never share a transaction.
type rowKey struct {
	slot slot
	id   string
}

// encoded is a changeset as SQL, ready to be put into a batch.
type encoded struct {
	tuples [slots]struct {
		sql  []byte
		rows int
	}
	keys    []rowKey
	changed []changed // balances: any number of changesets in a batch may share one
	size    int       // bytes of all tuples
}

// encoder turns one changeset into SQL. The first failure stays in err.
type encoder struct {
	encoded
	shapes *[slots]shape
	gen    schema.QueryGen
	sealer ports.Sealer
	isCopy bool // rows are written as COPY reads them
	err    error
}

func (s *Store) encode(c core.Changeset) (*encoded, error) {
	e := &encoder{shapes: s.shapes, gen: s.gen, sealer: s.sealer}
	_ = e.all(c) // the fault stays in e.err
	for i := range e.tuples {
		e.size += len(e.tuples[i].sql)
	}
	return &e.encoded, e.err
}

// put appends a row to a statement.
func put[R any](e *encoder, at slot, row R, err error) {
	if err != nil && e.err == nil {
		e.err = fault.E("bunstore.encode", fault.Internal, err)
	}
	if e.err != nil {
		return
	}
	if e.isCopy {
		e.copyRow(at, reflect.ValueOf(&row).Elem())
		return
	}
	t := &e.tuples[at]
	if t.rows > 0 {
		t.sql = append(t.sql, ',')
	}
	t.rows++
	t.sql = append(t.sql, '(')
	value := reflect.ValueOf(&row).Elem()
	for i, f := range e.shapes[at].fields {
		if i > 0 {
			t.sql = append(t.sql, ',')
		}
		t.sql = f.AppendValue(e.gen, t.sql, value)
	}
	t.sql = append(t.sql, ')')
}

// putVersion appends a row with a version: 1 inserts, more replaces the row that has one less. The statement that saves
// follows the one that inserts.
func putVersion[R any](e *encoder, insert slot, id string, version int, row R, err error) {
	at := insert
	if version > 1 {
		at++
	}
	if version < 1 && e.err == nil {
		e.err = fault.E("bunstore.encode", fault.Conflict, fmt.Errorf("version %d", version))
	}
	e.touch(insert, id)
	put(e, at, row, err)
}

func (e *encoder) touch(at slot, id string) { e.keys = append(e.keys, rowKey{at, id}) }

func (e *encoder) owners(c core.Changeset) {
	e.ibans(c)
	for _, p := range c.Providers {
		row, err := providerRowOf(p, e.sealer)
		putVersion(e, newProvider, number(p.ID), p.Version, row, err)
	}
	for _, d := range c.Dealers {
		row, err := dealerRowOf(d, e.sealer)
		putVersion(e, newDealer, number(d.ID), d.Version, row, err)
	}
	for _, s := range c.Sites {
		putVersion(e, newSite, number(s.ID), s.Version, siteRowOf(s), nil)
	}
	for _, t := range c.SiteTokens {
		row, err := siteTokenRowOf(t, e.sealer)
		putVersion(e, newSiteToken, number(t.ID), t.Version, row, err)
	}
	for _, a := range c.Accounts {
		row, err := accountRowOf(a)
		putVersion(e, newAccount, number(a.ID), a.Version, row, err)
	}
	for _, u := range c.Unblocks {
		e.touch(unblockSlot, number(u.ProviderID)+"/"+u.UserID)
		put(e, unblockSlot, customerRow{ProviderID: u.ProviderID, UserID: u.UserID}, nil)
	}
	for _, b := range c.Blocks {
		put(e, blockSlot, blockRowOf(b), nil)
	}
	for _, a := range c.GatewayAccounts {
		row, err := gatewayAccountRowOf(a, e.sealer)
		putVersion(e, newGatewayAccount, number(a.ID), a.Version, row, err)
	}
	for _, r := range c.RouteRules {
		row, err := routeRuleRowOf(r)
		putVersion(e, newRouteRule, number(r.ID), r.Version, row, err)
	}
}

func (e *encoder) people(c core.Changeset) {
	for _, s := range c.Staff {
		row, err := staffRowOf(s, e.sealer)
		putVersion(e, newStaff, number(s.ID), s.Version, row, err)
	}
	for _, s := range c.Sessions {
		putVersion(e, newSession, string(s.ID), s.Version, sessionRowOf(s), nil)
	}
	e.signIns(c)
}

func (e *encoder) signIns(c core.Changeset) {
	for _, f := range c.Factors {
		row, err := factorsRowOf(f, e.sealer)
		putVersion(e, newFactors, number(f.StaffID), f.Version, row, err)
	}
	for _, p := range c.Passkeys {
		putVersion(e, newPasskey, string(p.ID), p.Version, passkeyRowOf(p), nil)
	}
	for _, x := range c.Challenges {
		row, err := challengeRowOf(x, e.sealer)
		putVersion(e, newChallenge, x.Fingerprint, x.Version, row, err)
	}
	for _, i := range c.Invitations {
		putVersion(e, newInvitation, string(i.ID), i.Version, invitationRowOf(i), nil)
	}
}

func (e *encoder) payments(c core.Changeset) {
	for _, p := range c.Payments {
		row, err := paymentRowOf(p)
		putVersion(e, newPayment, string(p.ID), p.Version, row, err)
		if p.Version == 1 {
			for _, term := range termsOf(p.ID, p.Customer.Fullname, p.IBAN) {
				put(e, termSlot, term, nil)
			}
		}
	}
	for _, m := range c.Moves {
		put(e, moveSlot, moveRowOf(m), nil)
	}
	for _, u := range c.Unblocked {
		put(e, unblockedSlot, customerRow{ProviderID: u.ProviderID, UserID: u.UserID}, nil)
	}
}

func (e *encoder) gateways(c core.Changeset) {
	for _, o := range c.Operations {
		row, err := operationRowOf(o, e.sealer)
		putVersion(e, newOperation, string(o.ID), o.Version, row, err)
	}
	for _, d := range c.Discrepancies {
		row, err := discrepancyRowOf(d)
		putVersion(e, newDiscrepancy, string(d.ID), d.Version, row, err)
	}
	for _, n := range c.Notifications {
		row, err := notificationRowOf(n, e.sealer)
		putVersion(e, newNotification, string(n.ID), n.Version, row, err)
	}
	for _, g := range c.GatewayCalls {
		put(e, gatewayCallSlot, gatewayCallRowOf(g), nil)
	}
}

func (e *encoder) credits(c core.Changeset) {
	for _, k := range c.Credits {
		row, err := creditRowOf(k)
		putVersion(e, newCredit, string(k.PaymentID)+"/"+strconv.Itoa(k.Number), k.Version, row, err)
	}
}

func (e *encoder) callbacks(c core.Changeset) {
	for _, cb := range c.Callbacks {
		row, err := callbackRowOf(cb)
		putVersion(e, newCallback, string(cb.ID), cb.Version, row, err)
	}
	for _, a := range c.Attempts {
		put(e, attemptSlot, attemptRowOf(a), nil)
	}
}

// uses changes loads where their versions are as expected; a load that may not be there yet is made first.
func (e *encoder) uses(uses []core.AccountUse) {
	rows, ok := usesOf(uses)
	if !ok && e.err == nil {
		e.err = fault.New("bunstore.encode", fault.Conflict)
	}
	for _, r := range rows {
		e.touch(usedLoad, number(r.AccountID)+"/"+string(r.Day))
		if r.Expect <= 0 {
			put(e, madeLoad, loadRow{AccountID: r.AccountID, Day: r.Day}, nil)
		}
		put(e, usedLoad, r, nil)
	}
}

func (e *encoder) records(c core.Changeset) {
	if r := c.Idempotency; r != nil {
		e.touch(answerSlot, r.Caller+"\x00"+r.Endpoint+"\x00"+r.Key)
		put(e, answerSlot, answerRowOf(*r), nil)
	}
	for _, a := range c.Audit {
		put(e, auditSlot, auditRowOf(a), nil)
	}
	for _, l := range c.AuditLinks {
		put(e, auditLinkSlot, linkRowOf(l), nil)
	}
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

package main

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// mirror is what was committed, row by row: what the invariants look at after each step. At the end of a story it is
// compared with what is stored.
type mirror struct {
	commits       int
	payments      map[core.ID]payment.Payment
	order         []core.ID // of payments, as they were made
	moves         map[core.ID][]payment.Transition
	callbacks     map[core.ID]payment.Callback
	callbacksOf   map[core.ID][]core.ID // by payment, as they were made
	operations    map[core.ID]operation.Operation
	operationsOf  map[core.ID][]core.ID
	discrepancies map[core.ID]discrepancy.Discrepancy
	disputesOf    map[core.ID][]core.ID
	lines         map[lineKey]wallet.BankLine
	lineOrder     []lineKey
	doubtful      map[lineKey]bool // was so once
	approvals     map[core.ID]approval.Approval
	waiting       []core.ID // requests, as they were made
	notifications map[core.ID]notification.Notification
	balances      map[int64]balance
	credited      map[core.ID]credited
	credits       map[core.ID][]payment.Credit // by payment: the credit, and its corrections
	owners        owners
}

type lineKey struct {
	wallet int64
	id     string
}

type balance struct{ available, reserved, outside int64 }

// credited is how a payment came to be paid.
type credited struct {
	by         core.Actor
	command    payment.Command
	line       lineKey // zero: by none
	isApproved bool    // by a second person
	before     payment.Payment
	step       Step
}

func newMirror(c *cast) *mirror {
	return &mirror{
		payments: map[core.ID]payment.Payment{}, moves: map[core.ID][]payment.Transition{}, callbacks: map[core.ID]payment.Callback{},
		callbacksOf: map[core.ID][]core.ID{}, operations: map[core.ID]operation.Operation{}, operationsOf: map[core.ID][]core.ID{},
		discrepancies: map[core.ID]discrepancy.Discrepancy{}, disputesOf: map[core.ID][]core.ID{}, lines: map[lineKey]wallet.BankLine{},
		doubtful: map[lineKey]bool{}, approvals: map[core.ID]approval.Approval{}, notifications: map[core.ID]notification.Notification{},
		balances: map[int64]balance{}, credited: map[core.ID]credited{},
		credits: map[core.ID][]payment.Credit{}, owners: newOwners(c),
	}
}

// committed takes a changeset in that was committed just now, and checks what shows at that moment only.
func (w *World) committed(c core.Changeset) {
	m := w.mirror
	m.commits++
	m.lined(c)
	for _, p := range core.RowsOf[payment.Payment](c) {
		before, isOld := m.payments[p.ID]
		if !isOld {
			m.order = append(m.order, p.ID)
		}
		m.payments[p.ID] = p
		w.truth.together[p.ID] = w.truth.together[p.ID] || isTogether(c)
		w.checkClaim(before, p)
		if isPaid(p) && !isPaid(before) {
			m.credited[p.ID] = w.creditedBy(c, before, p)
			w.checkCredited(p, m.credited[p.ID])
		}
	}
	for _, move := range core.RowsOf[payment.Transition](c) {
		w.checkMove(move)
		m.moves[move.PaymentID] = append(m.moves[move.PaymentID], move)
	}
	for _, cb := range core.RowsOf[payment.Callback](c) {
		if _, isOld := m.callbacks[cb.ID]; !isOld {
			m.callbacksOf[cb.PaymentID] = append(m.callbacksOf[cb.PaymentID], cb.ID)
		}
		m.callbacks[cb.ID] = cb
	}
	for _, o := range core.RowsOf[operation.Operation](c) {
		if _, isOld := m.operations[o.ID]; !isOld {
			m.operationsOf[o.PaymentID] = append(m.operationsOf[o.PaymentID], o.ID)
			w.checkPlanned(o, c)
		}
		m.operations[o.ID] = o
	}
	for _, d := range core.RowsOf[discrepancy.Discrepancy](c) {
		if _, isOld := m.discrepancies[d.ID]; !isOld {
			m.disputesOf[d.PaymentID] = append(m.disputesOf[d.PaymentID], d.ID)
		}
		m.discrepancies[d.ID] = d
	}
	for _, a := range core.RowsOf[approval.Approval](c) {
		if _, isOld := m.approvals[a.ID]; !isOld {
			m.waiting = append(m.waiting, a.ID)
		}
		m.approvals[a.ID] = a
	}
	for _, n := range core.RowsOf[notification.Notification](c) {
		m.notifications[n.ID] = n
	}
	w.checkRedirected(c)
	w.credit(c)
}

// lined takes lines and entries in. A line that is imported once more is kept as it was, and its entry is left out.
func (m *mirror) lined(c core.Changeset) {
	known := map[string]bool{}
	for _, l := range core.RowsOf[wallet.BankLine](c) {
		key := lineKey{l.WalletID, l.LineID}
		if _, isOld := m.lines[key]; isOld && l.Version == 1 {
			known[l.LineID] = true
			continue
		} else if !isOld {
			m.lineOrder = append(m.lineOrder, key)
		}
		m.lines[key] = l
		m.doubtful[key] = m.doubtful[key] || l.Status == wallet.LineDoubtful
	}
	for _, e := range core.RowsOf[ledger.Entry](c) {
		if e.LineID != "" && known[e.LineID] {
			continue
		}
		b := m.balances[e.WalletID]
		b.available += e.Available.Minor()
		b.reserved += e.Reserved.Minor()
		b.outside += e.Outside.Minor()
		m.balances[e.WalletID] = b
	}
}

// credit takes credits in, and holds what is paid by then against them.
func (w *World) credit(c core.Changeset) {
	m := w.mirror
	for _, k := range core.RowsOf[payment.Credit](c) {
		list := m.credits[k.PaymentID]
		at := slices.IndexFunc(list, func(known payment.Credit) bool { return known.Number == k.Number })
		switch {
		case at < 0:
			m.credits[k.PaymentID] = append(list, k)
		case k.Version == 1:
			w.fail(oneCredit, "%s has two credits of number %d", k.TrackingCode, k.Number)
		default:
			list[at] = k // its money has come
		}
	}
	for _, p := range core.RowsOf[payment.Payment](c) {
		w.checkCredits(p)
	}
}

// creditedBy is how a changeset makes a payment paid.
func (w *World) creditedBy(c core.Changeset, before, p payment.Payment) credited {
	how := credited{before: before, step: w.step}
	for _, move := range core.RowsOf[payment.Transition](c) {
		if move.PaymentID == p.ID && move.From != move.To { // the others are notes
			how.by, how.command = move.Actor, move.Command
		}
	}
	for _, l := range core.RowsOf[wallet.BankLine](c) {
		if l.PaymentID == p.ID && l.Status == wallet.LineMatched && l.Direction == gateway.Incoming {
			how.line = lineKey{l.WalletID, l.LineID}
		}
	}
	how.isApproved = isTogether(c)
	return how
}

// isPaid reports whether a payment counts as paid.
func isPaid(p payment.Payment) bool {
	return p.Status == payment.Completed || p.Status == payment.Success
}

// isCollected reports whether a payment, when it is paid, credits money that came.
func isCollected(p payment.Payment) bool {
	return p.Method.Kind() == payment.Deposit || p.Method.Kind() == payment.Card
}

// linesOf are the lines that a payment was matched with.
func (m *mirror) linesOf(id core.ID) []wallet.BankLine {
	var list []wallet.BankLine
	for _, key := range m.lineOrder {
		if l := m.lines[key]; l.PaymentID == id && l.Status == wallet.LineMatched {
			list = append(list, l)
		}
	}
	return list
}

// disputes are a payment's discrepancies.
func (m *mirror) disputes(id core.ID) []discrepancy.Discrepancy {
	var list []discrepancy.Discrepancy
	for _, d := range m.disputesOf[id] {
		list = append(list, m.discrepancies[d])
	}
	return list
}

// hasOpen reports whether a payment has a discrepancy that waits for somebody.
func (m *mirror) hasOpen(id core.ID) bool {
	return slices.ContainsFunc(m.disputes(id), discrepancy.Discrepancy.IsOpen)
}

// ends says what became of everything, one line each.
func (w *World) ends() []string {
	var list []string
	m := w.mirror
	for _, id := range m.order {
		p := m.payments[id]
		text := fmt.Sprintf("%s is %s %s", p.TrackingCode, p.Status, p.Amount)
		for _, o := range m.operationsOf[id] {
			text += fmt.Sprintf("; %s %s %s", m.operations[o].Kind, m.operations[o].Phase, m.operations[o].Status)
		}
		for _, d := range m.disputes(id) {
			text += fmt.Sprintf("; discrepancy %s %s %s", d.Kind, d.Status, d.Seen)
		}
		for _, cb := range m.callbacksOf[id] {
			text += fmt.Sprintf("; callback %s %s", m.callbacks[cb].Payload.Status, m.callbacks[cb].Status)
		}
		list = append(list, text)
	}
	for _, key := range m.lineOrder {
		l := m.lines[key]
		list = append(list, fmt.Sprintf("line %s of %s is %s %s %s", l.LineID, l.Amount, l.Status, m.payments[l.PaymentID].TrackingCode, l.Note))
	}
	return list
}

// provider and site are those with a number, as they are now.
func (m *mirror) provider(at int, c *cast) owner.Provider {
	return m.owners.providers[c.providers[at].ID]
}

func (m *mirror) site(at int, c *cast) owner.Site { return m.owners.sites[c.sites[at].ID] }

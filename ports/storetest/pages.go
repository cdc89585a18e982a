package storetest

import (
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func pagesOfSeveral(w *world) {
	var ids []core.ID
	var change core.Changeset
	for i := range 4 {
		p := w.payment()
		ids = append(ids, p.ID)
		change = append(change, p)
		for range i {
			c := w.callback(p.ID, "site/1/deposit")
			change = append(change, c)
			for range i - 1 {
				change = append(change, w.attempt(c.ID))
			}
			change = append(change, w.move(p.ID))
			change = append(change, w.operation(p.ID))
			change = append(change, w.discrepancy(p.ID))
			line := w.bankLine(7)
			line.Direction, line.PaymentID = gateway.Incoming, p.ID
			change = append(change, line)
		}
	}
	change = append(change, w.walletOf(7))
	w.commit(change)
	asked := append(slices.Clone(ids[:3]), "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	var moves []payment.Transition
	var logs []payment.CallbackLog
	var operations []operation.Operation
	var discrepancies []discrepancy.Discrepancy
	var lines []wallet.BankLine
	for _, id := range ids[:3] {
		moves = append(moves, each(w, w.store.MovesOf, id)...)
		for _, c := range each(w, w.store.CallbacksOf, id) {
			logs = append(logs, payment.CallbackLog{Callback: c, Attempts: w.attemptsOf(c)})
		}
		operations = append(operations, each(w, w.store.OperationsOf, id)...)
		discrepancies = append(discrepancies, each(w, w.store.DiscrepanciesOf, id)...)
		lines = append(lines, each(w, w.store.LinesOf, id)...)
	}
	w.same(moves, each(w, w.store.MovesOf, asked...))
	w.same(logs, each(w, w.store.CallbackLogs, asked...))
	w.same(operations, each(w, w.store.OperationsOf, asked...))
	w.same(discrepancies, each(w, w.store.DiscrepanciesOf, asked...))
	w.same(lines, each(w, w.store.LinesOf, asked...))
	w.same(ids[:3], paymentIDs(read(w, w.store.PaymentsByID, asked)))
}

// each reads what must be there to be read.
func each[K, R any](w *world, read func(ctx context.Context, of ...K) ([]R, error), of ...K) []R {
	w.t.Helper()
	rows, err := read(w.ctx, of...)
	w.no(err)
	return rows
}

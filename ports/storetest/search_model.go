package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// searchModel is a number of payments that share much, with what they are found by at gateways and banks.
type searchModel struct {
	payments   []payment.Payment
	operations []operation.Operation
	lines      []wallet.BankLine
}

var gatheredIBANs = []string{"", senderIBAN, "TR290006400000112345678901"}

func newSearchModel(w *world, count int) searchModel {
	w.t.Helper()
	var m searchModel
	names := []string{"Ayşe Yılmaz", "AYSE NUR YILMAZER", "Işık Öz", "", "Mehmet Işık", "u2"}
	for i := range count {
		at := epoch.Add(time.Duration(i/3) * 10 * time.Minute)
		p := w.payment()
		p.ID = w.idAt(at)
		p.Method, p.Status = payment.Methods()[i%5], payment.Statuses()[i*i%9]
		p.TrackingCode = p.Method.Prefix() + string(p.ID[10:])
		p.ProviderID, p.SiteID, p.DealerID, p.IBAN = int64(1+i%3), int64(1+i%5), int64(1+i%2), gatheredIBANs[i%3]
		p.Customer = owner.Customer{UserID: fmt.Sprint("u", i%4), Fullname: names[i*5%len(names)]}
		p.Amount, p.Gateway.GatewayID = lira(int64(i*13%7)*100+1), int64(i%3)
		p.CreatedAt, p.UpdatedAt = at.Add(time.Duration(i%2)*time.Second), at.Add(time.Duration(i*7%11+1)*5*time.Minute)
		if p.FinishedAt = (time.Time{}); p.Status.IsFinal() {
			p.FinishedAt = p.UpdatedAt.Add(-time.Duration(i%3) * time.Minute)
		}
		m.payments = append(m.payments, p)
		if i%4 == 0 {
			o := w.operation(p.ID)
			o.Reference, o.External.ID = gateway.Ref(fmt.Sprint("r", i)), fmt.Sprint("u", i%5)
			m.operations = append(m.operations, o)
		}
		if i%6 == 0 || i%6 == 2 { // payments without the sender's IBAN
			l := w.bankLine(7)
			if l.PaymentID = p.ID; i%6 == 2 {
				l.Direction = gateway.Outgoing
			}
			m.lines = append(m.lines, l)
		}
	}
	return m
}

// searchesAgree asks for each filter alone, and for some together.
func searchesAgree(w *world) {
	m, random := newSearchModel(w, 60), rand.New(rand.NewPCG(5, 5))
	w.commit(core.Changeset{w.walletOf(7)}.Merge(core.Rows(m.payments)).Merge(core.Rows(m.operations)), core.Rows(m.lines))
	filters := m.filters(random)
	most, times := 0, 8
	if testing.Short() {
		times = 2
	}
	last := times*len(filters) + 25*times // asks for everything
	for i := range last + 1 {
		q := report.PaymentQuery{
			Sort: report.PaymentSorts()[random.IntN(6)], Paging: core.Paging[report.Cursor]{Limit: 1 + random.IntN(9), IsLast: i%2 > 0},
			MaxLooked: []int{0, 0, 0, 1, 4, 1000}[random.IntN(6)],
		}
		for n, filter := range filters {
			if n == i/times || i >= times*len(filters) && i < last && random.IntN(6) == 0 {
				filter(&q)
			}
		}
		want, got := paymentIDs(w.searched(m, q)), paymentIDs(w.searched(w.store, q))
		if !slices.Equal(got, want) {
			w.t.Fatalf("%+v finds %v, want %v", q, got, want)
		}
		most = max(most, len(want))
	}
	w.same(len(m.payments), most)
}

// filters set what a list may be asked for, each to something at random.
func (m searchModel) filters(random *rand.Rand) []func(q *report.PaymentQuery) {
	some := func() payment.Payment { return m.payments[random.IntN(len(m.payments))] }
	order := func() string { return strings.ReplaceAll(some().TrackingCode, "-", "") }
	at := func() time.Time { return epoch.Add(time.Duration(random.IntN(33)-2) * 5 * time.Minute) }
	text := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	operation := func() operation.Operation { return m.operations[random.IntN(len(m.operations))] }
	return []func(q *report.PaymentQuery){
		func(q *report.PaymentQuery) { q.Methods = append(q.Methods, some().Method, some().Method) },
		func(q *report.PaymentQuery) { q.Statuses = append(q.Statuses, some().Status, some().Status) },
		func(q *report.PaymentQuery) { q.ProviderID = some().ProviderID },
		func(q *report.PaymentQuery) { q.SiteID = some().SiteID },
		func(q *report.PaymentQuery) { q.DealerID = some().DealerID },
		func(q *report.PaymentQuery) { q.Scope.ProviderID = some().ProviderID },
		func(q *report.PaymentQuery) { q.GatewayID = 2 },
		func(q *report.PaymentQuery) { q.IDs = append(q.IDs, some().ID, some().ID, some().ID) },
		func(q *report.PaymentQuery) { q.TrackingCode = some().TrackingCode },
		func(q *report.PaymentQuery) { q.UserID = some().Customer.UserID },
		func(q *report.PaymentQuery) { q.OrderID = order() },
		func(q *report.PaymentQuery) { q.Name = text("ayse", "yilmaz ay", "ISIK", "mehmet yilmaz") },
		func(q *report.PaymentQuery) { q.IBAN = text(gatheredIBANs...) },
		func(q *report.PaymentQuery) {
			q.GatewayReference = text(string(operation().Reference), operation().External.ID, "none")
		},
		func(q *report.PaymentQuery) {
			q.Text = text("u2", "isik", "r8", some().TrackingCode, order(), senderIBAN, "yılmaz")
		},
		func(q *report.PaymentQuery) { q.CreatedFrom = at() }, func(q *report.PaymentQuery) { q.CreatedUntil = at() },
		func(q *report.PaymentQuery) { q.UpdatedFrom = at() }, func(q *report.PaymentQuery) { q.UpdatedUntil = at() },
		func(q *report.PaymentQuery) { q.FinishedFrom = at() }, func(q *report.PaymentQuery) { q.FinishedUntil = at() },
		func(q *report.PaymentQuery) { q.MinAmount = some().Amount }, func(q *report.PaymentQuery) { q.MaxAmount = some().Amount },
	}
}

// searched follows a list to its end, or from there to its beginning. A search that stops goes on behind the place where it was.
func (w *world) searched(s searcher, q report.PaymentQuery) (all []payment.Payment) {
	w.t.Helper()
	for range 1000 {
		found, err := s.SearchPayments(w.ctx, q)
		w.no(err)
		next, hasMore := found.Next(q)
		if q.IsLast {
			slices.Reverse(found.Payments)
		}
		all = append(all, found.Payments...)
		if !hasMore {
			return all
		}
		if next.Paging == q.Paging {
			w.t.Fatalf("a search from %+v stopped there", q.Paging)
		}
		q = next
	}
	w.t.Fatal("the list does not end")
	return nil
}

// searcher is who finds payments.
type searcher interface {
	SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Page, error)
}

// SearchPayments looks at each payment, in the list's order.
func (m searchModel) SearchPayments(_ context.Context, q report.PaymentQuery) (report.Page, error) {
	if q.Limit < 1 {
		return report.Page{}, nil
	}
	looked := slices.DeleteFunc(slices.Clone(m.payments), func(p payment.Payment) bool {
		place := q.Sort.PlaceOf(p)
		return q.After.ID != "" && q.Sort.ComparePlaces(q.After, place) >= 0 ||
			q.Before.ID != "" && q.Sort.ComparePlaces(place, q.Before) >= 0
	})
	slices.SortFunc(looked, q.Sort.Compare)
	if q.IsLast {
		slices.Reverse(looked)
	}
	var found report.Page
	for i, p := range looked {
		if m.isAskedFor(q, p) {
			found.Payments = append(found.Payments, p)
		}
		if len(found.Payments) == q.Limit {
			break
		}
		if i+1 == q.MaxLooked && i+1 < len(looked) {
			place := q.Sort.PlaceOf(p)
			found.Stop = &place
			break
		}
	}
	if q.IsLast {
		slices.Reverse(found.Payments)
	}
	return found, nil
}

// isAskedFor reports whether all that the query asks for holds: what is matched in memory and what is searched for agree.
func (m searchModel) isAskedFor(q report.PaymentQuery, p payment.Payment) bool {
	var operations []operation.Operation
	for _, o := range m.operations {
		if o.PaymentID == p.ID {
			operations = append(operations, o)
		}
	}
	var lines []wallet.BankLine
	for _, l := range m.lines {
		if l.PaymentID == p.ID {
			lines = append(lines, l)
		}
	}
	return q.Match().Holds(p, report.TraceOf(operations, lines))
}

package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// gathering is a number of payments that share much, with what they are found by at gateways and banks.
type gathering struct {
	payments   []payment.Payment
	operations []operation.Operation
	lines      []wallet.BankLine
}

var gatheredIBANs = []string{"", "TR330006100519786457841326", "TR290006400000112345678901"}

func gather(w *world, count int) gathering {
	w.t.Helper()
	var g gathering
	names := []string{"Ayşe Yılmaz", "AYSE NUR YILMAZER", "Işık Öz", "", "Mehmet Işık", "u2"}
	for i := range count {
		at := epoch.Add(time.Duration(i/3) * 10 * time.Minute)
		ids, err := core.NewIDs(at, rand.Reader)
		w.no(err)
		id := ids.Next()
		method := payment.Methods()[i%5]
		p := payment.Payment{
			ID: id, Version: 1, TrackingCode: method.Prefix() + string(id[10:]), Method: method, Status: payment.Statuses()[i*i%9],
			ProviderID: int64(1 + i%3), SiteID: int64(1 + i%5), DealerID: int64(1 + i%2), IBAN: gatheredIBANs[i%3],
			Customer: owner.Customer{UserID: fmt.Sprint("u", i%4), Fullname: names[i*5%len(names)]},
			Amount:   money.New(int64(i*13%7)*100+1, money.TRY), RequestedAmount: money.New(1, money.TRY),
			CreatedAt: at.Add(time.Duration(i%2) * time.Second), UpdatedAt: at.Add(time.Duration(i*7%11+1) * 5 * time.Minute),
		}
		p.Gateway.GatewayID = int64(i % 3)
		if p.Status.IsFinal() {
			p.FinishedAt = p.UpdatedAt.Add(-time.Duration(i%3) * time.Minute)
		}
		g.payments = append(g.payments, p)
		if i%4 == 0 {
			g.operations = append(g.operations, operation.Operation{
				ID: id, Version: 1, PaymentID: id, Kind: operation.DepositOperation, GatewayID: 1, Phase: operation.Closed, CreatedAt: at,
				Reference: gateway.Ref(fmt.Sprint("r", i)), External: gateway.ExternalRef{ID: fmt.Sprint("u", i%5)},
			})
		}
		if i%6 == 0 {
			g.lines = append(g.lines, wallet.BankLine{
				WalletID: 1, LineID: fmt.Sprint(i), ID: id, Version: 1, Direction: gateway.Incoming, BookedAt: at, ImportedAt: at,
				Party: gateway.Party{IBAN: gatheredIBANs[1]}, Status: wallet.LineMatched, PaymentID: id, Amount: p.Amount,
			})
		}
	}
	return g
}

func searchesAgree(w *world) {
	g := gather(w, 60)
	w.commit(core.Changeset{w.walletOf(1)}.Merge(core.Rows(g.payments)).Merge(core.Rows(g.operations)), core.Rows(g.lines))
	most := 0
	rapid.Check(w.t, func(t *rapid.T) {
		q := g.anyQuery(t)
		want, got := followed(t, g, q), followed(t, w.store, q)
		if !slices.Equal(got, want) {
			t.Fatalf("found %v, want %v", got, want)
		}
		most = max(most, len(want))
	})
	if most < 5 && !testing.Short() { // of few queries chance may find little
		w.t.Errorf("no list had more than %d payments", most)
	}
}

// anyQuery draws what a list may be asked for; each filter is set as often as not.
func (g gathering) anyQuery(t *rapid.T) report.PaymentQuery {
	some := rapid.SampledFrom(g.payments).Draw(t, "some")
	order := strings.ReplaceAll(some.TrackingCode, "-", "")
	operation := rapid.SampledFrom(g.operations).Draw(t, "operation")
	q := report.PaymentQuery{
		Sort: rapid.SampledFrom(report.PaymentSorts()).Draw(t, "sort"), Paging: core.Paging[report.Cursor]{Limit: rapid.IntRange(1, 9).Draw(t, "limit"), IsLast: rapid.Bool().Draw(t, "last")},
		MaxLooked: rapid.SampledFrom([]int{0, 0, 0, 1, 4, 1000}).Draw(t, "looked"),
	}
	isSet := func(name string) bool { return rapid.IntRange(0, 5).Draw(t, name) == 0 }
	at := func(name string) time.Time {
		return epoch.Add(time.Duration(rapid.IntRange(-2, 30).Draw(t, name)) * 7 * time.Minute)
	}
	lira := func(name string) money.Amount {
		return money.New(int64(rapid.IntRange(1, 700).Draw(t, name)), money.TRY)
	}
	for _, filter := range []struct {
		name string
		set  func()
	}{
		{"methods", func() { q.Methods = rapid.SliceOfN(rapid.SampledFrom(payment.Methods()), 1, 9).Draw(t, "m") }},
		{"statuses", func() { q.Statuses = rapid.SliceOfN(rapid.SampledFrom(payment.Statuses()), 1, 9).Draw(t, "s") }},
		{"provider", func() { q.ProviderID = some.ProviderID }}, {"site", func() { q.SiteID = some.SiteID }},
		{"dealer", func() { q.DealerID = some.DealerID }}, {"gateway", func() { q.GatewayID = 2 }},
		{"code", func() { q.TrackingCode = some.TrackingCode }}, {"user", func() { q.UserID = some.Customer.UserID }},
		{"order", func() { q.OrderID = order }},
		{"name", func() {
			q.Name = rapid.SampledFrom([]string{"ayse", "yilmaz ay", "ISIK", "mehmet yilmaz"}).Draw(t, "n")
		}},
		{"iban", func() { q.IBAN = rapid.SampledFrom(gatheredIBANs).Draw(t, "i") }},
		{"reference", func() {
			q.GatewayReference = rapid.SampledFrom([]string{string(operation.Reference), operation.External.ID, "none"}).Draw(t, "r")
		}},
		{"text", func() {
			q.Text = rapid.SampledFrom([]string{"u2", "isik", "r8", some.TrackingCode, order, gatheredIBANs[1], "yılmaz"}).Draw(t, "t")
		}},
		{"created", func() { q.CreatedFrom = at("cf") }}, {"created until", func() { q.CreatedUntil = at("cu") }},
		{"updated", func() { q.UpdatedFrom = at("uf") }}, {"updated until", func() { q.UpdatedUntil = at("uu") }},
		{"finished", func() { q.FinishedFrom = at("ff") }}, {"finished until", func() { q.FinishedUntil = at("fu") }},
		{"least", func() { q.MinAmount = lira("min") }}, {"most", func() { q.MaxAmount = lira("max") }},
	} {
		if isSet(filter.name) {
			filter.set()
		}
	}
	return q
}

// followed follows a list to its end, or from there to its beginning.
func followed(t *rapid.T, s searcher, q report.PaymentQuery) (ids []core.ID) {
	for range 1000 {
		found, err := s.SearchPayments(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if q.IsLast {
			slices.Reverse(found.Payments)
		}
		for _, p := range found.Payments {
			ids = append(ids, p.ID)
		}
		switch n := len(found.Payments); {
		case found.Stop != nil:
			q.Paging = q.Beyond(*found.Stop)
		case n == q.Limit:
			q.Paging = q.Beyond(q.Sort.PlaceOf(found.Payments[n-1]))
		default:
			return ids
		}
	}
	t.Fatal("the list does not end")
	return nil
}

// searcher is who finds payments.
type searcher interface {
	SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Page, error)
}

// SearchPayments looks at each payment, in the list's order.
func (g gathering) SearchPayments(_ context.Context, q report.PaymentQuery) (report.Page, error) {
	if q.Limit < 1 {
		return report.Page{}, nil
	}
	looked := slices.DeleteFunc(slices.Clone(g.payments), func(p payment.Payment) bool {
		place := q.Sort.PlaceOf(p)
		return q.After.ID != "" && q.Sort.ComparePlaces(q.After, place) >= 0 ||
			q.Before.ID != "" && q.Sort.ComparePlaces(place, q.Before) >= 0
	})
	slices.SortFunc(looked, q.Sort.Compare)
	var found report.Page
	if q.IsLast {
		slices.Reverse(looked)
	}
	for i, p := range looked {
		if g.isAskedFor(q, p) {
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

// isAskedFor reports whether all that the query asks for holds.
func (g gathering) isAskedFor(q report.PaymentQuery, p payment.Payment) bool {
	if !asks(q, p) || !isBetween(q, p) {
		return false
	}
	for _, ways := range q.Lookups() {
		if !slices.ContainsFunc(ways, func(l report.Lookup) bool { return g.isFoundBy(l, p) }) {
			return false
		}
	}
	return true
}

func asks(q report.PaymentQuery, p payment.Payment) bool {
	return p.IsIn(q.Scope) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, p.ID)) &&
		(len(q.Methods) == 0 || slices.Contains(q.Methods, p.Method)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, p.Status)) &&
		(q.ProviderID == 0 || q.ProviderID == p.ProviderID) &&
		(q.SiteID == 0 || q.SiteID == p.SiteID) &&
		(q.GatewayID == 0 || q.GatewayID == p.Gateway.GatewayID)
}

// isBetween reports whether the payment is within the query's ranges.
func isBetween(q report.PaymentQuery, p payment.Payment) bool {
	return isWithin(p.CreatedAt, q.CreatedFrom, q.CreatedUntil) &&
		isWithin(p.UpdatedAt, q.UpdatedFrom, q.UpdatedUntil) &&
		isWithin(p.FinishedAt, q.FinishedFrom, q.FinishedUntil) &&
		(q.MinAmount.IsZero() || p.Amount.Minor() >= q.MinAmount.Minor()) &&
		(q.MaxAmount.IsZero() || p.Amount.Minor() <= q.MaxAmount.Minor())
}

// isWithin reports whether a moment is in a range; the zero one, which is none, is in no range that has an end.
func isWithin(at, from, until time.Time) bool {
	if from.IsZero() && until.IsZero() {
		return true
	}
	return !at.IsZero() && !at.Before(from) && (until.IsZero() || at.Before(until))
}

func (g gathering) isFoundBy(l report.Lookup, p payment.Payment) bool {
	switch l.By {
	case report.ByTrackingCode:
		return p.TrackingCode == l.Text
	case report.ByOrderID:
		return slices.Contains(report.CodesOfOrder(l.Text), p.TrackingCode)
	case report.ByUserID:
		return p.Customer.UserID == l.Text
	case report.ByName:
		return report.HasName(owner.FoldName(p.Customer.Fullname), l.Text)
	case report.ByIBAN:
		return p.IBAN == l.Text || slices.ContainsFunc(g.lines, func(b wallet.BankLine) bool {
			return b.PaymentID == p.ID && b.Direction == gateway.Incoming && iban.Normalize(b.Party.IBAN) == l.Text
		})
	default:
		return slices.ContainsFunc(g.operations, func(o operation.Operation) bool {
			return o.PaymentID == p.ID && (string(o.Reference) == l.Text || o.External.ID == l.Text)
		})
	}
}

package report

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Page is one page of payments.
type Page struct {
	Nodes   []payment.Payment
	Sort    report.PaymentSort
	HasNext bool
	Stop    *report.Cursor // where the search gave up before the page was full; more may follow
}

// Edge is a payment in a page.
type Edge struct {
	Node payment.Payment
	Sort report.PaymentSort
}

// Edges are the page's payments with their order.
func (p *Page) Edges() []Edge {
	rows := make([]Edge, len(p.Nodes))
	for i := range p.Nodes {
		rows[i] = Edge{p.Nodes[i], p.Sort}
	}
	return rows
}

// End is where the page ends; nil: it is empty and nothing follows.
func (p *Page) End() *report.Cursor {
	return report.Page{Payments: p.Nodes, Stop: p.Stop}.End(p.Sort)
}

// Transactions returns a page of payments. Fault Invalid: Limit is not 1 to core.MaxPage, a status, method or sort is none,
// MaxAmount is set to nothing, a text is too long or can't be what it is searched as, or the search is too wide.
func (s *Backoffice) Transactions(ctx context.Context, member staff.Staff, q report.PaymentQuery) (Page, error) {
	const op = "backoffice.Transactions"
	if err := member.Require(staff.ReadTransactions); err != nil {
		return Page{}, err
	}
	q, err := cleaned(q)
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	if mine := member.Scope(); mine != (core.Scope{}) {
		q.Scope = mine
	}
	limit := q.Limit
	q.Limit++ // one more tells whether there is a next page
	found, err := s.Reports.SearchPayments(ctx, q)
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	page := Page{
		Nodes: found.Payments[:min(limit, len(found.Payments))], Sort: q.Sort, HasNext: len(found.Payments) > limit,
	}
	if !page.HasNext && found.Stop != nil {
		page.Stop, page.HasNext = found.Stop, true
	}
	return page, nil
}

// cleaned checks a query, and writes what is searched for as it is stored.
func cleaned(q report.PaymentQuery) (report.PaymentQuery, error) {
	var form core.Form
	if q.Limit < 1 || q.Limit > core.MaxPage {
		form.Fail("first", "field.between", 1, core.MaxPage)
	}
	q = q.Cleaned(&form)
	return q, form.Err("backoffice.cleaned")
}

package conformance_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

func (b *bank) table() map[string]func(r *http.Request, in order) answer {
	table := map[string]func(r *http.Request, in order) answer{
		"GET /me": func(*http.Request, order) answer {
			return answer{200, map[string]string{"me": b.config.Text("account")}}
		},
		"GET /options": func(*http.Request, order) answer {
			return answer{200,
				[]string{"TRY", "USDT (TRC20)"}}
		},
		"GET /rates/{coin}": func(*http.Request, order) answer {
			return answer{200,
				map[string]string{"rate": "34.51"}}
		},
		"GET /deposits":                  func(r *http.Request, _ order) answer { return b.list(r) },
		"GET /refunds/{ref}":             func(r *http.Request, _ order) answer { return b.readRefund(r.PathValue("ref")) },
		"POST /deposits/{ref}/refunds":   b.refund,
		"POST /deposits/{ref}/cancel":    func(r *http.Request, _ order) answer { return b.cancel(r, "waiting") },
		"POST /deposits/{ref}/finish":    func(r *http.Request, _ order) answer { return b.finish(r.PathValue("ref")) },
		"POST /payouts/{ref}/cancel":     func(r *http.Request, _ order) answer { return b.cancel(r, "queued") },
		"POST /payouts/{ref}/approve":    b.approve,
		"GET /accounts":                  func(*http.Request, order) answer { return b.accounts() },
		"GET /accounts/{account}":        func(r *http.Request, _ order) answer { return b.balance(r.PathValue("account")) },
		"GET /accounts/{account}/lines":  func(r *http.Request, _ order) answer { return b.lines(r) },
		"POST /test/that/changes/things": func(*http.Request, order) answer { b.writes++; return answer{200, nil} },
	}
	for _, kind := range []string{"deposits", "payouts", "transfers"} {
		table["POST /"+kind] = func(r *http.Request, in order) answer {
			return b.create(kind, r.Header.Get("Idempotency-Key"), in)
		}
		table["GET /"+kind+"/{ref}"] = func(r *http.Request, _ order) answer { return give(b.find(r.PathValue("ref"))) }
	}
	return table
}

func (b *bank) create(kind, key string, in order) answer {
	for _, e := range b.held {
		if key != "" && e.key == key {
			return give(e)
		}
	}
	if _, err := money.ParseDecimal(in.Amount); err != nil {
		return refuse("bad_request")
	}
	in.Kind, in.Status = kind, "waiting"
	if kind != "deposits" {
		in.Status = "queued"
	}
	switch b.plans[in.Ref] {
	case conformance.HasNoFunds:
		return refuse("no_funds")
	case conformance.HasWrongName:
		return refuse("wrong_name")
	case conformance.NeedsApproval:
		in.Status = "approval"
	}
	return give(b.hold(key, in))
}

func (b *bank) hold(key string, in order) *entry {
	b.last++
	b.writes++
	in.ID = fmt.Sprintf("id-%d", b.last)
	in.Token = fmt.Sprintf("tok-%d-7f3c", b.last)
	in.Page = "https://pay.sample.example/" + in.Token
	e := &entry{order: in, key: key, at: b.now()}
	b.held = append(b.held, e)
	return e
}

func (b *bank) cancel(r *http.Request, open string) answer {
	e := b.find(r.PathValue("ref"))
	switch {
	case e == nil:
		return give(nil)
	case e.Status == "canceled":
	case e.Status != open:
		return answer{409, map[string]string{"error": "conflict"}}
	default:
		e.Status = "canceled"
		b.writes++
	}
	return give(e)
}

func (b *bank) finish(ref string) answer {
	e := b.find(ref)
	if e == nil {
		return give(nil)
	}
	b.finishes[ref]++
	b.writes++
	if e.Status == "authorized" {
		e.Status, e.Paid, e.PaidIn = "paid", e.Amount, e.Currency
	}
	return give(e)
}

func (b *bank) approve(r *http.Request, in order) answer {
	e := b.find(r.PathValue("ref"))
	switch {
	case e == nil:
		return give(nil)
	case in.Name != "246810":
		return refuse("bad_code")
	}
	e.Status = "queued"
	b.writes++
	return give(e)
}

func (b *bank) refund(r *http.Request, in order) answer {
	key := r.Header.Get("Idempotency-Key")
	for _, e := range b.held {
		if key != "" && e.key == key {
			return give(e)
		}
	}
	e := b.find(r.PathValue("ref"))
	if e == nil {
		return give(nil)
	}
	total := e.refunded.Add(money.MustDecimal(in.Amount))
	switch {
	case e.refunds == conformance.IsPastVoidTime:
		return refuse("too_late")
	case e.Paid == "":
		return refuse("not_paid")
	case total.Cmp(money.MustDecimal(e.Paid)) > 0:
		return refuse("too_much")
	}
	e.refunded = total
	in.Kind, in.Status = "refunds", "done"
	if e.refunds != "" {
		in.Status = "pending"
	}
	refund := b.hold(key, in)
	refund.deposit = e
	return give(refund)
}

func (b *bank) readRefund(ref string) answer {
	e := b.find(ref)
	if e != nil && e.deposit.refunds == conformance.RefundFails {
		e.Status = "failed"
	}
	return give(e)
}

func (b *bank) accounts() answer {
	return answer{200, []map[string]string{
		{"id": "1", "iban": "TR330006100519786457841326"}, {"id": "2", "iban": "TR320010009999901234567890"},
	}}
}

func (b *bank) balance(account string) answer {
	if _, ok := b.statement[account]; !ok {
		return give(nil)
	}
	return answer{200, map[string]any{"total": "1000.50", "available": "900.25", "at": b.now()}}
}

// window reads the query of a listing.
func window(r *http.Request) (from, to time.Time, limit int) {
	q := r.URL.Query()
	from, _ = time.Parse(time.RFC3339, q.Get("from"))
	to, _ = time.Parse(time.RFC3339, q.Get("to"))
	limit, _ = strconv.Atoi(q.Get("limit"))
	return from, to, limit
}

// cut makes a page of rows that come after a place, "<seconds>.<id>", in the order of their places.
func cut[R any](r *http.Request, rows []R, at func(R) (time.Time, string)) answer {
	from, to, limit := window(r)
	page, next := []R{}, ""
	for _, row := range rows {
		when, id := at(row)
		place := fmt.Sprintf("%012d.%s", when.Unix(), id)
		if when.Before(from) || !when.Before(to) || strings.Compare(place, r.URL.Query().Get("after")) <= 0 {
			continue
		}
		if len(page) == limit {
			break
		}
		page, next = append(page, row), place
	}
	if len(page) < limit {
		next = ""
	}
	return answer{200, map[string]any{"items": page, "next": next}}
}

func (b *bank) lines(r *http.Request) answer {
	lines, ok := b.statement[r.PathValue("account")]
	from, to, _ := window(r)
	switch {
	case !ok:
		return give(nil)
	case to.Sub(from) > 72*time.Hour:
		return refuse("window")
	}
	return cut(r, lines, func(l booking) (time.Time, string) { return l.BookedAt, l.ID })
}

func (b *bank) list(r *http.Request) answer {
	var rows []*entry
	for _, e := range b.held {
		if e.Kind == "deposits" && !e.isHidden {
			rows = append(rows, e)
		}
	}
	return cut(r, rows, func(e *entry) (time.Time, string) { return e.at, fmt.Sprintf("%09s", e.ID) })
}

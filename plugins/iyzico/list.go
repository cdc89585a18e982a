package iyzico

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// line is one line of a day's listing: a payment, cancel or refund.
type line struct {
	Type           plugkit.Text `json:"transactionType"`
	Date           plugkit.Text `json:"transactionDate"` // in Istanbul, without a zone
	Status         plugkit.Text `json:"transactionStatus"`
	PaymentID      plugkit.Text `json:"paymentId"`
	ConversationID plugkit.Text `json:"conversationId"`
	BasketID       plugkit.Text `json:"basketId"`
	PaidPrice      plugkit.Text `json:"paidPrice"`
	Currency       plugkit.Text `json:"transactionCurrency"`
}

// maxPage bounds what a cursor may ask for.
const maxPage = 100_000

// ListDeposits implements ports.DepositLister. iyzico lists by day and page; a cursor is "2026-11-21/2". Only payments
// are listed: the line of a refund does not say whether it gave back the whole.
func (g *Gateway) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	if !w.From.Before(w.To) {
		return gateway.ObservationPage{}, nil
	}
	day, page, err := position(w, c)
	if err != nil {
		return gateway.ObservationPage{}, err
	}
	var r report
	query := "?transactionDate=" + url.QueryEscape(day.Format(time.DateOnly)) + "&page=" + strconv.Itoa(page)
	if err := g.get(ctx, pathListing+query, &r); err != nil {
		return gateway.ObservationPage{}, err
	}
	answer := gateway.ObservationPage{Next: next(w, day, page, string(r.Pages))}
	for _, l := range r.Transactions {
		if l.Type != "PAYMENT" {
			continue
		}
		o, err := l.observe()
		if err != nil {
			return gateway.ObservationPage{}, err
		}
		if !o.At.Before(w.From) && o.At.Before(w.To) {
			answer.Items = append(answer.Items, o)
		}
	}
	return answer, nil
}

// position is the day, in Istanbul, and the page that a cursor stands for.
func position(w gateway.Window, c gateway.Cursor) (time.Time, int, error) {
	if c == "" {
		return w.From.In(istanbul), 1, nil
	}
	date, number, _ := strings.Cut(string(c), "/")
	day, err := time.ParseInLocation(time.DateOnly, date, istanbul)
	page, pageErr := strconv.Atoi(number)
	if err != nil || pageErr != nil || page < 1 || page > maxPage {
		return time.Time{}, 0, plugkit.Refuse(gateway.Invalid, "the cursor is none of this gateway's")
	}
	return day, page, nil
}

func next(w gateway.Window, day time.Time, page int, pages string) gateway.Cursor {
	last := w.To.Add(-1).In(istanbul).Format(time.DateOnly)
	if n, err := strconv.Atoi(pages); err == nil && page < n && page < maxPage {
		return gateway.Cursor(day.Format(time.DateOnly) + "/" + strconv.Itoa(page+1))
	}
	if date := day.Format(time.DateOnly); date >= last {
		return ""
	}
	return gateway.Cursor(day.AddDate(0, 0, 1).Format(time.DateOnly) + "/1")
}

// observe reports a payment of the listing. One whose amount can't be read is unknown.
func (l line) observe() (gateway.Observation, error) {
	at, err := time.ParseInLocation(time.DateTime, string(l.Date), istanbul)
	if err != nil {
		return gateway.Observation{}, &gateway.Error{Class: gateway.Retryable, Err: err}
	}
	o := gateway.Observation{
		Ref: gateway.Ref(cmp.Or(l.BasketID, l.ConversationID)), Trust: gateway.Answered, At: at, Raw: string(l.Status),
		External: with(gateway.ExternalRef{}, altPayment, string(l.PaymentID)), State: listed.Of(string(l.Status)),
	}
	paid, err := plugkit.Money(string(l.PaidPrice), string(l.Currency))
	switch {
	case err != nil:
		o.State = gateway.Unknown
	case o.State == gateway.Failed:
		o.Reason = &gateway.Reason{Code: gateway.FraudSuspected, RawCode: o.Raw}
	default:
		o.Paid = &paid
	}
	return o, nil
}

package iyzico_test

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/money"
)

// turkey is the zone of the bank's days.
var turkey = time.FixedZone("TRT", 3*60*60)

func dayOf(at time.Time) string { return at.In(turkey).Format(time.DateOnly) }

// left is what can still be given back.
func (t *try) left() money.Decimal {
	rest := t.paid
	for _, b := range append(append([]back(nil), t.cancels...), t.refunds...) {
		rest = rest.Sub(b.amount)
	}
	return rest
}

// cancel voids a whole payment of the same day. Its answer is not signed.
func (b *bank) cancel(in map[string]any) (answer, problem map[string]any) {
	id, _ := in["paymentId"].(string)
	ref, _ := in["conversationId"].(string)
	_, t := b.byPayment(id)
	if t != nil && t.isGivingBack {
		return nil, underWay(ref, id)
	}
	if t == nil || t.status != "SUCCESS" || t.isFinal || t.bankClosed || dayOf(t.at) != dayOf(b.now()) || t.left() != t.paid {
		return nil, failed("5998", "The payment can not be canceled")
	}
	b.writes++
	t.cancels = append(t.cancels, back{ref, t.paid, "1"})
	return map[string]any{
		"status": "success", "conversationId": ref, "paymentId": id, "price": number(t.paid), "currency": t.currency,
		"authCode": "911288", "hostReference": "mock00007iyzihostrfn", "cancelHostReference": "mock00007iyzihostrfn-02",
	}, nil
}

// underWay is the recorded answer to a cancel or refund while an earlier one gives the money back.
func underWay(ref, id string) map[string]any {
	problem := failed("8514", "Bu işlem önceden başlatıldı ve devam etmektedir")
	problem["conversationId"], problem["paymentId"] = ref, id
	return problem
}

// refund gives back a payment or a part of it.
func (b *bank) refund(in map[string]any) (answer, problem map[string]any) {
	id, _ := in["paymentId"].(string)
	ref, _ := in["conversationId"].(string)
	text, _ := in["price"].(string)
	_, t := b.byPayment(id)
	amount, err := money.ParseDecimal(text)
	if t == nil || t.status != "SUCCESS" || err != nil || !decimalText.MatchString(text) || in["currency"] != t.currency {
		return nil, failed("11", "Invalid request")
	}
	if t.isGivingBack {
		problem := underWay(ref, id)
		problem["price"], problem["retryable"] = number(amount), false
		return nil, problem
	}
	if t.isFinal || amount.Cmp(t.left()) > 0 {
		return nil, failed("5997", "The payment can not be refunded")
	}
	b.writes++
	t.refunds = append(t.refunds, back{ref, amount, "1"})
	return b.signed(map[string]any{
		"status": "success", "conversationId": ref, "paymentId": id, "price": number(amount), "currency": t.currency,
		"authCode": "912578", "hostReference": "mock00008iyzihostrfn", "refundHostReference": "mock00008iyzihostrfn-02",
		"retryable": false, "transactionType": "REFUND",
	}, id, amount.String(), t.currency, ref), nil
}

// details is the reporting call: every card that was tried, with what was given back.
func (b *bank) details(ref, id string) map[string]any {
	payments := []any{}
	for _, f := range b.forms {
		for _, t := range f.tries {
			if !f.isGone && (ref != "" && f.ref == ref || id != "" && t.id == id) {
				payments = append(payments, t.report(f))
			}
		}
	}
	return map[string]any{"status": "success", "payments": payments}
}

func (t *try) report(f *form) map[string]any {
	status := map[string]int{"SUCCESS": 1, "FAILURE": 2, "INIT_THREEDS": 2, "CALLBACK_THREEDS": 3}[t.status]
	given := "NOT_REFUNDED"
	if t.left() != t.paid {
		given = "PARTIALLY_REFUNDED"
	}
	if t.left().Sign() <= 0 {
		given = "TOTALLY_REFUNDED"
	}
	cancels, refunds := []any{}, []any{}
	for _, c := range t.cancels {
		cancels = append(cancels, c.report("cancelConversationId", t.currency))
	}
	for _, r := range t.refunds {
		refunds = append(refunds, r.report("refundConversationId", t.currency))
	}
	payment := map[string]any{
		"paymentId": json.Number(t.id), "paymentRefundStatus": given,
		"price": json.Number(f.price.Fixed(8)), "paidPrice": json.Number(t.paid.Fixed(8)), "currency": t.currency,
		"paymentConversationId": f.ref, "basketId": f.ref, "createdDate": t.at.In(turkey).Format("2006-01-02T15:04:05Z"), // of Istanbul all the same

		"cancels": cancels, "itemTransactions": []any{map[string]any{"transactionStatus": 2, "refunds": refunds}},
	}
	if status != 0 {
		payment["paymentStatus"] = status
	} else {
		payment["paymentStatus"] = 77
	}
	if fraud, err := strconv.Atoi(t.fraud); err == nil {
		payment["fraudStatus"] = fraud
	}
	return payment
}

func (b back) report(nameOfRef, currency string) map[string]any {
	status, _ := strconv.Atoi(b.status)
	return map[string]any{
		nameOfRef: b.ref, "refundPrice": number(b.amount), "refundStatus": status, "currencyCode": currency,
		"hostReference": "mock00009iyzihostrfn",
	}
}

// linesPerPage is small, so that a day has several pages.
const linesPerPage = 2

// listing is a day's payments, cancels and refunds.
func (b *bank) listing(date, page string) (answer, problem map[string]any) {
	number, err := strconv.Atoi(page)
	if _, dateErr := time.Parse(time.DateOnly, date); err != nil || dateErr != nil || number < 1 {
		return nil, failed("11", "Invalid request")
	}
	var all []any
	for _, f := range b.forms {
		for _, t := range f.tries {
			if t.status == "SUCCESS" && dayOf(t.at) == date && !f.isGone {
				all = append(all, t.lines(f)...)
			}
		}
	}
	pages := max(1, (len(all)+linesPerPage-1)/linesPerPage)
	from := min(len(all), (number-1)*linesPerPage)
	return map[string]any{
		"status": "success", "transactions": append([]any{}, all[from:min(len(all), from+linesPerPage)]...),
		"currentPage": number, "totalPageCount": pages,
	}, nil
}

func (t *try) lines(f *form) []any {
	fraud, _ := strconv.Atoi(t.fraud)
	line := func(kind, ref string, amount money.Decimal) map[string]any {
		return map[string]any{
			"transactionType": kind, "transactionDate": t.at.In(turkey).Format(time.DateTime), "transactionStatus": fraud,
			"paymentId": json.Number(t.id), "conversationId": ref, "basketId": f.ref, "price": number(amount),
			"paidPrice": number(amount), "transactionCurrency": t.currency,
		}
	}
	list := []any{line("PAYMENT", f.ref, t.paid)}
	for _, c := range t.cancels {
		list = append(list, line("CANCEL", c.ref, c.amount))
	}
	for _, r := range t.refunds {
		list = append(list, line("REFUND", r.ref, r.amount))
	}
	return list
}

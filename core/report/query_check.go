package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Cleaned is the query with what is searched for written as it is stored. What cannot be asked fails in the form: a
// status, method or sort that is none, a greatest amount of nothing, a text that is too long or cannot be what it is
// searched as.
func (q PaymentQuery) Cleaned(form *core.Form) PaymentQuery {
	if !core.AreAmong(q.Statuses, payment.Statuses()) {
		form.Fail("status", "field.choice", fmt.Sprint(payment.Statuses()))
	}
	if !core.AreAmong(q.Methods, payment.Methods()) {
		form.Fail("method", "field.choice", fmt.Sprint(payment.Methods()))
	}
	if q.Sort == "" {
		q.Sort = NewestFirst
	}
	if !core.AreAmong([]PaymentSort{q.Sort}, PaymentSorts()) {
		form.Fail("sort", "field.choice", fmt.Sprint(PaymentSorts()))
	}
	if zero := money.New(0, q.MaxAmount.Currency()); q.MaxAmount != (money.Amount{}) && !zero.Less(q.MaxAmount) {
		form.Fail("maxAmount", "field.min", core.MinAmount(q.MaxAmount.Currency()).String())
	}
	q.cleanTexts(form)
	return q
}

func (q *PaymentQuery) cleanTexts(form *core.Form) {
	q.OrderID = strings.ToUpper(strings.TrimSpace(q.OrderID))
	q.IBAN = iban.Normalize(q.IBAN)
	q.GatewayReference, q.Name, q.Text = strings.TrimSpace(q.GatewayReference), strings.TrimSpace(q.Name), strings.TrimSpace(q.Text)
	for name, text := range map[string]string{
		"trackingCode": q.TrackingCode, "orderId": q.OrderID, "userId": q.UserID, "name": q.Name, "iban": q.IBAN,
		"gatewayReference": q.GatewayReference, "text": q.Text,
	} {
		if utf8.RuneCountInString(text) > MaxSearchChars {
			form.Fail(name, "field.max", MaxSearchChars)
		}
	}
	if q.Name != "" && !IsNameSearch(q.Name) {
		form.Fail("name", "field.vague")
	}
	if q.IBAN != "" && !iban.HasShape(q.IBAN) {
		form.Fail("iban", "field.iban")
	}
}

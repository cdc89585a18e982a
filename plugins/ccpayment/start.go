package ccpayment

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"unicode"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lira is the lira's code here.
const lira = "TRY"

// linkAnswer is the answer to a start.
type linkAnswer struct {
	Link  string       `json:"link"`
	Order plugkit.Text `json:"order_id"`
}

// Lacks implements plugkit.Checker.
func (a *linkAnswer) Lacks() string {
	if a.Link == "" {
		return "link"
	}
	return ""
}

// StartDeposit implements ports.DepositStarter. The customer's page is made by the gateway itself, from a call that no browser
// sees: nothing that it asks for can be changed on the way.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case o.Ref == "" || o.ReturnURL == nil:
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, "a reference and a return address are needed")
	}
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.DepositStarted{}, err
	}
	invoice, err := json.Marshal(g.invoice(o))
	if err != nil {
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, err.Error())
	}
	name, surname := nameOf(o.Customer)
	var a linkAnswer
	err = g.post(ctx, pathLink, explain, map[string]any{
		"invoice": string(invoice), "currency_code": lira, "name": name, "surname": surname, "app_lang": plugkit.Language(o.Locale),
	}, &a)
	if err != nil {
		return gateway.DepositStarted{}, err
	}
	if to, err := url.Parse(a.Link); err != nil || to.Scheme != "https" || to.Host == "" || to.User != nil {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Retryable, "the answer's link is no https address")
	}
	return gateway.DepositStarted{
		External: nameIt(o.Ref, a.Order), Next: gateway.NextStep{Redirect: &gateway.Redirect{URL: a.Link}},
	}, nil
}

// invoice is what is to be paid. Its one item is the whole, and there are no instalments, so that what the customer pays is what
// was asked for.
func (g *Gateway) invoice(o gateway.DepositOrder) map[string]any {
	total, what := o.Amount.Amount.Fixed(2), cmp.Or(clean(o.Text, 100), "Payment")
	invoice := map[string]any{
		"invoice_id": string(o.Ref), "invoice_description": what, "total": total, "max_installment": 1,
		"return_url": o.ReturnURL.String(), "cancel_url": o.ReturnURL.String(), "response_method": "POST",
		// The documentation writes qnantity, and the clients either.
		"items":    []map[string]any{{"name": what, "price": total, "quantity": 1, "qnantity": 1, "description": what}},
		"hash_key": g.hashKey(total, lira, g.merchant(), string(o.Ref)),
	}
	if g.saleHook != "" {
		invoice["sale_web_hook_key"] = g.saleHook
	}
	return invoice
}

// nameIt is what the gateway calls an order: by our reference, and by a number of its own.
func nameIt(ref gateway.Ref, order plugkit.Text) gateway.ExternalRef {
	e := gateway.ExternalRef{ID: string(ref)}
	if order != "" {
		e.Alt = map[string]string{gateway.AltPayment: string(order)}
	}
	return e
}

// nameOf is a customer's name in the two parts that are demanded.
func nameOf(c gateway.Customer) (name, surname string) {
	name, surname = clean(c.FirstName, 50), clean(c.LastName, 50)
	if name == "" || surname == "" {
		words := strings.Fields(clean(cmp.Or(c.FullName, c.FirstName, c.LastName, c.Username, c.ID), 100))
		last := max(len(words)-1, 0)
		name, surname = clean(strings.Join(words[:last], " "), 50), clean(strings.Join(words[last:], " "), 50)
	}
	surname = cmp.Or(surname, "Customer")
	return cmp.Or(name, surname), surname
}

// clean keeps what the gateway takes of a text: letters, digits and a few marks, and no more than so many.
func clean(text string, letters int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-.' ", r) {
			return r
		}
		return ' '
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), letters)]))
}

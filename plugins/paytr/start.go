package paytr

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// page is where the customer pays, with a token behind it.
const page = "https://" + host + "/odeme/guvenli/"

// tokenAnswer is the answer to a start.
type tokenAnswer struct {
	Status string `json:"status"`
	Token  string `json:"token"`
}

// Lacks implements plugkit.Checker.
func (a *tokenAnswer) Lacks() string {
	if a.Status != "success" || a.Token == "" {
		return "token"
	}
	return ""
}

// StartDeposit implements ports.DepositStarter.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	minutes := int(o.ExpiresAt.Sub(g.clock.Now()) / time.Minute)
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case o.Ref == "" || o.ReturnURL == nil || minutes < 1:
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, "a reference, a return address and a minute at least are needed")
	}
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.DepositStarted{}, err
	}
	basket, err := json.Marshal([][]any{{cmp.Or(o.Text, "Payment"), o.Amount.Amount.Fixed(2), 1}})
	if err != nil {
		return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, err.Error())
	}
	c, test := o.Customer, "0"
	if g.isTest {
		test = "1"
	}
	email, ip, kurus := g.buyer.email, cmp.Or(c.IP, g.buyer.ip), plugkit.Kurus(o.Amount.Amount)
	if gateway.IsEmail(c.Email) && len(c.Email) <= 100 {
		email = c.Email
	}
	items := base64.StdEncoding.EncodeToString(basket)
	form := url.Values{
		"user_ip": {ip}, "merchant_oid": {string(o.Ref)}, "email": {email}, "payment_amount": {kurus}, "currency": {"TL"},
		"user_basket": {items}, "no_installment": {"1"}, "max_installment": {"0"}, "test_mode": {test}, "debug_on": {"0"},
		"timeout_limit": {strconv.Itoa(minutes)}, "user_name": {shorten(nameOf(c), 60)}, "user_address": {shorten(g.buyer.address, 400)},
		"user_phone": {shorten(cmp.Or(c.Phone, g.buyer.phone), 20)}, "merchant_ok_url": {o.ReturnURL.String()},
		"merchant_fail_url": {o.ReturnURL.String()}, "lang": {plugkit.Language(o.Locale)},
		"paytr_token": {g.token(g.merchant, ip, string(o.Ref), email, kurus, items, "1", "0", "TL", test)},
	}
	var a tokenAnswer
	if err := g.post(ctx, pathToken, tokens, form, &a); err != nil {
		return gateway.DepositStarted{}, err
	}
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: string(o.Ref)},
		Next:     gateway.NextStep{Redirect: &gateway.Redirect{URL: page + url.PathEscape(a.Token)}},
	}, nil
}

func nameOf(c gateway.Customer) string {
	return cmp.Or(c.FullName, strings.TrimSpace(c.FirstName+" "+c.LastName), c.Username, c.ID, "Customer")
}

// shorten cuts a text to a number of letters, as PayTR counts them.
func shorten(s string, letters int) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), letters)])
}

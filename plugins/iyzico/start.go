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

// Names in gateway.ExternalRef.Alt. The ID is the form's token.
const (
	altToken   = "token"
	altPayment = gateway.AltPayment // once a card has paid
	altEnds    = "ends_at"          // Unix seconds: when the form can be paid no longer
)

// formOrder is the body that starts a Checkout Form.
type formOrder struct {
	Locale              string       `json:"locale"`
	ConversationID      string       `json:"conversationId"`
	Price               string       `json:"price"`
	PaidPrice           string       `json:"paidPrice"`
	Currency            string       `json:"currency"`
	BasketID            string       `json:"basketId"`
	PaymentGroup        string       `json:"paymentGroup"`
	CallbackURL         string       `json:"callbackUrl"`
	EnabledInstallments []int        `json:"enabledInstallments"`
	ForceThreeDS        int          `json:"forceThreeDS"`
	Buyer               buyer        `json:"buyer"`
	ShippingAddress     address      `json:"shippingAddress"`
	BillingAddress      address      `json:"billingAddress"`
	BasketItems         []basketItem `json:"basketItems"`
}

type buyer struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Surname        string `json:"surname"`
	IdentityNumber string `json:"identityNumber"`
	Email          string `json:"email"`
	Phone          string `json:"gsmNumber"`
	Address        string `json:"registrationAddress"`
	City           string `json:"city"`
	Country        string `json:"country"`
	IP             string `json:"ip"`
}

type address struct {
	ContactName string `json:"contactName"`
	City        string `json:"city"`
	Country     string `json:"country"`
	Address     string `json:"address"`
}

type basketItem struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Category1 string `json:"category1"`
	ItemType  string `json:"itemType"`
	Price     string `json:"price"`
}

// StartDeposit implements ports.DepositStarter.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if err := checkOrder(o); err != nil {
		return gateway.DepositStarted{}, err
	}
	begun := g.clock.Now() // before the call, so that the form never ends earlier than is said
	a, err := g.post(ctx, startForm, g.formOrder(o))
	if err != nil {
		return gateway.DepositStarted{}, gateway.ErrorOf(err)
	}
	token, page := a.text("token"), a.text("paymentPageUrl")
	if a.text("conversationId") != string(o.Ref) {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Misconfigured, "the answer is about another order")
	}
	if u, err := url.Parse(page); err != nil || u.Scheme != "https" || u.Host == "" || token == "" {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Misconfigured, "the answer has no token, or no address of a payment page")
	}
	ends := begun.Add(lifeOf(a.text("tokenExpireTime")))
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: token, Alt: map[string]string{
			altToken: token, altEnds: strconv.FormatInt(ends.Unix(), 10),
		}},
		Next:      gateway.NextStep{Redirect: &gateway.Redirect{URL: page}},
		ExpiresAt: ends,
	}, nil
}

// lifeOf reads tokenExpireTime, in seconds, within reason.
func lifeOf(seconds string) time.Duration {
	n, err := strconv.ParseUint(seconds, 10, 32)
	if err != nil || n == 0 || n > 7*24*60*60 {
		return formLife
	}
	return time.Duration(n) * time.Second
}

// checkOrder refuses before the call what iyzico can't take.
func checkOrder(o gateway.DepositOrder) error {
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case o.Ref == "" || o.ReturnURL == nil:
		return plugkit.Refuse(gateway.Invalid, "a reference and a return address are needed")
	}
	return plugkit.CheckLira(o.Amount)
}

// formOrder makes the body. The order is one item, whose price is the whole: else iyzico answers 5062.
func (g *Gateway) formOrder(o gateway.DepositOrder) formOrder {
	amount, who := price(o.Amount.Amount), g.buyerOf(o)
	home := address{ContactName: who.Name + " " + who.Surname, City: who.City, Country: who.Country, Address: who.Address}
	form := formOrder{
		Locale: plugkit.Language(o.Locale), ConversationID: string(o.Ref), Price: amount, PaidPrice: amount,
		Currency: gateway.TRY.Code, BasketID: string(o.Ref), PaymentGroup: "PRODUCT", CallbackURL: o.ReturnURL.String(),
		EnabledInstallments: g.installments, Buyer: who, ShippingAddress: home, BillingAddress: home,
		BasketItems: []basketItem{{
			ID: string(o.Ref), Name: cmp.Or(o.Text, "Payment"), Category1: "Payment", ItemType: "VIRTUAL", Price: amount,
		}},
	}
	if g.force3DS {
		form.ForceThreeDS = 1
	}
	return form
}

func defaultBuyer(c gateway.Config) buyer {
	return buyer{
		IdentityNumber: c.Text("default_identity_number"), Email: c.Text("default_email"), Phone: c.Text("default_phone"),
		Address: c.Text("default_address"), City: c.Text("default_city"), Country: c.Text("default_country"),
		IP: c.Text("default_ip"),
	}
}

// buyerOf is the configured buyer, with what is known of the customer.
func (g *Gateway) buyerOf(o gateway.DepositOrder) buyer {
	c, b := o.Customer, g.buyer
	b.ID = cmp.Or(c.ID, c.Username, string(o.Ref))
	b.Name, b.Surname = nameOf(c)
	b.Name, b.Surname = cmp.Or(b.Name, b.ID), cmp.Or(b.Surname, b.Name, b.ID)
	if gateway.IsEmail(c.Email) {
		b.Email = c.Email
	}
	b.Phone, b.IP = cmp.Or(c.Phone, b.Phone), cmp.Or(c.IP, b.IP)
	return b
}

// nameOf is the given names and the surname: the last word, where only the full name is known.
func nameOf(c gateway.Customer) (given, surname string) {
	if c.FirstName != "" && c.LastName != "" {
		return c.FirstName, c.LastName
	}
	words := strings.Fields(c.FullName)
	if len(words) < 2 {
		return cmp.Or(c.FirstName, strings.Join(words, "")), c.LastName
	}
	last := len(words) - 1
	return strings.Join(words[:last], " "), words[last]
}

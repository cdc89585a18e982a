package paypage

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vezne/vezne/adapters/paypage/sentences"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// maxRadios is up to how many options are shown side by side; more go into a list.
const maxRadios = 8

// choice is what can be picked, what is picked already, and what a form about it lacked.
type choice struct {
	Kinds    []gateway.Kind // that have offers, the payment's own first
	Kind     gateway.Kind   // picked
	Offers   []operation.Offer
	Picked   *operation.Offer // nil: one of Offers is to be picked
	Option   string           // picked
	Fields   []field
	Problems []field // those of Fields, and the option, that a form had wrong

	wrongOption string
}

// MayBegin reports whether the page has a form that may lead to a gateway.
func (c choice) MayBegin() bool { return len(c.Offers) > 0 }

// fitting are the offers that take the payment, with the options that do.
func fitting(v operation.View) []operation.Offer {
	amount := v.Payment.Amount.Decimal()
	var offers []operation.Offer
	for _, offer := range v.Offers {
		all := offer.Options
		offer.Options = nil
		for _, o := range all {
			if isWithin(amount, o) {
				offer.Options = append(offer.Options, o)
			}
		}
		if len(offer.Options) > 0 || offer.Kind != gateway.Crypto {
			offers = append(offers, offer)
		}
	}
	return offers
}

func isWithin(amount money.Decimal, o gateway.Option) bool {
	return amount.Cmp(o.Min) >= 0 && (o.Max.Sign() == 0 || amount.Cmp(o.Max) <= 0)
}

// choose reads from a link or a form how far the picking has come. Where there is one way only, it is picked.
func choose(offers []operation.Offer, query url.Values) choice {
	c := choice{Option: cut(query.Get("option"))}
	for _, offer := range offers {
		if !slices.Contains(c.Kinds, offer.Kind) {
			c.Kinds = append(c.Kinds, offer.Kind)
		}
	}
	if len(c.Kinds) == 0 {
		return c
	}
	c.Kind = c.Kinds[0]
	if k := gateway.Kind(query.Get("kind")); slices.Contains(c.Kinds, k) {
		c.Kind = k
	}
	for _, offer := range offers {
		if offer.Kind == c.Kind {
			c.Offers = append(c.Offers, offer)
		}
	}
	for i, offer := range c.Offers {
		if len(c.Offers) == 1 || strconv.FormatInt(offer.GatewayID, 10) == query.Get("gateway") {
			c.pick(&c.Offers[i])
		}
	}
	return c
}

// chooseCard takes what the first of the route asks for: the route decides where a card goes.
func chooseCard(offers []operation.Offer) choice {
	c := choice{Kind: gateway.Card, Offers: offers}
	if len(offers) > 0 {
		c.pick(&c.Offers[0])
	}
	return c
}

func (c *choice) pick(offer *operation.Offer) {
	c.Picked = offer
	needs := offer.Needs
	if len(offer.Options) == 1 {
		c.Option = offer.Options[0].ID
	}
	if o, ok := c.option(); ok {
		needs = slices.Concat(needs, o.Needs)
	}
	c.Fields = nil
	for _, need := range needs {
		c.Fields = append(c.Fields, field{FieldSpec: need})
	}
}

// option is the option that is picked.
func (c *choice) option() (gateway.Option, bool) {
	at := slices.IndexFunc(c.Picked.Options, func(o gateway.Option) bool { return o.ID == c.Option })
	if at < 0 {
		return gateway.Option{}, false
	}
	return c.Picked.Options[at], true
}

// retry puts into the choice what a form had, and what was wrong with it. What the form did not have yet is asked for
// without a complaint: another option, or another gateway of the route, may need more.
func (c *choice) retry(form url.Values, failed []fault.Field, needs []gateway.FieldSpec) {
	known := func(name string) bool {
		return slices.ContainsFunc(c.Fields, func(f field) bool { return f.Name == name })
	}
	for _, need := range needs {
		isFailed := slices.ContainsFunc(failed, func(f fault.Field) bool { return f.Name == need.Name })
		if isFailed && !known(need.Name) {
			c.Fields = append(c.Fields, field{FieldSpec: need})
		}
	}
	for i := range c.Fields {
		c.Fields[i].Value = cutField(form.Get(c.Fields[i].Name))
	}
	for _, f := range failed {
		if f.Name == "option" {
			c.wrongOption = "option"
			c.Problems = append(c.Problems, field{FieldSpec: gateway.FieldSpec{Name: f.Name}, wrong: c.wrongOption})
		}
		for i := range c.Fields {
			if c.Fields[i].Name == f.Name && form.Has(f.Name) {
				c.Fields[i].wrong = strings.TrimPrefix(f.Key, "field.")
				c.Problems = append(c.Problems, c.Fields[i])
			}
		}
	}
}

// picked is the query that leads to the same point of picking.
func (c choice) picked(query url.Values) url.Values {
	kept := url.Values{"step": {wishPick}}
	if len(c.Kinds) > 1 && query.Get("kind") != "" {
		kept.Set("kind", string(c.Kind))
	}
	if len(c.Offers) > 1 && c.Picked != nil {
		kept.Set("gateway", strconv.FormatInt(c.Picked.GatewayID, 10))
	}
	return kept
}

// IsOptionWrong reports whether an option has to be picked first.
func (c choice) IsOptionWrong() bool { return c.wrongOption != "" }

// Options are those of the picked gateway.
func (c choice) Options() []gateway.Option { return c.Picked.Options }

// IsList reports whether the options are too many to stand side by side.
func (c choice) IsList() bool { return len(c.Picked.Options) > maxRadios }

// IsReady reports whether nothing is left to be picked or filled in at a gateway: pressing it is enough.
func (c choice) IsReady(offer operation.Offer) bool {
	return len(offer.Options) < 2 && len(offer.Needs) == 0
}

// HasChoice reports whether there is anything to choose: with one gateway that takes one thing there is not.
func (c choice) HasChoice() bool {
	return len(c.Kinds) > 1 || len(c.Offers) > 1 || c.Picked != nil && len(c.Picked.Options) > 1
}

// coinsOf names the coins that most pay in, with a sign where there is one; gateways call them this and that.
var coinsOf = map[string]struct{ name, sign string }{
	"BTC": {"Bitcoin", "₿"}, "ETH": {"Ethereum", "Ξ"}, "USDT": {"Tether", "₮"}, "USDC": {"USD Coin", "$"}, "LTC": {"Litecoin", "Ł"},
	"TRX": {"Tron", "T"}, "BNB": {"BNB", "B"}, "DOGE": {"Dogecoin", "Ð"}, "XRP": {"XRP", "X"}, "SOL": {"Solana", "S"}, "TON": {"Toncoin", "T"},
}

// networksOf names the networks whose own names say little to who does not know them.
var networksOf = map[string]string{"TRC20": "Tron (TRC20)", "ERC20": "Ethereum (ERC20)", "BEP20": "BNB Smart Chain (BEP20)"}

func networkName(network string) string {
	if name, ok := networksOf[strings.ToUpper(network)]; ok {
		return name
	}
	return network
}

// Sign is the sign of an option's coin; empty where it has none.
func (c choice) Sign(o gateway.Option) string { return coinsOf[o.Asset.Code].sign }

// NameOf is an option with its coin and network, once.
func (c choice) NameOf(o gateway.Option) string {
	if coin, ok := coinsOf[o.Asset.Code]; ok && (o.Title == "" || o.Title == o.Asset.String() || o.Title == o.Asset.Code) {
		name := coin.name + " (" + o.Asset.Code + ")"
		if o.Asset.Network != "" {
			name += " · " + networkName(o.Asset.Network)
		}
		return name
	}
	switch asset := o.Asset.String(); {
	case o.Title == "":
		return asset
	case o.Title == asset || o.Asset.Code == "":
		return o.Title
	default:
		return o.Title + " · " + asset
	}
}

// field is something that a customer fills in.
type field struct {
	gateway.FieldSpec
	Value string
	wrong string // the end of its problem's key; empty: none
}

// IsWrong reports whether the field has a problem.
func (f field) IsWrong() bool { return f.wrong != "" }

// Type, Mode and Fill tell browsers which keyboard fits, and what to offer.
func (f field) Type() string {
	switch f.Check {
	case gateway.CheckPhone:
		return "tel"
	case gateway.CheckEmail:
		return "email"
	default:
		return "text"
	}
}

// Mode is the field's inputmode.
func (f field) Mode() string {
	switch f.Check {
	case gateway.CheckTCKN, gateway.CheckWallet:
		return "numeric"
	case gateway.CheckPhone:
		return "tel"
	case gateway.CheckEmail:
		return "email"
	default:
		return "text"
	}
}

// Fill is the field's autocomplete.
func (f field) Fill() string {
	switch f.Check {
	case gateway.CheckName:
		return "name"
	case gateway.CheckPhone:
		return "tel"
	case gateway.CheckEmail:
		return "email"
	default:
		return "off"
	}
}

// LabelOf is a field's name for customers: a sentence for the well-known ones, the gateway's own for others.
func (p gatewayPage) LabelOf(f field) string {
	key := "need." + f.Name
	switch {
	case f.Name == "option":
		return p.T("pick.option")
	case sentences.Has(key):
		return p.T(key)
	case f.Label != "":
		return f.Label
	default:
		return f.Name
	}
}

// WhyOf says what is wrong with a field.
func (p gatewayPage) WhyOf(f field) string {
	if key := "wrong." + f.wrong; sentences.Has(key) {
		return p.T(key)
	}
	return p.T("wrong.other")
}

// OptionProblem says that an option is missing.
func (p gatewayPage) OptionProblem() string { return p.T("wrong." + p.wrongOption) }

// KindURL is the page with a kind picked, and GatewayURL with one of its gateways.
func (p gatewayPage) KindURL(k gateway.Kind) string {
	return address(p.Payment.Token, "", p.chosen, url.Values{"step": {wishPick}, "kind": {string(k)}})
}

// GatewayURL is the page with a gateway picked.
func (p gatewayPage) GatewayURL(offer operation.Offer) string {
	return address(p.Payment.Token, "", p.chosen, url.Values{
		"step": {wishPick}, "kind": {string(offer.Kind)}, "gateway": {strconv.FormatInt(offer.GatewayID, 10)},
	})
}

// maxFields bounds how many fields of a form are looked at; no gateway asks for more.
const maxFields = 20

// beginOf reads a form that begins a payment at a gateway. Which fields count is the gateway's to say.
func beginOf(form url.Values, p payment.Payment) operation.Begin {
	b := operation.Begin{
		Token: p.Token, Kind: gateway.Kind(form.Get("kind")), Option: form.Get("option"), Fields: map[string]string{},
	}
	b.GatewayID, _ = strconv.ParseInt(form.Get("gateway_id"), 10, 64) // none: the route decides
	for name := range form {
		if len(b.Fields) < maxFields && !slices.Contains([]string{"kind", "gateway_id", "option", "version"}, name) {
			b.Fields[name] = form.Get(name)
		}
	}
	return b
}

// maxFieldBytes bounds a field that is shown again.
const maxFieldBytes = 4 * gateway.MaxFieldChars

func cutField(typed string) string {
	return strings.ToValidUTF8(typed[:min(len(typed), maxFieldBytes)], "")
}

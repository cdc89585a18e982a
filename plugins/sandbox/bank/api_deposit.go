package bank

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core/money"
)

// depositOrder asks for a deposit.
type depositOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"`
	Option    string `json:"option"` // a coin's id: crypto
	Amount    Money  `json:"amount"`
	Quote     *Quote `json:"quote"` // as given before: crypto
	Customer  struct {
		Name string `json:"name"`
	} `json:"customer"`
	ReturnURL string    `json:"return_url"`
	NotifyURL string    `json:"notify_url"`
	ExpiresAt time.Time `json:"expires_at"`
	Language  string    `json:"language"`
	Text      string    `json:"text"`
	ThreeDS   string    `json:"three_ds"` // "required", or "attempted" where that is enough
}

func (b *Bank) startDeposit(c *call) (any, *problem) {
	key, p := c.key()
	if p != nil {
		return nil, p
	}
	var o depositOrder
	if p := c.read(&o); p != nil {
		return nil, p
	}
	if p := o.check(); p != nil {
		return nil, p
	}
	if d, ok := b.deposits.find(o.Reference); ok {
		if d.key != key || d.Amount != o.Amount || d.Kind != o.Kind {
			return nil, taken(o.Reference)
		}
		return d.snapshot(), nil
	}
	sc := find(scenariosOf(o.Kind), b.code(o.Reference, "", o.Amount))
	if sc.refused != "" {
		return nil, declined(sc.refused)
	}
	return b.takeWith(o.Reference, sc.failure, func() (any, *problem) {
		d, p := b.newDeposit(c, o, sc, key)
		if p != nil {
			return nil, p
		}
		return d.snapshot(), nil
	})
}

func (o depositOrder) check() *problem {
	switch {
	case !isReference(o.Reference):
		return invalid("invalid_request", badReference)
	case o.Kind != KindCard && o.Kind != KindBank && o.Kind != KindCrypto && o.Kind != KindWallet && o.Kind != KindAccount:
		return invalid("unknown_kind", "kind must be card, bank, crypto, wallet or account")
	case o.Amount.checkOrdered() != nil:
		return o.Amount.checkOrdered()
	case !isText(o.Customer.Name) || !isText(o.Text) || !isText(o.Option):
		return invalid("invalid_request", "a text is too long or has control characters")
	case !isWebURL(o.NotifyURL) && o.NotifyURL != "":
		return invalid("invalid_request", "notify_url must be an http or https address")
	case !isWebURL(o.ReturnURL) && (o.ReturnURL != "" || o.Kind == KindCard || o.Kind == KindWallet):
		return invalid("invalid_request", "return_url must be an http or https address")
	default:
		return nil
	}
}

const badReference = "reference must be 1 to 64 letters, digits, dashes or underscores"

// checkOrdered returns why nobody can order this amount.
func (m Money) checkOrdered() *problem {
	switch {
	case m.Currency != lira || m.Network != "":
		return invalid("wrong_currency", "an order is in TRY")
	case m.Value.Sign() <= 0 || m.Value.Places() > 2 || m.Value.Cmp(money.MustDecimal(maxOrderLira)) > 0:
		return invalid("invalid_request", "amount must be positive, of at most two decimals and at most "+maxOrderLira)
	default:
		return nil
	}
}

func isReference(s string) bool {
	return s != "" && len(s) <= 64 && strings.IndexFunc(s, func(r rune) bool {
		isPlain := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_'
		return !isPlain
	}) < 0
}

func isText(s string) bool {
	return len(s) <= maxTextBytes && utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && len(s) <= maxURLBytes && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// newDeposit keeps an order. Payers by bank and crypto begin to act.
func (b *Bank) newDeposit(c *call, o depositOrder, sc scenario, key string) (*deposit, *problem) {
	d := &deposit{
		key: key, token: b.id("page", o.Reference), returnURL: o.ReturnURL, notifyURL: o.NotifyURL, language: o.Language,
		with3DS: o.ThreeDS != "attempted", payer: o.Customer.Name, settled: Waiting,
		scenario: sc,
		Deposit: Deposit{
			ID: b.id("dep", o.Reference), Reference: o.Reference, Kind: o.Kind, Option: o.Option, Status: Waiting,
			Amount: o.Amount, Due: o.Amount, CreatedAt: c.now, UpdatedAt: c.now, ExpiresAt: lifeOf(o, c.now.Add(-b.offset)), Sim: true,
		},
	}
	d.endsAt = d.ExpiresAt.Add(b.offset)
	if o.Kind == KindCrypto {
		if p := b.price(d, o, c.now); p != nil {
			return nil, p
		}
	}
	d.Next = b.next(c.Request, d)
	b.seq++
	d.no = b.seq
	b.deposits.add(d.Reference, d)
	b.changes++
	if !d.hasPage() && !b.config.ByHand {
		b.pay(d, d.scenario.steps, c.now.Add(payerDelay))
	}
	return d, nil
}

// payerDelay is how long a payer by bank or crypto takes.
const payerDelay = 2 * time.Second

// lifeOf is until when the order can be paid, by the merchant's clock.
func lifeOf(o depositOrder, now time.Time) time.Time {
	wanted := o.ExpiresAt
	if wanted.IsZero() {
		wanted = now.Add(30 * time.Minute)
	}
	if least := now.Add(minOrderLife); wanted.Before(least) {
		return least
	}
	if most := now.Add(maxOrderLife); wanted.After(most) {
		return most
	}
	return wanted.UTC()
}

// price says what is due in the coin: as quoted, where the quote is the bank's own and still holds.
func (b *Bank) price(d *deposit, o depositOrder, now time.Time) *problem {
	coin, ok := coinOf(o.Option)
	if !ok {
		return invalid("unknown_option", "option must be one of GET /v1/options")
	}
	own := Quote{Pay: coin.price(o.Amount), Rate: coin.Rate, ValidUntil: now.Add(quoteLife)}
	if q := o.Quote; q != nil {
		if q.Pay != own.Pay || q.Rate != own.Rate {
			return invalid("quote_differs", "the quote is not this bank's")
		}
		if !now.Before(q.ValidUntil) {
			return invalid("quote_expired", "ask for a new quote")
		}
		own.ValidUntil = q.ValidUntil
	}
	d.quote, d.Due, d.Option = &own, own.Pay, coin.ID
	return nil
}

// next says what the payer does.
func (b *Bank) next(r *http.Request, d *deposit) Next {
	if d.hasPage() {
		return Next{RedirectURL: b.base(r) + "/pay/" + d.Reference + "/" + d.token}
	}
	if d.Kind == KindCrypto {
		address := "TSANDBOXOI" + b.id("addr", d.Reference)[len("addr_"):] // O and I: no wallet takes it for an address
		// An amount only where it can mean this coin alone: of an address of TRON a wallet would take it for TRX, and not for a token.
		code := address
		if d.Due.Network == "BTC" {
			code = "bitcoin:" + address + "?amount=" + d.Due.Value.String()
		}
		return Next{Pay: &Instructions{Address: address, QR: code, Confirmations: requiredConfirmations}}
	}
	a := b.accounts[0]
	return Next{Pay: &Instructions{
		IBAN: a.IBAN, Holder: a.Holder, Bank: a.Bank,
		Reference: "SIM-" + strings.ToUpper(b.id("text", d.Reference)[len("text_"):][:8]),
	}}
}

// base is the address at which browsers find this handler.
func (b *Bank) base(r *http.Request) string {
	if b.config.PublicURL != "" {
		return strings.TrimRight(b.config.PublicURL, "/")
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	sent, _, _ := strings.Cut(requestURI(r), "?")
	return scheme + r.Host + strings.TrimSuffix(sent, r.URL.EscapedPath())
}

func (b *Bank) readDeposit(c *call) (any, *problem) {
	d, ok := b.deposit(c.PathValue("reference"), c.now)
	if !ok {
		return nil, missing("deposit")
	}
	return d.snapshot(), nil
}

// cancelDeposit closes an order that nobody has begun to pay; of any other it says what it is.
func (b *Bank) cancelDeposit(c *call) (any, *problem) {
	d, ok := b.deposit(c.PathValue("reference"), c.now)
	if !ok {
		return nil, missing("deposit")
	}
	if d.isOpen() {
		b.changes++
		d.Status, d.CanRetry, d.isInCheck, d.UpdatedAt = Canceled, false, false, c.now
		d.Reason = &Reason{Code: "canceled_by_merchant", Message: codeMessage("canceled_by_merchant")}
	}
	return d.snapshot(), nil
}

// reviewDeposit takes the money of an order that is held, or lets it go; of any other it says what it is.
func (b *Bank) reviewDeposit(c *call) (any, *problem) {
	var o struct {
		Approve bool   `json:"approve"`
		Why     string `json:"why"`
	}
	if p := c.read(&o); p != nil {
		return nil, p
	}
	d, ok := b.deposit(c.PathValue("reference"), c.now)
	switch {
	case !ok:
		return nil, missing("deposit")
	case !isText(o.Why):
		return nil, invalid("invalid_request", "why is not valid")
	case d.Status == Review:
		b.changes++
		d.script++
		st := step{status: Failed, reason: "fraud_suspected"}
		if o.Approve {
			st = step{status: Paid, part: "1"}
		}
		b.play(d, st, c.now)
	}
	return d.snapshot(), nil
}

func (b *Bank) listDeposits(c *call) (any, *problem) {
	q, p := c.page()
	if p != nil {
		return nil, p
	}
	var there []*deposit
	for _, d := range b.deposits.all() {
		if _, ok := b.deposit(d.Reference, c.now); ok {
			there = append(there, d)
		}
	}
	place := func(d *deposit) (time.Time, int) { return d.CreatedAt, d.no }
	return pageOf(q, there, place, func(d *deposit) Deposit { return d.Deposit }), nil
}

func (b *Bank) startRefund(c *call) (any, *problem) {
	var o refundOrder
	key, p := c.key()
	if p == nil {
		p = c.read(&o)
	}
	if p != nil {
		return nil, p
	}
	o.key = key
	if !isReference(o.Reference) || !isText(o.Why) {
		return nil, invalid("invalid_request", "reference or why is not valid")
	}
	d, ok := b.deposit(c.PathValue("reference"), c.now)
	if !ok {
		return nil, missing("deposit")
	}
	r, p := b.refund(d, o, c.now)
	if p != nil {
		return nil, p
	}
	return r.Refund, nil
}

func (b *Bank) readRefund(c *call) (any, *problem) {
	r, ok := b.refunds.find(c.PathValue("reference"))
	if !ok {
		return nil, missing("refund")
	}
	return r.Refund, nil
}

func (b *Bank) options(*call) (any, *problem) { return listing[Coin]{Items: coins}, nil }

func (b *Bank) quote(c *call) (any, *problem) {
	value, err := money.ParseDecimal(c.URL.Query().Get("amount"))
	if err != nil || value.Sign() <= 0 || value.Cmp(money.MustDecimal(maxOrderLira)) > 0 {
		return nil, invalid("invalid_request", "amount must be a positive number of TRY")
	}
	coin, ok := coinOn(c.URL.Query().Get("currency"), c.URL.Query().Get("network"))
	if !ok {
		return nil, invalid("unknown_option", "currency and network must be of GET /v1/options")
	}
	return Quote{Pay: coin.price(ofLira(value)), Rate: coin.Rate, ValidUntil: c.now.Add(quoteLife)}, nil
}

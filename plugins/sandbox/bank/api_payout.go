package bank

import (
	"cmp"

	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

func (b *Bank) sendPayout(c *call) (any, *problem) {
	return b.send(c, func(o *payoutOrder) *problem {
		if o.AccountID != "" {
			return invalid("invalid_request", "a payout has no account_id: see /v1/transfers")
		}
		return nil
	})
}

func (b *Bank) sendTransfer(c *call) (any, *problem) {
	return b.send(c, func(o *payoutOrder) *problem {
		o.Kind = KindBank
		if a, ok := b.account(o.AccountID); !ok || !a.IsOpen {
			return missing("open account")
		}
		return nil
	})
}

// send takes a payout or transfer. What is refused is not kept: it may be sent again under its reference.
func (b *Bank) send(c *call, check func(*payoutOrder) *problem) (any, *problem) {
	var o payoutOrder
	key, p := c.key()
	if p == nil {
		p = c.read(&o)
	}
	if p == nil {
		p = check(&o)
	}
	if p == nil {
		p = o.check()
	}
	if p != nil {
		return nil, p
	}
	o.key = key
	if old, ok := b.payouts.find(o.Reference); ok {
		if old.order != o {
			return nil, taken(o.Reference)
		}
		return old.Payout, nil
	}
	return b.newPayout(c, o)
}

func (b *Bank) newPayout(c *call, o payoutOrder) (any, *problem) {
	sc := b.payoutScenario(o)
	return b.takeWith(o.Reference, sc.failure, func() (any, *problem) {
		if code := b.refusal(o, sc); code != "" {
			return nil, declined(code)
		}
		return b.startPayout(o, sc, c.now).Payout, nil
	})
}

// payoutScenario finds the scenario of a payout: by hand, by the test IBAN, wallet or address, by the kuruş.
func (b *Bank) payoutScenario(o payoutOrder) scenario {
	typed := cmp.Or(codeOf(o.To.IBAN, TestIBAN), codeOf(o.To.Wallet, TestWallet), codeOf(o.To.Address, func(code string) string {
		return TestAddress(o.Network, code)
	}))
	rows := payoutScenarios()
	return find(append(rows, failureScenarios(rows[0].steps)...), b.code(o.Reference, typed, o.Amount))
}

// refusal is the code with which an order is refused at once; empty: it is taken.
func (b *Bank) refusal(o payoutOrder, sc scenario) string {
	if a, ok := b.account(o.AccountID); ok && a.balance(b.now()).Available.Value.Cmp(o.Amount.Value) < 0 {
		return "no_funds"
	}
	return sc.refused
}

func (o payoutOrder) check() *problem {
	switch {
	case !isReference(o.Reference):
		return invalid("invalid_request", badReference)
	case o.Amount.checkOrdered() != nil:
		return o.Amount.checkOrdered()
	case !isText(o.To.Name) || !isText(o.Text) || !isText(o.To.Address):
		return invalid("invalid_request", "a text is too long or has control characters")
	default:
		return o.checkTarget()
	}
}

func (o payoutOrder) checkTarget() *problem {
	switch o.Kind {
	case KindBank:
		if !iban.IsValid(o.To.IBAN) {
			return invalid("invalid_recipient", "to.iban is not an IBAN")
		}
	case KindWallet:
		if !isDigits(o.To.Wallet) || len(o.To.Wallet) < 5 || len(o.To.Wallet) > 20 {
			return invalid("invalid_recipient", "to.wallet must be 5 to 20 digits")
		}
	case KindCrypto:
		if _, ok := coinOn(o.Currency, o.Network); !ok {
			return invalid("unknown_option", "currency and network must be of GET /v1/options")
		}
		if o.To.Address == "" {
			return invalid("invalid_recipient", "to.address is missing")
		}
	default:
		return invalid("unknown_kind", "kind must be bank, crypto or wallet")
	}
	return nil
}

// payoutChecked is a dry run's verdict.
type payoutChecked struct {
	OK     bool    `json:"ok"`
	Fee    *Money  `json:"fee,omitempty"`
	Name   string  `json:"name,omitempty"` // the payee's, as the bank knows it
	Reason *Reason `json:"reason,omitempty"`
}

func (b *Bank) checkPayout(c *call) (any, *problem) {
	var o payoutOrder
	if p := c.read(&o); p != nil {
		return nil, p
	}
	if p := o.check(); p != nil {
		return nil, p
	}
	fee := ofLira(money.MustDecimal(payoutFee))
	checked := payoutChecked{OK: true, Fee: &fee, Name: o.To.Name}
	if code := b.refusal(o, b.payoutScenario(o)); code != "" {
		checked.OK, checked.Reason = false, &Reason{Code: code, Message: codeMessage(code)}
		if code == "name_mismatch" {
			checked.Name = "Ayşe Yılmaz"
		}
	}
	return checked, nil
}

// payoutNamed finds the call's payout or transfer.
func (b *Bank) payoutNamed(c *call) (*payout, *problem) {
	p, ok := b.payouts.find(c.PathValue("reference"))
	if !ok {
		return nil, missing("payout or transfer")
	}
	return p, nil
}

func (b *Bank) readPayout(c *call) (any, *problem)   { return b.readSent(c, false) }
func (b *Bank) readTransfer(c *call) (any, *problem) { return b.readSent(c, true) }

func (b *Bank) readSent(c *call, isTransfer bool) (any, *problem) {
	sent, p := b.payoutNamed(c)
	if p != nil {
		return nil, p
	}
	if isTransfer != (sent.AccountID != "") {
		return nil, missing("payout or transfer")
	}
	return sent.Payout, nil
}

// maxWrongApprovals is how many wrong codes a payout takes.
const maxWrongApprovals = 5

func (b *Bank) approvePayout(c *call) (any, *problem) {
	var given struct {
		Code string `json:"code"`
	}
	sent, p := b.payoutNamed(c)
	if p == nil {
		p = c.read(&given)
	}
	switch {
	case p != nil:
		return nil, p
	case sent.Status != NeedsApproval:
		return sent.Payout, nil
	case given.Code == Code:
		b.changes++
		b.movePayout(sent, Done, "", c.now)
		return sent.Payout, nil
	}
	sent.wrongCodes++
	if sent.wrongCodes >= maxWrongApprovals {
		b.movePayout(sent, Rejected, "not_authenticated", c.now)
	}
	return nil, declined("wrong_code")
}

// cancelPayout stops what was not sent yet; of anything else it says what it is.
func (b *Bank) cancelPayout(c *call) (any, *problem) {
	sent, p := b.payoutNamed(c)
	if p != nil {
		return nil, p
	}
	if sent.Status == Queued || sent.Status == NeedsApproval {
		sent.script++
		b.changes++
		b.movePayout(sent, Canceled, "", c.now)
	}
	return sent.Payout, nil
}

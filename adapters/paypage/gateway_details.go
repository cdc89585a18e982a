package paypage

import (
	"strconv"

	"github.com/vezne/vezne/adapters/qrcode"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

// Bounds of what a gateway has shown.
const (
	maxLines   = 12
	maxQRBytes = 512
)

// fact is one line of what to pay by hand.
type fact struct {
	Label, Value string
	Copy         *copying // nil: nothing to copy
	Class        string
}

// details is what the gateway told the customer to pay.
func (p gatewayPage) details() gateway.Instructions {
	d := *p.Operation.Next.Pay
	if d.Kind == "" {
		d.Kind = p.Operation.GatewayKind
	}
	if d.Asset.Code == "" || d.Exact.Sign() == 0 {
		d.Exact, d.Asset = p.Operation.Due.Amount, p.Operation.Due.Asset
	}
	return d
}

// Sum is what to send, with all its decimals, for reading; PlainSum is for pasting.
func (p gatewayPage) Sum() string {
	d := p.details()
	if lira, ok := inLira(d); ok {
		return p.Money(lira)
	}
	return coins(d) + " " + d.Asset.Code
}

// PlainSum is what to send as wallets and banks take it.
func (p gatewayPage) PlainSum() string {
	d := p.details()
	if lira, ok := inLira(d); ok {
		return p.Plain(lira)
	}
	return coins(d)
}

func inLira(d gateway.Instructions) (money.Amount, bool) {
	lira, err := d.Exact.Amount(money.TRY)
	return lira, err == nil && d.Asset.Code == money.TRY.Code
}

// coins is an amount of a coin. Its decimals have a point in every language, as in wallets.
func coins(d gateway.Instructions) string { return d.Exact.Fixed(min(d.Asset.Decimals, 2)) }

// IsCoin reports whether something else than lira is to be sent; the payment's own amount is shown beside it.
func (p gatewayPage) IsCoin() bool { _, ok := inLira(p.details()); return !ok }

// DetailsLead says where the payment is made.
func (p gatewayPage) DetailsLead() string {
	switch p.details().Kind {
	case gateway.Bank:
		return p.T("details.lead.bank")
	case gateway.Crypto:
		return p.T("details.lead.crypto")
	default:
		return p.T("details.lead.wallet")
	}
}

// Facts are what to pay to, each to be copied.
func (p gatewayPage) Facts() (facts []fact) {
	d := p.details()
	add := func(key, value, copied, class string) {
		if value == "" {
			return
		}
		f := fact{Label: p.T(key), Value: value, Class: class}
		if copied != "" {
			f.Copy = new(p.Copy(key, copied))
		}
		facts = append(facts, f)
	}
	switch d.Kind {
	case gateway.Bank:
		add("pay.iban", iban.Grouped(d.IBAN), d.IBAN, "iban")
		add("pay.holder", d.Holder, d.Holder, "")
		add("pay.bank", d.Bank, "", "")
	case gateway.Crypto:
		add("details.address", d.Address, d.Address, "mono")
		add("details.network", networkName(d.Asset.Network), "", "")
		add("details.memo", d.Memo, d.Memo, "")
	default:
		add("details.wallet", d.Address, d.Address, "")
		add("pay.holder", d.Holder, d.Holder, "")
		add("details.memo", d.Memo, d.Memo, "")
	}
	if d.Kind != gateway.Crypto {
		add("details.reference", d.Reference, d.Reference, "")
	}
	for _, line := range d.Lines[:min(len(d.Lines), maxLines)] {
		if label, value := line[0], line[1]; value != "" { // in the gateway's own words
			facts = append(facts, fact{Label: label, Value: value, Copy: new(p.CopyOf(label, value))})
		}
	}
	return facts
}

// AddressFacts are where a coin is sent to.
func (p gatewayPage) AddressFacts() []fact {
	var facts []fact
	for _, f := range p.Facts() {
		if f.Label == p.T("details.address") || f.Label == p.T("details.memo") {
			facts = append(facts, f)
		}
	}
	return facts
}

// hint is what to mind when sending; without what is strong the money may be lost, or not be found.
type hint struct {
	Text     string
	IsStrong bool
	Name     string // of a person, behind the text
}

// Hints are what goes wrong most often.
func (p gatewayPage) Hints() (hints []hint) {
	d := p.details()
	isCrypto := d.Kind == gateway.Crypto
	add := func(isSo, isStrong bool, key string, args ...any) {
		if isSo {
			hints = append(hints, hint{Text: p.T(key, args...), IsStrong: isStrong})
		}
	}
	add(!isCrypto, false, "pay.hint.exact")
	add(isCrypto, true, "details.hint.exact", coins(d)+" "+d.Asset.Code)
	add(isCrypto && d.Asset.Network != "", true, "details.hint.network", networkName(d.Asset.Network))
	add(!isCrypto && d.Reference != "", true, "details.hint.reference")
	add(d.Memo != "", true, "details.hint.memo")
	if d.Kind == gateway.Bank {
		hints = append(hints, hint{Text: p.T("pay.hint.own"), Name: p.Payer()})
	}
	add(isCrypto && d.Confirms > 0, false, "details.hint.confirms", strconv.Itoa(d.Confirms))
	return hints
}

// QR draws the gateway's payload, or else what the customer pays to. What is too long for a readable code has none.
func (p gatewayPage) QR() (*picture, error) {
	d := p.details()
	payload := d.QR
	switch {
	case payload != "":
	case d.Kind == gateway.Bank:
		payload = d.IBAN
	case d.Kind == gateway.Crypto:
		payload = d.Address
	}
	if payload == "" || len(payload) > maxQRBytes {
		return nil, nil //nolint:nilnil // no code is fine
	}
	code, err := qrcode.Draw(payload)
	return &picture{Code: code, Label: p.T("details.qr"), Hint: p.QRHint(), IsFirst: d.Kind == gateway.Crypto}, err
}

// QRHint says what the code is for.
func (p gatewayPage) QRHint() string {
	if p.details().Kind == gateway.Crypto {
		return p.T("details.qr.crypto")
	}
	return p.T("details.qr.other")
}

package sandbox

import (
	"cmp"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// The JSON of the sandbox, as far as Vezne needs it. The README documents all of it.

// amountJSON is an amount: {"value": "12.5", "currency": "TRY"}.
type amountJSON struct {
	Value    money.Decimal `json:"value"`
	Currency string        `json:"currency"`
	Network  string        `json:"network,omitempty"`
}

func amountOf(m gateway.Money) amountJSON {
	return amountJSON{Value: m.Amount, Currency: m.Asset.Code, Network: m.Asset.Network}
}

func (a amountJSON) money() gateway.Money {
	return gateway.Money{Amount: a.Value, Asset: assetOf(a.Currency, a.Network, a.Value.Places())}
}

// assetOf finds an asset. One that nobody expects (another coin, another currency) still has to be told.
func assetOf(currency, network string, places int) gateway.Asset {
	found := gateway.Asset{Code: currency, Network: network, Decimals: max(places, 2)}
	for _, a := range assets() {
		if a.Code == currency && a.Network == network {
			found = a
		}
	}
	return found
}

func moneyOf(a *amountJSON) *gateway.Money {
	if a == nil {
		return nil
	}
	m := a.money()
	return &m
}

// reasonJSON is why something was refused.
type reasonJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Soft    bool   `json:"soft"`
}

func reasonOf(r *reasonJSON) *gateway.Reason {
	if r == nil {
		return nil
	}
	reason := failures.Reason(r.Code, r.Message)
	reason.Soft = reason.Soft || r.Soft
	return reason
}

// partyJSON is a payer or payee.
type partyJSON struct {
	Name    string `json:"name,omitempty"`
	IBAN    string `json:"iban,omitempty"`
	Wallet  string `json:"wallet,omitempty"`
	Address string `json:"address,omitempty"`
}

func (p partyJSON) party() gateway.Party {
	return gateway.Party{Name: p.Name, IBAN: p.IBAN, Wallet: cmp.Or(p.Wallet, p.Address)}
}

// depositJSON is a deposit.
type depositJSON struct {
	ID            string      `json:"id"`
	Reference     string      `json:"reference"`
	Kind          string      `json:"kind"`
	Status        string      `json:"status"`
	Due           amountJSON  `json:"due"`
	Paid          *amountJSON `json:"paid"`
	Refunded      *amountJSON `json:"refunded"`
	CanRetry      bool        `json:"can_retry"`
	Manual        bool        `json:"manual"`
	Reason        *reasonJSON `json:"reason"`
	Payer         *partyJSON  `json:"payer"`
	Confirmations int         `json:"confirmations"`
	UpdatedAt     time.Time   `json:"updated_at"`
	ExpiresAt     time.Time   `json:"expires_at"`
	Next          struct {
		RedirectURL string   `json:"redirect_url"`
		Pay         *payJSON `json:"pay"`
	} `json:"next"`
}

// payJSON is where to pay by hand.
type payJSON struct {
	IBAN          string `json:"iban"`
	Holder        string `json:"holder"`
	Bank          string `json:"bank"`
	Reference     string `json:"reference"`
	Address       string `json:"address"`
	QR            string `json:"qr"`
	Confirmations int    `json:"confirmations"`
}

// observation is what a deposit's JSON says. How far it is to be believed depends on how it came.
func (d depositJSON) observation(trust gateway.Trust) gateway.Observation {
	o := gateway.Observation{
		Ref: gateway.Ref(d.Reference), External: gateway.ExternalRef{ID: d.ID}, State: states.Of(d.Status), Trust: trust,
		Paid: moneyOf(d.Paid), Refunded: moneyOf(d.Refunded), CanStillPay: d.CanRetry, At: d.UpdatedAt,
		Reason: reasonOf(d.Reason), Raw: d.Status, Confirms: d.Confirmations,
	}
	if d.Manual && o.State == gateway.Paid {
		o.State = gateway.Review // somebody at the gateway says so; no money was seen
	}
	if d.Payer != nil {
		payer := d.Payer.party()
		o.Payer = &payer
	}
	return o
}

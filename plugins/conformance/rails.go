package conformance

import (
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// rail is a way to send money: payouts, or transfers from an account. Both promise the same.
type rail struct {
	what      string // "a payout"
	asks      string // "ReadPayout"
	keys      gateway.KeyTraits
	low, high money.Decimal
	order     func(w *world, amount money.Decimal) sending
	read      func(w *world, k gateway.PayoutKey) (gateway.PayoutReport, error)
	held      func(w *world, ref gateway.Ref) []gateway.Money // what the fake was asked to send
}

// sending is one order on a rail.
type sending struct {
	ref    gateway.Ref
	key    gateway.Key
	amount gateway.Money
	asset  gateway.Asset
	send   func(w *world) (gateway.PayoutReport, error) // the same each time
}

// isFor reports whether an amount at the gateway is what the order asks for. What a coin costs is the gateway's affair.
func (s sending) isFor(asked gateway.Money) bool {
	if asked.IsSameAsset(s.amount) {
		return isSame(asked, s.amount)
	}
	return asked.Asset.Code == s.asset.Code && asked.Asset.Network == s.asset.Network && asked.Amount.Sign() > 0
}

func (s sending) at(e gateway.ExternalRef) gateway.PayoutKey {
	return gateway.PayoutKey{Ref: s.ref, Key: s.key, External: e}
}

func payoutRail(k kit) rail {
	return rail{
		what: "a payout", asks: "ReadPayout", keys: k.d.Payout.Keys, low: k.d.Payout.Min, high: k.d.Payout.Max,
		order: func(w *world, amount money.Decimal) sending { return w.payout(w.payoutOrder(amount)) },
		read:  func(w *world, k gateway.PayoutKey) (gateway.PayoutReport, error) { return w.readPayout(k) },
		held: func(w *world, ref gateway.Ref) []gateway.Money {
			w.t.Helper()
			if w.fake.Payouts == nil {
				w.t.Fatal("Fake.Payouts is missing: the kit has to see what the gateway was asked to send")
			}
			return w.fake.Payouts(ref)
		},
	}
}

func transferRail(k kit) rail {
	return rail{
		what: "a transfer", asks: "ReadTransfer", keys: k.d.Account.Keys, low: k.d.Account.TransferMin,
		order: func(w *world, amount money.Decimal) sending { return w.transfer(w.transferOrder(amount)) },
		read:  func(w *world, k gateway.PayoutKey) (gateway.PayoutReport, error) { return w.readTransfer(k) },
		held: func(w *world, ref gateway.Ref) []gateway.Money {
			w.t.Helper()
			if w.fake.Transfers == nil {
				w.t.Fatal("Fake.Transfers is missing: the kit has to see what the gateway was asked to send")
			}
			return w.fake.Transfers(ref)
		},
	}
}

func (w *world) payoutOrder(amount money.Decimal) gateway.PayoutOrder {
	w.t.Helper()
	return w.payoutOrderOf(w.payoutKinds()[0], amount)
}

func (w *world) payoutOrderOf(kind gateway.Kind, amount money.Decimal) gateway.PayoutOrder {
	w.t.Helper()
	ref := w.refs.next()
	fits := func(a gateway.Asset) bool { return (a != gateway.TRY) == (kind == gateway.Crypto) }
	asset := w.d.Payout.Assets[max(slices.IndexFunc(w.d.Payout.Assets, fits), 0)]
	if named, ok := gateway.AssetNamed(w.d.Payout.Assets, w.Fields["crypto_type"]); ok && fits(named) {
		asset = named
	}
	return gateway.PayoutOrder{
		Ref: ref, Key: keyOf(ref), Amount: lira(amount), Kind: kind, Asset: asset, Customer: customer(),
		Fields: w.fieldsFor(gateway.NeedsOf(w.d.Payout.Needs, kind)), Text: "Payout 48151623",
	}
}

// payoutKinds are the kinds that payouts are of: those that their Needs name, or else the first that money can go to.
func (w *world) payoutKinds() []gateway.Kind {
	var kinds []gateway.Kind
	for _, k := range []gateway.Kind{gateway.Bank, gateway.Wallet, gateway.Crypto} {
		isNamed := slices.ContainsFunc(w.d.Payout.Needs, func(f gateway.FieldSpec) bool { return slices.Contains(f.Kinds, k) })
		if isNamed || len(kinds) == 0 && slices.Contains(w.d.Kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return []gateway.Kind{kindOf(w.d.Kinds)}
	}
	return kinds
}

func (w *world) payout(o gateway.PayoutOrder) sending {
	return sending{o.Ref, o.Key, o.Amount, o.Asset, func(w *world) (gateway.PayoutReport, error) {
		return w.sendPayout(o)
	}}
}

// payee is whom transfers go to: the IBAN is the example of the Turkish registry.
func (w *world) payee() gateway.Party {
	return gateway.Party{Name: "Gizem Saklıoğlu", IBAN: "TR330006100519786457841326", NationalID: w.Fields["national_id"]}
}

func (w *world) transferOrder(amount money.Decimal) gateway.TransferOrder {
	w.t.Helper()
	ref := w.refs.next()
	return gateway.TransferOrder{
		Ref: ref, Key: keyOf(ref), AccountID: w.account().ID, To: w.payee(), Amount: lira(amount), Text: "Transfer 48151623",
	}
}

func (w *world) transfer(o gateway.TransferOrder) sending {
	return sending{o.Ref, o.Key, o.Amount, o.Amount.Asset, func(w *world) (gateway.PayoutReport, error) {
		return w.sendTransfer(o)
	}}
}

// account is the first that is open.
func (w *world) account() gateway.BankAccount {
	w.t.Helper()
	list, err := w.listAccounts()
	w.ok("ListAccounts", err)
	i := slices.IndexFunc(list, func(a gateway.BankAccount) bool { return a.IsOpen })
	if i < 0 {
		w.t.Fatal("ListAccounts gives no open account: the fake needs one")
	}
	return list[i]
}

// usual is an amount with kuruş that the rail takes.
func (r rail) usual() money.Decimal { return near(money.MustDecimal("310.75"), r.low, r.high) }

// sent sends the usual amount.
func (r rail) sent(w *world) (sending, gateway.PayoutReport) {
	w.t.Helper()
	s := r.order(w, r.usual())
	report, err := s.send(w)
	w.ok(r.what, err)
	return s, report
}

// write is a sending as a call that can meet trouble.
func (r rail) write(w *world) write {
	w.t.Helper()
	s := r.order(w, r.usual())
	x := write{
		do:    func(w *world) error { return only(s.send(w)) },
		count: func() int { return len(r.held(w, s.ref)) },
		keys:  r.keys,
	}
	if r.keys.Find {
		x.find = func() error { return only(r.read(w, s.at(gateway.ExternalRef{}))) }
	}
	return x
}

package paypage_test

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// booth is a gateway whose face a test makes up: what it asks for, the coins that it takes and their price, where it sends
// customers, and why it refuses. An order in a coin is one by bank at the gateway behind it.
type booth struct {
	*apptest.PaymentGateway
	mu       sync.Mutex
	kinds    []gateway.Kind
	needs    []gateway.FieldSpec
	options  []gateway.Option
	next     func(gateway.DepositOrder) gateway.NextStep // nil: its own
	confirms int
	orders   []gateway.DepositOrder
	visits   []gateway.Inbound
	due      map[gateway.Ref]gateway.Money // of orders in a coin
	refusals map[gateway.Ref]refusal
}

// refusal is why an order has failed, and whether another try may succeed.
type refusal struct {
	reason      gateway.Reason
	canStillPay bool
}

func (b *booth) ListOptions(context.Context) ([]gateway.Option, error) { return b.options, nil }

func (b *booth) Quote(_ context.Context, r gateway.QuoteRequest) (gateway.Quote, error) {
	rate := money.MustDecimal("40.1234")
	return gateway.Quote{From: r.From, To: gateway.Money{Amount: r.From.Amount.QuoUp(rate, r.To.Decimals), Asset: r.To}, Rate: rate}, nil
}

func (b *booth) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	b.mu.Lock()
	b.orders = append(b.orders, o)
	next, behind := b.next, o
	if o.Quote != nil {
		b.due[o.Ref] = o.Quote.To
		behind.Kind, behind.Option, behind.Quote = gateway.Bank, "", nil
	}
	b.mu.Unlock()
	started, err := b.PaymentGateway.StartDeposit(ctx, behind)
	if err == nil && o.Quote != nil {
		started.Due = &o.Quote.To
		started.Next.Pay = &gateway.Instructions{
			Kind: o.Kind, Address: tronAddress, Asset: o.Quote.To.Asset, Exact: o.Quote.To.Amount, QR: tronAddress, Confirms: 1,
			ExpiresAt: o.ExpiresAt,
		}
	}
	if started.Next.Pay != nil {
		started.Next.Pay.Lines = nil // only a simulator says that it is one
	}
	if err == nil && next != nil {
		started.Next = next(o)
	}
	return started, err
}

const tronAddress = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"

func (b *booth) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	seen, err := b.PaymentGateway.ReadDeposit(ctx, k)
	return b.dress(seen), err
}

func (b *booth) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	b.mu.Lock()
	b.visits = append(b.visits, v.Request)
	b.mu.Unlock()
	seen, err := b.PaymentGateway.FinishReturn(ctx, v)
	return b.dress(seen), err
}

// dress makes up what the gateway behind the booth says.
func (b *booth) dress(seen gateway.Observation) gateway.Observation {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen.Confirms = b.confirms
	if due, ok := b.due[seen.Ref]; ok && seen.Paid != nil {
		seen.Paid = &due
	}
	if r, ok := b.refusals[seen.Ref]; ok && seen.State == gateway.Failed {
		seen.Reason, seen.CanStillPay = &r.reason, r.canStillPay
	}
	return seen
}

// leads has every deposit go on in a way of the test's.
func (b *booth) leads(next gateway.NextStep) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next = func(gateway.DepositOrder) gateway.NextStep { return next }
}

// boothStore is the store of operations while it can be reached.
type boothStore struct {
	ports.Operations
	outage *outage
}

func (b boothStore) OperationBy(ctx context.Context, k coreoperation.Key) (coreoperation.Operation, error) {
	if _, err := b.outage.PaymentByToken(ctx, k.ReturnToken); b.outage.with.Load() != nil {
		return coreoperation.Operation{}, err
	}
	return b.Operations.OperationBy(ctx, k)
}

// openBooths puts booths in front of the world's gateways: Bank Köprüsü takes everything, Hızlı Kripto takes coins.
func (s *stage) openBooths() {
	s.t.Helper()
	s.booth = &booth{PaymentGateway: s.Sandbox, kinds: []gateway.Kind{gateway.Card, gateway.Bank, gateway.Crypto, gateway.Wallet}}
	s.other = &booth{PaymentGateway: s.OtherSandbox, kinds: []gateway.Kind{gateway.Crypto}}
	s.booth.options = []gateway.Option{
		{ID: "usdt", Title: "Tether", Asset: apptest.USDT},
		{ID: "btc", Title: "Bitcoin", Asset: gateway.Asset{Code: "BTC", Network: "Bitcoin", Decimals: 8}, Min: money.MustDecimal("100")},
		{ID: "big", Title: "Too big", Asset: apptest.USDT, Min: money.MustDecimal("100000")},
	}
	s.other.options = s.booth.options[:1]
	for _, b := range []*booth{s.booth, s.other} {
		b.As, b.due, b.refusals = b, map[gateway.Ref]gateway.Money{}, map[gateway.Ref]refusal{}
		b.Describes = func(d *gateway.Descriptor) { d.Kinds, d.Deposit.Needs = b.kinds, b.needs }
	}
	s.rename(&s.Gateway, "Köprü Ödeme", "Banka, kripto ve cüzdan")
	s.rename(&s.OtherGateway, "Hızlı Kripto", "")
	s.Gateways = &app.Gateways{
		Plugins: apptest.Plugins{s.Sandbox, s.OtherSandbox}, Directory: s.Store, Doers: apptest.Hosts(nil), Clock: s.Clock,
	}
	s.Operations.Gateways, s.GatewayAdmin.Gateways = s.Gateways, s.Gateways
	s.Operations.Operations = boothStore{s.Store, s.payments}
}

func (s *stage) rename(a *owner.GatewayAccount, name, description string) {
	s.t.Helper()
	a.Version++
	a.Name, a.Description = name, description
	s.save(*a)
}

// turn puts an account into service, or takes it out.
func (s *stage) turn(a *owner.GatewayAccount, on bool) {
	s.t.Helper()
	a.Version++
	a.IsEnabled = on
	s.save(*a)
}

func (s *stage) save(a owner.GatewayAccount) {
	s.t.Helper()
	if err := s.UnitOfWork.Commit(s.t.Context(), core.Changeset{a}); err != nil {
		s.t.Fatal(err)
	}
}

// card starts a card payment of 250 lira, in English.
func (s *stage) card() payment.Payment { return s.StartDeposit(s.t, payment.CreditCard, lira(250)) }

// begin presses the button, with what the form says, and wants the answer to be a redirect.
func (s *stage) begin(p payment.Payment, form url.Values) answer {
	s.t.Helper()
	got := s.post(path(p)+"/begin", form)
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("begin: %d\n%s", got.status, got.text())
	}
	return got
}

// begun is a payment that is at the gateway already.
func (s *stage) begun(m payment.Method, form url.Values) payment.Payment {
	s.t.Helper()
	p := s.StartDeposit(s.t, m, lira(250))
	s.begin(p, form)
	return p
}

// pick is the form that picks a gateway.
func pick(kind gateway.Kind, id int64, option string) url.Values {
	form := url.Values{"kind": {string(kind)}, "gateway_id": {strconv.FormatInt(id, 10)}}
	if option != "" {
		form.Set("option", option)
	}
	return form
}

// last is a payment's newest operation.
func (s *stage) last(p payment.Payment) coreoperation.Operation {
	s.t.Helper()
	all := must(s.Store.OperationsOf(s.t.Context(), p.ID))(s.t)
	if len(all) == 0 {
		s.t.Fatal("there is no operation")
	}
	return all[len(all)-1]
}

// happens has something happen to a payment at its gateway, and the gateway asked.
func (s *stage) happens(p payment.Payment, event func(*booth, gateway.Ref)) payment.Payment {
	s.t.Helper()
	o := s.last(p)
	at := s.booth
	if o.GatewayID == s.OtherGateway.ID {
		at = s.other
	}
	event(at, o.Reference)
	s.ask(p)
	return s.Reload(s.t, p)
}

// ask lets the time pass after which the gateway is asked about a payment.
func (s *stage) ask(p payment.Payment) {
	s.t.Helper()
	if next := s.last(p).NextAt; next.After(s.Clock.Now()) {
		s.Clock.Set(next)
	}
	s.Work(s.t)
}

func is(state gateway.State) func(*booth, gateway.Ref) {
	return func(b *booth, ref gateway.Ref) { b.Happen(ref, string(state)) }
}

func paid(b *booth, ref gateway.Ref) { b.Happen(ref, string(gateway.Paid)) }

func paidInPart(b *booth, ref gateway.Ref) { b.PayAmount(ref, gateway.Lira(lira(10))) }

// refused is a card that was declined on the gateway's own page, where another may be tried.
func refused(why gateway.ReasonCode, canStillPay bool) func(*booth, gateway.Ref) {
	return func(b *booth, ref gateway.Ref) {
		b.mu.Lock()
		b.refusals[ref] = refusal{gateway.Reason{Code: why, RawText: "raw secret of the bank"}, canStillPay}
		b.mu.Unlock()
		b.Happen(ref, string(gateway.Failed))
	}
}

// atGateways returns the address of a payment in each state that gateways bring about, by a name. It moves the clock.
func (s *stage) atGateways() map[string]string {
	s.t.Helper()
	bank := pick(gateway.Bank, s.Gateway.ID, "")
	late := s.happens(s.begun(payment.BankDeposit, bank), is(gateway.Processing))
	s.Clock.Advance(31 * time.Minute)
	s.Work(s.t)
	timedOut := s.card()
	s.Clock.Advance(16 * time.Minute)
	s.Work(s.t)

	settled := map[string]payment.Payment{
		"late": late, "timed out": timedOut, "card paid": s.happens(s.begun(payment.CreditCard, nil), paid),
		"declined":        s.happens(s.begun(payment.CreditCard, nil), refused(gateway.FraudSuspected, false)),
		"canceled":        s.happens(s.begun(payment.CreditCard, nil), is(gateway.Canceled)),
		"failed":          s.happens(s.begun(payment.WalletDeposit, nil), refused(gateway.FraudSuspected, false)),
		"tried":           s.happens(s.begun(payment.WalletDeposit, nil), refused(gateway.LimitExceeded, false)),
		"undone":          s.happens(s.begun(payment.WalletDeposit, nil), is(gateway.Canceled)),
		"declined softly": s.happens(s.begun(payment.CreditCard, nil), refused(gateway.InsufficientFunds, true)),
		"checking":        s.happens(s.begun(payment.CreditCard, nil), is(gateway.Processing)),
		"seen":            s.happens(s.begun(payment.BankDeposit, bank), is(gateway.Processing)),
		"held":            s.happens(s.begun(payment.BankDeposit, bank), paidInPart),
		"refunded":        s.refunded(s.happens(s.begun(payment.CreditCard, nil), paid)),
	}
	open := map[string]payment.Payment{
		"card": s.card(), "pick": s.StartDeposit(s.t, payment.CryptoDeposit, lira(250)),
		"away": s.begun(payment.CreditCard, nil), "bank": s.begun(payment.BankDeposit, bank),
		"crypto": s.begun(payment.CryptoDeposit, pick(gateway.Crypto, s.Gateway.ID, "usdt")), "asking": s.asking(), "lapsed": s.lapsed(),
	}
	pages := map[string]string{}
	for name, p := range settled {
		pages[name] = path(s.Reload(s.t, p)) + "?"
	}
	for name, p := range open {
		pages[name] = path(p) + "?"
	}
	pages["back"] = pages["away"] + "step=back&"
	pages["coin"] = pages["pick"] + "kind=crypto&gateway=" + strconv.FormatInt(s.Gateway.ID, 10) + "&"
	pages["other way"] = pages["bank"] + "step=pick&"
	pages["no way"] = pages["pick"] + "notice=no_way&"
	return pages
}

// asking is a payment of which nobody knows whether the gateway took it.
func (s *stage) asking() payment.Payment {
	s.t.Helper()
	s.Sandbox.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if call == gateway.CanStartDeposit {
			return apptest.Lost
		}
		return apptest.NoFault
	}
	defer func() { s.Sandbox.Fault = nil }()
	return s.begun(payment.CreditCard, nil)
}

// lapsed is a payment whose details are over before it is.
func (s *stage) lapsed() payment.Payment {
	s.t.Helper()
	s.booth.leads(gateway.NextStep{Pay: &gateway.Instructions{Kind: gateway.Bank, IBAN: exampleIBAN, ExpiresAt: s.Clock.Now()}})
	defer func() { s.booth.next = nil }()
	return s.begun(payment.BankDeposit, pick(gateway.Bank, s.Gateway.ID, ""))
}

const exampleIBAN = "TR190006200000000000000088"

func (s *stage) refunded(p payment.Payment) payment.Payment {
	s.t.Helper()
	must(s.Operations.Refund(s.t.Context(), app.StaffMove{Request: app.Request{Staff: s.Admin, Addr: "192.0.2.7", Reason: "asked"}, TrackingCode: p.TrackingCode}, money.Amount{}, nil))(s.t)
	s.Work(s.t)
	return s.Reload(s.t, p)
}

// behindProxy serves the page behind a proxy that says where every request comes from.
func (s *stage) behindProxy(addr string) {
	s.config.ClientAddr = func(*http.Request) netip.Addr { return netip.MustParseAddr(addr) }
	s.serve()
}

package apptest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// SimulatedGateway is the sandbox in the test's own process: the real plugin over its simulated bank, without a network. It
// is its own plugin and one gateway account. Nobody pays and nothing is sent until a test says so, any call can be made to
// fail, and any can be taken over by a test.
type SimulatedGateway struct {
	ports.Gateway
	ports.NotificationReader
	*bank.Bank

	// Fault, when set, is asked before every call what shall go wrong.
	Fault func(call gateway.Capability, ref gateway.Ref) Fault
	// AtOnce has every transfer done when it is sent; otherwise it is on its way until a test ends it.
	AtOnce bool
	// As is what is opened in its place: a gateway that embeds it and answers otherwise.
	As ports.Gateway
	// Opens, when set, is asked whether it can be opened.
	Opens func() error
	// Describes changes what its descriptor says.
	Describes func(*gateway.Descriptor)

	t        TB
	code     string
	describe func(code string) gateway.Descriptor
	plugin   *sandbox.Gateway
	mu       sync.Mutex
	orders   map[gateway.Ref][]gateway.Request
}

// PaymentGateway is the part of the sandbox that takes deposits and pays out.
type PaymentGateway struct {
	*SimulatedGateway
	ports.DepositStarter
	ports.DepositReader
	ports.DepositCanceler
	ports.DepositReviewer
	ports.ReturnFinisher
	ports.Refunder
	ports.Payer
	ports.PayoutApprover
}

// QuotingGateway is a PaymentGateway that lists its coins and prices deposits in them.
type QuotingGateway struct {
	*PaymentGateway
	ports.Quoter
	ports.OptionLister
}

// DisputingGateway is a PaymentGateway that tells disputes.
type DisputingGateway struct {
	*PaymentGateway
	ports.DisputeReader
	ports.DisputeLister
	ports.DisputeAccepter
	ports.DisputeAnswerer
}

// ListingGateway is a PaymentGateway that lists its deposits.
type ListingGateway struct {
	*PaymentGateway
	ports.DepositLister
}

// AccountGateway is the part of the sandbox that is the bank behind E-IBAN.
type AccountGateway struct {
	*SimulatedGateway
	ports.AccountReader
	ports.StatementReader
	ports.TransferSender
}

var _ ports.Plugin = (*SimulatedGateway)(nil)

const (
	notifySecret = "notification-secret"
	walletSecret = "wallet-secret"
)

// CollectingIBAN is where the gateways have customers pay by bank.
const CollectingIBAN = "TR190006200000000000000088"

func newPaymentGateway(t TB, clock ports.Clock, code string) *PaymentGateway {
	t.Helper()
	s := newSandbox(t, clock, code, depositing)
	s.OpenAccount(bank.Account{ID: "collecting", IBAN: CollectingIBAN, Bank: "SIM Bank", Holder: "Vezne Sandbox A.Ş.", IsOpen: true})
	g := &PaymentGateway{s, s.plugin, s.plugin, s.plugin, s.plugin, s.plugin, s.plugin, s.plugin, s.plugin}
	s.As = g
	return g
}

// Quoting is this gateway with its coins.
func (g *PaymentGateway) Quoting() QuotingGateway { return QuotingGateway{g, g.plugin, g.plugin} }

// Disputing is this gateway with its disputes.
func (g *PaymentGateway) Disputing() DisputingGateway {
	return DisputingGateway{g, g.plugin, g.plugin, g.plugin, g.plugin}
}

// Listing is this gateway with its list.
func (g *PaymentGateway) Listing() ListingGateway { return ListingGateway{g, g.plugin} }

// Dispute has the payer of a deposit dispute an amount of it, in minor units; 0: all of it. It returns the gateway's own id.
func (s *SimulatedGateway) Dispute(ref gateway.Ref, minor int64, status string) (id string) {
	s.t.Helper()
	var amount *bank.Money
	if minor > 0 {
		amount = &bank.Money{Value: money.New(minor, money.TRY).Decimal(), Currency: money.TRY.Code}
	}
	return must(s.OpenDispute(string(ref), amount, "fraudulent", status))(s.t).ID
}

// MoveTo brings a dispute into a status.
func (s *SimulatedGateway) MoveTo(id, status string) {
	s.t.Helper()
	if err := s.MoveDispute(id, status); err != nil {
		s.t.Fatalf("%s of %s: %v", status, id, err)
	}
}

// InformOfDispute is what the gateway would tell of a dispute.
func (s *SimulatedGateway) InformOfDispute(notification, id string, trust gateway.Trust) gateway.Inbound {
	return s.inbound(notification, bank.Event{Type: "dispute.updated", Dispute: &bank.Dispute{ID: id}}, trust)
}

func newAccountGateway(t TB, clock ports.Clock, code string) *AccountGateway {
	t.Helper()
	s := newSandbox(t, clock, code, accounting)
	g := &AccountGateway{s, s.plugin, s.plugin, s.plugin}
	s.As = g
	return g
}

// newSandbox opens a gateway that describes itself so.
func newSandbox(t TB, clock ports.Clock, code string, describe func(code string) gateway.Descriptor) *SimulatedGateway {
	t.Helper()
	s := &SimulatedGateway{t: t, code: code, describe: describe, orders: map[gateway.Ref][]gateway.Request{}}
	address := "https://" + code + ".test"
	s.Bank = bank.New(bank.Config{
		APIKey: "key", APISecret: "secret", NotifySecret: notifySecret, WalletSecret: walletSecret, Now: clock.Now,
		PublicURL: address, ByHand: true, Accounts: []bank.Account{},
	})
	s.Lag(0)
	config := gateway.NewConfig(sandbox.Plugin().Describe().Config, map[string]string{
		"base_url": address, "api_key": "key", "api_secret": "secret", "notify_secret": notifySecret, "wallet_secret": walletSecret,
	}, nil)
	s.plugin = must(sandbox.Open(ports.GatewayEnv{Environment: gateway.Sandbox, Config: config, HTTP: transport{s}, Clock: clock}))(t)
	s.Gateway, s.NotificationReader = s.plugin, s.plugin
	return s
}

// Describe implements ports.Plugin.
func (s *SimulatedGateway) Describe() gateway.Descriptor {
	d := s.describe(s.code)
	if s.Describes != nil {
		s.Describes(&d)
	}
	return d
}

// Has implements ports.Plugin.
func (s *SimulatedGateway) Has(c gateway.Capability) bool { return ports.CapabilityOf(s.As, c) }

// Open implements ports.Plugin.
func (s *SimulatedGateway) Open(ports.GatewayEnv) (ports.Gateway, error) {
	if s.Opens != nil {
		if err := s.Opens(); err != nil {
			return nil, err
		}
	}
	return s.As, nil
}

// Orders returns the requests for an order, payout, refund or transfer that reached the bank and were taken.
func (s *SimulatedGateway) Orders(ref gateway.Ref) []gateway.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.orders[ref])
}

// Happen makes something happen to an order: bank.Paid, bank.Returned.
func (s *SimulatedGateway) Happen(ref gateway.Ref, event string) {
	s.t.Helper()
	if err := s.Fire(string(ref), event); err != nil {
		s.t.Fatalf("%s of %s: %v", event, ref, err)
	}
}

// PayInFull pays the whole of a deposit that is still open at the gateway, or that has expired there.
func (s *SimulatedGateway) PayInFull(ref gateway.Ref) {
	d, ok := s.FindDeposit(string(ref))
	if ok && (d.Status == bank.Waiting || d.Status == bank.Processing || d.Status == bank.Expired || d.CanRetry) {
		s.Happen(ref, bank.Paid)
	}
}

// PayAmount pays so much for a deposit, whatever is due.
func (s *SimulatedGateway) PayAmount(ref gateway.Ref, amount gateway.Money) {
	s.t.Helper()
	paid := bank.Money{Value: amount.Amount, Currency: amount.Asset.Code, Network: amount.Asset.Network}
	if err := s.Pay(string(ref), &paid); err != nil {
		s.t.Fatalf("pay %s: %v", ref, err)
	}
}

// AddAccount opens an account that holds an amount before its first line.
func (s *SimulatedGateway) AddAccount(a gateway.BankAccount, opening money.Amount) {
	s.OpenAccount(bank.Account{
		ID: a.ID, IBAN: a.IBAN, Bank: a.BankName, Holder: a.Holder, IsOpen: true,
		Opening: bank.Money{Value: opening.Decimal(), Currency: money.TRY.Code},
	})
}

// Receive books money that came in, and returns the line's ID. A bookedAt before now is a late booking.
func (s *SimulatedGateway) Receive(
	accountID string, amount money.Amount, party gateway.Party, text string, bookedAt time.Time,
) string {
	s.t.Helper()
	return s.BookLine(accountID, gateway.StatementLine{
		Direction: gateway.Incoming, Amount: amount.Decimal(), Party: party, Text: text, BookedAt: bookedAt,
	})
}

// BookLine writes a line and returns its ID.
func (s *SimulatedGateway) BookLine(accountID string, l gateway.StatementLine) string {
	s.t.Helper()
	line := bank.Line{
		Direction: bank.Incoming, Amount: bank.Money{Value: l.Amount, Currency: money.TRY.Code}, BookedAt: l.BookedAt, Text: l.Text,
		Reference: l.EndToEnd, Party: bank.Party{Name: l.Party.Name, IBAN: l.Party.IBAN, Wallet: l.Party.Wallet}, Reverses: l.Reverses,
	}
	if l.Direction == gateway.Outgoing {
		line.Direction = bank.Outgoing
	}
	return must(s.Book(accountID, line))(s.t).ID
}

// Settle books a transfer: the money has left. It does so also with one that the bank had called failed.
func (s *SimulatedGateway) Settle(ref gateway.Ref) {
	s.t.Helper()
	s.Happen(ref, bank.Done)
}

// Return books a transfer, where it is not, and brings its money back. It returns the ID of the line that did.
func (s *SimulatedGateway) Return(ref gateway.Ref) (lineID string) {
	s.t.Helper()
	if s.LineOf(ref) == "" {
		s.Settle(ref)
	}
	s.Happen(ref, bank.Returned)
	return s.lineBy(func(l bank.Line) bool { return l.Reference == string(ref) && l.Reverses != "" }).ID
}

// LineOf returns the ID of a transfer's booking; empty: it is not booked.
func (s *SimulatedGateway) LineOf(ref gateway.Ref) string {
	return s.lineBy(func(l bank.Line) bool { return l.Reference == string(ref) && l.Direction == bank.Outgoing }).ID
}

func (s *SimulatedGateway) lineBy(is func(bank.Line) bool) bank.Line {
	for _, a := range s.State().Accounts {
		if i := slices.IndexFunc(a.Lines, is); i >= 0 {
			return a.Lines[i]
		}
	}
	return bank.Line{}
}

// Inform is what the gateway would tell of a reference now, signed, or with no more than a secret in its body.
func (s *SimulatedGateway) Inform(id string, ref gateway.Ref, trust gateway.Trust) gateway.Inbound {
	event := bank.Event{Type: "deposit.paid", Deposit: &bank.Deposit{Reference: string(ref), Status: bank.Paid}}
	if _, body, ok := s.Notification(string(ref)); ok {
		event = bank.Event{}
		_ = json.Unmarshal(body, &event) // the bank wrote it
	}
	return s.inbound(id, event, trust)
}

// InformOfLine is what the bank would tell of a line.
func (s *SimulatedGateway) InformOfLine(id, lineID string) gateway.Inbound {
	line := s.lineBy(func(l bank.Line) bool { return l.ID == lineID })
	return s.inbound(id, bank.Event{Type: "account.line", Line: &line}, gateway.Signed)
}

func (s *SimulatedGateway) inbound(id string, event bank.Event, trust gateway.Trust) gateway.Inbound {
	event.ID = id
	if trust < gateway.Signed {
		event.SharedSecret = walletSecret
	}
	body, _ := json.Marshal(event) // an event always can be
	if trust < gateway.Signed {
		return Inbound(nil, body)
	}
	return Inbound(s.Sign(body), body)
}

// Inbound is a notification as it comes to Vezne.
func Inbound(header http.Header, body []byte) gateway.Inbound {
	in := gateway.Inbound{Method: http.MethodPost, Body: body}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, v := range header[name] {
			in.Header = append(in.Header, gateway.Field{Name: name, Value: v})
		}
	}
	return in
}

// Plugins is a list of plugins.
type Plugins []ports.Plugin

var _ ports.Plugins = Plugins(nil)

// Plugin implements ports.Plugins.
func (l Plugins) Plugin(code string) (ports.Plugin, bool) {
	for _, p := range l {
		if p.Describe().Code == code {
			return p, true
		}
	}
	return nil, false
}

// Plugins implements ports.Plugins.
func (l Plugins) Plugins() []ports.Plugin { return l }

// Package apptest is a whole Vezne for one test: every use case over the real store on SQLite, with a clock that the test
// moves, and fakes of what is outside. Handler tests use it, so that they test against the real services.
package apptest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/exportfile"
	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/command"
	disputes "github.com/vezne/vezne/app/dispute"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/queues"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/restore"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/app/testplan"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Start is the moment at which a World's clock stands first: 2026-03-02 12:00:00 in Istanbul.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// StepUpAbove is above which amount, in minor units, staff prove themselves anew to move it.
const StepUpAbove = 10_000_00

// Password is every seeded staff member's.
const Password = "correct horse battery"

// TB is what a World needs of a test: *testing.T, *testing.B and *rapid.T have it.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
	Context() context.Context
}

// World is all services, the fakes under them, and its owners.
type World struct {
	Clock   *Clock
	Store   *bunstore.Store
	Waker   *Waker
	Sender  *CallbackSender
	Limiter *Limiter
	Zone    *time.Location
	Logs    *Logs

	UnitOfWork  *app.UnitOfWork
	Gate        *access.Authenticator
	Staff       *appstaff.Service
	Directory   *directory.Directory
	Deposits    *payments.Deposits
	Credits     *payments.Credits
	Dealers     *payments.DealerPayments
	Wallets     *wallets.Wallets
	Statements  *wallets.Statements
	Withdrawals *payments.Withdrawals
	Notes       *payments.Notes
	Callbacks   *payments.Callbacks
	TestPlans   *testplan.Service
	Sweep       *sweep.Service
	Backoffice  *reports.Backoffice
	Audit       *audit.Service
	Queues      *queues.Service
	TaskQueues  *Queues // behind Queues
	Jobs        *reports.Jobs
	News        *localevents.Events
	Live        *live.Service
	Approvals   *approval.Service
	Once        *once.Service
	FourEyes    *approval.Gate // what commits of staff go through
	Statistics  *reports.Statistics
	Restore     *restore.Service

	Sandbox, OtherSandbox *PaymentGateway // behind the gateway accounts
	Gateways              *app.Gateways
	Operations            *operation.Service
	Disputes              *disputes.Service
	Cards                 *payments.Cards
	GatewayAdmin          *directory.Gateways
	Bank                  *AccountGateway // behind the wallets

	Seeded

	proof *appstaff.MoneyProof
	later []core.WakeUp // heard by Work before their time
}

// Seeded are the owners that every World begins with.
type Seeded struct {
	Gateway, OtherGateway owner.GatewayAccount // Gateway is tried first; payouts from 1000 TRY wait for approval
	BankGateway           owner.GatewayAccount

	Provider, OtherProvider     owner.Provider
	Site, OtherSite             owner.Site
	CredentialKey, OtherSiteKey string
	Dealer, OtherDealer         owner.Dealer
	Accounts                    []owner.Account // of Dealer: three manual, one E-IBAN
	Admin, Operator, Viewer     staff.Staff
	DealerStaff, DealerManager  staff.Staff // of Dealer
	Finance, Support, Auditor   staff.Staff
	ProviderStaff               staff.Staff   // of Provider
	ProviderManager             staff.Staff   // of Provider
	Wallet, OtherWallet         wallet.Wallet // of Dealer, at acc-1 of the bank, and of OtherDealer, at acc-2; each holds Opening
}

// Above says above which amount, in minor units, staff prove themselves anew.
func (w *World) Above(minor int64) { w.proof.Above = money.New(minor, money.TRY) }

// New builds a World with two providers with a site and a dealer each, accounts, gateways, wallets, and staff.
func New(t TB) *World {
	t.Helper()
	from := template(t)
	w := build(t, sqlitetest.OpenCopy(t, from.file))
	w.Seeded, w.later = from.Seeded, slices.Clone(from.wakeUps)
	w.Accounts = slices.Clone(from.Accounts)
	w.openAccount(w.Wallet)
	w.openAccount(w.OtherWallet)
	return w
}

// build puts the services together over a store.
func build(t TB, store *bunstore.Store) *World {
	t.Helper()
	w := &World{
		Clock: NewClock(Start), Store: store, Waker: NewWaker(), Sender: NewCallbackSender(),
		Zone: time.FixedZone("+03", 3*60*60), Logs: &Logs{},
	}
	w.Limiter = NewLimiter(w.Clock)
	log := slog.New(slog.NewTextHandler(w.Logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.FourEyes = &approval.Gate{Next: worldCommits{w}, Approvals: w.Store, Staff: w.Store, Operations: w.Store, Clock: w.Clock, Random: rand.Reader, Zone: w.Zone}
	w.proof = &appstaff.MoneyProof{Next: w.FourEyes, Staff: w.Store, Clock: w.Clock}
	w.Above(StepUpAbove)
	w.UnitOfWork = &app.UnitOfWork{
		Commits: w.Store, Staff: w.proof, Waker: w.Waker, Clock: w.Clock, Random: rand.Reader,
		Payments: w.Store, Callbacks: w.Store, Directory: w.Store, Schedule: payment.DefaultRetrySchedule,
	}
	w.Approvals = &approval.Service{UnitOfWork: w.UnitOfWork, Store: w.Store, Staff: w.Store, Gate: w.FourEyes}
	w.Once = &once.Service{UnitOfWork: w.UnitOfWork}
	w.Gate = &access.Authenticator{UnitOfWork: w.UnitOfWork, Directory: w.Store, Limiter: w.Limiter, Clock: w.Clock}
	w.Staff = appstaff.New(appstaff.Config{
		UnitOfWork: w.UnitOfWork, Store: w.Store, Sequences: w.Store, Limiter: w.Limiter, BaseURL: "https://pay.vezne.test", Issuer: "Vezne",
	})
	w.Directory = &directory.Directory{
		UnitOfWork: w.UnitOfWork, Sequences: w.Store, Owners: w.Store, Reports: w.Store,
		Sender: w.Sender, Limiter: w.Limiter, Zone: w.Zone,
	}
	w.Gate.NoteOldKey = func(ctx context.Context, use owner.OldKeyUse) { _ = w.Directory.NoteOldKey(ctx, use) }
	dealerLocks := &app.KeyedLock{}
	w.Deposits = &payments.Deposits{
		UnitOfWork: w.UnitOfWork, Owners: w.Store, Operations: w.Store, ExpiresIn: 30 * time.Minute, Zone: w.Zone, DealerLocks: dealerLocks, MostTimes: 2,
	}
	w.Credits = &payments.Credits{UnitOfWork: w.UnitOfWork, Operations: w.Store, Statements: w.Store, Log: log}
	w.Dealers = &payments.DealerPayments{
		UnitOfWork: w.UnitOfWork, Owners: w.Store, DealerLocks: dealerLocks, ExpiryDeposit: 30 * time.Minute,
		ExpiryCard: 15 * time.Minute, Zone: w.Zone,
	}
	w.Withdrawals = &payments.Withdrawals{UnitOfWork: w.UnitOfWork, ClaimFor: 15 * time.Minute, Notes: w.Store}
	w.Notes = &payments.Notes{UnitOfWork: w.UnitOfWork, Store: w.Store}
	w.Callbacks = &payments.Callbacks{
		UnitOfWork: w.UnitOfWork, Sender: w.Sender, Timeout: 10 * time.Second, Zone: w.Zone, Log: log,
	}
	w.Callbacks.Start()
	t.Cleanup(func() { _ = w.Callbacks.Stop(context.Background()) })
	w.TestPlans = &testplan.Service{UnitOfWork: w.UnitOfWork, Plans: w.Store, Log: log}
	w.TestPlans.Start()
	t.Cleanup(func() { _ = w.TestPlans.Stop(context.Background()) })
	w.buildGateways(t, log)
	w.Wallets = &wallets.Wallets{
		UnitOfWork: w.UnitOfWork, Wallets: w.Store, Gateways: w.Gateways, Sequences: w.Store, Zone: w.Zone,
	}
	w.Statements = &wallets.Statements{
		UnitOfWork: w.UnitOfWork, Store: w.Store, Wallets: w.Store, Operations: w.Store, Reports: w.Store, Gateways: w.Gateways,
		Every: 30 * time.Second, AutoScore: wallet.CertainScore, Zone: w.Zone, Log: log,
	}
	w.Statements.Start()
	t.Cleanup(func() { _ = w.Statements.Stop(context.Background()) })
	w.Statistics = &reports.Statistics{Reports: w.Store, Directory: w.Store, Clock: w.Clock, Zone: w.Zone, Log: log}
	w.Jobs = &reports.Jobs{
		UnitOfWork: w.UnitOfWork, Reports: w.Store, Staff: w.Store, Writers: exportfile.Writers(), Zone: w.Zone, Log: log,
		Wallets: w.Store, Lines: w.Store, Audit: w.Store, Statistics: w.Statistics,
	}
	w.Jobs.Start()
	t.Cleanup(func() { _ = w.Jobs.Stop(context.Background()) })
	w.Sweep = &sweep.Service{
		UnitOfWork: w.UnitOfWork, Rows: w.Store, Keep: sweep.FixedRetention(), Log: log, Wake: w.wake,
		Asks: []sweep.Due{w.Operations.Due, sweep.Always(core.DueStatements), sweep.Always(core.DueJobs), w.Approvals.Due, w.Disputes.Due},
		Due:  []sweep.Due{w.Callbacks.Due},
	}
	w.Restore = &restore.Service{
		UnitOfWork: w.UnitOfWork, Epochs: w.Store, Operations: w.Store, Disputes: w.Store, Wallets: w.Store, Statements: w.Store, Reports: w.Store,
		Staff: w.Store, Gateways: w.Gateways, Log: log,
	}
	w.Backoffice = &reports.Backoffice{
		Payments: w.Store, Callbacks: w.Store, Operations: w.Store, Disputes: w.Store, Statements: w.Store, Directory: w.Store, Owners: w.Store,
		Reports: w.Store, Clock: w.Clock,
	}
	w.buildOversight(log)
	w.startLive(t, log)
	return w
}

// Commands are the commands of staff, over the services as they are now.
func (w *World) Commands() *command.Commands {
	return command.New(command.Services{
		Staff: w.Staff, Directory: w.Directory, Gateways: w.GatewayAdmin, Deposits: w.Deposits, Credits: w.Credits,
		Withdrawals: w.Withdrawals, Notes: w.Notes, Operations: w.Operations, Disputes: w.Disputes, Wallets: w.Wallets, Statements: w.Statements,
		Backoffice: w.Backoffice, Jobs: w.Jobs, Approvals: w.Approvals, Once: w.Once, Restore: w.Restore, Clock: w.Clock,
	})
}

func (w *World) buildGateways(t TB, log *slog.Logger) {
	t.Helper()
	w.Sandbox, w.OtherSandbox = newPaymentGateway(t, w.Clock, "till"), newPaymentGateway(t, w.Clock, "other-till")
	w.Bank = newAccountGateway(t, w.Clock, "bank")
	w.Gateways = &app.Gateways{
		Plugins: Plugins{w.Sandbox, w.OtherSandbox, w.Bank}, Directory: w.Store, Doers: Hosts(nil), Clock: w.Clock,
	}
	w.Operations = &operation.Service{
		UnitOfWork: w.UnitOfWork, Operations: w.Store, Owners: w.Store, Statements: w.Store, Disputes: w.Store, Gateways: w.Gateways, Limiter: w.Limiter,
		BaseURL: "https://pay.vezne.test", ExpiryBankWithdrawal: 24 * time.Hour, Log: log,
	}
	w.Operations.Start()
	t.Cleanup(func() { _ = w.Operations.Stop(context.Background()) })
	w.Disputes = &disputes.Service{UnitOfWork: w.UnitOfWork, Disputes: w.Store, Operations: w.Store, Notes: w.Store, Gateways: w.Gateways, Log: log}
	w.Disputes.Start()
	t.Cleanup(func() { _ = w.Disputes.Stop(context.Background()) })
	w.Cards = &payments.Cards{UnitOfWork: w.UnitOfWork, ExpiresIn: 15 * time.Minute}
	w.GatewayAdmin = &directory.Gateways{
		UnitOfWork: w.UnitOfWork, Operations: w.Store, Owners: w.Store, Sequences: w.Store, Gateways: w.Gateways,
		NotifyURL: w.Operations.BaseURL + operation.NotifyPath,
	}
}

// seedGateway makes an enabled account of a gateway.
func (w *World) seedGateway(t TB, code string, priority int) owner.GatewayAccount {
	t.Helper()
	name, yes, approval := "Gateway "+code, true, money.New(100000, money.TRY)
	return must(w.GatewayAdmin.Create(t.Context(), app.BySystem, directory.NewAccount{
		Plugin: code, Environment: gateway.Production, GatewayPatch: owner.GatewayPatch{
			Code: &code, Name: &name, IsEnabled: &yes, Priority: &priority, ApprovalFrom: &approval,
			Config: map[string]string{"api_key": "key-of-" + code},
		},
	}))(t)
}

func (w *World) seed(t TB) {
	t.Helper()
	ctx := t.Context()
	w.Dealer = must(w.Directory.CreateDealer(ctx, app.BySystem, owner.Dealer{
		Name: "Marmara Finans", IsCreditCardEnabled: true, IsEIBANEnabled: true, IsManualIBANEnabled: true,
	}))(t)
	w.OtherDealer = must(w.Directory.CreateDealer(ctx, app.BySystem, owner.Dealer{
		Name: "Ege Ödeme", IsEIBANEnabled: true, IsManualIBANEnabled: true,
	}))(t)
	w.Provider, w.Site, w.CredentialKey = w.seedProvider(t, "Acme Pay", w.Dealer)
	w.OtherProvider, w.OtherSite, w.OtherSiteKey = w.seedProvider(t, "Öteki Ödeme", w.OtherDealer)
	for _, a := range seedAccounts(w.Dealer.ID) {
		w.Accounts = append(w.Accounts, must(w.Directory.CreateAccount(ctx, app.BySystem, a))(t))
	}
	w.Gateway, w.OtherGateway = w.seedGateway(t, "till", 1), w.seedGateway(t, "other-till", 2)
	w.seedWallets(t)
	w.Admin = w.seedStaff(t, staff.Staff{Email: "admin@vezne.test", Role: staff.Admin})
	w.Operator = w.seedStaff(t, staff.Staff{Email: "operator@vezne.test", Role: staff.Operator})
	w.Viewer = w.seedStaff(t, staff.Staff{Email: "viewer@vezne.test", Role: staff.Viewer})
	w.DealerStaff = w.seedStaff(t, staff.Staff{Email: "dealer@vezne.test", Role: staff.DealerStaff, DealerID: w.Dealer.ID})
	w.Finance = w.seedStaff(t, staff.Staff{Email: "finance@vezne.test", Role: staff.Finance})
	w.Support = w.seedStaff(t, staff.Staff{Email: "support@vezne.test", Role: staff.Support})
	w.Auditor = w.seedStaff(t, staff.Staff{Email: "auditor@vezne.test", Role: staff.Auditor})
	w.ProviderStaff = w.seedStaff(t, staff.Staff{Email: "provider@vezne.test", Role: staff.ProviderStaff, ProviderID: w.Provider.ID})
	w.DealerManager = w.seedStaff(t, staff.Staff{Email: "dealer.manager@vezne.test", Role: staff.DealerManager, DealerID: w.Dealer.ID})
	w.ProviderManager = w.seedStaff(t, staff.Staff{Email: "provider.manager@vezne.test", Role: staff.ProviderManager, ProviderID: w.Provider.ID})
}

func (w *World) seedProvider(t TB, name string, d owner.Dealer) (owner.Provider, owner.Site, string) {
	t.Helper()
	p := must(w.Directory.CreateProvider(t.Context(), app.BySystem, owner.Provider{
		Name: name, Language: lang.EN, IsCreditCardEnabled: true, URLs: owner.CallbackURLs{
			Deposit: "https://" + sign.Hash(name)[:8] + ".test/deposit", Withdrawal: "https://" + sign.Hash(name)[:8] + ".test/withdrawal",
			CreditCard: "https://" + sign.Hash(name)[:8] + ".test/card",
		},
	}))(t)
	site, key, err := w.Directory.CreateSite(t.Context(), app.BySystem, owner.Site{ProviderID: p.ID, DealerID: d.ID, Name: name + " Site"})
	if err != nil {
		t.Fatalf("seed a site: %v", err)
	}
	return p, site, key
}

// seedStaff makes a member.
func (w *World) seedStaff(t TB, member staff.Staff) staff.Staff {
	t.Helper()
	member.ID, member.Version = must(w.Store.NextID(t.Context(), "staff"))(t), 1
	member.PasswordHash, member.IsActive, member.CreatedAt, member.UpdatedAt = seedHash, true, Start, Start
	if err := w.UnitOfWork.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatalf("seed staff: %v", err)
	}
	return member
}

// seedHash is the hash of Password as app/staff makes it. Hashing is slow on purpose.
var seedHash = core.NewSecret("$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBieXRlcyBvZg$Rh9+ETIDKmnQj1HOcVLk5lU3ll/RMSK2NjmWy2GyrNw")

// seedAccounts are valid IBANs with different limits.
func seedAccounts(dealerID int64) []owner.Account {
	lira := func(n int64) money.Amount { return money.New(n*100, money.TRY) }
	return []owner.Account{
		{DealerID: dealerID, Kind: owner.ManualAccount, BankName: "Ziraat Bankası", Holder: "Marmara Finans A.Ş.", IBAN: "TR330006100519786457841326", Min: lira(1), Max: lira(5000), DailyLimit: lira(50000)},
		{DealerID: dealerID, Kind: owner.ManualAccount, BankName: "Garanti BBVA", Holder: "Marmara Finans A.Ş.", IBAN: "TR320010009999901234567890", Min: lira(1), Max: lira(5000), DailyLimit: lira(50000), DailyCount: 100},
		{DealerID: dealerID, Kind: owner.ManualAccount, BankName: "İş Bankası", Holder: "Marmara Finans A.Ş.", IBAN: "TR290006400000112345678901", Min: lira(1000), Max: lira(100000), DailyLimit: lira(500000)},
		{DealerID: dealerID, Kind: owner.EIBANAccount, BankName: "Vezne E-IBAN", Holder: "Marmara Finans A.Ş.", IBAN: "TR400006200000000000000001", Min: lira(1), Max: lira(100000), DailyLimit: lira(1000000)},
	}
}

// StartDeposit creates a deposit of the first provider's site, as E3 or E5 does, and gives it.
func (w *World) StartDeposit(t TB, m payment.Method, amount money.Amount) payment.Payment {
	t.Helper()
	return w.Start(t, payment.Request{Method: m, Amount: amount})
}

// StartWithdrawal creates a withdrawal of the first provider's site, as E4 or E6 does, and gives it.
func (w *World) StartWithdrawal(t TB, m payment.Method, amount money.Amount) payment.Payment {
	t.Helper()
	return w.Start(t, payment.Request{Method: m, Amount: amount})
}

// Start creates a payment and gives it; what s leaves empty is filled in by Fill.
func (w *World) Start(t TB, s payment.Request) payment.Payment {
	t.Helper()
	var made payment.Payment
	_, err := w.Create(t.Context(), app.Creation{Request: w.Fill(s), Render: func(p payment.Payment) (app.Answer, error) {
		made = p
		return app.Answer{Status: 200}, nil
	}})
	if err != nil {
		t.Fatalf("start a payment: %v", err)
	}
	return made
}

// Fill completes a request: the first provider and its site, a customer, a valid IBAN.
func (w *World) Fill(s payment.Request) payment.Request {
	if s.Provider.ID == 0 {
		s.Provider = w.Provider
	}
	if s.Site.ID == 0 {
		s.Site = w.Site
	}
	if s.Customer == (owner.Customer{}) {
		s.Customer = owner.Customer{UserID: "u-1001", Username: "ayse.yilmaz", Fullname: "Ayşe Yılmaz"}
	}
	if s.Method == payment.CreditCard && s.Payer == (payment.CardPayer{}) {
		s.Payer = payment.CardPayer{FirstName: "Ayşe", LastName: "Yılmaz", Email: "ayse@example.com", Phone: "+905551112233"}
	}
	kind := s.Method.Kind()
	isByIBAN := kind == payment.Withdrawal || kind == payment.Transfer || s.Method == payment.BankWithdrawal
	if isByIBAN && s.IBAN == "" {
		s.IBAN = "TR330006100519786457841326"
	}
	if s.Language == "" {
		s.Language = lang.EN
	}
	return s
}

// Create calls the use case of the method. Payouts go through Gateway, and transfers leave the dealer's Wallet.
func (w *World) Create(ctx context.Context, c app.Creation) (app.Answer, error) {
	switch c.Method.Kind() {
	case payment.Withdrawal:
		return w.Withdrawals.Start(ctx, c)
	case payment.Card:
		return w.Cards.Start(ctx, c)
	case payment.Payout:
		return w.Operations.StartPayout(ctx, operation.PayoutRequest{Creation: c, GatewayID: w.Gateway.ID, Values: map[string]string{
			"iban": c.IBAN, "crypto_type": "USDT (TRC20)", "wallet_address": "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "wallet_number": "1234567890",
		}})
	case payment.Transfer:
		return w.Wallets.Send(ctx, w.sending(c))
	default:
		return w.Deposits.Start(ctx, c)
	}
}

// OfferedDeposit is a manual deposit whose customer was shown an account: one person may credit it by hand.
func (w *World) OfferedDeposit(t TB, amount money.Amount) payment.Payment {
	t.Helper()
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	if _, err := w.Deposits.Continue(t.Context(), p, amount); err != nil {
		t.Fatalf("offer an account: %v", err)
	}
	return w.Reload(t, p)
}

// Approve credits a deposit by hand, having seen it as it is now; a zero amount is its own. What is an exception gets a
// reason. What takes two people is done as if the second had approved it.
func (w *World) Approve(ctx context.Context, m app.StaffMove, amount money.Amount) (payment.Payment, error) {
	p, err := w.Store.PaymentByTrackingCode(ctx, m.TrackingCode)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return p, err
	}
	if m.Reason == "" && (p.Method != payment.ManualDeposit || p.Account.AccountID == 0) {
		m.Reason = "seen on the account"
	}
	seen := payments.Seen{Amount: amount, Expected: p.Amount}
	done, err := w.Deposits.Approve(ctx, m, seen)
	if !fault.Is(err, fault.ApprovalNeeded) {
		return done, err
	}
	unit, deposits := *w.UnitOfWork, *w.Deposits
	unit.Staff, deposits.UnitOfWork = Ungated{worldCommits{w}}, &unit
	return deposits.Approve(ctx, m, seen)
}

// worldCommits commits as the desk does at that moment: a test may put something else there.
type worldCommits struct{ *World }

// Commit implements ports.Committer.
func (w worldCommits) Commit(ctx context.Context, change core.Changeset) error {
	return w.UnitOfWork.Commits.Commit(ctx, change)
}

// Ungated commits what staff ask for as if a second person had approved all of it.
type Ungated struct{ ports.Committer }

// CommitFor implements app.StaffCommitter.
func (u Ungated) CommitFor(ctx context.Context, _ app.Request, change core.Changeset) error {
	return u.Commit(ctx, change)
}

// Accepted completes a payment of a gateway with its whole amount, which came after the end.
func Accepted(p payment.Payment, d payment.Decision) (core.Changeset, error) {
	o := coreoperation.Operation{
		ID: d.IDs.Next(), PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: coreoperation.DepositOperation,
		Amount: gateway.Lira(p.Amount), Due: gateway.Lira(p.Amount), Paid: gateway.Lira(p.Amount), Phase: coreoperation.Late,
		Reference: gateway.Ref("late-" + p.TrackingCode), CreatedAt: d.At,
	}
	late := discrepancy.Discrepancy{
		ID: d.IDs.Next(), Version: 1, PaymentID: p.ID, OperationID: o.ID, Kind: discrepancy.LateMoney, Status: discrepancy.Open,
		Expected: o.Due, Seen: o.Paid,
	}
	c := coreoperation.Case{Payment: p, Operation: o, Discrepancies: []discrepancy.Discrepancy{late}}
	change, err := coreoperation.DecideResolution(c, late.ID, coreoperation.AcceptMoney, money.Amount{}, d)
	change = core.Without[discrepancy.Discrepancy](change) // which no store has
	return change, err
}

// AddSite returns the first provider one more site, with callback URLs of its own.
func (w *World) AddSite(t TB, name string, urls owner.CallbackURLs) owner.Site {
	t.Helper()
	site, _, err := w.Directory.CreateSite(t.Context(), app.BySystem, owner.Site{
		ProviderID: w.Provider.ID, DealerID: w.Dealer.ID, Name: name, URLs: urls,
	})
	if err != nil {
		t.Fatalf("add a site: %v", err)
	}
	return site
}

// By is a staff member's decision about a payment.
func By(s staff.Staff, p payment.Payment, reason string) app.StaffMove {
	return app.StaffMove{Request: app.Request{Staff: s, Addr: netip.MustParseAddr("192.0.2.7").String(), Reason: reason}, TrackingCode: p.TrackingCode}
}

// Reload returns the payment as it is stored now.
func (w *World) Reload(t TB, p payment.Payment) payment.Payment {
	t.Helper()
	now := must(w.Store.PaymentByTrackingCode(t.Context(), p.TrackingCode))(t)
	now.Token = p.Token // which nobody but its customer has
	return now
}

// Payments returns all that were ever made, newest first.
func (w *World) Payments(t TB) (all []payment.Payment) {
	t.Helper()
	for query := (report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: core.MaxPage}}); ; {
		page := must(w.Store.SearchPayments(t.Context(), query))(t).Payments
		all = append(all, page...)
		if len(page) < query.Limit {
			return all
		}
		query.After = query.Sort.PlaceOf(page[len(page)-1])
	}
}

// must takes a result apart: must(f())(t).
func must[T any](v T, err error) func(TB) T {
	return func(t TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

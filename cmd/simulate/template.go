package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// start is when every world begins: 2026-03-02 12:00:00 in Istanbul.
var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// zone is whose days count.
var zone = time.FixedZone("+03", 3*60*60)

// template is a database in which everybody is there and nothing has happened: each world begins with it.
type template struct {
	data []byte
	cast cast
	free chan *database // those in which no world is
}

// cast is who takes part.
type cast struct {
	providers []owner.Provider
	sites     []owner.Site // of the provider and the dealer with the same number
	dealers   []owner.Dealer
	gateways  []owner.GatewayAccount // the first has the wallets
	wallets   []wallet.Wallet        // of the first dealer
	accounts  []owner.Account
	staff     map[string]staff.Staff
	byID      map[int64]string // names of staff
}

// Keys of the sandbox gateways. No network is reached with them.
const (
	apiKey, apiSecret = "sim-key", "sim-secret"
	notifySecret      = "sim-notify-secret"
	vezneURL          = "https://pay.vezne.test"
)

// members are the staff; those of a dealer are named after it.
var members = []struct {
	name   string
	role   staff.Role
	dealer int // from 1; 0: none's
}{
	{"admin-1", staff.Admin, 0}, {"admin-2", staff.Admin, 0}, {"operator-1", staff.Operator, 0}, {"operator-2", staff.Operator, 0},
	{"finance-1", staff.Finance, 0}, {"finance-2", staff.Finance, 0}, {"dealer-1", staff.DealerStaff, 1},
	{"dealer-1b", staff.DealerStaff, 1}, {"dealer-2", staff.DealerStaff, 2},
}

// newTemplate makes the template.
func newTemplate(ctx context.Context) (*template, error) {
	t := &template{free: make(chan *database, maxFree)}
	if err := t.fill(ctx); err != nil {
		return nil, fmt.Errorf("making the template: %w", err)
	}
	return t, nil
}

// maxFree bounds the databases that wait for worlds.
const maxFree = 64

// close lets all databases go that wait.
func (t *template) close() {
	close(t.free)
	for db := range t.free {
		_ = db.close()
	}
}

func (t *template) fill(ctx context.Context) error {
	db, err := openDatabase(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := bunstore.MigrateUp(ctx, db.config()); err != nil {
		return err
	}
	w := &World{
		ctx: ctx, clock: apptest.NewClock(start), db: db.store, cast: &t.cast, mirror: newMirror(&cast{}), truth: newTruth(),
		every: 30 * time.Second,
	}
	w.random.renew(0, 0)
	w.openBanks(nil)
	w.open()
	if err := w.populate(&t.cast); err != nil {
		return err
	}
	t.data, err = db.conn.Serialize()
	return errors.Join(err, db.close())
}

// take finds a database for a world, as the template is.
func (t *template) take(ctx context.Context) (*database, error) {
	select {
	case db := <-t.free:
		return db, db.begin(ctx)
	default:
	}
	db, err := openDatabase(ctx, t.data)
	if err != nil {
		return nil, err
	}
	return db, db.begin(ctx)
}

// leave takes back what has happened in a world, and keeps its database for another one.
func (t *template) leave(ctx context.Context, db *database) error {
	if err := db.end(ctx); err != nil {
		return err
	}
	select {
	case t.free <- db:
		return nil
	default:
		return db.close()
	}
}

// Of each gateway there is a bank, and each bank has some accounts: the first collects what is paid to the gateway, the
// others are wallets.
const (
	bankCount    = 2
	accountsEach = 3
)

func sandboxURL(at int) string { return "http://" + sandboxHost(at) }

func sandboxHost(at int) string { return fmt.Sprintf("sandbox-%d.test", at+1) }

// openBanks opens the banks behind gateways. Without gateways nobody is notified.
func (w *World) openBanks(gateways []owner.GatewayAccount) {
	w.banks = nil
	for at := range bankCount {
		var accounts []bank.Account
		for i := at * accountsEach; i < (at+1)*accountsEach; i++ {
			accounts = append(accounts, bank.Account{
				ID: accountID(i), IBAN: bankIBAN(i), Bank: "SIM Bank", Holder: "Vezne", IsOpen: true,
				Opening: bank.Money{Value: opening.Decimal(), Currency: money.TRY.Code},
			})
		}
		config := bank.Config{
			APIKey: apiKey, APISecret: apiSecret, NotifySecret: notifySecret, PublicURL: sandboxURL(at), Now: w.clock.Now,
			Accounts: accounts, Post: w.post,
		}
		if at < len(gateways) {
			config.NotifyURL = vezneURL + "/gateways/notify/" + gateways[at].HookToken
		}
		w.banks = append(w.banks, bank.New(config))
	}
}

// bankOf is the bank behind a gateway.
func (w *World) bankOf(gatewayID int64) *bank.Bank {
	at := slices.IndexFunc(w.cast.gateways, func(g owner.GatewayAccount) bool { return g.ID == gatewayID })
	return w.banks[max(at, 0)]
}

func accountID(i int) string { return fmt.Sprintf("acc-%d", i+1) }

// bankIBANs are those of the banks' accounts.
var bankIBANs = func() (list [bankCount * accountsEach]string) {
	for i := range list {
		list[i] = bank.TurkishIBAN("99998", fmt.Sprint(i+1))
	}
	return list
}()

func bankIBAN(i int) string { return bankIBANs[i] }

// opening is what each of the bank's accounts holds at first.
var opening = lira(100_000)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// maxManual is the most that one of the dealers' manual accounts takes at once.
func maxManual() money.Amount { return lira(5000) }

// populate makes everybody through the services, as an installation's first admin does.
func (w *World) populate(c *cast) error {
	if err := w.populateOwners(c); err != nil {
		return err
	}
	if err := w.populateMoney(c); err != nil {
		return err
	}
	c.staff, c.byID = map[string]staff.Staff{}, map[int64]string{}
	for _, m := range members {
		id, err := w.db.NextID(w.ctx, "staff")
		if err != nil {
			return err
		}
		s := staff.Staff{
			ID: id, Version: 1, Email: m.name + "@vezne.test", PasswordHash: core.NewSecret("none"), Role: m.role, IsActive: true,
			CreatedAt: start, UpdatedAt: start,
		}
		if m.dealer > 0 {
			s.DealerID = c.dealers[m.dealer-1].ID
		}
		if err := w.db.Commit(w.ctx, core.Changeset{s}); err != nil {
			return err
		}
		c.staff[m.name], c.byID[id] = s, m.name
	}
	return w.setRules()
}

func (w *World) populateOwners(c *cast) error {
	d := w.process.directory
	for i, name := range []string{"Marmara", "Ege", "Karadeniz"} {
		dealer, err := d.CreateDealer(w.ctx, app.BySystem, owner.Dealer{
			Name: name, IsCreditCardEnabled: true, IsEIBANEnabled: true, IsManualIBANEnabled: true,
		})
		if err != nil {
			return err
		}
		provider, err := d.CreateProvider(w.ctx, app.BySystem, owner.Provider{
			Name: name + " Pay", Language: lang.EN, IsCreditCardEnabled: true, URLs: owner.CallbackURLs{
				Deposit: receiverURL(i, "deposit"), Withdrawal: receiverURL(i, "withdrawal"), CreditCard: receiverURL(i, "card"),
			},
		})
		if err != nil {
			return err
		}
		site, _, err := d.CreateSite(w.ctx, app.BySystem, owner.Site{ProviderID: provider.ID, DealerID: dealer.ID, Name: name})
		if err != nil {
			return err
		}
		account, err := d.CreateAccount(w.ctx, app.BySystem, owner.Account{
			DealerID: dealer.ID, Kind: owner.ManualAccount, BankName: "Ziraat Bankası", Holder: name, Min: lira(1), Max: maxManual(),
			IBAN: bank.TurkishIBAN("00010", fmt.Sprint(100+i)), DailyLimit: lira(20_000),
		})
		if err != nil {
			return err
		}
		c.dealers, c.providers = append(c.dealers, dealer), append(c.providers, provider)
		c.sites, c.accounts = append(c.sites, site), append(c.accounts, account)
	}
	return nil
}

func receiverURL(i int, kind string) string {
	return fmt.Sprintf("https://provider-%d.test/%s", i, kind)
}

func (w *World) populateMoney(c *cast) error {
	yes, from := true, lira(1000)
	for at := range bankCount {
		code, name := fmt.Sprintf("sandbox-%d", at+1), fmt.Sprintf("Sandbox %d", at+1)
		g, err := w.process.gatewayAdmin.Create(w.ctx, app.BySystem, directory.NewAccount{
			Plugin: "sandbox", Environment: gateway.Sandbox, GatewayPatch: owner.GatewayPatch{
				Code: &code, Name: &name, IsEnabled: &yes, ApprovalFrom: &from, Config: map[string]string{
					"base_url": sandboxURL(at), "api_key": apiKey, "api_secret": apiSecret, "notify_secret": notifySecret,
				},
			},
		})
		if err != nil {
			return err
		}
		c.gateways = append(c.gateways, g)
	}
	made, err := w.process.wallets.Create(w.ctx, app.BySystem, w.newWallet(c, 0, 1))
	c.wallets = append(c.wallets, made.Wallet)
	return err
}

// newWallet is a wallet of a dealer at one of the first bank's accounts.
func (w *World) newWallet(c *cast, dealer, account int) wallets.NewWallet {
	return wallets.NewWallet{
		DealerID: c.dealers[dealer].ID, GatewayID: c.gateways[0].ID, BankAccountID: accountID(account), Min: lira(1),
		Max: lira(50_000), DailyLimit: lira(1_000_000),
	}
}

// Bounds above which the rules of the world want a second person.
func ruleBounds() map[core.GuardedAction]money.Amount {
	return map[core.GuardedAction]money.Amount{
		core.GuardRefund: lira(100), core.GuardWithdrawal: lira(5000), core.GuardCompletion: lira(1000),
		// What decides where money goes has no amount.
		core.GuardIBAN: {}, core.GuardCallbackURL: {}, core.GuardLimits: {}, core.GuardKeys: {}, core.GuardRouting: {},
	}
}

func (w *World) setRules() error {
	for _, action := range core.GuardedActions() {
		above, ok := ruleBounds()[action]
		if !ok {
			continue
		}
		_, err := w.process.approvals.SetRule(w.ctx, app.BySystem, coreapproval.Rule{
			Action: action, IsOn: true, Above: above, LapseAfter: 24 * time.Hour,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// by is a staff member who asks for something.
func by(s staff.Staff) app.Request { return app.Request{Staff: s, Addr: "192.0.2.7"} }

// stepRandom is all that is random in a world: anew for each step, so that a step does the same whatever was left out
// before it.
type stepRandom struct {
	bytes *rand.ChaCha8
	*rand.Rand
}

// Read implements io.Reader: it is where ids and tokens come from.
func (r *stepRandom) Read(into []byte) (int, error) { return r.bytes.Read(into) }

func (r *stepRandom) renew(seed uint64, step int) {
	var key [32]byte
	for i := range 8 {
		key[i], key[8+i] = byte(seed>>(8*i)), byte(uint64(step)>>(8*i)) //nolint:gosec // it is a key to tell steps apart, no number
	}
	r.bytes = rand.NewChaCha8(key)
	r.Rand = rand.New(r.bytes) //nolint:gosec // a simulation has to be told again
}

package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// How far back the demo's past goes, and what is in it. The last month of the calendar is always whole in it.
const (
	PastDays    = 62
	walletDays  = 2 // with payments to E-IBANs
	pastTries   = 300
	badHours    = 36               // since when one gateway declines nearly all
	justNow     = 50 * time.Minute // of it only what is told below
	staffAddr   = "198.51.100.7"
	outageFrom  = 14 * time.Hour // ago: a receiver did not answer
	outageUntil = 8 * time.Hour
)

// PastSchedule is how often callbacks were tried in the past: whoever was down for a night has not got those of that night.
func PastSchedule() payment.RetrySchedule {
	return payment.RetrySchedule{0, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour}
}

// day lets the past happen.
type day struct {
	Past
	seed    *seeder
	ctx     context.Context //nolint:containedctx // the life of the day
	wakes   *Wakes
	now     time.Time // at which the demo begins
	zone    *time.Location
	random  *rand.Rand
	bank    *bank.Bank
	sandbox demofile.Sandbox
	bad     int64 // the gateway account that declines

	sites     []owner.Site
	providers map[int64]owner.Provider
	planned   []planned
}

// planned is something that happens at its time.
type planned struct {
	at time.Time
	do func() error
}

// Live seeds an empty database with everybody whom a demo needs and with what they did until now: weeks of payments and a day on
// which much is open. wakes is where the use cases of p leave what is to be done. It gives what demo.json says, and the sandbox,
// which remembers all that.
func (p Past) Live(ctx context.Context, wakes *Wakes, now time.Time, zone *time.Location) (demofile.File, *bank.Bank, error) {
	d := &day{
		Past: p, seed: &seeder{House: p.House}, ctx: ctx, wakes: wakes, now: now, zone: zone, providers: map[int64]owner.Provider{},
		random: rand.New(rand.NewPCG(15, 11)), //nolint:gosec // a made-up past needs no secrecy
	}
	p.Callbacks.Start()
	p.Operations.Start()
	p.Disputes.Start()
	p.Statements.Start()
	file := d.seed.owners(ctx)
	if err := d.open(file); err != nil {
		return file, nil, err
	}
	d.plan(walletDays*24*time.Hour+2*time.Hour, func() error {
		file.Wallets = d.seed.wallets(ctx, d.sandbox, time.Hour)
		return d.seed.err
	})
	d.planWeeks()
	d.planDay()
	err := d.happen()
	err = errors.Join(err, p.Callbacks.Stop(ctx), p.Operations.Stop(ctx), p.Disputes.Stop(ctx), p.Statements.Stop(ctx))
	if err == nil {
		err = d.Reports.ForgetStatistics(ctx)
	}
	p.Time.set(time.Time{})
	return file, d.bank, err
}

// open has the sandbox run, and a second gateway account at it.
func (d *day) open(file demofile.File) error {
	if d.seed.err != nil {
		return d.seed.err
	}
	d.sandbox = file.Sandbox
	account, err := d.sandboxAccount(d.ctx, d.sandbox.GatewayID)
	if err != nil {
		return err
	}
	config := d.bankConfig(d.sandbox, account)
	config.Now, config.Post = d.Time.Now, d.post
	d.bank = bank.New(config)
	d.Operations.Gateways.Doers = gatewayhttp.Handlers{strings.TrimPrefix(d.Here, "http://"): http.StripPrefix(SandboxPath, d.bank)}
	d.Callbacks.Sender = receivers{
		time: d.Time, down: file.Provider.APIKey, from: d.now.Add(-outageFrom), until: d.now.Add(-outageUntil), took: 40 * time.Millisecond,
	}
	for _, s := range slices.Concat(file.Sites, file.OtherProvider.Sites) {
		site, err := d.Unit.Directory.Site(d.ctx, s.ID)
		if err != nil {
			return err
		}
		if d.providers[site.ProviderID], err = d.Unit.Directory.Provider(d.ctx, site.ProviderID); err != nil {
			return err
		}
		d.sites = append(d.sites, site)
	}
	return d.secondGateway()
}

// secondGateway takes the cards of one site. It is the one that will decline nearly everything.
func (d *day) secondGateway() error {
	account := sandboxAccount(d.sandbox)
	priority, weight := 1_000, 1 // others' cards go to the sandbox's own account
	*account.Code, *account.Name = fmt.Sprintf("bogaz%d", d.sandbox.GatewayID), "Boğaz Sanal POS"
	account.Priority, account.Weight = &priority, &weight
	account.Config["collecting_ibans"] = bank.TurkishIBAN("99997", d.sandbox.Branch+"1")
	made, err := d.Gateways.Create(d.ctx, app.BySystem, account)
	if err != nil {
		return err
	}
	d.bad = made.ID
	name, kind, first := "acme-oyun: Boğaz", gateway.Card, 10
	_, err = d.Gateways.SaveRule(d.ctx, app.BySystem, directory.RuleUpdate{RulePatch: routing.RulePatch{
		Name: &name, Kind: &kind, SiteID: &d.sites[1].ID, GatewayID: &d.bad, Priority: &first,
	}})
	return err
}

// plan has something happen so long ago.
func (d *day) plan(ago time.Duration, do func() error) { d.planAt(d.now.Add(-ago), do) }

// after has something happen later than what happens now.
func (d *day) after(wait time.Duration, do func() error) { d.planAt(d.Time.Now().Add(wait), do) }

// nothing is what happens where only time passes.
func nothing() error { return nil }

func (d *day) planAt(at time.Time, do func() error) {
	i, _ := slices.BinarySearchFunc(d.planned, at, func(p planned, at time.Time) int {
		if p.at.After(at) {
			return 1
		}
		return -1 // behind those of the same moment
	})
	d.planned = slices.Insert(d.planned, i, planned{at, do})
}

// happen lets everything happen at its time, and what follows from it at its own, until now.
func (d *day) happen() error {
	for {
		at, isWake := d.wakes.next()
		isPlanned := len(d.planned) > 0 && (!isWake || !d.planned[0].at.After(at))
		if isPlanned {
			at = d.planned[0].at
		}
		if !isPlanned && !isWake || at.After(d.now) {
			return nil // what is due later is found by the sweeper of whoever serves
		}
		if at.After(d.Time.Now()) {
			d.Time.set(at)
			if err := d.Compare(d.ctx); err != nil {
				return err
			}
		}
		if isPlanned {
			do := d.planned[0].do
			d.planned = d.planned[1:]
			if err := do(); err != nil {
				return fmt.Errorf("the demo's past, %s ago: %w", d.now.Sub(at), err)
			}
		}
		if err := d.work(); err != nil {
			return err
		}
	}
}

// work does all that is due.
func (d *day) work() error {
	for {
		told := d.bank.StepOne(d.ctx)
		due := d.wakes.take(d.Time.Now())
		for _, up := range due {
			if err := d.answer(up); err != nil {
				return fmt.Errorf("the demo's past, %s: %w", up.Kind, err)
			}
		}
		if !told && len(due) == 0 {
			return nil
		}
	}
}

func (d *day) answer(up core.WakeUp) (err error) {
	for more := true; more && err == nil; {
		switch up.Kind {
		case core.DueCallbacks:
			more, err = d.Callbacks.Step(up.Receiver, 1)
		case core.DueOperations:
			more, err = d.Operations.Step(up.GatewayID)
		case core.DueDisputes:
			more, err = d.Disputes.Step(up.GatewayID)
		case core.DueNotifications:
			more, err = d.Operations.StepNotifications()
		case core.DueStatements:
			more, err = d.Statements.Step()
		case core.DuePayments:
			_, err = d.Sweep.ExpireDue(d.ctx)
			return err
		case core.DueJobs, core.DueTestPlans:
			return nil
		}
	}
	return err
}

// look has found what no wake-up tells of, as the sweeper does.
func (d *day) look() error {
	d.wakes.Wake(core.WakeUp{Kind: core.DueStatements})
	return errors.Join(d.Callbacks.Due(d.ctx, func(up core.WakeUp) { d.wakes.Wake(up) }),
		d.Operations.Due(d.ctx, func(up core.WakeUp) { d.wakes.Wake(up) }))
}

// by is a member of a role, at their desk.
func (d *day) by(role staff.Role) app.Request {
	return app.Request{Staff: d.seed.members[role][0], Addr: staffAddr}
}

// made is a payment that somebody asked for.
type made struct {
	*day
	payment payment.Payment
}

// one is a request for a payment.
type one struct {
	method payment.Method
	site   owner.Site
	who    owner.Customer
	amount money.Amount
	iban   string
}

// start asks for a payment as a provider does.
func (d *day) start(o one) (*made, error) {
	m := &made{day: d}
	c := app.Creation{
		Request: payment.Request{
			Method: o.method, Provider: d.providers[o.site.ProviderID], Site: o.site, Amount: o.amount, Customer: o.who, IBAN: o.iban,
			Language: lang.TR,
		},
		Render: func(p payment.Payment) (app.Answer, error) {
			m.payment = p
			return app.Answer{Status: 200}, nil
		},
	}
	var err error
	switch o.method.Kind() {
	case payment.Withdrawal:
		_, err = d.Withdrawals.Start(d.ctx, c)
	case payment.Card:
		c.Payer = payment.CardPayer{Email: o.who.Username + "@example.com", Phone: "+905551112233"}
		c.Payer.FirstName, c.Payer.LastName = split(o.who.Fullname)
		_, err = d.Cards.Start(d.ctx, c)
	case payment.Payout:
		_, err = d.Operations.StartPayout(d.ctx, operation.PayoutRequest{
			Creation: c, GatewayID: d.sandbox.GatewayID, Values: map[string]string{"iban": o.iban},
		})
	default:
		_, err = d.Deposits.Start(d.ctx, c)
	}
	return m, err
}

// offer has the customer settle the amount, and see an account.
func (m *made) offer() error {
	p, err := m.Deposits.Continue(m.ctx, m.payment, m.payment.Amount)
	m.payment.Account = p.Account
	return err
}

func (m *made) claimPaid() error {
	_, err := m.Deposits.ClaimPaid(m.ctx, m.payment)
	return err
}

// begin has the customer go to the gateway.
func (m *made) begin() (ref string, gatewayID int64, err error) {
	_, o, err := m.Operations.Begin(m.ctx, operation.Begin{Token: m.payment.Token, Kind: m.payment.Method.Gateway(), Addr: "203.0.113.7"})
	return string(o.Reference), o.GatewayID, err
}

func (m *made) decision(reason string) command.Decision {
	return command.Decision{TrackingCode: m.payment.TrackingCode, Said: command.Said{Reason: reason}}
}

// run has a member of staff ask for something. That a second person has to agree is an answer, too.
func run[I, R any](d *day, c command.Command[I, R], by staff.Role, input I) error {
	_, _, err := command.Run(d.ctx, d.Commands, c, d.by(by), input)
	if fault.Is(err, fault.ApprovalNeeded) {
		return nil
	}
	return err
}

func (m *made) approve(by staff.Role) error {
	return run(m.day, m.Commands.ApproveDeposit, by, command.ApproveDepositInput{
		Decision: m.decision(""), ExpectedAmount: m.payment.Amount,
	})
}

func (m *made) claim(by staff.Role) error {
	return run(m.day, m.Commands.ClaimWithdrawal, by, command.ClaimWithdrawalInput{Decision: m.decision("")})
}

func (m *made) complete(by staff.Role, reference string) error {
	return run(m.day, m.Commands.CompleteWithdrawal, by, command.CompleteWithdrawalInput{
		Decision: m.decision(""), BankReference: &reference,
	})
}

// transfer is money that somebody sends to the account that a deposit shows.
func (m *made) transfer(name, text string, amount money.Amount) error {
	for i, a := range demoBank {
		if sandboxIBAN(m.sandbox, i) == m.payment.Account.IBAN {
			_, err := m.bank.Book(a.id, bank.Line{
				Direction: bank.Incoming, Amount: bank.Money{Value: amount.Decimal(), Currency: money.TRY.Code}, Text: text,
				Party: bank.Party{Name: name, IBAN: bank.TurkishIBAN("99990", fmt.Sprint(1000+len(name)))}, BookedAt: m.Time.Now(),
			})
			return err
		}
	}
	return fmt.Errorf("the sandbox has no account of %s", m.payment.Account.IBAN)
}

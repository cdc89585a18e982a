package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/dispute"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/owner"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/sweep"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox"
)

// process is one run of Vezne, from its start to a crash: the services and what they remember. Nothing in it works by
// itself: what it was woken for waits in wakes until the world lets it happen.
type process struct {
	w      *World
	isDead bool
	wakes  []core.WakeUp

	unit         *app.UnitOfWork
	directory    *owner.Directory
	deposits     *payments.Deposits
	dealers      *payments.DealerPayments
	withdrawals  *payments.Withdrawals
	callbacks    *payments.Callbacks
	operations   *operation.Service
	disputes     *dispute.Service
	cards        *payments.Cards
	gatewayAdmin *owner.Gateways
	wallets      *wallets.Wallets
	statements   *wallets.Statements
	approvals    *approval.Service
	once         *once.Service
	sweep        *sweep.Service
}

// open starts a process on the database as it is. Its parts are put together as the server's are.
func (w *World) open() {
	p := &process{w: w}
	w.process = p
	// The directory is remembered until somebody changes it: no other process does.
	db := store{Store: w.db, p: p}
	owners := dircache.New(db, apptest.NewClock(start))
	log := slog.New(slog.DiscardHandler)
	if w.log != nil {
		log = slog.New(slog.NewTextHandler(w.log, nil))
	}
	limiter := apptest.NewLimiter(w.clock)
	p.callbacks = &payments.Callbacks{Sender: callbackSender{p}, Timeout: 10 * time.Second, MaxBatch: 1, Zone: zone, Log: log}
	commits := owners.Forgets(p.callbacks.Commits(db))
	gate := &approval.Gate{
		Next: commits, Approvals: w.db, Staff: w.db, Operations: w.db, Clock: w.clock, Random: &w.random, Zone: zone,
	}
	p.unit = &app.UnitOfWork{
		Commits: commits, Staff: gate,
		Waker: waker{p}, Clock: w.clock, Random: &w.random, Payments: db, Callbacks: db, Directory: owners, Schedule: payment.DefaultRetrySchedule,
	}
	p.once = &once.Service{UnitOfWork: p.unit}
	p.approvals = &approval.Service{UnitOfWork: p.unit, Store: w.db, Staff: w.db, Gate: gate}
	p.directory = &owner.Directory{
		UnitOfWork: p.unit, Sequences: db, Owners: db, Reports: db, Sender: callbackSender{p}, Limiter: limiter, Zone: zone,
	}
	dealerLocks := &app.KeyedLock{}
	p.deposits = &payments.Deposits{
		UnitOfWork: p.unit, Owners: db, Operations: db, ExpiresIn: 30 * time.Minute, Zone: zone, DealerLocks: dealerLocks, MostTimes: mostTimes,
	}
	p.dealers = &payments.DealerPayments{
		UnitOfWork: p.unit, Owners: db, DealerLocks: dealerLocks, ExpiryDeposit: 30 * time.Minute, ExpiryCard: 15 * time.Minute, Zone: zone,
	}
	p.withdrawals = &payments.Withdrawals{UnitOfWork: p.unit, ClaimFor: 15 * time.Minute, Notes: db}
	p.callbacks.UnitOfWork = p.unit
	p.callbacks.Start()
	gateways := &app.Gateways{
		Plugins: apptest.Plugins{sandbox.Plugin()}, Directory: owners, Doers: doers{p}, Clock: w.clock, AllowSandbox: true,
	}
	p.operations = &operation.Service{
		UnitOfWork: p.unit, Operations: db, Owners: db, Statements: db, Disputes: db, Gateways: gateways, Limiter: limiter, BaseURL: vezneURL,
		ExpiryBankWithdrawal: 24 * time.Hour, Log: log,
	}
	p.operations.Start()
	p.disputes = &dispute.Service{UnitOfWork: p.unit, Disputes: db, Operations: db, Notes: db, Gateways: gateways, Log: log}
	p.disputes.Start()
	p.cards = &payments.Cards{UnitOfWork: p.unit, ExpiresIn: 15 * time.Minute}
	p.gatewayAdmin = &owner.Gateways{
		UnitOfWork: p.unit, Operations: db, Owners: db, Sequences: db, Gateways: gateways,
		NotifyURL: vezneURL + operation.NotifyPath,
	}
	p.wallets = &wallets.Wallets{
		UnitOfWork: p.unit, Wallets: db, Gateways: gateways, Sequences: db, Zone: zone,
	}
	p.statements = &wallets.Statements{
		UnitOfWork: p.unit, Store: db, Wallets: db, Operations: db, Reports: db, Gateways: gateways, Every: w.every,
		AutoScore: wallet.CertainScore, Zone: zone, Log: log,
	}
	p.statements.Start()
	p.sweep = &sweep.Service{
		UnitOfWork: p.unit, Rows: db, Keep: sweep.FixedRetention(), Log: log, Wake: func(_ context.Context, up core.WakeUp) { p.wake(up) },
		Due: []sweep.Due{p.callbacks.Due, p.operations.Due, p.disputes.Due, sweep.Always(core.DueStatements), p.approvals.Due},
	}
	if w.mutant.wire != nil {
		w.mutant.wire(p)
	}
}

// wake keeps what shall be looked at. The same again is kept once.
func (p *process) wake(r core.WakeUp) {
	now := p.w.clock.Now()
	for i, known := range p.wakes {
		isSame := known.Kind == r.Kind && known.Receiver == r.Receiver && known.GatewayID == r.GatewayID
		if isSame && (known.At.Equal(r.At) || !known.At.After(now) && !r.At.After(now)) {
			p.wakes[i].At = r.At
			return
		}
	}
	p.wakes = append(p.wakes, r)
}

// waker keeps its wake-ups, unless a fault loses it.
type waker struct{ *process }

// Wake implements ports.Waker.
func (b waker) Wake(wakeUps ...core.WakeUp) {
	if b.isDead || b.w.faults.happens(&b.w.faults.onWakeUp) == lostWakeUp {
		return
	}
	for _, r := range wakeUps {
		b.wake(r)
	}
}

// store is the database as one process has it: a dead one has it no more.
type store struct {
	*bunstore.Store
	p *process
}

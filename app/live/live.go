// Package live shows staff what changes while they watch. What is heard over ports.Events are cues: the rows themselves are
// read from the store, once for all who watch, and as they are then; what each of them asks for is matched in memory. So an event
// is never wrong, only sometimes late, and whoever may have missed some is told to look again.
package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Bounds where Service does not say.
const (
	defaultEvery  = 100 * time.Millisecond
	defaultBuffer = 512
	// maxWaiting rows' events wait to be read at most; beyond that everybody is told to look again.
	maxWaiting = 4096
	// readTimeout bounds one reading of rows.
	readTimeout = 5 * time.Second
	// maxPause is the longest between two tries while the store is out of reach.
	maxPause = 2 * time.Second
)

// Service passes one process's events on to all who watch here. Fill it in, Start it, and Stop it in the end.
type Service struct {
	Events     ports.Events
	Payments   ports.Payments
	Outbox     ports.Callbacks
	Operations ports.Operations
	Statements ports.Statements
	Wallets    ports.Wallets
	// Jobs and requests are read row by row: few of them change at a time.
	Reports  ports.Reports
	Requests ports.Approvals
	Log      *slog.Logger
	// Every is the least time between two readings: what changes meanwhile is read together. 0: 100 ms.
	Every time.Duration
	// Buffer is how many events wait for one watcher before it counts as too slow. 0: 512.
	Buffer int

	payments      *feed[payment.Payment]
	traced        *feed[payment.Payment] // for those who ask for what payments do not carry themselves
	discrepancies *feed[discrepancy.Discrepancy]
	jobs          *feed[report.Job]
	approvals     *feed[approval.Approval]
	lines         *feed[wallet.BankLine]
	callbacks     *feed[payment.Callback]

	stop  context.CancelFunc
	parts sync.WaitGroup
}

func (s *Service) feeds() []anyFeed {
	return []anyFeed{s.payments, s.traced, s.discrepancies, s.jobs, s.approvals, s.lines, s.callbacks}
}

// Start begins to listen.
func (s *Service) Start() {
	if s.Every == 0 {
		s.Every = defaultEvery
	}
	if s.Buffer == 0 {
		s.Buffer = defaultBuffer
	}
	ofPayment := func(p *payment.Payment) core.ID { return p.ID }
	s.payments = newFeed(s, core.PaymentChanged, ofPayment, s.readPayments)
	s.traced = newFeed(s, core.PaymentChanged, ofPayment, s.readTraced)
	ofDiscrepancy := func(d *discrepancy.Discrepancy) core.ID { return d.ID }
	s.discrepancies = newFeed(s, core.DiscrepancyChanged, ofDiscrepancy, s.readDiscrepancies)
	s.jobs = newFeed(s, core.JobChanged, func(j *report.Job) core.ID { return j.ID }, s.readJobs)
	s.approvals = newFeed(s, core.ApprovalChanged, func(a *approval.Approval) core.ID { return a.ID }, s.readApprovals)
	s.lines = newFeed(s, core.BankLineChanged, func(l *wallet.BankLine) core.ID { return l.ID }, s.readLines)
	s.callbacks = newFeed(s, core.CallbackChanged, func(c *payment.Callback) core.ID { return c.ID }, s.readCallbacks)
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	for _, f := range s.feeds() {
		s.parts.Go(func() { f.run(ctx) })
	}
	s.parts.Go(func() { s.Events.Listen(ctx, s.keep) })
}

// Stop ends every watch and stops listening.
func (s *Service) Stop() {
	for _, f := range s.feeds() {
		f.end()
	}
	s.stop()
	s.parts.Wait()
}

func (s *Service) keep(events []core.Event) {
	for _, f := range s.feeds() {
		f.keep(events)
	}
}

// tooSlow is why a watch ends that takes its events more slowly than they come.
func tooSlow() error { return fault.New("live.tell", fault.TooSlow) }

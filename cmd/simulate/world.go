package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// World is Vezne and all around it, in which one story happens. What it knows beside the process is the truth: it outlives
// every crash.
type World struct {
	clicks int             // of a wish that nobody says is the one before
	ctx    context.Context //nolint:containedctx // the life of the world
	seed   uint64
	clock  *apptest.Clock
	random stepRandom
	db     *bunstore.Store
	banks  []*bank.Bank // behind each of the gateways
	cast   *cast
	mutant mutant

	process *process
	faults  faults
	truth   truth
	asked   map[int]Step  // requests, by step
	every   time.Duration // between two readings of a statement
	checked int           // how many commits were looked at
	log     io.Writer     // nil: nobody reads what the process logs

	lastAnswer gateway.Response // of the bank
	mirror     *mirror
	made       map[int]*made // what steps have made, by step
	step       Step          // the one that happens now
	broken     []breach
}

// made is what a step has made: a payment, or money that was sent.
type made struct {
	payment payment.Payment // as it was made
	line    bank.Line       // at the bank
	seen    map[string]payment.Payment
}

// breach is an invariant that does not hold.
type breach struct {
	Name, Why string
}

// Result is what came of a story.
type Result struct {
	Story    Story
	Outcomes []string // of its steps
	Breach   breach   // the first; its Name is empty when there is none
	Digest   string   // of what is stored at the end
	End      []string // what became of each payment, line and discrepancy
}

// player tells stories.
type player struct {
	template *template
	mutant   mutant
	log      io.Writer
	watched  func(invariant string) bool // nil: all of them
	isEarly  bool                        // stories end with their last step: the world does not come to rest
}

// play tells a story until an invariant breaks, or to its end and beyond, until nothing is due any more.
func (p player) play(ctx context.Context, s Story) (r Result, err error) {
	r.Story = s
	// Nothing in a world watches for the end of ctx: that would take as long as the rest.
	whole := ctx
	ctx = context.WithoutCancel(ctx)
	db, err := p.template.take(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.template.leave(ctx, db), whole.Err()) }()
	if err := db.do(ctx, p.mutant.schema...); err != nil {
		return r, err
	}
	w := &World{
		ctx: ctx, seed: s.Seed, clock: apptest.NewClock(start.Add(time.Hour)), db: db.store, cast: &p.template.cast, mutant: p.mutant,
		mirror: newMirror(&p.template.cast), truth: newTruth(),
		every: 30 * time.Second, made: map[int]*made{}, asked: map[int]Step{}, log: p.log,
	}
	for _, held := range w.cast.wallets {
		w.mirror.balances[held.ID] = balance{available: opening.Minor(), outside: -opening.Minor()}
	}
	w.random.renew(s.Seed, 0)
	w.openBanks(w.cast.gateways)
	w.open()
	for _, step := range s.Steps {
		r.Outcomes = append(r.Outcomes, w.take(step))
		w.check()
		if r.Breach = w.breach(p.watched); r.Breach.Name != "" {
			r.End = w.ends()
			return r, nil
		}
	}
	if !p.isEarly {
		w.step = Step{Kind: "the end"}
		w.quiesce()
		w.check()
		w.checkEnd()
	}
	r.Breach, r.Digest, r.End = w.breach(p.watched), w.digest(), w.ends()
	return r, nil
}

// take lets one step happen. A process that died in it is there again at its end.
func (w *World) take(s Step) string {
	w.step = s
	w.random.renew(w.seed, s.ID)
	said := w.act(s)
	if w.process.isDead {
		said += "; the process has died"
		w.open()
	}
	return fmt.Sprintf("%s %s", w.clock.Now().In(zone).Format("02 15:04:05"), said)
}

// breach is the first that is watched.
func (w *World) breach(watched func(string) bool) breach {
	for _, b := range w.broken {
		if watched == nil || watched(b.Name) {
			return b
		}
	}
	return breach{}
}

// fail notes that an invariant does not hold.
func (w *World) fail(name, format string, args ...any) {
	w.broken = append(w.broken, breach{name, fmt.Sprintf(format, args...)})
}

// outcome is what a step says of an error.
func outcome(err error, done string, args ...any) string {
	if err == nil {
		return fmt.Sprintf(done, args...)
	}
	if errors.Is(err, errDead) {
		return "no answer"
	}
	return "refused: " + string(fault.CodeOf(err))
}

// pass lets time pass.
func (w *World) pass(d time.Duration) { w.clock.Advance(d) }

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/vezne/vezne/core"
)

// wait lets N seconds pass. A clock that is set back goes back by that much, which is never more than a few seconds.
func (w *World) wait(s Step) string {
	w.pass(seconds(s.N))
	return "it is later"
}

// crash ends the process between two steps: what it remembers is gone, its leases stay.
func (w *World) crash(Step) string {
	w.open()
	return "the process starts again"
}

// arm has a fault happen in N calls of its place.
func (w *World) arm(s Step) string {
	if !w.faults.arm(trouble(s.What), s.N) {
		return "no such fault"
	}
	return fmt.Sprintf("in %d calls", s.N)
}

// receivers has the receivers of callbacks answer, or not.
func (w *World) receivers(s Step) string {
	w.truth.isDown = s.What == "down"
	return s.What
}

// sweepOnce is one round of the sweeper.
func (w *World) sweepOnce(Step) string {
	if w.mutant.isUnswept {
		return "nobody sweeps"
	}
	return outcome(w.process.sweep.Sweep(w.ctx), "%d wait to be worked on", len(w.process.wakes))
}

// workSome lets N things happen that wait: something that was woken, or a notification of the bank. Which comes first is
// anybody's guess.
func (w *World) workSome(s Step) string {
	done := 0
	for ; done < s.N && w.workOne(); done++ {
	}
	return fmt.Sprintf("%d done", done)
}

// workOne lets one thing happen; false: nothing waits.
func (w *World) workOne() bool {
	p := w.process
	if p.isDead {
		return false
	}
	due := w.dueWakes()
	at := w.random.IntN(len(due) + 1)
	if at == len(due) {
		if w.deliverNotice() {
			return true
		}
		if at--; at < 0 {
			return false
		}
	}
	wakeUp := p.wakes[due[at]]
	p.wakes = append(p.wakes[:due[at]:due[at]], p.wakes[due[at]+1:]...)
	w.answerWakeUp(wakeUp)
	return true
}

// dueWakes are the places of the wake-ups whose time has come.
func (w *World) dueWakes() []int {
	var due []int
	for i, r := range w.process.wakes {
		if !r.At.After(w.clock.Now()) {
			due = append(due, i)
		}
	}
	return due
}

// deliverNotice has a bank deliver a notification; false: none is due.
func (w *World) deliverNotice() bool {
	first := w.random.IntN(bankCount)
	return w.banks[first].StepOne(w.ctx) || w.banks[(first+1)%bankCount].StepOne(w.ctx)
}

// answerWakeUp does one piece of what a wake-up is for. While there may be more it stays.
func (w *World) answerWakeUp(r core.WakeUp) {
	p := w.process
	var more bool
	var err error
	switch r.Kind {
	case core.DueCallbacks:
		more, err = p.callbacks.Step(r.Receiver, 1)
	case core.DueOperations:
		more, err = p.operations.Step(r.GatewayID)
	case core.DueDisputes:
		more, err = p.disputes.Step(r.GatewayID)
	case core.DueNotifications:
		more, err = p.operations.StepNotifications()
	case core.DueStatements:
		more, err = p.statements.Step()
	case core.DuePayments:
		_, err = p.sweep.ExpireDue(w.ctx)
	case core.DueJobs, core.DueTestPlans:
	}
	if more && err == nil && !p.isDead {
		r.At = w.clock.Now()
		p.wake(r)
	}
}

// pauses are how the last three days pass, once nothing goes wrong any more: slowly at first, since matching and the
// first questions of a schedule come in minutes.
func pauses() []time.Duration {
	var all []time.Duration
	for _, part := range []struct {
		count int
		each  time.Duration
	}{{3, 10 * time.Second}, {3, 2 * time.Minute}, {3, 15 * time.Minute}, {2, 2 * time.Hour}, {6, 12 * time.Hour}} {
		for range part.count {
			all = append(all, part.each)
		}
	}
	return all
}

// hectic is how many of the pauses see what happens within an hour. After that statements are read less often.
const hectic = 9

// maxRound bounds what happens at one moment: more is a loop.
const maxRound = 2000

// quiesce ends all faults and lets three days pass.
func (w *World) quiesce() {
	w.faults.isOff, w.truth.isDown, w.truth.twice, w.truth.astray = true, false, false, false
	w.random.renew(w.seed, -1)
	for i, pause := range pauses() {
		if i == hectic {
			w.every = 20 * time.Hour
			w.process.statements.Every = w.every
		}
		w.pass(pause)
		w.sweepOnce(Step{})
		done := 0
		for ; done < maxRound && w.workOne(); done++ {
		}
		w.look()
		if done == maxRound {
			w.fail(atRest, "work at one moment does not end")
			return
		}
	}
}

// digest is of all payments with their history, as they are stored: two worlds with one digest have had one story.
func (w *World) digest() string {
	sum := sha256.New()
	for _, id := range w.mirror.order {
		p, err := w.db.PaymentByID(w.ctx, id)
		fmt.Fprintln(sum, p, err)
		for _, move := range w.mirror.moves[id] {
			fmt.Fprintln(sum, move)
		}
		for _, heard := range w.truth.heard[p.TrackingCode] {
			fmt.Fprintln(sum, heard)
		}
	}
	for _, key := range w.mirror.lineOrder {
		fmt.Fprintln(sum, w.mirror.lines[key])
	}
	_, _ = io.WriteString(sum, w.clock.Now().String())
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

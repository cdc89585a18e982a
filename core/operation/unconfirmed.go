package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// A cue is news that is not believed by itself: a notification without a signature, or that does not say enough, or a bank
// line that names a transfer. It is kept on its operation until the gateway has answered a question that was begun after
// it, in whatever phase the operation is; meanwhile the gateway is asked again and again, and after a day without an answer
// staff are told.
//
// Which of two came first is not told by clocks: a question carries the operation's version at its begin
// (Decision.AskedVersion), and a cue the version with which it was kept.

// patience is how long a gateway may leave us without an answer, or a payout or refund without leaving, before that is for
// staff.
const patience = 24 * time.Hour

// cueSchedule is for questions about a cue, after the first; a day passes until the last waitAt.
func cueSchedule() []time.Duration {
	return []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
		3 * time.Hour, 6 * time.Hour, 6 * time.Hour, 6 * time.Hour, 6 * time.Hour, 24 * time.Hour,
	}
}

// DecideAsk keeps a cue about an operation and has the gateway asked now, or again when it is being asked at this moment.
// Of what was never sent there is no news.
func DecideAsk(o Operation, at time.Time) core.Changeset {
	isKept := o.IsCued() && o.CueVersion == o.Version // and no question was begun since
	if isKept || o.Phase == Planned && o.Tries == 0 {
		return core.Changeset{}
	}
	o.Version++
	if o.CuedAt.IsZero() {
		o.CuedAt = at
	}
	o.CueVersion, o.CueTries = o.Version, 0
	o.askAboutCue(at)
	return core.Changeset{o}
}

// IsCued reports whether there is news of the operation that no answer has confirmed yet.
func (o Operation) IsCued() bool { return !o.CuedAt.IsZero() }

// askAboutCue brings the next question forward where there is a cue.
func (o *Operation) askAboutCue(now time.Time) {
	if !o.IsCued() {
		return
	}
	next := now
	if o.CueTries > 0 {
		next = now.Add(waitAt(cueSchedule(), o.CueTries-1))
	}
	if o.NextAt.IsZero() || next.Before(o.NextAt) {
		o.NextAt = next
	}
}

// isOlder reports whether a question was begun before another one whose answer was taken already. What it brings may have
// been overtaken: it is worth a new question, and no more.
func isOlder(o Operation, d payment.Decision) bool {
	return d.AskedVersion != 0 && d.AskedVersion < o.AnsweredVersion
}

// decideOlder is for an answer that isOlder.
func decideOlder(o Operation, state string, d payment.Decision) core.Changeset {
	if state == o.Status {
		return core.Changeset{}
	}
	return DecideAsk(o, d.At)
}

// answered keeps that a question was answered. A cue that was there when the question was begun is done with; one that
// came while it was on its way waits for the next.
func (w *discrepancies) answered(o *Operation) {
	if w.d.AskedVersion == 0 {
		return
	}
	o.AnsweredVersion, o.AnsweredAt = w.d.AskedVersion, w.d.At
	if w.d.AskedVersion >= o.CueVersion {
		o.dropCue()
		w.settle("the gateway has answered", discrepancy.UnconfirmedNews)
	}
}

func (o *Operation) dropCue() { o.CuedAt, o.CueVersion, o.CueTries = time.Time{}, 0, 0 }

// notAnswered keeps that a question brought no answer. Of news that nobody has confirmed for a day staff are told; once
// they have settled that, the news is done with.
func (w *discrepancies) notAnswered(o *Operation) {
	if !o.IsCued() {
		return
	}
	if w.d.AskedVersion == 0 || w.d.AskedVersion >= o.CueVersion {
		o.CueTries++
	}
	if !o.isUnconfirmed(w.d.At) {
		return
	}
	for _, known := range w.c.Discrepancies {
		isSettledByStaff := known.Status == discrepancy.Accepted || known.Status == discrepancy.WrittenOff
		if known.OperationID == o.ID && known.Kind == discrepancy.UnconfirmedNews && isSettledByStaff && !known.CreatedAt.Before(o.CuedAt) {
			o.dropCue()
			return
		}
	}
	w.openSince(o.CuedAt, discrepancy.UnconfirmedNews, gateway.Money{}, "there was news, and the gateway could not be asked for a day")
}

// isUnconfirmed reports whether there is news that no answer has confirmed for a day, nor any answer come since.
func (o Operation) isUnconfirmed(now time.Time) bool {
	return o.IsCued() && now.Sub(later(o.CuedAt, o.AnsweredAt)) >= patience
}

// isSilent reports whether the gateway, which has the operation or may have it, has not answered for a day.
func (o Operation) isSilent(now time.Time) bool {
	return o.IsLive() && now.Sub(later(o.AnsweredAt, later(o.StartedAt, o.CreatedAt))) >= patience
}

// IsForgotten reports whether staff are to be told of an operation about which its gateway could not be asked for a day.
func (o Operation) IsForgotten(now time.Time) bool {
	return o.isUnconfirmed(now) || o.isSilent(now) && (o.Kind != DepositOperation || o.Phase == Calling)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

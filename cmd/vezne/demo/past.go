package demo

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/dispute"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	corepayment "github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// Past is the same installation at a time that has passed: the use cases of every day by a clock that is set. What they wake
// is worked on when its time has come, and gateways and receivers are reached without a network, which nothing serves yet.
type Past struct {
	House
	Time        *Time
	Compare     func(context.Context) error // has the clock of the use cases relied on, which was set
	Deposits    *payment.Deposits
	Withdrawals *payment.Withdrawals
	Cards       *payment.Cards
	Callbacks   *payment.Callbacks
	Operations  *operation.Service
	Disputes    *dispute.Service
	Statements  *wallet.Statements
	Commands    *command.Commands
	Sweep       *sweep.Service
}

// Time is a clock that stands where it was put, until it is let go: then it is the real one.
type Time struct {
	mu    sync.Mutex
	at    time.Time
	began time.Time
}

// NewTime is a clock at a moment.
func NewTime(at time.Time) *Time { return &Time{at: at, began: at} }

// Now implements ports.Clock.
func (t *Time) Now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at.IsZero() {
		return time.Now()
	}
	return t.at
}

// Source implements hostclock.Source: while the clock stands as much time passes as it is set on.
func (t *Time) Source() (wall time.Time, elapsed time.Duration) {
	now := t.Now()
	return now, now.Sub(t.began)
}

func (t *Time) set(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at = at
}

// Wakes keeps what is to be looked at, until its time has come. It implements ports.Waker.
type Wakes struct {
	mu   sync.Mutex
	list []core.WakeUp
}

// Wake implements ports.Waker. The same again is kept once.
func (w *Wakes) Wake(wakeUps ...core.WakeUp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, up := range wakeUps {
		if up.Kind == core.DuePayments { // many payments end in one minute
			up.At = up.At.Add(time.Minute).Truncate(time.Minute)
		}
		if !slices.ContainsFunc(w.list, func(known core.WakeUp) bool {
			return known.Kind == up.Kind && known.Receiver == up.Receiver && known.GatewayID == up.GatewayID && known.At.Equal(up.At)
		}) {
			w.list = append(w.list, up)
		}
	}
}

// next is when the first of them is due; false: there is none.
func (w *Wakes) next() (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.list) == 0 {
		return time.Time{}, false
	}
	return slices.MinFunc(w.list, func(a, b core.WakeUp) int { return a.At.Compare(b.At) }).At, true
}

// take takes out what is due by a moment, in a fixed order.
func (w *Wakes) take(now time.Time) (due []core.WakeUp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = slices.DeleteFunc(w.list, func(up core.WakeUp) bool {
		if up.At.After(now) {
			return false
		}
		due = append(due, up)
		return true
	})
	slices.SortStableFunc(due, func(a, b core.WakeUp) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.GatewayID, b.GatewayID), cmp.Compare(a.Receiver, b.Receiver))
	})
	return due
}

// post is how the sandbox's notifications arrive: at the use case itself while time stands, over HTTP from then on.
func (p Past) post(ctx context.Context, address string, header http.Header, body []byte) (int, error) {
	if !p.Time.isStanding() {
		return bank.PostOverHTTP()(ctx, address, header, body)
	}
	u, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	token, isOurs := strings.CutPrefix(u.Path, operation.NotifyPath)
	if !isOurs {
		return 0, errors.New("nobody is there")
	}
	in := gateway.Inbound{Method: http.MethodPost, Body: body}
	for name, values := range header {
		for _, v := range values {
			in.Header = append(in.Header, gateway.Field{Name: name, Value: v})
		}
	}
	reply, err := p.Operations.Notify(ctx, token, in)
	return reply.Status, err
}

func (t *Time) isStanding() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.at.IsZero()
}

// receivers answer callbacks as the demo's own would, but for the hours in which one was down.
type receivers struct {
	time  *Time
	down  string // its API key
	from  time.Time
	until time.Time
	took  time.Duration
}

var _ ports.CallbackSender = receivers{}

// Send implements ports.CallbackSender.
func (r receivers) Send(_ context.Context, _ string, m corepayment.CallbackMessage) corepayment.DeliveryResult {
	now := r.time.Now()
	took := r.took + time.Duration(now.Second()*3)*time.Millisecond
	isDown := slices.ContainsFunc(m.Headers, func(h corepayment.CallbackHeader) bool { return h.Value == r.down })
	if isDown && !now.Before(r.from) && now.Before(r.until) {
		return corepayment.DeliveryResult{Duration: took, HTTPStatus: http.StatusServiceUnavailable, Answer: "Service Unavailable"}
	}
	return corepayment.DeliveryResult{Duration: took, HTTPStatus: http.StatusOK, Answer: "OK"}
}

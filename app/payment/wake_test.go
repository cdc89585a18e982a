package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func TestMoreReceiversThanAreRememberedAreAllServed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, w.Site)
	receiver := callbackFor(t, w, p).Receiver
	w.UnitOfWork.Callbacks = nothingFor{w.Store, receiver}
	for i := range 10_050 {
		w.Callbacks.Wake(string(rune('a'+i%26)) + string(rune(0x4e00+i)))
	}
	wake(t, w.Callbacks, receiver)
	wantStates(t, w, []payment.Payment{p}, map[payment.CallbackStatus]int{payment.Delivered: 1})
}

// nothingFor has nothing due for anybody but one, and does not ask the store about it.
type nothingFor struct {
	ports.Callbacks
	but string
}

func (n nothingFor) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	if receiver != n.but {
		return nil, nil
	}
	return n.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
}

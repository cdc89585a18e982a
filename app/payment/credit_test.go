package payment_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/payment"
	core "github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// checking is a store whose first check fails.
type checking struct {
	ports.Payments
	began  time.Time
	checks []time.Duration // when each was asked for
}

func (c *checking) CheckCredits(context.Context, int) (core.CreditCheck, error) {
	c.checks = append(c.checks, time.Since(c.began))
	if len(c.checks) == 1 {
		return core.CreditCheck{}, errors.New("no answer")
	}
	return core.CreditCheck{}, nil
}

// TestACheckOfCreditsThatFailedIsMadeAgainSoon and counts as none.
func TestACheckOfCreditsThatFailedIsMadeAgainSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, told := &checking{began: time.Now()}, 0
		credits := payment.Credits{
			UnitOfWork: &app.UnitOfWork{Payments: c}, Log: slog.New(slog.DiscardHandler), Checked: func(core.CreditCheck) { told++ },
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { credits.Run(ctx); close(done) }()
		time.Sleep(2 * time.Hour)
		cancel()
		<-done
		if want := []time.Duration{time.Minute, 6 * time.Minute, 66 * time.Minute}; !slices.Equal(c.checks, want) || told != 2 {
			t.Errorf("checked at %v, told of %d, want %v", c.checks, told, want)
		}
	})
}

// Package trigger makes an event happen in a demo: as its provider, its customer and its staff.
package trigger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/cmd/vezne/caller"
	"github.com/vezne/vezne/cmd/vezne/demofile"
)

// Command is `vezne trigger`.
type Command struct {
	Event string `arg:"" help:"What is to happen: deposit.completed, deposit.canceled, withdrawal.completed, withdrawal.rejected, withdrawal.failed, card.success, card.failed or card.cancelled."`
	Demo  string `help:"The data directory of a demo that is running." default:"demo-data" placeholder:"DIR"`
}

// event is how something is made to happen: a payment, and what is done with it.
type event struct {
	path string
	do   func(context.Context, *caller.Caller, caller.Payment) error
}

// events by what their callbacks say.
func events() map[string]event {
	const deposit, withdrawal, card = "start-manual-deposit", "start-manual-withdraw", "credit-card/payment"
	because := map[string]any{"reason": "vezne trigger"}
	return map[string]event{
		"deposit.completed":    {deposit, decided("approveDeposit", map[string]any{"reason": "vezne trigger", "expectedAmount": amount})},
		"deposit.canceled":     {deposit, decided("rejectDeposit", because)},
		"withdrawal.completed": {withdrawal, claimed("completeWithdrawal", nil)},
		"withdrawal.rejected":  {withdrawal, claimed("rejectWithdrawal", because)},
		"withdrawal.failed":    {withdrawal, claimed("failWithdrawal", because)},
		"card.success":         {card, pay("4242424242424242")},
		"card.failed":          {card, pay("9999991800000006")}, // fraud: of other refusals the customer may try another gateway
		"card.cancelled": {card, func(ctx context.Context, _ *caller.Caller, p caller.Payment) error {
			return new(caller.Customer).Press(ctx, p.PaymentURL, "cancel", nil)
		}},
	}
}

const amount = "250.00"

func decided(mutation string, with map[string]any) func(context.Context, *caller.Caller, caller.Payment) error {
	return func(ctx context.Context, c *caller.Caller, p caller.Payment) error {
		return c.Decide(ctx, p.TrackingCode, mutation, with)
	}
}

// claimed decides about a withdrawal as whoever has claimed it.
func claimed(mutation string, with map[string]any) func(context.Context, *caller.Caller, caller.Payment) error {
	return func(ctx context.Context, c *caller.Caller, p caller.Payment) error {
		return errors.Join(c.Decide(ctx, p.TrackingCode, "claimWithdrawal", nil), c.Decide(ctx, p.TrackingCode, mutation, with))
	}
}

// pay enters a test card on the gateway's page.
func pay(number string) func(context.Context, *caller.Caller, caller.Payment) error {
	return func(ctx context.Context, _ *caller.Caller, p caller.Payment) error {
		var customer caller.Customer
		if err := customer.Begin(ctx, p.PaymentURL); err != nil {
			return err
		}
		return customer.EnterCard(ctx, number)
	}
}

const timeout = 30 * time.Second

// Run makes the event happen.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	e, ok := events()[c.Event]
	if !ok {
		return fmt.Errorf("no event %q; there are %s", c.Event, strings.Join(slices.Sorted(maps.Keys(events())), ", "))
	}
	d, err := demofile.Read(c.Demo)
	if err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	with := &caller.Caller{Demo: d}
	p, err := with.Create(ctx, e.path, "", map[string]any{"amount": amount, "reference": "vezne-trigger"})
	if err != nil {
		return fmt.Errorf("the payment was not created: %w", err)
	}
	if err := e.do(ctx, with, p); err != nil {
		return fmt.Errorf("%s of %s: %w", c.Event, p.TrackingCode, err)
	}
	_, err = fmt.Fprintf(out, "%s %s\nIts callback goes to %s, and to whoever listens.\n", c.Event, p.TrackingCode, d.CallbackURL)
	return err
}

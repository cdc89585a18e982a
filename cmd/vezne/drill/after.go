package drill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/cmd/vezne/caller"
	"github.com/vezne/vezne/core"
)

// remain is something that nobody could be asked about.
type remain struct{ ID, Kind, Subject, Detail string }

const finance = "finance"

// ask waits until nothing is left to be asked of gateways and banks.
func (d *drill) ask(ctx context.Context) error {
	if !d.isFrozen {
		return nil
	}
	err := await(ctx, "gateways and banks go on being asked", func() error {
		var data struct{ Restoration struct{ AskedAt *string } }
		err := d.traffic.Ask(ctx, finance, `{ restoration { askedAt } }`, nil, &data)
		if err == nil && data.Restoration.AskedAt == nil {
			err = errors.New("something has not answered")
		}
		return err
	})
	if err != nil {
		return err
	}
	if d.remains, err = d.readRemains(ctx); err != nil {
		return err
	}
	return d.say("asked", "gateways and banks what happened after the backup; %d things remain", len(d.remains))
}

func (d *drill) readRemains(ctx context.Context) (all []remain, err error) {
	for {
		var data struct{ Restoration struct{ Remains []remain } }
		var after any
		if len(all) > 0 {
			after = all[len(all)-1].ID
		}
		err := d.traffic.Ask(ctx, finance, `query($after: ID) { restoration { remains(after: $after) { id kind subject detail } } }`, map[string]any{"after": after}, &data)
		all = append(all, data.Restoration.Remains...)
		if err != nil || len(data.Restoration.Remains) < core.MaxPage {
			return all, err
		}
	}
}

// lookAndThaw does what people do: they compare what remains with the gateway's panel and the bank, tell providers, say so, and let
// money move. They know of nothing that what remains does not lead them to.
func (d *drill) lookAndThaw(ctx context.Context) error {
	defer func() { d.downFor = time.Now() }()
	if !d.isFrozen {
		d.outside.set(func(o *outside) { o.isFrozen = false })
		return nil
	}
	for _, o := range d.traffic.list() {
		for _, m := range d.movementsOf(o) {
			o.IsTold = o.IsTold || d.isLedTo(o, m)
		}
	}
	for part := range slices.Chunk(d.remains, core.MaxPage) {
		ids := make([]string, len(part))
		for i, r := range part {
			ids[i] = r.ID
		}
		// An admin, who may see who works here.
		err := d.traffic.AskTwo(ctx, "admin", `mutation($input: AcknowledgeRemainsInput!) { acknowledgeRemains(input: $input) { remains { id } } }`,
			map[string]any{"input": map[string]any{"ids": ids, "reason": reason}})
		if err != nil {
			return fmt.Errorf("acknowledging what remains: %w", err)
		}
	}
	thaw := map[string]any{"input": map[string]any{"reason": reason}}
	const mutation = `mutation($input: ThawInput!) { thaw(input: $input) { restoration { state } } }`
	if err := d.traffic.Ask(ctx, finance, mutation, thaw, nil); err == nil {
		d.wrong = append(d.wrong, "one person has thawed the installation")
	}
	d.outside.set(func(o *outside) { o.isFrozen = false })
	if err := d.traffic.AskTwo(ctx, finance, mutation, thaw); err != nil {
		return fmt.Errorf("thawing: %w", err)
	}
	return d.say("thawed", "by two people, who have compared what remains with the gateway's panel and the bank")
}

// isLedTo reports whether what remains leads people to a movement of an order.
func (d *drill) isLedTo(o *order, m Movement) bool {
	gateway := fmt.Sprintf("gateway/%d", d.traffic.Demo.Sandbox.GatewayID)
	return slices.ContainsFunc(d.remains, func(r remain) bool {
		switch r.Kind {
		case "UNKNOWN_PAYMENT":
			return r.Subject == gateway+"/"+m.Where
		case "NOT_LISTED":
			switch {
			case o.Kind.isByHand():
				return r.Subject == "by-hand"
			case m.IsOut:
				return r.Subject == gateway+"/payouts"
			default:
				return r.Subject == gateway && strings.Contains(r.Detail, "deposits")
			}
		case "PAID_BY_HAND", "DECIDED_BY_HAND":
			return o.Kind.isByHand() && slices.Contains(o.Codes, strings.TrimPrefix(r.Subject, "payment/"))
		default:
			return false
		}
	})
}

const (
	byHand = "by hand"
	onLine = "bank line "
)

// movementsOf are an order's movements of money, wherever they were made.
func (d *drill) movementsOf(o *order) (all []Movement) {
	for _, m := range d.outside.movements() {
		if o.isOf(m.reference) {
			all = append(all, Movement{Key: o.Key, Where: m.reference, Amount: m.amount, IsOut: m.isOut})
		}
	}
	if o.Kind == ManualDeposit && o.isIn {
		all = append(all, Movement{Key: o.Key, Where: byHand, Amount: o.Amount.String()})
	}
	for range o.out {
		all = append(all, Movement{Key: o.Key, Where: byHand, Amount: o.Amount.String(), IsOut: true})
	}
	if o.line != "" {
		all = append(all, Movement{Key: o.Key, Where: onLine + o.line, Amount: o.Amount.String()})
	}
	return all
}

// isOf reports whether a gateway's reference is one of the order's payments: it begins with the tracking code without its hyphen.
func (o *order) isOf(reference string) bool {
	return slices.ContainsFunc(o.Codes, func(code string) bool { return strings.HasPrefix(reference, strings.ReplaceAll(code, "-", "")) })
}

// goOn has callers look for what they were answered with, repeat what is gone and of which they know no end, and everybody bring
// what is open to its end.
func (d *drill) goOn(ctx context.Context) error {
	// Calls that are not from five minutes after the freeze are refused: they may be repeated ones. Nobody waits for that here.
	d.traffic.Ahead = 295 * time.Second
	err := errors.Join(
		d.eachChecked(ctx, d.repeat),
		// What was settled while it was frozen is told after the thaw.
		d.eachChecked(ctx, func(ctx context.Context, o *order) error {
			return await(ctx, "no callback has come after the thaw", func() error {
				if _, isThere, err := d.traffic.read(ctx, o.code()); err != nil || !isThere || d.traffic.isTold(o.code(), time.Time{}) {
					return err
				}
				return errors.New("there is none")
			})
		}),
	)
	if err != nil {
		return err
	}
	return d.say("went on", "callers have repeated what they know no end of, and all payments have one")
}

// eachChecked does something with every order. What fails of one is wrong, and the others go on: the count shows what comes of it.
func (d *drill) eachChecked(ctx context.Context, do func(context.Context, *order) error) error {
	var mu sync.Mutex
	return each(ctx, d.traffic.list(), func(ctx context.Context, o *order) error {
		if err := do(ctx, o); err != nil {
			mu.Lock()
			defer mu.Unlock()
			d.check(fmt.Errorf("%s %s: %w", o.Kind, o.code(), err))
		}
		return ctx.Err()
	})
}

// repeat has the caller of an order look for its payment, and ask again for one that is gone and of which no end is known.
func (d *drill) repeat(ctx context.Context, o *order) error {
	t := d.traffic
	s, isThere, err := t.read(ctx, o.code())
	switch {
	case err != nil:
		return err
	case !isThere && (t.isTold(o.code(), time.Time{}) || o.IsTold && !o.isAgain()):
		return nil
	case !isThere:
		if err := t.create(ctx, o); err != nil {
			return err
		}
	case s.IsFinal:
		return nil
	}
	return d.settle(ctx, o)
}

// isAgain reports whether the caller repeats the call although staff have told that money came: the customer's deposit is credited by
// what was repeated.
func (o *order) isAgain() bool { return o.Kind == ManualDeposit }

// settle brings an open payment to its end, without a second movement of money where the first is known.
func (d *drill) settle(ctx context.Context, o *order) error {
	t := d.traffic
	switch {
	case o.Kind == ManualDeposit && o.isIn:
		return errors.Join(t.Decide(ctx, o.code(), "approveDeposit", map[string]any{"reason": "seen at the bank", "expectedAmount": o.Amount.String()}), t.ends(ctx, o))
	case o.Kind == ManualWithdrawal && o.out > 0 && o.IsTold:
		return errors.Join(t.Decide(ctx, o.code(), "claimWithdrawal", nil), t.Decide(ctx, o.code(), "completeWithdrawal", nil), t.ends(ctx, o))
	case o.Kind == EIBANDeposit && o.line != "":
		return errors.Join(d.creditLine(ctx, o), t.ends(ctx, o))
	case o.Kind == CardPayment && o.isIn && o.IsTold:
		// The books have the payment, and nothing of what its customer did at the gateway after the backup. Who opens its page again begins
		// it under the same reference, under which the gateway answers that it is paid.
		return errors.Join(new(caller.Customer).Begin(ctx, o.url), t.ends(ctx, o))
	case o.Kind == CardPayment && o.isIn:
		return t.ends(ctx, o)
	case o.Kind == SmallPayout && len(o.Codes) == 1:
		// It was under way or about to leave at the backup, and the gateway does not know it: staff have it leave.
		return errors.Join(t.Decide(ctx, o.code(), "approvePayout", map[string]any{"reason": "the gateway does not know it"}), t.ends(ctx, o))
	default:
		return t.finish(ctx, o)
	}
}

// creditLine credits a deposit that was asked for again with the line that its customer's money is.
func (d *drill) creditLine(ctx context.Context, o *order) error {
	wallet, _, err := d.walletOf(ctx, o.line)
	if err != nil {
		return err
	}
	return d.traffic.AskTwo(ctx, "operator", `mutation($input: CreditBankLineInput!) { creditBankLine(input: $input) { bankLine { lineId } } }`,
		map[string]any{"input": map[string]any{"walletId": wallet, "lineId": o.line, "trackingCode": o.code(), "reason": "paid before the database was lost"}})
}

// walletOf finds a line of a bank's statement in the books.
func (d *drill) walletOf(ctx context.Context, line string) (wallet string, ok bool, err error) {
	for _, w := range d.traffic.Demo.Wallets {
		var data struct {
			BankLines struct{ Nodes []struct{ LineID string } }
		}
		err := d.traffic.Ask(ctx, "operator", `query($id: String!) { bankLines(filter: { walletId: $id }, first: 100) { nodes { lineID: lineId } } }`, map[string]any{"id": w.WalletID}, &data)
		if err != nil {
			return "", false, err
		}
		for _, l := range data.BankLines.Nodes {
			if l.LineID == line {
				return w.WalletID, true, nil
			}
		}
	}
	return "", false, nil
}

// world reads what there is in the end.
func (d *drill) world(ctx context.Context) (w World, err error) {
	t := d.traffic
	w.Stored = make(map[string]Stored)
	known := make(map[string]bool)
	for _, o := range t.list() {
		w.Orders = append(w.Orders, o.Order)
		for _, code := range o.Codes {
			s, isThere, err := t.read(ctx, code)
			if err != nil {
				return w, err
			}
			if isThere {
				w.Stored[code] = Stored(s)
			}
		}
		for _, m := range d.movementsOf(o) {
			known[m.Where] = true
			m.IsRemain = d.isLedTo(o, m)
			if line, isLine := strings.CutPrefix(m.Where, onLine); isLine {
				if _, m.HasLine, err = d.walletOf(ctx, line); err != nil {
					return w, err
				}
			}
			w.Movements = append(w.Movements, m)
		}
	}
	for _, m := range d.outside.movements() {
		if !known[m.reference] {
			w.Movements = append(w.Movements, Movement{Where: m.reference, Amount: m.amount, IsOut: m.isOut})
		}
		if m.isOut && d.outside.orders(m.reference) > 1 {
			w.SentAgain = append(w.SentAgain, m.reference)
		}
	}
	w.Letters, err = d.outside.letters()
	return w, err
}

package drill

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vezne/vezne/cmd/vezne/caller"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// Kind is what is paid, and how.
type Kind string

// Kinds. A payout by gateway leaves at once below the account's threshold (1,000 TRY), and when staff approve it above.
const (
	ManualDeposit    Kind = "manual deposit"
	EIBANDeposit     Kind = "E-IBAN deposit"
	CardPayment      Kind = "card payment"
	ManualWithdrawal Kind = "manual withdrawal"
	SmallPayout      Kind = "payout"
	LargePayout      Kind = "payout that is approved"
)

// kinds lists all of them.
func kinds() []Kind {
	return []Kind{ManualDeposit, EIBANDeposit, CardPayment, ManualWithdrawal, SmallPayout, LargePayout}
}

// isByHand reports whether people move the money, at a bank whose statement nobody reads.
func (k Kind) isByHand() bool { return k == ManualDeposit || k == ManualWithdrawal }

// path is the creating call's, below /api/provider.
func (k Kind) path() string {
	switch k {
	case ManualDeposit:
		return "start-manual-deposit"
	case EIBANDeposit:
		return "start-eiban-deposit"
	case CardPayment:
		return "credit-card/payment"
	case ManualWithdrawal:
		return "start-manual-withdraw"
	default:
		return "third-party/bank/start-withdrawal"
	}
}

// order is what a caller wants: one payment, under one key, however often it has to be asked for.
type order struct {
	Order

	url  string           // of the newest payment's page
	page *caller.Customer // on the gateway's page; nil: not begun
	line string           // of the statement, by which an E-IBAN deposit was paid
	isIn bool             // its customer has paid
	out  int              // how often people have paid it by hand
}

// code is the newest payment's.
func (o *order) code() string { return o.Codes[len(o.Codes)-1] }

const (
	leastAmount = 101   // in lira, and one more with each order: no two are the same
	large       = 2_000 // lira more: a payout that is approved
	atOnce      = 6     // orders that are worked on beside each other
	testCard    = "4242424242424242"
)

// traffic is those who pay and are paid.
type traffic struct {
	*caller.Caller
	outside *outside
	wallets map[string]string // the bank's account, by the wallet's IBAN

	mu     sync.Mutex
	orders []*order
}

func newTraffic(c *caller.Caller, o *outside) *traffic {
	t := &traffic{Caller: c, outside: o, wallets: make(map[string]string)}
	for _, a := range o.bank.State().Accounts {
		t.wallets[a.IBAN] = a.ID
	}
	return t
}

// begin makes orders of each kind.
func (t *traffic) begin(each int) (made []*order) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range each {
		for _, k := range kinds() {
			lira := int64(leastAmount + len(t.orders))
			if k == LargePayout {
				lira += large
			}
			o := &order{Order: Order{Kind: k, Key: fmt.Sprintf("drill-%d", len(t.orders)), Amount: money.New(lira*100, money.TRY)}}
			t.orders, made = append(t.orders, o), append(made, o)
		}
	}
	return made
}

// each does something with orders, some beside each other.
func each(ctx context.Context, orders []*order, do func(context.Context, *order) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, o := range orders {
		group.Go(func() error {
			if err := do(ctx, o); err != nil {
				return fmt.Errorf("%s %s: %w", o.Kind, strings.Join(o.Codes, ", "), err)
			}
			return nil
		})
	}
	return group.Wait()
}

// create asks for an order's payment.
func (t *traffic) create(ctx context.Context, o *order) error {
	fields := map[string]any{"amount": o.Amount.String(), "reference": o.Key}
	if o.Kind == SmallPayout || o.Kind == LargePayout {
		fields["gateway_id"], fields["iban"] = t.Demo.Sandbox.GatewayID, bank.TestIBAN("00")
	}
	made, err := t.Create(ctx, o.Kind.path(), o.Key, fields)
	if err == nil {
		o.Codes, o.url, o.page = append(o.Codes, made.TrackingCode), made.PaymentURL, nil
	}
	return err
}

// start has the customer of a card payment go to the gateway's page.
func (t *traffic) start(ctx context.Context, o *order) error {
	if o.Kind != CardPayment || o.page != nil {
		return nil
	}
	o.page = new(caller.Customer)
	return o.page.Begin(ctx, o.url)
}

// pay has the money move that an open payment is for, and staff decide what they have to.
func (t *traffic) pay(ctx context.Context, o *order) error {
	switch o.Kind {
	case ManualDeposit:
		o.isIn = true
		return t.Decide(ctx, o.code(), "approveDeposit", map[string]any{"reason": "seen at the bank", "expectedAmount": o.Amount.String()})
	case ManualWithdrawal:
		if err := t.Decide(ctx, o.code(), "claimWithdrawal", nil); err != nil {
			return err
		}
		o.out++
		return t.Decide(ctx, o.code(), "completeWithdrawal", nil)
	case LargePayout:
		return t.Decide(ctx, o.code(), "approvePayout", map[string]any{"reason": "looked at"})
	case CardPayment:
		if err := t.start(ctx, o); err != nil {
			return err
		}
		o.isIn = true
		return o.page.EnterCard(ctx, testCard)
	case EIBANDeposit:
		o.isIn = true
		return t.transfer(ctx, o)
	default:
		return nil
	}
}

// transfer has the customer of an E-IBAN deposit send money to the account that the page shows.
func (t *traffic) transfer(ctx context.Context, o *order) error {
	if err := new(caller.Customer).Press(ctx, o.url+"?step=amount", "continue", url.Values{"amount": {o.Amount.String()}}); err != nil {
		return err
	}
	var data struct {
		Transaction struct{ Account *struct{ IBAN string } }
	}
	err := t.Ask(ctx, "operator", `query($code: String!) { transaction(trackingCode: $code) { account { iban } } }`, map[string]any{"code": o.code()}, &data)
	if err != nil || data.Transaction.Account == nil {
		return errors.Join(errors.New("no account is shown"), err)
	}
	line, err := t.outside.bank.Book(t.wallets[data.Transaction.Account.IBAN], bank.Line{
		Direction: bank.Incoming, Amount: bank.Money{Value: o.Amount.Decimal(), Currency: money.TRY.Code}, Text: o.code(),
		Party: bank.Party{Name: "AYSE YILMAZ", IBAN: bank.TestIBAN("00")},
	})
	o.line = line.ID
	return err
}

// status is what the books have of a payment, as its provider is told.
type status struct {
	Status  string
	IsFinal bool `json:"is_final"`
	Amount  string
}

// read asks what became of a payment (V1). Without ok there is none.
func (t *traffic) read(ctx context.Context, code string) (s status, ok bool, err error) {
	err = t.Provide(ctx, "transaction-status", "", "", map[string]any{"tracking_code": code}, &s)
	if refused := (*caller.StatusError)(nil); errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return s, false, nil
	}
	return s, err == nil, err
}

// whole takes orders from their creation to the callback that says how they ended.
func (t *traffic) whole(ctx context.Context, orders []*order) error {
	return each(ctx, orders, func(ctx context.Context, o *order) error {
		if err := t.create(ctx, o); err != nil {
			return err
		}
		return t.finish(ctx, o)
	})
}

// finish pays an open payment and waits for its end, and for the callback where the receiver takes some.
func (t *traffic) finish(ctx context.Context, o *order) error {
	if err := t.pay(ctx, o); err != nil {
		return err
	}
	return t.ends(ctx, o)
}

func (t *traffic) ends(ctx context.Context, o *order) error {
	return await(ctx, "it does not end", func() error {
		s, _, err := t.read(ctx, o.code())
		if err == nil && !s.IsFinal {
			err = errors.New("it is " + s.Status)
		}
		if err == nil && !t.isDeaf() && !t.isTold(o.code(), time.Time{}) {
			err = errors.New("no callback has come")
		}
		return err
	})
}

func (t *traffic) isDeaf() (isDeaf bool) {
	t.outside.set(func(o *outside) { isDeaf = o.isDeaf })
	return isDeaf
}

// isTold reports whether a callback about a payment has come, after a moment.
func (t *traffic) isTold(code string, after time.Time) bool {
	for _, l := range t.outside.inbox.Letters() {
		if l.TrackingCode == code && l.At.After(after) {
			return true
		}
	}
	return false
}

// list reads the orders; those who work on them have ended.
func (t *traffic) list() []*order {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.orders
}

// keysOf are those of an installation that vezne demo has made.
func keysOf(dir string) (demofile.File, error) {
	d, err := demofile.Read(dir)
	if err == nil && len(d.Sites) == 0 {
		err = errors.New("the installation has no site")
	}
	return d, err
}

package testplan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	plans "github.com/vezne/vezne/app/testplan"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/e2e/apptest"
)

// world is a World in which no money moves: its gateway accounts are of a sandbox, and its callbacks are sent as plans say.
type world struct{ *apptest.World }

func newWorld(t *testing.T) world {
	t.Helper()
	w := world{apptest.New(t)}
	w.UnitOfWork.Directory = apptest.InSandbox{Directory: w.Store}
	w.Callbacks.Sender = &plans.Sender{
		CallbackSender: w.Sender, UnitOfWork: w.UnitOfWork, Plans: w.Store, Timeout: w.Callbacks.Timeout, Zone: w.Zone,
	}
	return w
}

var amount = money.New(250_00, money.TRY)

// start creates a payment with a plan.
func (w world) start(t *testing.T, m payment.Method, plan testplan.Plan, after time.Duration) payment.Payment {
	t.Helper()
	var made payment.Payment
	_, err := w.Create(t.Context(), plans.With(app.Creation{
		Request: w.Fill(payment.Request{Method: m, Amount: amount}),
		Render: func(p payment.Payment) (app.Answer, error) {
			made = p
			return app.Answer{Status: 200}, nil
		},
	}, plan, after))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// said is what a callback's receiver reads of it.
type said struct {
	TrackingCode string `json:"tracking_code"`
	Status       string
	Amount       json.Number
	Sequence     int
	Reason       string
	PaidBy       string `json:"paid_by"`
	ErrorCode    string `json:"error_code"`
}

// heard is what the receivers have read, as texts: number, status and amount.
func (w world) heard(t *testing.T) (list []string) {
	t.Helper()
	for _, s := range w.Sender.Sent() {
		list = append(list, tell(t, s.Message.Body))
	}
	return list
}

func tell(t *testing.T, body []byte) string {
	t.Helper()
	var b said
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprint(b.Sequence, " ", b.Status, " ", b.Amount, " ", b.Reason+b.PaidBy+b.ErrorCode))
}

func (w world) want(t *testing.T, what string, want ...string) {
	t.Helper()
	if got := w.heard(t); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: the receiver hears %q, want %q", what, got, want)
	}
}

// TestEveryMethodEndsAsItsPlanSays: at once, whatever the amount is, with one callback, or two where money comes late; and then nothing more.
func TestEveryMethodEndsAsItsPlanSays(t *testing.T) {
	t.Parallel()
	wants := map[payment.Kind]map[testplan.Outcome][]string{
		payment.Deposit: {
			testplan.Completed: {"1 completed 250.00"}, testplan.Canceled: {"1 canceled 250.00 customer"},
			testplan.Rejected: {"1 canceled 250.00 staff"}, testplan.Failed: {"1 canceled 250.00 gateway"},
			testplan.Expired: {"1 expired 250.00"}, testplan.PaidLate: {"1 expired 250.00", "2 completed 250.00"},
		},
		payment.Card: {
			testplan.Completed: {"1 success 250.00"}, testplan.Canceled: {"1 cancelled 250.00"},
			testplan.Rejected: {"1 failed 250.00 DECLINED"}, testplan.Failed: {"1 failed 250.00 EXPIRED_CARD"},
			testplan.Expired: {"1 failed 250.00 TIMEOUT"}, testplan.PaidLate: {"1 failed 250.00 TIMEOUT", "2 success 250.00"},
		},
		payment.Withdrawal: {
			testplan.Completed: {"1 completed 250.00"}, testplan.Canceled: {"1 canceled 250.00 customer"},
			testplan.Rejected: {"1 rejected 250.00"}, testplan.Failed: {"1 failed 250.00"},
		},
		payment.Payout: {
			testplan.Completed: {"1 completed 250.00"}, testplan.Canceled: {"1 canceled 250.00 customer"},
			testplan.Rejected: {"1 rejected 250.00"}, testplan.Failed: {"1 failed 250.00"},
			testplan.Expired: {"1 canceled 250.00 expired"}, testplan.PaidLate: {"1 failed 250.00", "2 completed 250.00"},
		},
	}
	for _, m := range payment.Methods() {
		for _, o := range testplan.OutcomesOf(m) {
			t.Run(fmt.Sprint(m, " ", o), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				plan := testplan.Plan{Outcome: o}
				if m == payment.CreditCard && o == testplan.Failed {
					plan.ErrorCode = gateway.ExpiredCard
				}
				p := w.start(t, m, plan, 0)
				w.Work(t)
				w.Clock.Advance(2 * time.Second)
				w.Work(t)
				want := wants[m.Kind()][o]
				if len(m.Ways()) > 1 && plan.Credits() { // these say by which way the money came
					want = append([]string{}, want...)
					want[len(want)-1] += " " + string(m.Gateway())
				}
				w.want(t, "after its outcome", want...)
				w.Clock.Advance(48 * time.Hour)
				if err := w.Sweep.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.Work(t)
				w.want(t, "two days later", want...)
				if now := w.Reload(t, p); !now.Status.IsFinal() || now.Reason != testplan.Reason {
					t.Errorf("it is %s because of %q", now.Status, now.Reason)
				}
				check, err := w.Store.CheckCredits(t.Context(), 10)
				if err != nil || len(check.Breaches) != 0 || check.Awaiting != 0 {
					t.Errorf("credits: %+v, %v", check, err)
				}
				if operations, err := w.Store.OperationsOf(t.Context(), p.ID); err != nil || len(operations) != 0 {
					t.Errorf("a gateway has something to do: %+v, %v", operations, err)
				}
			})
		}
	}
}

// TestAnOutcomeComesWhenItIsDue, with its amount, and its callback comes when that is due.
func TestAnOutcomeComesWhenItIsDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := testplan.Plan{Outcome: testplan.Completed, Amount: money.New(99_50, money.TRY), Delay: 5 * time.Second}
	w.start(t, payment.EIBANDeposit, plan, 10*time.Second)
	w.Clock.Advance(9 * time.Second)
	w.Work(t)
	w.Clock.Advance(5 * time.Second)
	w.Work(t)
	w.want(t, "before it is due")
	w.Clock.Advance(5 * time.Second)
	w.Work(t)
	w.want(t, "when it is due", "1 completed 99.50")
}

// TestCallbacksComeAsThePlanSays.
func TestCallbacksComeAsThePlanSays(t *testing.T) {
	t.Parallel()
	for delivery, want := range map[testplan.Delivery][]string{
		"":                      {"1 expired 250.00", "2 completed 250.00"},
		testplan.Twice:          {"1 expired 250.00", "1 expired 250.00", "2 completed 250.00", "2 completed 250.00"},
		testplan.WrongSignature: {"1 expired 250.00", "1 expired 250.00", "2 completed 250.00", "2 completed 250.00"},
		testplan.Reordered:      {"2 completed 250.00", "1 expired 250.00"},
		testplan.Retried:        {"1 expired 250.00", "2 completed 250.00", "2 completed 250.00"}, // the first is superseded meanwhile
	} {
		t.Run(string(delivery), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(t, payment.ManualDeposit, testplan.Plan{Outcome: testplan.PaidLate, Delivery: delivery}, 0)
			for _, pause := range []time.Duration{0, 2 * time.Second, time.Minute} {
				w.Clock.Advance(pause)
				w.Work(t)
			}
			w.want(t, "in the end", want...)
			ids := map[string]string{}
			for i, s := range w.Sender.Sent() {
				id, hash := header(s, "X-Callback-Id"), header(s, "X-Hash")
				isForged := delivery == testplan.WrongSignature && i%2 == 0
				if right := w.isSigned(t, s); right == isForged {
					t.Errorf("message %d: the signature is right: %t", i, right)
				}
				if last, ok := ids[id]; ok && delivery == testplan.Twice && last != hash {
					t.Errorf("message %d is not the one before it", i)
				}
				ids[id] = hash
			}
			if len(ids) != 2 {
				t.Errorf("%d callbacks", len(ids))
			}
		})
	}
}

func header(s apptest.Sent, name string) string {
	for _, h := range s.Message.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// isSigned reports whether both signatures of a message are those of its receiver.
func (w world) isSigned(t *testing.T, s apptest.Sent) bool {
	t.Helper()
	var b struct {
		said

		Timestamp json.Number
		Hash      string
	}
	if err := json.Unmarshal(s.Message.Body, &b); err != nil {
		t.Fatal(err)
	}
	hash := sign.Hash(w.Provider.APIKey, w.Provider.SecretKey.Reveal(), b.TrackingCode, b.Status, b.Timestamp.String())
	signature := sign.Webhook(w.Provider.WebhookSecret.Reveal(), header(s, "webhook-id"), header(s, "webhook-timestamp"), s.Message.Body)
	isWebhook := header(s, "webhook-signature") == signature
	if (header(s, "X-Hash") == hash) != isWebhook || b.Hash != header(s, "X-Hash") {
		t.Errorf("one signature is right and the other is not: %s", s.Message.Body)
	}
	return isWebhook
}

// TestAClockMovesOnePayment: its expiry and its callbacks' retries come at once, and nobody else's.
func TestAClockMovesOnePayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: 503}
	})
	p := w.start(t, payment.ManualDeposit, testplan.Plan{}, 0)
	other := w.start(t, payment.ManualDeposit, testplan.Plan{}, 0)
	advance := func(by time.Duration) payment.Payment {
		t.Helper()
		moved, err := w.TestPlans.Advance(t.Context(), payment.ReferenceOwner{ProviderID: w.Provider.ID}, p.TrackingCode, "", by)
		if err != nil {
			t.Fatal(err)
		}
		w.Work(t)
		return moved
	}
	if moved := advance(29 * time.Minute); !moved.ExpiresAt.Equal(apptest.Start.Add(time.Minute)) || w.Reload(t, p).Status != payment.Showing {
		t.Errorf("29 minutes later it expires at %s", moved.ExpiresAt)
	}
	if moved := advance(time.Hour); !moved.ExpiresAt.Equal(apptest.Start) {
		t.Errorf("a moment is moved into the past: %s", moved.ExpiresAt)
	}
	for range 3 {
		advance(time.Hour)
	}
	w.want(t, "with three more hours", "1 expired 250.00", "1 expired 250.00", "1 expired 250.00", "1 expired 250.00")
	if now := w.Reload(t, other); now.Status != payment.Showing || !now.ExpiresAt.Equal(apptest.Start.Add(30*time.Minute)) {
		t.Errorf("the other payment is %s until %s", now.Status, now.ExpiresAt)
	}
	late := w.start(t, payment.EIBANWithdrawal, testplan.Plan{Outcome: testplan.Rejected}, 24*time.Hour)
	p = late
	advance(24 * time.Hour)
	if now := w.Reload(t, late); now.Status != payment.Rejected {
		t.Errorf("the planned outcome does not come with the clock: %s", now.Status)
	}
}

// TestNobodyElsesClockMoves: another provider's, a dealer's, one of a payment that is no test, or one that there is not.
func TestNobodyElsesClockMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	test, ordinary := w.start(t, payment.ManualDeposit, testplan.Plan{}, 0), w.StartDeposit(t, payment.ManualDeposit, amount)
	for name, c := range map[string]struct {
		whose payment.ReferenceOwner
		code  string
	}{
		"another provider's":   {payment.ReferenceOwner{ProviderID: w.OtherProvider.ID}, test.TrackingCode},
		"the dealer's":         {payment.ReferenceOwner{DealerID: w.Dealer.ID}, test.TrackingCode},
		"an ordinary payment":  {payment.ReferenceOwner{ProviderID: w.Provider.ID}, ordinary.TrackingCode},
		"one that there's not": {payment.ReferenceOwner{ProviderID: w.Provider.ID}, "MAN-0000000000000000"},
	} {
		if _, err := w.TestPlans.Advance(t.Context(), c.whose, c.code, "", time.Hour); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.Work(t)
	for _, p := range []payment.Payment{test, ordinary} {
		if now := w.Reload(t, p); now.Status != payment.Showing || !now.ExpiresAt.Equal(p.ExpiresAt) {
			t.Errorf("%s is %s until %s", p.TrackingCode, now.Status, now.ExpiresAt)
		}
	}
}

// TestWhereMoneyMovesNoPlanIsCarriedOut: a plan that was made before the installation got a gateway account of production completes nothing.
func TestWhereMoneyMovesNoPlanIsCarriedOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.start(t, payment.ManualDeposit, testplan.Plan{Outcome: testplan.Completed}, time.Minute)
	if err := w.TestPlans.Check(t.Context()); err != nil {
		t.Error(err)
	}
	w.UnitOfWork.Directory = w.Store // whose accounts are of production
	if err := w.TestPlans.Check(t.Context()); !fault.Is(err, fault.Invalid) {
		t.Error(err)
	}
	_, err := w.TestPlans.Advance(t.Context(), payment.ReferenceOwner{ProviderID: w.Provider.ID}, p.TrackingCode, "", time.Hour)
	if !fault.Is(err, fault.Invalid) {
		t.Error(err)
	}
	w.Clock.Advance(time.Minute)
	w.Work(t)
	plan, err := w.Store.TestPlan(t.Context(), p.ID)
	if now := w.Reload(t, p); now.Status != payment.Showing || err != nil || !plan.DueAt.IsZero() {
		t.Errorf("it is %s, its plan due at %s (%v)", now.Status, plan.DueAt, err)
	}
	w.UnitOfWork.Directory = apptest.InSandbox{Directory: w.Store}
	w.Work(t)
	w.want(t, "also when the account is gone")
}

// TestWhoWasFasterCounts: a payment that its customer has called off before its outcome stays so, and a plan that two processes carry out at
// once is carried out once.
func TestWhoWasFasterCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	canceled := w.start(t, payment.ManualDeposit, testplan.Plan{Outcome: testplan.Completed}, time.Minute)
	raced := w.start(t, payment.ManualDeposit, testplan.Plan{Outcome: testplan.Completed}, time.Minute)
	if _, err := w.Deposits.Cancel(t.Context(), canceled); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	other := &plans.Service{UnitOfWork: w.UnitOfWork, Plans: w.Store, Log: w.TestPlans.Log}
	other.Start()
	t.Cleanup(func() { _ = other.Stop(context.Background()) })
	other.Wake()
	w.Work(t)
	if err := other.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	if a, b := w.Reload(t, canceled), w.Reload(t, raced); a.Status != payment.Canceled || b.Status != payment.Completed {
		t.Errorf("%s and %s", a.Status, b.Status)
	}
	credits, err := w.Store.CreditsOf(t.Context(), raced.Key())
	if err != nil || len(credits) != 1 || credits[0].Actor.Kind != core.ByProvider || len(w.heard(t)) != 2 {
		t.Errorf("%+v, %v; %q", credits, err, w.heard(t))
	}
}

package operation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// The ways in which real gateways lose money, and the tests that hold Vezne to handling them. "Card 13" is a row of
// TestCardScenariosEndAlikeHoweverTheNewsComes; so with wallet, bank, crypto and payout. Where no folder is named it is
// this one. TestWhateverHappensAtGatewaysNoMoneyIsLostOrCountedTwice lets most of them happen at once.
//
//	 1 success after we expired it      card 13; bank and crypto "after our end"; TestCardTimesOutAndMoneyThatComesLaterIsToldToStaff
//	 2 cancel races with paid           TestCustomersCancelIsTheGatewaysToGrant, TestEverybodyAtOnce
//	 3 duplicate notification           card 14, TestMessageThatComesThreeTimesIsKeptOnce
//	 4 out of order                     card 18 and 24; TestNotificationsThatAreLostLateOrSwappedChangeNoEnd
//	 5 amount or currency differs       card 19 and 20; TestSmallerAmountThanWasOrderedNeverCompletesAPayment
//	 6 partial, over, split crypto      crypto "under", "over", "two parts that add up"
//	 7 paid but under review            card 23
//	 8 return without notification …    every scenario three times; card 16 and 17; TestPollingAloneEndsEveryPayment
//	 9 "not found" after a timeout      card 26 "broken before"; wallet "the record is deleted";
//	                                    TestUnknownStartIsAskedAboutAndNeverStartedElsewhere
//	10 browser data believed            TestWhatTheBrowserSaysProvesNothing; adapters/paypage TestReturnProvesNothing
//	11 the return takes the money       TestEverybodyAtOnce (one finishing call), TestCrashAfterAnyCommitEndsRight
//	12 the POST back loses the cookie   adapters/paypage TestReturn, TestReturnMethods
//	13 unknown order id                 TestMessageAboutNobodysOrderIsKeptForStaff
//	14 unsigned, or a shared secret     wallet "told by a shared secret"; TestMessagesThatNoSignatureProtectsAreTakenAtABoundedRate
//	15 signature covers less            TestSignedMessageThatDoesNotSayHowMuchOnlyHasTheGatewayAsked
//	16 our failure answered with 4xx    adapters/rest/gatewayhook TestOurOwnFailureIsAlwaysAskedAgain;
//	                                    TestNotificationForAnAccountThatCannotBeOpenedIsAskedForAgain
//	17 wrong success reply              adapters/rest/gatewayhook TestAnswerIsThePluginsByteForByte; plugins/conformance
//	18 payout timeout                   payout "timeout, then …"; TestUnknownPayoutIsNeverSentAgain
//	19 key window shorter than retry    TestUnknownPayoutIsNeverSentAgain: nothing is repeated whose effect is not known
//	20 reference reused                 TestGatewayThatIsKnownNotToHaveActedIsFollowedByTheNext (a reference and key each)
//	21 two payments for one order       card 25; TestBothOfTwoWaysPaidIsASurplus
//	22 payout done, then returned       payout "done, then returned"
//	23 status 200 that is a failure     card 27, payout "failure with status 200"
//	24 unit slips                       plugins/conformance (three shapes of money on the wire); core/money
//	25 canonical form slips             plugins/iyzico TestSignedNumbersAreJavaScripts, TestEveryVectorIsReproduced
//	26 refund not instant               card 28 and 29
//	27 manual marking                   TestMarkingByHandIsNoMoney
//	28 payout needs a person            payout "needs the code"; TestPayoutThatWantsACode
//	29 statement surprises              plugins/conformance and plugins/sandbox TestLateBookedLineStandsAtItsTime, …
//	30 stale balance                    payout "no funds, until there are": the gateway refuses, no balance is believed
//	31 fake token of the right name     crypto "another coin", "another network"
//	32 misconfiguration is no decline   TestRefusedKeysAreNoDecline,
//	                                    TestRefusedKeysKeepTheAccountFromNewPaymentsUntilATestSucceeds
//	33 secret rotation                  card 21, TestForgedIsRefusedTheOldSecretTakenAndAReplayRefused
//	34 address points inward            adapters/gatewayhttp TestOnlyTheAccountsHostsAreReached, TestRedirectsAreNotFollowed
//	35 legal status changes             TestNoMoneyLeavesThroughAnAccountThatIsOff,
//	                                    app/owner TestNewAccountIsOffUntilItIsSwitchedOnAndThenCountsAtOnce

func TestMessageThatComesThreeTimesIsKeptOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, told)
	p := s.start(payment.CreditCard, money.New(25021, money.TRY))
	paysByCard(p)
	p.pass(moments)
	if kept := s.notifications(); len(kept) != 1 || kept[0].Status != notification.Done || kept[0].TrackCodes != p.payment.TrackingCode {
		t.Errorf("kept %+v", kept)
	}
	if !slices.Equal(s.answers, []int{200, 200, 200}) {
		t.Errorf("answered %v", s.answers)
	}
}

func TestForgedIsRefusedTheOldSecretTakenAndAReplayRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t, told)
	p := s.start(payment.CreditCard, money.New(25029, money.TRY))
	paysByCard(p)
	p.pass(moments)
	if !slices.Equal(s.answers, []int{401, 200, 401}) {
		t.Errorf("answered %v", s.answers)
	}
	states := map[notification.Status]int{}
	for _, n := range s.notifications() {
		states[n.Status]++
	}
	if states[notification.Forged] != 2 || states[notification.Done] != 1 {
		t.Errorf("kept %v", states)
	}
}

func TestWhatTheBrowserSaysProvesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, returned)
	p := s.start(payment.CreditCard, money.New(25000, money.TRY))
	back := s.Operations.BaseURL + operation.ReturnPath + p.operation.ReturnToken
	p.comesBack(back + "?sandbox_status=paid&sandbox_deposit=dep_1&status=success&mdStatus=1")
	s.is(p.payment, payment.Pending)
	p.pass(afterEnd)
	if got := p.end(); got != failedWith("TIMEOUT") {
		t.Errorf("it ends as %s", got)
	}
}

func TestMessageAboutNobodysOrderIsKeptForStaff(t *testing.T) {
	t.Parallel()
	s := newStage(t, told)
	s.no(s.bank.NotifyUnknown(""))
	s.pass(time.Second)
	if kept := s.notifications(); len(kept) != 1 || kept[0].Status != notification.Unknown || !slices.Equal(s.answers, []int{200}) {
		t.Errorf("kept %+v, answered %v", kept, s.answers)
	}
}

func TestSignedMessageThatDoesNotSayHowMuchOnlyHasTheGatewayAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Clock.Advance(time.Second)
	says := w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)
	body := []byte(strings.Replace(string(says.Body), `"status":"waiting"`, `"status":"paid"`, 1))
	says = apptest.Inbound(w.Sandbox.Sign(body), body)
	_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, says)
	w.no(err)
	w.Work(t)
	w.is(p, payment.Pending)
	if calls, err := w.Backoffice.Batch(p).Calls(t.Context(), p); err != nil || len(calls) != 2 || calls[0].Name != string(gateway.CanReadDeposit) {
		t.Errorf("calls %+v, %v", calls, err)
	}
}

func TestBothOfTwoWaysPaidIsASurplus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, first := w.begun(payment.BankDeposit, lira(250))
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanCancelDeposit, apptest.Broken, apptest.Broken, apptest.Broken) // it stays payable there
	_, second, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, GatewayID: w.OtherGateway.ID})
	w.no(err)
	w.Sandbox.PayInFull(first.Reference)
	w.OtherSandbox.PayInFull(second.Reference)
	w.forMinutes(2)
	w.is(p, payment.Completed)
	d := w.discrepancy(p, discrepancy.SurplusMoney)
	_, err = w.Operations.RefundDiscrepancy(t.Context(), byOf(w, p), d.ID, nil)
	w.no(err)
	w.forMinutes(1)
	if d = w.discrepancy(p, discrepancy.SurplusMoney); d.Status != discrepancy.Refunded {
		t.Errorf("the surplus is %s", d.Status)
	}
	w.is(p, payment.Completed)
	if n := len(w.callbacks(p)); n != 1 {
		t.Errorf("%d callbacks", n)
	}
}

func TestMarkingByHandIsNoMoney(t *testing.T) {
	t.Parallel()
	for _, n := range allNews() {
		t.Run(string(n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, n)
			p := s.start(payment.CreditCard, money.New(25004, money.TRY))
			s.no(s.bank.Fire(p.payment.Payer.OrderID, "marked_paid"))
			p.pass(afterEnd)
			if got := p.end(); got != "pending; review open; callbacks 0" {
				t.Errorf("it ends as %s", got)
			}
		})
	}
}

func TestRefusedKeysAreNoDecline(t *testing.T) {
	t.Parallel()
	s := newStage(t, told)
	s.bank.RefuseKeys(true)
	p := s.start(payment.CreditCard, money.New(25000, money.TRY))
	s.is(p.payment, payment.Pending)
	if s.accountOf(s.account.ID).Trouble == "" {
		t.Error("the account goes on taking payments")
	}
	s.bank.RefuseKeys(false)
	if report, err := s.GatewayAdmin.Test(t.Context(), adminOf(s.world), s.account.ID); err != nil || !report.IsOK() {
		t.Fatalf("test: %+v, %v", report, err)
	}
	p.press()
	paysByCard(p)
	p.pass(moments)
	if got := p.end(); got != paidOnce {
		t.Errorf("it ends as %s", got)
	}
}

// TestNotificationsThatAreLostLateOrSwappedChangeNoEnd: what can happen to messages on their way, and to the gateway.
func TestNotificationsThatAreLostLateOrSwappedChangeNoEnd(t *testing.T) {
	t.Parallel()
	for name, mishap := range map[string]func(s *stage) error{
		"lost":         func(s *stage) error { return s.bank.FailDeliveries(bank.DeliveryFaults{Drop: 10}) },
		"late":         func(s *stage) error { return s.bank.FailDeliveries(bank.DeliveryFaults{Delay: 3 * time.Minute}) },
		"swapped":      func(s *stage) error { return s.bank.FailDeliveries(bank.DeliveryFaults{Reorder: true}) },
		"gateway down": func(s *stage) error { return s.bank.Down(time.Minute) },
		"throttled":    func(s *stage) error { return s.bank.Throttle(20) },
	} {
		for kurus, want := range map[int64]string{0: paidOnce, 30: "success; review settled; callbacks 1", 32: paidOnce, 25: paidOnce} {
			t.Run(name+" "+want, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, told)
				p := s.start(payment.CreditCard, money.New(25000+kurus, money.TRY))
				paysByCard(p)
				if kurus == 32 {
					paysByCard(p)
				}
				s.no(mishap(s))
				p.pass(14 * time.Minute)
				isUnseen := kurus == 30 && p.end() == paidOnce // nobody looked during the review
				if got := p.end(); got != want && !isUnseen {
					t.Errorf("it ends as %s, and should as %s", got, want)
				}
			})
		}
	}
}

// TestPayoutsAreAtTheBankOnce however their sending went.
func TestPayoutsAreAtTheBankOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, told)
	for kurus := range int64(48) {
		s.start(payment.BankWithdrawal, money.New(25000+kurus, money.TRY))
	}
	s.pass(2 * time.Hour)
	orders := map[string]int{}
	for _, p := range s.bank.State().Payouts {
		orders[p.Reference]++
		if orders[p.Reference] > 1 || p.Status != bank.Done && p.Status != bank.Failed && p.Status != bank.Rejected && p.Status != bank.NeedsApproval {
			t.Errorf("%s is %s, %d times", p.Reference, p.Status, orders[p.Reference])
		}
	}
	if len(orders) < 40 {
		t.Errorf("%d payouts at the bank", len(orders))
	}
}

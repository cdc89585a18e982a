package paypage

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// isAtGateway reports whether a gateway moves the payment's money.
func isAtGateway(p payment.Payment) bool { return p.Method.Gateway() != "" }

// gatewayPhase is what the customer of a payment at a gateway is shown, before any wish of theirs. Success shows by the
// payment's status alone, whatever a browser brought back.
func gatewayPhase(v operation.View) phase {
	p, o := v.Payment, v.Operation
	switch {
	case p.Status.IsFinal():
		return endPhase(p)
	case o.IsHeld:
		return phaseHeld
	case p.IsOverdue(v.Now):
		return phaseLate
	case p.Status == payment.Processing:
		return phaseSeen
	case !isInTime(v):
		return overPhase(v)
	case isUnderWay(o):
		return operationPhase(v)
	case p.Method.Kind() == payment.Card:
		return phaseCard
	default:
		return phasePick
	}
}

func endPhase(p payment.Payment) phase {
	switch p.Status {
	case payment.Completed, payment.Success:
		return phaseCompleted
	case payment.Refunded:
		return phaseRefunded
	case payment.Expired:
		return phaseExpired
	case payment.Failed:
		if isTimedOut(p) {
			return phaseExpired
		}
		return phaseFailed
	default:
		return phaseCanceled
	}
}

// isTimedOut reports whether a card payment failed because its time was over; one that no gateway had does not say why.
func isTimedOut(p payment.Payment) bool {
	if p.Failure.Code == "" {
		return !p.ExpiresAt.IsZero() && !p.FinishedAt.Before(p.ExpiresAt)
	}
	return p.Failure.Code == string(gateway.TimedOut)
}

// overPhase is for a payment whose time is over and whose status is about to follow. A gateway where the customer may
// have paid at the last moment is asked first.
func overPhase(v operation.View) phase {
	if isUnderWay(v.Operation) && v.Operation.Next.Pay == nil {
		return phaseChecking
	}
	return phaseExpired
}

// isUnderWay reports whether there is something to go on with. A deposit whose next step was lost is begun anew.
func isUnderWay(o coreoperation.Operation) bool {
	return o.IsLive() && !o.IsUnwanted && (o.Phase == coreoperation.Calling || o.Next.Kind() != "" || isDeciding(o))
}

func operationPhase(v operation.View) phase {
	o := v.Operation
	switch {
	case o.Phase == coreoperation.Calling:
		return phaseAsking
	case isDeciding(o):
		return phaseChecking
	}
	switch o.Next.Kind() {
	case gateway.StepRedirect, gateway.StepForm, gateway.StepHTML:
		return phaseAway
	case gateway.StepPay:
		if end := o.Next.Pay.ExpiresAt; !end.IsZero() && !v.Now.Before(end) {
			return phaseLapsed
		}
		return phaseDetails
	default:
		return phaseChecking
	}
}

// isDeciding reports whether the gateway saw the card or the money and has not decided.
func isDeciding(o coreoperation.Operation) bool {
	switch gateway.State(o.Status) {
	case gateway.Processing, gateway.Authorized, gateway.Review, gateway.PartPaid:
		return true
	default:
		return false
	}
}

// Wishes of a customer's, in the query's step.
const (
	wishPick = "pick" // another way, while one is under way
	wishNone = "none" // not a wish: the page that waits for a way to open up
	wishBack = "back" // the customer came back from the gateway
)

// wished is the phase with the customer's wish, where it counts.
func wished(shown phase, v operation.View, wish string) phase {
	switch {
	case wish == wishPick && canSwitch(v):
		return phasePick
	case wish == wishBack && shown == phaseAway && !isRefused(v.Operation):
		return phaseBack
	default:
		return shown
	}
}

// canSwitch reports whether another way to pay may be picked: nobody has seen money yet.
func canSwitch(v operation.View) bool {
	p := v.Payment
	return p.Method.Kind() == payment.Deposit && p.Status == payment.Showing && isInTime(v) && !isDeciding(v.Operation)
}

func isInTime(v operation.View) bool {
	return v.Payment.ExpiresAt.IsZero() || v.Now.Before(v.Payment.ExpiresAt)
}

// isRefused reports whether the last try at the gateway's own page failed and another is possible.
func isRefused(o coreoperation.Operation) bool {
	return isUnderWay(o) && o.Phase == coreoperation.Open && o.Reason.Code != ""
}

// gatewayPage is what the templates of payments at gateways show.
type gatewayPage struct {
	frame
	Operation coreoperation.Operation
	CanSwitch bool // another way to pay may be picked
	IsOpen    bool // the customer may still call it off
	choice
}

// newGatewayPage makes the page of a view. Without offers, which State does not look for, a form is taken to have some.
func (h *handler) newGatewayPage(query url.Values, v operation.View, hasOffers bool) gatewayPage {
	wish := query.Get("step")
	shown := wished(gatewayPhase(v), v, wish)
	offers := fitting(v)
	if hasOffers && len(offers) == 0 && (shown == phasePick || shown == phaseCard) {
		shown, wish = phaseNone, wishNone
	}
	p := gatewayPage{frame: h.newFrame(query, v.Payment, v.Now, shown), Operation: v.Operation, CanSwitch: canSwitch(v)}
	p.IsOpen = isInTime(v) && slices.Contains([]phase{phaseBack, phaseAsking, phaseChecking}, shown) && !isDeciding(v.Operation)
	switch shown {
	case phasePick:
		p.choice = choose(offers, query)
		p.Key, p.query = string(phasePick), p.picked(query)
	case phaseCard:
		p.choice = chooseCard(offers)
	case phaseNone, phaseBack:
		p.query = url.Values{"step": {wish}}
	case phaseSeen:
		p.Key += fmt.Sprintf(".%d", v.Operation.Confirmations)
	case phaseAway:
		p.Key += fmt.Sprintf(".%d.%t", v.Operation.Number, isRefused(v.Operation))
	default:
		p.Key += "." + strconv.Itoa(v.Operation.Number)
	}
	p.EndsAt = p.end()
	if len(p.Fields) > 0 {
		p.Refresh = 0 // nothing is lost under somebody's fingers
	}
	return p
}

// end is what the clock counts down to: the payment's own end, or that of its details when it is sooner.
func (p gatewayPage) end() time.Time {
	switch end := p.Payment.ExpiresAt; p.Phase {
	case phaseCard, phasePick, phaseAway:
		return end
	case phaseDetails:
		if own := p.Operation.Next.Pay.ExpiresAt; !own.IsZero() && (end.IsZero() || own.Before(end)) {
			return own
		}
		return end
	default:
		return time.Time{}
	}
}

// shell is the name of the template of what the page shows.
func (p gatewayPage) shell() string {
	switch p.Phase {
	case phaseChecking, phaseLate, phaseBack, phaseAsking, phaseSeen, phaseHeld:
		return "waiting"
	case phaseAway:
		return string(phaseCard)
	default:
		return string(p.Phase)
	}
}

// Class puts the details beside their code on a wide screen, as the account of a deposit is.
func (p gatewayPage) Class() string {
	if p.Phase == phaseDetails {
		return string(phaseDetails) + " " + string(phasePay)
	}
	return string(p.Phase)
}

// IsAway reports whether the customer is to go on at the gateway's own page.
func (p gatewayPage) IsAway() bool { return p.Phase == phaseAway }

// IsBack reports whether the customer came back and may go there again.
func (p gatewayPage) IsBack() bool { return p.Phase == phaseBack }

// SwitchURL is where another way is picked.
func (p gatewayPage) SwitchURL() string {
	return address(p.Payment.Token, "", p.chosen, url.Values{"step": {wishPick}})
}

// HasDetails reports whether the customer was shown where to pay.
func (p gatewayPage) HasDetails() bool { return p.Operation.Next.Pay != nil }

// IsUnderWay reports whether there is something to go back to instead of picking another way.
func (p gatewayPage) IsUnderWay() bool { return isUnderWay(p.Operation) }

// Payer is who pays.
func (p gatewayPage) Payer() string {
	if name := p.Payment.Payer.FirstName + " " + p.Payment.Payer.LastName; name != " " {
		return name
	}
	return p.Payment.Customer.Fullname
}

// Refusal is why the last try, or the payment, was refused, as far as it may be told; empty: it was not.
func (p gatewayPage) Refusal() string {
	if p.Payment.Failure.Code != "" {
		return refusal(p.Lang, p.Payment.Failure.Code, p.Payment.Failure.Message)
	}
	isFailed := gateway.State(p.Operation.Status) == gateway.Failed
	switch {
	case p.Phase == phaseAway && p.Operation.Reason.Code != "":
	case p.Phase == phaseCanceled && isFailed && p.Operation.ID == p.Payment.Gateway.OperationID:
	case p.isTriedBefore() && isFailed:
	default:
		return ""
	}
	return refusal(p.Lang, string(p.Operation.Reason.Code.Public()), "")
}

// isTriedBefore reports whether the payment is to be made anew after a try that ended without it at a gateway.
func (p gatewayPage) isTriedBefore() bool {
	return (p.Phase == phaseCard || p.Phase == phasePick) && p.Operation.Phase == coreoperation.Late && !p.Operation.IsUnwanted
}

// IsUndone reports whether the customer has come back from a gateway without paying there.
func (p gatewayPage) IsUndone() bool { return p.isTriedBefore() && p.Refusal() == "" }

// refusal says a public reason in the page's language.
func refusal(t lang.Tag, code, otherwise string) string {
	if key := "reason." + code; lang.Has(key) {
		return lang.Say(t, key)
	}
	if otherwise != "" {
		return otherwise
	}
	return lang.Say(t, "reason.DECLINED")
}

// Missing says what is still to be sent, and where, of a payment in a coin of which too little has come; empty: nothing is. It is said
// while the address is still watched, and only of coins: a second transfer by bank is another line, which staff would have to bring together.
func (p gatewayPage) Missing() string {
	o, pay := p.Operation, p.Operation.Next.Pay
	isShort := gateway.State(o.Status) == gateway.PartPaid && o.Phase == coreoperation.Open && pay != nil && pay.Address != "" &&
		o.Paid.Asset == o.Due.Asset && o.Paid.Amount.Sign() > 0 && o.Paid.Amount.Cmp(o.Due.Amount) < 0
	if !isShort || p.Payment.Status.IsFinal() || !pay.ExpiresAt.IsZero() && !p.Now.Before(pay.ExpiresAt) {
		return ""
	}
	coin := func(amount money.Decimal) string {
		return amount.Fixed(min(o.Due.Asset.Decimals, 2)) + " " + o.Due.Asset.Code
	}
	return p.T("wait.short", coin(o.Paid.Amount), coin(o.Due.Amount.Sub(o.Paid.Amount)), networkName(o.Due.Asset.Network))
}

// WaitTitle and WaitLead say what is waited for.
func (p gatewayPage) WaitTitle() string { return p.T("wait." + string(p.Phase) + ".title") }

// WaitLead says what the customer can expect.
func (p gatewayPage) WaitLead() string {
	key := "wait." + string(p.Phase) + ".lead"
	if p.Phase == phaseHeld || p.Phase == phaseLate {
		return p.T(key, p.Payment.SiteName)
	}
	return p.T(key)
}

// Confirms says how many confirmations there are of how many, where the gateway counts them.
func (p gatewayPage) Confirms() string {
	if p.Phase != phaseSeen || p.Operation.Next.Pay == nil || p.Operation.Next.Pay.Confirms == 0 {
		return ""
	}
	most := p.Operation.Next.Pay.Confirms
	return fmt.Sprintf("%d / %d", min(p.Operation.Confirmations, most), most)
}

// Steps returns how far the payment has come.
func (p gatewayPage) Steps() []step {
	current := 2
	switch p.Phase {
	case phaseCard, phasePick:
		current = 0
	case phaseAway, phaseDetails, phaseLapsed:
		current = 1
	default:
	}
	if p.IsCard() {
		return stepsTo(current, "steps.card", "steps.secure", "steps.result")
	}
	return stepsTo(current, "steps.way", "steps.payment", "steps.checking")
}

// gatewayView finds a payment at a gateway by the request's token.
func (h *handler) gatewayView(r *http.Request, withOffers bool) (operation.View, error) {
	t, err := token(r)
	if err != nil {
		return operation.View{}, err
	}
	find := h.Operations.State
	if withOffers {
		find = h.Operations.View
	}
	v, err := find(r.Context(), t)
	if err == nil && !isAtGateway(v.Payment) {
		err = fault.New("paypage.gatewayView", fault.NotFound)
	}
	return v, err
}

// showGateway shows where a payment at a gateway stands.
func (h *handler) showGateway(w http.ResponseWriter, r *http.Request) {
	v, err := h.gatewayView(r, true)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.renderGateway(w, r, http.StatusOK, h.newGatewayPage(r.URL.Query(), v, true))
}

func (h *handler) renderGateway(w http.ResponseWriter, r *http.Request, status int, p gatewayPage) {
	if err := h.dress(r, &p.frame); err != nil {
		h.fail(w, r, err)
		return
	}
	if p.MayBegin() {
		w.Header().Set("Content-Security-Policy", h.narrowed(beginPolicy, r))
	}
	h.write(w, r, status, p.shell(), p)
}

// gatewayState is the state of a payment at a gateway. Only the page that waits for a way to open up looks for offers.
func (h *handler) gatewayState(r *http.Request) (gatewayPage, error) {
	isNone := r.URL.Query().Get("step") == wishNone
	v, err := h.gatewayView(r, isNone)
	if err != nil {
		return gatewayPage{}, err
	}
	return h.newGatewayPage(r.URL.Query(), v, isNone), nil
}

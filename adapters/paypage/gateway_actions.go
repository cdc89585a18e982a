package paypage

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// beginPolicy is for the pages whose form may end at a gateway: browsers hold a form's whole chain of redirects to
// form-action (CSP 3, 6.3.1), and which gateway it will be is not known before.
const beginPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self' https: http:; frame-ancestors 'none'; base-uri 'none'"

// begin starts the payment at a gateway and sends the customer on.
func (h *handler) begin(w http.ResponseWriter, r *http.Request) {
	v, err := h.accept(w, r)
	if err != nil {
		h.refuse(w, r, v.Payment, err)
		return
	}
	at, err := h.gatewayView(r, false)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	wish := beginOf(r.PostForm, v.Payment)
	wish.Addr = h.peer(r)
	if isClosed, why := isClosedTo(r, at, wish); isClosed {
		h.backTo(w, r, v.Payment, why)
		return
	}
	p, o, err := h.Operations.Begin(r.Context(), wish)
	switch fault.CodeOf(err) {
	case "":
		h.forward(w, r, p, o)
	case fault.Invalid:
		h.again(w, r, wish, fault.FieldsOf(err))
	case fault.NoGateway:
		query := say(noticeNoWay)
		if wish.Kind != "" {
			query.Set("kind", string(wish.Kind))
		}
		h.backTo(w, r, v.Payment, query)
	case fault.Conflict: // somebody was quicker: the page shows what came first
		h.backTo(w, r, v.Payment, nil)
	default:
		h.answer(w, r, v.Payment, nil, err)
	}
}

// peer is where the customer is, for the gateway's own checks.
func (h *handler) peer(r *http.Request) string {
	if addr := h.ClientAddr(r); addr.IsValid() {
		return addr.String()
	}
	return ""
}

// isClosedTo reports whether a wish must not be followed: money is on its way already, or an outdated form would call off
// what is under way. To press the same button again is no harm, however old the page: it returns the same step.
func isClosedTo(r *http.Request, v operation.View, wish operation.Begin) (isClosed bool, why url.Values) {
	o := v.Operation
	if isSeen(o) {
		return true, nil
	}
	isOther := wish.GatewayID != 0 && (wish.GatewayID != o.GatewayID || wish.Option != o.Option)
	return isOutdated(r, v.Payment) && isUnderWay(o) && isOther, say(noticeChanged)
}

// isSeen reports whether the gateway saw money, or a card, at an operation that counts.
func isSeen(o coreoperation.Operation) bool {
	return o.IsHeld || o.IsLive() && !o.IsUnwanted && isDeciding(o)
}

// forward sends the customer to where the payment goes on.
func (h *handler) forward(w http.ResponseWriter, r *http.Request, p payment.Payment, o coreoperation.Operation) {
	switch o.Next.Kind() {
	case gateway.StepRedirect:
		h.redirectOut(w, r, o.Next.Redirect.URL)
	case gateway.StepForm, gateway.StepHTML:
		see(w, address(p.Token, "go", chosenLanguage(r), nil))
	default:
		h.backTo(w, r, p, nil)
	}
}

func (h *handler) redirectOut(w http.ResponseWriter, r *http.Request, to string) {
	u, err := outside(to)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	see(w, u.String())
}

// again shows the form anew, with what was typed and what was wrong with it. It is no redirect, so that what was typed
// is in no address.
func (h *handler) again(w http.ResponseWriter, r *http.Request, wish operation.Begin, failed []fault.Field) {
	v, err := h.gatewayView(r, true)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	picked := url.Values{"step": {wishPick}, "kind": {string(wish.Kind)}, "option": {wish.Option}}
	if wish.GatewayID != 0 {
		picked.Set("gateway", strconv.FormatInt(wish.GatewayID, 10))
	}
	picked.Set("lang", string(chosenLanguage(r)))
	p := h.newGatewayPage(picked, v, true)
	if p.Phase != phasePick && p.Phase != phaseCard {
		h.backTo(w, r, v.Payment, say(noticeStale))
		return
	}
	if p.Picked == nil {
		p.pick(&p.Offers[0])
	}
	if _, ok := p.option(); !ok && len(p.Picked.Options) > 0 { // nothing but that was looked at
		_, others := gateway.CheckFields(p.Picked.Needs, gateway.Asset{}, wish.Fields)
		failed = append(failed, others...)
	}
	p.retry(r.PostForm, failed, needsOf(p.Offers))
	h.renderGateway(w, r, http.StatusUnprocessableEntity, p)
}

// needsOf is everything that a kind's gateways may ask for.
func needsOf(offers []operation.Offer) []gateway.FieldSpec {
	var needs []gateway.FieldSpec
	for _, offer := range offers {
		needs = append(needs, offer.Needs...)
		for _, o := range offer.Options {
			needs = append(needs, o.Needs...)
		}
	}
	return needs
}

// callOff cancels a payment at a gateway. Once the gateway has seen money it is not called off by a click.
func (h *handler) callOff(r *http.Request, p payment.Payment) (url.Values, error) {
	v, err := h.gatewayView(r, false)
	if err != nil {
		return nil, err
	}
	if !p.Status.IsFinal() && (isSeen(v.Operation) || v.Payment.Status == payment.Processing) {
		return say(noticeStale), nil
	}
	_, err = h.Operations.Cancel(r.Context(), p.Token)
	return nil, err
}

// leavePage is what sends a form to a gateway.
type leavePage struct {
	gatewayPage
	Target *url.URL
	Hidden [][2]string
}

// leave shows the page that leads to the gateway: a form that sends itself, or the gateway's own document.
func (h *handler) leave(w http.ResponseWriter, r *http.Request) {
	v, err := h.gatewayView(r, false)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	p := h.newGatewayPage(r.URL.Query(), v, false)
	if p.Phase != phaseAway {
		h.backTo(w, r, v.Payment, nil)
		return
	}
	switch next := v.Operation.Next; next.Kind() {
	case gateway.StepForm:
		h.leaveByForm(w, r, p, next.Form)
	case gateway.StepHTML:
		h.leaveByDocument(w, r, next.HTML)
	default:
		h.redirectOut(w, r, next.Redirect.URL)
	}
}

func (h *handler) leaveByForm(w http.ResponseWriter, r *http.Request, p gatewayPage, form *gateway.FormPost) {
	action, err := outside(form.Action)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if err := h.dress(r, &p.frame); err != nil {
		h.fail(w, r, err)
		return
	}
	p.Refresh = 0 // it is sent once
	w.Header().Set("Content-Security-Policy", h.narrowed(leavePolicy(action), r))
	h.write(w, r, http.StatusOK, "leave", leavePage{gatewayPage: p, Target: action, Hidden: form.Fields})
}

func (h *handler) leaveByDocument(w http.ResponseWriter, r *http.Request, html *gateway.HostedHTML) {
	policy, err := documentPolicy(html)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(html.Document)) // the customer left: nobody to tell
}

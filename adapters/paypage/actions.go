package paypage

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/vezne/vezne/adapters/paypage/format"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

// notice is said once above the current state; its sentence is notice.<notice>.
type notice string

// Notices to who acted on an outdated page.
const (
	noticeStale   notice = "stale"   // what was asked for is not possible any more; nothing changed
	noticeChanged notice = "changed" // the payment's details changed since the page was made; nothing was done
	noticeSlow    notice = "slow"    // too many forms were sent; nothing was done
	noticeNoWay   notice = "no_way"  // the gateway does not take the payment now
)

var notices = []notice{noticeStale, noticeChanged, noticeSlow, noticeNoWay}

type finder func(ctx context.Context, token string) (payments.View, error)

// act does what a form asks for and returns the query of the page that shows the outcome.
type act func(r *http.Request, p payment.Payment) (url.Values, error)

// post answers a form with 303 to the page, so that Back and reload never send a form again.
func (h *handler) post(do act) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := h.accept(w, r)
		if err != nil {
			h.refuse(w, r, v.Payment, err)
			return
		}
		query, err := do(r, v.Payment)
		h.answer(w, r, v.Payment, query, err)
	}
}

// refuse answers a form that was not accepted. Whoever sends too many sees their payment as it is.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, p payment.Payment, err error) {
	if fault.Is(err, fault.RateLimited) && p.Token != "" {
		h.backTo(w, r, p, say(noticeSlow))
		return
	}
	h.fail(w, r, err)
}

// answer shows what came of a form on the payment's page.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, p payment.Payment, query url.Values, err error) {
	switch fault.CodeOf(err) {
	case "":
		h.backTo(w, r, p, query)
	case fault.AlreadyFinal, fault.NotAllowed, fault.Expired:
		h.backTo(w, r, p, say(noticeStale))
	case fault.RateLimited:
		h.backTo(w, r, p, say(noticeSlow))
	default:
		h.fail(w, r, err)
	}
}

func (h *handler) backTo(w http.ResponseWriter, r *http.Request, p payment.Payment, query url.Values) {
	see(w, address(p.Token, "", chosenLanguage(r), query))
}

// see answers with 303, by hand: http.Redirect would write the address into a body as well.
func see(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}

// toAccount is for what only payments to an account of the dealer's have.
func toAccount(do act) act {
	return func(r *http.Request, p payment.Payment) (url.Values, error) {
		if isAtGateway(p) {
			return nil, fault.New("paypage.toAccount", fault.NotFound)
		}
		return do(r, p)
	}
}

// accept checks where a form comes from, reads it, finds what it is about, and counts it. Fault RateLimited: with the payment.
func (h *handler) accept(w http.ResponseWriter, r *http.Request) (payments.View, error) {
	const op = "paypage.accept"
	if err := h.origin.Check(r); err != nil && !isPrivateOrigin(r) {
		return payments.View{}, fault.E(op, fault.CrossSite, err)
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return payments.View{}, fault.E(op, fault.BodyTooLarge, err)
		}
		return payments.View{}, fault.E(op, fault.Invalid, err)
	}
	isCrowded := h.checkRate(r, placeKey(h.ClientAddr(r)), addressRate)
	v, err := h.view(r, h.Deposits.State)
	if err == nil {
		err = isCrowded
	}
	if err == nil {
		err = h.checkRate(r, tokenKey(v.Payment.Token), tokenRate)
	}
	return v, err
}

// isPrivateOrigin tells of a form that a browser without Sec-Fetch-Site sent from a page of ours: our Referrer-Policy
// makes its Origin "null". Such browsers exist (Safari before 16.4, and every browser over plain http). Letting "null"
// pass returns nothing away, since the token is all the authority there is.
func isPrivateOrigin(r *http.Request) bool {
	return r.Header.Get("Origin") == "null" && r.Header.Get("Sec-Fetch-Site") == ""
}

// settle is Continue: it settles the amount and has an account offered.
func (h *handler) settle(r *http.Request, p payment.Payment) (url.Values, error) {
	typed := r.PostForm.Get("amount")
	amount, why := format.ParseAmount(typed, language(chosenLanguage(r), p))
	if why == format.NoProblem && amount.Less(core.MinAmount(amount.Currency())) {
		why = format.TooSmall
	}
	if why == format.NoProblem {
		_, err := h.Deposits.Continue(r.Context(), p, amount)
		if !fault.Is(err, fault.NoAccount) {
			return nil, err
		}
		why = format.NoAccount
	}
	if p.Status != payment.Showing {
		return say(noticeStale), nil
	}
	return refused(typed, why), nil
}

func refused(typed string, why format.Problem) url.Values {
	return url.Values{"step": {string(phaseAmount)}, "amount": {cut(typed)}, "problem": {string(why)}}
}

// isToOffer reports whether the page opens on an account for the amount that was asked for. What fetches a page that nobody looks at yet
// is offered none, and who wants to type another amount is not either.
func isToOffer(r *http.Request, v payments.View) bool {
	isLookedAt := r.Method == http.MethodGet && r.Header.Get("Sec-Purpose") == ""
	return isLookedAt && phaseOf(v) == phaseAmount && !r.URL.Query().Has("step") && v.HasRange
}

// offer has an account offered for the amount that was asked for, and returns the payment as it stands then. Fault: NoAccount, with the
// payment as it was.
func (h *handler) offer(r *http.Request, v payments.View) (payments.View, error) {
	_, err := h.Deposits.Continue(r.Context(), v.Payment, v.Payment.Amount)
	switch fault.CodeOf(err) {
	case "", fault.AlreadyFinal, fault.NotAllowed, fault.Expired, fault.Conflict: // somebody was quicker, or the time is over
		return h.view(r, h.Deposits.View)
	default:
		return v, err
	}
}

// claimPaid is "I have paid".
func (h *handler) claimPaid(r *http.Request, p payment.Payment) (url.Values, error) {
	if p.Status == payment.Showing && isOutdated(r, p) {
		return say(noticeChanged), nil
	}
	_, err := h.Deposits.ClaimPaid(r.Context(), p)
	return nil, err
}

// cancel calls the payment off.
func (h *handler) cancel(r *http.Request, p payment.Payment) (url.Values, error) {
	if !p.Status.IsFinal() && isOutdated(r, p) {
		return say(noticeChanged), nil
	}
	if isAtGateway(p) {
		return h.callOff(r, p)
	}
	_, err := h.Deposits.Cancel(r.Context(), p)
	return nil, err
}

// isOutdated reports whether the form was made before the payment last changed: in another tab, or before Back. A form
// that does not say is taken as it is.
func isOutdated(r *http.Request, p payment.Payment) bool {
	version := r.PostForm.Get("version")
	return version != "" && version != strconv.Itoa(p.Version)
}

// language is the one that the page speaks.
func language(chosen lang.Tag, p payment.Payment) lang.Tag {
	if chosen != "" {
		return chosen
	}
	if p.Language == lang.EN {
		return lang.EN
	}
	return lang.TR
}

func say(n notice) url.Values { return url.Values{"notice": {string(n)}} }

// cut bounds a typed text that is shown again.
func cut(typed string) string {
	if len(typed) <= maxTypedBytes {
		return typed
	}
	return typed[:maxTypedBytes]
}

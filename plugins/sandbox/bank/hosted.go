package bank

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/vezne/vezne/core/lang"
)

// The hosted pages: a card's form and its 3-D Secure challenge, and a wallet's question. They are rendered here, need no
// script and load nothing from elsewhere.

const maxFormBytes = 8 << 10

func (b *Bank) routePages() {
	origin := http.NewCrossOriginProtection()
	for pattern, answer := range map[string]func(*visit) outcome{
		"GET /pay/{reference}/{token}":         (*visit).show,
		"GET /pay/{reference}/{token}/back":    (*visit).back,
		"POST /pay/{reference}/{token}/card":   (*visit).card,
		"POST /pay/{reference}/{token}/code":   (*visit).code,
		"POST /pay/{reference}/{token}/wallet": (*visit).wallet,
		"POST /pay/{reference}/{token}/cancel": (*visit).cancel,
	} {
		b.mux.Handle(pattern, origin.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b.servePage(w, r, answer)
		})))
	}
	b.mux.HandleFunc("GET "+stylePath, serveStyle)
}

// visit is one request of a payer's browser.
type visit struct {
	*deposit
	bank *Bank
	now  time.Time
	form url.Values
}

// outcome is what the browser gets: a page, or the way to somewhere else.
type outcome struct {
	view     string
	problems map[string]string // by field: keys of sentences
	typed    map[string]string // what goes back into the form: nothing of a card
	goTo     string            // "": the page; pageItself, pageBack, or an address
}

// maxWrongCodes is how many wrong codes a card's challenge takes.
const maxWrongCodes = 3

// Ways to go on.
const (
	pageItself = "."
	pageBack   = "back"
)

func (b *Bank) servePage(w http.ResponseWriter, r *http.Request, answer func(*visit) outcome) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		b.renderFailure(w, r, http.StatusBadRequest)
		return
	}
	p, status := b.visited(r, answer)
	b.answer(w, r, p, status)
}

// answer sends the browser a page, or on its way.
func (b *Bank) answer(w http.ResponseWriter, r *http.Request, p page, status int) {
	switch {
	case status != http.StatusOK:
		b.renderFailure(w, r, status)
	case p.goTo != "":
		w.Header().Set("Location", p.goTo)
		secure(w, p.origin)
		w.WriteHeader(http.StatusSeeOther)
	default:
		b.render(w, p)
	}
}

// visited lets a visit act, with the bank to itself, and returns the page as it is then.
func (b *Bank) visited(r *http.Request, answer func(*visit) outcome) (page, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	if b.outage.problem(now) != nil {
		return page{}, http.StatusServiceUnavailable
	}
	d, ok := b.deposit(r.PathValue("reference"), now)
	if !ok || !d.hasPage() || !isSame(d.token, r.PathValue("token")) {
		return page{}, http.StatusNotFound
	}
	v := &visit{deposit: d, bank: b, now: now, form: r.PostForm}
	return newPage(r, v, answer(v)), http.StatusOK
}

// show is the page as the order stands.
func (v *visit) show() outcome {
	switch {
	case v.isInCheck && v.isOpen():
		return outcome{view: "code"}
	case v.isOpen() && !v.isLeft:
		return outcome{view: v.Kind}
	default:
		return outcome{view: "end"}
	}
}

// back is the page of scenario 22, on the way back to the merchant.
func (v *visit) back() outcome { return outcome{view: "back"} }

// card takes a card.
func (v *visit) card() outcome {
	if v.Kind != KindCard || !v.isOpen() || v.isInCheck || v.isLeft {
		return outcome{goTo: pageItself}
	}
	number, problems := v.checkCard()
	if len(problems) > 0 {
		return outcome{view: KindCard, problems: problems, typed: map[string]string{"holder": v.form.Get("holder")}}
	}
	return v.begin(codeOf(number, TestCard))
}

// wallet takes a wallet's number and the customer's yes.
func (v *visit) wallet() outcome {
	if v.Kind != KindWallet || !v.isOpen() || v.isLeft {
		return outcome{goTo: pageItself}
	}
	number := withoutBlanks(v.form.Get("wallet"))
	if len(number) != 10 || !isDigits(number) {
		return outcome{view: KindWallet, problems: map[string]string{"wallet": "problem.wallet"}}
	}
	v.Payer = &Party{Wallet: number}
	return v.begin(codeOf(number, TestWallet))
}

// begin plays the scenario of what was typed.
func (v *visit) begin(typed string) outcome {
	v.scenario = find(scenariosOf(v.Kind), v.bank.code(v.Reference, typed, v.Amount))
	v.tries++
	switch {
	case v.tries == 1 && v.scenario.first != nil:
		return v.act(v.scenario.first)
	case v.scenario.returns == closesBefore:
		v.isLeft = true
		return outcome{goTo: pageItself}
	case v.scenario.check == weakCheck && v.with3DS:
		return v.act([]step{failed(atOnce, "not_authenticated")})
	case v.scenario.check == codeCheck || v.scenario.check == hopelessCheck:
		v.isInCheck, v.wrongCodes = true, 0
		return outcome{goTo: pageItself}
	default:
		return v.act(v.scenario.steps)
	}
}

// code takes the answer to the 3-D Secure challenge.
func (v *visit) code() outcome {
	if !v.isInCheck || !v.isOpen() {
		return outcome{goTo: pageItself}
	}
	if v.form.Get("code") == Code && v.scenario.check == codeCheck {
		return v.act(v.scenario.steps)
	}
	v.wrongCodes++
	if v.wrongCodes >= maxWrongCodes {
		return v.act([]step{failed(atOnce, "not_authenticated")})
	}
	return outcome{view: "code", problems: map[string]string{"code": "problem.code"}}
}

// cancel is the customer's no.
func (v *visit) cancel() outcome {
	if !v.isOpen() {
		return outcome{goTo: pageItself}
	}
	return v.act([]step{{when: atOnce, status: Canceled, reason: "canceled_by_customer"}})
}

// act lets the scenario run from here and sends the browser on.
func (v *visit) act(steps []step) outcome {
	v.isInCheck = false
	v.bank.pay(v.deposit, steps, v.now)
	switch {
	case v.Status == Failed && v.CanRetry, v.scenario.returns == staysHere:
		return outcome{goTo: pageItself}
	case v.scenario.returns == goesSlowly:
		return outcome{goTo: pageBack}
	default:
		return outcome{goTo: v.returnTo()}
	}
}

// returnTo is the merchant's address. What is added to it proves nothing: the merchant has to ask.
func (d *deposit) returnTo() string {
	u, err := url.Parse(d.returnURL)
	if err != nil {
		return pageItself
	}
	q := u.Query()
	q.Set("sandbox_deposit", d.ID)
	q.Set("sandbox_status", d.Status)
	u.RawQuery = q.Encode()
	return u.String()
}

// checkCard returns the card's number, and what is wrong with the form.
func (v *visit) checkCard() (string, map[string]string) {
	problems := map[string]string{}
	number := withoutBlanks(v.form.Get("number"))
	if !isDigits(number) || len(number) < 12 || len(number) > 19 || luhnSum(number)%10 != 0 {
		problems["number"] = "problem.number"
	}
	if cvc := v.form.Get("cvc"); !isDigits(cvc) || len(cvc) < 3 || len(cvc) > 4 {
		problems["cvc"] = "problem.cvc"
	}
	if holder := strings.TrimSpace(v.form.Get("holder")); len(holder) < 2 || len(holder) > 100 || !isText(holder) {
		problems["holder"] = "problem.holder"
	}
	if end, ok := cardEnd(v.form.Get("expiry")); !ok || !v.now.Before(end) {
		problems["expiry"] = "problem.expiry"
	}
	return number, problems
}

// cardEnd is the end of the month in "08/30", "0830" or "08 / 30".
func cardEnd(text string) (time.Time, bool) {
	digits := withoutBlanks(strings.ReplaceAll(text, "/", ""))
	if len(text) > 10 || len(digits) != 4 {
		return time.Time{}, false
	}
	t, err := time.ParseInLocation("0106", digits, istanbul)
	return t.AddDate(0, 1, 0), err == nil
}

func withoutBlanks(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(s)
}

// languageOf is the page's language: as a link asked, as the browser does, as the merchant ordered.
func languageOf(r *http.Request, ordered string) lang.Tag {
	if t, ok := lang.Parse(r.URL.Query().Get("lang")); ok {
		return t
	}
	fallback, _ := lang.Parse(ordered)
	return lang.FromHeader(r.Header.Get("Accept-Language"), fallback)
}

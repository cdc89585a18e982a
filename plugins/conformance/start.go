package conformance

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

func startCases(s suite) []testCase {
	return slices.Concat(
		[]testCase{
			{"every kind of payment can be started", everyKindStarts},
			{"the customer's return and the gateway's notifications have their addresses", addressesArrive},
			{"a start that the gateway refuses has no effect, and is no fault", refusedStart},
			{"a customer of any name can pay", anyNameStarts},
			{"the answer to another order's start is not taken for ours", foreignStart},
			{"a start whose answer is of another amount or currency is not shown to the customer", otherAmountStart},
			{"the next step is one that the descriptor promises, and can be taken", stepCanBeTaken},
			{"a deposit ends no later than was asked or is promised", endsInTime},
		},
		when(s.d.Deposit.Expiry.Settable, testCase{"the end that was asked for reaches the gateway", endIsSent}),
		when(s.has(gateway.CanListOptions), testCase{"an option has a name and an asset, and can be chosen", optionsCanBeChosen}),
		when(s.has(gateway.CanQuote), testCase{"a quote is exact, and its deposit asks for what was quoted", quoteIsExact}),
		depositType(s).sendCases())
}

// everyKindStarts also checks that bank accounts were declared. Otherwise a gateway's account could be a dealer's, too, and
// its statement would count the same money again.
func everyKindStarts(w *world) {
	declared, deposits := w.d.Collecting(w.values), depositType(w.suite)
	for _, kind := range w.d.Kinds {
		if kind == gateway.Account {
			continue
		}
		d := w.started(w.depositOrder(kind, w.usual()))
		w.check(len(deposits.held(w, d.order.Ref)) == 1, "a deposit of kind %q does not show at the gateway once", kind)
		if pay := d.started.Next.Pay; pay != nil && pay.IBAN != "" {
			w.check(slices.Contains(declared, iban.Normalize(pay.IBAN)),
				"Pay.IBAN is %q, and the configuration declares only %q: mark a field with ConfigField.Collects that holds every "+
					"IBAN to which customers are told to pay", pay.IBAN, declared)
		}
	}
}

func stepCanBeTaken(w *world) {
	next := w.start().started.Next
	w.check(slices.Contains(w.d.Deposit.Steps, next.Kind()),
		"StartDeposit gives the step %q, and Deposit.Steps promises only %q", next.Kind(), w.d.Deposit.Steps)
	switch next.Kind() {
	case gateway.StepRedirect:
		w.check(len(w.transport.plain) > 0 || strings.HasPrefix(next.Redirect.URL, "https://"),
			"Redirect.URL %q sends the customer, and the card, over http", next.Redirect.URL)
		w.check(isWebAddress(next.Redirect.URL), "Redirect.URL %q must be a whole http address", next.Redirect.URL)
		w.leaks.checkURL(next.Redirect.URL)
	case gateway.StepForm:
		w.check(isWebAddress(next.Form.Action), "Form.Action %q must be a whole http address", next.Form.Action)
		w.check(len(next.Form.Fields) > 0, "Form.Fields is empty: the gateway would know nothing of the order")
		w.leaks.checkURL(next.Form.Action)
	case gateway.StepHTML:
		w.check(next.HTML.Document != "", "HTML.Document is empty")
		for _, origin := range next.HTML.Origins {
			w.check(isWebAddress(origin), "HTML.Origins: %q must be of the form https://api.example.com", origin)
		}
	case gateway.StepPay:
		w.check(next.Pay.Exact.Sign() > 0 && next.Pay.Asset.Code != "", "Pay must say the exact amount and the asset to send")
		w.check(next.Pay.IBAN+next.Pay.Address+next.Pay.QR != "" || len(next.Pay.Lines) > 0, "Pay must say where to send it")
	case gateway.StepWait:
		w.check(next.Wait.PollAfter >= 0, "Wait.PollAfter is negative")
	case gateway.StepDone:
	}
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http")
}

func endsInTime(w *world) {
	d, e := w.start(), w.d.Deposit.Expiry
	ends := d.started.ExpiresAt
	if ends.IsZero() {
		return // not stated
	}
	w.check(ends.After(w.clock.Now()), "ExpiresAt is %s, and it is %s now", ends, w.clock.Now())
	w.check(!e.Settable || !ends.After(d.order.ExpiresAt),
		"the deposit ends at %s and %s was asked: hand ExpiresAt on to the gateway, or say Expiry.Settable=false", ends,
		d.order.ExpiresAt)
	w.check(e.Settable || e.Fixed == 0 || !ends.After(w.clock.Now().Add(e.Fixed)),
		"the deposit ends at %s, later than Expiry.Fixed (%s) says", ends, e.Fixed)
}

// endIsSent makes the same start in two worlds that differ in its end alone.
func endIsSent(w *world) {
	e := w.d.Deposit.Expiry
	sent := func(span time.Duration) string {
		other := newWorldWith(w.t, w.Subject, w.values, "E")
		defer other.finish()
		o := other.depositOrder(kindOf(w.d.Kinds), w.usual())
		o.ExpiresAt = other.clock.Now().Add(span)
		text := fmt.Sprintf("%+v", other.started(o).started.Next.Form)
		for _, r := range other.transport.sent() {
			text += fmt.Sprintf("\n%s %s %v %s", r.Method, r.URL, r.Header, r.Body)
		}
		return text
	}
	longest := e.Max
	if longest == 0 {
		longest = e.Min + 24*time.Hour
	}
	w.check(sent(e.Min) != sent(longest), "Expiry.Settable, and what StartDeposit sends is the same for an end after %s and after %s: send "+
		"DepositOrder.ExpiresAt, or say Settable=false", e.Min, longest)
}

func optionsCanBeChosen(w *world) {
	list, err := w.listOptions()
	w.ok("ListOptions", err)
	seen := map[string]bool{}
	for _, o := range list {
		w.check(o.ID != "" && o.Title != "" && !seen[o.ID], "option %q must have an ID of its own and a Title", o.ID)
		seen[o.ID] = true
		w.check(slices.Contains(w.d.Deposit.Assets, o.Asset), "option %q is of %s, which Deposit.Assets lacks", o.ID, o.Asset)
		kind := kindOf(w.d.Kinds)
		if o.Asset != gateway.TRY && slices.Contains(w.d.Kinds, gateway.Crypto) {
			kind = gateway.Crypto
		}
		w.options = []gateway.Option{o}
		d := w.started(w.depositOrder(kind, near(w.usual(), o.Min, o.Max)))
		w.check(len(depositType(w.suite).held(w, d.order.Ref)) == 1, "a deposit with the option %q does not show at the gateway", o.ID)
	}
}

// quotedAsset is an asset that is not lira.
func (s suite) quotedAsset() gateway.Asset { return s.assetFor(gateway.Crypto, s.d.Deposit.Assets) }

func quoteIsExact(w *world) {
	o := w.orderOf(w.depositOrder(gateway.Crypto, w.usual()))
	r, err := o.send(w)
	w.ok("StartDeposit", err)
	depositType(w.suite).checkHeld(w, o, r, "it must ask for exactly what was quoted")
	asked := lira(w.usual())
	q, err := w.quote(gateway.QuoteRequest{From: asked, To: w.quotedAsset()})
	w.ok("Quote", err)
	w.check(isSame(q.From, asked), "Quote.From is %s, and %s was asked", q.From, asked)
	w.check(q.To.Asset == w.quotedAsset() && q.To.Asset != gateway.TRY,
		"Quote.To is in %s, and %s was asked: Deposit.Assets needs an asset that is not lira", q.To.Asset, w.quotedAsset())
	w.check(q.To.Amount.Places() <= q.To.Asset.Decimals, "Quote.To %s is finer than the %d decimals of %s", q.To.Amount,
		q.To.Asset.Decimals, q.To.Asset)
	w.check(!q.At.IsZero() && (q.Until.IsZero() || q.Until.After(q.At)),
		"a quote must say from when (At) it holds, and until later")
	if q.Rate.Sign() <= 0 {
		w.t.Fatalf("Quote.Rate is %s", q.Rate)
	}
	unit := money.DecimalOf(big.NewInt(1), q.To.Asset.Decimals).Mul(q.Rate)
	off := asked.Amount.Sub(q.To.Amount.Mul(q.Rate))
	w.check(off.Cmp(unit) < 0 && unit.Add(off).Sign() > 0,
		"%s at a rate of %s is not %s: the rate is of one unit of To, in From", asked, q.Rate, q.To)
}

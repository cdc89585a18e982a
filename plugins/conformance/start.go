package conformance

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

func startSentences(k kit) []sentence {
	list := []sentence{
		{"every kind of payment can be started", everyKindStarts},
		{"a bank account that customers pay to is one that the configuration declares", declaresItsAccounts},
		{"the next step is one that the descriptor promises, and can be taken", stepCanBeTaken},
		{"a deposit ends no later than was asked or is promised", endsInTime},
		{"nothing personal is in a URL", nothingPersonal},
		{"concurrent starts do not mix", startsDoNotMix},
	}
	for _, amount := range shapes() {
		says := fmt.Sprintf("%s lira, or the nearest amount that is allowed, arrives exactly", amount)
		list = append(list, sentence{says, func(w *world) { arrivesExactly(w, amount) }})
	}
	if isKeyed(k.d.Deposit.Keys) {
		list = append(list, sentence{"the same start sent again makes one order", startsOnce})
	}
	if k.has(gateway.CanListOptions) {
		list = append(list, sentence{"an option has a name and an asset, and can be chosen", optionsCanBeChosen})
	}
	if k.has(gateway.CanQuote) {
		list = append(list, sentence{"a quote is exact, and its deposit asks for what was quoted", quoteIsExact})
	}
	return append(list, writeSentences("a start", startWrite)...)
}

// startWrite is a start as a call that can meet trouble.
func startWrite(w *world) write {
	w.t.Helper()
	o := w.depositOrder(w.usual())
	x := write{
		do:    func(w *world) error { return only(w.startDeposit(o)) },
		count: func() int { return len(w.depositsOf(o.Ref)) },
		keys:  w.d.Deposit.Keys,
	}
	if x.keys.Find {
		x.find = func() error { return w.findsStart(gateway.DepositKey{Ref: o.Ref, Due: o.Amount}) }
	}
	return x
}

// findsStart asks for a start whose answer was lost. What is found only when it is paid must be found then.
func (w *world) findsStart(k gateway.DepositKey) error {
	w.t.Helper()
	_, err := w.readDeposit(k)
	if w.FindsOncePaid && gateway.IsClass(err, gateway.NotFound) {
		w.mustSet(k.Ref, IsPaid)
		_, err = w.readDeposit(k)
	}
	return err
}

func (w *world) depositsOf(ref gateway.Ref) []gateway.Money {
	w.t.Helper()
	if w.fake.Deposits == nil {
		w.t.Fatal("Fake.Deposits is missing: the kit has to see what the gateway was asked to collect")
	}
	return w.fake.Deposits(ref)
}

func arrivesExactly(w *world, amount money.Decimal) {
	d := w.started(w.depositOrder(near(amount, w.d.Deposit.Min, w.d.Deposit.Max)))
	asked := w.depositsOf(d.order.Ref)
	if len(asked) != 1 || !d.isFor(asked[0]) {
		w.t.Errorf("a deposit of %s made the gateway collect %v: check the units of the call (lira or kuruş, how many "+
			"decimals), and never go through a float", d.order.Amount, asked)
	}
}

func everyKindStarts(w *world) {
	for _, kind := range w.d.Kinds {
		if kind != gateway.Account {
			d := w.started(w.depositOrderOf(kind, w.usual()))
			w.check(len(w.depositsOf(d.order.Ref)) == 1, "a deposit of kind %q does not show at the gateway once", kind)
		}
	}
}

// declaresItsAccounts keeps what a gateway collects apart from dealers' own accounts, whose statements count it once more.
func declaresItsAccounts(w *world) {
	declared := w.d.Collecting(w.values)
	for _, kind := range w.d.Kinds {
		if kind == gateway.Account {
			continue
		}
		pay := w.started(w.depositOrderOf(kind, w.usual())).started.Next.Pay
		w.check(pay == nil || pay.IBAN == "" || slices.Contains(declared, iban.Normalize(pay.IBAN)),
			"Pay.IBAN is %q, and the configuration declares only %q: mark a field with ConfigField.Collects that holds every "+
				"IBAN to which customers are told to pay", show(pay), declared)
	}
}

func show(pay *gateway.Instructions) string {
	if pay == nil {
		return ""
	}
	return pay.IBAN
}

func stepCanBeTaken(w *world) {
	next := w.start().started.Next
	w.check(slices.Contains(w.d.Deposit.Steps, next.Kind()),
		"StartDeposit gives the step %q, and Deposit.Steps promises only %q", next.Kind(), w.d.Deposit.Steps)
	switch next.Kind() {
	case gateway.StepRedirect:
		w.check(isWebAddress(next.Redirect.URL), "Redirect.URL %q must be a whole http address", next.Redirect.URL)
	case gateway.StepForm:
		w.check(isWebAddress(next.Form.Action), "Form.Action %q must be a whole http address", next.Form.Action)
		w.check(len(next.Form.Fields) > 0, "Form.Fields is empty: the gateway would know nothing of the order")
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

func nothingPersonal(w *world) {
	next := w.start().started.Next
	switch next.Kind() {
	case gateway.StepRedirect:
		w.ear.hearURL(next.Redirect.URL)
	case gateway.StepForm:
		w.ear.hearURL(next.Form.Action)
	}
	for _, r := range w.wire.requests() {
		w.ear.hearURL(r.URL)
	}
}

func startsDoNotMix(w *world) {
	const crowd = 8
	orders, started := make([]gateway.DepositOrder, crowd), make([]gateway.DepositStarted, crowd)
	for i := range orders {
		amount := w.usual().Add(money.MustDecimal(fmt.Sprintf("%d.%02d", i, i)))
		orders[i] = w.depositOrder(near(amount, w.d.Deposit.Min, w.d.Deposit.Max))
	}
	errs := make([]error, crowd)
	w.together(crowd, func(i int) { started[i], errs[i] = w.startDeposit(orders[i]) })
	ids := map[string]int{}
	for i, o := range orders {
		w.ok("one of several StartDeposit at the same time", errs[i])
		d := deposit{o, started[i]}
		asked := w.depositsOf(o.Ref)
		w.check(len(asked) == 1 && d.isFor(asked[0]),
			"a start of %s beside others made the gateway collect %v: keep nothing of an order in the gateway's own fields",
			o.Amount, asked)
		ids[d.started.External.ID]++
		w.isOf(d)
	}
	w.check(len(ids) == crowd || ids[""] > 0, "several starts at the same time got the same External.ID: %v", ids)
}

// isOf reads a deposit and checks that it is the one that was asked for.
func (w *world) isOf(d deposit) {
	w.t.Helper()
	o, err := w.readDeposit(d.key())
	w.ok("ReadDeposit", err)
	w.check(o.Ref == "" || o.Ref == d.order.Ref, "ReadDeposit of %s reports %s", d.order.Ref, o.Ref)
	w.check(o.External.ID == "" || d.started.External.ID == "" || o.External.ID == d.started.External.ID,
		"ReadDeposit of %s reports External.ID %q, and StartDeposit gave %q", d.order.Ref, o.External.ID, d.started.External.ID)
}

func startsOnce(w *world) {
	d := w.start()
	again, err := w.startDeposit(d.order)
	w.takesAgain("a start", w.d.Deposit.Keys, err)
	w.check(err != nil || again.External.ID == d.started.External.ID,
		"the same start sent again gave another External.ID: %q and %q", d.started.External.ID, again.External.ID)
	if n := len(w.depositsOf(d.order.Ref)); n != 1 {
		w.t.Errorf("the same start sent twice made %d orders: send Key (or Ref) as the gateway's own key, or say Keys.Mode=%q",
			n, gateway.NoKey)
	}
}

func optionsCanBeChosen(w *world) {
	list, err := w.listOptions()
	w.ok("ListOptions", err)
	seen := map[string]bool{}
	for _, o := range list {
		w.check(o.ID != "" && o.Title != "" && !seen[o.ID], "option %q must have an ID of its own and a Title", o.ID)
		seen[o.ID] = true
		w.check(slices.ContainsFunc(w.d.Deposit.Assets, func(a gateway.Asset) bool { return a == o.Asset }),
			"option %q is of %s, which Deposit.Assets lacks", o.ID, o.Asset)
		w.chooses(o)
	}
}

func (w *world) chooses(o gateway.Option) {
	w.t.Helper()
	kind := kindOf(w.d.Kinds)
	if o.Asset != gateway.TRY && slices.Contains(w.d.Kinds, gateway.Crypto) {
		kind = gateway.Crypto
	}
	w.options = []gateway.Option{o}
	d := w.started(w.depositOrderOf(kind, near(w.usual(), o.Min, o.Max)))
	w.check(len(w.depositsOf(d.order.Ref)) == 1, "a deposit with the option %q does not show at the gateway", o.ID)
}

// quotedAsset is an asset that is not lira.
func (w *world) quotedAsset() gateway.Asset {
	w.t.Helper()
	i := slices.IndexFunc(w.d.Deposit.Assets, func(a gateway.Asset) bool { return a != gateway.TRY })
	if i < 0 {
		w.t.Fatal("the gateway quotes, and Deposit.Assets has nothing but lira")
	}
	return w.d.Deposit.Assets[i]
}

func quoteIsExact(w *world) {
	asked := lira(w.usual())
	d := w.started(w.depositOrderOf(gateway.Crypto, w.usual()))
	collects := w.depositsOf(d.order.Ref)
	w.check(len(collects) == 1 && d.isFor(collects[0]), "a deposit quoted as %v made the gateway collect %v", d.order.Quote,
		collects)
	q, err := w.quote(gateway.QuoteRequest{From: asked, To: w.quotedAsset()})
	w.ok("Quote", err)
	w.check(isSame(q.From, asked), "Quote.From is %s, and %s was asked", q.From, asked)
	w.check(q.To.Asset == w.quotedAsset(), "Quote.To is in %s, and %s was asked", q.To.Asset, w.quotedAsset())
	w.check(q.To.Amount.Places() <= q.To.Asset.Decimals, "Quote.To %s is finer than the %d decimals of %s", q.To.Amount,
		q.To.Asset.Decimals, q.To.Asset)
	w.check(!q.At.IsZero() && (q.Until.IsZero() || q.Until.After(q.At)),
		"a quote must say from when (At) it holds, and until later")
	if q.Rate.Sign() <= 0 {
		w.t.Fatalf("Quote.Rate is %s", q.Rate)
	}
	unit := money.MustDecimal("1").QuoUp(tenTo(q.To.Asset.Decimals), q.To.Asset.Decimals)
	off := asked.Amount.Sub(q.To.Amount.Mul(q.Rate))
	w.check(off.Cmp(unit.Mul(q.Rate)) < 0 && unit.Mul(q.Rate).Add(off).Sign() > 0,
		"%s at a rate of %s is not %s: the rate is of one unit of To, in From", asked, q.Rate, q.To)
}

func tenTo(n int) money.Decimal {
	d := money.MustDecimal("1")
	for range n {
		d = d.Mul(money.MustDecimal("10"))
	}
	return d
}

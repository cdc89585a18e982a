package conformance

import (
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// The test cases of this file are about plugins that were right in everything else. Most of them are incidents of payment
// plugins that others reported; README.md names the reports.

// addressesArrive checks where the customer comes back to, and where the gateway tells.
func addressesArrive(w *world) {
	d := w.start()
	step := d.started.Next.Kind()
	leaves := isOneOf(step, gateway.StepRedirect, gateway.StepForm, gateway.StepHTML)
	isTold := w.d.Notify != nil && w.d.Notify.PerPayment
	if !leaves && !isTold {
		return
	}
	if w.fake.Addresses == nil {
		w.t.Fatal("Fake.Addresses is missing: the kit has to see where the gateway would send the customer and its notifications")
	}
	back, notify := w.fake.Addresses(d.order.Ref)
	if step == gateway.StepForm && back == "" { // it goes with the customer's browser
		for _, f := range d.started.Next.Form.Fields {
			if f[1] == d.order.ReturnURL.String() {
				back = f[1]
			}
		}
	}
	w.check(!leaves || back == d.order.ReturnURL.String(),
		"the customer would come back to %q, and the order's ReturnURL is %q: send it as it is, with its query", back, d.order.ReturnURL)
	w.check(!isTold || notify == d.order.NotifyURL.String(),
		"the gateway would notify %q, and the order's NotifyURL is %q: send it as it is, or say Notify.PerPayment=false", notify,
		d.order.NotifyURL)
}

func refusedStart(w *world) {
	o := w.depositOrder(kindOf(w.d.Kinds), w.usual())
	if !w.set(o.Ref, StartIsRefused) {
		return
	}
	_, err := w.startDeposit(o)
	w.check(err != nil, "a start that the gateway refuses is reported as a success")
	w.check(err == nil || gateway.HasNoEffect(err) && !gateway.IsClass(err, gateway.Retryable),
		"a start that the gateway refuses must have effect none and no class %q: nothing was made, the core may try another gateway, and a "+
			"refusal is no fault of the gateway's. Put its code into the error table (%v)", gateway.Retryable, err)
	w.check(len(depositType(w.suite).held(w, o.Ref)) == 0, "a start that was refused shows at the gateway")
}

// names are of people who exist.
var names = []gateway.Customer{
	{ID: "1", FullName: "Ömer Çağrı İğdırlıoğlu-Özgür", FirstName: "Ömer Çağrı", LastName: "İğdırlıoğlu-Özgür"},
	{ID: "2", FullName: "Seán O'Neil", FirstName: "Seán", LastName: "O'Neil"},
	{ID: "3", FullName: `Ada "Bo" & <Ci> + Söhne|A;B=1`, FirstName: `Ada "Bo"`, LastName: "& <Ci> + Söhne|A;B=1"},
	{ID: "4", FullName: "Nil", FirstName: "Nil"},
	{ID: "5", Username: "nobody"},
	{ID: "7", FullName: "Ada 🌸 Çiçek", FirstName: "Ada 🌸", LastName: "Çiçek"},
	{ID: "6", FullName: strings.Repeat("Uzunad ", 12) + "Soyad"},
}

func anyNameStarts(w *world) {
	for _, who := range names {
		o := w.depositOrder(kindOf(w.d.Kinds), w.usual())
		o.Customer = who
		o.Customer.IP, o.Text = "2001:db8::7", `Sipariş "7" & <b> + 🌸 `+who.FullName
		_, err := w.startDeposit(o)
		w.check(err == nil, "a customer called %q %q can't pay (%v): escape what goes into the body and into what is signed, and cut or "+
			"replace only what the gateway does not take", who.FullName, who.Username, err)
	}
}

// foreignStart answers with the answer to another order's start. A gateway whose answer does not name the order can't be held to
// that.
func foreignStart(w *world) {
	other := w.depositOrder(kindOf(w.d.Kinds), w.usual())
	mine := w.depositOrder(kindOf(w.d.Kinds), w.usual())
	_ = w.start() // a session is begun by then, and the answers are those of one start
	w.transport.record()
	_ = w.started(other)
	if !isNamed(w.transport.replay(), other.Ref) {
		w.transport.restore()
		return
	}
	_, err := w.startDeposit(mine)
	w.transport.restore()
	w.check(err != nil && !gateway.HasNoEffect(err),
		"the answer to the start of %s was taken for that of %s (%v): hold the reference in every answer to the order that was sent. What "+
			"became of ours is not known, so that the effect is unknown", other.Ref, mine.Ref, err)
}

// isNamed reports whether answers have a reference.
func isNamed(answers []gateway.Response, ref gateway.Ref) bool {
	return slices.ContainsFunc(answers, func(r gateway.Response) bool { return strings.Contains(string(r.Body), string(ref)) })
}

// foreignAnswer reads an order while the gateway, or what stands before it, answers about another one whose money has moved.
func (t orderType) foreignAnswer(w *world) {
	mine, r := t.send(w)
	other, s := t.send(w)
	w.set(other.ref, t.final)
	ways := map[string][2]receipt{t.readName: {s, r}}
	if t.keys.Find {
		ways[t.readName+" by Ref alone"] = [2]receipt{{due: s.due}, {due: r.due}}
	}
	for how, of := range ways {
		w.ok(t.readName, errorOf(other.read(w, of[0]))) // a session is begun by then, and the answers are those of one question
		w.transport.record()
		_, err := other.read(w, of[0])
		w.ok(t.readName, err)
		if tape := w.transport.replay(); !isNamed(tape, other.ref) && !namesOne(tape, s.external) {
			w.transport.restore()
			continue // it names no order: nothing could be held to ours
		}
		got, err := mine.read(w, of[1])
		w.transport.restore()
		w.check(err != nil || got.state != t.finalState,
			"%s of %s took the answer about %s for its own, and reports %s: hold the reference or identifier in every answer to the order that "+
				"was asked about", how, mine.ref, other.ref, got.state)
	}
}

// namesOne reports whether answers have one of the gateway's own names of an order.
func namesOne(answers []gateway.Response, e gateway.ExternalRef) bool {
	for _, name := range append(slices.Collect(maps.Values(e.Alt)), e.ID) {
		if name != "" && isNamed(answers, gateway.Ref(name)) {
			return true
		}
	}
	return false
}

// prefixIsNotTaken looks for an order whose reference is the beginning of another one's.
func (t orderType) prefixIsNotTaken(w *world) {
	short := t.newOrder(w, t.usual)
	long, ok := w.renamed(t, short.ref+"1")
	if !ok {
		return
	}
	_, err := long.send(w)
	w.ok(t.name, err)
	w.set(long.ref, t.final)
	got, err := short.read(w, receipt{due: short.amount})
	w.checkNotFound(t.readName+" by Ref alone, of "+string(short.ref)+" where there is only "+string(long.ref)+",", got, err)
}

// renamed is an order of a type with a reference of the test's own.
func (w *world) renamed(t orderType, ref gateway.Ref) (order, bool) {
	switch t.name {
	case depositName:
		o := w.depositOrder(kindOf(w.d.Kinds), t.usual)
		o.Ref, o.Key = ref, keyOf(ref)
		return w.orderOf(o), true
	case payoutName:
		o := w.payoutOrder(w.payoutKinds()[0], t.usual)
		o.Ref, o.Key = ref, keyOf(ref)
		return w.payout(o), true
	default:
		return order{}, false
	}
}

func moreReadCases() []testCase {
	return []testCase{
		{"what happened since the last question is seen", changesAreSeen},
		{"what a question taught can go back with the next", learntGoesBack},
		{"money that comes after the end is seen", lateMoneyIsSeen},
		{"what is under way at the end has not ended", underWayAtTheEnd},
		{"every status that counts as paid is played", paidStatusesArePlayed},
	}
}

func changesAreSeen(w *world) {
	d, _ := w.startIn(IsWaiting)
	for range 2 {
		_, _ = w.readDeposit(d.key()) // what waits may not be found
	}
	w.set(d.order.Ref, IsPaid)
	got, err := w.readDeposit(d.key())
	w.ok("ReadDeposit", err)
	w.check(got.State == gateway.Paid, "a deposit that was read as waiting and is paid now reads as %s: keep no answers", got.State)
}

// learntGoesBack asks again with all names that the first answer had, as the core does.
func learntGoesBack(w *world) {
	d := w.paid()
	k := d.key()
	first, err := w.readDeposit(k)
	w.ok("ReadDeposit", err)
	k.External = k.External.Learn(first.External)
	again, err := w.readDeposit(k)
	w.ok("ReadDeposit with what the first answer taught", err)
	w.check(again.State == first.State && isSameOrNil(again.Paid, first.Paid) && k.External.ID == again.External.ID,
		"ReadDeposit reports %s (%v, %q) and, asked again with what it reported in External, %s (%v, %q)", first.State, first.Paid,
		first.External.ID, again.State, again.Paid, again.External.ID)
}

// passEnd lets a minute pass after the end of a deposit.
func (w *world) passEnd(d deposit) {
	end := d.started.ExpiresAt
	if end.IsZero() {
		end = d.order.ExpiresAt
	}
	w.clock.Advance(end.Sub(w.clock.Now()) + time.Minute)
}

func lateMoneyIsSeen(w *world) {
	d := w.start()
	w.passEnd(d)
	if w.d.Deposit.Expiry.LateUntil == 0 {
		w.check(!w.fake.Set(d.order.Ref, IsPaid), "the fake takes money a minute after the end, and Deposit.Expiry.LateUntil is 0: nobody would ask any more. Say how long "+
			"the gateway can be paid after the end (-1: nobody knows), or have Fake.Set refuse %q then, where its documentation says that it takes none", IsPaid)
		return
	}
	w.set(d.order.Ref, IsPaid)
	got, err := w.readDeposit(d.key())
	w.ok("ReadDeposit after the end", err)
	w.check(isOneOf(got.State, gateway.Paid, gateway.Review),
		"a deposit that was paid a minute after its end reads as %s: what the gateway says counts, and not our clock", got.State)
}

// underWayAtTheEnd: a page that has expired ends no try that the customer has begun on it.
func underWayAtTheEnd(w *world) {
	d := w.start()
	if !w.set(d.order.Ref, IsProcessing) {
		return
	}
	w.passEnd(d)
	got, err := w.readDeposit(d.key())
	w.ok("ReadDeposit after the end", err)
	w.check(!isOneOf(got.State, gateway.Expired, gateway.Canceled, gateway.Failed),
		"a deposit whose try is under way reads as %s once its end has passed: the try may still be paid. Look at the try before the page: it is %s", got.State,
		gateway.Processing)
}

// paidStatusesArePlayed: what is never read in a test can't be held to what came.
func paidStatusesArePlayed(w *world) {
	seen := map[string]bool{}
	reads := func(d deposit, s Situation) {
		if w.fake.Set(d.order.Ref, s) {
			got, _ := w.readDeposit(d.key())
			seen[strings.ToLower(got.Raw)] = true
		}
	}
	for _, e := range depositExpectations() {
		reads(w.start(), e.situation)
	}
	late := w.start()
	w.passEnd(late)
	reads(late, IsPaid)
	for heading, table := range w.Tables {
		states, _ := table.(plugkit.States)
		for raw, state := range states {
			isPlayed := seen[strings.ToLower(raw)] || w.hasTest(w.Unplayed[raw])
			w.check(isPlayed || !isOneOf(state, gateway.Paid, gateway.OverPaid),
				"the table %q takes %q for %s, and no Observation has it in Raw: have Fake.Set answer with it in a situation, so that it is held to what came; or say in "+
					"Subject.Unplayed which test plays it; or take the row out. What is in no table is %s", heading, raw, state, gateway.Unknown)
		}
	}
}

// hasTest reports whether the plugin has a test of a name.
func (w *world) hasTest(name string) bool {
	if name == "" {
		return false
	}
	files, err := filepath.Glob(filepath.Join(w.Source, "*_test.go"))
	w.ok("looking for the plugin's tests", err)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		w.ok("reading a test", err)
		return strings.Contains(string(text), "\nfunc "+name+"(")
	})
}

// refundsReadApart reads two refunds of one deposit by our references.
func refundsReadApart(w *world) {
	d := w.paid()
	first := w.refundOrder(d, d.part())
	second := w.refundOrder(d, d.part().Add(money.DecimalOf(big.NewInt(1), d.due().Asset.Decimals)))
	r1, r2 := w.refunded(first), w.refunded(second)
	for i, o := range []gateway.RefundOrder{first, second} {
		k := refundKey(o, []gateway.RefundReport{r1, r2}[i])
		read, err := w.readRefund(k)
		w.ok("ReadRefund", err)
		w.check(read.RefundRef == "" || read.RefundRef == o.RefundRef, "ReadRefund of %s reports %s", o.RefundRef, read.RefundRef)
		w.check(read.Amount == nil || isSame(*read.Amount, o.Amount), "ReadRefund of %s reports %s, and %s was ordered: of several refunds "+
			"find the one with our reference", o.RefundRef, read.Amount, o.Amount)
	}
}

// foreignRefund answers about another deposit's refund.
func foreignRefund(w *world) {
	mine, other := w.wholeRefund(w.paid()), w.wholeRefund(w.paid())
	_ = w.refunded(w.wholeRefund(w.paid())) // a session is begun by then
	w.transport.record()
	done := w.refunded(other)
	if isNamed(w.transport.replay(), other.RefundRef) {
		got, err := w.refund(mine)
		w.check(err != nil, "the answer about the refund %s was taken for that of %s (%s): hold the reference in every answer to the refund "+
			"that was sent", other.RefundRef, mine.RefundRef, got.State)
	}
	w.transport.restore()
	w.transport.record()
	_, err := w.readRefund(refundKey(other, done))
	w.ok("ReadRefund", err)
	if isNamed(w.transport.replay(), other.RefundRef) {
		got, err := w.readRefund(refundKey(mine, gateway.RefundReport{}))
		w.check(err != nil || !isGivenBack(got.State),
			"ReadRefund of %s, which was never made, took the answer about %s for its own, and reports %s", mine.RefundRef, other.RefundRef,
			got.State)
	}
	w.transport.restore()
}

// signatureIsChecked finds out whether the fake signs: with other secrets the same event is told by another message. Then a
// message of the other account must be refused, also where it would only be a reason to ask: anybody could have the plugin ask.
func signatureIsChecked(w *world) {
	in, _ := w.signedNotification()
	values := withKitSecrets(w.Subject, "5ec0ed5ec0ed")
	other := newWorldWith(w.t, w.Subject, values, "")
	defer other.finish()
	foreign, _ := other.signedNotification()
	isSigned := string(in.Body) != string(foreign.Body) || !slices.Equal(withoutTypes(in.Header), withoutTypes(foreign.Header))
	if !isSigned {
		return
	}
	_, err := w.readNotification(foreign)
	w.check(err != nil,
		"the fake signs its notifications, and one that is signed with another account's secret is read: it must be an error of class %q, "+
			"whatever Notify.Trust is", gateway.Unauthenticated)
}

// withoutTypes is the headers that may have a signature, in order.
func withoutTypes(h gateway.Header) gateway.Header {
	rest := slices.DeleteFunc(slices.Clone(h), isContentType)
	slices.SortFunc(rest, func(a, b gateway.Field) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	return rest
}

// noncesAreNew makes the same calls twice, while the clock stands still.
func noncesAreNew(w *world) {
	w.askAll()
	w.probe()
	w.askAll()
	seen := map[string]bool{}
	for _, r := range w.transport.sent() {
		for name, value := range namedIn(r) {
			if !w.isNonce(name) {
				continue
			}
			w.check(!seen[name+" "+value], "two requests have the same %s: it must be new with each (plugkit.Nonces)", name)
			seen[name+" "+value] = true
		}
	}
}

func (w *world) isNonce(name string) bool {
	name = strings.ToLower(name)
	for _, mark := range []string{"nonce", "rnd", "random"} {
		if strings.Contains(name, mark) {
			return true
		}
	}
	return slices.ContainsFunc(w.Nonces, func(n string) bool { return strings.EqualFold(n, name) })
}

// namedIn is the headers, query and top fields of a request.
func namedIn(r gateway.Request) map[string]string {
	all := map[string]string{}
	for _, f := range r.Header {
		all[f.Name] = f.Value
	}
	add := func(text string) {
		values, _ := url.ParseQuery(text)
		for name := range values {
			all[name] = values.Get(name)
		}
	}
	if u, err := url.Parse(r.URL); err == nil {
		add(u.RawQuery)
	}
	var object map[string]any
	if json.Unmarshal(r.Body, &object) != nil {
		add(string(r.Body))
	}
	for name, value := range object {
		if text, isText := value.(string); isText {
			all[name] = text
		}
	}
	return all
}

package storetest

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

func searchSentences() []sentence {
	return []sentence{
		{"a name is found by the beginnings of its words, in any order and without regard to Turkish letters", namesAreFound},
		{"an IBAN is found where money goes and where it came from", ibansAreFound},
		{"a gateway's reference and ours find the payment", referencesAreFound},
		{"an order id is a tracking code without dashes", ordersAreFound},
		{"one text finds what it can be", textsAreFound},
		{"whatever filters are combined, in whichever order and however little is looked at, a look at each finds the same", searchesAgree},
		{"what is found too often can't be sorted", tooManyToSort},
		{"a name's beginning of too many words is refused", tooVague},
	}
}

// search returns the tracking codes of what is found, oldest first, and follows a search that stops.
func (w *world) search(q report.PaymentQuery) []string {
	w.t.Helper()
	var codes []string
	for _, p := range w.searchAll(q) {
		codes = append(codes, p.TrackingCode)
	}
	slices.Sort(codes)
	return codes
}

func (w *world) searchAll(q report.PaymentQuery) []payment.Payment {
	w.t.Helper()
	if q.Limit == 0 {
		q.Limit = core.MaxPage
	}
	var all []payment.Payment
	for range 1000 {
		found, err := w.store.SearchPayments(w.ctx, q)
		w.no(err)
		all = append(all, found.Payments...)
		switch n := len(found.Payments); {
		case found.Stop != nil:
			if q.After.ID != "" && q.Sort.ComparePlaces(q.After, *found.Stop) >= 0 {
				w.t.Fatalf("a search from %+v stopped at %+v", q.After, *found.Stop)
			}
			q.After = *found.Stop
		case n == q.Limit:
			q.After = q.Sort.PlaceOf(found.Payments[n-1])
		default:
			return all
		}
	}
	w.t.Fatal("the search does not end")
	return nil
}

func (w *world) named(names ...string) (codes map[string]string) {
	w.t.Helper()
	codes = map[string]string{}
	for _, name := range names {
		p := w.payment()
		p.Customer.Fullname = name
		w.commit(core.Changeset{p})
		codes[name] = p.TrackingCode
	}
	return codes
}

func namesAreFound(w *world) {
	codes := w.named("Ayşe Yılmaz", "AYSE NUR YILMAZER", "Yıldız Işık", "Çağrı", "O'Neil, Şükrü", "Al", "")
	for query, want := range map[string][]string{
		"ayse": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"}, "YILMAZ": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"},
		"yilmaz ayş": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"}, "yilmazer": {"AYSE NUR YILMAZER"},
		"ayşe yılmaz nu": {"AYSE NUR YILMAZER"}, "isik": {"Yıldız Işık"}, "yıl": {"Ayşe Yılmaz", "AYSE NUR YILMAZER", "Yıldız Işık"},
		"cagri": {"Çağrı"}, "sukru o": {"O'Neil, Şükrü"}, "al a": {"Al"}, "ışe": nil, "%": nil, "ayse veli": nil,
	} {
		if owner.FoldName(query) == "" {
			continue
		}
		var wanted []string
		for _, name := range want {
			wanted = append(wanted, codes[name])
		}
		slices.Sort(wanted)
		if got := w.search(report.PaymentQuery{Name: query}); !slices.Equal(got, wanted) {
			w.t.Errorf("%q finds %v, want %v", query, got, wanted)
		}
	}
	w.same([]string{codes["Çağrı"]}, w.search(report.PaymentQuery{Name: "cagri", UserID: w.byCode(codes["Çağrı"]).Customer.UserID}))
	w.same(0, len(w.search(report.PaymentQuery{Name: "cagri", ProviderID: 1})))
	w.same([]string{codes["Çağrı"]}, w.search(report.PaymentQuery{Name: "cagri", TrackingCode: codes["Çağrı"]}))
	w.same(0, len(w.search(report.PaymentQuery{Name: "cagri", TrackingCode: codes["Al"]})))
}

func ibansAreFound(w *world) {
	const mine, theirs = "TR330006100519786457841326", "TR290006400000112345678901"
	to, from, other := w.payment(), w.payment(), w.payment()
	to.IBAN, from.IBAN, other.IBAN = mine, "", theirs
	line := w.bankLine(7)
	line.Direction, line.PaymentID, line.Party.IBAN = gateway.Incoming, from.ID, mine
	sent := w.bankLine(7)
	sent.Direction, sent.PaymentID, sent.Party.IBAN = gateway.Outgoing, other.ID, mine
	w.commit(core.Changeset{to, from, other})
	w.commit(core.Changeset{w.walletOf(7)})
	w.commit(core.Changeset{line, sent})
	want := []string{to.TrackingCode, from.TrackingCode}
	slices.Sort(want)
	w.same(want, w.search(report.PaymentQuery{IBAN: mine}))
	w.same([]string{other.TrackingCode}, w.search(report.PaymentQuery{IBAN: theirs}))
	w.same([]string{from.TrackingCode}, w.search(report.PaymentQuery{IBAN: mine, TrackingCode: from.TrackingCode}))
	w.same(0, len(w.search(report.PaymentQuery{IBAN: mine, TrackingCode: other.TrackingCode})))
	w.same(0, len(w.search(report.PaymentQuery{IBAN: "TR32"})))
}

// walletOf is a wallet with an id.
func (w *world) walletOf(id int64) wallet.Wallet {
	wallet := w.wallet(id)
	wallet.ID = id
	return wallet
}

func referencesAreFound(w *world) {
	p, other := w.payment(), w.payment()
	o, second := w.operation(p.ID), w.operation(other.ID)
	o.External.ID, second.External.ID = "ext-'1", "ext-2"
	w.commit(core.Changeset{p, other, o, second})
	for _, text := range []string{string(o.Reference), o.External.ID} {
		w.same([]string{p.TrackingCode}, w.search(report.PaymentQuery{GatewayReference: text}))
		w.same([]string{p.TrackingCode}, w.search(report.PaymentQuery{GatewayReference: text, UserID: p.Customer.UserID}))
		w.same(0, len(w.search(report.PaymentQuery{GatewayReference: text, TrackingCode: other.TrackingCode})))
	}
	w.same(0, len(w.search(report.PaymentQuery{GatewayReference: "ext"})))
}

func ordersAreFound(w *world) {
	p, other := w.payment(), w.payment()
	p.Method, p.TrackingCode = payment.EIBANWithdrawal, "EIBAN-WIT-ABCDEFGH12345678"
	w.commit(core.Changeset{p, other})
	w.same([]string{p.TrackingCode}, w.search(report.PaymentQuery{OrderID: "EIBANWITABCDEFGH12345678"}))
	w.same([]string{p.TrackingCode}, w.search(report.PaymentQuery{OrderID: "EIBANWITABCDEFGH12345678", TrackingCode: p.TrackingCode}))
	for _, none := range []string{"ABCDEFGH12345678", "EIBANWIT", "EIBAN-WIT-ABCDEFGH12345678", "x"} {
		w.same(0, len(w.search(report.PaymentQuery{OrderID: none})))
	}
}

func textsAreFound(w *world) {
	p, namesake, other := w.payment(), w.payment(), w.payment()
	p.TrackingCode, p.Customer.UserID, p.IBAN = "MAN-0123456789ABCDEF", "yilmaz", "TR330006100519786457841326"
	namesake.Customer.Fullname, namesake.IBAN = "Ayşe Yılmaz", ""
	other.IBAN = ""
	o := w.operation(other.ID)
	o.Reference = "yilmaz"
	w.commit(core.Changeset{p, namesake, other, o})
	for text, want := range map[string][]payment.Payment{
		" man-0123456789abcdef ": {p}, "MAN0123456789ABCDEF": {p}, "tr33 0006 1005 1978 6457 8413 26": {p},
		"yilmaz": {p, namesake, other}, "Yılmaz ayşe": {namesake}, "MAN-0123456789ABCDE0": nil, "%": nil, "1": nil,
	} {
		var codes []string
		for _, found := range want {
			codes = append(codes, found.TrackingCode)
		}
		slices.Sort(codes)
		if got := w.search(report.PaymentQuery{Text: text}); !slices.Equal(got, codes) {
			w.t.Errorf("%q finds %v, want %v", text, got, codes)
		}
	}
	w.same([]string{p.TrackingCode}, w.search(report.PaymentQuery{Text: "yilmaz", UserID: "yilmaz"}))
	w.same([]string{namesake.TrackingCode}, w.search(report.PaymentQuery{Text: "yilmaz", Name: "ayse"}))
	w.same([]string{other.TrackingCode}, w.search(report.PaymentQuery{Text: "yilmaz", Sort: report.OldestFirst, TrackingCode: other.TrackingCode}))
}

func tooManyToSort(w *world) {
	all := population(w)
	q := report.PaymentQuery{UserID: "u1", MaxLooked: 3, Paging: core.Paging[report.Cursor]{Limit: 2}, MinAmount: lira(301)}
	want := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool {
		return p.Customer.UserID != "u1" || p.Amount.Minor() < 301
	})
	w.same(paymentIDs(want), paymentIDs(w.searchAll(q)))
	q.Sort = report.OldestFirst
	slices.Reverse(want)
	w.same(paymentIDs(want), paymentIDs(w.searchAll(q)))
	q.Sort = report.GreatestAmounts
	if _, err := w.store.SearchPayments(w.ctx, q); err != nil { // a store that can sort whatever it finds may
		w.fails(fault.Invalid, err)
	}
}

func tooVague(w *world) {
	var change core.Changeset
	for i := range 200 {
		p := w.payment()
		p.Customer.Fullname = fmt.Sprintf("ba%c%c", 'a'+i/26, 'a'+i%26)
		change = append(change, p)
	}
	w.commit(change)
	if found, err := w.store.SearchPayments(w.ctx, report.PaymentQuery{Name: "ba", Paging: core.Paging[report.Cursor]{Limit: core.MaxPage}}); err != nil {
		w.fails(fault.Invalid, err)
	} else {
		w.same(core.MaxPage, len(found.Payments))
	}
	w.same(26, len(w.search(report.PaymentQuery{Name: "bac"})))
}

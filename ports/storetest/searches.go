package storetest

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// finds compares the names of the customers whose payments are found.
func (w *world) finds(q report.PaymentQuery, want ...string) {
	w.t.Helper()
	q.Limit = core.MaxPage
	names := idsOf(w.searched(w.store, q), func(p payment.Payment) string { return p.Customer.Fullname })
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		w.t.Errorf("%+v finds %q, want %q", q, names, want)
	}
}

func namesAreFound(w *world) {
	for _, name := range []string{"Ayşe Yılmaz", "AYSE NUR YILMAZER", "Yıldız Işık", "Çağrı", "O'Neil, Şükrü", "Al", ""} {
		p := w.payment()
		p.Customer.Fullname = name
		w.commit(core.Changeset{p})
	}
	for query, want := range map[string][]string{
		"ayse": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"}, "YILMAZ": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"},
		"yilmaz ayş": {"Ayşe Yılmaz", "AYSE NUR YILMAZER"}, "yilmazer": {"AYSE NUR YILMAZER"},
		"ayşe yılmaz nu": {"AYSE NUR YILMAZER"}, "isik": {"Yıldız Işık"}, "yıl": {"Ayşe Yılmaz", "AYSE NUR YILMAZER", "Yıldız Işık"},
		"cagri": {"Çağrı"}, "sukru o": {"O'Neil, Şükrü"}, "al a": {"Al"}, "ışe": nil, "ayse veli": nil,
	} {
		w.finds(report.PaymentQuery{Name: query}, want...)
	}
}

func textsAreFound(w *world) {
	p, namesake, other := w.payment(), w.payment(), w.payment()
	p.TrackingCode, p.Customer.UserID, p.IBAN = "MAN-0123456789ABCDEF", "yilmaz", senderIBAN
	p.Customer.Fullname, namesake.Customer.Fullname, other.Customer.Fullname = "P", "Ayşe Yılmaz", "Other"
	namesake.IBAN, other.IBAN = "", ""
	o := w.operation(other.ID)
	o.Reference = "yilmaz"
	w.commit(core.Changeset{p, namesake, other, o})
	for text, want := range map[string][]string{
		" man-0123456789abcdef ": {"P"}, "MAN0123456789ABCDEF": {"P"}, "tr33 0006 1005 1978 6457 8413 26": {"P"},
		"yilmaz": {"P", "Ayşe Yılmaz", "Other"}, "Yılmaz ayşe": {"Ayşe Yılmaz"}, "MAN-0123456789ABCDE0": nil, "%": nil, "1": nil,
	} {
		w.finds(report.PaymentQuery{Text: text}, want...)
	}
	w.finds(report.PaymentQuery{OrderID: "MAN-0123456789ABCDEF"}) // has no dashes
	w.finds(report.PaymentQuery{IBAN: senderIBAN[:4]})
}

func tooManyToSort(w *world) {
	all := population(w)
	q := report.PaymentQuery{UserID: "u1", MaxLooked: 3, Paging: core.Paging[report.Cursor]{Limit: 2}, MinAmount: lira(301)}
	want := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool {
		return p.Customer.UserID != "u1" || p.Amount.Minor() < 301
	})
	w.same(paymentIDs(want), paymentIDs(w.searched(w.store, q)))
	q.Sort = report.OldestFirst
	slices.Reverse(want)
	w.same(paymentIDs(want), paymentIDs(w.searched(w.store, q)))
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
	q := report.PaymentQuery{Name: "ba", Paging: core.Paging[report.Cursor]{Limit: core.MaxPage}}
	if found, err := w.store.SearchPayments(w.ctx, q); err != nil {
		w.fails(fault.Invalid, err)
	} else {
		w.same(core.MaxPage, len(found.Payments))
	}
	q.Name = "bac"
	w.same(26, len(w.searched(w.store, q)))
}

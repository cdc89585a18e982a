package bank

import (
	"cmp"
	"slices"
	"time"
)

// atOnce is the moment at which the payer acts.
var atOnce = in(0)

// commonPlots are the rows that every kind of deposit has.
func commonPlots() []plot {
	ok := []beat{paid(atOnce)}
	return []plot{
		{code: "21", title: "paid; its notification comes three times at once", beats: ok, tell: toldThrice},
		{code: "23", title: "paid, and no notification: only a question tells", beats: ok, tell: toldNever},
		{code: "25", title: "paid; then older events (failed, processing) are told: it stays paid",
			beats: ok, tell: toldDisordered},
		{code: "26", title: "half of what was due arrives", beats: []beat{{when: atOnce, status: Underpaid, part: "0.5"}}},
		{code: "27", title: "half as much again arrives", beats: []beat{{when: atOnce, status: Overpaid, part: "1.5"}}},
		{code: "29", title: "paid; told with a wrong signature, with the previous secret, and again with an old timestamp",
			beats: ok, tell: toldForged},
		{code: "30", title: "paid and under review; approved after a minute",
			beats: []beat{{when: atOnce, status: Review, part: "1"}, paid(in(time.Minute))}},
		{code: "31", title: "paid and under review; declined as fraud after a minute",
			beats: []beat{{when: atOnce, status: Review, part: "1"}, failed(in(time.Minute), "fraud_suspected")}},
		{code: "33", title: "paid twice: the second payment is surplus",
			beats: []beat{paid(atOnce), {when: in(2 * time.Second), status: Overpaid, part: "2"}}},
		{code: "50", title: "paid; refunds are done at once", beats: ok},
		{code: "51", title: "paid; refunds are pending for a minute, then done", beats: ok, refund: refundLater},
		{code: "52", title: "paid; refunds are pending for a minute, then fail", beats: ok, refund: refundFails},
		{code: "53", title: "paid; only half of a refund is given back", beats: ok, refund: refundHalf},
		{code: "54", title: "paid; too late to void, so that a refund is needed", beats: ok, refund: refundNoVoid},
	}
}

// stumblePlots are the rows of a first request that goes wrong; after that the order goes as 00.
func stumblePlots(ok []beat) []plot {
	var rows []plot
	for _, s := range stumbles() {
		rows = append(rows, plot{code: s.code, title: s.title, beats: ok, stumble: &s})
	}
	return rows
}

func cardPlots() []plot {
	ok := []beat{paid(atOnce)}
	rows := []plot{
		{code: "00", title: "no challenge: paid at once", beats: ok},
		{code: "01", title: "challenge: paid after the code 123456, failed after three wrong ones",
			check: codeCheck, beats: ok},
		{code: "02", title: "challenge that takes no code: failed after three", check: hopelessCheck, beats: ok},
		{code: "03", title: "the customer presses cancel",
			beats: []beat{{when: atOnce, status: Canceled, reason: "canceled_by_customer"}}},
		{code: "04", title: "the customer leaves: no return, no notification, expires", leave: closesBefore},
		{code: "05", title: "3-D Secure can't be started: the order itself is refused", refused: "threeds_unavailable",
			beats: []beat{failed(atOnce, "threeds_unavailable")}},
		{code: "06", title: "3-D Secure only attempted: paid where the merchant takes that, failed otherwise",
			check: weakCheck, beats: ok},
		{code: "07", title: "soft decline; the second try asks for the code and is paid", check: codeCheck, beats: ok,
			first: []beat{{when: atOnce, status: Failed, reason: "authentication_required", canRetry: true}}},
	}
	for _, r := range []struct{ code, reason string }{
		{"10", "insufficient_funds"}, {"11", "do_not_honour"}, {"12", "card_expired"}, {"13", "wrong_cvc"},
		{"14", "limit_exceeded"}, {"15", "stolen_card"}, {"18", "fraud_suspected"},
	} {
		rows = append(rows, plot{code: r.code, title: "declined: " + r.reason, beats: []beat{failed(atOnce, r.reason)}})
	}
	return append(rows, []plot{
		{code: "16", title: "the issuer does not answer; paid after two minutes",
			beats: []beat{{when: atOnce, status: Unconfirmed}, paid(in(2 * time.Minute))}},
		{code: "17", title: "the issuer does not answer; failed after two minutes",
			beats: []beat{{when: atOnce, status: Unconfirmed}, failed(in(2*time.Minute), "issuer_unavailable")}},
		{code: "20", title: "processing; paid 20 minutes after the start",
			beats: []beat{quiet(beat{when: atOnce, status: Processing}), paid(late)}},
		{code: "22", title: "paid; the notification comes before the browser is back",
			beats: ok, tell: toldAtOnce, leave: goesSlowly},
		{code: "24", title: "paid; the browser does not come back", beats: ok, leave: staysHere},
		{code: "28", title: "paid in USD", beats: []beat{{when: atOnce, status: Paid, part: "1", currency: "USD"}}},
		{code: "32", title: "declined, and paid at the second try on the same page", beats: ok,
			first: []beat{{when: atOnce, status: Failed, reason: "do_not_honour", canRetry: true}}},
		{code: "55", title: "paid; charged back a day later",
			beats: []beat{paid(atOnce), {when: in(24 * time.Hour), status: Disputed, reason: "chargeback"}}},
	}...)
}

func walletPlots() []plot {
	ok := []beat{paid(atOnce)}
	return []plot{
		{code: "00", title: "confirmed: paid at once", beats: ok},
		{code: "03", title: "the customer cancels in the wallet",
			beats: []beat{{when: atOnce, status: Canceled, reason: "canceled_by_customer"}}},
		{code: "04", title: "the customer closes the wallet: no return, no notification, expires", leave: closesBefore},
		{code: "08", title: "as 04, and an hour after its start the record is deleted: not found",
			leave: closesBefore, isDeleted: true},
		{code: "09", title: "paid; the notification has a shared secret instead of a signature",
			beats: ok, tell: toldUnsigned},
		{code: "10", title: "declined: insufficient_funds", beats: []beat{failed(atOnce, "insufficient_funds")}},
		{code: "14", title: "declined: limit_exceeded", beats: []beat{failed(atOnce, "limit_exceeded")}},
		{code: "20", title: "processing; paid 20 minutes after the start",
			beats: []beat{quiet(beat{when: atOnce, status: Processing}), paid(late)}},
		{code: "22", title: "paid; the notification comes before the browser is back",
			beats: ok, tell: toldAtOnce, leave: goesSlowly},
		{code: "24", title: "paid; the browser does not come back", beats: ok, leave: staysHere},
	}
}

func bankPlots() []plot {
	ok := []beat{paid(atOnce)}
	return []plot{
		{code: "00", title: "paid exactly, with the reference, after 2 seconds", beats: ok},
		{code: "04", title: "nobody pays: expires"},
		{code: "20", title: "paid after the order's end", beats: []beat{paid(late)}},
		{code: "60", title: "the reference is missing: booked on the account, the order keeps waiting",
			beats: []beat{{when: atOnce, part: "1", text: noText}}},
		{code: "61", title: "the reference is misspelt: booked on the account, the order keeps waiting",
			beats: []beat{{when: atOnce, part: "1", text: "ref {reference}X7"}}},
		{code: "62", title: "paid; the sender's name differs from the customer's",
			beats: []beat{{when: atOnce, status: Paid, part: "1", payer: "Ayşe Yılmaz"}}},
		{code: "63", title: "somebody else's company pays: held for review",
			beats: []beat{{when: atOnce, status: Review, part: "1", payer: "Üçüncü Kişi Ltd. Şti.", reason: "third_party_payer"}}},
		{code: "64", title: "paid; the sender's bank takes it back a day later",
			beats: []beat{paid(atOnce), {when: in(24 * time.Hour), status: Reversed, reason: "reversed_by_bank"}}},
		{code: "65", title: "seen today, booked after midnight with today's value date",
			beats: []beat{{when: atOnce, status: Processing}, {when: nextDay, status: Paid, part: "1", isLate: true}}},
	}
}

// cryptoPlots: unless a row says otherwise a payment is seen, has one confirmation 2 seconds later, and is paid with
// three after 4 seconds.
func cryptoPlots() []plot {
	ok := confirmed("1")
	return []plot{
		{code: "00", title: "exact: seen after 2 seconds, 1 confirmation, paid with 3", beats: ok},
		{code: "04", title: "nobody pays: expires"},
		{code: "20", title: "paid after the order's end", beats: []beat{{when: late, status: Paid, part: "1"}}},
		{code: "70", title: "under by less than the tolerance of 1 %: paid, and what arrived is told",
			beats: confirmed("0.995")},
		{code: "71", title: "under by more than the tolerance",
			beats: []beat{{when: atOnce, status: Underpaid, part: "0.95"}}},
		{code: "72", title: "two parts that add up", beats: []beat{
			{when: atOnce, status: Underpaid, part: "0.5"},
			{when: in(30 * time.Second), status: Paid, part: "1"}}},
		{code: "73", title: "another coin arrives: held for review",
			beats: []beat{{when: atOnce, status: Review, part: "1", currency: "TRX", reason: "wrong_asset"}}},
		{code: "74", title: "the right coin on another network: held for review",
			beats: []beat{{when: atOnce, status: Review, part: "1", network: "ERC20", reason: "wrong_network"}}},
		{code: "75", title: "the memo is missing: held for review",
			beats: []beat{{when: atOnce, status: Review, part: "1", reason: "memo_missing"}}},
		{code: "76", title: "seen, then dropped from the chain: waiting again",
			beats: []beat{{when: atOnce, status: Processing}, {when: in(10 * time.Second), status: Waiting}}},
		{code: "77", title: "paid after the quote has lapsed: held for review",
			beats: []beat{{when: afterQuote, status: Review, part: "1", reason: "quote_expired"}}},
		{code: "78", title: "paid; the same address is paid again a day later", beats: append(confirmed("1"),
			beat{when: in(24 * time.Hour), status: Overpaid, part: "2"})},
	}
}

// enough is how many confirmations count as paid.
const enough = 3

func confirmed(part string) []beat {
	return []beat{
		{when: atOnce, status: Processing},
		{when: in(2 * time.Second), status: Processing, confirmations: 1},
		{when: in(4 * time.Second), status: Paid, part: part},
	}
}

// Scenario is one row of the tables, for people.
type Scenario struct {
	Kind  string `json:"kind"` // card, wallet, bank, crypto; deposit for every kind of them; payout; order for everything
	Code  string `json:"code"`
	Title string `json:"title"`
}

// Scenarios lists what the bank can play, in the order of the README.
func Scenarios() []Scenario {
	var list []Scenario
	for _, table := range []struct {
		kind  string
		plots []plot
	}{
		{KindCard, cardPlots()}, {KindWallet, walletPlots()}, {KindBank, bankPlots()}, {KindCrypto, cryptoPlots()},
		{"deposit", commonPlots()}, {"order", stumblePlots(nil)},
	} {
		slices.SortFunc(table.plots, func(a, b plot) int { return cmp.Compare(a.code, b.code) })
		for _, p := range table.plots {
			list = append(list, Scenario{table.kind, p.code, p.title})
		}
	}
	for _, p := range payoutPlots() {
		list = append(list, Scenario{"payout", p.code, p.title})
	}
	return list
}

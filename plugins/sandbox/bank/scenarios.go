package bank

import (
	"cmp"
	"slices"
	"time"
)

// atOnce is the moment at which the payer acts.
var atOnce = in(0)

// commonScenarios are the rows that every kind of deposit has.
func commonScenarios() []scenario {
	ok := []step{paid(atOnce)}
	return []scenario{
		{code: "21", title: "paid; its notification comes three times at once", steps: ok, delivery: deliverThrice},
		{code: "23", title: "paid, and no notification: only a question tells", steps: ok, delivery: deliverNever},
		{code: "25", title: "paid; then older events (failed, processing) are sent: it stays paid",
			steps: ok, delivery: deliverOutOfOrder},
		{code: "26", title: "half of what was due arrives", steps: []step{{when: atOnce, status: Underpaid, part: "0.5"}}},
		{code: "27", title: "half as much again arrives", steps: []step{{when: atOnce, status: Overpaid, part: "1.5"}}},
		{code: "29", title: "paid; notified with a wrong signature, with the previous secret, and again with an old timestamp",
			steps: ok, delivery: deliverForged},
		{code: "30", title: "paid and under review; approved after a minute",
			steps: []step{{when: atOnce, status: Review, part: "1"}, paid(in(time.Minute))}},
		{code: "31", title: "paid and under review; declined as fraud after a minute",
			steps: []step{{when: atOnce, status: Review, part: "1"}, failed(in(time.Minute), "fraud_suspected")}},
		{code: "33", title: "paid twice: the second payment is surplus",
			steps: []step{paid(atOnce), {when: in(2 * time.Second), status: Overpaid, part: "2"}}},
		{code: "50", title: "paid; refunds are done at once", steps: ok},
		{code: "51", title: "paid; refunds are pending for a minute, then done", steps: ok, refund: refundLater},
		{code: "52", title: "paid; refunds are pending for a minute, then fail", steps: ok, refund: refundFails},
		{code: "53", title: "paid; only half of a refund is given back", steps: ok, refund: refundHalf},
		{code: "54", title: "paid; too late to void, so that a refund is needed", steps: ok, refund: refundNoVoid},
	}
}

func cardScenarios() []scenario {
	ok := []step{paid(atOnce)}
	rows := []scenario{
		{code: "00", title: "no challenge: paid at once", steps: ok},
		{code: "01", title: "challenge: paid after the code 123456, failed after three wrong ones",
			check: codeCheck, steps: ok},
		{code: "02", title: "challenge that takes no code: failed after three", check: hopelessCheck, steps: ok},
		{code: "03", title: "the customer presses cancel",
			steps: []step{{when: atOnce, status: Canceled, reason: "canceled_by_customer"}}},
		{code: "04", title: "the customer leaves: no return, no notification, expires", returns: closesBefore},
		{code: "05", title: "3-D Secure can't be started: the order itself is refused", refused: "threeds_unavailable",
			steps: []step{failed(atOnce, "threeds_unavailable")}},
		{code: "06", title: "3-D Secure only attempted: paid where the merchant takes that, failed otherwise",
			check: weakCheck, steps: ok},
		{code: "07", title: "soft decline; the second try asks for the code and is paid", check: codeCheck, steps: ok,
			first: []step{{when: atOnce, status: Failed, reason: "authentication_required", canRetry: true}}},
	}
	for _, r := range []struct{ code, reason string }{
		{"10", "insufficient_funds"}, {"11", "do_not_honour"}, {"12", "card_expired"}, {"13", "wrong_cvc"},
		{"14", "limit_exceeded"}, {"15", "stolen_card"}, {"18", "fraud_suspected"},
	} {
		rows = append(rows, scenario{code: r.code, title: "declined: " + r.reason, steps: []step{failed(atOnce, r.reason)}})
	}
	return append(rows, []scenario{
		{code: "16", title: "the issuer does not answer; paid after two minutes",
			steps: []step{{when: atOnce, status: Unconfirmed}, paid(in(2 * time.Minute))}},
		{code: "17", title: "the issuer does not answer; failed after two minutes",
			steps: []step{{when: atOnce, status: Unconfirmed}, failed(in(2*time.Minute), "issuer_unavailable")}},
		{code: "20", title: "processing; paid 20 minutes after the start",
			steps: []step{quiet(step{when: atOnce, status: Processing}), paid(late)}},
		{code: "22", title: "paid; the notification comes before the browser is back",
			steps: ok, delivery: deliverAtOnce, returns: goesSlowly},
		{code: "24", title: "paid; the browser does not come back", steps: ok, returns: staysHere},
		{code: "28", title: "paid in USD", steps: []step{{when: atOnce, status: Paid, part: "1", currency: "USD"}}},
		{code: "32", title: "declined, and paid at the second try on the same page", steps: ok,
			first: []step{{when: atOnce, status: Failed, reason: "do_not_honour", canRetry: true}}},
		{code: "55", title: "paid; charged back a day later",
			steps: []step{paid(atOnce), {when: in(24 * time.Hour), status: Disputed, reason: "chargeback"}}},
		{code: "56", title: "paid; a chargeback a day later, lost after another day", steps: ok, dispute: []string{NeedsResponse, Lost}},
		{code: "57", title: "paid; a chargeback a day later, under review after another, won after a third", steps: ok,
			dispute: []string{NeedsResponse, UnderReview, Won}},
		{code: "58", title: "paid; an inquiry a day later, closed after another without a chargeback", steps: ok, dispute: []string{Inquiry, Closed}},
	}...)
}

func walletScenarios() []scenario {
	ok := []step{paid(atOnce)}
	return []scenario{
		{code: "00", title: "confirmed: paid at once", steps: ok},
		{code: "03", title: "the customer cancels in the wallet",
			steps: []step{{when: atOnce, status: Canceled, reason: "canceled_by_customer"}}},
		{code: "04", title: "the customer closes the wallet: no return, no notification, expires", returns: closesBefore},
		{code: "08", title: "as 04, and an hour after its start the record is deleted: not found",
			returns: closesBefore, isDeleted: true},
		{code: "09", title: "paid; the notification has a shared secret instead of a signature",
			steps: ok, delivery: deliverUnsigned},
		{code: "10", title: "declined: insufficient_funds", steps: []step{failed(atOnce, "insufficient_funds")}},
		{code: "14", title: "declined: limit_exceeded", steps: []step{failed(atOnce, "limit_exceeded")}},
		{code: "20", title: "processing; paid 20 minutes after the start",
			steps: []step{quiet(step{when: atOnce, status: Processing}), paid(late)}},
		{code: "22", title: "paid; the notification comes before the browser is back",
			steps: ok, delivery: deliverAtOnce, returns: goesSlowly},
		{code: "24", title: "paid; the browser does not come back", steps: ok, returns: staysHere},
	}
}

func bankScenarios() []scenario {
	ok := []step{paid(atOnce)}
	return []scenario{
		{code: "00", title: "paid exactly, with the reference, after 2 seconds", steps: ok},
		{code: "04", title: "nobody pays: expires"},
		{code: "20", title: "paid after the order's end", steps: []step{paid(late)}},
		{code: "60", title: "the reference is missing: booked on the account, the order keeps waiting",
			steps: []step{{when: atOnce, part: "1", text: noText}}},
		{code: "61", title: "the reference is misspelt: booked on the account, the order keeps waiting",
			steps: []step{{when: atOnce, part: "1", text: "ref {reference}X7"}}},
		{code: "62", title: "paid; the sender's name differs from the customer's",
			steps: []step{{when: atOnce, status: Paid, part: "1", payer: "Ayşe Yılmaz"}}},
		{code: "63", title: "somebody else's company pays: held for review",
			steps: []step{{when: atOnce, status: Review, part: "1", payer: "Üçüncü Kişi Ltd. Şti.", reason: "third_party_payer"}}},
		{code: "64", title: "paid; the sender's bank takes it back a day later",
			steps: []step{paid(atOnce), {when: in(24 * time.Hour), status: Reversed, reason: "reversed_by_bank"}}},
		{code: "65", title: "seen today, booked after midnight with today's value date",
			steps: []step{{when: atOnce, status: Processing}, {when: nextDay, status: Paid, part: "1", isLate: true}}},
	}
}

// cryptoScenarios: unless a row says otherwise a payment is seen, has one confirmation 2 seconds later, and is paid with
// three after 4 seconds.
func cryptoScenarios() []scenario {
	ok := confirmed("1")
	return []scenario{
		{code: "00", title: "exact: seen after 2 seconds, 1 confirmation, paid with 3", steps: ok},
		{code: "04", title: "nobody pays: expires"},
		{code: "20", title: "paid after the order's end", steps: []step{{when: late, status: Paid, part: "1"}}},
		{code: "70", title: "under by less than the tolerance of 1 %: paid, and what arrived is reported",
			steps: confirmed("0.995")},
		{code: "71", title: "under by more than the tolerance",
			steps: []step{{when: atOnce, status: Underpaid, part: "0.95"}}},
		{code: "72", title: "two parts that add up", steps: []step{
			{when: atOnce, status: Underpaid, part: "0.5"},
			{when: in(30 * time.Second), status: Paid, part: "1"}}},
		{code: "73", title: "another coin arrives: held for review",
			steps: []step{{when: atOnce, status: Review, part: "1", currency: "TRX", reason: "wrong_asset"}}},
		{code: "74", title: "the right coin on another network: held for review",
			steps: []step{{when: atOnce, status: Review, part: "1", network: "ERC20", reason: "wrong_network"}}},
		{code: "75", title: "the memo is missing: held for review",
			steps: []step{{when: atOnce, status: Review, part: "1", reason: "memo_missing"}}},
		{code: "76", title: "seen, then dropped from the chain: waiting again",
			steps: []step{{when: atOnce, status: Processing}, {when: in(10 * time.Second), status: Waiting}}},
		{code: "77", title: "paid after the quote has lapsed: held for review",
			steps: []step{{when: afterQuote, status: Review, part: "1", reason: "quote_expired"}}},
		{code: "78", title: "paid; the same address is paid again a day later", steps: append(confirmed("1"),
			step{when: in(24 * time.Hour), status: Overpaid, part: "2"})},
	}
}

// requiredConfirmations is how many confirmations count as paid.
const requiredConfirmations = 3

func confirmed(part string) []step {
	return []step{
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
		kind      string
		scenarios []scenario
	}{
		{KindCard, cardScenarios()}, {KindWallet, walletScenarios()}, {KindBank, bankScenarios()}, {KindCrypto, cryptoScenarios()},
		{"deposit", commonScenarios()}, {"order", failureScenarios(nil)},
	} {
		slices.SortFunc(table.scenarios, func(a, b scenario) int { return cmp.Compare(a.code, b.code) })
		for _, p := range table.scenarios {
			list = append(list, Scenario{table.kind, p.code, p.title})
		}
	}
	for _, p := range payoutScenarios() {
		list = append(list, Scenario{"payout", p.code, p.title})
	}
	return list
}

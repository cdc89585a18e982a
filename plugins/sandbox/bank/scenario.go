package bank

import "time"

// scenario is what becomes of a deposit: one row of the scenario tables.
type scenario struct {
	code     string // two digits: the kuruş of the amount
	title    string // what the README says
	first    []step // a page's first try, where a further one ends otherwise
	check    check  // 3-D Secure
	steps    []step // what follows once the payer has acted
	delivery deliveryMode
	returns  returnMode
	// isDeleted: the record of an unpaid order disappears after recordLife.
	isDeleted bool
	refund    refundScenario
	dispute   []string // the statuses of a dispute that comes a day after the payment, a day apart
	failure   *failure // of the first request
	refused   string   // the code with which the order itself is refused
}

// check is what the 3-D Secure page does.
type check int

const (
	noCheck       check = iota // the bank asks nothing
	codeCheck                  // asks for Code
	hopelessCheck              // asks, and takes no code
	weakCheck                  // the card can't: attempted or not enrolled
)

// Code is the right answer to every challenge, and approves payouts.
const Code = "123456"

// deliveryMode is how notifications go out.
type deliveryMode int

const (
	deliverOnce       deliveryMode = iota // a second after the event
	deliverNever                          // not at all: only a question shows it
	deliverAtOnce                         // before the browser is back
	deliverThrice                         // three times at the same moment
	deliverOutOfOrder                     // and then what came before it
	deliverForged                         // with a wrong signature, the previous secret, and an old timestamp
	deliverUnsigned                       // with a secret in the body instead of a signature
)

// returnMode is how the payer's browser goes back.
type returnMode int

const (
	goesBack     returnMode = iota
	goesSlowly              // over a page that waits a moment
	staysHere               // not at all
	closesBefore            // the payer closes the page without paying
)

// step is one thing that happens to a deposit.
type step struct {
	when          moment
	status        string // empty: the order does not change
	part          string // of what was due has been paid by now ("0.5"); empty: nothing new
	exact         *Money // arrives now, beside what is there already
	currency      string // of what was paid, where it is another one
	network       string
	reason        string
	canRetry      bool
	isManual      bool
	isQuiet       bool // without a notification
	confirmations int
	payer         string // the name of another payer
	text          string // of the booking, where it is not the order's reference
	isLate        bool   // booked a day after the one that it counts for
}

// noText is the text of a booking without one.
const noText = "-"

// payerIBAN is where payments by bank come from.
var payerIBAN = TurkishIBAN("99990", "1")

// moment says when something happens, from when the payer acted.
type moment func(d *deposit, acted time.Time) time.Time

func in(after time.Duration) moment {
	return func(_ *deposit, acted time.Time) time.Time { return acted.Add(after) }
}

// late is after the order's own end: 20 minutes from its start, and never less than 5 after its deadline.
func late(d *deposit, _ time.Time) time.Time {
	at, least := d.CreatedAt.Add(20*time.Minute), d.endsAt.Add(5*time.Minute)
	if at.Before(least) {
		return least
	}
	return at
}

func nextDay(_ *deposit, acted time.Time) time.Time { return afterMidnight(acted) }

// afterQuote is a minute after the price of a coin has lapsed.
func afterQuote(d *deposit, acted time.Time) time.Time {
	if d.quote == nil {
		return acted
	}
	return d.quote.ValidUntil.Add(time.Minute)
}

func paid(when moment) step { return step{when: when, status: Paid, part: "1"} }

func failed(when moment, reason string) step { return step{when: when, status: Failed, reason: reason} }

func quiet(b step) step { b.isQuiet = true; return b }

// find returns the row of a code; the first one, success, where there is none.
func find(scenarios []scenario, code string) scenario {
	for _, p := range scenarios {
		if p.code == code {
			return p
		}
	}
	return scenarios[0]
}

// scenariosOf returns the whole table of a kind: its own rows, of which the first is success, those of every deposit, and
// those of a first request that goes wrong.
func scenariosOf(kind string) []scenario {
	rows := bankScenarios()
	switch kind {
	case KindCard:
		rows = cardScenarios()
	case KindWallet:
		rows = walletScenarios()
	case KindCrypto:
		rows = cryptoScenarios()
	}
	ok := rows[0].steps
	return append(append(rows, commonScenarios()...), failureScenarios(ok)...)
}

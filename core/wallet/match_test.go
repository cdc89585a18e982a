package wallet_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func TestOnlyALineThatWaitsForADepositIsMatched(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStatuses() {
		for _, direction := range []gateway.Direction{gateway.Incoming, gateway.Outgoing} {
			l := bankLine()
			l.Status, l.Direction = s, direction
			isWaiting := (s == wallet.LineUnmatched || s == wallet.LineDoubtful) && direction == gateway.Incoming
			change, err := wallet.DecideMatch(aWallet(), alone(l), wallet.CertainScore, machine(t))
			if isWaiting && err != nil || !isWaiting && (!fault.Is(err, fault.NotAllowed) || len(core.RowsOf[wallet.BankLine](change)) != 0) {
				t.Errorf("%s %s: %+v, %v", direction, s, change, err)
			}
		}
	}
}

// matching is a line with the deposits that it may belong to. Best is what speaks for the first candidate; empty: there is
// no candidate.
type matching struct {
	line      wallet.BankLine
	deposits  []payment.Payment
	paidFrom  []owner.CustomerKey
	best      string
	isCertain bool
}

func checkMatchings(t *testing.T, cases map[string]matching) {
	t.Helper()
	for name, c := range cases {
		ranked := wallet.Sightings{Line: c.line, Deposits: c.deposits, PaidFrom: c.paidFrom}.Match()
		got := ""
		if len(ranked.Candidates) > 0 {
			got = evidence(ranked.Candidates[0])
		}
		best, isCertain := ranked.Certain(wallet.CertainScore)
		if got != c.best || isCertain != c.isCertain {
			t.Errorf("%s: %q, certain %v, want %q and %v: %+v", name, got, isCertain, c.best, c.isCertain, ranked)
		}
		if isCertain && best.Payment != ranked.Candidates[0].Payment {
			t.Errorf("%s: %+v, and not the best", name, best)
		}
		for _, least := range []int{-1, 0, 101} {
			if _, ok := ranked.Certain(least); ok {
				t.Errorf("%s: certain from %d on", name, least)
			}
		}
	}
}

func TestADepositIsCompletedByItsAmountAndItsCustomersName(t *testing.T) {
	t.Parallel()
	one := deposits(deposit(t))
	said := deposits(deposit(t, inStatus(payment.Processing)))
	all := "tracking_code amount name known_iban in_time said_paid"
	inReference := bankLine(func(l *wallet.BankLine) { l.EndToEndID = ownCode })
	reversal := bankLine(func(l *wallet.BankLine) { l.ReversesLineID = "bank-0" })
	checkMatchings(t, map[string]matching{
		"no deposit":              {bankLine(), nil, nil, "", false},
		"amount and name":         {bankLine(), one, nil, "amount name in_time", true},
		"everything":              {bankLine(saying(ownCode)), said, by(ayse), all, true},
		"the code as a reference": {inReference, one, nil, "tracking_code amount name in_time", true},
		"a completed one": {
			bankLine(saying(ownCode)), deposits(deposit(t, inStatus(payment.Completed))), by(ayse),
			"", false,
		},
		"the dealer's own came back": {reversal, one, nil, "amount name in_time", false},
		"another amount":             {bankLine(bringing(25001)), one, nil, "name in_time", false},
		"another amount, with it all": {
			bankLine(bringing(24999), saying(ownCode)), said, by(ayse),
			"tracking_code name known_iban in_time said_paid", false,
		},
		"two amounts": {
			bankLine(), deposits(deposit(t, second, asking(30000)), deposit(t)), nil,
			"amount name in_time", true,
		},
		"nothing but the time": {bankLine(bringing(1), sentBy("X Y")), one, nil, "", false},
		"nothing but initials": {
			bankLine(bringing(1), sentBy("A*** Y***")), deposits(deposit(t, askedIn(-2*time.Hour))), nil,
			"", false,
		},
		"nothing but a known IBAN": {bankLine(bringing(1), sentBy("")), one, by(ayse), "known_iban in_time", false},
		"nothing but the code, late": {
			bankLine(bringing(1), sentBy(""), saying(ownCode), bookedIn(3*time.Hour)), one, nil,
			"tracking_code", false,
		},
	})
}

// TestThirdPartiesMoneyIsForStaff, whatever else speaks for a deposit.
func TestThirdPartiesMoneyIsForStaff(t *testing.T) {
	t.Parallel()
	one := deposits(deposit(t))
	said := deposits(deposit(t, inStatus(payment.Processing)))
	others, nobodys := sentBy("MEHMET DEMİR"), sentBy("")
	checkMatchings(t, map[string]matching{
		"somebody else's": {bankLine(others), one, nil, "amount in_time", false},
		"with the code": {
			bankLine(others, saying(ownCode)), one, nil,
			"tracking_code amount in_time", false,
		},
		"with the code, from a known IBAN": {
			bankLine(others, saying(ownCode)), one, by(ayse),
			"tracking_code amount known_iban in_time", false,
		},
		"a relative's with the code": {
			bankLine(sentBy("MEHMET YILMAZ"), saying(ownCode)), one, nil,
			"tracking_code amount in_time", false,
		},
		"nobody's": {bankLine(nobodys), one, nil, "amount in_time", false},
		"nobody's with the code": {
			bankLine(nobodys, saying(ownCode)), one, nil,
			"tracking_code amount in_time", false,
		},
		"nobody's, from a known IBAN": {
			bankLine(nobodys), said, by(ayse),
			"amount known_iban in_time said_paid", false,
		},
		"nobody's, with the code, from it": {
			bankLine(nobodys, saying(ownCode)), one, by(ayse),
			"tracking_code amount known_iban in_time", true,
		},
		"another customer's, as is the IBAN": {bankLine(others), one, by(mehmet), "amount in_time", false},
		"a namesake's IBAN":                  {bankLine(), one, by(mehmet), "amount name in_time", false},
		"a namesake's IBAN, with the code": {
			bankLine(saying(ownCode)), one, by(mehmet),
			"tracking_code amount name in_time", true,
		},
		"an IBAN that two customers pay from": {bankLine(), one, by(mehmet, ayse), "amount name known_iban in_time", true},
		"an IBAN known to another provider": {
			bankLine(), one, by(owner.CustomerKey{ProviderID: 8, UserID: "x"}),
			"amount name in_time", true,
		},
	})
}

// TestASimilarNameTakesMore: the tracking code, or an IBAN from which the customer has paid before.
func TestASimilarNameTakesMore(t *testing.T) {
	t.Parallel()
	one := deposits(deposit(t))
	said := deposits(deposit(t, inStatus(payment.Processing)))
	long := deposits(deposit(t, ofCustomer("Ayşe Nur Gül Fatma Yılmaz"), inStatus(payment.Processing)))
	nur, masked := sentBy("AYŞE NUR YILMAZ"), sentBy("AY** YIL***")
	checkMatchings(t, map[string]matching{
		"a second name": {bankLine(nur), said, nil, "amount similar_name in_time said_paid", false},
		"a letter of a long name": {
			bankLine(sentBy("AYŞE NUR GÜL FATMA YILMAZZ")), long, nil,
			"amount similar_name in_time said_paid", false,
		},
		"a second name, known IBAN": {bankLine(nur), one, by(ayse), "amount similar_name known_iban in_time", true},
		"a second name, with the code": {
			bankLine(nur, saying(ownCode)), one, nil,
			"tracking_code amount similar_name in_time", true,
		},
		"a masked name": {bankLine(masked), said, nil, "amount similar_name in_time said_paid", false},
		"a masked name, with the code": {
			bankLine(masked, saying(ownCode)), one, nil,
			"tracking_code amount similar_name in_time", true,
		},
		"a masked name, from somebody's": {
			bankLine(masked, saying(ownCode)), one, by(mehmet),
			"tracking_code amount similar_name in_time", true,
		},
	})
}

// TestOfSeveralDepositsAPersonChooses, unless one leads.
func TestOfSeveralDepositsAPersonChooses(t *testing.T) {
	t.Parallel()
	first, alike := deposit(t), deposit(t, second)
	said := deposit(t, inStatus(payment.Processing))
	expired := deposit(t, second, inStatus(payment.Expired), askedIn(-time.Hour))
	calledOff := deposit(t, second, inStatus(payment.Canceled))
	namesake := deposit(t, anothers("Ayşe Yılmaz"))
	namesakeExpired := deposit(t, anothers("Ayşe Yılmaz"), inStatus(payment.Expired))
	stranger, strangerOther := deposit(t, anothers("Mehmet Demir")), deposit(t, anothers("Mehmet Demir"), asking(30000))
	own, other, both := bankLine(saying(ownCode)), bankLine(saying(otherCode)), bankLine(saying(ownCode+" "+otherCode))
	twin := deposit(t, second, inStatus(payment.Processing))
	const plain, coded = "amount name in_time", "tracking_code amount name in_time"
	checkMatchings(t, map[string]matching{
		"of one customer": {bankLine(), deposits(alike, first), nil, plain, false},
		"of one customer, one named": {
			own, deposits(twin, first), by(ayse),
			"tracking_code amount name known_iban in_time", true,
		},
		"of one customer, both named":     {both, deposits(alike, first), nil, coded, false},
		"of one customer, one expired":    {bankLine(), deposits(first, expired), nil, plain, true},
		"of one customer, one called off": {bankLine(), deposits(calledOff, first), nil, plain, true},
		"of one customer, that one named": {other, deposits(first, calledOff), nil, coded, false},
		"of namesakes":                    {bankLine(), deposits(namesake, first), nil, plain, false},
		"of namesakes, one known": {
			bankLine(), deposits(namesake, first), by(ayse),
			"amount name known_iban in_time", true,
		},
		"of namesakes, one said paid": {
			bankLine(), deposits(namesake, said), nil,
			"amount name in_time said_paid", false,
		},
		"of namesakes, one expired": {bankLine(), deposits(namesakeExpired, first), nil, plain, false},
		"of similar names":          {bankLine(), deposits(deposit(t, anothers("Ayşe Nur Yılmaz")), first), nil, plain, false},
		"of similar names, one expired": {
			bankLine(), deposits(deposit(t, anothers("Ayşe Nur Yılmaz"), inStatus(payment.Expired), askedIn(-time.Hour)), first), nil,
			plain, true,
		},
		"of strangers": {bankLine(), deposits(stranger, first), nil, plain, true},
		"of strangers, the other one named": {
			other, deposits(strangerOther, first), by(ayse),
			"amount name known_iban in_time", false,
		},
		"of one amount, and nobody's": {bankLine(sentBy("")), deposits(calledOff, first), nil, "amount in_time", false},
	})
}

func TestMoneyComesInTheDepositsTime(t *testing.T) {
	t.Parallel()
	one := deposits(deposit(t))
	said, expired := deposits(deposit(t, inStatus(payment.Processing))), deposits(deposit(t, inStatus(payment.Expired)))
	forever := deposits(deposit(t, func(p *payment.Payment) { p.ExpiresAt = time.Time{} }))
	slack := 20 * time.Minute // behind the booking, which is five minutes in
	const plain, late, coded = "amount name in_time", "amount name", "tracking_code amount name known_iban"
	checkMatchings(t, map[string]matching{
		"asked for after it": {
			bankLine(saying(ownCode)), deposits(deposit(t, askedIn(slack+1))), by(ayse),
			"", false,
		},
		"asked for after it, by a clock": {bankLine(), deposits(deposit(t, askedIn(slack))), nil, plain, true},
		"as its time ends":               {bankLine(bookedIn(45 * time.Minute)), one, nil, plain, true},
		"after its time":                 {bankLine(bookedIn(45*time.Minute + 1)), one, nil, late, false},
		"after its time, with the rest":  {bankLine(bookedIn(46*time.Minute), saying(ownCode)), one, by(ayse), coded, false},
		"after its time, and said paid": {
			bankLine(bookedIn(5 * time.Hour)), said, nil,
			"amount name in_time said_paid", true,
		},
		"in its time, listed after it":    {bankLine(saying(ownCode)), expired, by(ayse), coded + " in_time", false},
		"after its time, and expired":     {bankLine(bookedIn(time.Hour)), expired, nil, late, false},
		"days after, where it has no end": {bankLine(bookedIn(70 * time.Hour)), forever, nil, plain, true},
	})
}

func evidence(c wallet.MatchCandidate) string {
	words := make([]string, len(c.Evidence))
	for i, e := range c.Evidence {
		words[i] = string(e)
	}
	return strings.Join(words, " ")
}

func TestTrackingCodesAreFoundHoweverTheyAreSpoiled(t *testing.T) {
	t.Parallel()
	p := deposit(t, func(p *payment.Payment) { p.TrackingCode = "EIBAN-01K9V0HM2QR1ABCX" })
	for text, want := range map[string]bool{
		"EIBAN-01K9V0HM2QR1ABCX":                           true,
		"eiban-01k9v0hm2qr1abcx":                           true,
		"EIBAN01K9V0HM2QR1ABCX":                            true,
		"EIBAN 01K9 V0HM 2QR1 ABCX":                        true,
		"E I B A N - 0 1 K 9 V 0 H M 2 Q R 1 A B C X":      true,
		"EIBAN-01K9V0HM 2QR1ABCX":                          true, // broken at the end of a form's line
		"EIBAN-01K9V0HM\n2QR1ABCX":                         true,
		"01K9V0HM2QR1ABCX":                                 true, // without its prefix
		"EIBAN-O1K9VOHM2QR1ABCX":                           true, // O for 0
		"eiban-oik9vohm2qrlabcx":                           true, // i and l for 1
		"EİBAN-0İK9V0HM2QRıABCX":                           true, // as a Turkish keyboard has them
		"FAST 4512 /01K9V0HM2QR1ABCX/ AYŞE YILMAZ 250,00":  true,
		"GÖNDEREN AYŞE YILMAZ AÇK:eiban01k9v0hm2qr1abcxTL": true,
		"EIBAN-":                 false,
		"EIBAN":                  false,
		"":                       false,
		"EIBAN-01K9V0HM2QR1ABC":  false, // cut off
		"1K9V0HM2QR1ABCX":        false,
		"EIBAN-01K9V0HM2QR1ABCY": false, // mistyped
		"EIBAN-01K9V0HM2QR1ACBX": false,
		"EIBAN-V0HM2QR1ABCX01K9": false,
		"250,00 TL":              false,
	} {
		ranked := wallet.Sightings{Line: bankLine(saying(text)), Deposits: []payment.Payment{p}}.Match()
		if got := slices.Contains(ranked.Candidates[0].Evidence, wallet.CodeInText); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, code := range []string{"", "EIBAN-", "EIBAN"} {
		p.TrackingCode = code
		ranked := wallet.Sightings{Line: bankLine(saying("EIBAN- EIBAN")), Deposits: []payment.Payment{p}}.Match()
		if slices.Contains(ranked.Candidates[0].Evidence, wallet.CodeInText) {
			t.Errorf("%q is found", code)
		}
	}
}

// TestScoresAreAPercentageAndRanked: the best comes first; what staff are shown has something that speaks for it.
func TestScoresAreAPercentageAndRanked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSightings(t)
		ranked := s.Match().Candidates
		for i, c := range ranked {
			if c.Score < 30 || c.Score > 100 || len(c.Evidence) == 0 || i > 0 && c.Score > ranked[i-1].Score {
				t.Fatalf("%d: %+v after %+v", i, c, ranked)
			}
		}
	})
}

// drawSightings has a line and deposits that are much alike.
func drawSightings(t *rapid.T) wallet.Sightings {
	names := []string{"Ayşe Yılmaz", "Ayşe Nur Yılmaz", "Mehmet Yılmaz", ""}
	s := wallet.Sightings{Line: bankLine(
		sentBy(rapid.SampledFrom(names).Draw(t, "sender")),
		saying(rapid.SampledFrom([]string{"", ownCode, otherCode}).Draw(t, "text")),
		bringing(rapid.SampledFrom([]int64{25000, 30000}).Draw(t, "worth")),
		bookedIn(time.Duration(rapid.IntRange(0, 120).Draw(t, "booked"))*time.Minute),
	)}
	for range rapid.IntRange(0, 4).Draw(t, "deposits") {
		p := deposit(t, asking(rapid.SampledFrom([]int64{25000, 30000}).Draw(t, "amount")),
			inStatus(rapid.SampledFrom([]payment.Status{
				payment.Showing, payment.Processing, payment.Expired, payment.Canceled, payment.Completed,
			}).Draw(t, "status")),
			askedIn(time.Duration(rapid.IntRange(0, 120).Draw(t, "asked for"))*time.Minute))
		if rapid.Bool().Draw(t, "another") {
			anothers("")(&p)
		}
		p.Customer.Fullname = rapid.SampledFrom(names).Draw(t, "customer")
		s.Deposits = append(s.Deposits, p)
	}
	s.PaidFrom = rapid.SliceOfN(rapid.SampledFrom([]owner.CustomerKey{ayse, mehmet}), 0, 2).Draw(t, "paid from")
	return s
}

// TestWhatIsNeverCompletedByItself: however low the operator sets the score, money completes only an open deposit of its
// amount, in its time, whose customer the payer may be; and of two that nothing tells apart neither.
func TestWhatIsNeverCompletedByItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSightings(t)
		best, ok := s.Match().Certain(rapid.IntRange(1, 100).Draw(t, "least"))
		if !ok {
			return
		}
		p, l := best.Payment, s.Line
		isInTime := !l.BookedAt.Before(p.CreatedAt.Add(-15*time.Minute)) &&
			(p.Status == payment.Processing || !l.BookedAt.After(p.ExpiresAt.Add(15*time.Minute)))
		isPayer := owner.NameLikeness(p.Customer.Fullname, l.Party.Name) >= 60
		if l.Party.Name == "" {
			isPayer = slices.Contains(best.Evidence, wallet.KnownSender)
		}
		if !p.Amount.Equal(l.Amount) || p.Status.IsFinal() || !isInTime || !isPayer {
			t.Fatalf("%+v completes %+v: %q", l, p, best.Evidence)
		}
		twin := p
		twin.ID += "-twin"
		s.Deposits = append(s.Deposits, twin)
		if _, ok := s.Match().Certain(1); ok {
			t.Fatalf("%+v completes one of two that are alike", l)
		}
	})
}

func TestALineStandsWhereItsCandidatesPutIt(t *testing.T) {
	t.Parallel()
	const doubt = ownCode + ": amount, in_time"
	for name, c := range map[string]struct {
		state wallet.LineStatus
		line  wallet.BankLine
		want  wallet.LineStatus // empty: nothing changes
		note  string
	}{
		"certain":                 {wallet.LineUnmatched, bankLine(), wallet.LineMatched, "bank line bank-1: amount, name, in_time"},
		"certain after all":       {wallet.LineDoubtful, bankLine(), wallet.LineMatched, "bank line bank-1: amount, name, in_time"},
		"doubtful":                {wallet.LineUnmatched, bankLine(sentBy("X Y")), wallet.LineDoubtful, doubt},
		"doubtful as before":      {wallet.LineDoubtful, bankLine(sentBy("X Y")), "", ""},
		"unmatched as before":     {wallet.LineUnmatched, bankLine(sentBy("X Y"), bringing(1)), "", ""},
		"not doubtful any longer": {wallet.LineDoubtful, bankLine(sentBy("X Y"), bringing(1)), wallet.LineUnmatched, ""},
	} {
		c.line.Status, c.line.Note, c.line.Version = c.state, "before", 4
		ranked := wallet.Sightings{Line: c.line, Deposits: []payment.Payment{deposit(t)}}.Match()
		change, err := wallet.DecideMatch(aWallet(), ranked, wallet.CertainScore, machine(t))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.want == "" {
			if len(core.RowsOf[wallet.BankLine](change))+len(core.RowsOf[payment.Payment](change)) != 0 {
				t.Errorf("%s: %+v", name, change)
			}
			continue
		}
		isMatched := c.want == wallet.LineMatched
		if l := core.RowsOf[wallet.BankLine](change)[0]; l.Status != c.want || l.Note != c.note || l.Version != 5 || (l.PaymentID != "") != isMatched {
			t.Errorf("%s: %+v", name, l)
		}
		if (len(core.RowsOf[payment.Payment](change)) == 1 && core.RowsOf[payment.Payment](change)[0].Status == payment.Completed) != isMatched {
			t.Errorf("%s: %+v", name, core.RowsOf[payment.Payment](change))
		}
	}
}

func TestNamedCodes(t *testing.T) {
	t.Parallel()
	const secret = "0123456789ABCDEF"
	for text, want := range map[string][]string{
		"":                                nil,
		"havale":                          nil,
		"TPBD-" + secret:                  {"TPBD-" + secret},
		"tpbd o12345 6789abcdef n2":       {"TPBD-" + secret},
		"x TPBD" + secret[:15]:            nil,
		"TPBD-" + secret[:15] + "U":       nil, // no code has one
		"EIBAN-" + secret:                 nil, // no gateway moves it
		"CC-" + secret + " TRF-" + secret: {"CC-" + secret, "TRF-" + secret},
		secret + "CC":                     nil,
	} {
		got, isCut := wallet.NamedCodes(text)
		slices.Sort(got)
		slices.Sort(want)
		if isCut || !slices.Equal(got, want) {
			t.Errorf("%q names %q, cut: %t; want %q", text, got, isCut, want)
		}
	}
	if got, isCut := wallet.NamedCodes(strings.Repeat("CC", 200)); !isCut && len(got) > 1 || len(got) > wallet.MaxNamedCodes {
		t.Errorf("of one letter: %q, cut: %t", got, isCut)
	}
}

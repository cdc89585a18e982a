package core_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// TestWhichDepositALineCompletes: what completes by itself, and what a person has to look at. Best is what speaks for the
// first candidate; none: there is no candidate.
func TestWhichDepositALineCompletes(t *testing.T) {
	t.Parallel()
	list := func(all ...core.Payment) []core.Payment { return all }
	senders := func(all ...core.CustomerKey) []core.CustomerKey { return all }
	for name, c := range map[string]struct {
		line      core.BankLine
		deposits  []core.Payment
		paidFrom  []core.CustomerKey
		best      string
		isCertain bool
	}{
		"no deposit":      {bankLine(), nil, nil, "", false},
		"amount and name": {bankLine(), list(deposit(t)), nil, "amount name in_time", true},
		"everything": {
			bankLine(saying(ownCode)), list(deposit(t, inStatus(core.Processing))), senders(ayse),
			"tracking_code amount name known_iban in_time said_paid", true,
		},
		"the code in the sender's reference": {
			bankLine(func(l *core.BankLine) { l.EndToEnd = ownCode }), list(deposit(t)), nil, "tracking_code amount name in_time", true,
		},

		// Third parties.
		"somebody else's money": {bankLine(sentBy("MEHMET DEMİR")), list(deposit(t)), nil, "amount in_time", false},
		"somebody else's money with the code": {
			bankLine(sentBy("MEHMET DEMİR"), saying(ownCode)), list(deposit(t)), nil, "tracking_code amount in_time", false,
		},
		"somebody else's money from a known IBAN with the code": {
			bankLine(sentBy("MEHMET DEMİR"), saying(ownCode)), list(deposit(t)), senders(ayse),
			"tracking_code amount known_iban in_time", false,
		},
		"nobody's name":               {bankLine(sentBy("")), list(deposit(t)), nil, "amount in_time", false},
		"nobody's name with the code": {bankLine(sentBy(""), saying(ownCode)), list(deposit(t)), nil, "tracking_code amount in_time", false},
		"nobody's name from a known IBAN": {
			bankLine(sentBy("")), list(deposit(t, inStatus(core.Processing))), senders(ayse), "amount known_iban in_time said_paid", false,
		},
		"nobody's name from a known IBAN with the code": {
			bankLine(sentBy(""), saying(ownCode)), list(deposit(t)), senders(ayse), "tracking_code amount known_iban in_time", true,
		},

		// Amounts.
		"another amount": {bankLine(bringing(25001)), list(deposit(t)), nil, "name in_time", false},
		"another amount with everything else": {
			bankLine(bringing(24999), saying(ownCode)), list(deposit(t, inStatus(core.Processing))), senders(ayse),
			"tracking_code name known_iban in_time said_paid", false,
		},
		"one of two amounts": {bankLine(), list(deposit(t, second, asking(30000)), deposit(t)), nil, "amount name in_time", true},

		// Names that are only similar.
		"a second name": {bankLine(sentBy("AYŞE NUR YILMAZ")), list(deposit(t, inStatus(core.Processing))), nil, "amount similar_name in_time said_paid", false},
		"misspelt at the end of a long name": {
			bankLine(sentBy("AYŞE NUR GÜL FATMA YILMAZZ")), list(deposit(t, ofCustomer("Ayşe Nur Gül Fatma Yılmaz"), inStatus(core.Processing))), nil,
			"amount similar_name in_time said_paid", false,
		},
		"a second name from a known IBAN": {
			bankLine(sentBy("AYŞE NUR YILMAZ")), list(deposit(t)), senders(ayse), "amount similar_name known_iban in_time", true,
		},
		"a second name with the code": {
			bankLine(sentBy("AYŞE NUR YILMAZ"), saying(ownCode)), list(deposit(t)), nil, "tracking_code amount similar_name in_time", true,
		},
		"a masked name with the code": {
			bankLine(sentBy("AY** YIL***"), saying(ownCode)), list(deposit(t)), nil, "tracking_code amount similar_name in_time", true,
		},
		"a relative with the code": {
			bankLine(sentBy("MEHMET YILMAZ"), saying(ownCode)), list(deposit(t)), nil, "tracking_code amount in_time", false,
		},

		// Several deposits.
		"two of one customer":             {bankLine(), list(deposit(t, second), deposit(t)), nil, "amount name in_time", false},
		"two of one customer, one named":  {bankLine(saying(ownCode)), list(deposit(t, second, inStatus(core.Processing)), deposit(t)), senders(ayse), "tracking_code amount name known_iban in_time", true},
		"two of one customer, both named": {bankLine(saying(ownCode + " EIBAN-ZZZZZZZZZZZZZZZZ")), list(deposit(t, second), deposit(t)), nil, "tracking_code amount name in_time", false},
		"two of one customer, one of which expired before": {
			bankLine(), list(deposit(t), deposit(t, second, inStatus(core.Expired), askedIn(-time.Hour))), nil, "amount name in_time", true,
		},
		"two of one customer, one of which was called off": {
			bankLine(), list(deposit(t, second, inStatus(core.Canceled)), deposit(t)), nil, "amount name in_time", true,
		},
		"two of one customer, the expired one named": {
			bankLine(saying("EIBAN-ZZZZZZZZZZZZZZZZ")), list(deposit(t), deposit(t, second, inStatus(core.Expired))), nil,
			"tracking_code amount name in_time", false,
		},
		"two customers of one name":                {bankLine(), list(deposit(t, anothers("Ayşe Yılmaz")), deposit(t)), nil, "amount name in_time", false},
		"two customers of one name, one known":     {bankLine(), list(deposit(t, anothers("Ayşe Yılmaz")), deposit(t)), senders(ayse), "amount name known_iban in_time", true},
		"two customers of one name, one said paid": {bankLine(), list(deposit(t, anothers("Ayşe Yılmaz")), deposit(t, inStatus(core.Processing))), nil, "amount name in_time said_paid", false},
		"two customers of one name, one expired": {
			bankLine(), list(deposit(t, anothers("Ayşe Yılmaz"), inStatus(core.Expired)), deposit(t)), nil, "amount name in_time", false,
		},
		"two customers of one amount": {bankLine(), list(deposit(t, anothers("Mehmet Demir")), deposit(t)), nil, "amount name in_time", true},
		"another one's code": {
			bankLine(saying("EIBAN-ZZZZZZZZZZZZZZZZ")), list(deposit(t, anothers("Mehmet Demir"), asking(30000)), deposit(t)), senders(ayse),
			"amount name known_iban in_time", false,
		},
		"the IBAN of a namesake":                   {bankLine(), list(deposit(t)), senders(mehmet), "amount name in_time", false},
		"the IBAN of a namesake, with the code":    {bankLine(saying(ownCode)), list(deposit(t)), senders(mehmet), "tracking_code amount name in_time", true},
		"an IBAN that another provider knows":      {bankLine(), list(deposit(t)), senders(core.CustomerKey{ProviderID: 8, UserID: "x"}), "amount name in_time", true},
		"an IBAN that both of one household share": {bankLine(), list(deposit(t)), senders(mehmet, ayse), "amount name known_iban in_time", true},

		// Times.
		"asked for after the booking":                {bankLine(saying(ownCode)), list(deposit(t, askedIn(20*time.Minute+time.Microsecond))), senders(ayse), "", false},
		"asked for after it, by the bank's clock":    {bankLine(), list(deposit(t, askedIn(20*time.Minute))), nil, "amount name in_time", true},
		"booked as its time ends":                    {bankLine(bookedIn(45 * time.Minute)), list(deposit(t)), nil, "amount name in_time", true},
		"booked after its time":                      {bankLine(bookedIn(45*time.Minute + 1)), list(deposit(t)), nil, "amount name", false},
		"booked after its time, with the rest":       {bankLine(bookedIn(46*time.Minute), saying(ownCode)), list(deposit(t)), senders(ayse), "tracking_code amount name known_iban", false},
		"booked after its time, which was said paid": {bankLine(bookedIn(5 * time.Hour)), list(deposit(t, inStatus(core.Processing))), nil, "amount name in_time said_paid", true},
		"booked in its time, and expired":            {bankLine(saying(ownCode)), list(deposit(t, inStatus(core.Expired))), senders(ayse), "tracking_code amount name known_iban in_time", false},
		"booked late, and expired":                   {bankLine(bookedIn(time.Hour)), list(deposit(t, inStatus(core.Expired))), nil, "amount name", false},
		"never expires": {
			bankLine(bookedIn(70 * time.Hour)), list(deposit(t, func(p *core.Payment) { p.ExpiresAt = time.Time{} })), nil, "amount name in_time", true,
		},

		// What is no money of a customer's, or credited already.
		"a payment of the dealer's that came back": {
			bankLine(func(l *core.BankLine) { l.Reverses = "bank-0" }), list(deposit(t)), nil, "amount name in_time", false,
		},
		"completed":                         {bankLine(saying(ownCode)), list(deposit(t, inStatus(core.Completed))), senders(ayse), "", false},
		"nothing but the time":              {bankLine(bringing(1), sentBy("MEHMET DEMİR")), list(deposit(t)), nil, "", false},
		"nothing but a name, and not much":  {bankLine(bringing(1), sentBy("A*** Y***")), list(deposit(t, askedIn(-2*time.Hour))), nil, "", false},
		"nothing but a known IBAN in time":  {bankLine(bringing(1), sentBy("")), list(deposit(t)), senders(ayse), "known_iban in_time", false},
		"nothing but the code, in no time":  {bankLine(bringing(1), sentBy(""), saying(ownCode), bookedIn(3*time.Hour)), list(deposit(t)), nil, "tracking_code", false},
		"nothing but the amount, and again": {bankLine(sentBy("")), list(deposit(t, inStatus(core.Canceled)), deposit(t, second)), nil, "amount in_time", false},
	} {
		ranked := core.Sightings{Line: c.line, Deposits: c.deposits, PaidFrom: c.paidFrom}.Match()
		got := ""
		if len(ranked) > 0 {
			got = evidence(ranked[0])
		}
		best, isCertain := core.Certain(ranked, c.line, core.CertainScore)
		if got != c.best || isCertain != c.isCertain {
			t.Errorf("%s: %q, certain %v, want %q and %v: %+v", name, got, isCertain, c.best, c.isCertain, ranked)
		}
		if isCertain && best.Payment != ranked[0].Payment {
			t.Errorf("%s: %+v, and not the best", name, best)
		}
		if _, ok := core.Certain(ranked, c.line, 0); ok {
			t.Errorf("%s: certain although nothing is to be", name)
		}
		if _, ok := core.Certain(ranked, c.line, 101); ok {
			t.Errorf("%s: more than 100", name)
		}
	}
}

func evidence(c core.CandidateDeposit) string {
	words := make([]string, len(c.Evidence))
	for i, e := range c.Evidence {
		words[i] = string(e)
	}
	return strings.Join(words, " ")
}

func TestTrackingCodesAreFoundHoweverTheyAreSpoiled(t *testing.T) {
	t.Parallel()
	p := deposit(t, func(p *core.Payment) { p.TrackingCode = "EIBAN-01K9V0HM2QR1ABCX" })
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
		ranked := core.Sightings{Line: bankLine(saying(text)), Deposits: []core.Payment{p}}.Match()
		if got := slices.Contains(ranked[0].Evidence, core.CodeInText); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, code := range []string{"", "EIBAN-", "EIBAN"} {
		p.TrackingCode = code
		ranked := core.Sightings{Line: bankLine(saying("EIBAN- EIBAN")), Deposits: []core.Payment{p}}.Match()
		if slices.Contains(ranked[0].Evidence, core.CodeInText) {
			t.Errorf("%q is found", code)
		}
	}
}

// TestScoresAreAPercentageAndRanked: the best comes first; what staff are shown has something that speaks for it.
func TestScoresAreAPercentageAndRanked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSightings(t)
		ranked := s.Match()
		for i, c := range ranked {
			if c.Score < 30 || c.Score > 100 || len(c.Evidence) == 0 || i > 0 && c.Score > ranked[i-1].Score {
				t.Fatalf("%d: %+v after %+v", i, c, ranked)
			}
		}
	})
}

// drawSightings has a line and deposits that are much alike.
func drawSightings(t *rapid.T) core.Sightings {
	names := []string{"Ayşe Yılmaz", "Ayşe Nur Yılmaz", "Mehmet Yılmaz", ""}
	s := core.Sightings{Line: bankLine(
		sentBy(rapid.SampledFrom(names).Draw(t, "sender")), saying(rapid.SampledFrom([]string{"", ownCode, "EIBAN-ZZZZZZZZZZZZZZZZ"}).Draw(t, "text")),
		bringing(rapid.SampledFrom([]int64{25000, 30000}).Draw(t, "worth")),
		bookedIn(time.Duration(rapid.IntRange(0, 120).Draw(t, "booked"))*time.Minute),
	)}
	for range rapid.IntRange(0, 4).Draw(t, "deposits") {
		p := deposit(t, asking(rapid.SampledFrom([]int64{25000, 30000}).Draw(t, "amount")),
			inStatus(rapid.SampledFrom([]core.Status{core.Showing, core.Processing, core.Expired, core.Canceled, core.Completed}).Draw(t, "status")),
			askedIn(time.Duration(rapid.IntRange(0, 120).Draw(t, "asked for"))*time.Minute))
		if rapid.Bool().Draw(t, "another") {
			anothers("")(&p)
		}
		p.Customer.Fullname = rapid.SampledFrom(names).Draw(t, "customer")
		s.Deposits = append(s.Deposits, p)
	}
	s.PaidFrom = rapid.SliceOfN(rapid.SampledFrom([]core.CustomerKey{ayse, mehmet}), 0, 2).Draw(t, "paid from")
	return s
}

// TestWhatIsNeverCompletedByItself: however low the operator sets the score, money completes only an open deposit of its
// amount, in its time, whose customer the payer may be; and of two that nothing tells apart neither.
func TestWhatIsNeverCompletedByItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSightings(t)
		best, ok := core.Certain(s.Match(), s.Line, rapid.IntRange(1, 100).Draw(t, "least"))
		if !ok {
			return
		}
		p, l := best.Payment, s.Line
		isInTime := !l.BookedAt.Before(p.CreatedAt.Add(-15*time.Minute)) &&
			(p.Status == core.Processing || !l.BookedAt.After(p.ExpiresAt.Add(15*time.Minute)))
		isPayer := core.NameLikeness(p.Customer.Fullname, l.Party.Name) >= 60 || l.Party.Name == "" && slices.Contains(best.Evidence, core.KnownSender)
		if !p.Amount.Equal(l.Amount) || p.Status.IsFinal() || !isInTime || !isPayer {
			t.Fatalf("%+v completes %+v: %q", l, p, best.Evidence)
		}
		twin := p
		twin.ID += "-twin"
		s.Deposits = append(s.Deposits, twin)
		if _, ok := core.Certain(s.Match(), s.Line, 1); ok {
			t.Fatalf("%+v completes one of two that are alike", l)
		}
	})
}

func TestALineStandsWhereItsCandidatesPutIt(t *testing.T) {
	t.Parallel()
	const doubt = ownCode + ": amount, in_time"
	for name, c := range map[string]struct {
		state core.LineState
		line  core.BankLine
		want  core.LineState // empty: nothing changes
		note  string
	}{
		"certain":                 {core.LineUnmatched, bankLine(), core.LineMatched, "bank line bank-1: amount, name, in_time"},
		"certain after all":       {core.LineDoubtful, bankLine(), core.LineMatched, "bank line bank-1: amount, name, in_time"},
		"doubtful":                {core.LineUnmatched, bankLine(sentBy("X Y")), core.LineDoubtful, doubt},
		"doubtful as before":      {core.LineDoubtful, bankLine(sentBy("X Y")), "", ""},
		"unmatched as before":     {core.LineUnmatched, bankLine(sentBy("X Y"), bringing(1)), "", ""},
		"not doubtful any longer": {core.LineDoubtful, bankLine(sentBy("X Y"), bringing(1)), core.LineUnmatched, ""},
	} {
		c.line.State, c.line.Note, c.line.Version = c.state, "before", 4
		ranked := core.Sightings{Line: c.line, Deposits: []core.Payment{deposit(t)}}.Match()
		change, err := core.DecideMatch(wallet(), c.line, ranked, core.CertainScore, machine(t))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.want == "" {
			if len(change.BankLines)+len(change.Payments) != 0 {
				t.Errorf("%s: %+v", name, change)
			}
			continue
		}
		isMatched := c.want == core.LineMatched
		if l := change.BankLines[0]; l.State != c.want || l.Note != c.note || l.Version != 5 || (l.PaymentID != "") != isMatched {
			t.Errorf("%s: %+v", name, l)
		}
		if (len(change.Payments) == 1 && change.Payments[0].Status == core.Completed) != isMatched {
			t.Errorf("%s: %+v", name, change.Payments)
		}
	}
}

func TestOnlyALineThatWaitsForADepositIsMatched(t *testing.T) {
	t.Parallel()
	for _, s := range core.LineStates() {
		for _, direction := range []gateway.Direction{gateway.Incoming, gateway.Outgoing} {
			l := bankLine()
			l.State, l.Direction = s, direction
			isWaiting := (s == core.LineUnmatched || s == core.LineDoubtful) && direction == gateway.Incoming
			change, err := core.DecideMatch(wallet(), l, nil, core.CertainScore, machine(t))
			if isWaiting && err != nil || !isWaiting && (!fault.Is(err, fault.NotAllowed) || len(change.BankLines) != 0) {
				t.Errorf("%s %s: %+v, %v", direction, s, change, err)
			}
		}
	}
}

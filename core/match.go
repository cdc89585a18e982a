package core

import (
	"slices"
	"strings"
	"time"
)

// CandidateDeposit is an E-IBAN deposit that an incoming bank line may belong to. Score is 0 to 100; Evidence says what it is
// made of.
type CandidateDeposit struct {
	Payment  Payment
	Score    int
	Evidence []Evidence
}

// Evidence is something that speaks for a candidate.
type Evidence string

// What speaks for a candidate.
const (
	CodeInText  Evidence = "tracking_code" // the line's text names the deposit
	SameAmount  Evidence = "amount"
	SameName    Evidence = "name"         // the sender's name is the customer's
	LikeName    Evidence = "similar_name" // it is much like it
	KnownSender Evidence = "known_iban"   // the customer has paid from the sender's IBAN before
	InTime      Evidence = "in_time"      // booked while the deposit was open
	SaidPaid    Evidence = "said_paid"    // the customer says that it is paid
)

// What each piece of evidence weighs. A line that names its deposit, and one of the same amount and name in time, reach
// CertainScore; without the amount or the name it takes a code or a known sender.
const (
	codeWeight   = 60
	amountWeight = 30
	nameWeight   = 40
	senderWeight = 25
	timeWeight   = 10
	saidWeight   = 5

	likeName = 60 // percent of a name's likeness from which it is evidence

	// CertainScore completes a deposit by itself, by default.
	CertainScore = 80
	// candidateScore is the least that is shown to staff.
	candidateScore = 30
	// leadScore is by how much the best must lead: of two deposits that are much alike a person chooses.
	leadScore = 15
)

// Times of matching: money may be sent a little before the page says so, and arrive days after it.
const (
	MatchBefore = 3 * 24 * time.Hour // how long before a line's booking a deposit may have been created
	timeSlack   = 15 * time.Minute   // how far the bank's clock may be behind ours
)

// Sightings is what is known of an incoming line beyond itself.
type Sightings struct {
	Line     BankLine
	Deposits []Payment     // that were shown the wallet's account: see CandidateQuery
	PaidFrom []CustomerKey // who has paid from the sender's IBAN before
}

// Match ranks the deposits that the line may belong to, best first.
func (s Sightings) Match() []CandidateDeposit {
	var list []CandidateDeposit
	for _, p := range s.Deposits {
		if c := s.weigh(p); c.Score >= candidateScore {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b CandidateDeposit) int { return b.Score - a.Score })
	return list
}

// Certain is the deposit that the line completes by itself: it is still open, its amount is the line's, it scores at
// least `least`, and no other comes near it. Zero least: none is.
func Certain(list []CandidateDeposit, l BankLine, least int) (CandidateDeposit, bool) {
	if least <= 0 || len(list) == 0 {
		return CandidateDeposit{}, false
	}
	best := list[0]
	isFit := best.Score >= least && !best.Payment.Status.IsFinal() && best.Payment.Amount.Equal(l.Amount)
	isAlone := len(list) == 1 || best.Score-list[1].Score >= leadScore
	return best, isFit && isAlone
}

func (s Sightings) weigh(p Payment) CandidateDeposit {
	c := CandidateDeposit{Payment: p}
	add := func(is bool, e Evidence, weight int) {
		if is {
			c.Score += weight
			c.Evidence = append(c.Evidence, e)
		}
	}
	l := s.Line
	likeness := NameLikeness(p.Customer.Fullname, l.Party.Name)
	add(namesCode(l, p.TrackingCode), CodeInText, codeWeight)
	add(p.Amount.Equal(l.Amount), SameAmount, amountWeight)
	add(likeness == 100, SameName, nameWeight)
	add(likeness >= likeName && likeness < 100, LikeName, nameWeight*likeness/100)
	add(slices.Contains(s.PaidFrom, CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}), KnownSender, senderWeight)
	if c.Score == 0 {
		return c // that the time fits speaks for every deposit
	}
	isEarly := l.BookedAt.Add(timeSlack).Before(p.CreatedAt)
	isLate := !p.ExpiresAt.IsZero() && l.BookedAt.After(p.ExpiresAt.Add(timeSlack)) && p.Status != Processing
	add(!isEarly && !isLate, InTime, timeWeight)
	add(p.Status == Processing, SaidPaid, saidWeight)
	if isEarly {
		c.Score = 0 // nobody pays what was not asked for yet
	}
	c.Score = min(c.Score, 100)
	return c
}

// namesCode tells whether the line's text has the deposit's tracking code, however a bank's form has spoiled it: letters
// in lower case, dashes and spaces lost, and letters that people write for Crockford's digits.
func namesCode(l BankLine, code string) bool {
	_, secret, _ := strings.Cut(code, "-")
	return secret != "" && strings.Contains(codeText(l.Text+" "+l.EndToEnd), codeText(secret))
}

func codeText(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'O':
			return '0'
		case 'I', 'L':
			return '1'
		}
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(text))
}

// DecideMatch settles where a waiting incoming line stands by its ranked candidates: matched with the one that is
// certain, which completes, doubtful, or unmatched. Nothing is changed where it stands there already.
func DecideMatch(w Wallet, l BankLine, list []CandidateDeposit, least int, d Decision) (Changeset, error) {
	if best, ok := Certain(list, l, least); ok {
		d.Reason = "bank line " + l.LineID + ": " + best.words()
		return DecideCredit(w, l, best.Payment, d)
	}
	state, note := LineUnmatched, ""
	if len(list) > 0 {
		state, note = LineDoubtful, list[0].Payment.TrackingCode+": "+list[0].words()
	}
	if l.State == state {
		return Changeset{}, nil
	}
	l.Version++
	l.State, l.Note = state, note
	return Changeset{BankLines: []BankLine{l}}, nil
}

func (c CandidateDeposit) words() string {
	list := make([]string, len(c.Evidence))
	for i, e := range c.Evidence {
		list[i] = string(e)
	}
	return strings.Join(list, ", ")
}

package wallet

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// MatchCandidate is an E-IBAN deposit that an incoming bank line may belong to. Score is 0 to 100; Evidence says what it
// is made of.
type MatchCandidate struct {
	Payment  payment.Payment
	Score    int
	Evidence []Evidence
	Credit   *payment.Credit // of a deposit that staff credited before its money came: the line may be that money
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

// What each piece of evidence weighs. Amount, name and time reach CertainScore together. A name that is only similar does
// not, with everything else that a stranger's line may have: it takes a tracking code or a known sender.
const (
	codeWeight   = 60
	amountWeight = 30
	nameWeight   = 40
	likeWeight   = 30 // of a name that is wholly similar
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
	Deposits []payment.Payment   // that were shown the wallet's account: see CandidateQuery
	Awaiting []Awaited           // those that staff credited before their money came: they are first in line for it
	PaidFrom []owner.CustomerKey // who has paid from the sender's IBAN before
}

// Awaited is a deposit that staff credited before its money came.
type Awaited struct {
	Payment payment.Payment
	Credit  payment.Credit
}

// RankedLine is an incoming line with the deposits that it may belong to, best first. Whoever credits from a line brings it: it
// says whose money the line may be besides.
type RankedLine struct {
	Line       BankLine
	Candidates []MatchCandidate
}

// Match ranks the deposits that the line may belong to.
func (s Sightings) Match() RankedLine {
	var list []MatchCandidate
	text := codeText(s.Line.Text + " " + s.Line.EndToEndID)
	for _, p := range s.Deposits {
		if c := s.weigh(p, p.Amount, text); c.Score >= candidateScore && p.Status != payment.Completed { // nothing is paid twice
			list = append(list, c)
		}
	}
	for _, a := range s.Awaiting {
		if a.Payment.Amount.IsZero() {
			continue // corrected to nothing: it waits for no money
		}
		if c := s.weigh(a.Payment, a.Payment.Amount, text); c.Score >= candidateScore {
			c.Credit = &a.Credit
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b MatchCandidate) int { return b.rank() - a.rank() })
	return RankedLine{Line: s.Line, Candidates: list}
}

// weigh gathers what speaks for a deposit. That the time fits speaks for every deposit, and so for none by itself.
func (s Sightings) weigh(p payment.Payment, amount money.Amount, text string) MatchCandidate {
	c, l := MatchCandidate{Payment: p}, s.Line
	if l.BookedAt.Add(timeSlack).Before(p.CreatedAt) {
		return c // nobody pays what was not asked for yet
	}
	likeness := owner.NameLikeness(p.Customer.Fullname, l.Party.Name)
	c.add(namesCode(text, p.TrackingCode), CodeInText, codeWeight)
	c.add(amount.Equal(l.Amount), SameAmount, amountWeight)
	c.add(likeness == 100, SameName, nameWeight)
	c.add(likeness >= likeName && likeness < 100, LikeName, likeWeight*likeness/100)
	customer := customerOf(p)
	isOfProvider := func(k owner.CustomerKey) bool { return k.ProviderID == customer.ProviderID }
	switch {
	case slices.Contains(s.PaidFrom, customer):
		c.add(true, KnownSender, senderWeight)
	case likeness >= likeName && slices.ContainsFunc(s.PaidFrom, isOfProvider):
		c.Score -= senderWeight // the IBAN is another customer's of the provider: this one may be a namesake
	}
	if c.Score <= 0 {
		return c
	}
	isLate := p.Status != payment.Processing && p.Status != payment.Completed && !p.ExpiresAt.IsZero() && l.BookedAt.After(p.ExpiresAt.Add(timeSlack))
	c.add(!isLate, InTime, timeWeight)
	c.add(p.Status == payment.Processing, SaidPaid, saidWeight)
	c.Score = min(c.Score, 100)
	return c
}

func customerOf(p payment.Payment) owner.CustomerKey {
	return owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}
}

func (c *MatchCandidate) add(is bool, e Evidence, weight int) {
	if is {
		c.Score += weight
		c.Evidence = append(c.Evidence, e)
	}
}

func (c MatchCandidate) has(e Evidence) bool { return slices.Contains(c.Evidence, e) }

// rank orders candidates: by score, and of the same score those that the text names first, and then the open ones.
func (c MatchCandidate) rank() int {
	rank := 4 * c.Score
	if c.has(CodeInText) {
		rank += 2
	}
	if !c.Payment.Status.IsFinal() {
		rank++
	}
	return rank
}

// Certain is the deposit that the line credits by itself, or whose staff member's word it brings the money for: the best of
// those that Match ranked, when it may be settled so, scores at least `least`, and leads all others. Zero least: none is.
// Those that wait for their money come before all others: while there is one among them, no other is certain.
func (r RankedLine) Certain(least int) (MatchCandidate, bool) {
	list := r.Candidates
	words := slices.DeleteFunc(slices.Clone(list), func(c MatchCandidate) bool { return c.Credit == nil })
	if len(words) > 0 {
		list = words
	}
	if least <= 0 || len(list) == 0 || r.Line.WasDoubtful {
		return MatchCandidate{}, false
	}
	best := list[0]
	isRivalled := slices.ContainsFunc(list[1:], func(other MatchCandidate) bool { return !best.leads(other) })
	return best, best.Score >= least && best.isSafe(r.Line) && !isRivalled
}

// keptFor returns the deposit that staff credited before its money came, and that the line is just what was awaited for, or
// names: it credits nobody else. ok is false where there is none, or where it is the given one that waits.
func (r RankedLine) keptFor(given core.ID) (kept payment.Payment, ok bool) {
	for _, c := range r.Candidates {
		switch {
		case c.Credit == nil:
		case c.Payment.ID == given:
			return payment.Payment{}, false
		case (c.isSafe(r.Line) || c.has(CodeInText)) && !ok:
			kept, ok = c.Payment, true
		}
	}
	return kept, ok
}

// isSafe reports whether the line may complete the deposit without a person, whatever the score: it is still open, the line
// brought exactly its amount in its time, and the payer is its customer, as far as the bank tells.
//
// The text alone says for which deposit the money is meant, and not whose money it is. Money of a third party, even with
// the right code, is for staff: taking it blindly is how money is laundered. So is money that the bank sends back.
func (c MatchCandidate) isSafe(l BankLine) bool {
	isNameless := len(owner.NameParts(l.Party.Name)) == 0
	isCustomers := c.has(SameName) || c.has(LikeName) || isNameless && c.has(KnownSender)
	isOpen := !c.Payment.Status.IsFinal() || c.Credit != nil
	return isOpen && isCustomers && c.has(InTime) && c.has(SameAmount) && l.ReversesLineID == ""
}

// leads reports whether nobody has to choose between the deposit and a worse one: the text names this one alone, or the
// other was the same customer's, who has tried again, or this one scores much better.
func (c MatchCandidate) leads(other MatchCandidate) bool {
	isNamed := c.has(CodeInText)
	if isNamed != other.has(CodeInText) {
		return isNamed
	}
	isTriedAgain := other.Payment.Status.IsFinal() && customerOf(other.Payment) == customerOf(c.Payment)
	return isTriedAgain || c.Score-other.Score >= leadScore
}

// namesCode reports whether a line's codeText has the deposit's tracking code, with or without its prefix. A part of it is
// no match: what is cut off may be of another deposit.
func namesCode(text, code string) bool {
	_, secret, _ := strings.Cut(code, "-")
	return secret != "" && strings.Contains(text, codeText(secret))
}

// codeText is what is left of a text to find codes in, however a bank's form has spoiled them: in upper case, without
// dashes and spaces, and with Crockford's digits for the letters that people write for them.
func codeText(text string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToUpper(r); {
		case r == 'O':
			return '0'
		case r == 'I', r == 'L', r == 'İ':
			return '1'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return -1
		}
	}, text)
}

// DecideMatch settles where a waiting incoming line stands by its candidates: matched with the one that is
// certain, which completes, doubtful, or unmatched. Nothing is changed where it stands there already. Faults: NotAllowed
// (the line waits for no deposit), those of DecideCredit.
func DecideMatch(w Wallet, r RankedLine, least int, d payment.Decision) (core.Changeset, error) {
	l := r.Line
	if !l.MayCredit() {
		return core.Changeset{}, fault.New("core.DecideMatch", fault.NotAllowed, string(l.Status))
	}
	if best, ok := r.Certain(least); ok {
		d.Reason = "bank line " + l.LineID + ": " + best.words()
		return DecideCredit(w, r, best.Payment, best.credits(), d)
	}
	state, note := LineUnmatched, ""
	if len(r.Candidates) > 0 {
		best := r.Candidates[0]
		state, note = LineDoubtful, best.Payment.TrackingCode+": "+best.words()
	}
	if l.Status == state {
		return core.Changeset{}, nil
	}
	l.Version++
	l.Status, l.Note = state, note
	l.WasDoubtful = l.WasDoubtful || state == LineDoubtful
	return core.Changeset{l}, nil
}

func (c MatchCandidate) credits() []payment.Credit {
	if c.Credit == nil {
		return nil
	}
	return []payment.Credit{*c.Credit}
}

func (c MatchCandidate) words() string {
	list := make([]string, len(c.Evidence))
	for i, e := range c.Evidence {
		list[i] = string(e)
	}
	return strings.Join(list, ", ")
}

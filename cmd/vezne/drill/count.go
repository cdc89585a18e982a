package drill

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core/money"
)

// Order is what a caller asked for under one key, and what the caller was answered.
type Order struct {
	Kind     Kind
	Key      string // the Idempotency-Key
	Amount   money.Amount
	Codes    []string // tracking codes: a second one where the caller has repeated the call after the restore
	IsBefore bool     // it was answered before the backup began
	IsTold   bool     // staff have compared what remains, and told its caller that it was paid
}

// Stored is what the restored books have of a payment in the end.
type Stored struct {
	Status  string
	IsFinal bool
	Amount  string
}

func (s Stored) isPaid() bool { return s.Status == "completed" || s.Status == "success" }

// Movement is money that moved: at a gateway, on a wallet's account, or by hand.
type Movement struct {
	Key      string // of its order; empty: nobody's
	Where    string
	Amount   string
	IsOut    bool
	HasLine  bool // the books have the line of the bank's statement
	IsRemain bool // what remains has led staff to it
}

// Letter is a callback as it arrived.
type Letter struct {
	Code, ID, Status string
	IsMarked         bool // with restored_to
	At               time.Time
}

// World is what there is when all has come to an end.
type World struct {
	Orders    []Order
	Stored    map[string]Stored // by tracking code; what is not there is not in it
	Movements []Movement
	Letters   []Letter
	SentAgain []string // payouts that the gateway was asked for again, under the same reference
}

// Result is what the comparison has found.
type Result struct {
	Answered      int // orders that were answered
	Lost, Doubled int
	Findings      []string // a sentence for each that is lost or doubled, at most maxFindings

	Known, Told, Repeated int          // payments that are not there any more: their callers knew the end, were told, have repeated the call
	OnlyOutside           int          // movements that no payment in the books is paid with
	OnlyOutsideSum        money.Amount // of these
	Marked                int          // callbacks that came with restored_to
}

const maxFindings = 20

// Count compares what callers were answered, what moved, and what receivers got, with the books after the restore.
//
// Lost is: a payment that was answered before the backup and is not there; one of which the books say something else than its receiver
// was told, or which has no end; one that is gone and whose caller neither knows its end nor was told it; and money that moved and is
// neither in the books nor among what remains. In the books it is as a payment that is paid with that amount, or as a line of the
// bank's statement. Doubled is: an order for which money left twice, a payout that the gateway was asked for again, an order that the
// books have paid twice or without money, and a callback about a payment that its receiver knew the end of, which does not say that
// it may be a repeat.
func Count(w World) Result {
	r := Result{OnlyOutsideSum: money.New(0, money.TRY)}
	lost := func(format string, args ...any) { r.Lost++; r.note(format, args...) }
	doubled := func(format string, args ...any) { r.Doubled++; r.note(format, args...) }

	letters := make(map[string][]Letter)
	for _, l := range w.Letters {
		letters[l.Code] = append(letters[l.Code], l)
		if l.IsMarked {
			r.Marked++
		}
	}
	moved := make(map[string][]Movement)
	for _, m := range w.Movements {
		moved[m.Key] = append(moved[m.Key], m)
	}
	for _, m := range moved[""] {
		lost("%s of %s moved, and is nobody's", m.Amount, m.Where)
	}
	for _, reference := range w.SentAgain {
		doubled("the gateway was asked again for the payout %s", reference)
	}
	for _, o := range w.Orders {
		if len(o.Codes) == 0 {
			continue
		}
		r.Answered++
		paid, ends := 0, 0
		for _, code := range o.Codes {
			told := slices.SortedFunc(slices.Values(letters[code]), func(a, b Letter) int { return a.At.Compare(b.At) })
			s, isThere := w.Stored[code]
			for i, l := range told {
				if i > 0 && !l.IsMarked && l.ID != told[0].ID {
					doubled("%s was told again as %s, and not as what may be a repeat", code, l.Status)
				}
			}
			if isThere && s.isPaid() {
				paid++
			}
			if len(told) > 0 {
				ends++
				if said := told[len(told)-1].Status; isThere && s.Status != said {
					lost("%s was told as %s and is %s", code, said, s.Status)
				}
			}
			if isThere && !s.IsFinal {
				lost("%s is %s, and does not end", code, s.Status)
			}
		}
		switch _, isThere := w.Stored[o.Codes[len(o.Codes)-1]]; {
		case !isThere && o.IsBefore:
			lost("%s was answered before the backup, and is not there", o.Codes[0])
		case !isThere && ends > 0:
			r.Known++
		case !isThere && o.IsTold:
			r.Told++
		case !isThere:
			lost("%s is not there, and nobody knows what became of it", o.Codes[0])
		case len(o.Codes) > 1:
			r.Repeated++
		}
		if ends > 1 {
			doubled("%s was told as ended under %d tracking codes", o.Key, ends)
		}
		movements := moved[o.Key]
		if paid > len(movements) {
			doubled("%s of %s is paid %d times in the books, and money moved %d times", o.Amount, o.Codes[0], paid, len(movements))
		}
		if len(movements) > 1 {
			doubled("money of %s moved %d times", o.Codes[0], len(movements))
		}
		for _, m := range movements {
			isBooked := slices.ContainsFunc(o.Codes, func(code string) bool { s := w.Stored[code]; return s.isPaid() && s.Amount == m.Amount })
			if isBooked {
				continue
			}
			if !m.HasLine && !m.IsRemain {
				lost("%s of %s moved (%s), and is neither in the books nor among what remains", m.Amount, o.Codes[0], m.Where)
			}
			r.OnlyOutside++
			r.OnlyOutsideSum = money.New(r.OnlyOutsideSum.Minor()+o.Amount.Minor(), money.TRY)
		}
	}
	slices.SortFunc(r.Findings, cmp.Compare[string])
	return r
}

func (r *Result) note(format string, args ...any) {
	if len(r.Findings) < maxFindings {
		r.Findings = append(r.Findings, fmt.Sprintf(format, args...))
	}
}

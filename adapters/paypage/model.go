package paypage

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/vezne/vezne/adapters/paypage/format"
	"github.com/vezne/vezne/adapters/qrcode"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

func phaseOf(v payments.View) phase {
	p := v.Payment
	switch p.Status {
	case payment.Showing:
		if !p.ExpiresAt.IsZero() && !v.Now.Before(p.ExpiresAt) {
			return phaseExpired
		}
		if p.Account.AccountID == 0 {
			return phaseAmount
		}
		return phasePay
	case payment.Processing:
		if p.IsOverdue(v.Now) {
			return phaseLate
		}
		return phaseChecking
	case payment.Completed:
		return phaseCompleted
	case payment.Expired:
		return phaseExpired
	default:
		return phaseCanceled
	}
}

// formPhase is phaseOf with the wish to change the amount, which counts only while an account is on offer.
func formPhase(r *http.Request, v payments.View) phase {
	p := phaseOf(v)
	if p == phasePay && r.URL.Query().Get("step") == string(phaseAmount) {
		return phaseAmount
	}
	return p
}

// page is what the templates of a deposit to an account show.
type page struct {
	frame
	Low, High money.Amount
	HasRange  bool
	Problem   format.Problem
	Typed     string // the amount field's content
}

func (h *handler) newPage(r *http.Request, v payments.View) page {
	shown := formPhase(r, v)
	p := page{frame: h.newFrame(r.URL.Query(), v.Payment, v.Now, shown), Low: v.Low, High: v.High, HasRange: v.HasRange}
	if shown == phaseAmount || shown == phasePay {
		p.EndsAt = v.Payment.ExpiresAt
	}
	if shown != phaseAmount {
		return p
	}
	// The amount form stays the same for as long as an amount may be chosen, so that nothing is swapped under somebody's
	// fingers.
	p.Key, p.query = string(phaseAmount), url.Values{"step": {string(phaseAmount)}}
	p.Typed = p.Plain(v.Payment.Amount)
	query := r.URL.Query()
	if why := format.Problem(query.Get("problem")); slices.Contains(format.Problems(), why) {
		p.Problem, p.Typed = why, cut(query.Get("amount"))
	}
	return p
}

// shell is the name of the template of what the page shows.
func (p page) shell() string {
	if p.Phase == phaseLate {
		return string(phaseChecking)
	}
	return string(p.Phase)
}

// ChangeURL is the amount form.
func (p page) ChangeURL() string {
	return address(p.Payment.Token, "", p.chosen, url.Values{"step": {string(phaseAmount)}})
}

// GroupedIBAN is the offered IBAN for reading.
func (p page) GroupedIBAN() string { return iban.Grouped(p.Payment.Account.IBAN) }

// Facts are the offered account, and for an E-IBAN deposit what its line is found by.
func (p page) Facts() []fact {
	a := p.Payment.Account
	facts := []fact{
		{Label: p.T("pay.iban"), Value: p.GroupedIBAN(), Class: "iban", Copy: new(p.Copy("pay.iban", a.IBAN))},
		{Label: p.T("pay.holder"), Value: a.Holder, Copy: new(p.Copy("pay.holder", a.Holder))},
		{Label: p.T("pay.bank"), Value: a.BankName},
	}
	if p.isMatched() {
		facts = append(facts, fact{Label: p.T("details.reference"), Value: p.Payment.TrackingCode, Copy: new(p.Copy("details.reference", p.Payment.TrackingCode))})
	}
	return facts
}

// isMatched reports whether the bank's lines are read: a tracking code in the description names the payment there.
func (p page) isMatched() bool { return p.Payment.Method == payment.EIBANDeposit }

// NoteHint says what to write in the description: the code that a line is matched by, or nothing where people look.
func (p page) NoteHint() string {
	if p.isMatched() {
		return p.T("pay.hint.code")
	}
	return p.T("pay.hint.note")
}

// picture is a QR code with what it is for.
type picture struct {
	Code        qrcode.Code
	Label, Hint string
	IsFirst     bool // it is what most pay by, on whatever device
}

// QR draws the offered IBAN, for who pays from another device.
func (p page) QR() (picture, error) {
	code, err := qrcode.Draw(p.Payment.Account.IBAN)
	return picture{Code: code, Label: p.T("pay.qr"), Hint: p.T("pay.qr.hint")}, err
}

// IsChange reports whether the amount form changes the amount of an offer.
func (p page) IsChange() bool { return p.Phase == phaseAmount && p.Payment.Account.AccountID != 0 }

// ProblemText is the sentence of the amount's problem.
func (p page) ProblemText() string {
	switch {
	case p.Problem == format.Ambiguous:
		return p.T("problem.ambiguous", p.Typed)
	case p.Problem != format.NoAccount && p.Problem != format.TooSmall:
		return p.T("problem." + string(p.Problem))
	case !p.HasRange:
		return p.T("problem.closed")
	default:
		return p.T("problem."+string(p.Problem), p.Money(p.Low), p.Money(p.High))
	}
}

// IsClosed reports whether no account takes any amount now.
func (p page) IsClosed() bool { return !p.HasRange && !p.IsChange() }

// IsLate reports whether checking takes longer than the payment's own time.
func (p page) IsLate() bool { return p.Phase == phaseLate }

// Refusal is why a gateway refused: none was there.
func (p page) Refusal() string { return "" }

// HasDetails reports whether the customer was shown where to pay.
func (p page) HasDetails() bool { return p.Payment.Account.AccountID != 0 }

// Steps returns how far the payment has come.
func (p page) Steps() []step {
	current := map[phase]int{phasePay: 1, phaseChecking: 2, phaseLate: 2}[p.Phase]
	return stepsTo(current, "steps.amount", "steps.pay", "steps.checking")
}

// DescribedBy lists the ids of what describes the amount field.
func (p page) DescribedBy() string {
	var ids []string
	if p.Problem != format.NoProblem {
		ids = append(ids, "why")
	}
	if p.HasRange {
		ids = append(ids, "hint")
	}
	return strings.Join(ids, " ")
}

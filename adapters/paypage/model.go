package paypage

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/deposit"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// phase is what the customer is shown: a payment's status, parted where it matters on the page. Each has its template.
type phase string

// Phases.
const (
	phaseAmount    phase = "amount"    // no account offered yet, or the amount is being changed
	phasePay       phase = "pay"       // an account is offered
	phaseChecking  phase = "checking"  // the customer says that it is paid
	phaseLate      phase = "late"      // and waits beyond the payment's time
	phaseCompleted phase = "completed" // the money arrived
	phaseCanceled  phase = "canceled"
	phaseExpired   phase = "expired" // by its status, or by the clock and the status is about to follow
)

func phaseOf(v deposit.View) phase {
	p := v.Payment
	switch p.Status {
	case core.Showing:
		if !p.ExpiresAt.IsZero() && !v.Now.Before(p.ExpiresAt) {
			return phaseExpired
		}
		if p.Account.AccountID == 0 {
			return phaseAmount
		}
		return phasePay
	case core.Processing:
		if p.IsOverdue(v.Now) {
			return phaseLate
		}
		return phaseChecking
	case core.Completed:
		return phaseCompleted
	case core.Expired:
		return phaseExpired
	default:
		return phaseCanceled
	}
}

// formPhase is phaseOf with the wish to change the amount, which counts only while an account is on offer.
func formPhase(r *http.Request, v deposit.View) phase {
	p := phaseOf(v)
	if p == phasePay && r.URL.Query().Get("step") == string(phaseAmount) {
		return phaseAmount
	}
	return p
}

// key names what the page shows: the script fetches the page again when it changes. The amount form stays the same for
// as long as an amount may be chosen, so that nothing is swapped under somebody's fingers.
func key(shown phase, p core.Payment) string {
	if shown == phaseAmount {
		return string(phaseAmount)
	}
	return string(shown) + "." + strconv.Itoa(p.Version)
}

// Seconds between the page's own reloads where there is no script; the amount form is never reloaded.
var refreshSeconds = map[phase]int{phasePay: 15, phaseChecking: 5, phaseLate: 15, phaseExpired: 5}

// words is a language with what formats in it; every page has it.
type words struct {
	Lang lang.Tag
	zone *time.Location
}

// T gives a sentence; an unknown key fails the page, which tests would see.
func (w words) T(key string, args ...any) (string, error) { return sentence(w.Lang, key, args...) }

// Money writes an amount for reading.
func (w words) Money(a money.Amount) string { return formatAmount(a, w.Lang) }

// Plain writes an amount for typing or pasting.
func (w words) Plain(a money.Amount) string { return plainAmount(a, w.Lang) }

// Moment writes a moment with its zone.
func (w words) Moment(at time.Time) string { return formatMoment(at.In(w.zone), w.Lang) }

// page is what the templates of phases show.
type page struct {
	words
	deposit.View
	Phase   phase
	Key     string
	Notice  notice
	Problem problem
	Typed   string // the amount field's content
	Refresh int    // seconds; 0: never
	Assets  *assets

	chosen lang.Tag
}

func (h *handler) newPage(r *http.Request, v deposit.View) page {
	chosen := chosenLanguage(r)
	shown := formPhase(r, v)
	p := page{
		words: words{Lang: language(chosen, v.Payment), zone: h.Zone}, View: v,
		Phase: shown, Key: key(shown, v.Payment), Assets: h.assets, chosen: chosen,
	}
	query := r.URL.Query()
	if n := notice(query.Get("notice")); slices.Contains(notices, n) {
		p.Notice = n
	}
	if shown == phaseAmount {
		p.Typed = p.Plain(v.Payment.Amount)
		if why := problem(query.Get("problem")); slices.Contains(problems, why) {
			p.Problem, p.Typed = why, cut(query.Get("amount"))
		}
	}
	if p.IsLive() {
		p.Refresh = refreshSeconds[shown]
	}
	return p
}

// IsLive tells whether the page is still waiting for something.
func (p page) IsLive() bool { return !p.Payment.Status.IsFinal() }

// Self is the page's own address, without what is said only once.
func (p page) Self() string { return address(p.Payment.Token, "", p.chosen, p.query()) }

// StateURL is where the script asks for the state of what this page shows.
func (p page) StateURL() string { return address(p.Payment.Token, "state", p.chosen, p.query()) }

// PayURL is the page without the wish to change the amount.
func (p page) PayURL() string { return address(p.Payment.Token, "", p.chosen, nil) }

// ChangeURL is the amount form.
func (p page) ChangeURL() string {
	return address(p.Payment.Token, "", p.chosen, url.Values{"step": {string(phaseAmount)}})
}

// Action is where a form goes.
func (p page) Action(name string) string { return address(p.Payment.Token, name, p.chosen, nil) }

// Other is the other language, and OtherURL this page in it.
func (p page) Other() lang.Tag {
	if p.Lang == lang.EN {
		return lang.TR
	}
	return lang.EN
}

// OtherURL is this page in the other language.
func (p page) OtherURL() string { return address(p.Payment.Token, "", p.Other(), p.query()) }

func (p page) query() url.Values {
	if p.Phase == phaseAmount {
		return url.Values{"step": {string(phaseAmount)}}
	}
	return nil
}

// Initial is the first letter of the site's name, as its mark.
func (p page) Initial() string {
	_, size := utf8.DecodeRuneInString(p.Payment.SiteName)
	first := p.Payment.SiteName[:size]
	if p.Lang == lang.TR {
		return strings.ToUpperSpecial(unicode.TurkishCase, first)
	}
	return strings.ToUpper(first)
}

// GroupedIBAN is the offered IBAN for reading.
func (p page) GroupedIBAN() string { return iban.Grouped(p.Payment.Account.IBAN) }

// QR draws the offered IBAN.
func (p page) QR() (qrCode, error) { return newQR(p.Payment.Account.IBAN) }

// HasClock tells whether time is running out.
func (p page) HasClock() bool {
	return (p.Phase == phaseAmount || p.Phase == phasePay) && !p.Payment.ExpiresAt.IsZero()
}

// Left is the remaining time for reading, and LeftMS for the script, in milliseconds.
func (p page) Left() string { return formatLeft(p.Payment.ExpiresAt.Sub(p.Now)) }

// LeftMS is the remaining time in milliseconds.
func (p page) LeftMS() int64 { return p.Payment.ExpiresAt.Sub(p.Now).Milliseconds() }

// Until is the end of the time: the hour is enough when it is today.
func (p page) Until() string {
	end, now := p.Payment.ExpiresAt.In(p.zone), p.Now.In(p.zone)
	if core.DayOf(end, p.zone) == core.DayOf(now, p.zone) {
		return end.Format("15:04 ") + gmt(end)
	}
	return formatMoment(end, p.Lang)
}

// Differs tells whether another amount arrived than was asked for first.
func (p page) Differs() bool { return !p.Payment.Amount.Equal(p.Payment.Requested) }

// IsChange tells whether the amount form changes the amount of an offer.
func (p page) IsChange() bool { return p.Phase == phaseAmount && p.Payment.Account.AccountID != 0 }

// ProblemText is the sentence of the amount's problem.
func (p page) ProblemText() (string, error) {
	switch {
	case p.Problem == problemAmbiguous:
		return p.T("problem.ambiguous", p.Typed)
	case p.Problem != problemNoAccount && p.Problem != problemSmall:
		return p.T("problem." + string(p.Problem))
	case !p.HasRange:
		return p.T("problem.closed")
	default:
		return p.T("problem."+string(p.Problem), p.Money(p.Low), p.Money(p.High))
	}
}

// IsClosed tells whether no account takes any amount now.
func (p page) IsClosed() bool { return !p.HasRange && !p.IsChange() }

// IsLate tells whether checking takes longer than the payment's own time.
func (p page) IsLate() bool { return p.Phase == phaseLate }

// copying is a button that copies a text.
type copying struct{ Verb, What, Text string }

// Copy is the button for a text that the sentence of a key names.
func (p page) Copy(key, text string) (copying, error) {
	verb, err := p.T("copy")
	if err != nil {
		return copying{}, err
	}
	what, err := p.T(key)
	return copying{Verb: verb, What: what, Text: text}, err
}

// step is one of the three that a payment goes through.
type step struct {
	Key               string
	IsDone, IsCurrent bool
}

// Steps tells how far the payment has come.
func (p page) Steps() []step {
	current := map[phase]int{phasePay: 1, phaseChecking: 2, phaseLate: 2}[p.Phase]
	steps := []step{{Key: "steps.amount"}, {Key: "steps.pay"}, {Key: "steps.checking"}}
	for i := range steps {
		steps[i].IsDone, steps[i].IsCurrent = i < current, i == current
	}
	return steps
}

// DescribedBy lists the ids of what describes the amount field.
func (p page) DescribedBy() string {
	var ids []string
	if p.Problem != noProblem {
		ids = append(ids, "why")
	}
	if p.HasRange {
		ids = append(ids, "hint")
	}
	return strings.Join(ids, " ")
}

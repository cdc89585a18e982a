package paypage

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/adapters/paypage/format"
	"github.com/vezne/vezne/adapters/paypage/sentences"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// phase is what the customer is shown: a payment's status, parted where it matters on the page.
type phase string

// Phases of payments to an account of the dealer's.
const (
	phaseAmount   phase = "amount"   // no account offered yet, or the amount is being changed
	phasePay      phase = "pay"      // an account is offered
	phaseChecking phase = "checking" // the customer says that it is paid, or a gateway is asked
	phaseLate     phase = "late"     // and waits beyond the payment's time
)

// Phases in which every payment may end.
const (
	phaseCompleted phase = "completed" // the money arrived
	phaseCanceled  phase = "canceled"
	phaseExpired   phase = "expired" // by its status, or by the clock and the status is about to follow
)

// Phases of payments that a gateway moves.
const (
	phaseCard     phase = "card"     // by card, nothing under way
	phasePick     phase = "pick"     // a way to pay is to be picked
	phaseNone     phase = "none"     // no gateway takes it now
	phaseAway     phase = "away"     // the customer is to go on at the gateway's own page
	phaseBack     phase = "back"     // came back from there, and the gateway has not said what came of it
	phaseAsking   phase = "asking"   // whether the gateway took it is not known yet
	phaseDetails  phase = "details"  // what to pay by hand
	phaseLapsed   phase = "lapsed"   // those details are over, the payment is not
	phaseSeen     phase = "seen"     // the gateway saw money
	phaseHeld     phase = "held"     // the money does not fit: staff decide
	phaseFailed   phase = "failed"   // cards
	phaseRefunded phase = "refunded" // cards
)

// refreshSeconds is how often the page reloads itself where there is no script; a form is never reloaded.
func (p phase) refreshSeconds() int {
	switch p {
	case phaseChecking, phaseBack, phaseAsking, phaseExpired:
		return 5
	case phasePay, phaseLate, phaseAway, phaseDetails, phaseLapsed, phaseSeen, phaseHeld, phaseNone:
		return 15
	default:
		return 0
	}
}

// words is a language with what formats in it; every page has it.
type words struct {
	Lang lang.Tag
	zone *time.Location
}

// T returns a sentence; an unknown key fails the page, which tests would see.
func (w words) T(key string, args ...any) string { return sentences.Say(w.Lang, key, args...) }

// Money writes an amount for reading.
func (w words) Money(a money.Amount) string { return format.Amount(a, w.Lang) }

// Plain writes an amount for typing or pasting.
func (w words) Plain(a money.Amount) string { return format.PlainAmount(a, w.Lang) }

// Moment writes a moment with its zone.
func (w words) Moment(at time.Time) string { return format.Moment(at.In(w.zone), w.Lang) }

// frame is what every page about a payment has.
type frame struct {
	words
	Payment payment.Payment
	Now     time.Time
	Phase   phase
	Key     string // names what the page shows: the script fetches the page again when it changes
	Notice  notice
	Refresh int       // seconds; 0: never
	EndsAt  time.Time // what the clock counts down to; zero: no clock
	Assets  *assets
	Brand   owner.Brand
	Usual   time.Duration // within which deposits like this one, which is being checked, are decided; 0: not known

	chosen lang.Tag
	query  url.Values // what leads to this very page
}

// newFrame is the frame of a phase, before what depends on it.
func (h *handler) newFrame(query url.Values, p payment.Payment, now time.Time, shown phase) frame {
	chosen := languageIn(query)
	f := frame{
		words: words{Lang: language(chosen, p), zone: h.Zone}, Payment: p, Now: now, Phase: shown,
		Key: string(shown) + "." + strconv.Itoa(p.Version), Assets: h.assets, chosen: chosen,
	}
	if n := notice(query.Get("notice")); slices.Contains(notices, n) {
		f.Notice = n
	}
	if f.IsLive() {
		f.Refresh = shown.refreshSeconds()
	}
	return f
}

// IsLive reports whether the page is still waiting for something.
func (f frame) IsLive() bool { return !f.Payment.Status.IsFinal() }

// IsCard reports whether the payment is one by card.
func (f frame) IsCard() bool { return f.Payment.Method.Kind() == payment.Card }

// Class is the page's own among the style's classes.
func (f frame) Class() string { return string(f.Phase) }

// Self is the page's own address, without what is said only once.
func (f frame) Self() string { return address(f.Payment.Token, "", f.chosen, f.query) }

// StateURL is where the script asks for the state of what this page shows.
func (f frame) StateURL() string { return address(f.Payment.Token, "state", f.chosen, f.query) }

// PayURL is the page without any wish of the customer's.
func (f frame) PayURL() string { return address(f.Payment.Token, "", f.chosen, nil) }

// Action is where a form goes.
func (f frame) Action(name string) string { return address(f.Payment.Token, name, f.chosen, nil) }

// Other is the other language, and OtherURL this page in it.
func (f frame) Other() lang.Tag {
	if f.Lang == lang.EN {
		return lang.TR
	}
	return lang.EN
}

// OtherURL is this page in the other language.
func (f frame) OtherURL() string { return address(f.Payment.Token, "", f.Other(), f.query) }

// ReturnURL is where the customer goes on: an address that the site has allowed. It is checked again: nothing but http and https leads
// anywhere.
func (f frame) ReturnURL() string {
	u, err := url.Parse(f.Payment.ReturnURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return f.Payment.ReturnURL
}

// Initial is the first letter of the site's name, as its mark.
func (f frame) Initial() string {
	_, size := utf8.DecodeRuneInString(f.Payment.SiteName)
	first := f.Payment.SiteName[:size]
	if f.Lang == lang.TR {
		return strings.ToUpperSpecial(unicode.TurkishCase, first)
	}
	return strings.ToUpper(first)
}

// HasClock reports whether time is running out.
func (f frame) HasClock() bool { return !f.EndsAt.IsZero() }

// Left is the remaining time for reading, and LeftMS for the script, in milliseconds.
func (f frame) Left() string { return format.Left(f.EndsAt.Sub(f.Now)) }

// LeftMS is the remaining time in milliseconds.
func (f frame) LeftMS() int64 { return f.EndsAt.Sub(f.Now).Milliseconds() }

// Until is the end of the time: the hour is enough when it is today.
func (f frame) Until() string {
	end, now := f.EndsAt.In(f.zone), f.Now.In(f.zone)
	if core.DayOf(end, f.zone) == core.DayOf(now, f.zone) {
		return end.Format("15:04 ") + format.GMT(end)
	}
	return format.Moment(end, f.Lang)
}

// Expected says within which time most deposits like this one are decided; empty: nobody knows, or it is late as it is.
func (f frame) Expected() string {
	switch {
	case f.Usual == 0 || f.Phase == phaseLate || f.Phase == phaseHeld:
		return ""
	case f.Now.Sub(f.Payment.UpdatedAt) > f.Usual:
		return f.T("checking.longer")
	default:
		return f.T("checking.usual", format.Within(f.Usual, f.Lang))
	}
}

// Differs reports whether another amount arrived than was asked for first.
func (f frame) Differs() bool { return !f.Payment.Amount.Equal(f.Payment.RequestedAmount) }

// copying is a button that copies a text.
type copying struct{ Verb, What, Text string }

// Copy is the button for a text that the sentence of a key names.
func (f frame) Copy(key, text string) copying { return f.CopyOf(f.T(key), text) }

// CopyOf is the button for a text with a name of its own.
func (f frame) CopyOf(what, text string) copying {
	return copying{Verb: f.T("copy"), What: what, Text: text}
}

// step is one of those that a payment goes through.
type step struct {
	Key               string
	IsDone, IsCurrent bool
}

func stepsTo(current int, keys ...string) []step {
	steps := make([]step, len(keys))
	for i, key := range keys {
		steps[i] = step{Key: key, IsDone: i < current, IsCurrent: i == current}
	}
	return steps
}

package main

import (
	"github.com/vezne/vezne/core/fault"
)

// fault kinds, by where they happen. A step arms one for the call that comes so many calls later.
type trouble string

// What happens to a commit.
const (
	crashBeforeCommit trouble = "crash before a commit"
	crashAfterCommit  trouble = "crash after a commit"
	commitRefused     trouble = "a commit is refused"
	commitUnheard     trouble = "a commit is not heard of"
)

// What happens to a call of the gateway or bank.
const (
	callNotSent    trouble = "a call is not sent"
	callLost       trouble = "a call acts, its answer is lost"
	callBroken     trouble = "a call is lost"
	callSlow       trouble = "a call's answer comes late"
	callCrash      trouble = "crash between a call and its answer"
	callMixedUp    trouble = "a call is given another's answer"
	callForgotten  trouble = "a question finds nothing"
	callHTML       trouble = "a call is answered with an error page"
	callRefusesKey trouble = "a call's keys are refused"
)

// What happens to a callback on its way.
const (
	deliveryUnheard trouble = "a callback's answer is lost"
	deliveryCrash   trouble = "crash between a callback and its answer"
	deliveryRefused trouble = "a callback is answered with 500"
)

// What happens to a notification of the gateway, and to a wake-up.
const (
	noticeLost     trouble = "a notification is lost"
	noticeTwice    trouble = "a notification comes twice"
	noticeLate     trouble = "a notification comes an hour late"
	noticesSwapped trouble = "two notifications change places"
	noticeAstray   trouble = "a notification comes in another gateway's name"
	lostWakeUp     trouble = "a wake-up is lost"
)

// places are where each fault can happen.
func (f *faults) places() map[*armed][]trouble {
	return map[*armed][]trouble{
		&f.onCommit: {crashBeforeCommit, crashAfterCommit, commitRefused, commitUnheard},
		&f.onCall: {
			callNotSent, callLost, callBroken, callSlow, callCrash, callMixedUp, callForgotten, callHTML, callRefusesKey,
		},
		&f.onDelivery: {deliveryUnheard, deliveryCrash, deliveryRefused},
		&f.onWakeUp:   {lostWakeUp},
	}
}

// faults are those that wait to happen.
type faults struct {
	onCommit, onCall, onDelivery, onWakeUp armed
	isOff                                  bool
}

// armed is a fault of one place that happens in so many calls.
type armed struct {
	what trouble
	in   int
}

// happens counts a call and says which fault happens to it; empty: none.
func (f *faults) happens(a *armed) trouble {
	if a.what == "" || f.isOff {
		return ""
	}
	if a.in--; a.in > 0 {
		return ""
	}
	what := a.what
	*a = armed{}
	return what
}

// arm has a fault happen in so many calls of its place. It reports whether there is such a fault.
func (f *faults) arm(what trouble, in int) bool {
	for place, list := range f.places() {
		for _, known := range list {
			if known == what {
				*place = armed{what, max(in, 1)}
				return true
			}
		}
	}
	return false
}

// errDead is what a process that has died is told by everything around it.
var errDead = fault.New("simulate", fault.Unavailable)

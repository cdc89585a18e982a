package core_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
)

func TestEventsAboutOneRowBecomeOne(t *testing.T) {
	t.Parallel()
	s := core.NewEventSet(10)
	s.Add(core.Event{Kind: core.PaymentChanged, ID: "1", IsNew: true}, core.Event{Kind: core.PaymentChanged, ID: "2"})
	s.Add(core.Event{Kind: core.PaymentChanged, ID: "1"}, core.Event{Kind: core.DiscrepancyChanged, ID: "1"}, core.Event{Kind: core.EventsLost})
	want := []core.Event{
		{Kind: core.EventsLost}, {Kind: core.PaymentChanged, ID: "1", IsNew: true}, {Kind: core.PaymentChanged, ID: "2"},
		{Kind: core.DiscrepancyChanged, ID: "1"},
	}
	if got := s.Take(); !slices.Equal(got, want) || len(s.Take()) != 0 {
		t.Errorf("taken is %+v, want %+v", got, want)
	}
	s.Add(core.Event{Kind: core.PaymentChanged, ID: "1"})
	if got := s.Take(); !slices.Equal(got, []core.Event{{Kind: core.PaymentChanged, ID: "1"}}) {
		t.Errorf("after that %+v is taken", got)
	}
}

func TestTooManyEventsBecomeAGap(t *testing.T) {
	t.Parallel()
	s := core.NewEventSet(100)
	for i := range 250 {
		s.Add(core.Event{Kind: core.PaymentChanged, ID: core.ID(fmt.Sprint(i))})
	}
	if got := s.Take(); len(got) > 101 || got[0].Kind != core.EventsLost {
		t.Errorf("%d are taken, the first is %+v", len(got), got[0])
	}
}

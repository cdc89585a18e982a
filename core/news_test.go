package core_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
)

func TestNewsAboutOneRowBecomeOne(t *testing.T) {
	t.Parallel()
	s := core.NewNewsSet(10)
	s.Add(core.News{Kind: core.PaymentNews, ID: "1", IsNew: true}, core.News{Kind: core.PaymentNews, ID: "2"})
	s.Add(core.News{Kind: core.PaymentNews, ID: "1"}, core.News{Kind: core.DiscrepancyNews, ID: "1"}, core.News{Kind: core.MissedNews})
	want := []core.News{
		{Kind: core.MissedNews}, {Kind: core.PaymentNews, ID: "1", IsNew: true}, {Kind: core.PaymentNews, ID: "2"},
		{Kind: core.DiscrepancyNews, ID: "1"},
	}
	if got := s.Take(); !slices.Equal(got, want) || len(s.Take()) != 0 {
		t.Errorf("taken is %+v, want %+v", got, want)
	}
	s.Add(core.News{Kind: core.PaymentNews, ID: "1"})
	if got := s.Take(); !slices.Equal(got, []core.News{{Kind: core.PaymentNews, ID: "1"}}) {
		t.Errorf("after that %+v is taken", got)
	}
}

func TestTooManyNewsBecomeAGap(t *testing.T) {
	t.Parallel()
	s := core.NewNewsSet(100)
	for i := range 250 {
		s.Add(core.News{Kind: core.PaymentNews, ID: core.ID(fmt.Sprint(i))})
	}
	if got := s.Take(); len(got) > 101 || got[0].Kind != core.MissedNews {
		t.Errorf("%d are taken, the first is %+v", len(got), got[0])
	}
}

package graph

import (
	"slices"
	"strconv"
	"sync"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// share is how many of something one of those who have it may have.
type share struct {
	of   string // who: a session, a member, a tenant; empty: all together
	most int
}

// shares are the bounds of what a member's session opens, one after another from the whole to the session.
func shares(member staff.Staff, all, perTenant, perMember int) []share {
	list := []share{{"", all}, {"member/" + strconv.FormatInt(member.ID, 10), perMember}}
	switch scope := member.Scope(); {
	case scope.DealerID != 0:
		list = append(list, share{"dealer/" + strconv.FormatInt(scope.DealerID, 10), perTenant})
	case scope.ProviderID != 0:
		list = append(list, share{"provider/" + strconv.FormatInt(scope.ProviderID, 10), perTenant})
	}
	return list
}

// seats count what is open, by who has it.
type seats struct {
	mu    sync.Mutex
	taken map[string]int
}

// take counts one more for each of the shares; release counts it off. Faults: TooManyStreams when one of them has as many as it
// may have, Unavailable when all together have.
func (s *seats) take(list ...share) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range list {
		if s.taken[one.of] < one.most {
			continue
		}
		if one.of == "" {
			return nil, fault.New("graph.seats.take", fault.Unavailable)
		}
		return nil, fault.New("graph.seats.take", fault.TooManyStreams)
	}
	for _, one := range list {
		s.taken[one.of]++
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, one := range list {
			if s.taken[one.of]--; s.taken[one.of] == 0 {
				delete(s.taken, one.of)
			}
		}
	}), nil
}

// guests are the streams of those who have not said who they are. There is room for few of them, and none is refused: the one
// that has waited longest makes room, first of the same address, then of the address that has most. So whoever opens many and
// says nothing displaces their own, and whoever says at once who they are is a guest too briefly to be displaced.
type guests struct {
	mu      sync.Mutex
	inAll   int
	entered int                 // ever
	ofPlace map[string][]*guest // oldest first
}

type guest struct {
	number int // in the order in which they entered
	leave  func()
}

// enter takes a guest of a place in. Evict is called, once, if the guest has to make room before it leaves.
func (g *guests) enter(place string, most, perPlace int, evict func()) (leave func()) {
	one := &guest{leave: evict}
	g.mu.Lock()
	g.entered++
	one.number = g.entered
	var displaced *guest
	switch {
	case len(g.ofPlace[place]) >= perPlace:
		displaced = g.dropOldest(place)
	case g.inAll >= most:
		displaced = g.dropOldest(g.fullest())
	}
	g.ofPlace[place] = append(g.ofPlace[place], one)
	g.inAll++
	g.mu.Unlock()
	if displaced != nil {
		displaced.leave()
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if at := slices.Index(g.ofPlace[place], one); at >= 0 {
			g.drop(place, at)
		}
	}
}

func (g *guests) dropOldest(place string) *guest {
	oldest := g.ofPlace[place][0]
	g.drop(place, 0)
	return oldest
}

func (g *guests) drop(place string, at int) {
	g.ofPlace[place] = slices.Delete(g.ofPlace[place], at, at+1)
	if len(g.ofPlace[place]) == 0 {
		delete(g.ofPlace, place)
	}
	g.inAll--
}

// fullest returns the place with most guests; of several, the one whose oldest has waited longest.
func (g *guests) fullest() string {
	var fullest string
	for place, list := range g.ofPlace {
		most := g.ofPlace[fullest]
		if len(list) > len(most) || len(list) == len(most) && list[0].number < most[0].number {
			fullest = place
		}
	}
	return fullest
}

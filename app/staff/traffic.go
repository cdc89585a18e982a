package staff

import (
	"context"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// Rates of the API that staff use, beside those of sign-in.
var (
	// guestRate bounds what an address sends without being signed in, whatever it is.
	guestRate = core.Rate{Events: 60, Per: 10 * time.Second}
	// guestNetworkRate bounds the same of all places of one network together.
	guestNetworkRate = core.Rate{Events: 600, Per: 10 * time.Second}
	// memberRate bounds what a member sends in all sessions together. A person at a console is far below it.
	memberRate = core.Rate{Events: 6_000, Per: time.Minute}
)

// AdmitGuest counts n requests of somebody who is not signed in, by where they come from.
func (s *Service) AdmitGuest(ctx context.Context, from Origin, n int) core.Allowance {
	a := s.Limiter.Take(ctx, "guest:"+from.Place(), n, guestRate)
	if network := core.NetworkOf(from.Addr); a.OK && network != "" {
		a = s.Limiter.Take(ctx, "guests:"+network, n, guestNetworkRate)
	}
	return a
}

// AdmitMember counts n requests of a member of staff.
func (s *Service) AdmitMember(ctx context.Context, member staff.Staff, n int) core.Allowance {
	return s.Limiter.Take(ctx, "member:"+strconv.FormatInt(member.ID, 10), n, memberRate)
}

package paypage

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

// Rates of forms, each of which may change its payment. Looking is not bounded.
var (
	// tokenRate is of one payment's: what a customer does who changes their mind and mistypes a card, and no more.
	tokenRate = core.Rate{Events: 20, Per: 10 * time.Minute}
	// addressRate is of one address, behind which a mobile network's customers may be.
	addressRate = core.Rate{Events: 600, Per: time.Minute}
)

// checkRate counts a form. Fault: RateLimited.
func (h *handler) checkRate(r *http.Request, key string, rate core.Rate) error {
	if !h.Take(r.Context(), key, 1, rate).OK {
		return fault.New("paypage.checkRate", fault.RateLimited)
	}
	return nil
}

// tokenKey has half of the fingerprint: there are as many keys as customers.
func tokenKey(token string) string { return "pay:" + sign.Fingerprint(token)[:32] }

func placeKey(addr netip.Addr) string { return "pay-from:" + core.PlaceOf(addr) }

package provider_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
)

const nonce = "6f1c0f0e-7d0b-4d6a-9b53-3d2b3f0c8a11"

// whole signs a call of the World's provider with a request signature.
func (s *server) whole(r request, nonce string) request {
	return s.Whole(r, s.Provider.SecretKey.Reveal(), nonce)
}

func TestEveryEndpointTakesARequestSignatureOnce(t *testing.T) {
	t.Parallel()
	bodies := maps.Clone(creating)
	bodies[cardStatus] = `{"tracking_code":"CC-0000000000000000"}`
	for _, path := range asking {
		bodies[path] = ""
	}
	for path, body := range bodies {
		t.Run(strings.ReplaceAll(path[1:], "/", " "), func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			r := s.call(path, body)
			s.changeProvider(t, func(p *owner.Provider) { p.SignatureMode = owner.SignatureRequired })
			s.Send(t, r).Want(t, 401, "Request signature required")
			want := 200
			if path == cardStatus {
				want = 404 // there is none
			}
			s.Send(t, s.whole(r, nonce)).Want(t, want, "")
			s.Send(t, s.whole(r, nonce)).Want(t, 401, "Nonce already used")
			s.changeProvider(t, func(p *owner.Provider) { p.SignatureMode = owner.SignatureAccepted })
			s.Send(t, r).Want(t, want, "")
			s.Send(t, s.whole(r, nonce+"2").With("X-Hash", strings.Repeat("0", 64))).Want(t, want, "")
			s.Send(t, s.whole(r, nonce+"3").With("X-Hash", r.Header.Get("X-Hash")).With("X-Nonce", nonce+"4")).Want(t, 401, "Invalid signature")
		})
	}
}

// TestASitesRequestIsNoOtherSites: neither by the header, nor, for cards, by the body.
func TestASitesRequestIsNoOtherSites(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	other := s.call("/start-manual-deposit", depositBody)
	signed := s.whole(other, nonce)
	s.Send(t, signed.With("X-Credential-Key", s.OtherSiteKey)).Want(t, 401, "Invalid signature")
	s.Send(t, signed.With("X-Credential-Key", "")).Want(t, 401, "Invalid signature")
	signed.Path = "/start-eiban-deposit"
	s.Send(t, signed).Want(t, 401, "Invalid signature")
	paid := s.whole(s.call(card, cardBody), nonce)
	paid.Body = strings.Replace(paid.Body, s.CredentialKey, s.OtherSiteKey, 1)
	s.Send(t, paid).Want(t, 401, "Invalid signature")
	s.Send(t, s.whole(other, nonce).With("X-Api-Key", s.OtherProvider.APIKey)).Want(t, 401, "Invalid signature")
	if made := s.Payments(t); len(made) != 0 {
		t.Errorf("%d payments were created", len(made))
	}
}

// TestTheBodyOfAStatusIsSigned: it comes before authentication there, and what was read is what is signed.
func TestTheBodyOfAStatusIsSigned(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.whole(s.call(cardStatus, `{"tracking_code":"CC-0000000000000000"}`), nonce)
	changed := r
	changed.Body = strings.Replace(r.Body, "CC-0", "CC-1", 1)
	s.Send(t, changed).Want(t, 401, "Invalid signature")
	changed.Body = strings.Repeat(" ", 70_000) + r.Body // the signed body behind one that is too large
	s.Send(t, changed).Want(t, 413, "Request body too large")
	s.Send(t, r).Want(t, 404, "Not found")
}

// TestSitesStillNeedTheVerificationKey, which the signature covers.
func TestSitesStillNeedTheVerificationKey(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.call("/sites", "")
	s.Send(t, s.whole(r.With("X-Key", ""), nonce)).Want(t, 401, "Missing required headers")
	s.Send(t, s.whole(r.With("X-Key", "vzv_another"), nonce)).Want(t, 401, "Invalid hash")
	s.Send(t, s.whole(r, nonce).With("X-Key", "vzv_another")).Want(t, 401, "Invalid signature")
	s.Send(t, s.whole(r, nonce)).Want(t, 200, "")
}

// TestTheClocksOfCallersMayDiffer by five minutes either way, as with the hash.
func TestTheClocksOfCallersMayDiffer(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for i, skew := range []int64{-301, -300, 0, 300, 301} {
		stamp := strconv.FormatInt(s.Clock.Now().Unix()+skew, 10)
		got := s.Send(t, s.whole(s.call("/welcome", "").With("X-Timestamp", stamp), nonce+strconv.Itoa(i)))
		if skew*skew > 300*300 {
			got.Want(t, 401, "Request timestamp expired")
		} else {
			got.Want(t, 200, "")
		}
	}
	for _, wrong := range []string{"", "-1", "1.7e9", "0x1", strconv.FormatInt(s.Clock.Now().UnixMilli(), 10)} {
		if got := s.Send(t, s.whole(s.call("/welcome", "").With("X-Timestamp", wrong), nonce)); got.Status != 401 {
			t.Errorf("%q: %d", wrong, got.Status)
		}
	}
}

// TestWhoIsOverTheRateHasUsedTheNonce: a request that was refused for that is not carried out later.
func TestWhoIsOverTheRateHasUsedTheNonce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.Rate = core.Rate{Events: 1, Per: time.Minute}
	first, second := s.whole(s.call("/start-manual-deposit", depositBody), nonce), s.whole(s.call("/start-manual-deposit", depositBody), nonce+"2")
	s.Send(t, first).Want(t, 200, "")
	s.Send(t, second).Want(t, 429, "Too many requests")
	s.Clock.Advance(time.Minute)
	s.Send(t, second).Want(t, 401, "Nonce already used")
	s.Send(t, s.whole(s.call("/start-manual-deposit", depositBody), nonce+"3")).Want(t, 200, "")
	s.changeProvider(t, func(p *owner.Provider) { p.IsActive = false })
	s.Clock.Advance(time.Minute)
	s.Send(t, s.whole(s.call("/start-manual-deposit", depositBody), nonce+"4")).Want(t, 403, "Provider account is inactive")
}

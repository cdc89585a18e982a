package dealer_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/resttest"
)

const nonce = "6f1c0f0e-7d0b-4d6a-9b53-3d2b3f0c8a11"

// whole signs a call of the dealer's own key, or of its site token, with a request signature.
func (s *server) whole(r request, nonce string) request {
	if r.Header.Get("X-Site-Token") != "" {
		return s.Whole(r, s.SiteToken.SecretKey.Reveal(), nonce)
	}
	return s.Whole(r, s.Dealer.SecretKey.Reveal(), nonce)
}

// forgetting is a limiter that lets everything pass, as one whose Redis is out of reach or was flushed.
type forgetting struct{}

func (forgetting) Take(context.Context, string, int, core.Rate) core.Allowance {
	return core.Allowance{OK: true}
}
func (forgetting) Peek(context.Context, string, core.Rate) core.Allowance {
	return core.Allowance{OK: true}
}

func TestEveryEndpointTakesARequestSignature(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	for i, path := range every() {
		for _, mode := range []owner.SignatureMode{owner.SignatureAccepted, owner.SignatureRequired} {
			s.changeDealer(t, func(d *owner.Dealer) { d.SignatureMode = mode })
			r := s.call(path, creating[path])
			s.Send(t, s.whole(r, nonce+strconv.Itoa(i)+mode.String())).Want(t, 200, "")
			if got := s.Send(t, r); mode == owner.SignatureAccepted {
				got.Want(t, 200, "")
			} else {
				got.Want(t, 401, "Request signature required")
			}
		}
	}
}

// TestASiteTokenHasAModeOfItsOwn: what its dealer signs with does not matter to it.
func TestASiteTokenHasAModeOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.changeDealer(t, func(d *owner.Dealer) { d.SignatureMode = owner.SignatureRequired })
	r := s.siteCall(deposit, depositBody)
	s.Send(t, r).Want(t, 200, "")
	s.changeToken(t, func(k *owner.SiteToken) { k.SignatureMode = owner.SignatureRequired })
	s.changeDealer(t, func(d *owner.Dealer) { d.SignatureMode = owner.SignatureAccepted })
	s.Send(t, r).Want(t, 401, "Request signature required")
	s.Send(t, s.call(deposit, depositBody)).Want(t, 200, "")
	s.Send(t, s.whole(r, nonce)).Want(t, 200, "")
	s.Send(t, s.whole(s.siteCall(send, sendBody), nonce)).Want(t, 401, "Nonce already used")
	s.Send(t, s.whole(s.siteCall(send, sendBody), nonce+"2")).Want(t, 403, "Not allowed for site tokens")
	s.Send(t, s.whole(s.call(deposit, depositBody), nonce)).Want(t, 200, "") // a nonce is its caller's
}

func TestARequestSignatureCountsOnce(t *testing.T) {
	t.Parallel()
	for _, path := range every() {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.transfer(t)
			before := len(s.Payments(t))
			r := s.whole(s.call(path, creating[path]), nonce)
			s.Send(t, r).Want(t, 200, "")
			s.Send(t, r).Want(t, 401, "Nonce already used")
			made := len(s.Payments(t)) - before
			if isCreating := creating[path] != ""; made != 0 && !isCreating || made != 1 && isCreating {
				t.Errorf("%d payments were created", made)
			}
		})
	}
}

// TestAReplayCreatesNothingWhateverTheLimiterForgets: neither after it was flushed nor while it is out of reach, nor in a
// process of its own, nor at the last moment at which the timestamp is fresh.
func TestAReplayCreatesNothingWhateverTheLimiterForgets(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Gate.Limiter = forgetting{}
			ahead := s.Clock.Now().Add(300 * time.Second).Unix() // the caller's clock is as wrong as it may be
			r := s.whole(s.call(path, body).With("X-Timestamp", strconv.FormatInt(ahead, 10)), nonce)
			s.Send(t, r).Want(t, 200, "")
			for range 10 {
				s.Send(t, r).Want(t, 401, "Nonce already used")
				s.Clock.Advance(time.Minute)
				if err := s.Sweep.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			s.Send(t, r).Want(t, 401, "Nonce already used") // ten minutes: the timestamp is fresh for the last second
			s.Clock.Advance(time.Second)
			s.Send(t, r).Want(t, 401, "Request timestamp expired")
			if made := s.Payments(t); len(made) != 1 {
				t.Errorf("%d payments were created", len(made))
			}
		})
	}
}

// TestOfReplaysAtOnceOneIsCarriedOut, also where the limiter helps nobody.
func TestOfReplaysAtOnceOneIsCarriedOut(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Gate.Limiter = forgetting{}
			if got := s.post(s.whole(s.call(path, body), nonce), 50); got[200] != 1 || got[401] != 49 {
				t.Errorf("answers by status: %v", got)
			}
			if made := s.Payments(t); len(made) != 1 {
				t.Errorf("%d payments were created", len(made))
			}
		})
	}
}

// TestARefusedRequestIsNotCarriedOutLater: whoever was told that nothing was sent must be able to rely on it.
func TestARefusedRequestIsNotCarriedOutLater(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.Limiter = forgetting{}
	r := s.whole(s.call(send, strings.Replace(sendBody, "250.00", "10000.01", 1)), nonce)
	s.Send(t, r).WantCode(t, 422, "INSUFFICIENT_BALANCE")
	s.Send(t, r).Want(t, 401, "Nonce already used")

	other := s.whole(s.call(send, sendBody), nonce+"2")
	commits := s.UnitOfWork.Commits
	s.UnitOfWork.Commits = resttest.DownStore{}
	s.Send(t, other).Want(t, 503, "Service unavailable") // nothing is done whose nonce cannot be kept
	s.UnitOfWork.Commits = commits
	if made := s.Payments(t); len(made) != 0 {
		t.Errorf("%d payments were created", len(made))
	}
}

// TestOldSecretsSignRequestsWhileTheirGraceLasts: a dealer's and a site token's.
func TestOldSecretsSignRequestsWhileTheirGraceLasts(t *testing.T) {
	t.Parallel()
	for _, isSite := range []bool{false, true} {
		s := newServer(t)
		s.changeDealer(t, func(d *owner.Dealer) { d.SignatureMode = owner.SignatureRequired })
		number := 0
		ask := func() answer {
			r, secret := s.call(deposit, depositBody), s.Dealer.SecretKey.Reveal()
			if isSite {
				r, secret = s.siteCall(deposit, depositBody), s.SiteToken.SecretKey.Reveal()
			}
			number++
			return s.Send(t, s.Whole(r, secret, nonce+strconv.Itoa(number)))
		}
		ask().Want(t, 200, "")
		s.rotate(t, owner.SecretKeyKind, isSite, 2)
		ask().Want(t, 200, "")
		if noted := s.noted(t, owner.SecretKeyKind, isSite); !noted.Equal(s.Clock.Now()) {
			t.Errorf("the use of the old key is noted at %s", noted)
		}
		s.Clock.Advance(2*time.Hour - time.Second)
		ask().Want(t, 200, "")
		s.Clock.Advance(time.Second)
		ask().Want(t, 401, "Invalid signature")
	}
}

// TestWrongRequestSignaturesCountAsFailures, as wrong hashes do, and so do replays and hashes that are not enough.
func TestWrongRequestSignaturesCountAsFailures(t *testing.T) {
	t.Parallel()
	for text, wrong := range map[string]func(s *server) request{
		"Invalid signature": func(s *server) request { return s.whole(s.call(settings, ""), nonce).With("X-Site-Token", "a") },
		"Invalid nonce":     func(s *server) request { return s.whole(s.call(settings, ""), "") },
		"Request signature required": func(s *server) request {
			s.changeDealer(t, func(d *owner.Dealer) { d.SignatureMode = owner.SignatureRequired })
			return s.call(settings, "")
		},
		"Nonce already used": func(s *server) request {
			r := s.whole(s.call(settings, ""), nonce)
			s.Send(t, r).Want(t, 200, "")
			return r
		},
	} {
		s := newServer(t)
		s.Gate.FailRate = core.Rate{Events: 3, Per: time.Minute}
		r := wrong(s)
		for range 3 {
			s.Send(t, r).Want(t, 401, text)
		}
		s.Send(t, r).Want(t, 429, "Too many requests")
		s.Send(t, s.whole(s.call(settings, ""), nonce+"2")).Want(t, 429, "Too many requests")
	}
}

// TestADealerMayDemandIdempotencyKeys of all that creates a payment, and of nothing else.
func TestADealerMayDemandIdempotencyKeys(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	s.changeDealer(t, func(d *owner.Dealer) { d.IsIdempotencyRequired = true })
	for _, path := range every() {
		r := s.call(path, creating[path])
		if creating[path] == "" {
			s.Send(t, r).Want(t, 200, "")
			continue
		}
		s.Send(t, r).WantCode(t, 400, "IDEMPOTENCY_KEY_REQUIRED")
		s.Send(t, r.With("Idempotency-Key", "one")).Want(t, 200, "")
		if replayed := s.Send(t, r.With("Idempotency-Key", "one")); replayed.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: not the first answer: %s", path, replayed.Body)
		}
		if slices.Contains(forSites, path) {
			s.Send(t, s.siteCall(path, creating[path])).WantCode(t, 400, "IDEMPOTENCY_KEY_REQUIRED")
		}
	}
	s.Send(t, s.call(send, sendBody).With("X-Hash", strings.Repeat("a", 64))).Want(t, 401, "Invalid hash") // who calls comes first
}

// TestARepetitionIsSignedAnew: the key gives the first answer again, whatever the signature.
func TestARepetitionIsSignedAnew(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.call(send, sendBody).With("Idempotency-Key", "payout-1")
	first := s.Send(t, s.whole(r, nonce))
	again := s.Send(t, s.whole(r, nonce+"2"))
	if first.Status != 200 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("first %s, again %s", first.Body, again.Body)
	}
}

func TestDemandsAreAudited(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	required := owner.SignatureRequired
	_, err := s.Directory.UpdateDealer(t.Context(), app.BySystem, directory.DealerUpdate{
		ID: s.Dealer.ID, DealerPatch: owner.DealerPatch{SignatureMode: &required, IsIdempotencyRequired: new(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.Store.AuditEntries(t.Context(), core.AuditQuery{Action: "updateDealer", Paging: core.Paging[core.ID]{Limit: 10}})
	if err != nil || len(entries) != 1 || !strings.Contains(entries[0].Before, `"signatureMode":"accepted"`) ||
		!strings.Contains(entries[0].After, `"signatureMode":"required"`) || !strings.Contains(entries[0].After, `"isIdempotencyRequired":true`) {
		t.Errorf("%+v, %v", entries, err)
	}
}

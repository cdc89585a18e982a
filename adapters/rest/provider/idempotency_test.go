package provider_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

const idempotency = "Idempotency-Key"

func TestParallelTwinsMakeOnePayment(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			r := s.call(path, body).With(idempotency, "twins")
			answers := make([]answer, 200)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = s.Send(t, r) })
			}
			all.Wait()
			firsts := 0
			for _, a := range answers {
				if a.Status != 200 || a.Body != answers[0].Body {
					t.Fatalf("want 200 %s, got %d %s", answers[0].Body, a.Status, a.Body)
				}
				if a.Header.Get("Idempotent-Replayed") == "" {
					firsts++
				}
			}
			if made := len(s.Payments(t)); made != 1 || firsts != 1 {
				t.Errorf("%d payments, %d first answers", made, firsts)
			}
		})
	}
}

func TestAReplayIsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	first := s.Send(t, s.call("/start-manual-deposit", depositBody).With(idempotency, "k"))
	s.changeSite(t, func(x *owner.Site) { x.Name = "Renamed" })
	s.Clock.Advance(24 * time.Hour)
	again := s.Send(t, s.call("/start-manual-deposit", depositBody).With(idempotency, "k").With("Accept-Language", "tr"))
	if again.Status != first.Status || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("want %s\ngot  %s %v", first.Body, again.Body, again.Header)
	}
	if got := first.Header.Get("Content-Type"); again.Header.Get("Content-Type") != got {
		t.Errorf("the content type was %s", got)
	}
	s.Clock.Advance(time.Second)
	later := s.Send(t, s.call("/start-manual-deposit", depositBody).With(idempotency, "k"))
	if later.Status != 200 || later.Body == first.Body || later.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after 24 hours the key is free, but got %d %s", later.Status, later.Body)
	}
}

func TestAKeyStandsForBodyAndSite(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	second := "vzc_second_site"
	site := owner.Site{
		ID: 55, Version: 1, ProviderID: s.Provider.ID, DealerID: s.Dealer.ID, Name: "Second", IsActive: true,
		CredentialFingerprint: sign.Fingerprint(second), CreatedAt: s.Clock.Now(), UpdatedAt: s.Clock.Now(),
	}
	s.Commit(t, core.Changeset{site})
	r := s.call("/start-manual-deposit", depositBody).With(idempotency, "k")
	s.Send(t, r).Want(t, 200, "")
	other := r
	other.Body = strings.Replace(depositBody, "250.00", "250.0", 1)
	s.Send(t, other).Want(t, 409, "Idempotency key reused")
	forSecond := r.SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), second, s.Clock.Now().Unix())
	s.Send(t, forSecond).Want(t, 409, "Idempotency key reused")
	if made := len(s.Payments(t)); made != 1 {
		t.Errorf("%d payments", made)
	}
}

func TestAKeyBelongsToCallerAndEndpoint(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		s.Send(t, s.call(path, body).With(idempotency, "k")).Want(t, 200, "")
	}
	others := s.call("/start-manual-deposit", depositBody).
		SignedWith(s.OtherProvider.APIKey, s.OtherProvider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	s.Send(t, others.With(idempotency, "k")).Want(t, 200, "")
	if made := len(s.Payments(t)); made != len(creating)+1 {
		t.Errorf("want %d payments, got %d", len(creating)+1, made)
	}
}

func TestWithoutAKeyEveryCallCreates(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for range 3 {
		s.Send(t, s.call("/start-manual-withdraw", withdrawalBody)).Want(t, 200, "")
	}
	if made := len(s.Payments(t)); made != 3 {
		t.Errorf("want 3 payments, got %d", made)
	}
}

func TestAFailureUsesUpNoKey(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.block(t, "u-1")
	keyed := func(body string) request { return s.call("/start-manual-deposit", body).With(idempotency, "k") }
	s.Send(t, keyed(`{`)).Want(t, 400, "Invalid JSON")
	s.Send(t, keyed(`{}`)).Want(t, 422, "Validation failed")
	s.Send(t, keyed(strings.Replace(depositBody, "u-1001", "u-1", 1))).Want(t, 403, "Customer is blocked")
	s.Send(t, keyed(depositBody)).Want(t, 200, "")
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const message = "The Idempotency-Key header must have 1 to 255 visible ASCII characters: no spaces and no other letters."
	for _, key := range []string{strings.Repeat("k", 256), "a b", "a\tb", "ş", "a\x7f", "\x01"} {
		s.Send(t, s.call("/start-manual-deposit", depositBody).With(idempotency, key)).WantMessages(t, message)
	}
	for _, key := range []string{strings.Repeat("k", 255), "!", "~", `"quoted"`, "a,b;c=d", "7f0c4a52-8a0e-4f0e-9a63-3f8f6b1f9d11"} {
		s.Send(t, s.call("/start-manual-deposit", depositBody).With(idempotency, key)).Want(t, 200, "")
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.Rate = core.Rate{Events: 3, Per: time.Minute}
	want := func(a answer, status int, remaining, reset, retry string) {
		t.Helper()
		if a.Status != status || a.Header.Get("RateLimit-Limit") != "3" || a.Header.Get("RateLimit-Remaining") != remaining ||
			a.Header.Get("RateLimit-Reset") != reset || a.Header.Get("Retry-After") != retry {
			t.Errorf("want %d with %s left, reset %s, retry %q, got %d %v", status, remaining, reset, retry, a.Status, a.Header)
		}
	}
	want(s.Send(t, s.call("/welcome", "")), 200, "2", "60", "")
	s.Clock.Advance(20500 * time.Millisecond)
	want(s.Send(t, s.call("/start-manual-deposit", "{}")), 422, "1", "40", "")
	want(s.Send(t, s.call("/start-manual-deposit", depositBody)), 200, "0", "40", "")
	refused := s.Send(t, s.call("/start-manual-deposit", depositBody))
	refused.Want(t, 429, "Too many requests")
	want(refused, 429, "0", "40", "40")
	other := s.call("/welcome", "").SignedWith(s.OtherProvider.APIKey, s.OtherProvider.SecretKey.Reveal(), "", s.Clock.Now().Unix())
	want(s.Send(t, other), 200, "2", "60", "")
	s.Clock.Advance(time.Minute)
	want(s.Send(t, s.call("/welcome", "")), 200, "2", "60", "")
}

func TestEveryEndpointCountsAgainstTheLimit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	left := len(asking) + len(creating) + 1
	s.Gate.Rate = core.Rate{Events: left, Per: time.Minute}
	paths := append([]string{cardStatus}, asking...)
	for path := range creating {
		paths = append(paths, path)
	}
	for _, path := range paths {
		left--
		if got := s.Send(t, s.call(path, creating[path])); got.Header.Get("RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("%s: want %d left, got %v", path, left, got.Header)
		}
	}
	for _, path := range paths {
		s.Send(t, s.call(path, creating[path])).Want(t, 429, "Too many requests")
	}
}

func TestFailedAuthenticationIsLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.FailRate = core.Rate{Events: 2, Per: time.Minute}
	bad := s.call("/welcome", "").With("X-Hash", strings.Repeat("0", 64))
	for left := 1; left >= 0; left-- {
		got := s.Send(t, bad)
		got.Want(t, 401, "Invalid hash")
		if got.Header.Get("RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("want %d left, got %v", left, got.Header)
		}
	}
	refused := s.Send(t, bad)
	refused.Want(t, 429, "Too many requests")
	if refused.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", refused.Header.Get("Retry-After"))
	}
	s.Send(t, s.call("/welcome", "")).Want(t, 429, "Too many requests") // whatever comes from there now
	elsewhere := s.call("/welcome", "")
	elsewhere.Peer = "192.0.2.11:1"
	s.Send(t, elsewhere).Want(t, 200, "")
	behindProxy := s.call("/welcome", "").With("X-Forwarded-For", "192.0.2.10")
	behindProxy.Peer = "10.0.0.1:1"
	s.Send(t, behindProxy).Want(t, 429, "Too many requests")
	s.Clock.Advance(time.Minute)
	s.Send(t, s.call("/welcome", "")).Want(t, 200, "")
}

func TestWithoutLimitsThereAreNoLimitHeaders(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := s.Send(t, s.call("/welcome", ""))
	for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"} {
		if _, ok := got.Header[http.CanonicalHeaderKey(name)]; ok {
			t.Errorf("%s is there", name)
		}
	}
}

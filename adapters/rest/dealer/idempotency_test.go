package dealer_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

const idempotency = "Idempotency-Key"

func TestParallelTwinsMakeOnePayment(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			// All of the wallet, so that a twin that is not known for one finds nothing left.
			r := s.call(path, strings.Replace(body, "250.00", "5000", 1)).With(idempotency, "twins")
			if path == send {
				r = s.call(path, strings.Replace(body, "250.00", apptest.Opening.String(), 1)).With(idempotency, "twins")
			}
			answers := make([]answer, 100)
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

// TestAReplayIsTheFirstAnswerWhateverHasChanged: who asks again must not be told that nothing was created.
func TestAReplayIsTheFirstAnswerWhateverHasChanged(t *testing.T) {
	t.Parallel()
	changes := map[string]struct {
		path, body string
		change     func(*testing.T, *server)
		refused    string // what a new call is told
	}{
		"D2, switched off":   {deposit, depositBody, switchOff(noManual), "METHOD_DISABLED"},
		"D2, no account":     {deposit, depositBody, closeAccounts, "NO_AVAILABLE_IBAN"},
		"D3, switched off":   {withdraw, withdrawBody, switchOff(noManual), "METHOD_DISABLED"},
		"D6, switched off":   {send, sendBody, switchOff(noEIBAN), "METHOD_DISABLED"},
		"D6, wallet closed":  {send, sendBody, closeWallet, "WALLET_NOT_ASSIGNED"},
		"D6, bank's minimum": {send, sendBody, raiseMinimum, "MIN_AMOUNT_ERROR"},
		"D6, nothing left":   {send, sendBody, emptyWallet, "INSUFFICIENT_BALANCE"},
		"D8, switched off":   {card, cardBody, switchOff(noCards), "CREDIT_CARD_DISABLED"},
	}
	for name, tt := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			first := s.Send(t, s.call(tt.path, tt.body).With(idempotency, "k"))
			first.Want(t, 200, "")
			tt.change(t, s)
			made := len(s.Payments(t))
			replay := s.Send(t, s.call(tt.path, tt.body).With(idempotency, "k"))
			if replay.Status != 200 || replay.Body != first.Body || replay.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("want %s\ngot  %d %s %v", first.Body, replay.Status, replay.Body, replay.Header)
			}
			refused := s.Send(t, s.call(tt.path, tt.body).With(idempotency, "another"))
			if refused.Status < 400 || !strings.Contains(refused.Body, `"error_code":"`+tt.refused+`"`) {
				t.Errorf("a new call: want %s, got %d %s", tt.refused, refused.Status, refused.Body)
			}
			if got := len(s.Payments(t)); got != made {
				t.Errorf("%d payments were created", got-made)
			}
			s.Clock.Advance(payment.IdempotencyWindow + time.Second)
			if late := s.Send(t, s.call(tt.path, tt.body).With(idempotency, "k")); late.Status != refused.Status || late.Body != refused.Body {
				t.Errorf("after 24 hours: want %s, got %d %s", refused.Body, late.Status, late.Body)
			}
		})
	}
}

func closeAccounts(t *testing.T, s *server) {
	t.Helper()
	for _, a := range s.Accounts {
		a.Version, a.IsActive = a.Version+1, false
		s.Commit(t, core.Changeset{a})
	}
}

func closeWallet(t *testing.T, s *server) {
	t.Helper()
	s.changeWallet(t, func(w *wallet.Wallet) { w.IsActive = false })
}

func raiseMinimum(t *testing.T, s *server) {
	t.Helper()
	s.changeBank(t, func(a *owner.GatewayAccount) { a.Min = money.New(25001, money.TRY) })
}

func emptyWallet(t *testing.T, s *server) {
	t.Helper()
	s.StartTransfer(t, s.Held(t, s.Wallet).AvailableBalance)
}

func TestAKeyStandsForItsBody(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		s.Send(t, s.call(path, body).With(idempotency, "k")).Want(t, 200, "")
		s.Send(t, s.call(path, strings.Replace(body, "250.00", "250.0", 1)).With(idempotency, "k")).WantCode(t, 409, "IDEMPOTENCY_KEY_REUSED")
		if made := len(s.Payments(t)); made != 1 {
			t.Errorf("%s: %d payments", path, made)
		}
	}
}

func TestAKeyBelongsToCallerAndEndpoint(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	made := 0
	for path, body := range creating {
		made++
		s.Send(t, s.call(path, body).With(idempotency, "k")).Want(t, 200, "")
		if path == send {
			continue
		}
		made++
		if got := s.Send(t, s.siteCall(path, body).With(idempotency, "k")); got.Status != 200 || got.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s of the dealer's website: %d %s", path, got.Status, got.Body)
		}
	}
	others := s.call(withdraw, withdrawBody).Signed(s.OtherDealer.APIKey, s.OtherDealer.SecretKey.Reveal(), s.Clock.Now().Unix())
	s.Send(t, others.With(idempotency, "k")).Want(t, 200, "")
	if got := len(s.Payments(t)); got != made+1 {
		t.Errorf("want %d payments, got %d", made+1, got)
	}
}

func TestWithoutAKeyEveryCallCreates(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		for range 3 {
			s.Send(t, s.call(path, body)).Want(t, 200, "")
		}
		if made := len(s.Payments(t)); made != 3 {
			t.Errorf("%s: want 3 payments, got %d", path, made)
		}
	}
}

func TestAFailureUsesUpNoKey(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	keyed := func(body string) request { return s.call(send, body).With(idempotency, "k") }
	s.Send(t, keyed(`{`)).Want(t, 400, "Invalid JSON")
	s.Send(t, keyed(`{}`)).Want(t, 422, "Validation failed")
	s.Send(t, keyed(strings.Replace(sendBody, "TR33", "TR34", 1))).WantCode(t, 422, "INVALID_IBAN")
	s.Send(t, keyed(strings.Replace(sendBody, "250.00", "10000.01", 1))).WantCode(t, 422, "INSUFFICIENT_BALANCE")
	s.Send(t, keyed(sendBody)).Want(t, 200, "")
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const message = "The Idempotency-Key header must have 1 to 255 visible ASCII characters: no spaces and no other letters."
	for path, body := range creating {
		for _, key := range []string{strings.Repeat("k", 256), "a b", "a\tb", "ş", "a\x7f"} {
			s.Send(t, s.call(path, body).With(idempotency, key)).WantMessages(t, message)
		}
		for _, key := range []string{strings.Repeat("k", 255), `"quoted"`, "7f0c4a52-8a0e-4f0e-9a63-3f8f6b1f9d11"} {
			s.Send(t, s.call(path, body).With(idempotency, key)).Want(t, 200, "")
		}
	}
}

func TestEveryEndpointCountsAgainstTheLimit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	left := len(every())
	s.Gate.Rate = core.Rate{Events: left, Per: time.Minute}
	for _, path := range every() {
		left--
		if got := s.Send(t, s.call(path, creating[path])); got.Header.Get("RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("%s: want %d left, got %v", path, left, got.Header)
		}
	}
	for _, path := range every() {
		got := s.Send(t, s.call(path, creating[path]))
		if got.Want(t, 429, "Too many requests"); got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, "error_code") {
			t.Errorf("%s: %v %s", path, got.Header, got.Body)
		}
	}
	s.Send(t, s.siteCall(settings, "")).Want(t, 200, "") // a site token has a limit of its own
}

func TestFailedAuthenticationIsLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.FailRate = core.Rate{Events: 2, Per: time.Minute}
	bad := s.call(settings, "").With("X-Hash", strings.Repeat("0", 64))
	s.Send(t, bad).Want(t, 401, "Invalid hash")
	s.Send(t, s.siteCall(deposit, depositBody).With("X-Site-Token", "vzt_guess")).Want(t, 401, "Invalid API key")
	s.Send(t, bad).Want(t, 429, "Too many requests")
	s.Send(t, s.call(settings, "")).Want(t, 429, "Too many requests") // whatever comes from there now
	elsewhere := s.call(settings, "")
	elsewhere.Peer = "192.0.2.11:1"
	s.Send(t, elsewhere).Want(t, 200, "")
	s.Clock.Advance(time.Minute)
	s.Send(t, s.call(settings, "")).Want(t, 200, "")
}

func TestWithoutLimitsThereAreNoLimitHeaders(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := s.Send(t, s.call(settings, ""))
	for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"} {
		if _, ok := got.Header[http.CanonicalHeaderKey(name)]; ok {
			t.Errorf("%s is there", name)
		}
	}
}

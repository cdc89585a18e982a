package dealer_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/money"
)

const idempotency = "Idempotency-Key"

func TestParallelTwinsMakeOnePayment(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			// All of the wallet, so that a twin that is not known for one finds nothing left.
			r := s.call(path, strings.Replace(body, "250.00", "5000", 1)).with(idempotency, "twins")
			if path == send {
				r = s.call(path, strings.Replace(body, "250.00", apptest.Opening.String(), 1)).with(idempotency, "twins")
			}
			answers := make([]answer, 100)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = s.send(t, r) })
			}
			all.Wait()
			firsts := 0
			for _, a := range answers {
				if a.status != 200 || a.body != answers[0].body {
					t.Fatalf("want 200 %s, got %d %s", answers[0].body, a.status, a.body)
				}
				if a.header.Get("Idempotent-Replayed") == "" {
					firsts++
				}
			}
			if made := len(s.payments(t)); made != 1 || firsts != 1 {
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
			first := s.send(t, s.call(tt.path, tt.body).with(idempotency, "k"))
			first.want(t, 200, "")
			tt.change(t, s)
			made := len(s.payments(t))
			replay := s.send(t, s.call(tt.path, tt.body).with(idempotency, "k"))
			if replay.status != 200 || replay.body != first.body || replay.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("want %s\ngot  %d %s %v", first.body, replay.status, replay.body, replay.header)
			}
			refused := s.send(t, s.call(tt.path, tt.body).with(idempotency, "another"))
			if refused.status < 400 || !strings.Contains(refused.body, `"error_code":"`+tt.refused+`"`) {
				t.Errorf("a new call: want %s, got %d %s", tt.refused, refused.status, refused.body)
			}
			if got := len(s.payments(t)); got != made {
				t.Errorf("%d payments were created", got-made)
			}
			s.Clock.Advance(core.IdempotencyWindow + time.Second)
			if late := s.send(t, s.call(tt.path, tt.body).with(idempotency, "k")); late.status != refused.status || late.body != refused.body {
				t.Errorf("after 24 hours: want %s, got %d %s", refused.body, late.status, late.body)
			}
		})
	}
}

func closeAccounts(t *testing.T, s *server) {
	t.Helper()
	for _, a := range s.Accounts {
		a.Version, a.IsActive = a.Version+1, false
		s.commit(t, core.Changeset{Accounts: []core.Account{a}})
	}
}

func closeWallet(t *testing.T, s *server) {
	t.Helper()
	s.changeWallet(t, func(w *core.Wallet) { w.IsActive = false })
}

func raiseMinimum(t *testing.T, s *server) {
	t.Helper()
	s.changeBank(t, func(a *core.GatewayAccount) { a.Min = money.New(25001, money.TRY) })
}

func emptyWallet(t *testing.T, s *server) {
	t.Helper()
	s.StartTransfer(t, s.Held(t, s.Wallet).Available)
}

func TestAKeyStandsForItsBody(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		s.send(t, s.call(path, body).with(idempotency, "k")).want(t, 200, "")
		s.send(t, s.call(path, strings.Replace(body, "250.00", "250.0", 1)).with(idempotency, "k")).wantCode(t, 409, "IDEMPOTENCY_KEY_REUSED")
		if made := len(s.payments(t)); made != 1 {
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
		s.send(t, s.call(path, body).with(idempotency, "k")).want(t, 200, "")
		if path == send {
			continue
		}
		made++
		if got := s.send(t, s.siteCall(path, body).with(idempotency, "k")); got.status != 200 || got.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s of the dealer's website: %d %s", path, got.status, got.body)
		}
	}
	others := s.call(withdraw, withdrawBody).signed(s.OtherDealer.APIKey, s.OtherDealer.SecretKey.Reveal(), s.Clock.Now().Unix())
	s.send(t, others.with(idempotency, "k")).want(t, 200, "")
	if got := len(s.payments(t)); got != made+1 {
		t.Errorf("want %d payments, got %d", made+1, got)
	}
}

func TestWithoutAKeyEveryCallCreates(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		for range 3 {
			s.send(t, s.call(path, body)).want(t, 200, "")
		}
		if made := len(s.payments(t)); made != 3 {
			t.Errorf("%s: want 3 payments, got %d", path, made)
		}
	}
}

func TestAFailureUsesUpNoKey(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	keyed := func(body string) request { return s.call(send, body).with(idempotency, "k") }
	s.send(t, keyed(`{`)).want(t, 400, "Invalid JSON")
	s.send(t, keyed(`{}`)).want(t, 422, "Validation failed")
	s.send(t, keyed(strings.Replace(sendBody, "TR33", "TR34", 1))).wantCode(t, 422, "INVALID_IBAN")
	s.send(t, keyed(strings.Replace(sendBody, "250.00", "10000.01", 1))).wantCode(t, 422, "INSUFFICIENT_BALANCE")
	s.send(t, keyed(sendBody)).want(t, 200, "")
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const message = "The Idempotency-Key header may have at most 255 visible characters."
	for path, body := range creating {
		for _, key := range []string{strings.Repeat("k", 256), "a b", "a\tb", "ş", "a\x7f"} {
			s.send(t, s.call(path, body).with(idempotency, key)).wantMessages(t, message)
		}
		for _, key := range []string{strings.Repeat("k", 255), `"quoted"`, "7f0c4a52-8a0e-4f0e-9a63-3f8f6b1f9d11"} {
			s.send(t, s.call(path, body).with(idempotency, key)).want(t, 200, "")
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
		if got := s.send(t, s.call(path, creating[path])); got.header.Get("RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("%s: want %d left, got %v", path, left, got.header)
		}
	}
	for _, path := range every() {
		got := s.send(t, s.call(path, creating[path]))
		if got.want(t, 429, "Too many requests"); got.header.Get("Retry-After") == "" || strings.Contains(got.body, "error_code") {
			t.Errorf("%s: %v %s", path, got.header, got.body)
		}
	}
	s.send(t, s.siteCall(settings, "")).want(t, 200, "") // a site token has a limit of its own
}

func TestFailedAuthenticationIsLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.FailRate = core.Rate{Events: 2, Per: time.Minute}
	bad := s.call(settings, "").with("X-Hash", strings.Repeat("0", 64))
	s.send(t, bad).want(t, 401, "Invalid hash")
	s.send(t, s.siteCall(deposit, depositBody).with("X-Site-Token", "vzt_guess")).want(t, 401, "Invalid API key")
	s.send(t, bad).want(t, 429, "Too many requests")
	s.send(t, s.call(settings, "")).want(t, 429, "Too many requests") // whatever comes from there now
	elsewhere := s.call(settings, "")
	elsewhere.peer = "192.0.2.11:1"
	s.send(t, elsewhere).want(t, 200, "")
	s.Clock.Advance(time.Minute)
	s.send(t, s.call(settings, "")).want(t, 200, "")
}

func TestWithoutLimitsThereAreNoLimitHeaders(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := s.send(t, s.call(settings, ""))
	for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"} {
		if _, ok := got.header[http.CanonicalHeaderKey(name)]; ok {
			t.Errorf("%s is there", name)
		}
	}
}

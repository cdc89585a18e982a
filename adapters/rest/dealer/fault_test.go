package dealer_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
)

func TestAnInternalFaultIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		s.UnitOfWork.Random = iotest.ErrReader(errors.New("entropy of unit 7 is gone"))
		for _, key := range []string{"", "k"} { // with a key, the first answer is looked for
			got := s.Send(t, s.call(path, body).With("X-Request-Id", "order-4711").With(idempotency, key))
			got.Want(t, 500, "Internal error")
			if !strings.Contains(got.Body, `"request_id":"order-4711"`) || strings.Contains(got.Body, "entropy") || strings.Contains(got.Body, "error_code") {
				t.Errorf("got %s", got.Body)
			}
		}
		logs := s.Logs.String()
		if !strings.Contains(logs, "entropy of unit 7 is gone") || !strings.Contains(logs, "request_id=order-4711") {
			t.Errorf("the log does not say why: %s", logs)
		}
	}
}

func TestADatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	s.UnitOfWork.Commits = resttest.DownStore{}
	for path, body := range creating {
		got := s.Send(t, s.call(path, body))
		got.Want(t, 503, "Service unavailable")
		if got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, "10.1.2.3") || strings.Contains(got.Body, "error_code") {
			t.Errorf("got %v %s", got.Header, got.Body)
		}
	}
	if !strings.Contains(s.Logs.String(), "connection refused") {
		t.Error("the log does not say why")
	}
	for _, path := range every() {
		r := s.call(path, creating[path])
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Ctx = ctx
		s.Send(t, r).Want(t, 503, "Service unavailable")
	}
}

// TestABankThatIsNotThere: a wallet whose gateway can't be used sends nothing and reserves nothing.
func TestABankThatIsNotThere(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*testing.T, *server){
		"switched off": func(t *testing.T, s *server) {
			t.Helper()
			s.changeBank(t, func(a *owner.GatewayAccount) { a.IsEnabled = false })
		},
		"in trouble": func(t *testing.T, s *server) {
			t.Helper()
			s.changeBank(t, func(a *owner.GatewayAccount) { a.Trouble = "its keys are refused" })
		},
		"its plugin is gone": func(t *testing.T, s *server) {
			t.Helper()
			s.changeBank(t, func(a *owner.GatewayAccount) { a.Plugin = "gone" })
		},
		"unknown": func(t *testing.T, s *server) {
			t.Helper()
			s.changeWallet(t, func(w *wallet.Wallet) { w.GatewayID = 999 })
		},
		"not one with accounts": func(t *testing.T, s *server) {
			t.Helper()
			s.changeWallet(t, func(w *wallet.Wallet) { w.GatewayID = s.Gateway.ID })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			change(t, s)
			s.Send(t, s.call(send, sendBody)).Want(t, 503, "Service unavailable")
			if held := s.Held(t, s.Wallet); !held.AvailableBalance.Equal(apptest.Opening) || len(s.Payments(t)) != 0 {
				t.Errorf("%s is available, %d payments", held.AvailableBalance, len(s.Payments(t)))
			}
			s.Send(t, s.call(eibans, "")).Want(t, 200, "")
			s.Send(t, s.call(transactions, "")).Want(t, 200, "")
		})
	}
}

func TestTheLogNamesCallerAndRoute(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Send(t, s.call(transactions, "").With("X-Request-Id", "abc"))
	got := s.Send(t, s.siteCall(card, cardBody))
	token := strings.SplitN(strings.SplitN(got.Body, "/pay/", 2)[1], `"`, 2)[0]
	s.Send(t, s.call(settings, "").With("X-Hash", "x"))
	s.Send(t, s.call(send, strings.Replace(sendBody, "250.00", "9", 1)))
	logs := s.Logs.String()
	for _, want := range []string{
		"msg=request method=GET path=/api/dealer/transactions status=200 duration=0s request_id=abc caller=dealer/1",
		"caller=site_token/1", "path=/api/dealer/settings status=401", "fault=INVALID_HASH", "addr=192.0.2.10", "fault=MIN_AMOUNT_ERROR",
	} {
		if !strings.Contains(logs, want) {
			t.Errorf("want %q in\n%s", want, logs)
		}
	}
	if strings.Contains(logs, token) || strings.Contains(logs, s.Wallet.WalletID) {
		t.Error("the log has a payment's token or a query")
	}
}

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	var routes []string
	err := chi.Walk(newAPI(apptest.New(t)), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes = append(routes, method+" "+dealer.Path+route)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(routes)
	described := slices.DeleteFunc(apidoctest.Load(t).Operations(), func(o string) bool { return !strings.Contains(o, dealer.Path+"/") })
	if !slices.Equal(routes, described) {
		t.Errorf("served:    %v\ndescribed: %v", routes, described)
	}
}

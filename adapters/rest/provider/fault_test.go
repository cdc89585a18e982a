package provider_test

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
	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
)

func TestAnInternalFaultIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.UnitOfWork.Random = iotest.ErrReader(errors.New("entropy of unit 7 is gone"))
	got := s.Send(t, s.call("/start-manual-deposit", depositBody).With("X-Request-Id", "order-4711"))
	got.Want(t, 500, "Internal error")
	if !strings.Contains(got.Body, `"request_id":"order-4711"`) || strings.Contains(got.Body, "entropy") {
		t.Errorf("got %s", got.Body)
	}
	logs := s.Logs.String()
	if !strings.Contains(logs, "entropy of unit 7 is gone") || !strings.Contains(logs, "request_id=order-4711") {
		t.Errorf("the log does not say why: %s", logs)
	}
}

func TestADatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.UnitOfWork.Commits = resttest.DownStore{}
	for path, body := range creating {
		got := s.Send(t, s.call(path, body))
		got.Want(t, 503, "Service unavailable")
		if got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, "10.1.2.3") {
			t.Errorf("got %v %s", got.Header, got.Body)
		}
	}
	if !strings.Contains(s.Logs.String(), "connection refused") {
		t.Error("the log does not say why")
	}
	for _, path := range append([]string{cardStatus, "/start-manual-deposit", card, bank}, asking...) {
		r := s.call(path, depositBody)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Ctx = ctx
		s.Send(t, r).Want(t, 503, "Service unavailable")
	}
}

func TestTheLogNamesCallerAndRoute(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := s.Send(t, s.call("/start-manual-deposit", depositBody).With("X-Request-Id", "abc"))
	token := strings.SplitN(strings.SplitN(got.Body, "/pay/", 2)[1], `"`, 2)[0]
	s.Send(t, s.call("/welcome", "").With("X-Hash", "x"))
	s.Send(t, s.call(card, strings.Replace(cardBody, "{{key}}", "vzc_guessed", 1)))
	logs := s.Logs.String()
	for _, want := range []string{
		"msg=request method=POST path=/api/provider/start-manual-deposit status=200 duration=0s request_id=abc caller=provider/1",
		"path=/api/provider/welcome status=401", "fault=INVALID_HASH", "addr=192.0.2.10",
		"path=/api/provider/credit-card/payment status=401", "fault=INVALID_CREDENTIAL_KEY", // answered in a shape of its own
	} {
		if !strings.Contains(logs, want) {
			t.Errorf("want %q in\n%s", want, logs)
		}
	}
	if strings.Contains(logs, token) {
		t.Error("the log has a payment's token")
	}
}

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	var routes []string
	err := chi.Walk(newAPI(apptest.New(t)), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes = append(routes, method+" "+provider.Path+route)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(routes)
	described := slices.DeleteFunc(apidoctest.Load(t).Operations(), func(o string) bool { return !strings.Contains(o, provider.Path) })
	if !slices.Equal(routes, described) {
		t.Errorf("served:    %v\ndescribed: %v", routes, described)
	}
}

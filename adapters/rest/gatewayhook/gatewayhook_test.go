package gatewayhook_test

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/gatewayhook"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func post(t *testing.T, w *apptest.World, token string, in gateway.Inbound) *httptest.ResponseRecorder {
	t.Helper()
	router := rest.Routes()
	router.Use((&rest.Edge{Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now, Random: rand.Reader}).Handler)
	router.Mount(gatewayhook.Path, gatewayhook.New(w.Operations))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, gatewayhook.Path+"/"+token, bytes.NewReader(in.Body))
	for _, f := range in.Header {
		r.Header.Set(f.Name, f.Value)
	}
	recorder := httptest.NewRecorder()
	router.ServeHTTP(recorder, r)
	return recorder
}

// paid is a card payment that its customer paid at the gateway, which nobody told us yet.
func paid(t *testing.T, w *apptest.World) (payment.Payment, coreoperation.Operation) {
	t.Helper()
	p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil {
		t.Fatal(err)
	}
	w.Sandbox.PayInFull(o.Reference)
	return p, o
}

func stored(t *testing.T, w *apptest.World) []notification.Notification {
	t.Helper()
	all, err := w.Store.Notifications(t.Context(), notification.Query{Paging: core.Paging[core.ID]{Limit: 10}})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPathIsTheOneThatGatewaysAreGiven(t *testing.T) {
	t.Parallel()
	if gatewayhook.Path+"/" != operation.NotifyPath {
		t.Errorf("served at %s, told %s", gatewayhook.Path, operation.NotifyPath)
	}
}

func TestSignedNotificationIsKeptAnsweredAndWorkedOn(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p, o := paid(t, w)
	for range 3 { // the same message again changes nothing and is acknowledged, too
		if got := post(t, w, w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)); got.Code != 200 || got.Body.String() != "OK" {
			t.Fatalf("%d %s", got.Code, got.Body)
		}
	}
	w.Work(t)
	if got := w.Reload(t, p); got.Status != payment.Success {
		t.Errorf("the payment is %s", got.Status)
	}
	if all := stored(t, w); len(all) != 1 || all[0].Status != notification.Done || all[0].TrackCodes != p.TrackingCode {
		t.Errorf("kept: %+v", all)
	}
}

func TestForgedNotificationIsKeptApartAndChangesNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p, o := paid(t, w)
	forged := w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)
	forged.Header = gateway.Header{{Name: bank.SignatureHeader, Value: "wrong"}}
	if got := post(t, w, w.Gateway.HookToken, forged); got.Code != 401 {
		t.Errorf("answered %d", got.Code)
	}
	w.Work(t)
	if all := stored(t, w); len(all) != 1 || all[0].Status != notification.Forged || w.Reload(t, p).Status != payment.Pending {
		t.Errorf("kept %+v, the payment is %s", all, w.Reload(t, p).Status)
	}
}

func TestNotificationAboutNothingKnownIsKeptAndAcknowledged(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	if got := post(t, w, w.Gateway.HookToken, w.Sandbox.Inform("n-1", "NOBODY", gateway.Signed)); got.Code != 200 {
		t.Errorf("answered %d", got.Code)
	}
	w.Work(t)
	if all := stored(t, w); len(all) != 1 || all[0].Status != notification.Unknown {
		t.Errorf("kept %+v", all)
	}
}

func TestOtherAccountsNotificationChangesNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p, o := paid(t, w)
	if got := post(t, w, w.OtherGateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)); got.Code != 200 {
		t.Errorf("answered %d", got.Code)
	}
	w.Work(t)
	if got := w.Reload(t, p); got.Status != payment.Pending {
		t.Errorf("another gateway's word made it %s", got.Status)
	}
}

func TestOurOwnFailureIsAlwaysAskedAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	_, o := paid(t, w)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error { return fault.New("test", fault.Unavailable) }}
	if got := post(t, w, w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)); got.Code != 503 {
		t.Errorf("answered %d", got.Code)
	}
}

// speaking is a gateway that wants to be answered in its own words.
type speaking struct {
	*apptest.PaymentGateway
	reply gateway.Reply
}

func (s speaking) Acknowledge(gateway.Disposition) gateway.Reply { return s.reply }

func TestAnswerIsThePluginsByteForByte(t *testing.T) {
	t.Parallel()
	for _, reply := range []gateway.Reply{
		{Status: 200, ContentType: "text/plain", Body: "OK"},
		{Status: 202, ContentType: "application/json", Body: "{\"ok\": 1}\n"},
		{Status: 204},
	} {
		w := apptest.New(t)
		w.Sandbox.As = speaking{w.Sandbox, reply}
		got := post(t, w, w.Gateway.HookToken, w.Sandbox.Inform("n-1", "NOBODY", gateway.Signed))
		if got.Code != reply.Status || got.Header().Get("Content-Type") != reply.ContentType || got.Body.String() != reply.Body {
			t.Errorf("answered %d %q %q", got.Code, got.Header().Get("Content-Type"), got.Body)
		}
	}
}

func TestPluginThatCannotAnswerIsNoReasonToForgetTheMessage(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sandbox.As = speaking{PaymentGateway: w.Sandbox}
	if got := post(t, w, w.Gateway.HookToken, w.Sandbox.Inform("n-1", "NOBODY", gateway.Signed)); got.Code != 503 {
		t.Errorf("answered %d", got.Code)
	}
	if len(stored(t, w)) != 1 {
		t.Error("it is not kept")
	}
}

func TestBoundsAndUnknownTokens(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	huge := gateway.Inbound{Body: []byte(strings.Repeat("x", gateway.MaxNotificationBytes+1))}
	if got := post(t, w, w.Gateway.HookToken, huge); got.Code != 413 {
		t.Errorf("a huge body: %d", got.Code)
	}
	if got := post(t, w, "0000", gateway.Inbound{}); got.Code != 404 {
		t.Errorf("an unknown token: %d", got.Code)
	}
	if all := stored(t, w); len(all) != 0 {
		t.Errorf("kept %+v", all)
	}
}

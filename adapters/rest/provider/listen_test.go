package provider_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
)

// heard is what callbacks answers.
type heard struct {
	Callbacks []struct {
		Headers map[string]string
		Body    string
	}
	Next string
}

// TestAProviderHearsItsOwnCallbacks, signed now and by its keys, from when it began to listen; another hears nothing of them.
func TestAProviderHearsItsOwnCallbacks(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ask := func(after string, by owner.Provider) (h heard) {
		path := "/callbacks"
		if after != "" {
			path += "?after=" + after
		}
		r := s.call(path, "").SignedWith(by.APIKey, by.SecretKey.Reveal(), "", s.Clock.Now().Unix())
		a := s.Send(t, r)
		a.Want(t, http.StatusOK, "")
		if err := json.Unmarshal([]byte(a.Body), &h); err != nil {
			t.Fatal(err)
		}
		return h
	}
	end := func() {
		if _, err := s.Deposits.Cancel(t.Context(), s.StartDeposit(t, payment.ManualDeposit, money.New(25000, money.TRY))); err != nil {
			t.Fatal(err)
		}
	}
	end()
	s.Clock.Advance(time.Second)
	begun := ask("", s.Provider)
	if len(begun.Callbacks) != 0 {
		t.Errorf("what was before is heard: %+v", begun)
	}
	s.Clock.Advance(time.Second)
	end()
	got := ask(begun.Next, s.Provider)
	if len(got.Callbacks) != 1 {
		t.Fatalf("%+v", got)
	}
	c := got.Callbacks[0]
	want := sign.Webhook(s.Provider.WebhookSecret.Reveal(), c.Headers["webhook-id"], c.Headers["webhook-timestamp"], []byte(c.Body))
	if c.Headers["webhook-signature"] != want || !strings.Contains(c.Body, `"status":"`+string(payment.Canceled)+`"`) {
		t.Errorf("%+v", c)
	}
	if other := ask(begun.Next, s.OtherProvider); len(other.Callbacks) != 0 {
		t.Errorf("another provider hears %+v", other)
	}
	s.Clock.Advance(11 * time.Second)
	if again := ask(got.Next, s.Provider); len(again.Callbacks) != 1 { // so that nothing is missed that was decided late
		t.Errorf("%+v", again)
	}
	if done := ask(ask(got.Next, s.Provider).Next, s.Provider); len(done.Callbacks) != 0 {
		t.Errorf("%+v", done)
	}
	s.Send(t, s.call("/callbacks?after=x", "")).Want(t, http.StatusNotFound, "Not found")
	s.Send(t, s.call("/callbacks", "").SignedWith(s.Provider.APIKey, "vzs_wrong", "", s.Clock.Now().Unix())).Want(t, http.StatusUnauthorized, "Invalid hash")
}

package paypage_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/vezne/vezne/adapters/paypage"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/money"
)

// stage is a World with its payment page on a server of its own.
type stage struct {
	*apptest.World
	t       *testing.T
	handler http.Handler
	server  *httptest.Server
}

func newStage(t *testing.T) *stage {
	t.Helper()
	w := apptest.New(t)
	s := &stage{World: w, t: t, handler: paypage.New(paypage.Config{
		Deposits: w.Deposits, Zone: w.Zone, Log: slog.New(slog.NewTextHandler(w.Logs, nil)),
	})}
	mux := http.NewServeMux()
	mux.Handle("/pay/", s.handler)
	s.server = httptest.NewServer(mux)
	t.Cleanup(s.server.Close)
	return s
}

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// deposit starts one of 250 lira.
func (s *stage) deposit() core.Payment { return s.StartDeposit(s.t, core.ManualDeposit, lira(250)) }

// must takes a result apart: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

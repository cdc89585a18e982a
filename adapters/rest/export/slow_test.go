package export_test

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/export"
	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/e2e/apptest"
)

// stuck is a reader that takes nothing until it is told to.
type stuck struct {
	*httptest.ResponseRecorder
	begun, goOn chan struct{}
}

func (s stuck) Write(piece []byte) (int, error) {
	s.begun <- struct{}{}
	<-s.goOn
	return s.ResponseRecorder.Write(piece)
}

// TestSlowReadersAreBounded: a member who takes files slowly, each with a ticket of its own, gets a few at once.
func TestSlowReadersAreBounded(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	j, _ := exported(t, w)
	signIn, err := w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, staff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	router := rest.Routes()
	router.Use((&rest.Edge{Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now, Random: rand.Reader}).Handler)
	router.Get(reports.DownloadPath+export.Pattern, export.New(w.Jobs).ServeHTTP)
	get := func(to http.ResponseWriter) {
		path, _, err := w.Jobs.Ticket(t.Context(), app.Request{Staff: w.Operator}, sign.Fingerprint(signIn.Token), j.ID)
		if err != nil {
			t.Error(err)
		}
		router.ServeHTTP(to, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	}
	begun, goOn := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { get(stuck{httptest.NewRecorder(), begun, goOn}) })
		<-begun
	}
	fifth := httptest.NewRecorder()
	if get(fifth); fifth.Code != http.StatusTooManyRequests {
		t.Errorf("the fifth at once is answered with %d", fifth.Code)
	}
	close(goOn)
	all.Wait()
	after := httptest.NewRecorder()
	if get(after); after.Code != http.StatusOK || after.Body.Len() == 0 {
		t.Errorf("one after them is answered with %d and %d bytes", after.Code, after.Body.Len())
	}
}

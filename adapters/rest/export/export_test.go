package export_test

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/exportfile"
	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/export"
	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/e2e/apptest"
)

// exported is an export that is done, and the path of its ticket.
func exported(t *testing.T, w *apptest.World) (report.Job, string) {
	t.Helper()
	w.Jobs.Writers = exportfile.Writers()
	w.StartDeposit(t, payment.ManualDeposit, money.New(1234, money.TRY))
	w.Clock.Advance(time.Second)
	signIn, err := w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, staff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	move := app.Request{Staff: w.Operator}
	j, err := w.Jobs.StartExport(t.Context(), move, reports.Export{Format: report.CSV, Language: "tr", HasBOM: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	path, _, err := w.Jobs.Ticket(t.Context(), move, sign.Fingerprint(signIn.Token), j.ID)
	if err != nil {
		t.Fatal(err)
	}
	return j, path
}

func TestATicketDownloadsAFileOnceAndShowsInNoLog(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	_, path := exported(t, w)
	var logs strings.Builder
	router := rest.Routes()
	router.Use((&rest.Edge{Log: slog.New(slog.NewTextHandler(&logs, nil)), Now: w.Clock.Now, Random: rand.Reader}).Handler)
	router.Get(reports.DownloadPath+export.Pattern, export.New(w.Jobs).ServeHTTP)
	server := httptest.NewServer(router)
	defer server.Close()
	get := func(path string) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
	for _, wrong := range []string{path[:len(path)-1], path + "0", "/exports/x/y"} {
		if response, body := get(wrong); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %d %s", wrong, response.StatusCode, body)
		}
	}
	response, body := get(path)
	for name, want := range map[string]string{
		"Content-Type": "text/csv; charset=utf-8", "Cache-Control": "no-store",
		"Content-Disposition": `attachment; filename="transactions-20260302-120001.csv"`, "X-Content-Type-Options": "nosniff",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if response.StatusCode != http.StatusOK || int64(len(body)) != response.ContentLength || !strings.HasPrefix(body, "\ufeff\"İşlem kodu\"") || !strings.Contains(body, ";12,34;") {
		t.Errorf("%d, %s", response.StatusCode, body)
	}
	if again, _ := get(path); again.StatusCode != http.StatusNotFound || again.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a used ticket answers %d", again.StatusCode)
	}
	server.Close()
	if ticket := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(logs.String(), ticket) || !strings.Contains(logs.String(), "/exports/{job}/{ticket}") {
		t.Errorf("the log says %s", logs.String())
	}
}

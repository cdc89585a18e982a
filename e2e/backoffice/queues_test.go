package backoffice_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/e2e/harness"
)

// openQueues returns the address that lets a browser in once.
func openQueues(t *testing.T, s harness.Staff) string {
	t.Helper()
	var data struct{ OpenQueues struct{ URL string } }
	if err := s.Ask(`mutation { openQueues { url } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	_, ticket, _ := strings.Cut(data.OpenQueues.URL, "ticket=")
	harness.KeepSecret("a ticket to the queues", ticket)
	return data.OpenQueues.URL
}

// TestQueues: an admin sees what waits, by asynq and by the database, and no process logs the ticket on the way.
func TestQueues(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		p := in.ServeAll()[0]
		admin := in.SignIn(p, "admin")
		in.Provider(p).Create(t, "start-manual-deposit", "250.00") // with a wake-up at its end
		var data struct {
			Queues struct {
				TaskQueues []struct {
					Name      string
					Scheduled int
				}
				Work []struct {
					Kind     string
					DueCount int
				}
			}
		}
		harness.Eventually(t, func() error {
			err := admin.Ask(`{ queues { taskQueues { name scheduled } work { kind dueCount } } }`, nil, &data)
			if err == nil && (len(data.Queues.TaskQueues) != 1 || data.Queues.TaskQueues[0].Scheduled == 0) {
				err = errors.New("asynq tells of no wake-up for the deposit's end")
			}
			return err
		})
		if len(data.Queues.Work) != 5 {
			t.Errorf("the truth is %+v", data.Queues.Work)
		}
		if code := harness.CodeOf(in.SignIn(p, "operator").Ask(`mutation { openQueues { url } }`, nil, &data)); code != "FORBIDDEN" {
			t.Errorf("an operator gets %q", code)
		}
		if a := harness.Get(t, p.URL+"/queues/"); a.Status != http.StatusUnauthorized {
			t.Errorf("without a cookie: %d", a.Status)
		}
		checkQueuePages(t, p, openQueues(t, admin))
	})
}

func checkQueuePages(t *testing.T, p *harness.Process, address string) {
	t.Helper()
	opened := harness.Get(t, address)
	cookie, _, _ := strings.Cut(opened.Header.Get("Set-Cookie"), ";")
	if opened.Status != http.StatusOK || cookie == "" {
		t.Fatalf("the ticket: %d, %v", opened.Status, opened.Header)
	}
	_, pass, _ := strings.Cut(cookie, "=")
	harness.KeepSecret("a pass to the queues", pass)
	if again := harness.Get(t, address); again.Status != http.StatusUnauthorized {
		t.Errorf("the ticket a second time: %d", again.Status)
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.URL+"/queues/api/queues", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", cookie)
	list, err := harness.Send(r)
	if err != nil || list.Status != http.StatusOK || !strings.Contains(string(list.Body), `"queue":"vezne"`) {
		t.Errorf("the queues: %d %.300s, %v", list.Status, list.Body, err)
	}
	r.Method, r.URL.Path = http.MethodPost, "/queues/api/queues/vezne:pause"
	if paused, err := harness.Send(r); err != nil || paused.Status != http.StatusMethodNotAllowed {
		t.Errorf("pausing: %d, %v", paused.Status, err)
	}
	if log := p.Stderr.String(); strings.Contains(log, pass) || strings.Contains(log, "vzq") || !strings.Contains(log, `"path":"/queues/open"`) {
		t.Error("the log has the ticket or the pass, or not the route")
	}
}

// TestBrowserQueuePages follows the address as an admin does; the tab fails the test when a page breaks its policy.
func TestBrowserQueuePages(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	in.Provider(p).Create(t, "start-manual-deposit", "250.00") // with a wake-up at its end
	b := harness.OpenTab(t, p.URL+"/healthz")
	b.Do(chromedp.EmulateViewport(1400, 900)) // the pages are drawn for an office
	b.Visit(openQueues(t, in.SignIn(p, "admin")))
	b.Until(`location.pathname === "/queues/" && document.body.innerText.includes("vezne")`)
	b.Shot("queues")
	b.Visit(p.URL + "/queues/queues/vezne?status=scheduled")
	b.Until(`document.body.innerText.includes("expire") || document.body.innerText.includes("Scheduled")`)
	b.Shot("queue")
}

package main_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// openQueues gives the address that lets a browser in once.
func (s staff) openQueues(t *testing.T) string {
	t.Helper()
	var data struct{ OpenQueues struct{ URL string } }
	if err := s.ask(`mutation { openQueues { url } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	_, ticket, _ := strings.Cut(data.OpenQueues.URL, "ticket=")
	shared.keepSecret("a ticket to the queues", ticket)
	return data.OpenQueues.URL
}

// TestQueues: an admin sees what waits, by asynq and by the database, and no process logs the ticket on the way.
func TestQueues(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		p := in.serveAll()[0]
		admin := in.signIn(p, "admin")
		in.provider(p).create(t, "start-manual-deposit", "250.00") // rings for its end
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
		eventually(t, func() error {
			err := admin.ask(`{ queues { taskQueues { name scheduled } work { kind dueCount } } }`, nil, &data)
			if err == nil && (len(data.Queues.TaskQueues) != 1 || data.Queues.TaskQueues[0].Scheduled == 0) {
				err = errors.New("asynq tells of no ring for the deposit's end")
			}
			return err
		})
		if len(data.Queues.Work) != 5 {
			t.Errorf("the truth is %+v", data.Queues.Work)
		}
		if code := codeOf(in.signIn(p, "operator").ask(`mutation { openQueues { url } }`, nil, &data)); code != "FORBIDDEN" {
			t.Errorf("an operator gets %q", code)
		}
		if a := get(t, p.url+"/queues/"); a.status != http.StatusUnauthorized {
			t.Errorf("without a cookie: %d", a.status)
		}
		checkQueuePages(t, p, admin.openQueues(t))
	})
}

func checkQueuePages(t *testing.T, p *process, address string) {
	t.Helper()
	opened := get(t, address)
	cookie, _, _ := strings.Cut(opened.header.Get("Set-Cookie"), ";")
	if opened.status != http.StatusOK || cookie == "" {
		t.Fatalf("the ticket: %d, %v", opened.status, opened.header)
	}
	_, pass, _ := strings.Cut(cookie, "=")
	shared.keepSecret("a pass to the queues", pass)
	if again := get(t, address); again.status != http.StatusUnauthorized {
		t.Errorf("the ticket a second time: %d", again.status)
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.url+"/queues/api/queues", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", cookie)
	list, err := send(r)
	if err != nil || list.status != http.StatusOK || !strings.Contains(string(list.body), `"queue":"vezne"`) {
		t.Errorf("the queues: %d %.300s, %v", list.status, list.body, err)
	}
	r.Method, r.URL.Path = http.MethodPost, "/queues/api/queues/vezne:pause"
	if paused, err := send(r); err != nil || paused.status != http.StatusMethodNotAllowed {
		t.Errorf("pausing: %d, %v", paused.status, err)
	}
	if log := p.stderr.String(); strings.Contains(log, pass) || strings.Contains(log, "vzq") || !strings.Contains(log, `"path":"/queues/open"`) {
		t.Error("the log has the ticket or the pass, or not the route")
	}
}

// TestBrowserQueuePages follows the address as an admin does; the tab fails the test when a page breaks its policy.
func TestBrowserQueuePages(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	p := in.serve()
	in.provider(p).create(t, "start-manual-deposit", "250.00") // rings for its end
	b := openTab(t, p.url+"/healthz")
	b.do(chromedp.EmulateViewport(1400, 900)) // the pages are drawn for an office
	b.visit(in.signIn(p, "admin").openQueues(t))
	b.until(`location.pathname === "/queues/" && document.body.innerText.includes("vezne")`)
	b.shot("queues")
	b.visit(p.url + "/queues/queues/vezne?status=scheduled")
	b.until(`document.body.innerText.includes("expire") || document.body.innerText.includes("Scheduled")`)
	b.shot("queue")
}

package harness

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

// Front stands in front of an installation as a load balancer does: its address stays when processes are replaced.
type Front struct {
	*httptest.Server
	to atomic.Pointer[url.URL]
}

// NewFront listens on a free port.
func NewFront(t testing.TB) *Front {
	t.Helper()
	f := &Front{}
	nowhere := log.New(io.Discard, "", 0)
	proxy := &httputil.ReverseProxy{ErrorLog: nowhere, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(f.to.Load())
		r.Out.Host = r.In.Host
	}}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.to.Load() == nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	f.Config.ErrorLog = nowhere
	t.Cleanup(f.Close)
	return f
}

// Lead has the front's visitors answered by a process.
func (f *Front) Lead(t testing.TB, p *Process) {
	t.Helper()
	to, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	f.to.Store(to)
}

// passed is far beyond every lease, and beyond the first waits for an unknown outcome.
const passed = 2 * time.Minute

// BringForward has what payments wait for at gateways come sooner, as if some time had passed. Nothing may be running.
func (in *Installation) BringForward(payments []Payment) {
	in.T.Helper()
	in.Settle()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	var change core.Changeset
	for _, made := range payments {
		p, err := store.PaymentByTrackingCode(context.Background(), made.TrackingCode)
		if err != nil {
			in.T.Fatal(err)
		}
		operations, err := store.OperationsOf(context.Background(), p.ID)
		if err != nil {
			in.T.Fatal(err)
		}
		for _, o := range operations {
			if o.NextAt.IsZero() {
				continue
			}
			o.Version++
			o.NextAt = o.NextAt.Add(-passed)
			if !o.LeaseUntil.IsZero() {
				o.LeaseUntil = o.LeaseUntil.Add(-passed)
			}
			change = append(change, o)
		}
	}
	if err := store.Commit(context.Background(), change); err != nil {
		in.T.Fatal(err)
	}
}

// Settle waits until nobody works on the database. PostgreSQL carries through what a process had sent before it was killed.
func (in *Installation) Settle() {
	in.T.Helper()
	databaseURL := in.Setting("DATABASE_URL")
	if databaseURL == "" {
		return
	}
	db := OpenSQL(databaseURL)
	defer func() { _ = db.Close() }()
	Eventually(in.T, func() error {
		var others int
		err := db.QueryRowContext(context.Background(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`).Scan(&others)
		if err == nil && others > 0 {
			err = fmt.Errorf("%d others are at the database", others)
		}
		return err
	})
}

// allAt lists what stands at gateways.
func (s Staff) allAt(t testing.TB) map[string]GatewayTransaction {
	t.Helper()
	var data struct {
		Transactions struct{ Nodes []GatewayTransaction }
	}
	err := s.Ask(`{ transactions(first: 100) { nodes { trackingCode status
		operations { kind number reference phase status checks } discrepancies(first: 5) { nodes `+DiscrepancyFields+` } } } }`, nil, &data)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]GatewayTransaction, len(data.Transactions.Nodes))
	for _, g := range data.Transactions.Nodes {
		found[g.TrackingCode] = g
	}
	return found
}

// UntilAll waits until every transaction is as it should be.
func (s Staff) UntilAll(t testing.TB, count int, isSo func(GatewayTransaction) bool) (found map[string]GatewayTransaction) {
	t.Helper()
	Eventually(t, func() error {
		found = s.allAt(t)
		if len(found) != count {
			return fmt.Errorf("there are %d transactions, want %d", len(found), count)
		}
		for _, g := range found {
			if !isSo(g) {
				return fmt.Errorf("%s is %s, with %+v and %+v", g.TrackingCode, g.Status, g.Operations, g.Discrepancies)
			}
		}
		return nil
	})
	return found
}

// Last is the newest operation of a transaction; its phase is empty when there is none.
func (g GatewayTransaction) Last() GatewayOperation {
	if len(g.Operations) == 0 {
		return GatewayOperation{}
	}
	return g.Operations[len(g.Operations)-1]
}

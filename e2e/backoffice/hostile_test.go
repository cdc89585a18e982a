package backoffice_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// from is what a proxy says of an address.
func from(address string) http.Header { return http.Header{"X-Forwarded-For": {address}} }

// TestStrangersKeepNobodyOut: a document that would cost much is refused by what it looks like, whoever sends many is soon not listened
// to, and sockets that say nothing, of one place or of many, do not keep staff from being told what happens.
func TestStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		p := in.Serve("VEZNE_TRUSTED_PROXIES=127.0.0.1/32")
		send := func(address, query string) harness.Answer {
			t.Helper()
			a, err := harness.PostJSON(p.URL+"/graphql", from(address), map[string]any{"query": query})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		fragments := "{...F0}"
		for i := range 40 {
			fragments += fmt.Sprintf(" fragment F%d on Query{...F%d ...F%[2]d}", i, i+1)
		}
		for place, c := range map[string]struct{ query, refused string }{
			"198.51.100.1": {"{me{" + strings.Repeat("email ", 990) + "}}", "again and again"},
			"198.51.100.2": {"{me{" + strings.Repeat("email ", 1490) + "}}", "1000"}, // tokens
			"198.51.100.3": {"{" + strings.Repeat("a:me{id} b:me{id} ", 120) + "}", "200 aliases"},
			"198.51.100.4": {fragments + " fragment F40 on Query{__typename}", "more than 1000 fields"},
			"198.51.100.5": {"{" + strings.Repeat("__schema{types{name}} ", 20) + "}", ""},
			"198.51.100.6": {"{me{" + strings.Repeat(" ", 200_000) + "id}}", ""},
			"198.51.100.7": {"{" + strings.Repeat("f", 30_000) + "}", "128 bytes"},
		} {
			if a := send(place, c.query); a.Status < 400 || a.Status >= 500 || !strings.Contains(string(a.Body), c.refused) || len(a.Body) > 4<<10 {
				t.Errorf("%.40s… is answered with %d %.300s", c.query, a.Status, a.Body)
			}
		}
		isRefused := false
		for i := 0; i < 20_000 && !isRefused; i++ {
			isRefused = send("198.51.100.8", "{me{id}}").Status == http.StatusTooManyRequests
		}
		if !isRefused {
			t.Error("20,000 documents of one address were looked at")
		}

		isOver, opened := atomic.Bool{}, atomic.Int64{}
		flood := harness.StartLoad(4, func() bool {
			n := opened.Add(1)
			address := "198.51.100.9"
			if n%2 == 0 {
				address = fmt.Sprintf("203.0.%d.%d", n/250%250, n%250)
			}
			if conn, err := dial(t, p.URL, from(address)); err == nil { // it stays, and says nothing
				t.Cleanup(func() { _ = conn.Close() })
			}
			return !isOver.Load() && n < 3_000
		})
		harness.Eventually(t, func() error { // more than have room, before staff come
			if n := opened.Load(); n < 300 {
				return fmt.Errorf("%d sockets have come", n)
			}
			return nil
		})
		operator := in.SignIn(p, "operator")
		for _, role := range []string{"viewer", "support", "auditor"} {
			see(t, in, p, operator, watch(t, in.SignIn(p, role)))
		}
		isOver.Store(true)
		flood.Wait()
	})
}

// TestOneMembersStreamsDelayNobody: a member opens as many subscriptions as they get, each with a filter of its own, in two sessions.
// There is an end to it, and others are told what happens as before.
func TestOneMembersStreamsDelayNobody(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		p := servers[0]
		open, m := 0, in.Member("viewer")
		for range 2 {
			session, err := harness.SignIn(p.URL, m.Email, m.Password)
			if err != nil {
				t.Fatal(err)
			}
			for connection := range 3 {
				w, mine := connect(t, session), 0
				for i := range 60 {
					w.subscribe(strconv.Itoa(i), fmt.Sprintf(
						`subscription { transactionChanged(filter: {minAmount: "%d.%02d"}) { hasGap } }`, connection+1, i))
					switch m, err := w.hear(); {
					case err != nil:
						t.Fatal(err)
					case m.Type == "next":
						mine++
					case !strings.Contains(string(m.Payload), "TOO_MANY_SUBSCRIPTIONS"):
						t.Fatalf("%+v %s", m, m.Payload)
					}
				}
				if mine > 50 {
					t.Errorf("one socket has %d subscriptions", mine)
				}
				open += mine
			}
		}
		if open != 150 {
			t.Errorf("a member has %d subscriptions", open)
		}
		operator := in.SignIn(p, "operator")
		for range 3 {
			see(t, in, servers[len(servers)-1], operator, watch(t, in.SignIn(p, "support")))
		}
	})
}

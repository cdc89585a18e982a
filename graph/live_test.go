package graph_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/graph"
)

// often makes the looks at sessions and the pings come fast.
func often(c *graph.Config) {
	c.Streams.CheckEvery, c.Streams.PingEvery = time.Millisecond, 10*time.Millisecond
}

func TestATransactionIsWatchedOverAWebSocket(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.serve(t).signedIn(t, staff.Operator)
	c.subscribe("all", watchTransactions, nil)
	p := a.start(t, payment.ManualDeposit)
	if e := c.event(); !e.IsNew || e.Transaction.TrackingCode != p.TrackingCode || e.Transaction.Status != "SHOWING" {
		t.Errorf("the creation is told as %+v", e)
	}
	if _, err := a.Approve(t.Context(), apptest.By(a.Admin, p, ""), money.Amount{}); err != nil {
		t.Fatal(err)
	}
	if seen := c.until(p, payment.Completed); seen[len(seen)-1].IsNew {
		t.Errorf("the decision is told as new: %+v", seen)
	}
}

func TestATransactionIsWatchedOverServerSentEvents(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	c := s.events(t, staff.Operator, watchTransactions, vars{"filter": vars{"status": []string{"COMPLETED"}}})
	if c.StatusCode != 200 || c.Header.Get("Content-Type") != "text/event-stream" || c.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the stream begins with %d %v", c.StatusCode, c.Header)
	}
	if name, data := c.next(); name != "next" || !eventIn(t, []byte(data)).HasGap {
		t.Errorf("the first event is %s %s", name, data)
	}
	a.start(t, payment.ManualDeposit)
	p := a.OfferedDeposit(t, lira(25000))
	if got := a.as(t, staff.Admin, approve, vars{"code": p.TrackingCode}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	name, data := c.next()
	if e := eventIn(t, []byte(data)); name != "next" || e.Transaction.TrackingCode != p.TrackingCode || e.Transaction.Status != "COMPLETED" {
		t.Errorf("the event is %s %s", name, data)
	}
}

func TestADiscrepancyIsWatched(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.serve(t).signedIn(t, staff.DealerStaff)
	c.subscribe("1", watchDiscrepancies, nil)
	s := a.overpaid(t, payment.CreditCard)
	e := c.event()
	if !e.IsNew || e.Discrepancy.TrackingCode != s.TrackingCode || e.Discrepancy.Kind != "OVER" || e.Discrepancy.Status != "OPEN" {
		t.Errorf("it is told as %+v", e)
	}
	a.as(t, staff.Admin, `mutation($id: ID!) { resolveDiscrepancy(input: {id: $id, resolution: ACCEPT}) { discrepancy { status } } }`, vars{"id": s.discrepancy})
	if e := c.event(); e.IsNew || e.Discrepancy.Status != "ACCEPTED" {
		t.Errorf("its end is told as %+v", e)
	}
}

// One connection has several subscriptions and queries; a subscription that the client ends is told nothing more.
func TestAConnectionIsShared(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.serve(t).signedIn(t, staff.Viewer)
	c.subscribe("all", watchTransactions, nil)
	c.subscribe("withdrawals", watchTransactions, vars{"filter": vars{"method": []string{"MANUAL_WITHDRAWAL"}}})
	c.say(wsMessage{Type: "ping", Payload: json.RawMessage(`{"a":1}`)})
	if m := c.hear(); m.Type != "pong" || string(m.Payload) != `{"a":1}` {
		t.Errorf("ping is answered by %+v", m)
	}
	a.start(t, payment.ManualDeposit)
	if m := c.hear(); m.ID != "all" {
		t.Errorf("a deposit is told to %q", m.ID)
	}
	c.say(wsMessage{ID: "all", Type: "complete"})
	c.ask("q", `{ me { email } }`, nil)
	if m := c.hear(); m.ID != "q" || m.Type != "next" || string(m.Payload) != `{"data":{"me":{"email":"viewer@vezne.test"}}}` {
		t.Errorf("a query is answered by %+v %s", m, m.Payload)
	}
	if m := c.hear(); m.ID != "q" || m.Type != "complete" {
		t.Errorf("a query ends with %+v", m)
	}
	c.ask("m", approve, vars{"code": "MAN-1"})
	if m := c.hear(); m.ID != "m" || !strings.Contains(string(m.Payload), "FORBIDDEN") {
		t.Errorf("a viewer's mutation is answered by %+v %s", m, m.Payload)
	}
	c.hear()
	a.start(t, payment.ManualWithdrawal)
	if m := c.hear(); m.ID != "withdrawals" {
		t.Errorf("a withdrawal is told to %q: %s", m.ID, m.Payload)
	}
	c.subscribe("all", watchTransactions, nil) // the name is free again
}

func TestADealersStaffWatchOnlyWhatIsTheirDealers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	theirs := payment.Request{Method: payment.CreditCard, Amount: lira(25000), Provider: a.OtherProvider, Site: a.OtherSite}
	sse := s.events(t, staff.DealerStaff, watchTransactions, nil)
	sse.next()
	c := s.signedIn(t, staff.DealerStaff)
	c.subscribe("filtered", watchTransactions, vars{"filter": vars{"providerId": a.OtherProvider.ID}})
	c.subscribe("transactions", watchTransactions, nil)
	all := s.signedIn(t, staff.Admin)
	all.subscribe("1", watchTransactions, nil)
	theirs.Method = payment.ManualDeposit
	hidden := a.Start(t, theirs)
	all.until(hidden, payment.Showing)
	own := a.start(t, payment.ManualDeposit)
	if m := c.hear(); m.ID != "transactions" || eventIn(t, m.Payload).Transaction.TrackingCode != own.TrackingCode {
		t.Errorf("a dealer's staff hear %s %s", m.ID, m.Payload)
	}
	if _, data := sse.next(); eventIn(t, []byte(data)).Transaction.TrackingCode != own.TrackingCode {
		t.Errorf("a dealer's staff hear %s", data)
	}
}

func TestWhoMayWatch(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	watched := map[string]string{
		"transactionChanged": watchTransactions, "discrepancyChanged": watchDiscrepancies,
		"approvalChanged": watchApprovals, "jobChanged": watchJobs, "bankLineChanged": watchLines, "callbackChanged": watchCallbacks,
	}
	connections := map[staff.Role]*wsClient{}
	for _, role := range staff.Roles() {
		connections[role] = s.signedIn(t, role)
	}
	for _, f := range schema().Subscription.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if f.Directives.ForName("can") == nil || f.Type.NonNull || watched[f.Name] == "" {
			t.Errorf("%s has no @can, is not nullable, or is not in this test", f.Name)
		}
		for _, role := range staff.Roles() {
			c := connections[role]
			if f.Name == "approvalChanged" && !role.May(staff.ReadApprovals) || f.Name == "bankLineChanged" && !role.May(staff.ReadWallets) {
				c.ask(f.Name, watched[f.Name], nil)
				if m := c.hear(); m.Type != "error" || !strings.Contains(string(m.Payload), "FORBIDDEN") {
					t.Errorf("%s hears %s %s of %s", role, m.Type, m.Payload, f.Name)
				}
				continue
			}
			c.subscribe(f.Name, watched[f.Name], nil)
		}
		name, data := s.events(t, "", watched[f.Name], nil).next()
		if name != "next" || !strings.Contains(data, "UNAUTHENTICATED") || strings.Contains(data, `"data":{`) {
			t.Errorf("without a session %s tells %s %s", f.Name, name, data)
		}
	}
	fields := `subscription { transactionChanged { transaction { wallet { id gatewayId } } } }`
	c := s.signedIn(t, staff.DealerStaff)
	c.ask("1", fields, nil)
	c.hear()
	a.StartTransfer(t, lira(10000))
	if m := c.hear(); !strings.Contains(string(m.Payload), "FORBIDDEN") || !strings.Contains(string(m.Payload), `"gatewayId":null`) {
		t.Errorf("a field that the role may not see is told as %s", m.Payload)
	}
}

func TestTheTokenOfTheRequestSignsAWebSocketIn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	c := s.connect(t, http.Header{"Authorization": {"Bearer " + a.tokens[staff.Viewer]}})
	c.say(wsMessage{Type: "connection_init"})
	if m := c.hear(); m.Type != "connection_ack" {
		t.Errorf("connection_init is answered by %+v", m)
	}
	c.subscribe("1", watchTransactions, nil)
}

func TestASocketThatDoesNotKeepToTheProtocol(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) { c.Streams.InitWithin = 300 * time.Millisecond })
	s := a.serve(t)
	ok := `{"type":"connection_init","payload":{"authorization":"Bearer ` + a.tokens[staff.Admin] + `"}}`
	watch := `{"id":"1","type":"subscribe","payload":{"query":"subscription { transactionChanged { isNew } }"}}`
	for name, c := range map[string]struct {
		says []string
		code int
	}{
		"silence":               {nil, 4408},
		"no token":              {[]string{`{"type":"connection_init"}`}, 4401},
		"a wrong token":         {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer vzg_x"}}`}, 4401},
		"a bare token":          {[]string{`{"type":"connection_init","payload":{"Authorization":"` + a.tokens[staff.Admin] + `"}}`}, 4401},
		"not JSON":              {[]string{`{`}, 4400},
		"no type":               {[]string{`{}`}, 4400},
		"an unknown type":       {[]string{`{"type":"start"}`}, 4400},
		"a payload of no kind":  {[]string{`{"type":"connection_init","payload":7}`}, 4400},
		"a subscription first":  {[]string{watch}, 4401},
		"two initialisations":   {[]string{ok, ok}, 4429},
		"a name that is taken":  {[]string{ok, watch, watch}, 4409},
		"no name":               {[]string{ok, strings.Replace(watch, `"id":"1"`, `"id":""`, 1)}, 4400},
		"a long name":           {[]string{ok, strings.Replace(watch, `"id":"1"`, `"id":"`+strings.Repeat("1", 129)+`"`, 1)}, 4400},
		"a query of no kind":    {[]string{ok, `{"id":"1","type":"subscribe","payload":{"query":7}}`}, 4400},
		"more than 64 KiB":      {[]string{ok, `{"type":"` + strings.Repeat("x", 64<<10) + `"}`}, 1009},
		"what is not JSON then": {[]string{ok, `[]`}, 4400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := s.connect(t, nil)
			go func() {
				for _, text := range c.says {
					_ = client.WriteMessage(1, []byte(text)) // the server may have closed
				}
			}()
			if code, reason := client.ends(); code != c.code {
				t.Errorf("it is closed with %d %q, want %d", code, reason, c.code)
			}
		})
	}
}

func TestAnOperationThatIsNoneEndsWithItsError(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	c := s.signedIn(t, staff.Admin)
	dear := `subscription { transactionChanged { transaction { wallet { entries(first: 200) { nodes { id lineId } } } } } }`
	for query, want := range map[string]string{
		`subscription { x }`: "GRAPHQL_VALIDATION_FAILED", `subscription {`: "GRAPHQL_PARSE_FAILED", ``: "GRAPHQL_VALIDATION_FAILED",
		dear: "the operation costs",
		`subscription { transactionChanged { isNew } discrepancyChanged { isNew } }`:              "GRAPHQL_VALIDATION_FAILED",
		`subscription { transactionChanged(filter: {maxAmount: "0"}) { isNew } }`:                 `"INVALID"`,
		`subscription($x: TransactionFilter) { transactionChanged(filter: $x) { isNew hasGap } }`: `"hasGap":true`,
		`subscription { transactionChanged(filter: {trackingCode: "\u0000"}) { isNew } }`:         "NUL",
		`subscription { discrepancyChanged(filter: {status: [nothing]}) { isNew } }`:              "GRAPHQL_VALIDATION_FAILED",
	} {
		c.ask("1", query, nil)
		m := c.hear()
		if !strings.Contains(string(m.Payload), want) || (m.Type == "error") == strings.Contains(want, "hasGap") {
			t.Errorf("%s: got %s %s", query, m.Type, m.Payload)
		}
		if m.Type == "next" {
			c.say(wsMessage{ID: "1", Type: "complete"})
			c.say(wsMessage{Type: "ping"})
			for c.hear().Type != "pong" {
			}
			c = s.signedIn(t, staff.Admin)
		}
	}
	if answer := a.as(t, staff.Admin, watchTransactions, nil); answer.Status != 400 || answer.code() != "GRAPHQL_VALIDATION_FAILED" {
		t.Errorf("a subscription by a plain POST: got %d %s", answer.Status, answer.Raw)
	}
	if got := s.events(t, staff.Admin, `subscription { x }`, nil); got.StatusCode != 400 {
		t.Errorf("what is no operation is streamed with %d", got.StatusCode)
	}
	if name, data := s.events(t, staff.Admin, `{ me { email } }`, nil).next(); name != "next" || data != `{"data":{"me":{"email":"admin@vezne.test"}}}` {
		t.Errorf("a query is streamed as %s %s", name, data)
	}
}

func TestAnotherSitesWebSocketIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"another origin":   {http.Header{"Origin": {"https://evil.test"}}, 403},
		"another site":     {http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"no origin at all": {http.Header{"Origin": {"null"}}, 403},
		"the same origin":  {http.Header{"Origin": {"http://192.0.2.1:80"}}, 101},
	} {
		r := request(t, a.tokens[staff.Admin], "", nil)
		r.Method, r.RequestURI, r.URL.Scheme, r.URL.Host, r.Body = http.MethodGet, "", "http", "192.0.2.1:80", nil
		r.Host, r.ContentLength = r.URL.Host, 0
		r.Header = c.header
		for key, value := range map[string]string{
			"Connection": "Upgrade", "Upgrade": "websocket", "Sec-Websocket-Version": "13",
			"Sec-Websocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-Websocket-Protocol": "graphql-transport-ws",
		} {
			r.Header.Set(key, value)
		}
		answer, err := (&http.Transport{DialContext: s.dial}).RoundTrip(r)
		if err != nil || answer.StatusCode != c.status {
			t.Errorf("%s: got %+v %v, want %d", name, answer, err, c.status)
			continue
		}
		_ = answer.Body.Close()
	}
}

func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(*api, *testing.T)
		code int
		says string
	}{
		"revoked":     {func(a *api, t *testing.T) { a.revoke(t, a.tokens[staff.DealerStaff]) }, 4401, "UNAUTHENTICATED"},
		"deactivated": {func(a *api, t *testing.T) { a.deactivate(t, a.DealerStaff) }, 4401, "UNAUTHENTICATED"},
		"run out":     {func(a *api, _ *testing.T) { a.Clock.Advance(13 * time.Hour) }, 4401, "UNAUTHENTICATED"},
		"another dealer's now": {func(a *api, t *testing.T) {
			member := a.DealerStaff
			member.Version, member.DealerID = member.Version+1, a.OtherDealer.ID
			a.save(t, member)
		}, 4403, "FORBIDDEN"},
		"another role": {func(a *api, t *testing.T) {
			member := a.DealerStaff
			member.Version, member.Role, member.DealerID = member.Version+1, staff.Viewer, 0
			a.save(t, member)
		}, 4403, "FORBIDDEN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, often)
			s := a.serve(t)
			ws := s.signedIn(t, staff.DealerStaff)
			ws.subscribe("1", watchTransactions, nil)
			sse := s.events(t, staff.DealerStaff, watchTransactions, nil)
			sse.next()
			c.end(a, t)
			if code, reason := ws.ends(); code != c.code || reason != c.says {
				t.Errorf("the WebSocket ends with %d %s", code, reason)
			}
			if name, data := sse.next(); name != "next" || !strings.Contains(data, c.says) {
				t.Errorf("the stream ends with %s %s", name, data)
			}
			if name, _ := sse.next(); name != "complete" {
				t.Errorf("the stream ends with %s", name)
			}
		})
	}
}

func (a *api) save(t *testing.T, member staff.Staff) {
	t.Helper()
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatal(err)
	}
}

func TestWhoIsTooSlowIsLetGoAndHoldsUpNobody(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Live.Buffer = 4
	s := a.serve(t)
	slow, fast := s.signedIn(t, staff.Admin), s.signedIn(t, staff.Admin)
	slow.subscribe("slow", watchTransactions, nil)
	fast.subscribe("fast", watchTransactions, nil)
	for range 60 {
		p := a.start(t, payment.ManualDeposit)
		fast.until(p, payment.Showing)
	}
	for {
		m := slow.hear()
		if m.Type == "error" {
			if !strings.Contains(string(m.Payload), "TOO_SLOW") {
				t.Errorf("it ends with %s", m.Payload)
			}
			break
		}
	}
	slow.subscribe("slow", watchTransactions, nil) // the connection lives
}

func TestWhoTakesNothingIsCutOff(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) { c.Streams.WriteWithin = 50 * time.Millisecond })
	s := a.serve(t)
	c := s.signedIn(t, staff.Admin)
	c.subscribe("1", watchTransactions, nil)
	a.start(t, payment.ManualDeposit)
	for c.WriteJSON(wsMessage{Type: "pong"}) == nil { // until the server has closed; a pipe holds nothing
	}
}

func TestSubscriptionsAreBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) { c.Streams.PerConnection, c.Streams.PerSession, c.Streams.Connections = 2, 3, 4 })
	s := a.serve(t)
	one, two, other := s.signedIn(t, staff.Admin), s.signedIn(t, staff.Admin), s.signedIn(t, staff.Viewer)
	one.subscribe("1", watchTransactions, nil)
	one.subscribe("2", watchTransactions, nil)
	one.isRefused("x", "TOO_MANY_SUBSCRIPTIONS")
	two.subscribe("1", watchTransactions, nil)
	two.isRefused("x", "TOO_MANY_SUBSCRIPTIONS")
	other.subscribe("1", watchTransactions, nil)
	two.say(wsMessage{ID: "1", Type: "complete"})
	for got := (wsMessage{}); got.Type != "next"; got = two.hear() { // as soon as the ended one is counted off
		two.ask("again", watchTransactions, nil)
	}
	s.signedIn(t, staff.Viewer)
	if got := s.events(t, staff.Viewer, watchTransactions, nil); got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a stream too many begins with %d", got.StatusCode)
	}
}

// TestNobodyTakesAllStreams: neither a member with many sessions nor a dealer with many members.
func TestNobodyTakesAllStreams(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) {
		c.Streams.ConnectionsPerMember, c.Streams.ConnectionsPerTenant, c.Streams.PerMember, c.Streams.PerTenant = 3, 5, 4, 6
	})
	s := a.serve(t)
	open := func(session staff.Role, subscriptions int) *wsClient {
		c := s.signedIn(t, session)
		for i := range subscriptions {
			c.subscribe(strconv.Itoa(i), watchTransactions, vars{"filter": vars{"siteId": i + 1}})
		}
		return c
	}
	colleague := a.colleague(t, staff.DealerStaff)
	a.tokens["again"], a.tokens["third"] = a.session(t, a.DealerStaff), a.session(t, a.DealerStaff)
	a.tokens["colleague"] = a.session(t, colleague)
	open(staff.DealerStaff, 2)
	open("again", 2).isRefused("x", "TOO_MANY_SUBSCRIPTIONS") // the member's fifth
	open("third", 0)
	if got := s.events(t, "third", watchTransactions, nil); got.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a member's fourth stream begins with %d", got.StatusCode)
	}
	open("colleague", 2).isRefused("x", "TOO_MANY_SUBSCRIPTIONS") // the dealer's seventh
	open("colleague", 0)
	c := s.connect(t, http.Header{})
	c.say(wsMessage{Type: "connection_init", Payload: json.RawMessage(`{"Authorization": "Bearer ` + a.tokens["colleague"] + `"}`)})
	if code, reason := c.ends(); code != 1013 || reason != "TOO_MANY_SUBSCRIPTIONS" {
		t.Errorf("a dealer's sixth stream ends with %d %s", code, reason)
	}
	open(staff.ProviderStaff, 4)
	open(staff.Admin, 4)
}

func TestStopEndsEveryStreamInOrder(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := a.serve(t)
	ws, idle := s.signedIn(t, staff.Admin), s.connect(t, nil)
	ws.subscribe("1", watchTransactions, nil)
	sse := s.events(t, staff.Admin, watchTransactions, nil)
	sse.next()
	stopped := make(chan error, 1)
	go func() { stopped <- a.endpoint().Stop(t.Context()) }()
	if m := ws.hear(); m.Type != "complete" || m.ID != "1" {
		t.Errorf("the subscription ends with %+v", m)
	}
	if code, _ := ws.ends(); code != 1001 {
		t.Errorf("the WebSocket ends with %d", code)
	}
	if code, _ := idle.ends(); code != 1001 {
		t.Errorf("an idle WebSocket ends with %d", code)
	}
	if name, _ := sse.next(); name != "complete" {
		t.Errorf("the stream ends with %s", name)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if got := s.events(t, staff.Admin, watchTransactions, nil); got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new stream begins with %d", got.StatusCode)
	}
}

// A stream outlives the server's time limits for requests.
func TestAStreamOutlivesTheServersTimeouts(t *testing.T) {
	t.Parallel()
	const limit = 3 * time.Second // within which a busy machine answers
	a := newAPI(t, often, func(c *graph.Config) { c.Timeout = limit })
	s := a.serve(t, func(server *http.Server) {
		server.ReadTimeout, server.WriteTimeout, server.IdleTimeout = limit, limit, limit
	})
	sse := s.events(t, staff.Admin, watchTransactions, nil)
	ws := s.signedIn(t, staff.Admin)
	ws.subscribe("1", watchTransactions, nil)
	sse.next()
	for begun := time.Now(); time.Since(begun) < limit+time.Second; { // pings, one in 10 ms
		sse.hear()
	}
	p := a.start(t, payment.ManualDeposit)
	ws.until(p, payment.Showing)
	if _, data := sse.next(); eventIn(t, []byte(data)).Transaction.TrackingCode != p.TrackingCode {
		t.Errorf("the event is %s", data)
	}
}

func TestWhatIsMissedIsSaid(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.serve(t).signedIn(t, staff.Admin)
	c.subscribe("1", watchTransactions, nil)
	a.News.Publish(core.Event{Kind: core.EventsLost})
	if m := c.hear(); !eventIn(t, m.Payload).HasGap {
		t.Errorf("heard is %s", m.Payload)
	}
}

package bunstore_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	payments "github.com/vezne/vezne/app/payment"
	reports "github.com/vezne/vezne/app/report"
	appstaff "github.com/vezne/vezne/app/staff"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/graph"
	"github.com/vezne/vezne/ports"
)

// office is the back office's API over a store whose statements are noted.
type office struct {
	http.Handler
	seen  *spy
	token string
}

func newOffice(t *testing.T, cfg bunstore.Config) *office {
	t.Helper()
	s := openStore(t, cfg)
	if err := bunstore.Load(t.Context(), cfg, crowd(t, 1000)); err != nil {
		t.Fatal(err)
	}
	var owners core.Changeset
	for id := int64(1); id <= 13; id++ {
		owners = append(owners, owner.Provider{ID: id, Version: 1, Name: "Acme", APIKey: rand.Text(), CreatedAt: crowdEnd, UpdatedAt: crowdEnd})
		owners = append(owners, owner.Dealer{ID: id, Version: 1, Name: "Ege", APIKey: rand.Text(), CreatedAt: crowdEnd, UpdatedAt: crowdEnd})
	}
	if err := s.Commit(t.Context(), owners); err != nil {
		t.Fatal(err)
	}
	seen, clock := &spy{}, apptest.NewClock(crowdEnd)
	store := s.WithHook(seen)
	cached := dircache.New(store, clock)
	unit := &app.UnitOfWork{
		Commits: cached.Forgets(store), Staff: apptest.Ungated{Committer: store}, Waker: apptest.NewWaker(), Clock: clock, Random: rand.Reader, Payments: store, Callbacks: store,
		Directory: cached,
	}
	person := appstaff.New(appstaff.Config{
		UnitOfWork: unit, Store: store, Sequences: store, Limiter: apptest.NewLimiter(clock), BaseURL: "https://pay.vezne.test", Issuer: "Vezne",
	})
	o := &office{seen: seen, Handler: graph.New(graph.Config{
		Staff: person, Clock: clock,
		Backoffice: &reports.Backoffice{
			Payments: store, Callbacks: store, Operations: store, Statements: store, Directory: cached, Owners: store, Reports: store,
		},
		Gateways:    &directory.Gateways{UnitOfWork: unit, Operations: store, Owners: store, Gateways: &app.Gateways{Plugins: noPlugins{}, Clock: clock}},
		Wallets:     &wallets.Wallets{UnitOfWork: unit, Wallets: store},
		Statements:  &wallets.Statements{UnitOfWork: unit, Store: store, Wallets: store, Operations: store, Reports: store},
		Withdrawals: &payments.Withdrawals{UnitOfWork: unit},
		Log:         slog.New(slog.DiscardHandler),
		ClientAddr:  func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.7") },
	})}
	member := appstaff.NewStaff{Email: "admin@vezne.test", Password: "correct horse battery", Role: staff.Admin}
	if _, err := person.Create(t.Context(), app.BySystem, member); err != nil {
		t.Fatal(err)
	}
	signIn, err := person.Login(t.Context(), member.Email, member.Password, appstaff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	o.token = signIn.Token
	return o
}

// noPlugins is an installation without gateways.
type noPlugins struct{}

func (noPlugins) Plugin(string) (ports.Plugin, bool) { return nil, false }
func (noPlugins) Plugins() []ports.Plugin            { return nil }

// statements counts what an operation sends to the database, but for signing its sender in.
func (o *office) statements(t *testing.T, query string) int {
	t.Helper()
	return o.statementsFor(t, query, "trackingCode")
}

// statementsFor counts them for an answer that has to have a word twenty times. It asks twice: from the second time on the keys
// of the customers are at hand, which are read once for all of a page.
func (o *office) statementsFor(t *testing.T, query, word string) int {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	var w *httptest.ResponseRecorder
	for range 2 {
		o.seen.queries = nil
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+o.token)
		w = httptest.NewRecorder()
		o.ServeHTTP(w, r)
	}
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"errors"`) || strings.Count(w.Body.String(), word) < 20 {
		t.Fatalf("%d %.500s", w.Code, w.Body)
	}
	n := 0
	for _, q := range o.seen.queries {
		if !strings.Contains(q, "session_row") && !strings.Contains(q, "staff_row") {
			n++
		}
	}
	return n
}

// TestAPageOfTransactionsTakesAStatementForEachTable: the page itself, its histories and its callbacks with their
// attempts take three. Whatever else is asked for takes one more for each table that it is in, for all rows together.
// Names of providers, dealers and gateway accounts are at hand, or are read once for all as well.
func TestAPageOfTransactionsTakesAStatementForEachTable(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		o := newOffice(t, cfg)
		const (
			owners   = ` requestedBy { name } provider { name } site { name } dealer { name } gateway { name }`
			history  = ` history(first: 5) { nodes { at actor { name } } }`
			reports  = ` callbacks { status attempts { number httpStatus } }`
			gateways = ` operations { reference gateway { name } } awaitsApproval`
			all      = owners + history + reports + gateways + ` gatewayCalls { name } discrepancies(first: 5) { nodes { id } } bankLines { lineId }`
		)
		page := func(filter, fields string) string {
			return `{ transactions(first: 40` + filter + `) { nodes { trackingCode` + fields + ` } pageInfo { hasNextPage } } }`
		}
		o.statements(t, page("", owners)) // from now on the names are at hand
		for name, c := range map[string]struct {
			query string
			want  int
		}{
			"rows":                             {page("", ""), 1},
			"rows and owners":                  {page("", owners), 1},
			"with histories and callbacks":     {page("", owners+history+reports), 3},
			"with what was done at gateways":   {page("", gateways), 2},
			"with everything":                  {page("", all), 7},
			"of a provider and a status":       {page(`, filter: {providerId: 1, status: COMPLETED}`, owners+history+reports), 3},
			"by amount":                        {page(`, sort: AMOUNT_DESC`, owners+history+reports), 3},
			"of two filters that no index has": {page(`, filter: {dealerId: 1, minAmount: "1.00"}`, ""), 2},
			"of a name":                        {page(`, filter: {name: "mehmet"}`, ""), 2},
			"twice":                            {`{ a: transactions(first: 20) { nodes { trackingCode history(first: 5) { nodes { at } } } } b: transactions(first: 20) { nodes { trackingCode history(first: 5) { nodes { at } } } } }`, 3},
		} {
			most := c.want
			if name == "twice" { // which of the two pages' histories is read depends on which came last
				most = 4
			}
			if got := o.statements(t, c.query); got < c.want || got > most {
				t.Errorf("%s: %d statements, want %d\n%.3000s", name, got, c.want, strings.Join(o.seen.queries, "\n"))
			}
		}
	})
}

// books returns wallets with lines, entries and days that name transactions, and discrepancies and notifications.
func (o *office) books(t *testing.T, s *bunstore.Store) {
	t.Helper()
	found, err := s.SearchPayments(t.Context(), report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 40}})
	if err != nil {
		t.Fatal(err)
	}
	owners, change := core.Changeset{}, core.Changeset{}
	for id := int64(1); id <= 25; id++ {
		owners = append(owners, wallet.Wallet{
			ID: id, Version: 1, WalletID: fmt.Sprint("W-", id), DealerID: id, AccountID: id, GatewayID: id, BankAccountID: fmt.Sprint(id),
			CreatedAt: crowdEnd, UpdatedAt: crowdEnd,
		})
		owners = append(owners, wallet.Feed{WalletID: id, GatewayID: id, Version: 1, OpenedAt: crowdEnd, Trouble: "read"})
		account := owner.GatewayAccount{ID: 100 + id, Version: 1, Plugin: "gone", Code: fmt.Sprint("g", id), CreatedAt: crowdEnd, UpdatedAt: crowdEnd}
		owners = append(owners, account)
	}
	for i := range 40 {
		p := crowdPayment(t, i)
		p.Method, p.TrackingCode, p.Status = payment.ManualWithdrawal, fmt.Sprint("desk ", i), payment.Pending
		owners = append(owners, p)
	}
	lira := money.New(100, money.TRY)
	for i, p := range found.Payments {
		line := wallet.BankLine{
			WalletID: int64(1 + i%2), LineID: fmt.Sprint(i), ID: p.ID, Version: 1, Direction: gateway.Incoming, BookedAt: p.CreatedAt,
			ImportedAt: p.CreatedAt, Status: wallet.LineMatched, PaymentID: p.ID, Amount: lira,
		}
		change = append(change, line)
		call := operation.GatewayCall{ID: p.ID[:25] + "~", GatewayID: int64(101 + i%25), At: p.CreatedAt, Outcome: "unavailable"}
		change = append(change, call)
		line.LineID, line.ID, line.Status, line.PaymentID = "waits "+line.LineID, line.ID[:25]+"~", wallet.LineDoubtful, ""
		line.Party.IBAN = fmt.Sprintf("TR33000610051978645784%04d", i)
		change = append(change, line)
		change = append(change, ledger.Entry{
			ID: p.ID, WalletID: 1, Kind: ledger.EntryIncoming, At: p.CreatedAt, PaymentID: p.ID, LineID: line.LineID,
			Available: lira, Outside: money.New(-100, money.TRY),
		})
		change = append(change, wallet.Reconciliation{
			WalletID: line.WalletID, Day: core.DayOf(crowdEnd.AddDate(0, 0, -i/2), time.UTC), Version: 1, DealerID: line.WalletID, ReconciledAt: crowdEnd,
			Differences: []wallet.Difference{{Kind: wallet.AmountDiffers, LineID: line.LineID, PaymentID: p.ID, Ours: lira, Theirs: lira}},
		})
		change = append(change, discrepancy.Discrepancy{
			ID: p.ID, Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: discrepancy.LateMoney, Status: discrepancy.Open, CreatedAt: p.CreatedAt,
		})
		change = append(change, notification.Notification{ID: p.ID, Version: 1, GatewayID: 1, ReceivedAt: p.CreatedAt, Status: notification.Done})
	}
	for _, c := range []core.Changeset{owners, change} {
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAPageOfAnyConnectionTakesFewStatements: a page of whatever there are pages of takes at most three, and whatever its
// rows name is read for all of them at once.
func TestAPageOfAnyConnectionTakesFewStatements(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		o := newOffice(t, cfg)
		o.books(t, openStore(t, cfg))
		o.statements(t, `{ transactions(first: 40) { nodes { trackingCode requestedBy { name } } } }`) // from now on the names are at hand
		const transaction = ` transaction { trackingCode history(first: 5) { nodes { at } } callbacks { status attempts { number } } provider { name } }`
		for name, c := range map[string]struct {
			query, word string
			most        int
		}{
			"bank lines":    {`{ bankLines(first: 30) { nodes { lineId } pageInfo { hasNextPage } } }`, "lineId", 3},
			"days":          {`{ reconciliations(first: 30) { nodes { day } pageInfo { hasNextPage } } }`, "day", 3},
			"discrepancies": {`{ discrepancies(first: 30) { nodes { trackingCode } pageInfo { hasNextPage } } }`, "trackingCode", 3},
			"notifications": {`{ gatewayNotifications(first: 30) { nodes { id } pageInfo { hasNextPage } } }`, `"id"`, 3},
			"withdrawals":   {`{ deskWithdrawals(first: 30) { nodes { trackingCode } pageInfo { hasNextPage } } }`, "trackingCode", 3},
			"entries":       {`{ wallet(id: "W-1") { entries(first: 30) { nodes { id } pageInfo { hasNextPage } } } }`, `"id"`, 3},
			"days of a wallet": {
				`{ wallet(id: "W-1") { days(first: 30) { nodes { day } pageInfo { hasNextPage } } } }`, "day", 3,
			},
			"bank lines with all that they name":  {`{ bankLines(first: 30, filter: {status: [MATCHED]}) { nodes { lineId wallet { id }` + transaction + ` } } }`, "attempts", 6},
			"days with all that they name":        {`{ reconciliations(first: 30) { nodes { day wallet { id } differences {` + transaction + ` } } } }`, "attempts", 6},
			"entries with all that they name":     {`{ wallet(id: "W-1") { entries(first: 30) { nodes { id` + transaction + ` } } } }`, "attempts", 6},
			"withdrawals with all that they name": {`{ deskWithdrawals(first: 30) { nodes { trackingCode history(first: 5) { nodes { at } } callbacks { status attempts { number } } } } }`, "callbacks", 3},
			"bank lines with what they may belong to": {
				`{ bankLines(first: 30, filter: {status: [DOUBTFUL]}) { nodes { lineId candidates { score transaction { trackingCode } } } } }`, "candidates", 7,
			},
			"gateway accounts with their health":   {`{ gatewayAccounts { name health { callCount failedCount lastOkAt } } }`, "failedCount", 2},
			"wallets with their feeds":             {`{ wallets { id feed { trouble } } }`, "trouble", 2},
			"discrepancies with their accounts":    {`{ discrepancies(first: 30) { nodes { trackingCode gateway { name } } } }`, "gateway", 3},
			"transactions with their wallets' own": {`{ transactions(first: 30) { nodes { trackingCode wallet { id } } } }`, "trackingCode", 2},
		} {
			if got := o.statementsFor(t, c.query, c.word); got > c.most {
				t.Errorf("%s: %d statements, want at most %d\n%.3000s", name, got, c.most, strings.Join(o.seen.queries, "\n"))
			}
		}
	})
}

package payments_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestOpenDepositsAreBounded: whoever opens deposits and pays none holds no more of the accounts' day than the settings allow, over
// all processes at once. One that has ended makes room, and nobody else's room is taken.
func TestOpenDepositsAreBounded(t *testing.T) {
	t.Parallel()
	const perCustomer, perSite = 3, 8
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll(
			fmt.Sprintf("VEZNE_OPEN_DEPOSITS_PER_CUSTOMER=%d", perCustomer), fmt.Sprintf("VEZNE_OPEN_DEPOSITS_PER_SITE=%d", perSite),
		)
		provider := in.Provider(servers[0])
		open := func(from harness.Caller, customer string) (harness.Payment, bool) {
			t.Helper()
			a, p, err := from.Try("start-manual-deposit", orderOf(customer), "")
			isFull := a.Status == http.StatusUnprocessableEntity && strings.Contains(string(a.Body), "Too many open deposits")
			if err != nil || a.Status != http.StatusOK && !isFull {
				t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
			}
			return p, a.Status == http.StatusOK
		}

		var made atomic.Int32
		harness.InParallel(t, 40, 40, func(i int) error {
			a, _, err := in.Provider(servers[i%len(servers)]).Try(deposits[i%len(deposits)], orderOf("hoarder"), "")
			if a.Status == http.StatusOK {
				made.Add(1)
			}
			return err
		})
		if made.Load() != perCustomer {
			t.Errorf("at once one customer has opened %d, want %d", made.Load(), perCustomer)
		}

		var last harness.Payment
		for i := range perSite - perCustomer {
			p, isOpen := open(provider, fmt.Sprint("customer-", i))
			if last = p; !isOpen {
				t.Fatal("another customer is refused below the site's bound")
			}
		}
		if _, isOpen := open(provider, "one-more"); isOpen {
			t.Error("the site has one more than it may have")
		}
		elsewhere := provider
		elsewhere.Site = in.Keys.Sites[1]
		if _, isOpen := open(elsewhere, "one-more"); !isOpen {
			t.Error("the provider's other site is full with it")
		}
		if _, isOpen := open(elsewhere, "hoarder"); isOpen {
			t.Error("a customer goes on at the provider's other site")
		}
		last.At(servers[0]).Press(t, "cancel", nil)
		if _, isOpen := open(provider, "one-more"); !isOpen {
			t.Error("what has ended makes no room")
		}
		if a, _, err := provider.Try("start-manual-withdraw", orderOf("hoarder"), ""); err != nil || a.Status != http.StatusOK {
			t.Errorf("a withdrawal is answered with %d %s (%v)", a.Status, a.Body, err)
		}
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

func orderOf(customer string) harness.Start {
	order := harness.Order("250.00")
	order.UserID = customer
	return order
}

// TestAPaymentsPageIsChangedSoOften: whoever has one payment's address sends so many forms of it and no more, so that its history has an
// end; another customer's page is not affected.
func TestAPaymentsPageIsChangedSoOften(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		provider := in.Provider(server)
		send := func(p harness.Payment) (isRefused bool) {
			t.Helper()
			a, err := harness.PostForm(p.PaymentURL+"/continue", url.Values{"amount": {p.Amount.String()}})
			if err != nil {
				t.Fatal(err)
			}
			return strings.Contains(a.Header.Get("Location"), "slow") // the page says so, and is as it was
		}
		one, other := provider.Create(t, "start-manual-deposit", "60.00"), provider.Create(t, "start-manual-deposit", "60.00")
		isRefused := false
		for i := 0; i < 20_000 && !isRefused; i++ { // a form comes back every half a minute
			isRefused = send(one)
		}
		if !isRefused {
			t.Error("20,000 forms of one payment were taken")
		}
		if send(other) {
			t.Error("another customer's form is refused")
		}
		var page struct {
			Transaction struct {
				History struct {
					Edges    []struct{ Cursor string }
					PageInfo struct{ HasNextPage bool }
				}
			}
		}
		err := in.SignIn(server, "viewer").Ask(`query($code: String!) { transaction(trackingCode: $code) { history(first: 1) { edges { cursor } pageInfo { hasNextPage } } } }`,
			map[string]any{"code": one.TrackingCode}, &page)
		if err != nil || len(page.Transaction.History.Edges) != 1 || !page.Transaction.History.PageInfo.HasNextPage {
			t.Errorf("its history's first page is %+v (%v)", page, err)
		}
		server.Stop(t)
	})
}

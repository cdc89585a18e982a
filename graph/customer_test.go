package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	blockFields    = ` providerId userId reason blockedBy { kind name address } blockedAt `
	customerFields = ` providerId userId firstSeenAt lastSeenAt names { username fullname count firstSeenAt lastSeenAt }
		totals { method status count amount currency } paymentCount hasMore block {` + blockFields + `} `
	oneCustomer = `query($provider: ID!, $user: String!) { customer(providerId: $provider, userId: $user) {` + customerFields + `
		transactions(first: 2) { nodes { method amount provider { id } customer { userId } } pageInfo { hasNextPage } } } }`
	listBlocked = `query($provider: ID, $first: Int, $after: String) {
		blockedCustomers(filter: {providerId: $provider}, first: $first, after: $after) {
			edges { cursor node { userId } } nodes {` + blockFields + `} pageInfo { hasNextPage endCursor } } }`
	blockCustomer = `mutation($provider: ID!, $user: String!, $reason: String!) {
		blockCustomer(input: {providerId: $provider, userId: $user, reason: $reason}) { customer {` + customerFields + `} } }`
	unblockCustomer = `mutation($provider: ID!, $user: String!, $reason: String) {
		unblockCustomer(input: {providerId: $provider, userId: $user, reason: $reason}) { customer {` + customerFields + `} } }`
)

// ayse is the customer of every payment that tests start.
var ayse = vars{"provider": 1, "user": "u-1001"}

func with(v vars, name string, value any) vars {
	more := vars{name: value}
	for k, x := range v {
		more[k] = x
	}
	return more
}

func TestGoldenCustomer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	a.Clock.Advance(time.Minute)
	a.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(10000), Provider: a.OtherProvider, Site: a.OtherSite})
	a.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(100), Customer: owner.Customer{
		UserID: "u-1001", Username: "ayse.y", Fullname: "Ayşe Y.",
	}})
	a.Clock.Advance(time.Minute)
	rejected := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(7500))
	a.as(t, staff.Operator, `mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`, vars{"code": rejected.TrackingCode})
	checkScrubbed(t, "customer", a.as(t, staff.Viewer, oneCustomer, ayse).Raw)
	a.Clock.Advance(time.Minute)
	checkScrubbed(t, "customer-blocked", a.as(t, staff.Operator, blockCustomer, with(ayse, "reason", " Çalıntı\nkart ")).Raw)
	checkScrubbed(t, "customers-blocked", a.as(t, staff.Viewer, listBlocked, nil).Raw)
	checkScrubbed(t, "customer-unblocked", a.as(t, staff.Operator, unblockCustomer, ayse).Raw)
}

// TestBlockingHoldsForTheNextCreation: the payment that is there goes its way, the next one is refused, and after
// unblocking one is made again. Each is audited once, however often it is asked for.
func TestBlockingHoldsForTheNextCreation(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	create := func() error {
		_, err := a.Create(t.Context(), app.Creation{
			Request: a.Fill(payment.Request{Method: payment.ManualDeposit, Amount: lira(25000)}),
			Render:  func(payment.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
		})
		return err
	}
	before := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	for range 2 {
		if answer := a.as(t, staff.Operator, blockCustomer, with(ayse, "reason", "first")); !strings.Contains(answer.Raw, `"reason":"first"`) {
			t.Fatal(answer.Raw)
		}
	}
	again := a.as(t, staff.Admin, blockCustomer, with(ayse, "reason", "second"))
	if !strings.Contains(again.Raw, `"reason":"first"`) || !strings.Contains(again.Raw, a.Operator.Email) {
		t.Errorf("the first block does not stay: %s", again.Raw)
	}
	if err := create(); !fault.Is(err, fault.Blocked) {
		t.Errorf("a blocked customer's payment: %v", err)
	}
	if _, err := a.Deposits.ClaimPaid(t.Context(), before); err != nil {
		if _, err := a.Deposits.Continue(t.Context(), before, lira(25000)); err != nil {
			t.Errorf("the payment from before: %v", err)
		}
	}
	other := with(vars{"user": "u-1001"}, "provider", 2)
	if got := a.as(t, staff.Viewer, oneCustomer, other).code(); got != "NOT_FOUND" {
		t.Errorf("another provider's customer of that id: %q", got)
	}
	for range 2 {
		if answer := a.as(t, staff.Operator, unblockCustomer, with(ayse, "reason", "cleared")); answer.code() != "" || !strings.Contains(answer.Raw, `"block":null`) {
			t.Fatal(answer.Raw)
		}
	}
	if err := create(); err != nil {
		t.Errorf("after unblocking: %v", err)
	}
}

func TestBadCustomers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, tt := range []struct {
		query string
		v     vars
		code  string
		field string
	}{
		{oneCustomer, vars{"provider": 1, "user": "nobody"}, "NOT_FOUND", ""},
		{oneCustomer, vars{"provider": "x", "user": "u"}, "INVALID", "providerId"},
		{blockCustomer, vars{"provider": 99, "user": "u", "reason": "r"}, "INVALID", "providerId"},
		{blockCustomer, vars{"provider": 1, "user": " ", "reason": "r"}, "INVALID", "userId"},
		{blockCustomer, vars{"provider": 1, "user": "u", "reason": " "}, "INVALID", "reason"},
		{blockCustomer, vars{"provider": 1, "user": "u", "reason": strings.Repeat("r", 501)}, "INVALID", "reason"},
		{unblockCustomer, vars{"provider": 99, "user": "u"}, "INVALID", "providerId"},
		{unblockCustomer, vars{"provider": 1, "user": strings.Repeat("u", 192)}, "INVALID", "userId"},
		{listBlocked, vars{"after": "e30"}, "INVALID", "after"},
		{listBlocked, vars{"first": 201}, "INVALID", "first"},
	} {
		answer := a.as(t, staff.Admin, tt.query, tt.v)
		if name, _ := answer.field(); answer.code() != tt.code || name != tt.field {
			t.Errorf("%v: got %s", tt.v, answer.Raw)
		}
	}
	ahead := a.as(t, staff.Admin, blockCustomer, vars{"provider": 1, "user": "not seen yet", "reason": "known elsewhere"})
	if ahead.code() != "" || !strings.Contains(ahead.Raw, `"firstSeenAt":null`) || !strings.Contains(ahead.Raw, `"paymentCount":0`) {
		t.Errorf("blocking ahead: %s", ahead.Raw)
	}
	if got := a.as(t, staff.Viewer, oneCustomer, vars{"provider": 1, "user": "not seen yet"}).code(); got != "" {
		t.Errorf("who is blocked is known: %q", got)
	}
}

func TestTheBlockListIsCoveredPageByPage(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for i := range 7 {
		a.as(t, staff.Operator, blockCustomer, vars{"provider": 1 + i%2, "user": fmt.Sprint("ü-", i), "reason": "r"})
	}
	for provider, want := range map[any]int{nil: 7, 1: 4, 2: 3} {
		seen, v := map[string]bool{}, vars{"provider": provider, "first": 2}
		for range 5 {
			var page struct {
				Nodes    []struct{ UserID string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
			a.as(t, staff.Viewer, listBlocked, v).into(t, "blockedCustomers", &page)
			for _, b := range page.Nodes {
				if seen[b.UserID] {
					t.Errorf("%s came twice", b.UserID)
				}
				seen[b.UserID] = true
			}
			if !page.PageInfo.HasNextPage {
				break
			}
			v["after"] = *page.PageInfo.EndCursor
		}
		if len(seen) != want {
			t.Errorf("of provider %v: %d of %d", provider, len(seen), want)
		}
	}
}

// TestAForgottenCustomerIsSaidToBe: in the language of whoever asks.
func TestAForgottenCustomerIsSaidToBe(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	p.Version, p.Status, p.FinishedAt = p.Version+1, payment.Expired, a.Clock.Now()
	if err := a.Store.Commit(t.Context(), core.Changeset{p}); err != nil {
		t.Fatal(err)
	}
	f := &directory.Forgetting{UnitOfWork: a.UnitOfWork, Subjects: a.Store, Owners: a.Store}
	order := directory.Order{Subject: owner.Subject{ProviderID: p.ProviderID, UserID: p.Customer.UserID}, DespiteTheLaw: "asked for"}
	held, _, err := f.Forget(t.Context(), app.BySystem, order)
	if err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string]string{"tr": "Unutulan müşteri", "en": "Forgotten customer"} {
		a.refresh(t, staff.Viewer)
		r := request(t, a.tokens[staff.Viewer], `query($code: String!) { transaction(trackingCode: $code) { customer { userId username fullname } } }`,
			vars{"code": p.TrackingCode})
		r.Header.Set("Accept-Language", language)
		answer := a.send(t, r)
		if !strings.Contains(answer.Raw, `"fullname":"`+want+`"`) || !strings.Contains(answer.Raw, owner.Pseudonym(held.KeyID)) ||
			strings.Contains(answer.Raw, p.Customer.Username) {
			t.Errorf("%s: %s", language, answer.Raw)
		}
	}
}

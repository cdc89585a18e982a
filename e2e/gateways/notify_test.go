package gateways_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// told is a gateway's notification as staff see it.
type told struct {
	Type          string
	Status        string
	TrackingCodes []string
}

// notifications lists what gateways have told, newest first.
func notifications(t testing.TB, s harness.Staff) []told {
	t.Helper()
	var data struct {
		GatewayNotifications struct{ Nodes []told }
	}
	if err := s.Ask(`{ gatewayNotifications { nodes { type status trackingCodes } } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return data.GatewayNotifications.Nodes
}

// notificationURL is where the gateway sends what it has to tell.
func notificationURL(t testing.TB, s *harness.Shop) string {
	t.Helper()
	var data struct{ GatewayAccount struct{ URL string } }
	err := s.Admin.Ask(`query($id: ID!) { gatewayAccount(id: $id) { url: notificationUrl } }`,
		map[string]any{"id": fmt.Sprint(s.In.Keys.Sandbox.GatewayID)}, &data)
	if err != nil || data.GatewayAccount.URL == "" {
		t.Fatalf("the notification address is %q (%v)", data.GatewayAccount.URL, err)
	}
	return data.GatewayAccount.URL
}

func notify(t testing.TB, address string, header http.Header, body []byte) harness.Answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	a, err := harness.Send(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestNotifications: a genuine one counts once, a forged one never, and none is lost or believed by accident.
func TestNotifications(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		address := notificationURL(t, s)
		p := s.StartDeposit(t, "bank", "250.04")
		p.Must(t, harness.Press("begin"))
		reference := s.Operator.Reference(t, p, "DEPOSIT")
		header, body, _ := s.Till.Notification(reference)
		forged := bytes.Replace(body, []byte(`"status":"waiting"`), []byte(`"status":"paid"`), 1)
		unsigned := header.Clone()
		unsigned.Del(bank.SignatureHeader)
		for _, f := range []struct {
			header http.Header
			body   []byte
		}{{header, forged}, {unsigned, body}, {header, nil}, {header, []byte("[]")}} {
			if a := notify(t, address, f.header, f.body); a.Status != http.StatusUnauthorized {
				t.Errorf("a forged notification is answered with %d %s", a.Status, a.Body)
			}
		}
		if a := notify(t, address[:len(address)-4]+"0000", header, body); a.Status != http.StatusNotFound {
			t.Errorf("a notification to an address that is nobody's is answered with %d", a.Status)
		}
		if err := s.Till.NotifyUnknown(address); err != nil {
			t.Fatal(err)
		}
		unknown := func() error {
			for _, n := range notifications(t, s.Operator) {
				if n.Status == "UNKNOWN" && n.Type == "deposit.paid" && len(n.TrackingCodes) == 0 {
					return nil
				}
			}
			return fmt.Errorf("the notification of an order that nobody knows is not among %+v", notifications(t, s.Operator))
		}
		harness.Eventually(t, unknown)
		if g := s.Operator.At(t, p); g.Status != "SHOWING" || len(s.To.Of(p.TrackingCode)) > 0 {
			t.Errorf("after all that the deposit is %s", g.Status)
		}
		checkGenuine(t, s, p, reference, address)
		s.Server.Stop(t)
		if n := len(s.To.Of(p.TrackingCode)); n != 1 {
			t.Errorf("its callback came %d times", n)
		}
	})
}

// checkGenuine tells of a deposit that was paid, three times.
func checkGenuine(t *testing.T, s *harness.Shop, p harness.Payment, reference, address string) {
	t.Helper()
	if err := s.Till.FailDeliveries(bank.DeliveryFaults{Drop: 1}); err != nil { // the gateway's own is lost on its way
		t.Fatal(err)
	}
	s.Till.FireEvent(t, reference, bank.Paid)
	header, body, _ := s.Till.Notification(reference)
	for range 3 {
		if a := notify(t, address, header, body); a.Status != http.StatusOK {
			t.Errorf("a genuine notification is answered with %d %s", a.Status, a.Body)
		}
	}
	if l := s.To.Callback(t, p); l.Status != "completed" {
		t.Errorf("the callback says %s", l.Status)
	}
	harness.Eventually(t, func() error { // the callback may have come first, of what asking the gateway found out
		counts := make(map[string]int)
		for _, n := range notifications(t, s.Operator) {
			counts[n.Status]++
			if n.Status == "DONE" && strings.Join(n.TrackingCodes, " ") != p.TrackingCode {
				t.Errorf("a notification that was worked on is about %v", n.TrackingCodes)
			}
		}
		if counts["DONE"] != 1 || counts["UNKNOWN"] != 1 || counts["REJECTED"] != 4 {
			return fmt.Errorf("the notifications were %v", counts)
		}
		return nil
	})
}

// TestAccountsInTwoProcesses: what staff change of a gateway account through one process counts in the other soon.
func TestAccountsInTwoProcesses(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	one, other := in.Serve(harness.Simulated...), in.Serve(harness.Simulated...)
	admin := in.SignIn(one, "admin")
	sees := func(isSo func([]harness.Listed) bool) {
		t.Helper()
		harness.Eventually(t, func() error {
			list, err := in.Provider(other).Gateways("bank")
			if err == nil && !isSo(list) {
				err = fmt.Errorf("the other process lists %+v", list)
			}
			return err
		})
	}
	sees(func(list []harness.Listed) bool { return len(list) == 1 && list[0].Name == "Vezne Sandbox" })
	admin.UpdateGateway(t, in.Keys.Sandbox.GatewayID, map[string]any{"name": "Deneme", "min": "20.00"})
	sees(func(list []harness.Listed) bool {
		return len(list) == 1 && list[0].Name == "Deneme" && list[0].Min == "20.00"
	})
	admin.UpdateGateway(t, in.Keys.Sandbox.GatewayID, map[string]any{"isEnabled": false})
	sees(func(list []harness.Listed) bool { return len(list) == 0 })
	p := in.Provider(other).Card(t, "250.00")
	p.Sees(t, "none") // no way to pay, and the page waits for one
	admin.UpdateGateway(t, in.Keys.Sandbox.GatewayID, map[string]any{"isEnabled": true})
	sees(func(list []harness.Listed) bool { return len(list) == 1 })
	p.Sees(t, "card")
	one.Stop(t)
	other.Stop(t)
}

// TestRoutes: an account that staff create, and a rule that sends some cards there, count from the next payment on; keys
// that the gateway refuses take an account out until a test succeeds.
func TestRoutes(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s := in.OpenShop()
	second := harness.NewTill(t, in.Keys.Sandbox, "")
	id := createGateway(t, s, second.URL)
	var data struct {
		SaveRouteRule struct{ RouteRule struct{ ID string } }
	}
	err := s.Admin.Ask(`mutation($input: RouteRuleInput!) { saveRouteRule(input: $input) { routeRule { id } } }`, map[string]any{"input": map[string]any{
		"name": "büyük kartlar", "kind": "CARD", "min": "500.00", "gatewayId": id,
	}}, &data)
	if err != nil || data.SaveRouteRule.RouteRule.ID == "" {
		t.Fatalf("saveRouteRule gives %+v (%v)", data, err)
	}
	large := paidCard(t, s, "500.00", "00")
	if d := second.Deposit(t, large.OrderID); d.Status != bank.Paid {
		t.Errorf("at the second gateway the large payment is %s", d.Status)
	}
	second.RefuseKeys(true)
	refused := s.Provider.Card(t, "600.00")
	if err := refused.Must(t, harness.Press("begin")).Shows("none"); err != nil { // no other account has a rule for it
		t.Error(err)
	}
	if n := len(second.State().Deposits); n != 1 {
		t.Errorf("with its keys refused the second gateway has %d orders", n)
	}
	second.RefuseKeys(false)
	testGateway(t, s, id)
	refused.Sees(t, "card")
	refused.Must(t, harness.Press("begin"), harness.WithCard(bank.TestCard("00")))
	if l := s.To.Callback(t, refused); l.Status != "success" {
		t.Errorf("once the keys are taken again, the payment is %s", l.Status)
	}
	s.Server.Stop(t)
}

// createGateway makes a second account, switched on.
func createGateway(t *testing.T, s *harness.Shop, url string) (id string) {
	t.Helper()
	k := s.In.Keys.Sandbox
	config := []any{}
	for name, value := range map[string]string{
		"base_url": url, "api_key": k.APIKey, "api_secret": k.APISecret, "notify_secret": k.NotifySecret,
	} {
		config = append(config, map[string]any{"name": name, "value": value})
	}
	var data struct {
		CreateGatewayAccount struct{ GatewayAccount struct{ ID string } }
	}
	err := s.Admin.Ask(`mutation($input: CreateGatewayAccountInput!) { createGatewayAccount(input: $input) { gatewayAccount { id } } }`,
		map[string]any{"input": map[string]any{
			"plugin": "sandbox", "environment": "SANDBOX", "code": "second", "name": "İkinci", "isEnabled": true, "config": config,
		}}, &data)
	if err != nil {
		t.Fatal(err)
	}
	id = data.CreateGatewayAccount.GatewayAccount.ID
	testGateway(t, s, id)
	return id
}

// testGateway asks the gateway whether an account works; it has to.
func testGateway(t *testing.T, s *harness.Shop, id string) {
	t.Helper()
	var data struct {
		TestGatewayAccount struct {
			IsOk   bool
			Checks []struct{ Name, Detail string }
		}
	}
	err := s.Admin.Ask(`mutation($id: ID!) { testGatewayAccount(input: {id: $id}) { isOk checks { name detail } } }`, map[string]any{"id": id}, &data)
	if err != nil || !data.TestGatewayAccount.IsOk {
		t.Fatalf("testing the account gives %+v (%v)", data.TestGatewayAccount, err)
	}
}

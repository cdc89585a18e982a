package main_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// told is a gateway's notification as staff see it.
type told struct {
	Type          string
	State         string
	TrackingCodes []string
}

// notifications lists what gateways have told, newest first.
func (s staff) notifications(t testing.TB) []told {
	t.Helper()
	var data struct {
		GatewayNotifications struct{ Nodes []told }
	}
	if err := s.ask(`{ gatewayNotifications { nodes { type state trackingCodes } } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return data.GatewayNotifications.Nodes
}

// notificationURL is where the gateway sends what it has to tell.
func (s *shop) notificationURL(t testing.TB) string {
	t.Helper()
	var data struct{ GatewayAccount struct{ URL string } }
	err := s.admin.ask(`query($id: ID!) { gatewayAccount(id: $id) { url: notificationUrl } }`,
		map[string]any{"id": fmt.Sprint(s.in.keys.Sandbox.GatewayID)}, &data)
	if err != nil || data.GatewayAccount.URL == "" {
		t.Fatalf("the notification address is %q (%v)", data.GatewayAccount.URL, err)
	}
	return data.GatewayAccount.URL
}

func notify(t testing.TB, address string, header http.Header, body []byte) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	a, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestNotifications: a genuine one counts once, a forged one never, and none is lost or believed by accident.
func TestNotifications(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		address := s.notificationURL(t)
		p := s.startDeposit(t, "bank", "250.04")
		p.must(t, press("begin"))
		reference := s.operator.reference(t, p, "deposit")
		header, body, _ := s.till.Notification(reference)
		forged := bytes.Replace(body, []byte(`"status":"waiting"`), []byte(`"status":"paid"`), 1)
		unsigned := header.Clone()
		unsigned.Del(bank.SignatureHeader)
		for _, f := range []struct {
			header http.Header
			body   []byte
		}{{header, forged}, {unsigned, body}, {header, nil}, {header, []byte("[]")}} {
			if a := notify(t, address, f.header, f.body); a.status != http.StatusUnauthorized {
				t.Errorf("a forged notification is answered with %d %s", a.status, a.body)
			}
		}
		if a := notify(t, address[:len(address)-4]+"0000", header, body); a.status != http.StatusNotFound {
			t.Errorf("a notification to an address that is nobody's is answered with %d", a.status)
		}
		if err := s.till.NotifyUnknown(address); err != nil {
			t.Fatal(err)
		}
		unknown := func() error {
			for _, n := range s.operator.notifications(t) {
				if n.State == "unknown" && n.Type == "deposit.paid" && len(n.TrackingCodes) == 0 {
					return nil
				}
			}
			return fmt.Errorf("the notification of an order that nobody knows is not among %+v", s.operator.notifications(t))
		}
		eventually(t, unknown)
		if g := s.operator.at(t, p); g.Status != "showing" || len(s.to.of(p.TrackingCode)) > 0 {
			t.Errorf("after all that the deposit is %s", g.Status)
		}
		s.checkGenuine(t, p, reference, address)
		s.server.stop(t)
		if n := len(s.to.of(p.TrackingCode)); n != 1 {
			t.Errorf("its callback came %d times", n)
		}
	})
}

// checkGenuine tells of a deposit that was paid, three times.
func (s *shop) checkGenuine(t *testing.T, p payment, reference, address string) {
	t.Helper()
	if err := s.till.Mishap(bank.Mishaps{Drop: 1}); err != nil { // the gateway's own is lost on its way
		t.Fatal(err)
	}
	s.till.fire(t, reference, bank.Paid)
	header, body, _ := s.till.Notification(reference)
	for range 3 {
		if a := notify(t, address, header, body); a.status != http.StatusOK {
			t.Errorf("a genuine notification is answered with %d %s", a.status, a.body)
		}
	}
	if l := s.to.callback(t, p); l.Status != "completed" {
		t.Errorf("the callback says %s", l.Status)
	}
	eventually(t, func() error { // the callback may have come first, of what asking the gateway found out
		counts := make(map[string]int)
		for _, n := range s.operator.notifications(t) {
			counts[n.State]++
			if n.State == "done" && strings.Join(n.TrackingCodes, " ") != p.TrackingCode {
				t.Errorf("a notification that was worked on is about %v", n.TrackingCodes)
			}
		}
		if counts["done"] != 1 || counts["unknown"] != 1 || counts["rejected"] != 4 {
			return fmt.Errorf("the notifications were %v", counts)
		}
		return nil
	})
}

// TestAccountsInTwoProcesses: what staff change of a gateway account through one process counts in the other soon.
func TestAccountsInTwoProcesses(t *testing.T) {
	t.Parallel()
	in := newOnServers(t)
	one, other := in.serve(simulated...), in.serve(simulated...)
	admin := in.signIn(one, "admin")
	sees := func(isSo func([]listed) bool) {
		t.Helper()
		eventually(t, func() error {
			list, err := in.provider(other).gateways("bank")
			if err == nil && !isSo(list) {
				err = fmt.Errorf("the other process lists %+v", list)
			}
			return err
		})
	}
	sees(func(list []listed) bool { return len(list) == 1 && list[0].Name == "Vezne Sandbox" })
	admin.updateGateway(t, in.keys.Sandbox.GatewayID, map[string]any{"name": "Deneme", "min": "20.00"})
	sees(func(list []listed) bool { return len(list) == 1 && list[0].Name == "Deneme" && list[0].Min == "20.00" })
	admin.updateGateway(t, in.keys.Sandbox.GatewayID, map[string]any{"isEnabled": false})
	sees(func(list []listed) bool { return len(list) == 0 })
	p := in.provider(other).card(t, "250.00")
	p.sees(t, "none") // no way to pay, and the page waits for one
	admin.updateGateway(t, in.keys.Sandbox.GatewayID, map[string]any{"isEnabled": true})
	sees(func(list []listed) bool { return len(list) == 1 })
	p.sees(t, "card")
	one.stop(t)
	other.stop(t)
}

// TestRoutes: an account that staff create, and a rule that sends some cards there, count from the next payment on; keys
// that the gateway refuses take an account out until a test succeeds.
func TestRoutes(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	s := in.openShop()
	second := newTill(t, in.keys.Sandbox, "")
	id := s.createGateway(t, second.url)
	var data struct {
		SaveRouteRule struct{ RouteRule struct{ ID string } }
	}
	err := s.admin.ask(`mutation($input: RouteRuleInput!) { saveRouteRule(input: $input) { routeRule { id } } }`, map[string]any{"input": map[string]any{
		"name": "büyük kartlar", "kind": "card", "min": "500.00", "gatewayId": id,
	}}, &data)
	if err != nil || data.SaveRouteRule.RouteRule.ID == "" {
		t.Fatalf("saveRouteRule gives %+v (%v)", data, err)
	}
	large := s.paidCard(t, "500.00", "00")
	if d := second.deposit(t, large.OrderID); d.Status != bank.Paid {
		t.Errorf("at the second gateway the large payment is %s", d.Status)
	}
	second.RefuseKeys(true)
	refused := s.provider.card(t, "600.00")
	if err := refused.must(t, press("begin")).shows("none"); err != nil { // no other account has a rule for it
		t.Error(err)
	}
	if n := len(second.State().Deposits); n != 1 {
		t.Errorf("with its keys refused the second gateway has %d orders", n)
	}
	second.RefuseKeys(false)
	s.testGateway(t, id)
	refused.sees(t, "card")
	refused.must(t, press("begin"), withCard(bank.TestCard("00")))
	if l := s.to.callback(t, refused); l.Status != "success" {
		t.Errorf("once the keys are taken again, the payment is %s", l.Status)
	}
	s.server.stop(t)
}

// createGateway makes a second account, switched on.
func (s *shop) createGateway(t *testing.T, url string) (id string) {
	t.Helper()
	k := s.in.keys.Sandbox
	config := []any{}
	for name, value := range map[string]string{
		"base_url": url, "api_key": k.APIKey, "api_secret": k.APISecret, "notify_secret": k.NotifySecret,
	} {
		config = append(config, map[string]any{"name": name, "value": value})
	}
	var data struct {
		CreateGatewayAccount struct{ GatewayAccount struct{ ID string } }
	}
	err := s.admin.ask(`mutation($input: CreateGatewayAccountInput!) { createGatewayAccount(input: $input) { gatewayAccount { id } } }`,
		map[string]any{"input": map[string]any{
			"plugin": "sandbox", "environment": "sandbox", "code": "second", "name": "İkinci", "isEnabled": true, "config": config,
		}}, &data)
	if err != nil {
		t.Fatal(err)
	}
	id = data.CreateGatewayAccount.GatewayAccount.ID
	s.testGateway(t, id)
	return id
}

// testGateway asks the gateway whether an account works; it has to.
func (s *shop) testGateway(t *testing.T, id string) {
	t.Helper()
	var data struct {
		TestGatewayAccount struct {
			IsOk   bool
			Checks []struct{ Name, Detail string }
		}
	}
	err := s.admin.ask(`mutation($id: ID!) { testGatewayAccount(id: $id) { isOk checks { name detail } } }`, map[string]any{"id": id}, &data)
	if err != nil || !data.TestGatewayAccount.IsOk {
		t.Fatalf("testing the account gives %+v (%v)", data.TestGatewayAccount, err)
	}
}

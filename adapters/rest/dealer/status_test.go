package dealer_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/owner"
)

const transactionStatus = "/transaction-status"

// TestADealerFindsAnyPaymentOfItsOwn by tracking code and by reference; another dealer, a provider's reference and a site token find none.
func TestADealerFindsAnyPaymentOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ask := func(query string) request {
		r := s.call(transactionStatus+"?"+query, "")
		r.Method = http.MethodGet
		return r
	}
	for path, body := range creating {
		reference := "order" + strings.ReplaceAll(path, "/", "_")
		s.Send(t, s.call(path, strings.Replace(body, "{", `{"reference":"`+reference+`",`, 1))).Want(t, 200, "")
	}
	made := s.Payments(t)
	if len(made) != len(creating) {
		t.Fatalf("%d payments", len(made))
	}
	for _, p := range made {
		byCode, byReference := s.Send(t, ask("tracking_code="+p.TrackingCode)), s.Send(t, ask("reference="+p.Reference))
		if byCode.Want(t, 200, ""); byCode.Body != byReference.Body || !strings.Contains(byCode.Body, `"reference":"`+p.Reference+`"`) || p.Reference == "" {
			t.Errorf("by code %s\nby reference %s", byCode.Body, byReference.Body)
		}
		for _, query := range []string{"tracking_code=" + p.TrackingCode, "reference=" + p.Reference} {
			other := ask(query).Signed(s.OtherDealer.APIKey, s.OtherDealer.SecretKey.Reveal(), s.Clock.Now().Unix())
			s.Send(t, other).Want(t, 404, "Not found")
			bySite := ask(query).BySite(s.SiteToken.Token, s.SiteToken.SecretKey.Reveal(), s.Clock.Now().Unix())
			s.Send(t, bySite).Want(t, 403, "Not allowed for site tokens")
		}
	}
	provided := s.StartDeposit(t, "manual_deposit", lira(250)) // of a site of this dealer: the provider's own
	s.Send(t, ask("tracking_code="+provided.TrackingCode)).Want(t, 404, "Not found")
	for _, query := range []string{"", "tracking_code=MAN-1&reference=a", "tracking_code=&reference="} {
		s.Send(t, ask(query)).Want(t, 422, "Validation failed")
	}
}

// TestADealersCardPaymentLeadsBackWhereTheDealerAllows, and nowhere else.
func TestADealersCardPaymentLeadsBackWhereTheDealerAllows(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	back := strings.Replace(cardBody, "{", `{"return_url":"https://shop.example/back","language":"en",`, 1)
	if got := s.Send(t, s.call(card, back)); !strings.Contains(got.Body, `{"field":"return_url","code":"return_url"}`) {
		t.Error(got.Body)
	}
	s.changeDealer(t, func(d *owner.Dealer) {
		d.Returns = owner.Returns{ReturnOrigins: []string{"https://shop.example"}, HomeURL: "https://shop.example/home"}
	})
	s.Send(t, s.call(card, back)).Want(t, 200, "")
	s.Send(t, s.siteCall(card, cardBody)).Want(t, 200, "")
	leads := map[string]int{}
	for _, p := range s.Payments(t) {
		leads[p.ReturnURL]++
	}
	if len(leads) != 2 || leads["https://shop.example/back"] != 1 || leads["https://shop.example/home"] != 1 {
		t.Errorf("they lead to %v", leads)
	}
	for _, evil := range []string{"https://shop.example.evil.example/", "https://evil.example@shop.example/", "javascript:alert(1)", "//shop.example", "http://shop.example"} {
		s.Send(t, s.call(card, strings.Replace(back, "https://shop.example/back", evil, 1))).Want(t, 422, "Validation failed")
	}
}

package dealer_test

import "testing"

// TestADealerListensItself: not a website of its, and what it hears are none of its providers' callbacks.
func TestADealerListensItself(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const path = "/callbacks"
	first := s.Send(t, s.call(path, ""))
	first.Want(t, 200, "")
	provided := s.StartDeposit(t, "manual_deposit", lira(250)) // of a site of this dealer: the provider's own
	if _, err := s.Deposits.Cancel(t.Context(), provided); err != nil {
		t.Fatal(err)
	}
	if heard := s.Send(t, s.call(path, "")); heard.Body != first.Body {
		t.Errorf("%s", heard.Body)
	}
	s.Send(t, s.siteCall(path, "")).Want(t, 403, "Not allowed for site tokens")
}

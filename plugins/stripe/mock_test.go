package stripe_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// standIn is Stripe's own stateless server, which takes what is valid by Stripe's OpenAPI document and nothing else.
type standIn struct {
	t      *testing.T
	client *http.Client
}

// newStandIn runs the stand-in, on a socket of its own, until the test ends. The go command builds it once and keeps it.
func newStandIn(t *testing.T) *standIn {
	t.Helper()
	program := goIn(t, "tool", "-n", "stripe-mock")
	socket := filepath.Join(t.TempDir(), "s")
	c := exec.CommandContext(t.Context(), program, "-strict-version-check", "-http-unix", socket, "-https-unix", socket+"s")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-ended
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	s := &standIn{t: t, client: &http.Client{Transport: &http.Transport{DialContext: dial}}}
	t.Cleanup(s.client.CloseIdleConnections)
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		conn, err := dial(t.Context(), "", "")
		if err == nil {
			_ = conn.Close()
			return s
		}
		select {
		case <-ended:
			t.Fatalf("the stand-in ended: %s", said.String())
		case <-t.Context().Done():
			t.Fatal("the stand-in did not begin")
		case <-poll.C:
		}
	}
}

// pathOf is the path and query of a request to one of Stripe's hosts.
func pathOf(r gateway.Request) string {
	return strings.TrimPrefix(strings.TrimPrefix(r.URL, "https://api.stripe.com"), "https://files.stripe.com")
}

// answer is what the stand-in says of a request.
func (s *standIn) answer(r gateway.Request) (status int, body string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), r.Method, "http://stripe"+pathOf(r),
		bytes.NewReader(r.Body))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	response, err := s.client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestEveryRequestIsValidByStripesOwnDocument makes every kind of call on the fake, and sends the same requests to Stripe's
// stand-in, unmodified.
func TestEveryRequestIsValidByStripesOwnDocument(t *testing.T) {
	t.Parallel()
	s, stripes := newShop(t, "request_3ds", "challenge"), newStandIn(t)
	ctx := t.Context()
	open, paid, tried := s.started("R1", "125.50"), s.paid("R2", "0.01"), s.started("R3", "999999.99")
	s.house.set(tried.Ref, conformance.IsFailed)
	for _, k := range []gateway.DepositKey{open, paid, tried, {Ref: "R2"}, {Ref: "R9"}} {
		_, _ = s.ReadDeposit(ctx, k)
	}
	if report := s.Probe(ctx); !report.IsOK() {
		t.Errorf("%+v", report)
	}
	if _, err := s.CancelDeposit(ctx, gateway.CancelOrder{DepositKey: open}); err != nil {
		t.Error(err)
	}
	now := s.Clock.Now()
	for _, cursor := range []gateway.Cursor{"", "pi_test_1"} {
		if _, err := s.ListDeposits(ctx, gateway.Window{From: now.Add(-time.Hour), To: now.Add(time.Hour)}, cursor); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Refund(ctx, refundOf(paid, "B1", "0.01")); err != nil {
		t.Error(err)
	}
	inEnglish := s.order("R4", "10")
	inEnglish.Locale, inEnglish.Text, inEnglish.Customer.Email = "en", `Ada's "order" & <more>`, ""
	if _, err := s.StartDeposit(ctx, inEnglish); err != nil {
		t.Error(err)
	}
	disputed := s.paid("R5", "10")
	id, _ := s.house.disputes(disputed.Ref, gateway.DisputeNeedsResponse)
	for _, cursor := range []gateway.Cursor{"", "du_test_1"} {
		if _, err := s.ListDisputes(ctx, gateway.Window{From: now.Add(-time.Hour), To: now.Add(time.Hour)}, cursor); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.ReadDispute(ctx, id); err != nil {
		t.Error(err)
	}
	answered := s.paid("R6", "10")
	other, _ := s.house.disputes(answered.Ref, gateway.DisputeNeedsResponse)
	_, err := s.AnswerDispute(ctx, gateway.EvidenceOrder{ID: other, Key: "evidence", Evidence: []gateway.Evidence{
		{Kind: gateway.EvidenceStatement, Text: "delivered"}, {Kind: gateway.EvidenceProduct, Text: "a course"},
		{Kind: gateway.EvidenceReceipt, Name: "dekont.pdf", Type: "application/pdf", Content: []byte("%PDF-1.4")},
		{Kind: gateway.EvidenceCommunication, Name: "mail.png", Type: "image/png", Content: []byte("\x89PNG\r\n\x1a\n")},
		{Kind: gateway.EvidenceService, Name: "teslim.jpg", Type: "image/jpeg", Content: []byte("\xff\xd8\xff")},
		{Kind: gateway.EvidenceOther, Name: "other.pdf", Type: "application/pdf", Content: []byte("%PDF-1.7")},
	}})
	if err != nil {
		t.Error(err)
	}
	if _, err := s.AcceptDispute(ctx, id, "accept"); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, r := range s.Sent() {
		path, _, _ := strings.Cut(pathOf(r), "?")
		for _, prefix := range []string{"cs_test_", "pi_test_", "du_test_"} {
			if i := strings.Index(path, prefix); i >= 0 {
				id, rest, _ := strings.Cut(path[i:], "/")
				path = path[:i] + "{}" + strings.TrimSuffix("/"+rest, "/")
				_ = id
			}
		}
		seen[r.Method+" "+path] = true
		if status, body := stripes.answer(r); status != http.StatusOK {
			t.Errorf("%s %s %s: Stripe's stand-in answers %d: %s", r.Method, r.URL, r.Body, status, body)
		}
	}
	if len(seen) != len(calls) {
		t.Errorf("the plugin made the calls %v, and its facts are of %d", seen, len(calls))
	}

	wrong := s.Sent()[0]
	wrong.Body = append(bytes.Clone(wrong.Body), "&unheard_of=1"...)
	if status, _ := stripes.answer(wrong); status != http.StatusBadRequest {
		t.Errorf("the stand-in takes a field that Stripe has not: %d", status)
	}
	old := s.Sent()[0]
	old.Header = append(gateway.Header(nil), old.Header...)
	for i, f := range old.Header {
		if f.Name == "Stripe-Version" {
			old.Header[i].Value = "2020-08-27"
		}
	}
	if status, _ := stripes.answer(old); status != http.StatusBadRequest {
		t.Errorf("the stand-in takes another version than its own: %d", status)
	}
}

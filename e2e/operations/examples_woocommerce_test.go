package operations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// wooCommerce is the plugin in what stands for WooCommerce, in Turkish.
var wooCommerce = exampleShop{"woocommerce", installPlugin, func(s *runningShop) []string {
	return []string{"php", "-S", "127.0.0.1:" + s.port(), filepath.Join(s.folder, "harness", "standin.php")}
}, "/?wc-api=vezne"}

// installPlugin lays the plugin and the library together, as its README says.
func installPlugin(t *testing.T, s *runningShop) {
	t.Helper()
	plugin := filepath.Join(s.dir, "vezne-for-woocommerce")
	if err := os.CopyFS(plugin, os.DirFS(filepath.Join(s.folder, "vezne-for-woocommerce"))); err != nil {
		t.Fatal(err)
	}
	library, err := os.ReadFile(filepath.Join(sdkFolder, "php", "Vezne.php"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(plugin, "Vezne.php"), library, 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "VEZNE_PLUGIN="+plugin, "SHOP_LOCALE=tr_TR", "PHP_CLI_SERVER_WORKERS=4")
}

// wooOrder is an order as the shop has it.
type wooOrder struct {
	ID            int64    `json:"order"`
	Result        string   `json:"result"`
	Redirect      string   `json:"redirect"`
	IsAvailable   bool     `json:"available"`
	Notices       []string `json:"notices"`
	Status        string   `json:"status"`
	TransactionID string   `json:"transaction_id"`
	Notes         []string `json:"notes"`
}

// do has the shop do something with an order, and reads what it says.
func (s *runningShop) do(t *testing.T, what string, id int64, fields url.Values) (o wooOrder) {
	t.Helper()
	text := s.doRaw(t, what, id, fields)
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s is answered with %s (%v)", what, text, err)
	}
	if _, token, found := strings.Cut(o.Redirect, "/pay/"); found {
		harness.KeepSecret("a page's token", token)
	}
	return o
}

func (s *runningShop) doRaw(t *testing.T, what string, id int64, fields url.Values) string {
	t.Helper()
	answer, err := s.client.PostForm(fmt.Sprintf("%s/?shop-test=%s&order=%d", s.URL, what, id), fields)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s is answered with %d %s (%v)", what, answer.StatusCode, text, err)
	}
	return string(text)
}

// checkout begins to pay an order.
func (s *runningShop) checkout(t *testing.T, demo *harness.Process, id int64, total string) wooOrder {
	t.Helper()
	o := s.do(t, "checkout", id, url.Values{"total": {total}})
	if o.Result != "success" || !strings.HasPrefix(o.Redirect, demo.URL+"/pay/") || !o.IsAvailable {
		t.Fatalf("the checkout of %s is answered with %+v", total, o)
	}
	return o
}

// is checks an order's status and how many notes it has.
func (s *runningShop) is(t *testing.T, id int64, status string) wooOrder {
	t.Helper()
	o := s.do(t, "order", id, nil)
	if o.Status != status {
		t.Errorf("the order is %s, want %s: %q", o.Status, status, o.Notes)
	}
	return o
}

// newest is the newest payment over an amount.
func newest(t *testing.T, staff harness.Staff, amount string) string {
	t.Helper()
	list := staff.All(t)
	at := slices.IndexFunc(list, func(found harness.Transaction) bool { return found.Amount == amount && found.Status != "COMPLETED" })
	if at < 0 {
		t.Fatalf("there is no payment over %s", amount)
	}
	return list[at].TrackingCode
}

// TestToolchainExampleWooCommerce has the plugin take orders: paid, paid otherwise, refused, forged, and with lost answers.
func TestToolchainExampleWooCommerce(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s, demo := openExample(t, in, wooCommerce)
	// Who has filled nothing in offers nothing, and begins nothing.
	if o := s.do(t, "checkout", 0, url.Values{"total": {"249.00"}}); o.Result != "failure" || o.IsAvailable || len(o.Notices) != 1 {
		t.Errorf("without settings the checkout is answered with %+v", o)
	}
	s.keepsSecrets(t, in)
	staff := in.SignIn(demo, "operator")
	approve := func(amount string, arguments ...string) (code string, sent relayed) {
		t.Helper()
		code = newest(t, staff, amount)
		staff.Must(t, "approveDeposit", code, arguments...)
		if sent = s.relay.next(t); sent.status != http.StatusOK && !s.relay.isClosed.Load() {
			t.Errorf("the callback of %s is answered with %d", code, sent.status)
		}
		return code, sent
	}

	// Whoever presses twice has one payment, and whoever comes back has paid nothing.
	o := s.checkout(t, demo, 0, "250.00")
	if again := s.do(t, "checkout", o.ID, nil); again.Redirect != o.Redirect {
		t.Errorf("the second try leads to %+v", again)
	}
	s.do(t, "return", o.ID, nil)
	s.is(t, o.ID, "pending")
	code, sent := approve("250.00")
	paid := s.is(t, o.ID, "processing")
	if paid.TransactionID != code {
		t.Errorf("the order's transaction is %q, want %s", paid.TransactionID, code)
	}
	s.takesOnce(t, o.ID, sent, paid)

	// Another amount than ordered is never paid, until it is corrected to what was ordered.
	o = s.checkout(t, demo, 0, "251.00")
	code, _ = approve("251.00", "amount", "250.99")
	s.is(t, o.ID, "on-hold")
	s.correct(t, in, demo, code, "250.99", "251.00")
	s.is(t, o.ID, "processing")
	s.correct(t, in, demo, code, "251.00", "25.10")
	s.is(t, o.ID, "on-hold")

	// Another currency is not begun.
	before := len(staff.All(t))
	if o = s.do(t, "checkout", 0, url.Values{"total": {"252.00"}, "currency": {"USD"}}); o.Result != "failure" || len(o.Notices) != 1 || len(staff.All(t)) != before {
		t.Errorf("an order in USD is answered with %+v", o)
	}

	// The cart changes while the first payment is open, and both are paid.
	o = s.checkout(t, demo, 0, "253.00")
	s.checkout(t, demo, o.ID, "254.00")
	approve("254.00")
	s.is(t, o.ID, "processing")
	approve("253.00")
	s.is(t, o.ID, "on-hold")

	// A refused payment may be paid again.
	o = s.checkout(t, demo, 0, "255.00")
	staff.Must(t, "rejectDeposit", newest(t, staff, "255.00"))
	s.relay.next(t)
	s.is(t, o.ID, "failed")
	s.checkout(t, demo, o.ID, "255.00")
	for _, found := range staff.All(t) {
		if found.Amount == "255.00" && found.Status == "SHOWING" {
			staff.Must(t, "approveDeposit", found.TrackingCode)
		}
	}
	s.relay.next(t)
	s.is(t, o.ID, "processing")

	// The callback is lost: Vezne is asked, and what comes after all says nothing new.
	s.relay.isClosed.Store(true)
	o = s.checkout(t, demo, 0, "256.00")
	_, sent = approve("256.00")
	asked := s.do(t, "return", o.ID, nil)
	if asked.Status != "processing" {
		t.Errorf("after a lost callback the order is %s", asked.Status)
	}
	if status, err := deliver(s.callback, sent.header, sent.body); err != nil || status != http.StatusOK {
		t.Errorf("the callback is answered with %d (%v)", status, err)
	}
	if late := s.is(t, o.ID, "processing"); len(late.Notes) != len(asked.Notes) {
		t.Errorf("notes %q, want %q", late.Notes, asked.Notes)
	}

	// The answer is lost: the next try has the same payment.
	s.line.isCut.Store(true)
	before = len(staff.All(t))
	if o = s.do(t, "checkout", 0, url.Values{"total": {"257.00"}}); o.Result != "failure" || len(o.Notices) != 1 {
		t.Errorf("without an answer the checkout is answered with %+v", o)
	}
	s.line.isCut.Store(false)
	s.checkout(t, demo, o.ID, "257.00")
	if after := len(staff.All(t)); after != before+1 {
		t.Errorf("%d payments, want %d", after, before+1)
	}
	demo.Stop(t)
}

// keepsSecrets fills the settings in. They show no secret, and keep one that is left empty.
func (s *runningShop) keepsSecrets(t *testing.T, in *harness.Installation) {
	t.Helper()
	k := in.Keys
	fields := func(secretKey, credentialKey, webhookSecret string) url.Values {
		return url.Values{
			"woocommerce_vezne_enabled": {"1"}, "woocommerce_vezne_title": {"Havale"}, "woocommerce_vezne_url": {s.line.URL}, "woocommerce_vezne_api_key": {k.Provider.APIKey},
			"woocommerce_vezne_secret_key": {secretKey}, "woocommerce_vezne_credential_key": {credentialKey}, "woocommerce_vezne_webhook_secret": {webhookSecret},
		}
	}
	for _, page := range []string{
		s.doRaw(t, "settings", 0, fields(k.Provider.SecretKey, k.Sites[0].CredentialKey, k.Provider.WebhookSecret)), s.doRaw(t, "settings", 0, fields("", "", "")),
	} {
		if leak := harness.LeakIn(page); leak != "" || !strings.Contains(page, k.Provider.APIKey) || strings.Count(page, "Kayıtlı bir anahtar var.") != 3 {
			t.Errorf("the settings show %s: %s", leak, page)
		}
	}
}

// takesOnce sends a callback again, several at once, and changed.
func (s *runningShop) takesOnce(t *testing.T, id int64, sent relayed, paid wooOrder) {
	t.Helper()
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if status, err := deliver(s.callback, sent.header, sent.body); err != nil || status != http.StatusOK {
				t.Errorf("the callback again is answered with %d (%v)", status, err)
			}
		})
	}
	all.Wait()
	unsigned := sent.header.Clone()
	unsigned.Del("webhook-signature")
	for name, forged := range map[string]relayed{
		"another order": {sent.header, bytes.Replace(sent.body, []byte(`"reference":"wc-`), []byte(`"reference":"wc-1`), 1), 0},
		"less":          {sent.header, bytes.Replace(sent.body, []byte("250.00"), []byte("1.00"), 1), 0},
		"unsigned":      {unsigned, sent.body, 0},
		"too much":      {sent.header, append(bytes.Clone(sent.body), bytes.Repeat([]byte(" "), 1<<20)...), 0},
	} {
		if status, err := deliver(s.callback, forged.header, forged.body); err != nil || status != http.StatusUnauthorized {
			t.Errorf("%s is answered with %d (%v)", name, status, err)
		}
	}
	if after := s.is(t, id, "processing"); len(after.Notes) != len(paid.Notes) {
		t.Errorf("notes %q, want %q", after.Notes, paid.Notes)
	}
}

// correct has two people correct what a payment counts for, and waits for the callback.
func (s *runningShop) correct(t *testing.T, in *harness.Installation, demo *harness.Process, code, from, to string) {
	t.Helper()
	admin := in.SignIn(demo, "admin")
	if _, err := admin.DecideAlone("correctCredit", code, "amount", to, "expectedAmount", from, "reason", "counted again"); err != nil {
		if err := admin.Agreed(err); err != nil {
			t.Fatal(err)
		}
	}
	if sent := s.relay.next(t); sent.status != http.StatusOK {
		t.Errorf("the correction of %s is answered with %d", code, sent.status)
	}
}

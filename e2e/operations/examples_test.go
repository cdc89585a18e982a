package operations_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

const examplesFolder = sdkFolder + "/examples"

// exampleShop is one of sdk/examples: how it is built, with its environment, and what serves it then.
type exampleShop struct {
	name  string
	build func(t *testing.T, s *runningShop)
	serve func(s *runningShop) []string
	// callback is where it takes callbacks; empty: at /vezne/callback.
	callback string
}

// exampleShops are those that all take the same deposits.
func exampleShops() []exampleShop {
	return []exampleShop{
		{"express", nil, func(*runningShop) []string { return []string{"node", "server.mjs"} }, ""},
		{
			"next",
			func(t *testing.T, s *runningShop) { s.run(t, "node", "node_modules/next/dist/bin/next", "build") },
			func(s *runningShop) []string {
				return []string{"node", "node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", s.port()}
			},
			"",
		},
		{"laravel", overlayLaravel, func(s *runningShop) []string {
			return []string{"php", "-S", "127.0.0.1:" + s.port(), "-t", "public", "public/index.php"}
		}, ""},
		{
			"django",
			func(t *testing.T, s *runningShop) { s.run(t, debianPython, "manage.py", "migrate") },
			func(s *runningShop) []string {
				return []string{debianPython, "manage.py", "runserver", "--noreload", "127.0.0.1:" + s.port()}
			},
			"",
		},
		{"aspnet", compileASPNet, func(s *runningShop) []string { return []string{"mono", filepath.Join(s.dir, "shop.exe")} }, ""},
	}
}

// debianPython is the one that Debian's python3-django is for; another may come first in PATH.
const debianPython = "/usr/bin/python3"

// overlayLaravel lays the example over what a new application has.
func overlayLaravel(t *testing.T, s *runningShop) {
	t.Helper()
	s.folder = filepath.Join(s.dir, "laravel")
	for _, part := range []string{"skeleton", "app", "config", "database"} {
		to := s.folder
		if part != "skeleton" {
			to = filepath.Join(to, part)
		}
		files := os.DirFS(filepath.Join(examplesFolder, "laravel", part))
		if part == "config" { // beside the skeleton's
			text, err := os.ReadFile(filepath.Join(examplesFolder, "laravel", "config", "vezne.php"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(to, "vezne.php"), text, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.CopyFS(to, files); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"bootstrap/cache", "storage/framework/sessions", "storage/framework/views", "storage/logs"} {
		if err := os.MkdirAll(filepath.Join(s.folder, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.folder, "database", "shop.sqlite"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, "php", "artisan", "migrate", "--force")
}

// compileASPNet compiles the shop with what stands for ASP.NET Core: Debian has Mono, and not Microsoft's .NET.
func compileASPNet(t *testing.T, s *runningShop) {
	t.Helper()
	s.run(t, "mcs", "-langversion:7.2", "-out:"+filepath.Join(s.dir, "shop.exe"), "-r:System.Net.Http.dll",
		"Program.cs", "Orders.cs", "mono/AspNetCore.cs", "../../csharp/Vezne.cs")
}

// runningShop is an example that serves, with its demo, and what stands between the two.
type runningShop struct {
	URL      string
	callback string
	dir      string // of what it keeps
	folder   string // that it runs in
	env      []string
	client   *http.Client
	relay    *callbackRelay
	line     *outwardLine
}

func (s *runningShop) port() string { return s.URL[strings.LastIndex(s.URL, ":")+1:] }

// command prepares a program in the example's folder.
func (s *runningShop) command(t *testing.T, argv []string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = s.folder, s.env
	return cmd
}

// run runs a program to its end.
func (s *runningShop) run(t *testing.T, argv ...string) {
	t.Helper()
	if out, err := s.command(t, argv).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(argv, " "), err, out)
	}
}

// relayed is a callback as Vezne has sent it, with what the shop answered.
type relayed struct {
	header http.Header
	body   []byte
	status int
}

// callbackRelay stands where Vezne sends its callbacks to. It sends them on to the shop, or keeps them.
type callbackRelay struct {
	*httptest.Server
	isClosed atomic.Bool // nothing reaches the shop
	sent     chan relayed
}

func newCallbackRelay(t *testing.T, to string) *callbackRelay {
	t.Helper()
	r := &callbackRelay{sent: make(chan relayed, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		l := relayed{request.Header.Clone(), body, http.StatusServiceUnavailable}
		if !r.isClosed.Load() {
			if l.status, err = deliver(to, l.header, body); err != nil {
				t.Error(err)
			}
		}
		r.sent <- l
		w.WriteHeader(l.status)
	}))
	t.Cleanup(r.Close)
	return r
}

// deliver sends a callback to a shop.
func deliver(to string, header http.Header, body []byte) (status int, err error) {
	request, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = header.Clone()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// outwardLine is the shop's way to Vezne. While it is cut, requests arrive and their answers do not.
type outwardLine struct {
	*httptest.Server
	isCut atomic.Bool
}

func newOutwardLine(t *testing.T, to string) *outwardLine {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	l := &outwardLine{}
	l.Server = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(*http.Response) error {
			if l.isCut.Load() {
				panic(http.ErrAbortHandler) // hangs up
			}
			return nil
		},
	})
	t.Cleanup(l.Close)
	return l
}

// next is the next callback that Vezne sends.
func (r *callbackRelay) next(t *testing.T) relayed {
	t.Helper()
	return harness.Received(t, "a callback", r.sent)
}

// openExample starts an example beside a demo that calls it back.
func openExample(t *testing.T, in *harness.Installation, e exampleShop) (*runningShop, *harness.Process) {
	t.Helper()
	s := &runningShop{URL: "http://" + harness.ReserveAddress(t), dir: t.TempDir()}
	s.callback = s.URL + cmp.Or(e.callback, "/vezne/callback")
	s.relay = newCallbackRelay(t, s.callback)
	demo := in.Demo("VEZNE_DEMO_CALLBACK_URL=" + s.relay.URL)
	s.line = newOutwardLine(t, demo.URL)
	allowReturn(t, in, demo, s.URL)
	folder, err := filepath.Abs(filepath.Join(examplesFolder, e.name))
	if err != nil {
		t.Fatal(err)
	}
	library, err := filepath.Abs(sdkFolder)
	if err != nil {
		t.Fatal(err)
	}
	k := in.Keys
	s.folder = folder
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "PAY_URL=" + s.line.URL, "PAY_API_KEY=" + k.Provider.APIKey, "PAY_SECRET_KEY=" + k.Provider.SecretKey,
		"PAY_CREDENTIAL_KEY=" + k.Sites[0].CredentialKey, "PAY_WEBHOOK_SECRET=" + k.Provider.WebhookSecret,
		"SHOP_URL=" + s.URL, "SHOP_DATA=" + filepath.Join(s.dir, "orders"), "PORT=" + s.port(), "NEXT_TELEMETRY_DISABLED=1",
		"VEZNE_PHP_LIBRARY=" + library + "/php/Vezne.php", "APP_KEY=base64:Zm9yIHRlc3RzIGFsb25lOiAzMiBieXRlcyBvZiBrZXk=",
		"PYTHONPATH=" + library + "/python", "PYTHONDONTWRITEBYTECODE=1", "DJANGO_SECRET_KEY=for tests alone",
	}
	if e.build != nil {
		e.build(t, s)
	}
	var said bytes.Buffer
	server := s.command(t, e.serve(s))
	server.Stdout, server.Stderr = &said, &said
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // PHP's server has workers
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = server.Wait()
		if leak := harness.LeakIn(said.String()); leak != "" {
			t.Errorf("the shop printed %s", leak)
		}
		if t.Failed() {
			t.Logf("the shop says\n%s", said.String())
		}
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	harness.Eventually(t, func() error {
		answer, err := s.client.Get(s.URL + "/")
		if err != nil {
			return err
		}
		return errors.Join(answer.Body.Close(), map[bool]error{false: fmt.Errorf("HTTP %d", answer.StatusCode)}[answer.StatusCode == http.StatusOK])
	})
	return s, demo
}

// allowReturn lets payments lead back to a shop, which takes two people.
func allowReturn(t *testing.T, in *harness.Installation, demo *harness.Process, origin string) {
	t.Helper()
	admin := in.SignIn(demo, "admin")
	err := admin.Ask(`mutation($id: ID!, $to: [String!]) { updateSite(input: {id: $id, returnOrigins: $to}) { site { id } } }`,
		map[string]any{"id": fmt.Sprint(in.Keys.Sites[0].ID), "to": []string{origin}}, &struct{}{})
	if err != nil {
		err = admin.Agreed(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hidden is a field of a form that its customer does not see: the token against forged requests, under each framework's name.
var hidden = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]+)"`)

// page opens a page of the shop.
func (s *runningShop) page(t *testing.T, path string) string {
	t.Helper()
	answer, err := s.client.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s is answered with %d %s (%v)", path, answer.StatusCode, text, err)
	}
	return string(text)
}

// post sends a form of a page as a browser does.
func (s *runningShop) post(t *testing.T, page, path string, fields url.Values) (status int, location, body string) {
	t.Helper()
	for _, found := range hidden.FindAllStringSubmatch(page, -1) {
		fields.Set(found[1], found[2])
	}
	answer, err := s.client.PostForm(s.URL+path, fields)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Location"), string(text)
}

// buy begins a payment, and returns its order's page and its tracking code.
func (s *runningShop) buy(t *testing.T, in *harness.Installation, demo *harness.Process, amount string) (order, code string) {
	t.Helper()
	status, location, body := s.post(t, s.page(t, "/"), "/orders", url.Values{"amount": {amount}})
	if status != http.StatusSeeOther || !strings.HasPrefix(location, demo.URL+"/pay/") {
		t.Fatalf("the payment is answered with %d %s %s", status, location, body)
	}
	harness.KeepSecret("a page's token", harness.PageToken(location))
	for _, found := range in.SignIn(demo, "operator").All(t) {
		if found.Amount == amount {
			code = found.TrackingCode
		}
	}
	told, _, err := in.Provider(demo).Post("transaction-status", "", "", map[string]any{"tracking_code": code}, "")
	reference := regexp.MustCompile(`"reference":"([0-9a-f-]{36})"`).FindSubmatch(told.Body)
	if err != nil || reference == nil {
		t.Fatalf("the status of %s is %s (%v)", code, told.Body, err)
	}
	return "/orders/" + string(reference[1]), code
}

// shows checks what an order's page says.
func (s *runningShop) shows(t *testing.T, order, want string) {
	t.Helper()
	if got := s.page(t, order); !strings.Contains(got, want) {
		t.Errorf("the order's page says %s, want %s", got, want)
	}
}

// TestToolchainExamples has each shop of sdk/examples take deposits, and tries what a dishonest customer or sender would.
func TestToolchainExamples(t *testing.T) {
	t.Parallel()
	for _, e := range exampleShops() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			in := harness.NewEmbedded(t)
			s, demo := openExample(t, in, e)
			s.takesADeposit(t, in, demo)
			s.asksWhereNoneCame(t, in, demo)
			s.triesAgain(t, in, demo)
		})
	}
}

// takesADeposit: paid, corrected, and everything that is not to count.
func (s *runningShop) takesADeposit(t *testing.T, in *harness.Installation, demo *harness.Process) {
	t.Helper()
	for _, amount := range []string{"", "-1.00", "0.00", "1,50", "1e3", "250.001"} {
		if status, location, _ := s.post(t, s.page(t, "/"), "/orders", url.Values{"amount": {amount}}); status != http.StatusUnprocessableEntity || location != "" {
			t.Errorf("the amount %q is answered with %d %s", amount, status, location)
		}
	}
	order, code := s.buy(t, in, demo, "250.00")
	s.shows(t, order, "Order over 250.00: open, credited 0.00 TRY, 0 callbacks") // to come back proves nothing
	in.SignIn(demo, "operator").Must(t, "approveDeposit", code)
	first := s.relay.next(t)
	if first.status != http.StatusOK {
		t.Fatalf("the callback is answered with %d", first.status)
	}
	s.shows(t, order, "completed, credited 250.00 TRY, 1 callbacks")

	type forgery struct {
		name   string
		change func(header http.Header, body []byte) []byte
		want   int
	}
	same := func(change func(http.Header)) func(http.Header, []byte) []byte {
		return func(h http.Header, body []byte) []byte { change(h); return body }
	}
	for _, f := range []forgery{
		{"the same again", same(func(http.Header) {}), http.StatusOK},
		{"the same under another X-Callback-Id", same(func(h http.Header) { h.Set("X-Callback-Id", "01ANOTHER") }), http.StatusOK},
		{"another webhook-id", same(func(h http.Header) { h.Set("webhook-id", "01ANOTHER") }), http.StatusUnauthorized},
		{"another amount", func(_ http.Header, b []byte) []byte { return bytes.Replace(b, []byte("250.00"), []byte("950.00"), 1) }, http.StatusUnauthorized},
		{"written again", func(_ http.Header, b []byte) []byte { return bytes.Replace(b, []byte("250.00"), []byte("250"), 1) }, http.StatusUnauthorized},
		{"no signature", same(func(h http.Header) { h.Del("webhook-signature") }), http.StatusUnauthorized},
		{"an old one", same(func(h http.Header) { h.Set("webhook-timestamp", "1772442000") }), http.StatusUnauthorized},
		{"no body", func(http.Header, []byte) []byte { return nil }, http.StatusUnauthorized},
		{"as a form", func(h http.Header, b []byte) []byte {
			h.Set("Content-Type", "application/x-www-form-urlencoded")
			return b
		}, http.StatusOK},
	} {
		header := first.header.Clone()
		body := f.change(header, bytes.Clone(first.body))
		if status, err := deliver(s.callback, header, body); err != nil || status != f.want {
			t.Errorf("%s is answered with %d, want %d (%v)", f.name, status, f.want, err)
		}
	}
	s.shows(t, order, "completed, credited 250.00 TRY, 1 callbacks")

	s.correct(t, in, demo, code, "250.00", "200.00")
	s.shows(t, order, "completed, credited 200.00 TRY, 2 callbacks")
	if status, err := deliver(s.callback, first.header, first.body); err != nil || status != http.StatusOK {
		t.Errorf("the first again is answered with %d (%v)", status, err)
	}
	s.shows(t, order, "completed, credited 200.00 TRY, 2 callbacks")

	// What has the reference of an order, and is not its payment.
	_, _, err := in.Provider(demo).Post("start-manual-deposit", "X-Credential-Key", in.Keys.Sites[0].CredentialKey, map[string]any{
		"fullname": "Ayşe Yılmaz", "username": "ayse.yilmaz", "user_id": "u-1001", "amount": "900.00", "reference": strings.TrimPrefix(order, "/orders/"),
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range in.SignIn(demo, "operator").All(t) {
		if found.Amount == "900.00" {
			in.SignIn(demo, "operator").Must(t, "approveDeposit", found.TrackingCode)
		}
	}
	if other := s.relay.next(t); other.status != http.StatusOK {
		t.Errorf("a callback of somebody else's is answered with %d", other.status)
	}
	s.shows(t, order, "completed, credited 200.00 TRY, 2 callbacks")
}

// asksWhereNoneCame: a callback that is lost costs nothing, and counts once when it comes after all.
func (s *runningShop) asksWhereNoneCame(t *testing.T, in *harness.Installation, demo *harness.Process) {
	t.Helper()
	s.relay.isClosed.Store(true)
	order, code := s.buy(t, in, demo, "71.50")
	in.SignIn(demo, "operator").Must(t, "approveDeposit", code)
	lost := s.relay.next(t)
	s.shows(t, order, "completed, credited 71.50 TRY, 0 callbacks")
	if status, err := deliver(s.callback, lost.header, lost.body); err != nil || status != http.StatusOK {
		t.Errorf("the callback is answered with %d (%v)", status, err)
	}
	s.shows(t, order, "completed, credited 71.50 TRY, 1 callbacks")

	order, code = s.buy(t, in, demo, "72.50")
	in.SignIn(demo, "operator").Must(t, "rejectDeposit", code)
	s.relay.next(t)
	s.shows(t, order, "canceled, credited 0.00 TRY, 0 callbacks")
}

// triesAgain: an answer is lost on its way. The customer is offered to try again, and the stored key makes one payment of both.
func (s *runningShop) triesAgain(t *testing.T, in *harness.Installation, demo *harness.Process) {
	t.Helper()
	before := len(in.SignIn(demo, "operator").All(t))
	s.line.isCut.Store(true)
	status, location, body := s.post(t, s.page(t, "/"), "/orders", url.Values{"amount": {"73.50"}})
	action := regexp.MustCompile(`action="(/orders/[0-9a-f-]{36})/pay"`).FindStringSubmatch(body)
	if status != http.StatusServiceUnavailable || location != "" || action == nil {
		t.Fatalf("without an answer the payment is answered with %d %s %s", status, location, body)
	}
	s.shows(t, action[1], "new, credited 0.00 TRY, 0 callbacks")
	s.line.isCut.Store(false)
	for range 2 {
		status, location, body := s.post(t, body, action[1]+"/pay", url.Values{})
		if status != http.StatusSeeOther || !strings.HasPrefix(location, demo.URL+"/pay/") {
			t.Fatalf("the second try is answered with %d %s %s", status, location, body)
		}
		harness.KeepSecret("a page's token", harness.PageToken(location))
	}
	if after := len(in.SignIn(demo, "operator").All(t)); after != before+1 {
		t.Errorf("%d payments, want %d", after, before+1)
	}
	if status, _, _ := s.post(t, body, "/orders/00000000-0000-4000-8000-000000000000/pay", url.Values{}); status != http.StatusNotFound {
		t.Errorf("no order is answered with %d", status)
	}
	demo.Stop(t)
}

package operations_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestDemo tries the demo as somebody who has just found it: on nothing, with nothing configured but, perhaps, servers.
func TestDemo(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); testDemo(t) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		testDemo(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t))
	})
}

func testDemo(t *testing.T, env ...string) {
	in := harness.NewEmpty(t, append(env, harness.ReadOften)...)
	p := in.Seed()
	checkDemoFile(t, in.Dir)
	checkDemoOutput(t, p, in)
	checkPrinted(t, p, in)
	checkWallets(t, p, in)
	made := sendPrintedCurl(t, p)
	checkInbox(t, p, in, made)
	checkSandbox(t, p, in)
	checkLog(t, p, made)
	stopWithNews(t, p, in)

	before := in.Keys
	p = in.Seed()
	if in.Keys.BaseURL == before.BaseURL {
		t.Fatalf("both runs are at %s: the second one was to move", before.BaseURL)
	}
	before.BaseURL, before.Sandbox.URL = in.Keys.BaseURL, in.Keys.Sandbox.URL
	if fmt.Sprint(before) != fmt.Sprint(in.Keys) {
		t.Error("a restarted demo has other keys")
	}
	checkSeededOnce(t, p, in)
	checkInbox(t, p, in, in.Provider(p).Create(t, "start-manual-deposit", "99.90"))
	checkSandbox(t, p, in)
	checkWallets(t, p, in)
	p.Stop(t)
}

// TestDemoWithoutItsDatabase: demo.json alone is no demo. Everything is made anew.
func TestDemoWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	in.Seed().Stop(t)
	before := in.Keys
	files, err := filepath.Glob(filepath.Join(in.Dir, "vezne.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the demo's database is in none of %v (%v)", files, err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	p := in.Seed()
	if in.Keys.Provider.APIKey == before.Provider.APIKey {
		t.Error("a demo without its database keeps its keys")
	}
	checkInbox(t, p, in, in.Provider(p).Create(t, "start-eiban-deposit", "99.90"))
	p.Stop(t)
}

// TestDemoOfBeforeTheSandbox: a demo that was seeded before there was a simulated gateway gets one.
func TestDemoOfBeforeTheSandbox(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	p := in.Seed()
	in.SignIn(p, "admin").UpdateGateway(t, in.Keys.Sandbox.GatewayID, map[string]any{"isEnabled": false}) // as if it were not there
	p.Stop(t)
	file := filepath.Join(in.Dir, "demo.json")
	text, err := os.ReadFile(file)
	var whole map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &whole)
	}
	delete(whole, "sandbox")
	if err == nil {
		text, err = json.Marshal(whole)
	}
	if err = errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	before := in.Keys
	p = in.Seed()
	if in.Keys.Provider != before.Provider || in.Keys.Sandbox.AdminKey == before.Sandbox.AdminKey {
		t.Errorf("the demo went on as %+v", in.Keys.Provider.Name)
	}
	checkSandbox(t, p, in)
	p.Stop(t)
}

// TestDemosShareADatabase: a demo in another directory is a second one beside the first, whose keys go on working.
func TestDemosShareADatabase(t *testing.T) {
	t.Parallel()
	env := []string{"VEZNE_DATABASE_URL=" + harness.NewDatabase(t, ""), "VEZNE_REDIS_URL=" + harness.NewQueue(t)}
	first, second := harness.NewEmpty(t, env...), harness.NewEmpty(t, env...)
	first.Seed().Stop(t)
	p := second.Seed()
	if first.Keys.Provider.APIKey == second.Keys.Provider.APIKey {
		t.Error("the second demo has the first one's keys")
	}
	checkInbox(t, p, second, second.Provider(p).Create(t, "start-eiban-deposit", "99.90"))
	first.Provider(p).Create(t, "start-eiban-deposit", "10.00")
	p.Stop(t)
}

func checkDemoFile(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, "demo.json")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("demo.json has mode %v: it holds keys", info.Mode())
	}
	got, want := readShape(t, file), readShape(t, "testdata/demo.shape.json")
	if got != want {
		t.Errorf("demo.json has the shape\n%s, want\n%s", got, want)
	}
}

func readShape(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	shape, err := json.MarshalIndent(shapeOf(whole), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(shape)
}

// shapeOf keeps the fields of a JSON value and forgets what they hold; the items of a list become one.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		shape := make(map[string]any, len(v))
		for name, field := range v {
			shape[name] = shapeOf(field)
		}
		return shape
	case []any:
		var shapes []any
		for _, item := range v {
			shape := shapeOf(item)
			if !slices.ContainsFunc(shapes, func(s any) bool { return fmt.Sprint(s) == fmt.Sprint(shape) }) {
				shapes = append(shapes, shape)
			}
		}
		return shapes
	case string:
		return ""
	default:
		return 0
	}
}

func checkDemoOutput(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	wanted := []string{p.URL + "/demo/inbox", p.URL + "/docs", p.URL + "/graphql", p.URL + "/sandbox", filepath.Join(in.Dir, "demo.json")}
	var roles []string
	for _, member := range in.Keys.Staff {
		wanted = append(wanted, member.Email, member.Password)
		roles = append(roles, member.Role)
	}
	for _, text := range wanted {
		harness.Eventually(t, func() error { // what is printed may arrive after what is logged
			if out := p.Stdout.String(); !strings.Contains(out, text) {
				return fmt.Errorf("demo does not print %q:\n%s", text, out)
			}
			return nil
		})
	}
	for _, role := range []string{"admin", "operator", "viewer", "dealer"} {
		if !slices.Contains(roles, role) {
			t.Errorf("demo.json has nobody of role %s", role)
		}
	}
	for _, path := range []string{"/demo/inbox", "/docs", "/"} {
		if a := harness.Get(t, p.URL+path); a.Status != http.StatusOK && a.Status != http.StatusFound && a.Status != http.StatusMovedPermanently {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
	if in.Keys.BaseURL != p.URL {
		t.Errorf("demo.json says that it is at %s, the log says %s", in.Keys.BaseURL, p.URL)
	}
}

var (
	curlURL    = regexp.MustCompile(`curl [^']*'([^']*)'`)
	curlHeader = regexp.MustCompile(`-H '([^:]*): ([^']*)'`)
	curlBody   = regexp.MustCompile(`(?:-d|--data-raw) '([^']*)'`)
)

// requestOf makes the request that a printed curl command would.
func requestOf(t *testing.T, printed string) *http.Request {
	t.Helper()
	where := curlURL.FindStringSubmatch(printed)
	if where == nil || !strings.Contains(printed, "-X POST") {
		t.Fatalf("there is no curl -X POST in:\n%s", printed)
	}
	body := ""
	if found := curlBody.FindStringSubmatch(printed); found != nil {
		body = found[1]
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, where[1], bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range curlHeader.FindAllStringSubmatch(printed, -1) {
		r.Header.Set(header[1], header[2])
	}
	return r
}

// sendPrintedCurl sends what the demo prints to try.
func sendPrintedCurl(t *testing.T, p *harness.Process) harness.Payment {
	t.Helper()
	a, err := harness.Send(requestOf(t, p.Stdout.String()))
	var whole struct {
		Success bool
		Data    harness.Payment
	}
	if err != nil || a.Status != http.StatusOK || json.Unmarshal(a.Body, &whole) != nil || !whole.Success {
		t.Fatalf("the printed curl is answered with %d %s (%v)", a.Status, a.Body, err)
	}
	harness.KeepSecret("a page's token", harness.PageToken(whole.Data.PaymentURL))
	if page := harness.Get(t, whole.Data.PaymentURL); page.Status != http.StatusOK {
		t.Errorf("payment_url answers %d", page.Status)
	}
	return whole.Data
}

// checkInbox approves a deposit and finds its callback in the demo's inbox, with both signatures right.
func checkInbox(t *testing.T, p *harness.Process, in *harness.Installation, made harness.Payment) {
	t.Helper()
	in.SignIn(p, "operator").Must(t, "approveDeposit", made.TrackingCode)
	awaitInInbox(t, p, made, "X-Hash is right", "webhook-signature is right")
	if found := in.SignIn(p, "viewer").Settled(t, made.TrackingCode); found.Callbacks[0].Status != "DELIVERED" {
		t.Errorf("the inbox has it, but it counts as %s", found.Callbacks[0].Status)
	}
}

// checkSandbox pays by card at the demo's own gateway, and looks at it there.
func checkSandbox(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	paid := in.Provider(p).Card(t, "250.00")
	if err := paid.Must(t, harness.Press("begin"), harness.WithCard("4242424242424242")).Shows("completed"); err != nil {
		t.Error(err)
	}
	k := in.Keys.Sandbox
	if k.URL != p.URL+"/sandbox" {
		t.Errorf("demo.json says that the sandbox is at %s", k.URL)
	}
	for key, status := range map[string]int{k.AdminKey: http.StatusOK, k.APIKey: http.StatusUnauthorized, "": http.StatusUnauthorized} {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, k.URL+"/admin/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Sandbox-Admin-Key", key)
		a, err := harness.Send(r)
		if err != nil || a.Status != status || strings.Contains(string(a.Body), paid.OrderID) != (status == http.StatusOK) {
			t.Errorf("the sandbox answers %d %s (%v), want %d", a.Status, a.Body, err, status)
		}
	}
}

// checkSeededOnce asks for what a second seeding would have doubled.
func checkSeededOnce(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	r, err := in.Provider(p).Signed("sites", "X-Key", in.Keys.Provider.VerificationKey, "")
	if err != nil {
		t.Fatal(err)
	}
	a, err := harness.Send(r)
	if err != nil {
		t.Fatal(err)
	}
	var sites struct {
		Provider struct{ ID int64 }
		Total    int `json:"total_sites"`
	}
	if err := json.Unmarshal(a.Body, &sites); err != nil || sites.Total != len(in.Keys.Sites) || sites.Provider.ID != in.Keys.Provider.ID {
		t.Errorf("E2 answers %s (%v), want the %d sites of provider %d", a.Body, err, len(in.Keys.Sites), in.Keys.Provider.ID)
	}
	last := in.Keys.InactiveProvider.ID + 1
	var data struct{ Provider any }
	err = in.SignIn(p, "admin").Ask(`query($id: ID!) { provider(id: $id) { id } }`, map[string]any{"id": fmt.Sprint(last)}, &data)
	if harness.CodeOf(err) != "NOT_FOUND" {
		t.Errorf("there is a provider %d after the last one seeded: %v (%v)", last, data.Provider, err)
	}
}

// checkLog reads the demo's log as a newcomer: what the simulated bank is asked is not in it, but what came of a payment is.
func checkLog(t *testing.T, p *harness.Process, made harness.Payment) {
	t.Helper()
	isTold := false
	for lines := bufio.NewScanner(strings.NewReader(p.Stderr.String())); lines.Scan(); {
		var line struct {
			Level, Msg, Path, Status any
			Code                     string `json:"tracking_code"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Level != "INFO" {
			continue
		}
		if strings.HasPrefix(fmt.Sprint(line.Path), "/sandbox") {
			t.Errorf("the log has %s", lines.Text())
		}
		isTold = isTold || line.Code == made.TrackingCode && line.Status == "completed"
	}
	if !isTold {
		t.Errorf("the log does not say that the callback of %s came", made.TrackingCode)
	}
}

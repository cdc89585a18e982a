package main_test

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
)

// TestDemo tries the demo as somebody who has just found it: on nothing, with nothing configured but, perhaps, servers.
func TestDemo(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); testDemo(t) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		testDemo(t, "VEZNE_DATABASE_URL="+newDatabase(t, ""), "VEZNE_REDIS_URL="+newQueue(t))
	})
}

func testDemo(t *testing.T, env ...string) {
	in := newEmpty(t, append(env, readOften)...)
	p := in.seed()
	checkDemoFile(t, in.dir)
	checkDemoOutput(t, p, in)
	checkPrinted(t, p, in)
	checkWallets(t, p, in)
	made := sendPrintedCurl(t, p)
	checkInbox(t, p, in, made)
	checkSandbox(t, p, in)
	checkLog(t, p, made)
	stopWithNews(t, p, in)

	before := in.keys
	p = in.seed()
	if in.keys.BaseURL == before.BaseURL {
		t.Fatalf("both runs are at %s: the second one was to move", before.BaseURL)
	}
	before.BaseURL, before.Sandbox.URL = in.keys.BaseURL, in.keys.Sandbox.URL
	if fmt.Sprint(before) != fmt.Sprint(in.keys) {
		t.Error("a restarted demo has other keys")
	}
	checkSeededOnce(t, p, in)
	checkInbox(t, p, in, in.provider(p).create(t, "start-manual-deposit", "99.90"))
	checkSandbox(t, p, in)
	checkWallets(t, p, in)
	p.stop(t)
}

// TestDemoWithoutItsDatabase: demo.json alone is no demo. Everything is made anew.
func TestDemoWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	in := newEmpty(t)
	in.seed().stop(t)
	before := in.keys
	files, err := filepath.Glob(filepath.Join(in.dir, "vezne.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the demo's database is in none of %v (%v)", files, err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	p := in.seed()
	if in.keys.Provider.APIKey == before.Provider.APIKey {
		t.Error("a demo without its database keeps its keys")
	}
	checkInbox(t, p, in, in.provider(p).create(t, "start-eiban-deposit", "99.90"))
	p.stop(t)
}

// TestDemoOfBeforeTheSandbox: a demo that was seeded before there was a simulated gateway gets one.
func TestDemoOfBeforeTheSandbox(t *testing.T) {
	t.Parallel()
	in := newEmpty(t)
	p := in.seed()
	in.signIn(p, "admin").updateGateway(t, in.keys.Sandbox.GatewayID, map[string]any{"isEnabled": false}) // as if it were not there
	p.stop(t)
	file := filepath.Join(in.dir, "demo.json")
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
	before := in.keys
	p = in.seed()
	if in.keys.Provider != before.Provider || in.keys.Sandbox.AdminKey == before.Sandbox.AdminKey {
		t.Errorf("the demo went on as %+v", in.keys.Provider.Name)
	}
	checkSandbox(t, p, in)
	p.stop(t)
}

// TestDemosShareADatabase: a demo in another directory is a second one beside the first, whose keys go on working.
func TestDemosShareADatabase(t *testing.T) {
	t.Parallel()
	env := []string{"VEZNE_DATABASE_URL=" + newDatabase(t, ""), "VEZNE_REDIS_URL=" + newQueue(t)}
	first, second := newEmpty(t, env...), newEmpty(t, env...)
	first.seed().stop(t)
	p := second.seed()
	if first.keys.Provider.APIKey == second.keys.Provider.APIKey {
		t.Error("the second demo has the first one's keys")
	}
	checkInbox(t, p, second, second.provider(p).create(t, "start-eiban-deposit", "99.90"))
	first.provider(p).create(t, "start-eiban-deposit", "10.00")
	p.stop(t)
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

func checkDemoOutput(t *testing.T, p *process, in *installation) {
	t.Helper()
	wanted := []string{p.url + "/demo/inbox", p.url + "/docs", p.url + "/graphql", p.url + "/sandbox", filepath.Join(in.dir, "demo.json")}
	var roles []string
	for _, member := range in.keys.Staff {
		wanted = append(wanted, member.Email, member.Password)
		roles = append(roles, member.Role)
	}
	for _, text := range wanted {
		eventually(t, func() error { // what is printed may arrive after what is logged
			if out := p.stdout.String(); !strings.Contains(out, text) {
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
		if a := get(t, p.url+path); a.status != http.StatusOK && a.status != http.StatusFound && a.status != http.StatusMovedPermanently {
			t.Errorf("%s answers %d", path, a.status)
		}
	}
	if in.keys.BaseURL != p.url {
		t.Errorf("demo.json says that it is at %s, the log says %s", in.keys.BaseURL, p.url)
	}
}

var (
	curlURL    = regexp.MustCompile(`curl [^']*'([^']*)'`)
	curlHeader = regexp.MustCompile(`-H '([^:]*): ([^']*)'`)
	curlBody   = regexp.MustCompile(`-d '([^']*)'`)
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
func sendPrintedCurl(t *testing.T, p *process) payment {
	t.Helper()
	a, err := send(requestOf(t, p.stdout.String()))
	var whole struct {
		Success bool
		Data    payment
	}
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &whole) != nil || !whole.Success {
		t.Fatalf("the printed curl is answered with %d %s (%v)", a.status, a.body, err)
	}
	shared.keepSecret("a page's token", pageToken(whole.Data.PaymentURL))
	if page := get(t, whole.Data.PaymentURL); page.status != http.StatusOK {
		t.Errorf("payment_url answers %d", page.status)
	}
	return whole.Data
}

// checkInbox approves a deposit and finds its callback in the demo's inbox, with both signatures right.
func checkInbox(t *testing.T, p *process, in *installation, made payment) {
	t.Helper()
	in.signIn(p, "operator").must(t, "approveDeposit", made.TrackingCode)
	awaitInInbox(t, p, made, "X-Hash is right", "webhook-signature is right")
	if found := in.signIn(p, "viewer").settled(t, made.TrackingCode); found.Callbacks[0].State != "delivered" {
		t.Errorf("the inbox has it, but it counts as %s", found.Callbacks[0].State)
	}
}

// checkSandbox pays by card at the demo's own gateway, and looks at it there.
func checkSandbox(t *testing.T, p *process, in *installation) {
	t.Helper()
	paid := in.provider(p).card(t, "250.00")
	if err := paid.must(t, press("begin"), withCard("4242424242424242")).shows("completed"); err != nil {
		t.Error(err)
	}
	k := in.keys.Sandbox
	if k.URL != p.url+"/sandbox" {
		t.Errorf("demo.json says that the sandbox is at %s", k.URL)
	}
	for key, status := range map[string]int{k.AdminKey: http.StatusOK, k.APIKey: http.StatusUnauthorized, "": http.StatusUnauthorized} {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, k.URL+"/admin/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Sandbox-Admin-Key", key)
		a, err := send(r)
		if err != nil || a.status != status || strings.Contains(string(a.body), paid.OrderID) != (status == http.StatusOK) {
			t.Errorf("the sandbox answers %d %s (%v), want %d", a.status, a.body, err, status)
		}
	}
}

// checkSeededOnce asks for what a second seeding would have doubled.
func checkSeededOnce(t *testing.T, p *process, in *installation) {
	t.Helper()
	r, err := in.provider(p).signed("sites", "X-Key", in.keys.Provider.VerificationKey, "")
	if err != nil {
		t.Fatal(err)
	}
	a, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	var sites struct {
		Provider struct{ ID int64 }
		Total    int `json:"total_sites"`
	}
	if err := json.Unmarshal(a.body, &sites); err != nil || sites.Total != len(in.keys.Sites) || sites.Provider.ID != in.keys.Provider.ID {
		t.Errorf("E2 answers %s (%v), want the %d sites of provider %d", a.body, err, len(in.keys.Sites), in.keys.Provider.ID)
	}
	last := in.keys.InactiveProvider.ID + 1
	var data struct{ Provider any }
	err = in.signIn(p, "admin").ask(`query($id: ID!) { provider(id: $id) { id } }`, map[string]any{"id": fmt.Sprint(last)}, &data)
	if codeOf(err) != "NOT_FOUND" {
		t.Errorf("there is a provider %d after the last one seeded: %v (%v)", last, data.Provider, err)
	}
}

// checkLog reads the demo's log as a newcomer: what the simulated bank is asked is not in it, but what came of a payment is.
func checkLog(t *testing.T, p *process, made payment) {
	t.Helper()
	isTold := false
	for lines := bufio.NewScanner(strings.NewReader(p.stderr.String())); lines.Scan(); {
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

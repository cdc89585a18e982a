package operations_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vezne/vezne/e2e/harness"
)

// callBlock is a program of sdk/calls.md.
var callBlock = regexp.MustCompile("(?s)```(sh|php|js|python|csharp)\n(.*?)```")

// callsPage is sdk/calls.md: its calls, and behind them what receives callbacks.
func callsPage(t *testing.T) (calls, receivers string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sdkFolder, "calls.md"))
	if err != nil {
		t.Fatal(err)
	}
	calls, receivers, found := strings.Cut(string(text), "\n## Verify callbacks\n")
	if !found {
		t.Fatal("the page verifies no callbacks")
	}
	return calls, receivers
}

// programsOfCalls are the programs of sdk/calls.md by their languages: how it is set up, and then each call.
func programsOfCalls(t *testing.T) map[string][]string {
	t.Helper()
	calls, _ := callsPage(t)
	programs := map[string][]string{}
	for _, found := range callBlock.FindAllStringSubmatch(calls, -1) {
		programs[found[1]] = append(programs[found[1]], found[2])
	}
	for name, blocks := range programs {
		if len(blocks) < 31 {
			t.Fatalf("%d programs in %s", len(blocks), name)
		}
	}
	return programs
}

// wholeProgram puts the calls of a language one behind the other; each says that it was answered.
func wholeProgram(name string, blocks []string) string {
	begin, call, end := "", "{\n@}\n", ""
	switch name {
	case "sh":
		call = "@echo\n"
	case "php":
		call = "@echo 'answered ', json_encode($answer['success']), \"\\n\";\n"
	case "js":
		call = "{\n@console.log('answered', answer.fields.success);\n}\n"
	case "python":
		call = "@print('answered', answer['success'])\n"
	case "csharp":
		call = "{\n@Console.WriteLine(\"answered \" + answer.Fields[\"success\"]);\n}\n"
	}
	setUp := blocks[0]
	if name == "csharp" { // what C# 9 writes without a class around it
		usings, rest, _ := strings.Cut(setUp, "\n\n")
		setUp = usings + "\nusing System.Threading.Tasks;\nstatic class Calls {\nstatic async Task Run() {\n" + rest
		end = "}\nstatic void Main() { Run().Wait(); }\n}\n"
	}
	for _, block := range blocks[1:] {
		setUp += strings.Replace(call, "@", block, 1)
	}
	return begin + setUp + end
}

// runCalls runs every call of sdk/calls.md in a language, against a demo. What the examples name there is: the payments are
// made before.
func runCalls(t *testing.T, in *harness.Installation, server *harness.Process, name string, blocks []string) {
	t.Helper()
	made := func(endpoint, pattern string, more ...string) string {
		a, err := harness.Send(printedRequest(t, in.Succeed(append([]string{"sign", endpoint, "--demo", in.Dir}, more...)...)))
		code := regexp.MustCompile(pattern).FindString(string(a.Body))
		if err != nil || code == "" {
			t.Fatalf("%s is answered with %s (%v)", endpoint, a.Body, err)
		}
		return code
	}
	wallet := regexp.MustCompile(`"wallet_id":"([^"]+)"`).FindStringSubmatch(in.Succeed("sign", "dealer-send-money", "--demo", in.Dir))
	program := strings.NewReplacer(
		"CC-0123456789ABCDEF", made("credit-card-payment", `CC-[0-9A-Z]{16}`),
		"MAN-0123456789ABCDEF", made("start-manual-deposit", `MAN-[0-9A-Z]{16}`, "--body", `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":250,"test":{}}`),
		"WIT-0123456789ABCDEF", made("dealer-manual-iban-withdraw", `WIT-[0-9A-Z]{16}`, "--body",
			`{"username":"ayse.yilmaz","userid":"u-1001","amount":250,"recipient_name":"Ayşe Yılmaz","recipient_iban":"TR330006100519786457841326","test":{}}`),
		"TRF-0123456789ABCDEF", made("dealer-send-money", `TRF-[0-9A-Z]{16}`), "W-1", wallet[1], "vzc_example", in.Keys.Sites[0].CredentialKey,
		"2026-03-01", time.Now().Format(time.DateOnly), "2026-03-02", time.Now().Format(time.DateOnly), "order-4711-1", "order-4711-"+name, "order-4711-2", "order-4711-test-"+name,
	).Replace(wholeProgram(name, blocks))
	folder := map[string]string{"js": "typescript"}[name]
	if folder == "" {
		folder = name
	}
	cmd := programOf(t, folder, program)
	k := in.Keys
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PAY_URL="+server.URL, "PAY_API_KEY="+k.Provider.APIKey, "PAY_SECRET_KEY="+k.Provider.SecretKey,
		"PAY_CREDENTIAL_KEY="+k.Sites[0].CredentialKey, "PAY_VERIFICATION_KEY="+k.Provider.VerificationKey,
		"PAY_DEALER_API_KEY="+k.Dealer.APIKey, "PAY_DEALER_SECRET_KEY="+k.Dealer.SecretKey)
	said, err := cmd.CombinedOutput()
	answered := len(regexp.MustCompile(`(?i)answered true|"success": ?true`).FindAllString(string(said), -1))
	if err != nil || answered != len(blocks)-1 {
		t.Errorf("of %d calls in %s %d were answered (%v):\n%s", len(blocks)-1, name, answered, err, said)
	}
	for _, token := range regexp.MustCompile(`/pay/([^"\\]{20,})`).FindAllStringSubmatch(string(said), -1) {
		harness.KeepSecret("a page's token", token[1])
	}
}

// TestToolchainEveryCallInEveryLanguage runs what sdk/calls.md shows; in short runs TestTheProgramsOfTheLibrariesReadme runs it in one
// language.
func TestToolchainEveryCallInEveryLanguage(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	programs := programsOfCalls(t)
	if len(programs) != 5 {
		t.Errorf("programs in %d languages", len(programs))
	}
	for name, blocks := range programs {
		runCalls(t, in, server, name, blocks)
	}
	server.Stop(t)
}

// TestToolchainReceiversInEveryLanguage sends callbacks to what sdk/calls.md verifies them with.
func TestToolchainReceiversInEveryLanguage(t *testing.T) {
	t.Parallel()
	_, text := callsPage(t)
	blocks := callBlock.FindAllStringSubmatch(text, -1)
	if len(blocks) != 5 {
		t.Fatalf("%d receivers", len(blocks))
	}
	for _, block := range blocks {
		t.Run(block[1], func(t *testing.T) {
			t.Parallel()
			if block[1] == "sh" {
				checksInAShell(t, block[2])
				return
			}
			receives(t, block[1], block[2])
		})
	}
}

const receiversSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// signedCallback is one that Vezne could have sent just now.
func signedCallback(t *testing.T) (header http.Header, body []byte) {
	t.Helper()
	body = []byte(`{"tracking_code":"MAN-0123456789ABCDEF","status":"completed","amount":250.00,"fullname":"Ayşe Yılmaz","sequence":1}`)
	webhook, err := standardwebhooks.NewWebhook(receiversSecret)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	signature, err := webhook.Sign("01CALLBACK", at, body)
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{
		"Webhook-Id": {"01CALLBACK"}, "Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {"v1,AAAA " + signature},
		"Content-Type": {"application/json"},
	}, body
}

// checksInAShell: right is right, and what was changed is not.
func checksInAShell(t *testing.T, program string) {
	t.Helper()
	header, body := signedCallback(t)
	for want, file := range map[string][]byte{"right\n": body, "wrong\n": bytes.Replace(body, []byte("250"), []byte("950"), 1)} {
		cmd := programOf(t, "sh", program)
		cmd.Env = append(os.Environ(), "PAY_WEBHOOK_SECRET="+receiversSecret, "webhook_id="+header.Get("webhook-id"),
			"webhook_timestamp="+header.Get("webhook-timestamp"), "webhook_signature="+header.Get("webhook-signature"))
		if err := os.WriteFile(filepath.Join(cmd.Dir, "callback.json"), file, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := cmd.Output(); string(said) != want || (err == nil) != (want == "right\n") {
			t.Errorf("the shell says %q, want %q (%v)", said, want, err)
		}
	}
}

// receives starts a receiver and sends it callbacks.
func receives(t *testing.T, name, program string) {
	t.Helper()
	address := harness.ReserveAddress(t)
	program = strings.ReplaceAll(program, "3000", address[strings.LastIndex(address, ":")+1:])
	if name == "csharp" { // what C# 9 writes without a class around it
		usings, rest, _ := strings.Cut(program, "\n\n")
		program = usings + "\nstatic class Receiver {\nstatic void Main() {\n" + rest + "}\n}\n"
	}
	folder := map[string]string{"js": "typescript"}[name]
	if folder == "" {
		folder = name
	}
	cmd := programOf(t, folder, program)
	if name == "php" { // its own server runs it, for each request
		file := filepath.Join(t.TempDir(), "callback.php")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, "-d", "include_path=.", "-S", address, file)
	}
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PAY_WEBHOOK_SECRET=whsec_c2VjcmV0IG9mIGxhc3QgeWVhciwgcm90YXRlZA== "+receiversSecret)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a compiled one is its shell's child
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // killed
	})
	header, body := signedCallback(t)
	send := func(header http.Header, body []byte) (status int) {
		harness.Eventually(t, func() (err error) {
			status, err = deliver("http://"+address+"/callback", header, body)
			return err
		})
		return status
	}
	if status := send(header, body); status != http.StatusOK {
		t.Errorf("a callback is answered with %d", status)
	}
	if status := send(header, bytes.Replace(body, []byte("250"), []byte("950"), 1)); status != http.StatusUnauthorized {
		t.Errorf("another amount is answered with %d", status)
	}
	header.Del("webhook-signature")
	if status := send(header, body); status != http.StatusUnauthorized {
		t.Errorf("no signature is answered with %d", status)
	}
}

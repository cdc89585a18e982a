package operations_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// callBlock is a program of sdk/calls.md.
var callBlock = regexp.MustCompile("(?s)```(sh|php|js|python|csharp)\n(.*?)```")

// programsOfCalls are the programs of sdk/calls.md by their languages: how it is set up, and then each call.
func programsOfCalls(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sdkFolder, "calls.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string][]string{}
	for _, found := range callBlock.FindAllStringSubmatch(string(text), -1) {
		programs[found[1]] = append(programs[found[1]], found[2])
	}
	for name, blocks := range programs {
		if len(blocks) < 28 {
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
	made := func(endpoint, pattern string) string {
		a, err := harness.Send(printedRequest(t, in.Succeed("sign", endpoint, "--demo", in.Dir)))
		code := regexp.MustCompile(pattern).FindString(string(a.Body))
		if err != nil || code == "" {
			t.Fatalf("%s is answered with %s (%v)", endpoint, a.Body, err)
		}
		return code
	}
	wallet := regexp.MustCompile(`"wallet_id":"([^"]+)"`).FindStringSubmatch(in.Succeed("sign", "dealer-send-money", "--demo", in.Dir))
	program := strings.NewReplacer(
		"CC-0123456789ABCDEF", made("credit-card-payment", `CC-[0-9A-Z]{16}`), "MAN-0123456789ABCDEF", made("start-manual-deposit", `MAN-[0-9A-Z]{16}`),
		"TRF-0123456789ABCDEF", made("dealer-send-money", `TRF-[0-9A-Z]{16}`), "W-1", wallet[1], "vzc_example", in.Keys.Sites[0].CredentialKey,
		"2026-03-01", time.Now().Format(time.DateOnly), "2026-03-02", time.Now().Format(time.DateOnly), "order-4711-1", "order-4711-"+name,
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

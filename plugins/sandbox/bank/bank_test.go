package bank_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func hmacHex(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

func tryAmount(value string) bank.Money {
	return bank.Money{Value: money.MustDecimal(value), Currency: "TRY"}
}

func TestTestCardsFollowTheirRule(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"00": "9999990000000006", "01": "9999990100000005", "10": "9999991000000004", "20": "9999992000000002",
		"26": "9999992600000006",
	} {
		if got := bank.TestCard(code); got != want {
			t.Errorf("the card of %s is %s, want %s", code, got, want)
		}
	}
}

func TestTestIBANsAndAddressesHaveRightForms(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range bank.Scenarios() {
		for what, text := range map[string]string{
			"TRC20": bank.TestAddress("TRC20", s.Code), "BTC": bank.TestAddress("BTC", s.Code), "iban": bank.TestIBAN(s.Code),
		} {
			isRight := gateway.IsAddress(what, text)
			if what == "iban" {
				isRight = iban.IsValid(text) && len(text) == 26 && strings.HasSuffix(text, s.Code)
			}
			if !isRight {
				t.Errorf("the %s of %s is %q", what, s.Code, text)
			}
			seen[text] = true
		}
	}
	if bank.TestAddress("TRC20", "00")[0] != 'T' || bank.TestAddress("BTC", "00")[0] != '1' {
		t.Error("addresses begin with T on Tron and with 1 on Bitcoin")
	}
}

func TestRequestNeedsKeyAndSignatureOfMethodPathAndBody(t *testing.T) {
	t.Parallel()
	b := bank.New(bank.Config{APIKey: "key-1", APISecret: "secret-1"})
	send := func(method, target, body, key, signature string) int {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		r.Header.Set(bank.KeyHeader, key)
		r.Header.Set(bank.SignatureHeader, signature)
		rec := httptest.NewRecorder()
		b.ServeHTTP(rec, r)
		return rec.Code
	}
	right := hmacHex("secret-1", "GET\n/v1/quote?amount=1&currency=BTC&network=BTC\n")
	const target = "/v1/quote?amount=1&currency=BTC&network=BTC"
	if got := send("GET", target, "", "key-1", right); got != http.StatusOK {
		t.Fatalf("a right request got %d", got)
	}
	for what, got := range map[string]int{
		"no key":             send("GET", target, "", "", right),
		"another key":        send("GET", target, "", "key-2", right),
		"no signature":       send("GET", target, "", "key-1", ""),
		"another signature":  send("GET", target, "", "key-1", hmacHex("secret-2", "GET\n"+target+"\n")),
		"another query":      send("GET", strings.Replace(target, "amount=1", "amount=2", 1), "", "key-1", right),
		"a body on top":      send("GET", target, "x", "key-1", right),
		"another method":     send("POST", target, "", "key-1", right),
		"an unconfigured":    sendTo(bank.New(bank.Config{})),
		"an endpoint beside": send("GET", "/v1/nothing", "", "key-1", ""),
	} {
		if got != http.StatusUnauthorized {
			t.Errorf("%s: got %d", what, got)
		}
	}
}

func sendTo(b *bank.Bank) int {
	r := httptest.NewRequest("GET", "/v1/ping", nil)
	r.Header.Set(bank.SignatureHeader, hmacHex("", "GET\n/v1/ping\n"))
	rec := httptest.NewRecorder()
	b.ServeHTTP(rec, r)
	return rec.Code
}

func TestBodiesAreBoundedAndChecked(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	order := func(change func(string) string) (int, string) {
		body := change(`{"reference":"R1","kind":"card","amount":{"value":"10.5","currency":"TRY"},"return_url":"https://vezne.test/b"}`)
		status, answer := a.merchant("POST", "/v1/deposits", body)
		failure, _ := answer["error"].(map[string]any)
		code, _ := failure["code"].(string)
		return status, code
	}
	replace := func(old, with string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, with, 1) }
	}
	for what, change := range map[string]func(string) string{
		"no JSON":                         func(string) string { return "{" },
		"no reference":                    replace("R1", ""),
		"a reference with a slash":        replace("R1", "R/1"),
		"a reference that is too long":    replace("R1", strings.Repeat("R", 65)),
		"an amount that is a number":      replace(`"10.5"`, "10.5"),
		"an amount of a great exponent":   replace("10.5", "1e9"),
		"an amount of many digits":        replace("10.5", strings.Repeat("9", 60)),
		"a return to a script":            replace("https://vezne.test/b", "javascript:alert(1)"),
		"a return that is missing":        replace("https://vezne.test/b", ""),
		"a return with a password":        replace("https://vezne.test/b", "https://a:b@vezne.test/"),
		"a return that is too long":       replace("/b", "/"+strings.Repeat("b", 2100)),
		"a text with a control character": replace(`"kind"`, `"text":"a\u0007","kind"`),
	} {
		if status, code := order(change); status != http.StatusUnprocessableEntity || code != "invalid_request" {
			t.Errorf("%s: got %d %s", what, status, code)
		}
	}
	if status, code := order(replace(`"kind":"card"`, `"kind":"cash"`)); status != http.StatusUnprocessableEntity || code != "unknown_kind" {
		t.Errorf("another kind: got %d %s", status, code)
	}
	if status, _ := order(func(string) string { return strings.Repeat(" ", 65<<10) }); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too large: got %d", status)
	}
	if status, _ := order(func(s string) string { return s }); status != http.StatusOK {
		t.Errorf("the right order: got %d", status)
	}
}

func TestPayoutsAndStatementsAreChecked(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	const amount = `"reference":"P1","amount":{"value":"10.50","currency":"TRY"}`
	for what, c := range map[string]struct{ method, path, body, code string }{
		"no IBAN":                   {"POST", "payouts", `{` + amount + `,"kind":"bank"}`, "invalid_recipient"},
		"a wallet of letters":       {"POST", "payouts", `{` + amount + `,"kind":"wallet","to":{"wallet":"abcdef"}}`, "invalid_recipient"},
		"an unknown coin":           {"POST", "payouts", `{` + amount + `,"kind":"crypto","currency":"DOGE","to":{"address":"D1"}}`, "unknown_option"},
		"no address":                {"POST", "payouts", `{` + amount + `,"kind":"crypto","currency":"BTC","network":"BTC"}`, "invalid_recipient"},
		"another kind":              {"POST", "payouts", `{` + amount + `,"kind":"cash"}`, "unknown_kind"},
		"another currency":          {"POST", "payouts", strings.Replace(`{`+amount+`,"kind":"bank"}`, "TRY", "USD", 1), "wrong_currency"},
		"too fine an amount":        {"POST", "payouts", strings.Replace(`{`+amount+`,"kind":"bank"}`, "10.50", "10.505", 1), "invalid_request"},
		"no reference":              {"POST", "payouts", strings.Replace(`{`+amount+`,"kind":"bank"}`, "P1", "", 1), "invalid_request"},
		"a name with a bell":        {"POST", "payouts", `{` + amount + `,"kind":"bank","to":{"name":"a\u0007"}}`, "invalid_request"},
		"a payout from an account":  {"POST", "payouts", `{` + amount + `,"kind":"bank","account_id":"acc-1"}`, "invalid_request"},
		"four days of a statement":  {"GET", "accounts/acc-1/statement?from=2026-03-01T00:00:00Z&to=2026-03-05T00:00:00Z", "", "range_too_long"},
		"another bank's cursor":     {"GET", "accounts/acc-1/statement?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&cursor=x", "", "invalid_request"},
		"a statement without times": {"GET", "accounts/acc-1/statement", "", "invalid_request"},
		"a page of none":            {"GET", "accounts/acc-1/statement?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&limit=0", "", "invalid_request"},
	} {
		status, answer := a.merchant(c.method, "/v1/"+c.path, c.body)
		if failure, _ := answer["error"].(map[string]any); status != http.StatusUnprocessableEntity || failure["code"] != c.code {
			t.Errorf("%s: got %d %v, want %s", what, status, answer, c.code)
		}
	}
}

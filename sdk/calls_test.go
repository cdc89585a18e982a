package sdk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/vezne/vezne/core/coretest"
)

// field is one of a call's, in the order in which the table has it.
type field struct {
	name  string
	value any // text, or json.Number
}

// fieldsToShow are a call's fields where those of the vectors are to try a library with, and not to be read.
var fieldsToShow = map[string]string{
	"D5": `{"wallet_id":"W-1","start_date":"2026-03-01","end_date":"2026-03-02"}`,
	"D6": `{"wallet_id":"W-1","recipient_iban":"TR330006100519786457841326","recipient_name":"Ayşe Yılmaz","amount":"250.00","description":"Invoice 42","reference":"order-4711"}`,
	"D7": `{"transfer_id":"TRF-0123456789ABCDEF"}`,
	"V2": `{"reference":"order-4711"}`,
}

// onceShown is the idempotency key of the examples.
const onceShown = "order-4711-1"

// shown are the fields of a call as the examples have them.
func (c call) shown(t *testing.T) (list []field, text string) {
	t.Helper()
	text = c.fields
	if other := fieldsToShow[c.clause]; other != "" {
		text = other
	}
	if text == "" {
		return nil, ""
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	next := func() any {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", c.clause, err)
		}
		return token
	}
	for next(); d.More(); {
		list = append(list, field{next().(string), next()})
	}
	return list, text
}

// own is what the libraries call it: of another word for each hyphen, in the language's spelling.
func (c call) own(spelling string) string {
	words := strings.Split(c.name, "-")
	if spelling == "snake" {
		return strings.Join(words, "_")
	}
	for i, w := range words {
		if i > 0 || spelling == "pascal" {
			words[i] = string(unicode.ToUpper(rune(w[0]))) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// language is how a call is written in one.
type language struct {
	fence, setUp string
	write        func(t *testing.T, c call) string
	test         string // creates a payment of which it says what becomes of it, and moves its clock
}

func quoted(v any, quote string) string {
	if n, isNumber := v.(json.Number); isNumber {
		return n.String()
	}
	return quote + v.(string) + quote
}

// through writes a call by a library: its fields between an opening and a closing, each as one says, and its key.
func through(t *testing.T, c call, name, opening, each, closing, quote string) string {
	t.Helper()
	fields, _ := c.shown(t)
	var pairs []string
	for _, f := range fields {
		if c.clause == "E7" && f.name == "credential_key" { // the libraries add it by themselves
			continue
		}
		pairs = append(pairs, fmt.Sprintf(each, f.name, quoted(f.value, quote)))
	}
	args := ""
	if len(pairs) > 0 {
		args = opening + strings.Join(pairs, ",\n") + closing
	}
	if c.creates {
		args += ", " + quote + onceShown + quote
	}
	return name + "(" + args + ")"
}

// client is the variable that a call is made with.
func (c call) client(sign string) string {
	if c.api() == "dealer" {
		return sign + "dealer"
	}
	return sign + "vezne"
}

// languages are those of the examples; what they are run with is in the end-to-end tests.
func languages() []language {
	return []language{
		{"sh", `# PAY_URL, PAY_API_KEY, PAY_SECRET_KEY, PAY_CREDENTIAL_KEY, PAY_VERIFICATION_KEY, PAY_DEALER_API_KEY and
# PAY_DEALER_SECRET_KEY are your own. Each call below signs itself with the hash of the contract.
sign() { timestamp=$(date +%s); hash=$(printf %s "$1$timestamp" | sha256sum | cut -d' ' -f1); }
`, curl, shTest},
		{"php", `<?php
require 'Vezne.php';

$vezne = new Vezne\Provider(getenv('PAY_URL'), getenv('PAY_API_KEY'), getenv('PAY_SECRET_KEY'), getenv('PAY_CREDENTIAL_KEY'), getenv('PAY_VERIFICATION_KEY'));
$dealer = new Vezne\Dealer(getenv('PAY_URL'), getenv('PAY_DEALER_SECRET_KEY'), getenv('PAY_DEALER_API_KEY'));
`, func(t *testing.T, c call) string {
			t.Helper()
			return "$answer = " + through(t, c, c.client("$")+"->"+c.own("camel"), "[\n", "    '%s' => %s", ",\n]", "'") + ";"
		}, phpTest},
		{"js", `import { Dealer, Provider } from 'vezne';

const env = process.env;
const vezne = new Provider({
  baseUrl: env.PAY_URL, apiKey: env.PAY_API_KEY, secretKey: env.PAY_SECRET_KEY, credentialKey: env.PAY_CREDENTIAL_KEY, verificationKey: env.PAY_VERIFICATION_KEY,
});
const dealer = new Dealer({ baseUrl: env.PAY_URL, apiKey: env.PAY_DEALER_API_KEY, secretKey: env.PAY_DEALER_SECRET_KEY });
`, func(t *testing.T, c call) string {
			t.Helper()
			return "const answer = await " + through(t, c, c.client("")+"."+c.own("camel"), "{\n", "  %s: %s", ",\n}", "'") + ";"
		}, jsTest},
		{"python", `from os import environ

import vezne as library

vezne = library.Provider(environ["PAY_URL"], environ["PAY_API_KEY"], environ["PAY_SECRET_KEY"], environ["PAY_CREDENTIAL_KEY"], environ["PAY_VERIFICATION_KEY"])
dealer = library.Dealer(environ["PAY_URL"], environ["PAY_DEALER_SECRET_KEY"], environ["PAY_DEALER_API_KEY"])
`, func(t *testing.T, c call) string {
			t.Helper()
			return "answer = " + through(t, c, c.client("")+"."+c.own("snake"), "{\n", `    "%s": %s`, ",\n}", `"`)
		}, pythonTest},
		{"csharp", `using System;
using Vezne;

Func<string, string> Env = Environment.GetEnvironmentVariable;
var vezne = new Provider(Env("PAY_URL"), Env("PAY_API_KEY"), Env("PAY_SECRET_KEY"), Env("PAY_CREDENTIAL_KEY"), Env("PAY_VERIFICATION_KEY"));
var dealer = new Dealer(Env("PAY_URL"), Env("PAY_DEALER_SECRET_KEY"), Env("PAY_DEALER_API_KEY"));
`, func(t *testing.T, c call) string {
			t.Helper()
			return "var answer = await " + through(t, c, c.client("")+"."+c.own("pascal"), "new Fields\n{\n", `    { "%s", %s }`, ",\n}", `"`) + ";"
		}, csharpTest},
	}
}

// curl writes a call without a library.
func curl(t *testing.T, c call) string {
	t.Helper()
	fields, body := c.shown(t)
	prefix, target := "PAY_", "/api/"+c.api()+"/"+c.path
	if c.api() == "dealer" {
		prefix = "PAY_DEALER_"
	}
	key := ""
	switch c.header {
	case "X-Key":
		key = "$PAY_VERIFICATION_KEY"
	case "X-Credential-Key":
		key = "$PAY_CREDENTIAL_KEY"
	}
	if c.method == "GET" {
		for i, f := range fields {
			target += map[bool]string{true: "?", false: "&"}[i == 0] + f.name + "=" + escape(f.value.(string))
		}
	}
	lines := []string{
		"curl -sS -X " + c.method + ` "$PAY_URL` + target + `"`, `  -H "X-Api-Key: $` + prefix + `API_KEY"`, `  -H "X-Timestamp: $timestamp"`, `  -H "X-Hash: $hash"`,
	}
	if key != "" {
		lines = append(lines, `  -H "`+c.header+": "+key+`"`)
	}
	if c.creates {
		lines = append(lines, "  -H 'Idempotency-Key: "+onceShown+"'")
	}
	if c.method == "POST" {
		lines = append(lines, "  -H 'Content-Type: application/json'")
	}
	if c.method == "POST" && body != "" {
		lines = append(lines, "  -d '"+body+"'")
	}
	return `sign "$` + prefix + "API_KEY$" + prefix + "SECRET_KEY" + key + "\"\n" + strings.Join(lines, " \\\n")
}

// TestTheTypesAreCheckedOnWhatIsShown writes the programs in TypeScript of the pages of calls and libraries where `make console` has a
// compiler look at them.
func TestTheTypesAreCheckedOnWhatIsShown(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile("(?s)```js\n(.*?)```").FindSubmatch(readme)
	if first == nil {
		t.Fatal("README.md shows nothing in TypeScript")
	}
	var every strings.Builder
	for _, l := range languages() {
		if l.fence != "js" {
			continue
		}
		every.WriteString(l.setUp)
		for _, c := range calls() {
			every.WriteString("{\n" + l.write(t, c) + "\n}\n")
		}
		every.WriteString("{\n" + l.test + "}\n")
	}
	receiver := strings.TrimSuffix(strings.TrimPrefix(jsCallback, "\n```js\n"), "```\n")
	for name, text := range map[string]string{"first": string(first[1]), "calls": every.String(), "receiver": receiver} {
		const above = "// Written by Vezne's tests: a program of the documentation, of which the types are checked.\n"
		coretest.CheckGolden(t, "../typescript/check/"+name+".mts", []byte(above+text))
	}
}

// words are what a page of calls says around its programs.
type words struct{ begin, providers, dealers, tests, verify string }

// pagesOfCalls are the page's texts by the file that has it.
var pagesOfCalls = map[string]words{
	"calls.md": {
		begin: `# Calls

Every call of both APIs, in curl and with the [libraries](README.md) for PHP, TypeScript, Python and C#. Vezne's tests write this page, and run
all of it against a demo. The fields of each call are in the reference, at ` + "`/docs/reference`" + ` of a running Vezne, which also has
[a collection for Postman](postman.json) that signs by itself, at ` + "`/docs/postman.json`" + `.

## Set up

A demo has its keys in demo-data/demo.json: those of ` + "`provider`, `sites[0].credential_key` and those of `dealer`" + `; ` + "`PAY_WEBHOOK_SECRET`" + ` below is the
` + "`webhook_secret` of `provider`" + `. Who has taken a library's file alone writes ` + "`./vezne.mjs` in place of `vezne`" + ` in TypeScript. Keep the idempotency
key with your order before you call: see [Idempotency](../docs/guide/idempotency.md#choose-keys).
`,
		providers: "Calls of providers", dealers: "Calls of dealers",
		tests: `
## Test payments

In a test installation, such as a demo, ` + "`test`" + ` in a creating call says what becomes of the payment, and ` + "`test-clock`" + ` has it happen now
([Testing](../docs/guide/testing.md#say-what-happens)). Any other installation refuses both.
`,
		verify: `
## Verify callbacks

A whole receiver in each language. What to do with a callback that is right is in [Callbacks](../docs/guide/callbacks.md#handle-a-callback), and
[the examples](examples/README.md) do it in Laravel, Express, Next.js, Django and ASP.NET Core. ` + "`PAY_WEBHOOK_SECRET`" + ` is your webhook secret, or two with a space
between them while one is replaced. A dealer's callbacks have no ` + "`webhook-signature`" + `: check the hash
([verify_hash](README.md#callbacks)).

In a shell there is no receiver: this checks a callback that was kept, whose body is in callback.json as it came.
`,
	},
	"tr/calls.md": {
		begin: `# Çağrılar

İki API'nin her çağrısı, curl ile ve PHP, TypeScript, Python ve C# [kitaplıklarıyla](README.md). Bu sayfayı Vezne'nin testleri yazar ve hepsini bir demoyla
çalıştırır. Her çağrının alanları, çalışan bir Vezne'de ` + "`/docs/reference`" + ` adresindeki API başvurusundadır; ` + "`/docs/postman.json`" + ` adresinde de kendiliğinden imzalayan
[bir Postman koleksiyonu](../postman.json) vardır.

## Hazırlayın

Bir demonun anahtarları demo-data/demo.json içindedir: ` + "`provider`, `sites[0].credential_key` ve `dealer`" + ` altındakiler; aşağıdaki ` + "`PAY_WEBHOOK_SECRET`" + `,
` + "`provider` altındaki `webhook_secret`" + ` değeridir. Kitaplığın yalnızca dosyasını alan, TypeScript'te ` + "`vezne` yerine `./vezne.mjs`" + ` yazar. Idempotency key'i
çağırmadan önce siparişinizle saklayın: bkz. [Güvenle yineleme](../../docs/guide/tr/idempotency.md#anahtarları-seçin).
`,
		providers: "Sağlayıcıların çağrıları", dealers: "Bayilerin çağrıları",
		tests: `
## Test ödemeleri

Demo gibi bir test kurulumunda, oluşturan bir çağrıdaki ` + "`test`" + ` ödemeye ne olacağını söyler; ` + "`test-clock`" + ` onun hemen olmasını sağlar
([Test](../../docs/guide/tr/testing.md#ne-olacağını-söyleyin)). Başka her kurulum ikisini de reddeder.
`,
		verify: `
## Bildirimleri doğrulayın

Her dilde bütün bir alıcı. Doğru bir bildirimle ne yapılacağı [Bildirimler](../../docs/guide/tr/callbacks.md#bir-bildirimi-işleyin) sayfasındadır;
[örnekler](../examples/tr/README.md) bunu Laravel, Express, Next.js, Django ve ASP.NET Core'da yapar. ` + "`PAY_WEBHOOK_SECRET`" + ` webhook secret'ınızdır; biri
değiştirilirken, aralarında bir boşlukla iki tanedir. Bir bayinin bildirimlerinde ` + "`webhook-signature`" + ` yoktur: hash'i doğrulayın
([verify_hash](README.md#bildirimler)).

Kabukta alıcı yoktur: bu, gövdesi geldiği gibi callback.json içinde duran, saklanmış bir bildirimi doğrular.
`,
	},
}

// TestEveryCallIsShownInEveryLanguage writes the pages of calls, in English and Turkish, whose programs the end-to-end tests run.
func TestEveryCallIsShownInEveryLanguage(t *testing.T) {
	t.Parallel()
	for file, say := range pagesOfCalls {
		coretest.CheckGolden(t, "../"+file, []byte(pageOfCalls(t, say)))
	}
}

func pageOfCalls(t *testing.T, say words) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(say.begin)
	block := func(fence, text string) { fmt.Fprintf(&b, "\n```%s\n%s\n```\n", fence, strings.TrimSpace(text)) }
	for _, l := range languages() {
		block(l.fence, l.setUp)
	}
	api := ""
	for _, c := range calls() {
		name := c.name
		if c.api() == "dealer" {
			name = "dealer-" + name
		}
		if c.api() != api {
			api = c.api()
			fmt.Fprintf(&b, "\n## %s\n", map[string]string{"provider": say.providers, "dealer": say.dealers}[api])
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s: `%s /api/%s/%s`\n", name, c.clause, c.method, c.api(), c.path)
		for _, l := range languages() {
			block(l.fence, l.write(t, c))
		}
	}
	b.WriteString(say.tests)
	for _, l := range languages() {
		block(l.fence, l.test)
	}
	b.WriteString(say.verify)
	for _, text := range []string{shCallback, phpCallback, jsCallback, pythonCallback, csharpCallback} {
		b.WriteString(text)
	}
	return b.String()
}

const shTest = `sign "$PAY_API_KEY$PAY_SECRET_KEY$PAY_CREDENTIAL_KEY"
code=$(curl -sS -X POST "$PAY_URL/api/provider/start-manual-deposit" \
  -H "X-Api-Key: $PAY_API_KEY" \
  -H "X-Timestamp: $timestamp" \
  -H "X-Hash: $hash" \
  -H "X-Credential-Key: $PAY_CREDENTIAL_KEY" \
  -H 'Idempotency-Key: order-4711-2' \
  -H 'Content-Type: application/json' \
  -d '{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":"250.00","test":{"outcome":"completed","amount":"200.00","after":3600}}' |
  sed 's/.*"tracking_code":"\([^"]*\)".*/\1/')
sign "$PAY_API_KEY$PAY_SECRET_KEY"
curl -sS -X POST "$PAY_URL/api/provider/test-clock" \
  -H "X-Api-Key: $PAY_API_KEY" \
  -H "X-Timestamp: $timestamp" \
  -H "X-Hash: $hash" \
  -H 'Content-Type: application/json' \
  -d '{"tracking_code":"'"$code"'","seconds":3600}'
`

const phpTest = `$made = $vezne->startManualDeposit([
    'fullname' => 'Ayşe Yılmaz',
    'username' => 'ayse.yilmaz',
    'user_id' => 'u-1001',
    'amount' => '250.00',
    'test' => ['outcome' => 'completed', 'amount' => '200.00', 'after' => 3600],
], 'order-4711-2');
$answer = $vezne->testClock(['tracking_code' => $made['data']['tracking_code'], 'seconds' => 3600]);
`

const jsTest = `const made = await vezne.startManualDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  test: { outcome: 'completed', amount: '200.00', after: 3600 },
}, 'order-4711-2');
const answer = await vezne.testClock({ tracking_code: made.fields.data.tracking_code, seconds: 3600 });
`

const pythonTest = `made = vezne.start_manual_deposit({
    "fullname": "Ayşe Yılmaz",
    "username": "ayse.yilmaz",
    "user_id": "u-1001",
    "amount": "250.00",
    "test": {"outcome": "completed", "amount": "200.00", "after": 3600},
}, "order-4711-2")
answer = vezne.test_clock({"tracking_code": made["data"]["tracking_code"], "seconds": 3600})
`

const csharpTest = `var made = await vezne.StartManualDeposit(new Fields
{
    { "fullname", "Ayşe Yılmaz" },
    { "username", "ayse.yilmaz" },
    { "user_id", "u-1001" },
    { "amount", "250.00" },
    { "test", new Fields { { "outcome", "completed" }, { "amount", "200.00" }, { "after", 3600 } } },
}, "order-4711-2");
var answer = await vezne.TestClock(new Fields
{
    { "tracking_code", made.Fields.Object("data").Text("tracking_code") },
    { "seconds", 3600 },
});
`

const shCallback = "\n```sh\n" + `# webhook_id, webhook_timestamp and webhook_signature are the callback's headers of these names.
key=$(printf %s "${PAY_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
want="v1,$({ printf %s "$webhook_id.$webhook_timestamp."; cat callback.json; } | openssl dgst -sha256 -mac HMAC -macopt hexkey:"$key" -binary | base64)"
case " $webhook_signature " in *" $want "*) echo right ;; *) echo wrong && exit 1 ;; esac
` + "```\n"

const phpCallback = "\n```php\n" + `<?php
require 'Vezne.php'; // php -S 127.0.0.1:3000 callback.php

$body = file_get_contents('php://input'); // the bytes as they came
$checked = Vezne\verify_callback(getallheaders(), $body, explode(' ', getenv('PAY_WEBHOOK_SECRET')));
if (!$checked->ok) {
    error_log("callback refused: {$checked->reason}");
    http_response_code(401);
    exit;
}
['tracking_code' => $code, 'status' => $status, 'amount' => $amount, 'sequence' => $sequence] = $checked->event;
// Keep it, unless this sequence of this tracking code, or a higher one, was kept before. Only then answer 200.
echo json_encode(['success' => true]);
` + "```\n"

const jsCallback = "\n```js\n" + `import { createServer } from 'node:http';
import { verifyCallback } from 'vezne';

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part); // the bytes as they came
  const checked = verifyCallback(request.headers, Buffer.concat(parts), (process.env.PAY_WEBHOOK_SECRET ?? '').split(' '));
  if (!checked.ok) {
    console.error('callback refused:', checked.reason);
    return response.writeHead(401).end();
  }
  const { tracking_code, status, amount, sequence } = checked.event;
  // Keep it, unless this sequence of this tracking code, or a higher one, was kept before. Only then answer 200.
  response.end(JSON.stringify({ success: true }));
}).listen(3000, '127.0.0.1');
` + "```\n"

const pythonCallback = "\n```python\n" + `from http.server import BaseHTTPRequestHandler, HTTPServer
from os import environ

import vezne as library


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))  # the bytes as they came
        checked = library.verify_callback(self.headers, body, environ["PAY_WEBHOOK_SECRET"].split(" "))
        if not checked:
            self.send_error(401, "callback refused: " + checked.reason)
            return
        code, status, amount, sequence = (checked.event[name] for name in ("tracking_code", "status", "amount", "sequence"))
        # Keep it, unless this sequence of this tracking code, or a higher one, was kept before. Only then answer 200.
        self.send_response(200)
        self.end_headers()


HTTPServer(("127.0.0.1", 3000), Receiver).serve_forever()
` + "```\n"

const csharpCallback = "\n```csharp\n" + `using System;
using System.IO;
using System.Linq;
using System.Net;
using Vezne;

var listener = new HttpListener();
listener.Prefixes.Add("http://127.0.0.1:3000/");
listener.Start();
while (true)
{
    var context = listener.GetContext();
    var body = new MemoryStream();
    context.Request.InputStream.CopyTo(body); // the bytes as they came
    var headers = context.Request.Headers.AllKeys.ToDictionary(name => name, name => context.Request.Headers[name]);
    var check = Webhook.Verify(headers, body.ToArray(), Environment.GetEnvironmentVariable("PAY_WEBHOOK_SECRET").Split(' '));
    if (check.IsOk)
    {
        string code = check.Event.Text("tracking_code"), status = check.Event.Text("status"), amount = check.Event.Text("amount");
        var sequence = check.Event["sequence"];
        // Keep it, unless this sequence of this tracking code, or a higher one, was kept before. Only then answer 200.
    }
    else
    {
        Console.Error.WriteLine("callback refused: " + check.Reason);
        context.Response.StatusCode = 401;
    }
    context.Response.Close();
}
` + "```\n"

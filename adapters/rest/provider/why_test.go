package provider_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/resttest"
)

// TestAClassicMistakeIsAnsweredByWhatToChange: the contract's error text stays; the message says which header, which formula, how far
// off, which byte.
func TestAClassicMistakeIsAnsweredByWhatToChange(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	deposit := func() resttest.Request {
		return s.call("/start-manual-deposit", depositBody).With("Accept-Language", "en")
	}
	sent := func(body string) resttest.Request {
		return s.call("/start-manual-deposit", body).With("Accept-Language", "en")
	}
	at := func(stamp string) resttest.Request { return deposit().With("X-Timestamp", stamp) }
	keys := func(name, value string) resttest.Request { return deposit().With(name, value) }
	for name, tt := range map[string]struct {
		request resttest.Request
		status  int
		text    string
		says    []string
	}{
		"no hash":               {keys("X-Hash", ""), 401, "Missing required headers", []string{"Missing from this request: X-Hash."}},
		"no key and no time":    {keys("X-Api-Key", "").With("X-Timestamp", ""), 401, "Missing required headers", []string{": X-Api-Key, X-Timestamp."}},
		"clock behind":          {at(strconv.FormatInt(now-371, 10)), 401, "Request timestamp expired", []string{"371 seconds behind", strconv.FormatInt(now, 10)}},
		"clock ahead":           {at(strconv.FormatInt(now+10800, 10)), 401, "Request timestamp expired", []string{"10800 seconds ahead"}},
		"milliseconds":          {at(strconv.FormatInt(now*1000, 10)), 401, "Request timestamp expired", []string{"milliseconds", strconv.FormatInt(now, 10)}},
		"a date":                {at("2026-03-02T12:00:00Z"), 401, "Request timestamp expired", []string{"digits only"}},
		"wrong secret or order": {keys("X-Hash", strings.Repeat("0", 64)), 401, "Invalid hash", []string{"<API_KEY> + <SECRET_KEY> + X-Credential-Key + X-Timestamp"}},
		"base64 hash":           {keys("X-Hash", "q83vEjRWeJA="), 401, "Invalid hash", []string{"64 hex digits", "12 characters"}},
		"no credential key":     {keys("X-Credential-Key", ""), 401, "Invalid hash", []string{"no X-Credential-Key header"}},
		"form body":             {sent("fullname=Ay%C5%9Fe&amount=250"), 400, "Invalid JSON", []string{"form data"}},
		"no body":               {sent(""), 400, "Invalid JSON", []string{"empty"}},
		"byte order mark":       {sent("\xef\xbb\xbf" + depositBody), 400, "Invalid JSON", []string{"byte order mark"}},
		"Latin-5":               {sent("{\"fullname\":\"Ay\xfee\"}"), 400, "Invalid JSON", []string{"Byte 15", "not UTF-8"}},
		"UTF-16":                {sent("{\x00\"\x00"), 400, "Invalid JSON", []string{"UTF-16"}},
		"gzip":                  {sent("\x1f\x8b\x08\x00"), 400, "Invalid JSON", []string{"gzip"}},
		"encoded twice":         {sent(strconv.Quote(`{"amount":1}`)), 400, "Invalid JSON", []string{"no object"}},
		"a list":                {sent("[" + depositBody + "]"), 400, "Invalid JSON", []string{"no object"}},
		"NaN":                   {sent(`{"amount":NaN}`), 400, "Invalid JSON", []string{"At byte 10", "NaN"}},
		"single quotes":         {sent(`{'amount':1}`), 400, "Invalid JSON", []string{"single quote"}},
		"a name twice":          {sent(`{"amount":1,"amount":2}`), 400, "Invalid JSON", []string{"name at byte 12"}},
		"cut off":               {sent(`{"amount":1`), 400, "Invalid JSON", []string{"ends after 11 bytes"}},
		"two objects":           {sent(depositBody + `{}`), 400, "Invalid JSON", []string{"data after the object"}},
		"a comma too many":      {sent(`{"amount":1,}`), 400, "Invalid JSON", []string{"at byte"}},
		"a float":               {sent(strings.Replace(depositBody, "250.00", "250.00000000000003", 1)), 422, "Validation failed", []string{"at most 2 decimals", `{"field":"amount","code":"decimals"}`}},
		"a decimal comma":       {sent(strings.Replace(depositBody, "250.00", `"250,00"`, 1)), 422, "Validation failed", []string{"written as 250.00", `{"field":"amount","code":"number"}`}},
		"an API key in quotes":  {keys("X-Api-Key", `"vzp_0123456789abcdef"`), 401, "Invalid API key", []string{"begin with vzp_"}},
		"an unknown API key":    {keys("X-Api-Key", "vzp_unknown"), 401, "Invalid API key", []string{`"The API key is not known."`}},
		"a key with a space":    {keys("Idempotency-Key", "order 42"), 422, "Validation failed", []string{"no spaces"}},
	} {
		got := s.Send(t, tt.request)
		got.Want(t, tt.status, tt.text)
		for _, part := range tt.says {
			if !strings.Contains(got.Body, part) {
				t.Errorf("%s: the answer does not say %q: %s", name, part, got.Body)
			}
		}
	}
}

// TestAWrongVerificationKeyIsNotTakenForAWrongHash: who signs rightly is told that it is X-Key.
func TestAWrongVerificationKeyIsNotTakenForAWrongHash(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := resttest.Request{Method: http.MethodPost, Path: "/sites", KeyHeader: "X-Key"}.
		SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), "vzv_mistaken", s.Clock.Now().Unix()).With("Accept-Language", "en")
	got := s.Send(t, r)
	if got.Want(t, 401, "Invalid hash"); !strings.Contains(got.Body, "X-Key is not your verification key") {
		t.Error(got.Body)
	}
	got = s.Send(t, r.With("X-Hash", strings.Repeat("0", 64)))
	if got.Want(t, 401, "Invalid hash"); strings.Contains(got.Body, "X-Key is not") || !strings.Contains(got.Body, "+ X-Key + X-Timestamp") {
		t.Errorf("whoever has no secret key is told about X-Key: %s", got.Body)
	}
	got = s.Send(t, r.With("X-Key", ""))
	if got.Want(t, 401, "Missing required headers"); !strings.Contains(got.Body, "Missing from this request: X-Key.") {
		t.Error(got.Body)
	}
}

// TestAReencodedBodyIsTold: the server says which bytes it has got.
func TestAReencodedBodyIsTold(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.Whole(s.call("/start-manual-deposit", depositBody).With("Accept-Language", "en"), s.Provider.SecretKey.Reveal(), "0123456789abcdef")
	r.Body = strings.ReplaceAll(r.Body, ":", ": ")
	got := s.Send(t, r)
	got.Want(t, 401, "Invalid signature")
	if !strings.Contains(got.Body, "POST /api/provider/start-manual-deposit") || !strings.Contains(got.Body, strconv.Itoa(len(r.Body))+" bytes") {
		t.Error(got.Body)
	}
}

package provider_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/resttest"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	const (
		required = "The amount field is required."
		number   = "The amount field must be a number written as 250.00: with a point, without thousands separators and currency."
		decimals = "The amount field may have at most 2 decimals."
		low      = "The amount field must be at least 1.00."
		high     = "The amount field may be at most 999999999.99."
	)
	for _, tt := range []struct{ sent, want string }{
		{"1", "1.00"}, {"1.0", "1.00"}, {"1.5", "1.50"}, {"250.00", "250.00"}, {"2.5e2", "250.00"}, {"25000E-2", "250.00"},
		{"999999999.99", "999999999.99"}, {`"250"`, "250.00"}, {`"250.5"`, "250.50"}, {`" 250.00 "`, "250.00"},
		{`"\u0032\u0035\u0030"`, "250.00"}, {"0.1e1", "1.00"}, {"1e0", "1.00"}, {"1e+2", "100.00"},
		{"null", required}, {`""`, required}, {`"  "`, required},
		{"0", low}, {"0.99", low}, {"-1", low}, {"-0", low}, {"-250.00", low}, {`"0.5"`, low}, {"-999999999.99", low},
		{"1.001", decimals}, {"100.000", decimals}, {"1.009", decimals}, {"1e-3", decimals}, {`"1.001"`, decimals},
		{"1000000000", high}, {"999999999.995", decimals}, {"1e12", high}, {"1e999999999", high}, {"1e-999999999", decimals},
		{"-1e999999999", high}, {strings.Repeat("9", 10_000), high}, {"0." + strings.Repeat("0", 10_000) + "1", high},
		{"1" + strings.Repeat("0", 60_000), high}, {"1e" + strings.Repeat("9", 10_000), high}, {`"` + strings.Repeat("9", 10_000) + `"`, high},
		{"true", number}, {"{}", number}, {"[250]", number}, {`"abc"`, number}, {`"2,50"`, number}, {`"1e3"`, number},
		{`"+5"`, number}, {`"0x10"`, number}, {`"NaN"`, number}, {`"Infinity"`, number}, {`"1_000"`, number}, {`"٢٥٠"`, number},
		{`"1\u00002"`, number}, {`"250 TL"`, number}, {`"."`, number}, {`"1."`, number}, {`"--1"`, number},
	} {
		t.Run(fmt.Sprintf("%.20s", tt.sent), func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			got := s.Send(t, s.call("/start-manual-deposit", strings.Replace(depositBody, "250.00", tt.sent, 1)))
			if strings.HasPrefix(tt.want, "The") {
				got.WantMessages(t, tt.want)
				return
			}
			if got.Want(t, 200, ""); !strings.Contains(got.Body, `"amount":`+tt.want+`,`) {
				t.Errorf("want %s, got %s", tt.want, got.Body)
			}
			if p := s.Payments(t)[0]; p.Amount.String() != tt.want || p.RequestedAmount != p.Amount {
				t.Errorf("want %s, stored %s of %s", tt.want, p.Amount, p.RequestedAmount)
			}
		})
	}
}

func TestIBANs(t *testing.T) {
	t.Parallel()
	const (
		required = "The iban field is required."
		length   = "The iban field must be 15 to 34 characters long."
		letters  = "The iban field may contain only letters and digits."
		kind     = "The iban field must be a string."
		wrong    = "The iban field must be a valid IBAN."
		good     = "TR330006100519786457841326"
	)
	for _, tt := range []struct{ sent, loose, strict string }{
		{`"TR330006100519786457841326"`, good, good},
		{`"tr33 0006 1005 1978 6457 8413 26"`, good, good},
		{`"\tTR33 0006\u00a01005 1978 6457 8413 26\n"`, good, good},
		{`"TR340006100519786457841326"`, "TR340006100519786457841326", wrong},
		{`"123456789012345"`, "123456789012345", wrong},
		{`"ABCDEFGHIJKLMNOPQRSTUVWXYZ12345678"`, "ABCDEFGHIJKLMNOPQRSTUVWXYZ12345678", wrong},
		{`"NO9386011117947"`, "NO9386011117947", "NO9386011117947"}, // 15, the shortest
		{`"MT84MALT011000012345MTLCAST001S"`, "MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001S"},
		{`"12345678901234"`, length, length},
		{`"ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789"`, length, length},
		{`"` + strings.Repeat("A", 60_000) + `"`, length, length},
		{`"TR33-0006-1005-1978-6457-8413-26"`, letters, letters},
		{`"TR33000610051978645784132ü"`, letters, letters},
		{`"TR33\u0000006100519786457841326"`, letters, letters},
		{"null", required, required}, {`""`, required, required}, {`"   "`, required, required},
		{"123456789012345", kind, kind}, {"true", kind, kind}, {"[]", kind, kind},
	} {
		for _, path := range []string{"/start-manual-withdraw", "/start-eiban-withdraw", bank} {
			t.Run(fmt.Sprintf("%s/%.20s", path[1:], tt.sent), func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				s.sendsIBAN(t, path, tt.sent, tt.loose, tt.strict == wrong)
				s.changeSite(t, func(x *owner.Site) { x.IsIBANStrict = true })
				s.sendsIBAN(t, path, tt.sent, tt.strict, false)
			})
		}
	}
}

// sendsIBAN sends an IBAN, of which want is what is stored or said.
func (s *server) sendsIBAN(t *testing.T, path, sent, want string, isSuspect bool) {
	t.Helper()
	before := len(s.Payments(t))
	got := s.Send(t, s.call(path, strings.Replace(creating[path], `"TR33 0006 1005 1978 6457 8413 26"`, sent, 1)))
	if strings.HasPrefix(want, "The") {
		got.WantMessages(t, want)
		return
	}
	if got.Want(t, 200, ""); strings.Contains(got.Body, `"iban":`) && !strings.Contains(got.Body, `"iban":"`+want+`"`) {
		t.Errorf("want %s, got %s", want, got.Body)
	}
	if strings.Contains(got.Body, `"warnings":[{"field":"iban","code":"iban","message":"`) != isSuspect || strings.Contains(got.Body, "warnings") != isSuspect {
		t.Errorf("suspect %t: got %s", isSuspect, got.Body)
	}
	made := s.Payments(t)
	if p := made[0]; len(made) != before+1 || p.IBAN != want || p.IsIBANSuspect != isSuspect {
		t.Errorf("stored %s, suspect %t", p.IBAN, p.IsIBANSuspect)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	turkish := func(n int) string { return strings.Repeat("ş", n) }
	for _, tt := range []struct{ sent, stored, failed string }{
		{`"Ayşe"`, "Ayşe", ""}, {`"  Ayşe \t\n"`, "Ayşe", ""}, {`"\u00a0Ayşe\u3000"`, "Ayşe", ""}, {`"0"`, "0", ""},
		{`"` + turkish(191) + `"`, turkish(191), ""}, {`"  ` + turkish(191) + `  "`, turkish(191), ""}, {`"👩\u200d🍳"`, "👩\u200d🍳", ""}, {`"a\u202eb"`, "", "contains invalid characters."},
		{`"` + turkish(192) + `"`, "", "may have at most 191 characters."}, {`"` + strings.Repeat("x", 60_000) + `"`, "", "may have at most 191 characters."},
		{`"a\u0000b"`, "", "contains invalid characters."}, {`"a\nb"`, "", "contains invalid characters."}, {`"\u0085a"`, "a", ""},
		{`"a\u009fb"`, "", "contains invalid characters."}, {`"a\u007f"`, "", "contains invalid characters."}, {`"\u0000"`, "", "contains invalid characters."},
		{"null", "", "is required."}, {`""`, "", "is required."}, {`" \r\n "`, "", "is required."},
		{"true", "", "must be a string."}, {"{}", "", "must be a string."}, {`["a"]`, "", "must be a string."},
	} {
		for i, field := range []string{"fullname", "username", "user_id"} {
			t.Run(fmt.Sprintf("%s/%.20s", field, tt.sent), func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				values := []string{`"Ayşe Yılmaz"`, `"ayse.yilmaz"`, `"u-1001"`}
				values[i] = tt.sent
				body := fmt.Sprintf(`{"fullname":%s,"username":%s,"user_id":%s,"amount":1}`, values[0], values[1], values[2])
				got := s.Send(t, s.call("/start-manual-deposit", body))
				if tt.failed != "" {
					got.WantMessages(t, "The "+field+" field "+tt.failed)
					return
				}
				got.Want(t, 200, "")
				c := s.Payments(t)[0].Customer
				if stored := []string{c.Fullname, c.Username, c.UserID}[i]; stored != tt.stored {
					t.Errorf("want %q, stored %q", tt.stored, stored)
				}
			})
		}
	}
}

func TestUserIDs(t *testing.T) {
	t.Parallel()
	const kind = "The user_id field must be a string."
	for _, tt := range []struct{ sent, want string }{
		{"12345", "12345"}, {"0", "0"}, {"12345678901234567890123", "12345678901234567890123"}, {strings.Repeat("7", 191), strings.Repeat("7", 191)},
		{strings.Repeat("7", 192), "The user_id field may have at most 191 characters."},
		{strings.Repeat("7", 10_000), "The user_id field may have at most 191 characters."},
		{"1.5", kind}, {"1e3", kind}, {"1e999999999", kind}, {"-5", kind}, {"true", kind}, {"false", kind},
	} {
		s := newServer(t)
		got := s.Send(t, s.call("/start-eiban-deposit", strings.Replace(depositBody, `"u-1001"`, tt.sent, 1)))
		if strings.HasPrefix(tt.want, "The") {
			got.WantMessages(t, tt.want)
			continue
		}
		if got.Want(t, 200, ""); !strings.Contains(got.Body, `"user_id":"`+tt.want+`"`) {
			t.Errorf("%.20s: got %s", tt.sent, got.Body)
		}
	}
	s := newServer(t)
	for _, field := range []string{"fullname", "username"} {
		body := strings.Replace(depositBody, `"`+field+`":"`, `"`+field+`":7,"x":"`, 1)
		s.Send(t, s.call("/start-manual-deposit", body)).WantMessages(t, "The "+field+" field must be a string.")
	}
}

func TestAllFieldsAreCheckedInOneGo(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	messages := map[string][]string{
		"/start-manual-deposit":  {"fullname", "username", "user_id", "amount"},
		"/start-manual-withdraw": {"fullname", "username", "user_id", "iban", "amount"},
		"/start-eiban-deposit":   {"user_id", "username", "fullname", "amount"},
		"/start-eiban-withdraw":  {"user_id", "username", "fullname", "iban", "amount"},

		card:                                {"username", "user_id", "firstname", "lastname", "email", "phone", "amount"},
		"/third-party/bank/start-deposit":   {"user_id", "username", "fullname", "amount"},
		bank:                                {"user_id", "username", "fullname", "amount", "gateway_id", "iban"},
		"/third-party/crypto/start-deposit": {"user_id", "username", "fullname", "amount"},
		crypto:                              {"user_id", "username", "fullname", "amount", "gateway_id", "crypto_type", "wallet_address"},
		"/third-party/wallet/start-deposit": {"user_id", "username", "fullname", "amount"},
		wallet:                              {"user_id", "username", "fullname", "amount", "gateway_id", "wallet_number"},
		cardStatus:                          {"tracking_code"},
	}
	for path := range creating {
		if messages[path] == nil {
			t.Errorf("nobody knows the fields of %s", path)
		}
	}
	for path, fields := range messages {
		var want []string
		for _, field := range fields {
			want = append(want, "The "+field+" field is required.")
		}
		s.Send(t, s.call(path, `{"credential_key":"{{key}}"}`)).WantMessages(t, want...)
	}
}

// TestAmountsOfEveryMethod: what TestAmounts holds for one endpoint, in short for all.
func TestAmountsOfEveryMethod(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			for sent, want := range map[string]string{
				`"250.5"`: "250.50", "2.5e2": "250.00", "0.99": "The amount field must be at least 1.00.", `"abc"`: "The amount field must be a number written as 250.00: with a point, without thousands separators and currency.",
				"250.005": "The amount field may have at most 2 decimals.", "1e999999999": "The amount field may be at most 999999999.99.",
			} {
				got := s.Send(t, s.call(path, strings.Replace(body, "250.00", sent, 1)))
				if strings.HasPrefix(want, "The") {
					got.WantMessages(t, want)
				} else if got.Want(t, 200, ""); !strings.Contains(got.Body, `"amount":`+want+`,`) {
					t.Errorf("want %s, got %s", want, got.Body)
				}
			}
		})
	}
}

// TestWhatNobodySees: names are taken without it, and what customers are known by is refused with it, on every endpoint.
func TestWhatNobodySees(t *testing.T) {
	t.Parallel()
	all := strings.Join(texttest.Hidden, "")
	isExact := map[string]bool{"username": true, "user_id": true, "userid": true}
	for path, body := range creating {
		for _, name := range []string{"fullname", "username", "user_id", "firstname", "lastname", "description", "recipient_name", "account_holder"} {
			before := regexp.MustCompile(`"` + name + `":"([^"]+)"`).FindStringSubmatch(body)
			if before == nil {
				continue
			}
			t.Run(path+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				first, size := utf8.DecodeRuneInString(before[1])
				send := func(between string) resttest.Answer {
					return s.Send(t, s.call(path, strings.Replace(body, before[0], `"`+name+`":"`+string(first)+between+before[1][size:]+`"`, 1)))
				}
				got := send(all)
				if isExact[name] {
					got.WantMessages(t, "The "+name+" field contains invalid characters.")
				} else {
					got.Want(t, 200, "")
					if kept := fmt.Sprintf("%+v", s.Payments(t)[0]); !strings.Contains(kept, before[1]) {
						t.Errorf("it is not as it was: %+q", kept)
					}
				}
				send("\u202e").WantMessages(t, "The "+name+" field contains invalid characters.")
			})
		}
	}
}

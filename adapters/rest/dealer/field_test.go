package dealer_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/resttest"
)

// TestAmounts: what every endpoint takes, and in which form it gives it back.
func TestAmounts(t *testing.T) {
	t.Parallel()
	const (
		required = "The amount field is required."
		number   = "The amount field must be a number written as 250.00: with a point, without thousands separators and currency."
		decimals = "The amount field may have at most 2 decimals."
		high     = "The amount field may be at most 999999999.99."
	)
	for path, body := range creating {
		for _, tt := range []struct{ sent, want string }{
			{"300", "300.00"}, {"300.5", "300.50"}, {"3e2", "300.00"}, {`"300.05"`, "300.05"}, {`" 300 "`, "300.00"},
			{"null", required}, {`""`, required}, {`"  "`, required},
			{"300.001", decimals}, {"300.000", decimals}, {`"300.001"`, decimals}, {"1e-999999999", decimals},
			{"1000000000", high}, {"1e999999999", high}, {"-1e999999999", high}, {strings.Repeat("9", 10_000), high},
			{`"` + strings.Repeat("9", 10_000) + `"`, high},
			{"true", number}, {"{}", number}, {"[300]", number}, {`"abc"`, number}, {`"3,00"`, number}, {`"1e3"`, number}, {`"NaN"`, number},
		} {
			t.Run(fmt.Sprintf("%s/%.20s", path[1:], tt.sent), func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				got := s.Send(t, s.call(path, strings.Replace(body, "250.00", tt.sent, 1)))
				if strings.HasPrefix(tt.want, "The") {
					got.WantMessages(t, tt.want)
					return
				}
				want := `"amount":` + tt.want
				if path == send {
					want = `"amount":"` + tt.want + `"`
				}
				if got.Want(t, 200, ""); !strings.Contains(got.Body, want) {
					t.Errorf("want %s, got %s", want, got.Body)
				}
				if p := s.Payments(t)[0]; p.Amount.String() != tt.want || p.RequestedAmount != p.Amount {
					t.Errorf("want %s, stored %s of %s", tt.want, p.Amount, p.RequestedAmount)
				}
			})
		}
	}
}

// TestNoFieldIsIgnoredUnnoticed: what the provider API's tests show holds for dealers, too, whose customer's id is userid.
func TestNoFieldIsIgnoredUnnoticed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		sent := strings.TrimSuffix(body, "}") + `,"currency":"EUR","order_id":"4711","user_id":"u-1","meta":{}}`
		got := s.Send(t, s.call(path, sent))
		want := `"warnings":[{"field":"currency","code":"currency","message":"Amounts are in Turkish lira: currency was ignored, and the amount was taken as lira."},` +
			`{"field":"order_id","code":"ignored","message":"This call has no field order_id: it was ignored. Send reference."},` +
			`{"field":"user_id","code":"ignored","message":"This call has no field user_id: it was ignored."}]`
		if got.Want(t, 200, ""); !strings.Contains(got.Body, want) {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
}

// TestLeastAmounts: 1 for D2 and D3, 200 for D8, and 10 for D6, which has an error of its own.
func TestLeastAmounts(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, least := range map[string]int64{deposit: 100, withdraw: 100, card: 200_00, send: 10_00} {
		for _, minor := range []int64{least, least - 1, 1, 0, -1, -99_999_999_999} {
			amount := fmt.Sprintf("%d.%02d", minor/100, max(minor, -minor)%100)
			if minor == -1 {
				amount = "-0.01"
			}
			got := s.Send(t, s.call(path, strings.Replace(creating[path], "250.00", amount, 1)))
			switch {
			case minor == least:
				got.Want(t, 200, "")
			case path == send:
				got.WantCode(t, 422, "MIN_AMOUNT_ERROR")
			default:
				got.WantMessages(t, fmt.Sprintf("The amount field must be at least %d.00.", least/100))
			}
		}
	}
}

// TestIBANs: the check digits and the country's length count. D3 says so as of any field, D6 with its own error.
func TestIBANs(t *testing.T) {
	t.Parallel()
	const (
		required = "The recipient_iban field is required."
		length   = "The recipient_iban field must be 15 to 34 characters long."
		letters  = "The recipient_iban field may contain only letters and digits."
		kind     = "The recipient_iban field must be a string."
		wrong    = "The recipient_iban field must be a valid IBAN."
		good     = "TR330006100519786457841326"
	)
	for _, tt := range []struct{ sent, want string }{
		{`"TR330006100519786457841326"`, good}, {`"tr33 0006 1005 1978 6457 8413 26"`, good},
		{`"\tTR33 0006\u00a01005 1978 6457 8413 26\n"`, good}, {`"NO9386011117947"`, "NO9386011117947"},
		{`"TR340006100519786457841326"`, wrong}, {`"123456789012345"`, wrong}, {`"TR3300061005197864578413260"`, wrong},
		{`"XX82WEST12345698765432"`, wrong},
		{`"12345678901234"`, length}, {`"` + strings.Repeat("A", 60_000) + `"`, length},
		{`"TR33-0006-1005-1978-6457-8413-26"`, letters}, {`"TR33\u0000006100519786457841326"`, letters},
		{"null", required}, {`""`, required}, {`"   "`, required}, {"123456789012345", kind}, {"true", kind}, {"[]", kind},
	} {
		for _, path := range []string{withdraw, send} {
			t.Run(fmt.Sprintf("%s/%.20s", path[1:], tt.sent), func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				got := s.Send(t, s.call(path, strings.Replace(creating[path], `"TR33 0006 1005 1978 6457 8413 26"`, tt.sent, 1)))
				isField := tt.want == required || tt.want == kind
				switch {
				case !strings.HasPrefix(tt.want, "The"):
					if got.Want(t, 200, ""); !strings.Contains(got.Body, `"recipient_iban":"`+tt.want+`"`) || s.Payments(t)[0].IBAN != tt.want {
						t.Errorf("want %s, got %s", tt.want, got.Body)
					}
				case path == send && !isField:
					got.WantCode(t, 422, "INVALID_IBAN")
				default:
					got.WantMessages(t, tt.want)
				}
			})
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	fields := map[string][]string{
		deposit: {"username", "userid", "fullname"}, withdraw: {"username", "userid", "recipient_name"},
		send: {"recipient_name"}, card: {"username", "firstname", "lastname"},
	}
	long := strings.Repeat("ş", 191)
	for path, names := range fields {
		for _, name := range names {
			for sent, failed := range map[string]string{
				`" Ayşe "`: "", `"` + long + `"`: "", `"` + long + `ş"`: "may have at most 191 characters.",
				`"a\u0000b"`: "contains invalid characters.", `"a\nb"`: "contains invalid characters.", `" \r\n "`: "is required.",
				"null": "is required.", "true": "must be a string.", `["a"]`: "must be a string.",
			} {
				s := newServer(t)
				body := strings.Replace(creating[path], `"`+name+`":"`, `"`+name+`":`+sent+`,"x":"`, 1)
				got := s.Send(t, s.call(path, body))
				if failed != "" {
					got.WantMessages(t, "The "+name+" field "+failed)
				} else {
					got.Want(t, 200, "")
				}
			}
		}
	}
	s := newServer(t)
	s.Send(t, s.call(deposit, strings.Replace(depositBody, `"u-1001"`, "12345678901234567890123", 1))).Want(t, 200, "")
	s.Send(t, s.call(deposit, strings.Replace(depositBody, `"u-1001"`, "1.5", 1))).WantMessages(t, "The userid field must be a string.")
}

// TestDescriptions are optional and bounded.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	for path, given := range map[string]string{send: `"Fatura 42"`, card: `"Sipariş 42"`} {
		for sent, failed := range map[string]string{
			"null": "", `""`: "", `"  "`: "", `"` + strings.Repeat("ş", 500) + `"`: "",
			`"` + strings.Repeat("ş", 501) + `"`: "The description field may have at most 500 characters.",
			"7":                                  "The description field must be a string.", `"a\tb"`: "The description field contains invalid characters.",
		} {
			s := newServer(t)
			got := s.Send(t, s.call(path, strings.Replace(creating[path], given, sent, 1)))
			if failed != "" {
				got.WantMessages(t, failed)
			} else {
				got.Want(t, 200, "")
			}
		}
	}
}

// TestCardFields: email and phone of D8.
func TestCardFields(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for sent, want := range map[string]string{
		`"ayse@example.com"`: "", `"ayse"`: "The email field must be an email address.", `"a b@c.d"`: "The email field must be an email address.",
	} {
		got := s.Send(t, s.call(card, strings.Replace(cardBody, `"ayse@example.com"`, sent, 1)))
		if want == "" {
			got.Want(t, 200, "")
		} else {
			got.WantMessages(t, want)
		}
	}
	for sent, want := range map[string]string{
		"905551112233": "", `"(0555) 111-22.33"`: "", `"12345"`: "The phone field must be a phone number.", `"call me"`: "The phone field must be a phone number.",
	} {
		got := s.Send(t, s.call(card, strings.Replace(cardBody, `"+90 555 111 22 33"`, sent, 1)))
		if want == "" {
			got.Want(t, 200, "")
		} else {
			got.WantMessages(t, want)
		}
	}
}

func TestAllFieldsAreCheckedInOneGo(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, fields := range map[string][]string{
		deposit:            {"username", "userid", "fullname", "amount"},
		withdraw:           {"username", "userid", "amount", "recipient_name", "recipient_iban"},
		send:               {"wallet_id", "recipient_iban", "recipient_name", "amount"},
		card:               {"username", "firstname", "lastname", "email", "phone", "amount"},
		"/transactions":    {"wallet_id", "start_date", "end_date"},
		"/transfer-status": {"transfer_id"},
	} {
		var want []string
		for _, field := range fields {
			want = append(want, "The "+field+" field is required.")
		}
		r := s.call(path, "")
		if creating[path] != "" {
			r = s.call(path, "{}")
		}
		s.Send(t, r).WantMessages(t, want...)
	}
}

// TestDates: YYYY-MM-DD and nothing else, of days that there are.
func TestDates(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, date := range []string{"2026-03-02", " 2026-03-02 ", "2024-02-29", "1900-01-01", "9998-12-31"} {
		s.Send(t, s.call(dates(date, date), "")).Want(t, 200, "")
	}
	for _, date := range []string{
		"2026-3-2", "2026-03-2", "02.03.2026", "03/02/2026", "20260302", "2026-02-29", "2026-13-01", "2026-00-10", "2026-03-00", "2026-03-32",
		"2026-03-02T00:00:00", "2026-03-02 00:00", "today", "0", "-2026-03-02", "+2026-03-02", "12026-03-02", "٢٠٢٦-٠٣-٠٢", "2026‑03‑02",
		"0000-01-01", "0001-01-01", "1899-12-31", "9999-01-01", "2026-03-02Z", "2026-03-02+03:00", strings.Repeat("1", 190),
	} {
		s.Send(t, s.call(dates(date, date), "")).WantMessages(t,
			"The start_date field must be a date in the form YYYY-MM-DD: 2026-03-02", "The end_date field must be a date in the form YYYY-MM-DD: 2026-03-02")
	}
	s.Send(t, s.call(dates(strings.Repeat("1", 5000), "a\x00b"), "")).WantMessages(t,
		"The start_date field may have at most 191 characters.", "The end_date field contains invalid characters.")
}

// TestDateRanges: both days are included, and at most 3 days lie between them.
func TestDateRanges(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, tt := range []struct{ from, to, code string }{
		{"2026-03-02", "2026-03-02", ""}, {"2026-03-02", "2026-03-05", ""}, {"2026-02-27", "2026-03-02", ""}, {"2024-02-28", "2024-03-02", ""},
		{"2026-12-31", "2027-01-03", ""},
		{"2026-03-02", "2026-03-06", "DATE_RANGE_EXCEEDED"}, {"2026-02-26", "2026-03-02", "DATE_RANGE_EXCEEDED"},
		{"1900-01-01", "9998-12-31", "DATE_RANGE_EXCEEDED"},
		{"2026-03-02", "2026-03-01", "INVALID_DATE_RANGE"}, {"2027-01-01", "2026-12-31", "INVALID_DATE_RANGE"},
	} {
		got := s.Send(t, s.call(dates(tt.from, tt.to), ""))
		if tt.code != "" {
			got.WantCode(t, 422, tt.code)
			continue
		}
		if got.Want(t, 200, ""); !strings.Contains(got.Body, `"date_range":{"start_date":"`+tt.from+`","end_date":"`+tt.to+`"}`) {
			t.Errorf("%s to %s: %s", tt.from, tt.to, got.Body)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	manyLines(t, s)
	for sent, want := range map[string]struct {
		number, lines int
		hasMore       bool
		first         string // the newest line of the page
	}{
		"":                {1, 100, true, "L202"},
		"&page=":          {1, 100, true, "L202"},
		"&page=1":         {1, 100, true, "L202"},
		"&page=2":         {2, 100, true, "L102"},
		"&page=3":         {3, 3, false, "L002"},
		"&page=4":         {4, 0, false, ""},
		"&page=1000000":   {1_000_000, 0, false, ""},
		"&page=2&x=1&y=2": {2, 100, true, "L102"},
	} {
		got := s.Send(t, s.call(transactions+sent, ""))
		pagination := fmt.Sprintf(`"pagination":{"current_page":%d,"per_page":100,"total_records":203,"total_pages":3,"has_more":%t}`, want.number, want.hasMore)
		if got.Status != 200 || !strings.Contains(got.Body, pagination) || strings.Count(got.Body, "transactionId") != want.lines {
			t.Errorf("page %q: %d, %d lines, %.400s", sent, got.Status, strings.Count(got.Body, "transactionId"), got.Body)
		}
		if !strings.Contains(got.Body, `"transactions":[{"transactionId":"`+want.first) && want.first != "" {
			t.Errorf("page %q: the first is not %s: %.400s", sent, want.first, got.Body)
		}
	}
	for _, page := range []string{"0", "-1", "%2B1", "%201", "1.0", "1e3", "x", "1000001", "99999999999999999999", strings.Repeat("9", 5000), "0x1", "%00", "1%2C2", "2&page=3"} {
		s.Send(t, s.call(transactions+"&page="+page, "")).WantMessages(t, "The page field must be between 1 and 1000000.")
	}
}

// TestQueriesThatAreStrange: what can't be read is missing, what comes twice is no text, and nothing is guessed.
func TestQueriesThatAreStrange(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	for query, want := range map[string]string{
		"transfer_id=%zz":                "is required.",
		"transfer_id;x=1":                "is required.",
		"Transfer_id=x":                  "is required.",
		"transfer_id[]=x":                "is required.",
		"transfer_id=a&transfer_id=b":    "must be a string.",
		"transfer_id=a&transfer_id=a":    "must be a string.",
		"transfer_id=%ff":                "contains invalid characters.",
		"transfer_id=a%0Ab":              "contains invalid characters.",
		"transfer_id=" + long(192):       "may have at most 191 characters.",
		"transfer_id=" + long(100_000):   "may have at most 191 characters.",
		strings.Repeat("x=1&", 10_000):   "is required.",
		"transfer_id=%20%09&unknown=%FF": "is required.",
	} {
		s.Send(t, s.call("/transfer-status?"+query, "")).WantMessages(t, "The transfer_id field "+want)
	}
	for _, query := range []string{"transfer_id=%20{{transfer}}%20", "x=%zz&transfer_id={{transfer}}&y"} {
		s.Send(t, s.call("/transfer-status?"+query, "")).Want(t, 200, "")
	}
	s.Send(t, s.call("/transfer-status?transfer_id="+long(191), "")).WantCode(t, 404, "TRANSFER_NOT_FOUND")
}

func long(n int) string { return strings.Repeat("x", n) }

// TestBothDirectionsOfMoney: of what left the wallet, the wallet is the sender.
func TestBothDirectionsOfMoney(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	at := s.Clock.Now()
	s.importLines(t, s.line("in", gateway.Incoming, 100, at), s.line("out", gateway.Outgoing, 100, at))
	body := s.Send(t, s.call(transactions, "")).Body
	for _, want := range []string{
		`"type":"incoming","description":"Ödeme in","senderName":"Ayşe Yılmaz","senderIban":"TR330006100519786457841326"`,
		`"type":"outgoing","description":"Ödeme out","senderName":"` + s.Wallet.Holder + `","senderIban":"` + s.Wallet.IBAN + `"`,
		`"recipient_name":"Ayşe Yılmaz","recipient_iban":"TR330006100519786457841326","transfer_id":"","date_iso":"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("want %s in %s", want, body)
		}
	}
}

// TestAnInactiveWalletIsNotThere for D4 to D6, and its transfers can still be asked about.
func TestAnInactiveWalletIsNotThere(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	s.changeWallet(t, func(w *wallet.Wallet) { w.IsActive = false })
	if got := s.Send(t, s.call(eibans, "")); !strings.Contains(got.Body, `"total_eibans":0,"eibans":[]`) {
		t.Errorf("got %s", got.Body)
	}
	s.Send(t, s.call(transactions, "")).WantCode(t, 403, "WALLET_NOT_ASSIGNED")
	s.Send(t, s.call(send, sendBody)).WantCode(t, 403, "WALLET_NOT_ASSIGNED")
	s.Send(t, s.call(status, "")).Want(t, 200, "")
}

// TestWhatNobodySees: names are taken without it, and what customers are known by is refused with it, on every endpoint.
func TestWhatNobodySees(t *testing.T) {
	t.Parallel()
	all := strings.Join(texttest.Hidden, "")
	isExact := map[string]bool{"username": true, "userid": true}
	for path, body := range creating {
		for _, name := range []string{"fullname", "username", "userid", "firstname", "lastname", "description", "recipient_name"} {
			before := regexp.MustCompile(`"` + name + `":"([^"]+)"`).FindStringSubmatch(body)
			if before == nil {
				continue
			}
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
					t.Errorf("%s %s is not as it was: %+q", path, name, kept)
				}
			}
			send("\u202e").WantMessages(t, "The "+name+" field contains invalid characters.")
		}
	}
}

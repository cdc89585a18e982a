package gateway_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/gateway"
)

var usdt = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

func TestEveryCheckOfACustomersField(t *testing.T) {
	t.Parallel()
	const (
		required = "The it field is required."
		noIBAN   = "The it field must be a valid IBAN."
		noTCKN   = "The it field must be a valid Turkish identity number."
		noWallet = "The it field must be a wallet number of 5 to 20 digits."
		noPhone  = "The it field must be a phone number."
		noEmail  = "The it field must be an email address."
		strange  = "The it field contains invalid characters."
	)
	for _, c := range []struct {
		check              gateway.FieldCheck
		value, taken, want string
	}{
		{gateway.CheckText, " anything ş ", "anything ş", ""},
		{gateway.CheckText, "", "", required},
		{gateway.CheckText, "  ", "", required},
		{gateway.CheckText, "a\nb", "", strange},
		{gateway.CheckText, "a\u0085b", "", strange},
		{gateway.CheckText, "a\x00b", "", strange},
		{gateway.CheckText, "a\xffb", "", strange},
		{gateway.CheckText, strings.Repeat("ş", 191), strings.Repeat("ş", 191), ""},
		{gateway.CheckText, strings.Repeat("ş", 192), "", "The it field may have at most 191 characters."},
		{gateway.CheckName, "Ayşe Yılmaz", "Ayşe Yılmaz", ""},

		{gateway.CheckIBAN, "tr33 0006 1005 1978 6457 8413 26", "TR330006100519786457841326", ""},
		{gateway.CheckIBAN, "TR330006100519786457841327", "", noIBAN},
		{gateway.CheckIBAN, "TR33000610051978645784132", "", noIBAN},
		{gateway.CheckIBAN, "DE89370400440532013000", "DE89370400440532013000", ""},

		{gateway.CheckTCKN, "10000000146", "10000000146", ""},
		{gateway.CheckTCKN, "100 000 00146", "10000000146", ""},
		{gateway.CheckTCKN, "10000000147", "", noTCKN},
		{gateway.CheckTCKN, "10000000156", "", noTCKN},
		{gateway.CheckTCKN, "20000000045", "", noTCKN},
		{gateway.CheckTCKN, "01000000146", "", noTCKN},
		{gateway.CheckTCKN, "1000000014", "", noTCKN},
		{gateway.CheckTCKN, "100000001460", "", noTCKN},
		{gateway.CheckTCKN, "1000000014a", "", noTCKN},
		{gateway.CheckTCKN, "١٠٠٠٠٠٠٠١٤٦", "", noTCKN}, // digits of another script

		{gateway.CheckWallet, "12345", "12345", ""},
		{gateway.CheckWallet, "1234-5678 90", "1234567890", ""},
		{gateway.CheckWallet, strings.Repeat("1", 20), strings.Repeat("1", 20), ""},
		{gateway.CheckWallet, "1234", "", noWallet},
		{gateway.CheckWallet, strings.Repeat("1", 21), "", noWallet},
		{gateway.CheckWallet, "12345a", "", noWallet},
		{gateway.CheckWallet, "---", "", noWallet},

		{gateway.CheckPhone, "+90 (532) 123-45-67", "+905321234567", ""},
		{gateway.CheckPhone, "05321234567", "05321234567", ""},
		{gateway.CheckPhone, "123456", "", noPhone},
		{gateway.CheckPhone, "1234567890123456", "", noPhone},
		{gateway.CheckPhone, "++905321234567", "", noPhone},
		{gateway.CheckPhone, "90532+1234567", "", noPhone},
		{gateway.CheckPhone, "+", "", noPhone},

		{gateway.CheckEmail, "a.b+c@mail.example.com", "a.b+c@mail.example.com", ""},
		{gateway.CheckEmail, "ayşe@example.com.tr", "ayşe@example.com.tr", ""},
		{gateway.CheckEmail, "a@b", "", noEmail},
		{gateway.CheckEmail, "a@.com", "", noEmail},
		{gateway.CheckEmail, "a@example.com.", "", noEmail},
		{gateway.CheckEmail, "@example.com", "", noEmail},
		{gateway.CheckEmail, "a@", "", noEmail},
		{gateway.CheckEmail, "a@b@example.com", "", noEmail},
		{gateway.CheckEmail, "a@example.com, b@example.com", "", noEmail},
		{gateway.CheckEmail, "Ayşe <a@example.com>", "", noEmail},
		{gateway.CheckEmail, "a@example..com", "", noEmail},

		{gateway.CheckAddress, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", ""},
		{gateway.CheckAddress, "T R7NHqjeKQ", "", "The it field must be a valid address for USDT (TRC20)."},

		{gateway.CheckChoice, "ziraat", "ziraat", ""},
		{gateway.CheckChoice, "Ziraat", "", "The it field must be one of ziraat, akbank."},
	} {
		spec := gateway.FieldSpec{Name: "it", Check: c.check, Choices: []string{"ziraat", "akbank"}}
		taken, failed := gateway.CheckFields([]gateway.FieldSpec{spec}, usdt, map[string]string{"it": c.value})
		if got := strings.Join(said(t, failed), "; "); got != c.want || taken["it"] != c.taken {
			t.Errorf("%s %.40q: took %q, said %q; want %q, %q", c.check, c.value, taken["it"], got, c.taken, c.want)
		}
	}
}

func TestTheTCKNsCheckDigitsAreBothComputed(t *testing.T) {
	t.Parallel()
	spec := []gateway.FieldSpec{{Name: "id", Check: gateway.CheckTCKN}}
	right := 0
	for _, tail := range tails() {
		if _, failed := gateway.CheckFields(spec, usdt, map[string]string{"id": "987654321" + tail}); failed == nil {
			right++
			// odd places sum to 25, even ones to 20: 25*7-20 is 155; all ten sum to 50.
			if tail != "50" {
				t.Errorf("%s is taken", tail)
			}
		}
	}
	if right != 1 {
		t.Errorf("%d tails are taken", right)
	}
}

func tails() (all []string) {
	for i := '0'; i <= '9'; i++ {
		for j := '0'; j <= '9'; j++ {
			all = append(all, string([]rune{i, j}))
		}
	}
	return all
}

func TestFieldsAreTakenAsTheSpecsAsk(t *testing.T) {
	t.Parallel()
	specs := []gateway.FieldSpec{
		{Name: "iban", Check: gateway.CheckIBAN}, {Name: "account_holder", Check: gateway.CheckName},
		{Name: "memo", Check: gateway.CheckText, IsOptional: true}, {Name: "phone", Check: gateway.CheckPhone, IsOptional: true},
	}
	taken, failed := gateway.CheckFields(specs, gateway.TRY, map[string]string{
		"iban": " tr330006100519786457841326 ", "account_holder": "Ayşe", "memo": " ", "stray": "x",
	})
	want := map[string]string{"iban": "TR330006100519786457841326", "account_holder": "Ayşe"}
	if failed != nil || !maps.Equal(taken, want) {
		t.Errorf("took %q, failed %v", taken, failed)
	}
	taken, failed = gateway.CheckFields(specs, gateway.TRY, map[string]string{"iban": "x", "phone": "y"})
	wrong := []string{
		"The iban field must be a valid IBAN.", "The account_holder field is required.", "The phone field must be a phone number.",
	}
	if got := said(t, failed); len(taken) != 0 || !slices.Equal(got, wrong) {
		t.Errorf("took %q, said %q", taken, got)
	}
	if taken, failed := gateway.CheckFields(nil, gateway.TRY, nil); taken == nil || len(taken) != 0 || failed != nil {
		t.Errorf("nothing asked gave %v, %v", taken, failed)
	}
}

func TestNeedsAreThoseOfTheKind(t *testing.T) {
	t.Parallel()
	specs := []gateway.FieldSpec{
		{Name: "iban", Kinds: []gateway.Kind{gateway.Bank}}, {Name: "phone"},
		{Name: "wallet_number", Kinds: []gateway.Kind{gateway.Wallet, gateway.Crypto}},
	}
	for kind, want := range map[gateway.Kind]string{
		gateway.Bank: "iban phone", gateway.Wallet: "phone wallet_number", gateway.Crypto: "phone wallet_number",
		gateway.Card: "phone",
	} {
		var names []string
		for _, s := range gateway.NeedsOf(specs, kind) {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s asks for %s, want %s", kind, got, want)
		}
	}
}

// TestNobodySeesIt: what customers fill in is taken without what came along, and a gateway's key is refused with it.
func TestNobodySeesIt(t *testing.T) {
	t.Parallel()
	specs := []gateway.FieldSpec{{Name: "name", Check: gateway.CheckName}, {Name: "iban", Check: gateway.CheckIBAN}}
	key := gateway.ConfigField{Name: "key", Type: gateway.SecretField}
	for _, c := range texttest.Hidden {
		got, failed := gateway.CheckFields(specs, gateway.Asset{}, map[string]string{"name": "Ay" + c + "la", "iban": "TR33" + c + "0006100519786457841326"})
		if len(failed) > 0 || got["name"] != "Ayla" || got["iban"] != "TR330006100519786457841326" {
			t.Errorf("%+q: %+q %v", c, got, failed)
		}
		if problem, _ := key.Problem("sk_" + c + "live"); problem != "field.text" {
			t.Errorf("a key with %+q is taken", c)
		}
	}
	for _, c := range texttest.Controls {
		if got, failed := gateway.CheckFields(specs[:1], gateway.Asset{}, map[string]string{"name": "Ay" + c + "la"}); len(failed) != 1 {
			t.Errorf("%+q is taken: %+q", c, got)
		}
	}
}

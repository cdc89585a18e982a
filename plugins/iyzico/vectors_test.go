package iyzico_test

import (
	"testing"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
)

// vectors are published or computed examples of what is signed.
func vectors() []conformance.Vector {
	const secret, token = "sandbox-secret", "077aff05-1e9b-44aa-aa11-c268bb8b3826"
	is := func(name, source, want string, compute func() string) conformance.Vector {
		return conformance.Vector{Name: name, Source: source, Check: func() (string, string) { return compute(), want }}
	}
	const (
		node     = "iyzico/iyzipay-node 2.0.69 test/unit"
		docs     = "docs.iyzico.com, Response Signature Validation"
		php      = "iyzico/iyzipay-php 2.0.61 samples/webhook_Signature_Validation.php"
		computed = "computed by two independent programs, of the order of fields in iyzico's clients"
	)
	return []conformance.Vector{
		is("request, published with iyzico's SDK", node, "017508921a29ee5601bcd1fbe83efd2e2be43af02eceff30cf2e91a539aab355",
			func() string { return iyzico.RequestSignature("secret_key", "random_string", "uri", `"body"`) }),
		is("header, published with iyzico's SDK", node, "IYZWSv2 YXBpS2V5OmFwaV9rZXkmcmFuZG9tS2V5OnJhbmRvbV9zdHJpbmcmc2lnbmF0dXJl"+
			"OjAxNzUwODkyMWEyOWVlNTYwMWJjZDFmYmU4M2VmZDJlMmJlNDNhZjAyZWNlZmYzMGNmMmU5MWE1MzlhYWIzNTU=",
			func() string { return iyzico.Authorization("api_key", "secret_key", "random_string", "uri", `"body"`) }),
		is("request, computed", computed, "eaae07a0c5f65a27a2028f905174cc1706324e6d37a4184285ce22090a956f4d", func() string {
			return iyzico.RequestSignature(secret, "123456789", "/payment/detail",
				`{"locale":"tr","conversationId":"CC-1","paymentId":"25149157"}`)
		}),
		is("response, computed", computed, "05b52d13d8e599d6e798697628c29c64270fbf8cb517286478f6e50cc3766a31",
			func() string {
				return iyzico.ResponseSignature(secret, "25149157", "TRY", "B1", "CC-1", iyzico.JSNumber("125.50"), iyzico.JSNumber("125.5"))
			}),
		is("response, from iyzico's documentation", docs, "836c3a6c8db86c81043f2ca74edb13518b54a813f454f8dd762f0dd658610173",
			func() string {
				return iyzico.ResponseSignature("sandbox-qaIiLIxhjMgx3LSKIVvp6j17NunHOFtD", "22416032", "TRY", "basketId",
					"conversationId", iyzico.JSNumber("10.50"), iyzico.JSNumber("10.50"))
			}),
		is("notification of a direct payment, computed", computed, "41dfd86ceb9d81764e66d7731d224b3fcc1e4c61a38b18c0f4359beea50c637f",
			func() string {
				return iyzico.NotificationSignature(secret, "THREE_DS_AUTH", "25149157", "CC-1", "SUCCESS")
			}),
		is("notification of a hosted form, computed", computed, "7b190c729e3a1bcb38ce65b114d227196a8470fbed6dbf817e66121a3db11996",
			func() string {
				return iyzico.NotificationSignature(secret, "CHECKOUT_FORM_AUTH", "25149157", token, "CC-1", "SUCCESS")
			}),
		is("notification of a hosted form, published with iyzico's SDK for PHP", php,
			"4031c575763486a2d2bf3f7ace0baebfcd6bed65393ab4df3fe80c00d5fd6878", func() string {
				return iyzico.NotificationSignature(publishedSecret, "CHECKOUT_FORM_AUTH", "22483975",
					"e828c62d-fd12-4b1a-ad5a-380f15fe6596", "conversationId", "SUCCESS")
			}),
		is("notification of a direct payment, published with iyzico's SDK for PHP", php,
			"92c7a72b7741bc83eb696066605c894778c87297b2c88d6037670666230e18ae", func() string {
				return iyzico.NotificationSignature(publishedSecret, "API_AUTH", "22484059", "conversationId", "SUCCESS")
			}),
	}
}

// publishedSecret is the key of the examples of iyzipay-php, samples/webhook_Signature_Validation.php.
const publishedSecret = "sandbox-UuLnD7wZa0a3DmytfIrwHQqAMfqCNJrs"

func TestEveryVectorIsReproduced(t *testing.T) {
	t.Parallel()
	for _, v := range vectors() {
		if got, want := v.Check(); got != want {
			t.Errorf("%s: %s, want %s", v.Name, got, want)
		}
	}
}

// TestSignedNumbersAreJavaScripts: the examples are iyzico's own.
func TestSignedNumbersAreJavaScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10": "10", "10.0": "10", "10.5": "10.5", "10.50": "10.5", "10.510": "10.51", "10.5105": "10.5105",
		"10.51050": "10.5105", "50.00": "50", "1.0": "1", "0.10000000": "0.1", "99999.99": "99999.99", "": "", "x": "x",
	} {
		if got := iyzico.JSNumber(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAmountsAreSentWithAtLeastOneDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"22": "22.0", "22.00": "22.0", "125.50": "125.5", "0.01": "0.01", "99999.99": "99999.99", "100": "100.0",
	} {
		if got := iyzico.Price(money.MustDecimal(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

package ccpayment_test

import (
	"strings"

	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/conformance"
)

// vectors of hash keys. The brands publish code and no examples: those with a fixed beginning were computed by two independent
// programs, PHP and JavaScript, and the last one is what Sipay's own client made when it was run.
func vectors() []conformance.Vector {
	const computed = "computed by two independent programs from the scheme of sipay-tr/sipay-php-sdk f83a913 src/Sipay/Utils/HashKey.php, parts of "
	const secret, merchant = "test_secret", "test_merchant_key"
	sealed := func(name, source, want string, parts ...string) conformance.Vector {
		return conformance.Vector{Name: name, Source: computed + source, Check: func() (string, string) {
			beginning := strings.SplitN(want, ":", 3)
			return ccpayment.Seal(secret, beginning[0], beginning[1], parts...), want
		}}
	}
	opened := func(name, source, key string, want ...string) conformance.Vector {
		return conformance.Vector{Name: name, Source: source, Check: func() (string, string) {
			return strings.Join(ccpayment.Unseal([]string{"another", secret}, key), "|"), strings.Join(want, "|")
		}}
	}
	const sale = "00112233445566aa:beef:UoJj6tVnuxHbhyCUGJ5ridGuhtgMAUgWZ54Ra5m__M0ESNwp0HKrmTHhXCT6Qp+i7"
	const refund = "a94a8fe5ccb19ba6:1c4c:kYyDbum1HOIHE34U+bOXhh+25__TORP8mfQHI8wgiz0d1Pr6yF9nQCDhvPsiWd0o1"
	return []conformance.Vector{
		sealed("page", "src/Sipay/Models/PaymentLinkInvoice.php",
			"0123456789abcdef:f20f:OTiY+bUNRSS1ySj+__uPKRpL0GzVOAVeqxwVQcjaC6Y5__6v5l4xu+J7QkzodVuRjU", "125.50", "TRY", merchant, "VZ1"),
		sealed("question", "src/Sipay/Requests/CheckTransactionStatusRequest.php",
			"4c63ed8a964ab9a3:a1b2:2ATia9HmBA993MY3+0W0j9VwdUAx78+zMSjV1Jrr69s=", "VZ1", merchant),
		sealed("refund", "src/Sipay/Requests/CreateTransactionRefundRequest.php",
			"fedcba9876543210:0000:ySIBfs9Qz0JruBro__35tl9xLpvutAo5__MDrMpIS5jRo=", "25.10", "VZ1", merchant),
		opened("sale that is told", computed+"validateHashKey", sale, "1", "125.50", "VZ1", "VP17393731163874691", "TRY"),
		opened("refund that is told", computed+"apidocs.sipay.com.tr/en/webhook/iade-webhook", refund,
			"COMPLETED", "25.10", "VZ1", "VP17393731163874691"),
		opened("as Sipay's client makes it", "made by sipay-tr/sipay-php-sdk f83a913 src/Sipay/Utils/HashKey.php generateHashKey",
			"41bd5665b24badb5:abf6:IyPtsf+qFw41zsz6t5RzeYaT4jmbPEh9AYM+mu4BFMOL__c4YR__0P2bmaZjKkEUWq",
			"1", "125.50", "VZ1", "VP17393731163874691", "TRY"),
	}
}

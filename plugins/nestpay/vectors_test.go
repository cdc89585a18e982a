package nestpay_test

import (
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/nestpay"
)

// vectors are hashes of version 3 that a public client of many banks tests itself with; the last is a bank's own.
func vectors() []conformance.Vector {
	const source = "mewebstudio/pos a4c454a tests/Unit/Crypt/EstV3PosCryptTest.php "
	is := func(name, from, want string, fields ...[2]string) conformance.Vector {
		return conformance.Vector{Name: name, Source: from, Check: func() (string, string) { return nestpay.Hash("123456", fields), want }}
	}
	return []conformance.Vector{
		is("form of 3D Pay", source+"testCreate3DHashFor3DPay",
			"/uPxhEKWCEGi3NsDOOQ4u8Hu5g71v5GWspOid70WehTWEz97PqxG3IN1Jv5jsbOXOw3Z3Rr/0UtywzEgbqFfdA==",
			[2]string{"clientid", "190100000"}, [2]string{"storetype", "3d_pay"}, [2]string{"amount", "100.25"}, [2]string{"oid", "order222"},
			[2]string{"okUrl", "https://domain.com/success"}, [2]string{"failUrl", "https://domain.com/fail_url"}, [2]string{"rnd", "rand"},
			[2]string{"lang", "tr"}, [2]string{"currency", "949"}, [2]string{"taksit", ""}, [2]string{"islemtipi", "Auth"},
			[2]string{"firmaadi", "siparis veren"}, [2]string{"Email", "test@test.com"}, [2]string{"hashAlgorithm", "ver3"}),
		is("form of 3D", source+"testCreate3DHashFor3DSecure",
			"4aUsG5hqlIFLc9s8PKc5rWb2OLhmxDDewNgKa2XrwoYCIxlyVq8Fjl4IVaZzoqL983CfTseicmnTA0PjZr74xg==",
			[2]string{"clientid", "190100000"}, [2]string{"storetype", "3d"}, [2]string{"amount", "100.25"}, [2]string{"oid", "order222"},
			[2]string{"okUrl", "https://domain.com/success"}, [2]string{"failUrl", "https://domain.com/fail_url"}, [2]string{"rnd", "12345"},
			[2]string{"hashAlgorithm", "ver3"}, [2]string{"lang", "tr"}, [2]string{"currency", "949"}, [2]string{"islemtipi", "Auth"},
			[2]string{"taksit", ""}),
		is("what the platform's test server posted", source+"threeDHashCheckDataProvider",
			"jVgcwtx4vxxAcX8+ajsrrzp77k9uaGu1pjDQfCpoUG95y2MwwGipc6cF3kESiTphjV8/1ESSc6zg9KyTSxUnzA==", postedFields...),
	}
}

// postedFields are a form that the platform's test server posted: a test card, and a made-up cardholder.
var postedFields = [][2]string{
	{"ReturnOid", "202210308C0F"},
	{"TRANID", ""},
	{"hashAlgorithm", "ver3"},
	{"PAResSyntaxOK", "true"},
	{"firmaadi", "John Doe"},
	{"islemtipi", "Auth"},
	{"lang", "tr"},
	{"merchantID", "190200000"},
	{"maskedCreditCard", "4355 08** **** 4358"},
	{"amount", "1.01"},
	{"sID", "1"},
	{"ACQBIN", "454672"},
	{"Ecom_Payment_Card_ExpDate_Year", "26"},
	{"EXTRA_CARDBRAND", "VISA"},
	{"Email", "mail@customer.com"},
	{"MaskedPan", "435508***4358"},
	{"acqStan", "184784"},
	{"merchantName", "Ziraat 3D_Pay"},
	{"clientIp", "89.244.149.137"},
	{"EXTRA_KAZANILANPUAN", "000000010.00"},
	{"okUrl", "http://localhost/akbank/3d-pay/response.php"},
	{"md", "435508:51104213993AC8DFE8839C7F7E391B461115D09A1D88948C8ACE421D7D7EAA5A:3545:##190200000"},
	{"ProcReturnCode", "00"},
	{"payResults_dsId", "1"},
	{"taksit", ""},
	{"TransId", "22303RqiC11252"},
	{"EXTRA_TRXDATE", "20221030 17:42:33"},
	{"Ecom_Payment_Card_ExpDate_Month", "12"},
	{"storetype", "3d_pay"},
	{"Response", "Approved"},
	{"SettleId", "2383"},
	{"mdErrorMsg", "Y-status/Challenge authentication via ACS: https://3ds-acs.test.modirum.com/mdpayacs/creq?token=214711321.1667140951.Ud_jQl3B2l1"},
	{"ErrMsg", ""},
	{"PAResVerified", "true"},
	{"cavv", "ABABBCgghAAAAABllJMDdZdTdic="},
	{"digest", "digest"},
	{"HostRefNum", "230317184784"},
	{"callbackCall", "true"},
	{"AuthCode", "216981"},
	{"failUrl", "http://localhost/akbank/3d-pay/response.php"},
	{"xid", "N1An1iS5iN4u/1VWS6CgzSGRtN0="},
	{"encoding", "ISO-8859-9"},
	{"currency", "949"},
	{"oid", "202210308C0F"},
	{"mdStatus", "1"},
	{"dsId", "1"},
	{"eci", "05"},
	{"version", "2.0"},
	{"EXTRA_CARDISSUER", "AKBANK T.A.S."},
	{"clientid", "190200000"},
	{"txstatus", "Y"},
	{"HASH", "jVgcwtx4vxxAcX8+ajsrrzp77k9uaGu1pjDQfCpoUG95y2MwwGipc6cF3kESiTphjV8/1ESSc6zg9KyTSxUnzA=="},
	{"rnd", "J/jGATA5LLVaMfpU+Yyu"},
}

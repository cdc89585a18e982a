package garanti_test

import (
	"strconv"
	"strings"

	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/garanti"
)

// What the bank's public test terminal is signed with.
const (
	testTerminal = "30691298"
	testPassword = "123qweASD/"
	testStoreKey = "12345678"
)

// vectors are signatures that a public client tests itself with, and those of what the bank's test system answered and posted.
func vectors() []conformance.Vector {
	const crypt = "mewebstudio/pos a4c454a tests/Unit/Crypt/GarantiPosCryptTest.php "
	const answered = "mewebstudio/pos a4c454a tests/Unit/DataMapper/ResponseDataMapper/GarantiPosResponseDataMapperTest.php "
	secret := garanti.Security(testPassword, testTerminal)
	request := func(name string, want string, parts ...string) conformance.Vector {
		return conformance.Vector{Name: name, Source: crypt + "hashCreateDataProvider", Check: func() (string, string) {
			return garanti.Sign(append(parts, secret)...), want
		}}
	}
	answer := func(name, want string, parts ...string) conformance.Vector {
		return conformance.Vector{Name: name, Source: answered + name, Check: func() (string, string) {
			return strconv.FormatBool(garanti.IsSign(want, garanti.Sum(append(parts, secret)...))), "true"
		}}
	}
	returned := func(name, want string, values ...string) conformance.Vector {
		return conformance.Vector{Name: name, Source: answered + "threeDPaymentDataProvider, and " + crypt + "threeDHashCheckDataProvider", Check: func() (string, string) {
			return strconv.FormatBool(garanti.IsReturn([]string{"another", testStoreKey}, strings.Join(values, ""), want)), "true"
		}}
	}
	return []conformance.Vector{
		{Name: "form", Source: crypt + "testCreate3DHash", Check: func() (string, string) {
			return garanti.FormHash(testStoreKey, secret, testForm),
				"372D6CB20B2B699D0A6667DFF46E3AA8CF3F9D8C2BB69A7C411895151FFCFAAB5277CCFE3B3A06035FEEFBFBFD40C79DBE51DBF867D0A24B37335A28F0CEFDE2"
		}},
		request("sale", "0CFE09F107274C6A07292DA061A4EECAB0F5F0CF87F831F2D3626A3346A941126C52D1D95A3B77ADF5AC348B3D25C76BA5D8D98A29557D087D3367BFFACCD25C",
			"order222", testTerminal, "10025", "949"),
		request("void", "C0C88761726D1844AF49FBE756DBE4586F7339169994CF700AE50AA8EAD0C8E81F5828C3392CE39CFC3F8C976FC3E24B576F4DB55DAF2E7D3A6F6B6E5E89B189",
			"4499996", testTerminal, "100", "949"),
		request("refund", "0F97D922001221B9C90AA692CF5D4082FF6D3EB38BE863A47F9C08E63CD87312270D6F298E5FBBC320654861DA1C6EE826E0C83E904916351A9D3032FA426BAA",
			"4499996", testTerminal, "202", "949"),
		request("no currency", "B129BF998FF8C97C42D3FC923AA4271656B112549665FA130ACF631EA3EB73D917AEB3D646481564CACE38D1687F7744F82E5A1DBB6966F1512E0AF29B4C067B",
			"SISTD5A61F1682E745B28871872383ABBEB1", testTerminal, "1"),
		returned("return", "416B6253425E73184F118CC02E3BAA393622059BF6B0865D83F501E55A61339B9EC659CBCF7297EDECC1B17BF6281D90CC0AD8EDF3E1EFE94432ACCEAF79B26E",
			"30691298", "2023100354BB", "", "", "", "1", "xgRlQDz4AAAAAAAAAAAAAAAAAAA=", "02",
			"aW5kZXg6MDJ6LjAI5iAcKf/ilXjYIOnTh4t+deHrtwO8ze7tPTL1YCDcBe8KEpuq6HDLYbqQSluL7p3kGcpFzX9s9XcegNhHMsDszxqGd33+p+p5sULGrDF3J2GGfiJDwan4ku7+eiTyS8x2xS9pUy7PTgMGc6jw94aLfXLHskhvY7FYWrymzQ==",
			"kW094tPzNEhqORzzCsLB"),
		returned("return of a failure", "FD9BF014BFBC3D977B123AE84247CE3F639913644429304C4EE108C0F40212853628CAECAADB798EE73D467F50C3B5D90FE0F3B921EDAA94B6E2EA888F9FE9B7",
			"30691298", "202409078CF3", "", "", "", "0", "", "",
			"aW5kZXg6MDIYjoYTHmZE91tOHZxS3PEkMcb8vBvm21xQz107TS6WKHVjLlrZP9AMx7KFu8jZRZA3WtZxMUuaUynWLxQGsVrw1vTKIofUQ0dw2P/jVVvPMX/RxI7Bpjvo/pZp3Nmbj2wd1W146UhNNmge7eA+hdrNSHuPp7PmjAihyZEPujAi3Q==",
			"6ga2Y3buKZ3ZcJSC7uE6"),
		answer("success1", "1724AAE56E9EF08EAF70633AB5F56F55E538A18201A3A98E03D1DDFC4E2A3185FF6421261F96B3F3B052F0090D5CC15F3254051304F0589BD2061F2622B320A0",
			"00", "335709663080", "103550", "20231223 19:24:30", "202312238064"),
		answer("paymentFail_wrong_cvc_code", "9DDE1AFD673462C49AD5CBEB13139DE550D4F863A34842843270713577659F38C510B0BBF98DE6BCAA4ABDE382B3597672B9E508E67D0941DF26789132E281DE",
			"12", "335709663083", "", "20231223 19:28:20", "20231223D98E"),
		answer("success_single_pay_tx", "F9F6806D2C3CEA2CB25F894F6BA1FD04274B9A47A15A4A7BE5150BB5802835ADE7ADD27F80B275F837B143644B853EE3AD212EB7D7C5FD5708183C93B0852DC0",
			"00", "", "", "20240107 01:10:11", "2024010662F8"),
		answer("fail_order_not_found", "AC81A642617438C814095A8D07EB6F89118AB5937D2E784AD058CD099E7B50518F894EAD0B4BE6C6793F83B2C0274166A94E99D5545828D2A01BF583BF99D350",
			"92", "", "", "20240107 00:13:34", "202401010C20"),
	}
}

var testForm = [][2]string{
	{"terminalid", testTerminal}, {"orderid", "order222"}, {"txnamount", "10025"}, {"txninstallmentcount", ""}, {"txntype", "sales"},
	{"txncurrencycode", "949"}, {"successurl", "https://domain.com/success"}, {"errorurl", "https://domain.com/fail_url"},
}

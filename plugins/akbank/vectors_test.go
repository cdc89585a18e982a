package akbank_test

import (
	"strconv"
	"strings"

	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/conformance"
)

// testKey is the key of the bank's public test terminal.
const testKey = "3230323330393034313735303032363031353172675f357637355f3273387373745f7233725f73323333383737335f323272383774767276327672323531355f"

// vectors are signatures that a public client tests itself with; the forms are what the bank's test system posted.
func vectors() []conformance.Vector {
	const crypt = "mewebstudio/pos a4c454a tests/Unit/Crypt/AkbankPosCryptTest.php "
	const posted = "mewebstudio/pos a4c454a tests/Unit/DataMapper/ResponseDataMapper/AkbankPosResponseDataMapperTest.php "
	return []conformance.Vector{
		{Name: "request", Source: crypt + "hashStringDataProvider", Check: func() (string, string) {
			return akbank.Sign(testKey, `{"terminal":{"merchantSafeId":"2023090417500272654BD9A49CF07574",`+
				`"terminalSafeId":"2023090417500284633D137A249DBBEB"},"version":"1.00","txnCode":"1010","requestDateTime":"2024-04-20T13:48:02.000",`+
				`"randomNumber":"59EED19EC4FA761B8D147F5175C915EFD69D193ED96114F9690505EDB02FF5FD3CB161A15FD5EFFB294177291DC27B2A9F58FB1DA6F2F4617762AF180A023A33",`+
				`"order":{"orderId":"2024042053E2"}}`), "D07V9wUXfyPbn+L8jqd9plMfJKT3gSy22Z+yruzWsvuJBkQ63fz+wcWjTF2XurVjYtnR7wLGYTJYg0xjDCYAHA=="
		}},
		{Name: "form", Source: crypt + "create3DHashDataProvider 3d_host", Check: func() (string, string) {
			return akbank.FormHash(testKey, hostForm), "36uUlZFNi+Fs928RPt9CUfKfq+2hTWKK6idWFXjwnO47Qz4pVk6bliSUY+4RGw8Fzcqz+MUWQQ2Grz2zk4l9og=="
		}},
		{Name: "return of a payment", Source: posted + "threeDHostPaymentDataProvider success1", Check: isRight(
			"o8cVLBkljHc+1Icpoa35agcd7UPvD57gFY+bp7MQYznHnOr3f71vvsJwnbIQ2hGGVJj1nAdkZrh/lcVCdtMA+g==",
			"1000", "VPS-0000", "BAŞARILI", "00", "000 ONAY KODU XXXXXX", "2024-04-18T20:56:28.000", "2023090417500272654BD9A49CF07574",
			"2023090417500284633D137A249DBBEB", "2024041898FD", "TD**", "306460", "411024360239", "43", "90", "0", "2", "0.01", "215.66", "CHIP PARA",
			"0.00", "0.00", "0.00", "0.00")},
		{Name: "return of a failure", Source: posted + "threeDHostPaymentDataProvider auth_fail", Check: isRight(
			"iW4wwqGV9h1ydKhpvhQ9Qeq2pOW+/HK0OB1AXoUlt/WlajbphFswh4Jy6BxTl4RAb2OICUnw+gy3UBPudHl5YA==",
			"VPS-1279", "BKM 3DS Server Doğrulama Başarısız", "20240418452F")},
	}
}

// isRight holds the values of a form, in the order of its hashParams, to its hash.
func isRight(hash string, values ...string) func() (got, want string) {
	return func() (got, want string) {
		return strconv.FormatBool(akbank.IsSigned([]string{"another", testKey}, strings.Join(values, ""), hash)), "true"
	}
}

var hostForm = [][2]string{
	{"paymentModel", "MODEL_3D_HOST"}, {"txnCode", "3000"}, {"merchantSafeId", "2023090417500272654BD9A49CF07574"},
	{"terminalSafeId", "2023090417500284633D137A249DBBEB"}, {"orderId", "20240404A4B0"}, {"lang", "TR"}, {"amount", "1.01"},
	{"ccbRewardAmount", "1.00"}, {"pcbRewardAmount", "1.00"}, {"xcbRewardAmount", "1.00"}, {"currencyCode", "949"}, {"installCount", "1"},
	{"okUrl", "http://localhost/akbankpos/3d/response.php"}, {"failUrl", "http://localhost/akbankpos/3d/response.php"},
	{"emailAddress", "test@test.com"},
	{"randomNumber", "AEDDD8688E11A3DC588DAB2ED59B2F64D45E798761CEFF17F4DB47581072697890180C4195986250F89C2C67A04A3B96F0AC66AE99B49BB7BEE618FBD621C4CD"},
	{"requestDateTime", "2024-04-04T21:11:41.000"},
}

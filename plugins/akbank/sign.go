package akbank

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"strings"

	"github.com/vezne/vezne/plugins/plugkit"
)

// formFields are what a form's hash covers, in this order and with nothing between them. What a form lacks counts as nothing.
var formFields = []string{
	"paymentModel", "txnCode", "merchantSafeId", "terminalSafeId", "orderId", "lang", "amount", "ccbRewardAmount", "pcbRewardAmount",
	"xcbRewardAmount", "currencyCode", "installCount", "okUrl", "failUrl", "emailAddress", "subMerchantId", "creditCard", "expiredDate", "cvv",
	"randomNumber", "requestDateTime", "b2bIdentityNumber",
}

// sum is the HMAC-SHA-512 of a text.
func sum(secret, text string) []byte {
	mac := hmac.New(sha512.New, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// sign is a signature as the bank writes it.
func sign(secret, text string) string { return base64.StdEncoding.EncodeToString(sum(secret, text)) }

// formHash signs a form.
func formHash(secret string, fields [][2]string) string {
	values := map[string]string{}
	for _, f := range fields {
		values[f[0]] = f[1]
	}
	return sign(secret, join(formFields, values))
}

func join(names []string, values map[string]string) string {
	var all strings.Builder
	for _, name := range names {
		all.WriteString(values[name])
	}
	return all.String()
}

// isSigned reports whether a signature is right under one of the secrets. All of them are tried.
func isSigned(secrets []string, text, got string) bool {
	isRight := false
	for _, secret := range secrets {
		if secret != "" && plugkit.EqualBase64(got, sum(secret, text)) {
			isRight = true
		}
	}
	return isRight
}

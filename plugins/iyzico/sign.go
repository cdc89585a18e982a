package iyzico

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// sign adds the headers of iyzico's scheme IYZWSv2 over the path, without the query, and the exact body.
func (g *Gateway) sign(r *gateway.Request) error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return err
	}
	random := g.nonces.Next(g.keys.api, u.Path, string(r.Body)) // x-iyzi-rnd must be new with every request
	r.Header = append(r.Header,
		gateway.Field{Name: "x-iyzi-rnd", Value: random},
		gateway.Field{Name: "Authorization", Value: authorization(g.keys.api, g.keys.secrets[0], random, u.Path, string(r.Body))})
	return nil
}

func authorization(apiKey, secret, random, path, body string) string {
	signature := requestSignature(secret, random, path, body)
	return "IYZWSv2 " + base64.StdEncoding.EncodeToString(
		[]byte("apiKey:"+apiKey+"&randomKey:"+random+"&signature:"+signature))
}

func requestSignature(secret, random, path, body string) string {
	return hex.EncodeToString(plugkit.HMAC256(secret, random, path, body))
}

// responseMAC signs an answer: its fields in the call's own order.
func responseMAC(secret string, fields ...string) []byte {
	return plugkit.HMAC256(secret, strings.Join(fields, ":"))
}

// notificationMAC signs a notification. The parts have no separators, so that one may be read as another's end: what it
// covers is good for a cue to ask, and for nothing else.
func notificationMAC(secret string, parts ...string) []byte {
	return plugkit.HMAC256(secret, append([]string{secret}, parts...)...)
}

// jsNumber is a number as JavaScript prints it, which is how it stands in what iyzico signs: 10.50 is 10.5, 1.0 is 1.
func jsNumber(text string) string {
	d, err := money.ParseDecimal(text)
	if err != nil {
		return text
	}
	return d.String()
}

// price is an amount as iyzico takes it: decimal text, a whole number with one decimal.
func price(d money.Decimal) string { return d.Fixed(1) }

// check holds an answer to its signature: a wrong one says nothing of what happened.
func (g *Gateway) check(c call, a answer) error {
	signature := a.text("signature")
	if len(c.signs) == 0 || signature == "" && c.unlessWithout != "" && a.text(c.unlessWithout) == "" {
		return nil
	}
	var fields []string
	for _, name := range c.signs {
		field := a.text(name)
		if name == "price" || name == "paidPrice" {
			field = jsNumber(field)
		}
		fields = append(fields, field)
	}
	if plugkit.SignedByAny(signature, g.keys.secrets, func(secret string) []byte { return responseMAC(secret, fields...) }) {
		return nil
	}
	return plugkit.Distrust(gateway.Misconfigured, "the signature of the answer is wrong: is secret_key right?")
}

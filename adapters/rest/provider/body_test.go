package provider_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/e2e/resttest"
)

func TestBodiesThatAreNotOneObject(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for name, body := range map[string]string{
		"empty": "", "blank": " \n\t", "null": "null", "true": "true", "number": "1", "text": `"x"`, "array": "[]",
		"array of objects": "[" + depositBody + "]", "open": `{"amount":1`, "open text": `{"amount":"1`,
		"byte order mark": "\ufeff" + depositBody, "trailing object": depositBody + depositBody, "trailing comma": `{"amount":1,}`,
		"trailing garbage": depositBody + " x", "trailing NUL": depositBody + "\x00", "single quotes": `{'amount':1}`,
		"comment": `{"amount":1 /* one */}`, "no quotes": `{amount:1}`, "form": "amount=1&user_id=2",
		"a name twice":                `{"amount":1,"amount":1}`,
		"a name twice, escaped":       `{"amount":1,"\u0061mount":1}`,
		"an unknown name twice":       `{"x":1,"x":1}`,
		"a name twice further inside": `{"x":{"y":[{"z":1,"z":2}]}}`,
		"invalid UTF-8 in a text":     "{\"fullname\":\"\xff\"}", "invalid UTF-8 in a name": "{\"\xc3\x28\":1}", "overlong UTF-8": "{\"fullname\":\"\xc0\xaf\"}",
		"UTF-16": "{\x00\"\x00}\x00", "lone surrogate": `{"fullname":"\ud83d"}`, "control character in a text": "{\"fullname\":\"a\nb\"}",
		"leading zero": `{"amount":007}`, "plus sign": `{"amount":+1}`, "hexadecimal": `{"amount":0x10}`, "NaN": `{"amount":NaN}`,
		"no digits after the point": `{"amount":1.}`, "no digits before it": `{"amount":.5}`, "Infinity": `{"amount":-Infinity}`,
		"60,000 nested arrays":  `{"x":` + strings.Repeat("[", 60_000) + "}",
		"65 nested arrays":      `{"x":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + "}",
		"9,000 nested objects":  strings.Repeat(`{"x":`, 9000) + "1" + strings.Repeat("}", 9000),
		"closed, never opened":  "}",
		"gzip":                  "\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"mismatched delimiters": `{"x":[1}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{"/start-manual-deposit", card, cardStatus, bank} {
				s.Send(t, s.call(path, body)).Want(t, 400, "Invalid JSON")
			}
		})
	}
}

func TestBodiesThatAreStrangeButGood(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, good := range creating {
		good = strings.ReplaceAll(good, "{{key}}", s.CredentialKey)
		for name, body := range strangeButGood(good) {
			t.Run(path[1:]+"/"+name, func(t *testing.T) {
				t.Parallel()
				s.Send(t, s.call(path, body)).Want(t, 200, "")
			})
		}
	}
}

func strangeButGood(good string) map[string]string {
	rest := good[1:]
	return map[string]string{
		"white space around":       "\r\n\t " + good + "\n\n",
		"unknown fields":           `{"x":1,"y":null,"z":[{"a":[true]}],"memo":"\u0000",` + rest,
		"63 nested arrays":         `{"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + "," + rest,
		"escaped names":            strings.Replace(good, `"amount"`, `"\u0061\u006dount"`, 1),
		"unknown huge number":      `{"x":` + strings.Repeat("9", 10_000) + "," + rest,
		"unknown huge exponent":    `{"x":1e999999999,` + rest,
		"names in another case":    `{"Amount":"no","AMOUNT":[],` + rest,
		"as many bytes as allowed": good + strings.Repeat(" ", 64<<10-len(good)),
		"unknown name of 60,000":   `{"` + strings.Repeat("x", 60_000) + `":1,` + rest,
		"5,000 unknown names":      "{" + manyNames(5000) + rest,
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"x%d":0,`, i)
	}
	return b.String()
}

func TestAHugeBodyIsNotRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range []string{"/start-manual-deposit", card, cardStatus, bank} {
		endless := &resttest.Endless{}
		r := s.call(path, "")
		r.Reader = endless
		got := s.Send(t, r)
		got.Want(t, 413, "Request body too large")
		if endless.Count > rest.MaxBodyBytes+1 {
			t.Errorf("%s: %d bytes were read", path, endless.Count)
		}
		if got.Header.Get("Connection") != "close" {
			t.Error("the connection stays open for the rest of the body")
		}
		endless.Count = 0
		s.Send(t, r.With("X-Hash", strings.Repeat("0", 64))).Want(t, 401, "Invalid hash")
		most := 0
		if path == cardStatus { // whose hash may hold what is in the body
			most = rest.MaxBodyBytes + 1
		}
		if endless.Count > most {
			t.Errorf("%s: %d bytes were read of somebody unknown", path, endless.Count)
		}
	}
}

func TestABodyOfKnownSizeIsRefusedUnread(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range []string{"/start-manual-deposit", card, cardStatus, bank} {
		body := strings.NewReader(strings.Repeat(" ", 1<<20)) // whose length the request then names
		r := s.call(path, "")
		r.Reader = body
		s.Send(t, r).Want(t, 413, "Request body too large")
		if body.Len() != 1<<20 {
			t.Errorf("%s: %d bytes were read", path, 1<<20-body.Len())
		}
	}
}

func TestABodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path := range creating {
		r := s.call(path, creating[path])
		r.Reader = io.MultiReader(strings.NewReader(r.Body), &resttest.Broken{})
		s.Send(t, r).Want(t, 400, "Invalid JSON")
	}
	if made := s.Payments(t); len(made) != 0 {
		t.Error("a payment was created")
	}
}

func TestBodiesThatNobodyReads(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range asking {
		for _, body := range []string{"", "{}", "[", strings.Repeat("x", 100_000)} {
			s.Send(t, s.call(path, body)).Want(t, 200, "")
		}
	}
}

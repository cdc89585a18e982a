package dealer_test

import (
	"io"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/e2e/resttest"
)

func TestBodiesThatAreNotOneObject(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, good := range creating {
		for name, body := range map[string]string{
			"empty": " ", "null": "null", "number": "1", "text": `"x"`, "array": "[" + good + "]", "open": `{"amount":1`,
			"byte order mark": "\ufeff" + good, "trailing object": good + good, "trailing comma": `{"amount":1,}`,
			"trailing NUL": good + "\x00", "form": "amount=1&userid=2", "a name twice": `{"amount":1,"amount":1}`,
			"a name twice, escaped": `{"amount":1,"\u0061mount":1}`, "an unknown name twice, inside": `{"x":{"y":1,"y":1}}`,
			"invalid UTF-8": "{\"username\":\"\xff\"}", "lone surrogate": `{"username":"\ud83d"}`, "leading zero": `{"amount":007}`, "NaN": `{"amount":NaN}`,
			"60,000 nested arrays": `{"x":` + strings.Repeat("[", 60_000) + "}",
		} {
			t.Run(path[1:]+"/"+name, func(t *testing.T) {
				t.Parallel()
				got := s.Send(t, s.call(path, body))
				if got.Want(t, 400, "Invalid JSON"); strings.Contains(got.Body, "error_code") {
					t.Errorf("got %s", got.Body)
				}
			})
		}
	}
}

func TestBodiesThatAreStrangeButGood(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		good := s.call(path, body).Body
		for _, body := range []string{
			"\r\n\t " + good + "\n\n", `{"x":1,"y":null,"z":[{"a":[true]}],` + good[1:], strings.Replace(good, `"amount"`, `"\u0061\u006dount"`, 1),
			`{"x":1e999999999,` + good[1:], `{"Amount":"no","AMOUNT":[],` + good[1:], good + strings.Repeat(" ", 64<<10-len(good)),
		} {
			s.Send(t, s.call(path, body)).Want(t, 200, "")
		}
	}
}

func TestAHugeBodyIsNotRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		endless := &resttest.Endless{}
		r := s.call(path, body)
		r.Body, r.Reader = "", endless
		got := s.Send(t, r)
		if got.Want(t, 413, "Request body too large"); got.Header.Get("Connection") != "close" || strings.Contains(got.Body, "error_code") {
			t.Errorf("%s: %v %s", path, got.Header, got.Body)
		}
		if endless.Count > rest.MaxBodyBytes+1 {
			t.Errorf("%s: %d bytes were read", path, endless.Count)
		}
		endless.Count = 0
		if s.Send(t, r.With("X-Hash", strings.Repeat("0", 64))).Want(t, 401, "Invalid hash"); endless.Count > 0 {
			t.Errorf("%s: %d bytes were read of somebody unknown", path, endless.Count)
		}
	}
}

func TestABodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		r := s.call(path, body)
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
	s.transfer(t)
	for _, path := range asking {
		for _, body := range []string{"", "{}", "[", strings.Repeat("x", 100_000)} {
			r := s.call(path, "")
			r.Body = body
			s.Send(t, r).Want(t, 200, "")
		}
	}
}

package dealer_test

import (
	"io"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
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
				got := s.send(t, s.call(path, body))
				if got.want(t, 400, "Invalid JSON"); strings.Contains(got.body, "error_code") {
					t.Errorf("got %s", got.body)
				}
			})
		}
	}
}

func TestBodiesThatAreStrangeButGood(t *testing.T) {
	t.Parallel()
	for path, body := range creating {
		s := newServer(t)
		good := s.call(path, body).body
		for _, body := range []string{
			"\r\n\t " + good + "\n\n", `{"x":1,"y":null,"z":[{"a":[true]}],` + good[1:], strings.Replace(good, `"amount"`, `"\u0061\u006dount"`, 1),
			`{"x":1e999999999,` + good[1:], `{"Amount":"no","AMOUNT":[],` + good[1:], good + strings.Repeat(" ", 64<<10-len(good)),
		} {
			s.send(t, s.call(path, body)).want(t, 200, "")
		}
	}
}

// counted counts what is read of a body that never ends.
type counted struct{ read int }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	c.read += len(p)
	return len(p), nil
}

func TestAHugeBodyIsNotRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		endless := &counted{}
		r := s.call(path, body)
		r.body, r.reader = "", endless
		got := s.send(t, r)
		if got.want(t, 413, "Request body too large"); got.header.Get("Connection") != "close" || strings.Contains(got.body, "error_code") {
			t.Errorf("%s: %v %s", path, got.header, got.body)
		}
		if endless.read > rest.MaxBodyBytes+1 {
			t.Errorf("%s: %d bytes were read", path, endless.read)
		}
		endless.read = 0
		if s.send(t, r.with("X-Hash", strings.Repeat("0", 64))).want(t, 401, "Invalid hash"); endless.read > 0 {
			t.Errorf("%s: %d bytes were read of somebody unknown", path, endless.read)
		}
	}
}

func TestABodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		r := s.call(path, body)
		r.reader = io.MultiReader(strings.NewReader(r.body), &broken{})
		s.send(t, r).want(t, 400, "Invalid JSON")
	}
	if made := s.payments(t); len(made) != 0 {
		t.Error("a payment was created")
	}
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBodiesThatNobodyReads(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	for _, path := range asking {
		for _, body := range []string{"", "{}", "[", strings.Repeat("x", 100_000)} {
			r := s.call(path, "")
			r.body = body
			s.send(t, r).want(t, 200, "")
		}
	}
}

// Package sdk plays calls with the libraries for integrators, each of which is in a folder here. Every library has a driver, a program
// that does what lines of JSON say: the tests and `vezne sdk-check` ask the same of all of them.
package sdk

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed vectors/requests.json
var vectors embed.FS

// Pages are what the guide at /docs shows of this folder, and hands out.
//
//go:embed README.md calls.md tr postman.json examples/README.md examples/tr php/Vezne.php typescript/vezne.mjs typescript/vezne.d.mts python/vezne.py csharp/Vezne.cs
var Pages embed.FS

// Language is a library's language: what it is called in commands, and how its driver is started in the library's folder.
type Language struct {
	Name   string
	Folder string
	Argv   []string
	Needs  []string // programs
}

// csharp compiles the library with its driver, and runs them.
const csharp = `dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT &&
mcs -langversion:7.2 -out:"$dir/driver.exe" -r:System.Net.Http.dll Vezne.cs driver/Driver.cs && mono "$dir/driver.exe"`

// Languages are those that there are libraries for.
func Languages() []Language {
	return []Language{
		{"php", "php", []string{"php", "driver.php"}, []string{"php"}},
		{"python", "python", []string{"python3", "driver.py"}, []string{"python3"}},
		{"node", "typescript", []string{"node", "driver.mjs"}, []string{"node"}},
		{"go", "go", []string{"go", "run", "./internal/driver"}, []string{"go"}},
		{"csharp", "csharp", []string{"sh", "-c", csharp}, []string{"mcs", "mono"}},
	}
}

// Find finds a language by its name.
func Find(name string) (Language, error) {
	list := Languages()
	at := slices.IndexFunc(list, func(l Language) bool { return l.Name == name })
	if at < 0 {
		var names []string
		for _, l := range list {
			names = append(names, l.Name)
		}
		return Language{}, fmt.Errorf("there is no library for %q; there are %s", name, strings.Join(names, ", "))
	}
	return list[at], nil
}

// Request is one of vectors/requests.json: a call with the request that it makes.
type Request struct {
	Clause       string            `json:"clause"`
	Call         string            `json:"call"`
	API          string            `json:"api"`
	Fields       Fields            `json:"fields"`
	Method       string            `json:"method"`
	Target       string            `json:"target"`
	Headers      map[string]string `json:"headers"`
	Body         string            `json:"body"`
	HashInput    string            `json:"hash_input"`
	Hash         string            `json:"x_hash"`
	StringToSign string            `json:"string_to_sign"`
	Signature    string            `json:"x_signature"`
}

// Fields are those of a request or an answer.
type Fields map[string]any

// Requests reads vectors/requests.json.
func Requests() (list []Request, err error) {
	text, err := vectors.ReadFile("vectors/requests.json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Requests []Request `json:"requests"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&file)
	return file.Requests, err
}

// Client is whose calls are made, and where.
type Client struct {
	Kind            string `json:"kind"` // provider or dealer
	BaseURL         string `json:"base_url"`
	APIKey          string `json:"api_key"`
	SecretKey       string `json:"secret_key"`
	CredentialKey   string `json:"credential_key"`
	VerificationKey string `json:"verification_key"`
	SiteToken       string `json:"site_token"`
	Signing         string `json:"signing"` // v2 or hash
	Language        string `json:"language"`
}

// Call has a driver make a call. Now is the clock in Unix seconds; 0: the machine's.
type Call struct {
	Client         Client `json:"client"`
	Name           string `json:"name"`
	Fields         Fields `json:"fields"`
	IdempotencyKey string `json:"idempotency_key"`
	Now            int64  `json:"now"`
}

// Answer is what a library made of an answer, an error or a mistake of its caller's (Refused).
type Answer struct {
	Fields         Fields       `json:"fields"`
	Status         int          `json:"status"`
	RequestID      string       `json:"request_id"`
	Raw            []byte       `json:"raw"`
	IdempotencyKey string       `json:"idempotency_key"`
	IsReplayed     bool         `json:"is_replayed"`
	IsError        bool         `json:"is_error"`
	Message        string       `json:"message"`
	Error          string       `json:"error"`
	Code           string       `json:"code"`
	Errors         []FieldError `json:"errors"`
	RetryAfter     int          `json:"retry_after"`
	MayRepeat      bool         `json:"may_repeat"`
	Refused        string       `json:"refused"`
}

// FieldError is one of a 422's errors.
type FieldError struct {
	Field string `json:"field"`
	Code  string `json:"code"`
}

// Check has a driver check a callback: its hash where there is an APIKey, otherwise its Standard Webhooks signature.
type Check struct {
	Headers   map[string]string `json:"headers"`
	Body      []byte            `json:"body"`
	APIKey    string            `json:"api_key"`
	Secrets   []string          `json:"secrets"`
	Tolerance int64             `json:"tolerance"`
	Now       int64             `json:"now"`
}

// Verdict is what a library says of a callback.
type Verdict struct {
	IsRight bool   `json:"ok"`
	Reason  string `json:"reason"`
	Event   Fields `json:"event"`
}

// Signing has a driver make both signatures.
type Signing struct {
	APIKey    string            `json:"api_key"`
	SecretKey string            `json:"secret_key"`
	Middle    string            `json:"middle"`
	Method    string            `json:"method"`
	Target    string            `json:"target"`
	Headers   map[string]string `json:"headers"`
	Body      []byte            `json:"body"`
}

// Signatures are both signatures of a request.
type Signatures struct {
	Hash      string `json:"hash"`
	Signature string `json:"signature"`
}

// Driver is a library's driver that runs.
type Driver struct {
	language Language
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Scanner
	said     bytes.Buffer // on standard error
}

// maxLine is how long an answer's line may be.
const maxLine = 8 << 20

// Start starts a language's driver. Dir is the folder that has the libraries.
func Start(ctx context.Context, dir string, l Language) (*Driver, error) {
	for _, name := range l.Needs {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("the library for %s needs %s: %w", l.Name, name, err)
		}
	}
	d := &Driver{language: l, cmd: exec.CommandContext(ctx, l.Argv[0], l.Argv[1:]...)} //nolint:gosec // one of Languages
	d.cmd.Dir = filepath.Join(dir, l.Folder)
	d.cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "GOWORK=off")
	d.cmd.Stderr = &d.said
	in, err := d.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.in, d.out = in, bufio.NewScanner(out)
	d.out.Buffer(nil, maxLine)
	return d, d.cmd.Start()
}

// Close lets the driver end.
func (d *Driver) Close() error {
	if err := errors.Join(d.in.Close(), d.cmd.Wait()); err != nil {
		return d.fault(err)
	}
	return nil
}

// broken ends a driver that does not do what it should.
func (d *Driver) broken(err error) error {
	_ = d.in.Close() // it may have ended
	return d.fault(errors.Join(err, d.cmd.Wait()))
}

// fault tells what the driver said, which is known once it has ended.
func (d *Driver) fault(err error) error {
	return fmt.Errorf("the driver of %s: %w: %s", d.language.Name, err, strings.TrimSpace(d.said.String()))
}

// Call makes a call.
func (d *Driver) Call(c Call) (a Answer, err error) {
	err = d.do("call", c, &a)
	return a, err
}

// Verify checks a callback.
func (d *Driver) Verify(c Check) (v Verdict, err error) {
	what := "verify"
	if c.APIKey != "" {
		what = "verify-hash"
	}
	err = d.do(what, c, &v)
	return v, err
}

// Sign makes both signatures of a request.
func (d *Driver) Sign(s Signing) (made Signatures, err error) {
	err = d.do("sign", s, &made)
	return made, err
}

// do writes a line that says what to do, and reads the line that answers it.
func (d *Driver) do(what string, with, answer any) error {
	line, err := json.Marshal(with)
	if err != nil {
		return err
	}
	line = append(append([]byte(`{"do":"`+what+`",`), line[1:]...), '\n')
	if _, err := d.in.Write(line); err != nil {
		return d.broken(err)
	}
	if !d.out.Scan() {
		err := d.out.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return d.broken(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(d.out.Bytes()))
	decoder.UseNumber()
	if err := decoder.Decode(answer); err != nil {
		return d.broken(fmt.Errorf("%w: %s", err, d.out.Text()))
	}
	return nil
}

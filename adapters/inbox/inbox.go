// Package inbox is the demo's callback receiver: it takes every callback as a provider or a dealer would, checks its
// signatures, and shows what came at /demo/inbox.
package inbox

import (
	"context"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
)

// Path is where the inbox is, for people and for callbacks.
const Path = "/demo/inbox"

// Bounds of what is kept.
const (
	maxLetters   = 200
	maxBodyBytes = 64 << 10
)

//go:embed inbox.gohtml inbox.css inbox.js
var files embed.FS

// Config is what an inbox needs.
type Config struct {
	// Receiver finds whom a callback is for: a provider or a dealer, by the API key that it is signed with.
	Receiver func(ctx context.Context, apiKey string) (Receiver, error)
	Now      func() time.Time
	Zone     *time.Location
	Log      *slog.Logger
}

// Receiver is whom a callback is for, with the keys that sign it.
type Receiver struct {
	Name string
	payment.Signer
}

// Letter is one callback as it arrived, with what was found of its signatures.
type Letter struct {
	At           time.Time
	CallbackID   string
	Receiver     string // its name
	TrackingCode string
	Status       string
	Amount       string
	Body         string
	Times        int // how often this callback has come
	IsHashRight  bool
	HasHook      bool // the receiver has a webhook secret
	IsHookRight  bool // the Standard Webhooks signature
	Problem      string
}

// Inbox receives and shows.
type Inbox struct {
	config Config
	page   *template.Template

	mu      sync.Mutex
	letters []Letter // newest first
}

// New prepares an inbox.
func New(c Config) (*Inbox, error) {
	page, err := template.ParseFS(files, "inbox.gohtml")
	if err != nil {
		return nil, err
	}
	return &Inbox{config: c, page: page}, nil
}

// Handler serves everything under Path.
func (b *Inbox) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, b.receive)
	mux.HandleFunc("GET "+Path, b.show)
	mux.HandleFunc("GET "+Path+"/letters", b.list)
	mux.Handle("GET "+Path+"/files/", http.StripPrefix(Path+"/files/", http.FileServerFS(files)))
	return mux
}

// receive answers as the contract asks of a receiver: 200 for a right signature, 401 otherwise.
func (b *Inbox) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, false)
		return
	}
	letter := b.read(r, body)
	b.keep(letter)
	b.config.Log.InfoContext(r.Context(), "callback received by the demo's inbox", "receiver", letter.Receiver,
		"tracking_code", letter.TrackingCode, "status", letter.Status, "is_signature_right", letter.IsHashRight)
	if !letter.IsHashRight {
		answer(w, http.StatusUnauthorized, false)
		return
	}
	answer(w, http.StatusOK, true)
}

func answer(w http.ResponseWriter, status int, success bool) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]bool{"success": success}) // the sender has gone: nothing to be done
}

// callback is what the inbox reads of a payload.
type callback struct {
	TrackingCode string      `json:"tracking_code"`
	Status       string      `json:"status"`
	Amount       json.Number `json:"amount"`
	Timestamp    int64       `json:"timestamp"`
	Hash         string      `json:"hash"`
}

func (b *Inbox) read(r *http.Request, body []byte) Letter {
	l := Letter{At: b.config.Now(), CallbackID: r.Header.Get("X-Callback-Id"), Body: string(body), Times: 1}
	var c callback
	if err := json.Unmarshal(body, &c); err != nil {
		l.Problem = "The body is not JSON."
		return l
	}
	l.TrackingCode, l.Status, l.Amount = c.TrackingCode, c.Status, c.Amount.String()
	receiver, err := b.config.Receiver(r.Context(), r.Header.Get("X-Api-Key"))
	if err != nil {
		l.Problem = "X-Api-Key is not known."
		return l
	}
	l.Receiver, l.HasHook = receiver.Name, !receiver.WebhookSecret.IsZero()
	stamp, hash := r.Header.Get("X-Timestamp"), r.Header.Get("X-Hash")
	isSame := stamp == strconv.FormatInt(c.Timestamp, 10) && hash == c.Hash
	l.IsHashRight = isSame && sign.Matches(hash, receiver.APIKey, receiver.SecretKey.Reveal(), c.TrackingCode, c.Status, stamp)
	want := sign.Webhook(receiver.WebhookSecret.Reveal(), r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
	l.IsHookRight = l.HasHook && hasSignature(r.Header.Get("webhook-signature"), want)
	if !isSame {
		l.Problem = "The body's timestamp or hash differs from the headers."
	}
	return l
}

// hasSignature looks for the wanted one among those of a header: after a rotation there are two.
func hasSignature(header, want string) (ok bool) {
	for _, signature := range strings.Fields(header) {
		ok = subtle.ConstantTimeCompare([]byte(want), []byte(signature)) == 1 || ok
	}
	return ok
}

// keep puts a letter on top. One that came before is the same letter again: it is counted, as a receiver that looks at
// X-Callback-Id would.
func (b *Inbox) keep(l Letter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, old := range b.letters {
		if l.CallbackID != "" && old.CallbackID == l.CallbackID {
			l.Times = old.Times + 1
			b.letters = append(b.letters[:i], b.letters[i+1:]...)
			break
		}
	}
	b.letters = append([]Letter{l}, b.letters[:min(len(b.letters), maxLetters-1)]...)
}

// Letters returns what has come, newest first.
func (b *Inbox) Letters() []Letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Letter(nil), b.letters...)
}

func (b *Inbox) show(w http.ResponseWriter, _ *http.Request) { b.render(w, "page") }
func (b *Inbox) list(w http.ResponseWriter, _ *http.Request) { b.render(w, "letters") }

func (b *Inbox) render(w http.ResponseWriter, name string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	data := struct {
		Path    string
		Letters []Letter
		Zone    *time.Location
	}{Path, b.Letters(), b.config.Zone}
	if err := b.page.ExecuteTemplate(w, name, data); err != nil {
		b.config.Log.Warn("showing the inbox", "error", err)
	}
}

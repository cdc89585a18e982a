package paypage

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

//go:embed templates
var templateFiles embed.FS

// parseShells makes a template of each file, inside the layout that all share.
func parseShells() map[string]*template.Template {
	layout := template.Must(template.ParseFS(templateFiles, "templates/layout.html", "templates/parts.html"))
	shells := map[string]*template.Template{}
	for _, name := range []string{
		"amount", "pay", "checking", "completed", "canceled", "expired", "failure",
		"card", "pick", "none", "waiting", "details", "lapsed", "failed", "refunded", "leave",
	} {
		own := template.Must(layout.Clone())
		shells[name] = template.Must(own.ParseFS(templateFiles, path.Join("templates", name+".html")))
	}
	return shells
}

// write renders a whole page before the first byte of it is sent.
func (h *handler) write(w http.ResponseWriter, r *http.Request, status int, shell string, content any) {
	var out bytes.Buffer
	if err := h.shells[shell].ExecuteTemplate(&out, "layout", content); err != nil {
		h.log(r, fault.E("paypage.write", fault.Internal, err), w)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	allowStyle(w.Header(), content)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // the customer left: nobody to tell
}

// liveState is the answer to the script's question.
type liveState struct {
	Status      string `json:"status"`
	Page        string `json:"page"`          // changes when the page would
	ExpiresInMS *int64 `json:"expires_in_ms"` // null: time does not matter
}

// state tells the script where the payment stands.
func (h *handler) state(w http.ResponseWriter, r *http.Request) {
	shown, err := h.stateOf(r)
	if err != nil {
		h.log(r, err, w)
		w.WriteHeader(failureOf(err).status)
		return
	}
	answer := liveState{Status: string(shown.Payment.Status), Page: shown.Key}
	if shown.HasClock() {
		left := shown.LeftMS()
		answer.ExpiresInMS = &left
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // as in write
}

// stateOf is the frame of what the page would show.
func (h *handler) stateOf(r *http.Request) (frame, error) {
	v, err := h.view(r, h.Deposits.State)
	if err != nil {
		return frame{}, err
	}
	if !isAtGateway(v.Payment) {
		return h.newPage(r, v).frame, nil
	}
	p, err := h.gatewayState(r)
	return p.frame, err
}

// failure is how a fault is shown.
type failure struct {
	status int
	name   string // its sentences are failure.<name>.title and .text
}

// failures is the page's one table from fault codes to answers.
var failures = map[fault.Code]failure{
	fault.NotFound:         {http.StatusNotFound, "missing"},
	fault.MethodNotAllowed: {http.StatusMethodNotAllowed, "method"},
	fault.Invalid:          {http.StatusBadRequest, "form"},
	fault.BodyTooLarge:     {http.StatusRequestEntityTooLarge, "form"},
	fault.CrossSite:        {http.StatusForbidden, "origin"},
	fault.Unavailable:      {http.StatusServiceUnavailable, "busy"},
	fault.Frozen:           {http.StatusServiceUnavailable, "busy"},
	fault.GatewayUnusable:  {http.StatusBadGateway, "gateway"},
	fault.Conflict:         {http.StatusServiceUnavailable, "busy"}, // lost every race: as good as busy
}

func failureOf(err error) failure {
	if f, ok := failures[fault.CodeOf(err)]; ok {
		return f
	}
	return failure{http.StatusInternalServerError, "internal"}
}

// failurePage is what the template of failures shows.
type failurePage struct {
	words
	Name      string
	Refresh   int
	RequestID string
	Assets    *assets

	token  string
	chosen lang.Tag
}

// Self is the payment's page; it is given whether or not there is such a payment. StateURL is asked only when busy.
func (f failurePage) Self() string { return address(f.token, "", f.chosen, nil) }

// StateURL is where the script asks whether the page is back.
func (f failurePage) StateURL() string { return address(f.token, "state", f.chosen, nil) }

// HasPage reports whether there may be a payment's page to go to. Whoever came back from a gateway can only come again.
func (f failurePage) HasPage() bool { return f.token != "" && f.Name != "missing" }

// busySeconds is how soon a page that failed for a passing reason tries again.
const busySeconds = 5

// fail answers with a page that says what went wrong in words for customers.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	h.log(r, err, w)
	failed := failureOf(err)
	content := failurePage{
		words: words{Lang: guessLanguage(r), zone: h.Zone}, Name: failed.name, Assets: h.assets,
		token: r.PathValue("token"), chosen: chosenLanguage(r),
	}
	switch failed.status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", strconv.Itoa(busySeconds))
		content.Refresh = busySeconds
		if content.token == "" {
			content.Name, content.Refresh = "return", 0
		}
	case http.StatusInternalServerError:
		content.RequestID = w.Header().Get("X-Request-Id")
	}
	h.write(w, r, failed.status, "failure", content)
}

// guessLanguage is the language of a page about no payment that could say.
func guessLanguage(r *http.Request) lang.Tag {
	if chosen := chosenLanguage(r); chosen != "" {
		return chosen
	}
	return lang.FromHeader(r.Header.Get("Accept-Language"), lang.TR)
}

// log keeps what staff have to know of: faults of ours, not the requests that we refuse.
func (h *handler) log(r *http.Request, err error, w http.ResponseWriter) {
	if failureOf(err).status < http.StatusInternalServerError || r.Context().Err() != nil {
		return
	}
	h.Log.LogAttrs(r.Context(), slog.LevelError, "payment page",
		slog.String("path", strings.TrimSpace(r.Pattern)), slog.String("fault", string(fault.CodeOf(err))),
		slog.String("error", logged(err, r)), slog.String("request_id", w.Header().Get("X-Request-Id")))
}

package apidoc_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
)

// baseURL is the installation that the page is served by.
const baseURL = "https://odeme.test"

// patience bounds what a test waits for in a browser: only a failing test waits so long.
const patience = 60 * time.Second

func handler() http.Handler {
	edge := &rest.Edge{Log: slog.New(slog.DiscardHandler), Now: time.Now, Random: rand.Reader}
	root := rest.Routes()
	root.Use(edge.Handler)
	root.Mount(apidoc.Path, apidoc.New(baseURL))
	return root
}

func get(t *testing.T, path, etag string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("If-None-Match", etag)
	w := httptest.NewRecorder()
	handler().ServeHTTP(w, r)
	if strings.HasPrefix(path, "/docs/openapi.") {
		apidoctest.Load(t).Check(t, r, nil, w.Result(), w.Body.Bytes())
	}
	return w
}

func TestFilesAreServed(t *testing.T) {
	t.Parallel()
	for path, contentType := range map[string]string{
		"/docs/reference": "text/html; charset=utf-8", "/docs/en/reference": "text/html; charset=utf-8", "/docs/tr/reference": "text/html; charset=utf-8",
		"/docs/openapi.json": "application/json; charset=utf-8", "/docs/openapi.tr.json": "application/json; charset=utf-8",
		"/docs/reference/page.css": "text/css; charset=utf-8", "/docs/reference/page.js": "text/javascript; charset=utf-8",
		"/docs/reference/redoc.standalone.js": "text/javascript; charset=utf-8",
	} {
		w := get(t, path, "")
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || w.Header().Get("Content-Type") != contentType || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if !strings.Contains(policy, "default-src 'none'; script-src 'self';") || strings.Contains(policy, "http") {
			t.Errorf("%s: policy %s", path, policy)
		}
		if isZipped := w.Header().Get("Content-Encoding") == "gzip"; isZipped != strings.Contains(path, "redoc") || isZipped && !bytes.HasPrefix(w.Body.Bytes(), []byte{0x1f, 0x8b}) {
			t.Errorf("%s: compressed %t: %.20x", path, isZipped, w.Body.Bytes())
		}
		if again := get(t, path, w.Header().Get("ETag")); again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s a second time: %d", path, again.Code)
		}
	}
	for _, path := range []string{"/docs/nothing", "/docs/openapi.yaml", "/docs/openapi.tr.yaml", "/docs/de/reference", "/docs/assets/", "/docs/reference/page.html", "/docs/LICENSE"} {
		if w := get(t, path, ""); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestTheReferenceIsInTheReadersLanguage, and in English where that is unknown; each language leads to the other.
func TestTheReferenceIsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{"": "en", "de": "en", "en-GB, tr;q=0.5": "en", "tr-TR,tr;q=0.9,en;q=0.8": "tr"} {
		r := httptest.NewRequest(http.MethodGet, "/docs/reference", nil)
		r.Header.Set("Accept-Language", accept)
		w := httptest.NewRecorder()
		handler().ServeHTTP(w, r)
		if w.Body.String() != get(t, "/docs/"+want+"/reference", "").Body.String() || w.Header().Get("Vary") != "Accept-Language" {
			t.Errorf("%q: not in %s", accept, want)
		}
	}
	for tag, needs := range map[string][]string{
		"en": {`<html lang="en">`, `href="/docs/tr/reference" lang="tr"`, `data-openapi="/docs/openapi.json"`, `href="/docs/en"`},
		"tr": {`<html lang="tr">`, `href="/docs/en/reference" lang="en"`, `data-openapi="/docs/openapi.tr.json"`, `href="/docs/tr"`},
	} {
		page := get(t, "/docs/"+tag+"/reference", "").Body.String()
		for _, part := range needs {
			if !strings.Contains(page, part) {
				t.Errorf("the page in %s lacks %s", tag, part)
			}
		}
	}
}

// TestTheDescriptionNamesWhoServesIt: a client that is made from it calls the installation that it was read from.
func TestTheDescriptionNamesWhoServesIt(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs/openapi.json", "/docs/openapi.tr.json"} {
		var described struct {
			Servers []struct {
				URL string `json:"url"`
			} `json:"servers"`
		}
		if err := json.Unmarshal(get(t, path, "").Body.Bytes(), &described); err != nil {
			t.Fatal(err)
		}
		if len(described.Servers) != 1 || described.Servers[0].URL != baseURL {
			t.Errorf("the servers of %s are %+v", path, described.Servers)
		}
	}
}

// visit is what a browser did while it showed the page.
type visit struct {
	mu      sync.Mutex
	sent    map[network.RequestID]string // requests to other hosts
	errored []string
}

func (v *visit) listen(base string) func(any) {
	return func(event any) {
		v.mu.Lock()
		defer v.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			url := e.Request.URL
			if !strings.HasPrefix(url, base) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
				v.sent[e.RequestID] = url
			}
		case *network.EventLoadingFailed:
			if e.BlockedReason == network.BlockedReasonCsp {
				delete(v.sent, e.RequestID) // refused before it left
			}
		case *runtime.EventExceptionThrown:
			v.errored = append(v.errored, e.ExceptionDetails.Text)
		}
	}
}

func TestBrowserThePageIsReadableAndAsksNoOtherHost(t *testing.T) {
	t.Parallel()
	path := os.Getenv("VEZNE_TEST_CHROMIUM")
	if path == "" {
		t.Fatal(errors.New("VEZNE_TEST_CHROMIUM does not name a Chromium: run the tests with `make test-all`, which provides one"))
	}
	server := httptest.NewServer(handler())
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	v := &visit{sent: map[network.RequestID]string{}}
	if err := chromedp.Listen(ctx, v.listen(server.URL)); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/docs/en/reference")); err != nil {
		t.Fatal(err)
	}
	until(ctx, t, has("h1", "Vezne API"))
	until(ctx, t, has("h2", "Start a manual bank deposit"))
	until(ctx, t, has("h2", "A withdrawal has ended"))
	until(ctx, t, has("h2", "For dealers")+" && "+has("h2", "Send money from a wallet")+" && "+has("h2", "A dealer's own card payment has ended"))
	until(ctx, t, search("withdrawal")+" && "+has(`[data-role="search:results"]`, "Start an E-IBAN withdrawal")) // by Redoc's worker
	until(ctx, t, sectionsAreThere)
	until(ctx, t, `shown().join() === names.join()`)
	// The switch leads to the same section in the other language. Its English name leads there, too; Redoc has another one.
	until(ctx, t, `location.hash = "#section/For-dealers", document.getElementById("other").click(), true`)
	until(ctx, t, `document.documentElement.lang === "tr" && `+has("h2", "Manuel banka yatırması başlatın")+" && "+has("h2", "Bir çekim bitti"))
	until(ctx, t, `location.hash === "#section/Bayiler-icin"`)
	until(ctx, t, has("button", "İstek örnekleri")+" || "+has("h3", "İstek örnekleri")) // Redoc's own words
	until(ctx, t, `names.length === shown().length`)
	until(ctx, t, `getComputedStyle(document.querySelector("#reader h5")).textTransform === "none"`)
	until(ctx, t, search("manuel")+" && "+has(`[data-role="search:results"]`, "Manuel banka çekimi başlatın"))
	until(ctx, t, sectionsAreThere)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(360, 800)); err != nil {
		t.Fatal(err)
	}
	until(ctx, t, `document.documentElement.scrollWidth === 360`)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.sent) > 0 || len(v.errored) > 0 {
		t.Errorf("requests elsewhere: %v, errors: %v", v.sent, v.errored)
	}
}

// sectionsAreThere is an expression that reports whether each link within the description leads to something.
const sectionsAreThere = `((links) => links.length > 5 && links.every((link) => {
	const name = decodeURIComponent(link.getAttribute("href").slice(1));
	return [...document.querySelectorAll("[data-item-id]")].some((item) => item.dataset.itemId === name);
}))([...document.querySelectorAll('#reader p a[href^="#section/"], #reader li a[href^="#section/"], #reader td a[href^="#section/"]')])`

// has is an expression that reports whether an element with a text is there.
func has(selector, text string) string {
	return fmt.Sprintf("[...document.querySelectorAll(%q)].some(e => e.innerText.includes(%q))", selector, text)
}

// search is an expression that types into the search field, as React sees it; again if the page was drawn anew.
func search(text string) string {
	return fmt.Sprintf(`((field) => {
		if (field.value === "") {
			Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, %q);
			field.dispatchEvent(new Event("input", {bubbles: true}));
		}
		return true;
	})(document.querySelector("input.search-input"))`, text)
}

// until waits for an expression to be true.
func until(ctx context.Context, t *testing.T, expression string) {
	t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("not within %s: %s", patience, expression)
		}
	}
}

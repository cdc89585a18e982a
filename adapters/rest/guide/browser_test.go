package guide_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/console/axe"
)

// patience bounds what a test waits for in a browser: only a failing test waits so long.
const patience = 60 * time.Second

// tab is a browser's, in front of the guide.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string
}

func openTab(t *testing.T) *tab {
	t.Helper()
	path := os.Getenv("VEZNE_TEST_CHROMIUM")
	if path == "" {
		t.Fatal(errors.New("VEZNE_TEST_CHROMIUM does not name a Chromium: run the tests with `make test-all`, which provides one"))
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler())
	mux.Handle("/testdata/", http.FileServer(http.Dir("."))) // a module that a test imports
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 5*patience)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		// A name that is not localhost is no secure context over plain http, like an operator's own network.
		chromedp.Flag("host-resolver-rules", "MAP insecure.test 127.0.0.1"))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, base: server.URL}
	b.do()
	b.watch()
	return b
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// watch fails the test when a page throws, or breaks its own Content-Security-Policy.
func (b *tab) watch() {
	messages := chromedp.Console(b.ctx)
	var mu sync.Mutex
	var faults []string
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			// What a test asks for itself, and what a browser says of every page over plain http.
			isProbe := slices.ContainsFunc([]string{"Fetch API cannot load", "Connecting to", "Opener-Policy header has been ignored"}, func(of string) bool {
				return strings.Contains(m.String(), of)
			})
			if (m.IsException() || m.Type == chromedp.ConsoleError) && !isProbe {
				mu.Lock()
				faults = append(faults, m.String())
				mu.Unlock()
			}
		}
	}()
	b.t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, fault := range faults {
			b.t.Errorf("the page says: %s", fault)
		}
	})
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return got
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			b.t.Fatalf("not within %s: %s", patience, expression)
		}
	}
}

func (b *tab) inTheDark() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}); err != nil {
		b.t.Fatal(err)
	}
}

// htmlPages are the guide's, by their paths.
func htmlPages(t *testing.T) (paths []string) {
	t.Helper()
	for path, text := range crawl(t, handler()) {
		if strings.HasPrefix(path, "/docs/") && !isReference(path) && strings.HasPrefix(text, "<!doctype html>") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// TestBrowserEveryPageCanBeRead: axe-core finds nothing wrong with any page, and none scrolls sideways on a phone. On a phone and in the dark, axe-core looks at those that have a part of each kind.
func TestBrowserEveryPageCanBeRead(t *testing.T) {
	t.Parallel()
	b := openTab(t)
	for _, path := range htmlPages(t) {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(b.base+path))
		b.axe(path)
		b.do(chromedp.EmulateViewport(360, 800))
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s is %d px wide on 360", path, wide)
		}
	}
	b.inTheDark()
	for _, path := range []string{"/docs/en/callbacks", "/docs/en/going-live", "/docs/tr/dealers", "/docs/en/signatures#menu"} {
		b.do(chromedp.Navigate(b.base + path))
		b.axe(path + " in the dark")
	}
}

func (b *tab) axe(page string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](axe.Script))
	for _, found := range eval[[]string](b, axe.Violations) {
		b.t.Errorf("%s: %s", page, found)
	}
}

// TestBrowserWhatIsWideScrollsByItself, and is reached by the keyboard; the menu of a phone opens without a script.
func TestBrowserWhatIsWideScrollsByItself(t *testing.T) {
	t.Parallel()
	b := openTab(t)
	b.do(chromedp.EmulateViewport(360, 640), chromedp.Navigate(b.base+"/docs/en/errors"))
	if !eval[bool](b, `[...document.querySelectorAll("table, pre")].every((e) => e.closest(".scroll")?.tabIndex === 0)`) {
		t.Error("a table or code can not be reached by the keyboard")
	}
	if !eval[bool](b, `[...document.querySelectorAll(".scroll")].some((e) => e.scrollWidth > e.clientWidth)`) {
		t.Error("nothing is wider than its box: the test looks at the wrong page")
	}
	shown := `getComputedStyle(document.getElementById("menu")).display !== "none"`
	if eval[bool](b, shown) {
		t.Error("the menu stands before the page")
	}
	b.do(chromedp.Navigate(b.base + "/docs/en/errors#menu"))
	if !eval[bool](b, shown) {
		t.Error("the menu does not open")
	}
}

// path is where the tab is, with query and fragment.
func (b *tab) path() string {
	b.t.Helper()
	return eval[string](b, `location.href.slice(location.origin.length)`)
}

package paypage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/core/payment"
)

// patience bounds what a test waits for in a browser. It is no measure of speed: only a failing test waits so long.
const patience = 60 * time.Second

// TestMain ends the one browser that all tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	chromium.stop()
	os.Exit(code)
}

// sharedBrowser is the process behind every tab; it starts with the first.
type sharedBrowser struct {
	once sync.Once
	ctx  context.Context
	stop context.CancelFunc
	err  error
}

var chromium = sharedBrowser{stop: func() {}}

func (b *sharedBrowser) start() {
	path := os.Getenv("VEZNE_TEST_CHROMIUM")
	if path == "" {
		b.err = errors.New("VEZNE_TEST_CHROMIUM does not name a Chromium: run the tests with `make test-all`, which provides one")
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// A name that is not localhost is no secure context over plain http, like a shop's own network.
		chromedp.Flag("host-resolver-rules", "MAP insecure.test 127.0.0.1,MAP bank.test 127.0.0.1"),
	)
	allocated, release := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocated)
	b.ctx, b.stop = ctx, func() { end(); release() }
	b.err = chromedp.Do(ctx)
}

// tab is one browser tab of a customer.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string // the payment's page
}

// device is what a customer has in the hand.
type device struct {
	width, height int64
	dark          bool
	noScript      bool
}

var (
	phone      = device{width: 390, height: 844}
	smallPhone = device{width: 360, height: 640}
	desktop    = device{width: 1280, height: 900}
)

// open opens a payment's page in a fresh browser profile.
func (s *stage) open(p payment.Payment, d device) *tab {
	s.t.Helper()
	chromium.once.Do(chromium.start)
	if chromium.err != nil {
		s.t.Fatal(chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	s.t.Cleanup(cancel)
	return s.tab(ctx, p, d)
}

// another opens a further tab in the same profile.
func (s *stage) another(b *tab, p payment.Payment, d device) *tab {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	s.t.Cleanup(cancel)
	return s.tab(ctx, p, d)
}

func (s *stage) tab(ctx context.Context, p payment.Payment, d device) *tab {
	s.t.Helper()
	b := &tab{t: s.t, ctx: ctx, url: s.server.URL + path(p)}
	if p.Status == payment.Showing && p.Account.AccountID == 0 && p.Method.Gateway() == "" {
		b.url = s.server.URL + form(p)
	}
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as the context of its first action
		s.t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(d.width, d.height))
	b.watch()
	b.emulate(d)
	b.visit(b.url)
	return b
}

// watch fails the test when a page throws, or breaks its own Content-Security-Policy. That an answer is missing is the
// test's own doing.
func (b *tab) watch() {
	messages := chromedp.Console(b.ctx)
	var mu sync.Mutex
	var faults []string
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if isFault := m.IsException() || m.Type == chromedp.ConsoleError; isFault && m.Source != "network" {
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

func (b *tab) emulate(d device) {
	b.t.Helper()
	scheme := "light"
	if d.dark {
		scheme = "dark"
	}
	must(chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		},
	}))(b.t)
	must(chromedp.Call(b.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))(b.t)
	must(chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: d.noScript}))(b.t)
}

// do runs actions, for as long as patience lasts.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.pathname + ' ' + document.body.innerText"))
		b.t.Fatalf("%v; the page is\n%s", err, text)
	}
}

func (b *tab) visit(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
}

// eval returns what an expression is worth in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true, over any number of pages.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && ok {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.title + '\\n' + document.body.innerText"))
			b.t.Fatalf("not within %s: %s (%v); the page is\n%s", patience, expression, err, text)
		}
	}
}

// shows waits for the page of a phase.
func (b *tab) shows(phase string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector("main.%s") !== null`, phase))
}

// click clicks what a selector finds, as a person would.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// typeAmount replaces what is in the amount field.
func (b *tab) typeAmount(text string) {
	b.t.Helper()
	b.do(chromedp.Clear(chromedp.CSS("#amount")), chromedp.SendKeys(chromedp.CSS("#amount"), text))
}

// tabTo presses Tab until what a selector finds has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	for range 20 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if eval[bool](b, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			return
		}
	}
	b.t.Fatalf("Tab does not lead to %s", selector)
}

// says waits until the page has a text, whatever its spaces.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.body.innerText.replace(/\s+/g, " ").includes(%q)`, text))
}

// mark leaves something behind that no reload survives, and isMarked finds it.
func (b *tab) mark() {
	b.t.Helper()
	eval[bool](b, `window.marked = true`)
}

func (b *tab) isMarked() bool {
	b.t.Helper()
	return eval[bool](b, `window.marked === true`)
}

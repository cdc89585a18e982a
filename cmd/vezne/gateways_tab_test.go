package main_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// sharedBrowser is the process behind every tab; it starts with the first.
type sharedBrowser struct {
	once sync.Once
	ctx  context.Context
	stop context.CancelFunc
	err  error
}

func (b *sharedBrowser) start() {
	path := os.Getenv("VEZNE_TEST_CHROMIUM")
	if path == "" {
		b.err = errors.New("VEZNE_TEST_CHROMIUM does not name a Chromium: run the tests with `make test-all`, which provides one")
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	allocated, release := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocated)
	b.ctx, b.stop = ctx, func() { end(); release() }
	b.err = chromedp.Do(ctx)
}

// close ends the browser, if it was started.
func (b *sharedBrowser) close() {
	if b.stop != nil {
		b.stop()
	}
}

// tab is a customer's browser tab, on a phone.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// The screen of a phone, in CSS pixels.
const phoneWidth, phoneHeight = 390, 844

// openTab opens an address in a fresh browser profile.
func openTab(t *testing.T, address string) *tab {
	t.Helper()
	shared.chromium.once.Do(shared.chromium.start)
	if shared.chromium.err != nil {
		t.Fatal(shared.chromium.err)
	}
	ctx, cancel := chromedp.NewContext(shared.chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(phoneWidth, phoneHeight))
	b.watch()
	b.reduceMotion()
	b.visit(address)
	return b
}

func (b *tab) reduceMotion() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// watch fails the test when a page throws, or breaks its own Content-Security-Policy. That a site has no icon is no fault.
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

// do runs actions.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) visit(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
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
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location + '\\n' + document.title + '\\n' + document.body.innerText"))
			b.t.Fatalf("not within %s: %s (%v); the page is\n%s", patience, expression, err, text)
		}
	}
}

// has waits until the page is whole and has what a selector finds.
func (b *tab) has(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q) !== null`, selector))
}

// shows waits for Vezne's page of a phase; it may come by itself.
func (b *tab) shows(phase string) {
	b.t.Helper()
	b.has("main.card." + phase)
}

// click clicks what a selector finds, as soon as it is there.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.has(selector)
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// fill types into fields, by their ids.
func (b *tab) fill(fields ...string) {
	b.t.Helper()
	for i := 0; i+1 < len(fields); i += 2 {
		b.has("#" + fields[i])
		b.do(chromedp.SendKeys(chromedp.CSS("#"+fields[i]), fields[i+1]))
	}
}

// shot keeps a picture of the page where VEZNE_TEST_SCREENSHOTS names a folder.
func (b *tab) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("VEZNE_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

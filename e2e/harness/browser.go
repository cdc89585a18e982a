package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/console/axe"
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

// Tab is a customer's browser tab, on a phone.
type Tab struct {
	T   *testing.T
	Ctx context.Context
}

// The screen of a phone, in CSS pixels.
const (
	PhoneWidth  = 390
	PhoneHeight = 844
)

// OpenTab opens an address in a fresh browser profile.
func OpenTab(t *testing.T, address string) *Tab {
	t.Helper()
	shared.chromium.once.Do(shared.chromium.start)
	if shared.chromium.err != nil {
		t.Fatal(shared.chromium.err)
	}
	ctx, cancel := chromedp.NewContext(shared.chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &Tab{T: t, Ctx: ctx}
	// The first action opens the tab, which lives as long as that action's context.
	if err := chromedp.Do(b.Ctx, chromedp.EmulateViewport(PhoneWidth, PhoneHeight)); err != nil {
		t.Fatal(err)
	}
	b.watch()
	b.reduceMotion()
	b.Visit(address)
	return b
}

func (b *Tab) reduceMotion() {
	b.T.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	if err != nil {
		b.T.Fatal(err)
	}
}

// watch fails the test when a page throws, or breaks its own Content-Security-Policy. That a site has no icon is no fault.
func (b *Tab) watch() {
	messages := chromedp.Console(b.Ctx)
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
	b.T.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, fault := range faults {
			b.T.Errorf("the page says: %s", fault)
		}
	})
}

// Do runs actions. One that waits for what does not come is given up in time.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.T.Fatal(err)
	}
}

// Visit opens an address. The end of a download may come between, which the browser calls an aborted navigation: it is opened again then.
func (b *Tab) Visit(address string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Navigate(address))
	for err != nil && strings.Contains(err.Error(), "net::ERR_ABORTED") && ctx.Err() == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(address))
	}
	if err != nil {
		b.T.Fatal(err)
	}
}

// Until waits for an expression to be true, over any number of pages.
func (b *Tab) Until(expression string) {
	b.T.Helper()
	until(b, expression, func(ok bool) bool { return ok })
}

// until waits for an expression to have a value that is wanted, and returns it.
func until[T any](b *Tab, expression string, isWanted func(T) bool) T {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
		if err == nil && isWanted(value) {
			return value
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			text, _ := chromedp.Run(b.Ctx, chromedp.Evaluate[string]("location + '\\n' + document.title + '\\n' + document.body.innerText"))
			b.T.Fatalf("not within %s: %s (%v); the page is\n%s", Patience, expression, err, text)
		}
	}
}

// Has waits until the page is whole and has what a selector finds.
func (b *Tab) Has(selector string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q) !== null`, selector))
}

// Shows waits for Vezne's page of a phase; it may come by itself.
func (b *Tab) Shows(phase string) {
	b.T.Helper()
	b.Has("main.card." + phase)
}

// Click clicks what a selector finds, as soon as it is there.
func (b *Tab) Click(selector string) {
	b.T.Helper()
	b.ClickOn(fmt.Sprintf("document.querySelector(%q)", selector))
}

// ClickOn clicks the element that an expression returns, once the page is whole, the element can be used and nothing covers it. The place
// is found anew for each try: a list that is drawn anew meanwhile has other elements. A click that finds something else at its place, since
// the page has moved in that moment, is made again.
func (b *Tab) ClickOn(element string) {
	b.T.Helper()
	for {
		at := until(b, fmt.Sprintf(`(() => {
			const find = () => %s;
			const e = find();
			if (document.readyState !== "complete" || !e?.checkVisibility() || e.disabled) return [];
			e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
			const box = e.getClientRects()[0];
			const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
			const hit = document.elementFromPoint(x, y);
			if (!hit || !e.contains(hit) && !hit.contains(e)) return [];
			window.isPressed = false;
			addEventListener("pointerdown", (press) => { window.isPressed = press.target === hit || Boolean(find()?.contains(press.target)); },
				{capture: true, once: true});
			return [x, y];
		})()`, element), func(at []float64) bool { return len(at) == 2 })
		b.Do(chromedp.MouseClickXY(at[0], at[1]))
		isMissed, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool]("window.isPressed === false")) // the page that a click leads to does not know
		if err != nil || !isMissed {
			return
		}
	}
}

// Key types texts, each letter as a keyboard gives it: what a key goes down for and what it types reach the page as one event, so that a
// key that the page takes for itself types nothing into the field that the page shows upon it.
func (b *Tab) Key(texts ...string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	for _, letter := range strings.Join(texts, "") {
		strokes := kb.Encode(letter)
		down, up := strokes[0], strokes[len(strokes)-1]
		down.Text, down.UnmodifiedText = strokes[len(strokes)-2].Text, strokes[len(strokes)-2].UnmodifiedText
		for _, stroke := range []*input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, *stroke); err != nil {
				b.T.Fatal(err)
			}
		}
	}
}

// Fill types into fields, by their ids.
func (b *Tab) Fill(fields ...string) {
	b.T.Helper()
	for i := 0; i+1 < len(fields); i += 2 {
		b.Has("#" + fields[i])
		b.Do(chromedp.SendKeys(chromedp.CSS("#"+fields[i]), fields[i+1]))
	}
}

// Violations are what axe-core finds wrong with the page as it is.
func (b *Tab) Violations() []string {
	b.T.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](axe.Script))
	found, err := chromedp.Run(b.Ctx, chromedp.Evaluate[[]string](axe.Violations, chromedp.EvalAwaitPromise))
	if err != nil {
		b.T.Fatal(err)
	}
	return found
}

// Shot keeps a picture of the page where VEZNE_TEST_SCREENSHOTS names a folder.
func (b *Tab) Shot(name string) {
	b.T.Helper()
	dir := os.Getenv("VEZNE_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(b.Ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)
	}
	if err != nil {
		b.T.Error(err)
	}
}

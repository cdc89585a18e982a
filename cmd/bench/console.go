package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/chromedp/chromedp"
)

// pageTimeout bounds one page of the console.
const pageTimeout = 30 * time.Second

// shownLists are what the console's list of transactions is narrowed to and sorted by, as its address says it.
var shownLists = []struct {
	name string
	of   func(s sample) url.Values
}{
	{"nothing", func(sample) url.Values { return url.Values{} }},
	{"status", func(s sample) url.Values { return url.Values{"status": {s.status}} }},
	{"method, by amount", func(s sample) url.Values { return url.Values{"method": {s.method}, "sort": {"AMOUNT_DESC"}} }},
	{"created on a day", func(s sample) url.Values {
		day := s.created.Format(time.DateOnly)
		return url.Values{"from": {day}, "until": {day}}
	}},
	{"amount", func(s sample) url.Values { return url.Values{"min": {fmt.Sprintf("%d.00", s.amount/100+1)}} }},
	{"name", func(s sample) url.Values { return url.Values{"q": {s.name}} }},
	{"tracking code", func(s sample) url.Values { return url.Values{"q": {s.code}} }},
}

// shown is when the list has its rows, or says that there are none, in milliseconds since the page was asked for.
const shown = `new Promise((done) => {
	const look = () => document.querySelector("main a.row, main .state:not(.waiting)") ? done(Math.ceil(performance.now())) : requestAnimationFrame(look);
	look();
})`

// console measures first pages of the console's list in a browser that has its files: from the address to the rows on the screen.
func (v *installation) console(ctx context.Context, samples []sample) error {
	path := os.Getenv("VEZNE_TEST_CHROMIUM")
	if path == "" {
		return errors.New("VEZNE_TEST_CHROMIUM names no browser: run `make bench`")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, release := chromedp.NewExecAllocator(ctx, options...)
	defer release()
	ctx, end := chromedp.NewContext(ctx)
	defer end()
	err := chromedp.Do(ctx) // starts the browser, which ends with the context of its first use
	if err == nil {
		err = v.signInAt(ctx)
	}
	if err != nil {
		return fmt.Errorf("signing in to the console: %w", err)
	}
	for _, list := range shownLists {
		var all result
		for _, s := range samples {
			page, cancel := context.WithTimeout(ctx, pageTimeout)
			err := chromedp.Do(page, chromedp.Navigate(v.keys.BaseURL+"/console/transactions?"+list.of(s).Encode()))
			var took int64
			if err == nil {
				took, err = chromedp.Run(page, chromedp.Evaluate[int64](shown, chromedp.EvalAwaitPromise))
			}
			cancel()
			if err != nil {
				return fmt.Errorf("the console's list by %s: %w", list.name, err)
			}
			all.took = append(all.took, time.Duration(took)*time.Millisecond)
		}
		slices.Sort(all.took)
		fmt.Printf("  in a browser, by %-24s p50 %8s  p95 %8s\n", list.name, all.percentile(50), all.percentile(95))
	}
	return nil
}

func (v *installation) signInAt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	admin, err := v.keys.admin()
	if err != nil {
		return err
	}
	return chromedp.Do(ctx,
		chromedp.Navigate(v.keys.BaseURL+"/console"),
		chromedp.SendKeys(chromedp.CSS("#email"), admin.Email),
		chromedp.SendKeys(chromedp.CSS("#password"), admin.Password+"\r"),
		chromedp.WaitVisible(chromedp.CSS("nav#navigation")),
	)
}

package paypage_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// TestBrowserDepositToTheEnd: a customer on a phone pays, and sees the staff's decision without a reload.
func TestBrowserDepositToTheEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ lang, pay, checking, completed string }{
		{"tr", "300,50 ₺ gönderin", "Ödemeniz kontrol ediliyor", "Ödemeniz tamamlandı 280,00 ₺"},
		{"en", "Send ₺300.50", "We are checking your payment", "Your payment is complete ₺280.00"},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			p := s.deposit()
			b := s.open(p, phone)
			b.visit(b.url + "&lang=" + tt.lang)
			b.typeAmount("300,50")
			b.click("main .primary")
			b.shows("pay")
			b.says(tt.pay)
			b.click("main .primary")
			b.shows("checking")
			b.says(tt.checking)
			if now := s.Reload(t, p); now.Status != payment.Processing || !now.Amount.Equal(money.New(30050, money.TRY)) {
				t.Fatalf("now %s %s", now.Status, now.Amount)
			}
			b.mark()
			s.approve(p, lira(280))
			b.shows("completed")
			b.says(tt.completed)
			if !b.isMarked() {
				t.Error("the page was reloaded")
			}
			if title := eval[string](b, `document.title`); !strings.HasPrefix(tt.completed, strings.Split(title, " · ")[0]) {
				t.Errorf("the title is still %s", title)
			}
			b.until(`document.getElementById("live").textContent === document.querySelector("h1").textContent`)
		})
	}
}

// TestBrowserFocusFollows: a customer whose focus was on what goes away finds it on the new heading.
func TestBrowserFocusFollows(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.claimed()
	b := s.open(p, desktop)
	b.shows("checking")
	b.tabTo("summary")
	s.approve(p, money.Amount{})
	b.shows("completed")
	b.until(`document.activeElement === document.querySelector("h1")`)
}

// TestBrowserExpiresLive: the page of an offer, and the amount form, end by themselves when the time is over.
func TestBrowserExpiresLive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	offer, form := s.offered(), s.deposit()
	pay, amount := s.open(offer, phone), s.open(form, phone)
	pay.shows("pay")
	amount.shows("amount")
	pay.mark()
	amount.mark()
	s.expire()
	pay.shows("expired")
	amount.shows("expired")
	pay.says(offer.TrackingCode)
	if !pay.isMarked() || !amount.isMarked() {
		t.Error("a page was reloaded")
	}
	if eval[bool](pay, `document.body.innerText.includes("TR")`) {
		t.Error("the account is still there")
	}
}

// TestBrowserCountdown: it runs, by the server's clock, and turns urgent.
func TestBrowserCountdown(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.open(s.offered(), phone)
	b.until(`/^29:5\d$/.test(document.querySelector(".left b").textContent)`)
	b.until(`!document.querySelector(".clock").classList.contains("soon")`)
	s.Clock.Advance(25 * 60e9)
	b.until(`/^4:5\d$/.test(document.querySelector(".left b").textContent)`)
	b.until(`document.querySelector(".clock").classList.contains("soon")`)
}

// TestBrowserCancel: in two steps, from the offer.
func TestBrowserCancel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	b := s.open(p, phone)
	b.click("summary")
	b.click(".danger")
	b.shows("canceled")
	if now := s.Reload(t, p); now.Status != payment.Canceled {
		t.Errorf("now %s", now.Status)
	}
}

// TestBrowserChangeAmount: forth and back, and a refused amount on the way.
func TestBrowserChangeAmount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	b := s.open(p, phone)
	b.click(".lead a")
	b.shows("amount")
	b.click("a.quiet")
	b.shows("pay")
	b.click(".lead a")
	b.shows("amount")
	b.typeAmount("1.250")
	b.click(".primary")
	b.until(`document.activeElement !== null && document.activeElement.id === "amount"`)
	if typed := eval[string](b, `document.getElementById("amount").value`); typed != "1.250" {
		t.Errorf("the ambiguous 1.250 is given back as %q", typed)
	}
	b.typeAmount("1250")
	b.click(".primary")
	b.says("Send ₺1,250.00")
}

// TestBrowserNothingIsSwappedWhileTyping: the amount form stays as it is, whatever another tab does, until the end.
func TestBrowserNothingIsSwappedWhileTyping(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	b := s.open(p, phone)
	b.typeAmount("4")
	must(s.Deposits.Continue(t.Context(), p, lira(10)))(t)
	eval[bool](b, `new Promise((done) => {
		const ask = window.fetch;
		window.fetch = async (...of) => { const answer = await ask(...of); setTimeout(() => done(true), 100); return answer; };
	})`)
	b.shows("amount")
	b.do(chromedp.SendKeys(chromedp.CSS("#amount"), "44"))
	b.click(".primary")
	b.says("Send ₺444.00")
}

// TestBrowserCopy: each button puts the right text on the clipboard and says so, with the modern way and with the old one.
func TestBrowserCopy(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: money.New(125050, money.TRY)})
	p = must(s.Deposits.Continue(t.Context(), p, p.Amount))(t)
	b := s.open(p, phone)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		must(chromedp.CallBrowser(b.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
			Origin: s.server.URL, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
		}))(t)
	}
	insecure := s.another(b, p, phone)
	insecure.visit(strings.Replace(insecure.url, "127.0.0.1", "insecure.test", 1))
	if eval[bool](insecure, `isSecureContext`) {
		t.Fatal("insecure.test is a secure context")
	}
	wanted := []struct{ selector, text string }{
		{`.sum [data-copy]`, "1250.50"},
		{`.facts div:nth-child(1) [data-copy]`, p.Account.IBAN},
		{`.facts div:nth-child(2) [data-copy]`, p.Account.Holder},
		{`.code [data-copy]`, p.TrackingCode},
	}
	for _, from := range []*tab{b, insecure} {
		for _, want := range wanted {
			from.click(want.selector)
			from.until(`document.querySelector("` + want.selector + ` .label").textContent === "Copied"`)
			from.until(`document.getElementById("live").textContent.endsWith(": Copied")`)
			if got := eval[string](b, `navigator.clipboard.readText()`); got != want.text {
				t.Errorf("%s copies %q, want %q", want.selector, got, want.text)
			}
			eval[bool](from, `(document.getElementById("live").textContent = "", true)`)
		}
	}
}

// TestBrowserPlainHTTP: where browsers send no Sec-Fetch-Site and hide the origin, forms work all the same.
func TestBrowserPlainHTTP(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	b := s.open(p, phone)
	b.visit(strings.Replace(b.url, "127.0.0.1", "insecure.test", 1))
	b.click(".primary")
	b.shows("pay")
}

// TestBrowserWithoutScript: the whole flow works with JavaScript switched off, and the page still moves on by itself.
func TestBrowserWithoutScript(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	d := phone
	d.noScript = true
	p := s.deposit()
	b := s.open(p, d)
	b.shows("amount")
	b.typeAmount("abc")
	b.click(".primary")
	b.says("We could not read this amount.")
	b.typeAmount("300")
	b.click(".primary")
	b.shows("pay")
	b.says("Until 12:30 (GMT+3)")
	if eval[string](b, `getComputedStyle(document.querySelector(".copy")).visibility`) != "hidden" {
		t.Error("there are copy buttons that cannot work")
	}
	b.click(".primary")
	b.shows("checking")
	s.approve(p, money.Amount{})
	b.shows("completed")

	canceled := s.offered()
	b.visit(s.server.URL + path(canceled))
	b.click("summary")
	b.click(".danger")
	b.shows("canceled")
}

// TestBrowserKeyboard: everything can be reached and done with the keyboard alone.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	b := s.open(p, desktop)
	b.tabTo("#amount")
	b.do(chromedp.KeyEvent("275"), chromedp.KeyEvent(kb.Enter))
	b.shows("pay")
	b.says("Send ₺275.00")
	b.tabTo("[data-copy]")
	b.tabTo(".lead a")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.shows("amount")
	b.tabTo("#amount")
	b.do(chromedp.KeyEvent("290"), chromedp.KeyEvent(kb.Enter))
	b.says("Send ₺290.00")
	b.tabTo(".primary")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.shows("checking")
	b.tabTo("summary")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.tabTo(".danger")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.shows("canceled")
}

// TestBrowserTwoTabs: a change in one tab shows in the other; a press on outdated details does nothing but say so.
func TestBrowserTwoTabs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	first := s.open(p, phone)
	old := phone
	old.noScript = true
	second := s.another(first, p, old) // without a script, so that it stays as it is
	second.shows("pay")

	must(s.Deposits.Continue(t.Context(), p, lira(400)))(t)
	first.says("Send ₺400.00")
	second.click(".primary")
	second.says("The payment’s details were changed in another tab")
	second.says("Send ₺400.00")

	s.approve(p, money.Amount{})
	first.shows("completed")
	second.click(".primary")
	second.shows("completed")
	second.says("Your payment had moved on before you pressed the button")
}

// TestBrowserBack: Back shows the current state, and never asks to send a form again.
func TestBrowserBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	b := s.open(p, phone)
	b.visit(s.server.URL + path(p))
	b.shows("pay")
	b.click(".primary")
	b.shows("checking")
	b.do(chromedp.NavigateBack())
	b.shows("checking")
	b.do(chromedp.Reload())
	b.shows("checking")
	s.approve(p, money.Amount{})
	b.shows("completed")
	b.do(chromedp.NavigateForward())
	b.shows("completed")
	if moves := must(s.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage}))(t); len(moves) != 3 {
		t.Errorf("want offer, claim and approval, got %+v", moves)
	}
}

// TestBrowserNoticeIsSaidOnce: a reload does not repeat what was said about a press.
func TestBrowserNoticeIsSaidOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.open(s.offered(), phone)
	b.visit(b.url + "?notice=stale&lang=en")
	b.says("Your payment had moved on")
	b.until(`document.getElementById("live").textContent.startsWith("Your payment had moved on")`)
	b.do(chromedp.Reload())
	b.until(`!document.querySelector(".notice") && location.search === "?lang=en"`)
}

// TestBrowserOutageHeals: an open page says that it has no connection and goes on by itself; so does one that could not load.
func TestBrowserOutageHeals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.claimed()
	open := s.open(p, phone)
	open.shows("checking")
	s.fails(errOutage)
	open.says("No connection. Trying again…")
	late := s.open(p, phone)
	late.shows("failure")
	s.approve(p, money.Amount{})
	s.fails(nil)
	open.shows("completed")
	open.until(`document.getElementById("net").textContent === ""`)
	late.shows("completed")
}

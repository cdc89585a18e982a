package paypage_test

import (
	"testing"

	"github.com/vezne/vezne/core/payment"
)

// brokenWords are the words of the page that are split over lines although they would fit into one, and whether the page scrolls
// sideways. IBANs, addresses and links may be long.
const brokenWords = `(() => {
	const broken = [];
	if (document.documentElement.scrollWidth > innerWidth) broken.push("the page is " + document.documentElement.scrollWidth + " wide");
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node; (node = walk.nextNode());) {
		const holder = node.parentElement;
		if (holder.closest(".unseen, .mono, script, style, [hidden], .code") || !holder.checkVisibility({ checkVisibilityCSS: true })) continue;
		for (const word of node.textContent.matchAll(/[^\s]+/g)) {
			const range = document.createRange();
			range.setStart(node, word.index);
			range.setEnd(node, word.index + word[0].length);
			const lines = new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top)));
			const size = parseFloat(getComputedStyle(holder).fontSize);
			if (lines.size > 1 && word[0].length * size * .6 < innerWidth * .6) broken.push(word[0] + " in " + lines.size + " lines");
		}
	}
	return broken;
})()`

// TestBrowserTextOfTwiceTheSize: at 390 pixels and 200 % text (WCAG 1.4.4) nothing is cut off, no number and no short word is broken, and
// nothing needs to be scrolled sideways, on any page.
func TestBrowserTextOfTwiceTheSize(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.branded(whole())
	b := s.open(payment.Payment{Token: "nothing"}, phone)
	for name, address := range s.everyPage() {
		if name == "leave" {
			continue // it goes on by itself
		}
		for _, tag := range []string{"tr", "en"} {
			b.visit(s.server.URL + address + "lang=" + tag)
			eval[bool](b, `(document.documentElement.style.fontSize = "200%") !== "" && document.querySelectorAll("details").forEach((d) => { d.open = true; }) || true`)
			for _, word := range eval[[]string](b, brokenWords) {
				t.Errorf("%s in %s: %s", name, tag, word)
			}
		}
	}
}

// TestBrowserIBANIsOneLine: on a small phone an IBAN stands in one line, a click anywhere on its row copies it, and a tick says so.
func TestBrowserIBANIsOneLine(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.open(s.offered(), smallPhone)
	b.shows("pay")
	if lines := eval[int](b, `(() => { const r = document.createRange(); r.selectNodeContents(document.querySelector(".iban"));
		return new Set([...r.getClientRects()].map((one) => Math.round(one.top))).size; })()`); lines != 1 {
		t.Errorf("the IBAN stands in %d lines", lines)
	}
	b.click(".row:has(.iban) dt")
	b.until(`document.querySelector(".row .copy.done use").getAttribute("href") === "#tick"`)
}

// TestBrowserQRByDevice: on a phone, which is what pays, the code is closed; on a desktop it is there; a coin's is there on both.
func TestBrowserQRByDevice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const isSeen = `document.querySelector(".qr svg").checkVisibility({ contentVisibilityAuto: true }) && document.querySelector(".qr svg").getBoundingClientRect().height > 100`
	offer := s.offered()
	if eval[bool](s.open(offer, phone), isSeen) {
		t.Error("the code is open on a phone")
	}
	if !eval[bool](s.open(offer, desktop), isSeen) {
		t.Error("the code is closed on a desktop")
	}
	pages := s.atGateways()
	b := s.open(payment.Payment{Token: "nothing"}, phone)
	b.visit(s.server.URL + pages["crypto"])
	if !eval[bool](b, isSeen) {
		t.Error("the code of a coin is closed on a phone")
	}
}

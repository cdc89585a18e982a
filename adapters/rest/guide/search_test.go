package guide_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestTheSearchFinds(t *testing.T) {
	t.Parallel()
	said, err := exec.CommandContext(t.Context(), "node", "testdata/find.mjs").CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v:\n%s", err, said)
	}
}

// TestTheIndexLeadsToSections: each address is that of a heading, in the language of the index.
func TestTheIndexLeadsToSections(t *testing.T) {
	t.Parallel()
	h := handler()
	for _, tag := range []string{"en", "tr"} {
		w := ask(h, http.MethodGet, "/docs/"+tag+"/search.json")
		var sections [][4]string
		if err := json.Unmarshal(w.Body.Bytes(), &sections); err != nil || len(sections) < 100 || w.Body.Len() > 300_000 {
			t.Fatalf("%d sections in %d bytes: %v", len(sections), w.Body.Len(), err)
		}
		pages := map[string]string{}
		for _, s := range sections {
			path, anchor, _ := strings.Cut(s[0], "#")
			if pages[path] == "" {
				pages[path] = ask(h, http.MethodGet, path).Body.String()
			}
			if !strings.HasPrefix(path, "/docs/"+tag) || !strings.Contains(pages[path], `id="`+anchor+`"`) || s[2] == "" {
				t.Errorf("%q leads nowhere", s)
			}
		}
	}
}

// TestBrowserTheSearch types into the field that stands on every page.
func TestBrowserTheSearch(t *testing.T) {
	t.Parallel()
	b := openTab(t)
	for page, query := range map[string]string{"/docs/tr": "IMZALAYIN", "/docs/en/errors": "sign all"} {
		b.do(chromedp.EmulateViewport(360, 800), chromedp.Navigate(b.base+page), chromedp.SendKeys(chromedp.CSS(".find input"), query+kb.Enter))
		tag := page[:len("/docs/tr")]
		b.until(`location.pathname === "` + tag + `/search" && document.querySelector("#search-results a") !== null`)
		first := eval[string](b, `document.querySelector("#search-results a").getAttribute("href")`)
		if !strings.HasPrefix(first, tag+"/signatures#") {
			t.Errorf("%s: %s comes first", query, first)
		}
		b.axe(tag + "/search")
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("the search is %d px wide", wide)
		}
		b.do(chromedp.Navigate(b.base + tag + "/search?q=" + "%3Cimg%20src=x%20onerror=alert(1)%3E"))
		b.until(`document.getElementById("search-count").textContent !== ""`)
		if eval[bool](b, `document.querySelector("main img") !== null`) {
			t.Error("what is looked for is taken for HTML")
		}
	}
}

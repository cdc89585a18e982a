package guide_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTheCheckerKnowsTheVectorsAndTheMistakes runs what the page runs in Node.js.
func TestTheCheckerKnowsTheVectorsAndTheMistakes(t *testing.T) {
	t.Parallel()
	said, err := exec.CommandContext(t.Context(), "node", "testdata/node.mjs").CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v:\n%s", err, said)
	}
}

// TestScriptsAreSmall: no page loads more than 40 KB of scripts, modules that modules load included.
func TestScriptsAreSmall(t *testing.T) {
	t.Parallel()
	h := handler()
	imported := regexp.MustCompile(`['"](?:\./|/docs/assets/)([\w-]+\.m?js)['"]`)
	for _, page := range []string{"/docs/en/checker", "/docs/tr/checker", "/docs/en/errors"} {
		loaded := map[string]string{}
		other := "words-tr.mjs"
		if strings.HasPrefix(page, "/docs/tr") {
			other = "words-en.mjs"
		}
		total := 0
		for next := []string{ask(h, http.MethodGet, page).Body.String()}; len(next) > 0; next = next[1:] {
			for _, found := range imported.FindAllStringSubmatch(next[0], -1) {
				if name := found[1]; loaded[name] == "" && name != other {
					loaded[name] = ask(h, http.MethodGet, "/docs/assets/"+name).Body.String()
					total += len(loaded[name])
					next = append(next, loaded[name])
				}
			}
		}
		if total > 40_000 || total == 0 {
			t.Errorf("%s loads %d bytes of scripts", page, total)
		}
	}
}

// TestBrowserTheChecker runs the vectors and the mistakes in the browser, as the page has its modules, and goes through the form as somebody
// would, also where the page is no secure context.
func TestBrowserTheChecker(t *testing.T) {
	t.Parallel()
	b := openTab(t)
	b.do(chromedp.Navigate(b.base + "/docs/en/checker"))
	vectors := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../../../sdk/vectors", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]json.RawMessage
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		return string(file[name])
	}
	found := eval[[]string](b, `Promise.all(["/docs/assets/judge.mjs", "/docs/assets/digest.mjs", "/docs/assets/words-en.mjs", "/docs/assets/words-tr.mjs", "/testdata/cases.mjs"].map((m) => import(m)))
		.then(([judge, digest, en, tr, cases]) => cases.faults(judge, digest, [en, tr], `+vectors("requests")+", "+vectors("callbacks")+"))")
	for _, fault := range found {
		t.Error(fault)
	}
	for _, page := range []string{b.base + "/docs/en/checker", strings.Replace(b.base, "127.0.0.1", "insecure.test", 1) + "/docs/tr/checker"} {
		b.do(chromedp.EmulateViewport(360, 800), chromedp.Navigate(page), chromedp.Click(chromedp.CSS("#checker-example")), chromedp.Click(chromedp.CSS("#checker .primary")))
		b.until(`document.querySelector("#checker-result .bad") !== null`)
		if codes := eval[[]string](b, `[...document.querySelectorAll("#checker-result li[data-code]")].map((e) => e.dataset.code)`); strings.Join(codes, " ") != "differs separator" {
			t.Errorf("%s says %q of the example", page, codes)
		}
		b.axe(page)
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("the result is %d px wide", wide)
		}
		right := `document.getElementById("checker-head").value = document.getElementById("checker-head").value.replace(/X-Hash: .*/, "X-Hash: 3411e754a0c37cf96dece55a5fdbdb83c5238776d69efa53a97d47dfb7631441");
			document.getElementById("checker-own").value = ""; true`
		if !eval[bool](b, right) {
			t.Error("nothing was typed")
		}
		b.do(chromedp.Click(chromedp.CSS("#checker .primary")))
		b.until(`document.querySelector("#checker-result .good") !== null`)
		shown := eval[string](b, `document.getElementById("checker-result").innerText + location.href + JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])`)
		if strings.Contains(shown, "vzs_example") || !strings.Contains(shown, `[{},{},""]`) || strings.ContainsAny(b.path(), "?#") {
			t.Errorf("%s shows or keeps the secret: %s", page, shown)
		}
		refused := eval[bool](b, `fetch(location.href).then(() => false, () => true)`)
		if !refused {
			t.Errorf("%s may ask a server", page)
		}
	}
}

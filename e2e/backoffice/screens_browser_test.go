//go:build screenshots

package backoffice_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestBrowserEveryScreen goes to every place of every role's menu in a demo with a past, in both languages and themes, on a phone and a
// desktop, and opens the first row of what it finds there. `make screenshots` keeps the pictures, to be looked at.
func TestBrowserEveryScreen(t *testing.T) {
	if os.Getenv("VEZNE_TEST_SCREENSHOTS") == "" {
		t.Fatal("VEZNE_TEST_SCREENSHOTS names no folder: run it by `make screenshots`")
	}
	in, p := pastDemo(t)
	for _, role := range []string{"admin", "dealer_manager", "provider_manager"} { // who of their kind see the most
		t.Run(role, func(t *testing.T) {
			for _, language := range []string{"tr", "en"} {
				for _, width := range []int64{360, 1280} {
					everyScreen(t, in, p, role, language, width)
				}
			}
		})
	}
	p.Stop(t)
}

func everyScreen(t *testing.T, in *harness.Installation, p *harness.Process, role, language string, width int64) {
	t.Helper()
	b := inConsole(t, in, p, role, "/console", language, width)
	whole(b)
	for _, path := range strings.Split(text(b, `[...document.querySelectorAll("nav#navigation a")].map((a) => a.pathname).join()`), ",") {
		if !strings.HasPrefix(path, "/console") {
			continue
		}
		name := fmt.Sprintf("%s-%s-%s-%d", role, screenName(path), language, width)
		b.Visit(p.URL + path)
		whole(b)
		screen(b, name, width)
		first := text(b, `document.querySelector("main a.row")?.getAttribute("href") ?? ""`)
		if first != "" && !strings.HasPrefix(first, "/console/transactions/") || path == "/console/transactions" {
			b.Visit(p.URL + first)
			whole(b)
			screen(b, name+"-one", width)
		}
	}
}

// whole waits until a screen has what it asked for.
func whole(b *harness.Tab) {
	b.T.Helper()
	b.Until(`document.querySelector("main#content h1") !== null && document.querySelector("main .state.waiting, main [aria-busy=true]") === null`)
}

func screenName(path string) string {
	name := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(path, "/console"), "/", "-"), "-")
	if name == "" {
		return "home"
	}
	return name
}

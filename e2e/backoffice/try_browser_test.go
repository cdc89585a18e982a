package backoffice_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/xuri/excelize/v2"

	"github.com/vezne/vezne/e2e/harness"
)

// pastDemo starts a demo that has a past.
func pastDemo(t *testing.T) (*harness.Installation, *harness.Process) {
	t.Helper()
	in := harness.NewEmpty(t, "VEZNE_DEMO_PAST=true")
	return in, in.Seed("VEZNE_DEMO_PAST=true")
}

// isDone is an expression: whether a job of the page "Try it" has its mark.
func isDone(job string) string {
	return fmt.Sprintf(`document.querySelector('[data-job=%q]')?.dataset.done === "true"`, job)
}

// downloads has the tab keep files in a folder.
func downloads(b *harness.Tab) (folder string) {
	b.T.Helper()
	folder = b.T.TempDir()
	_, err := chromedp.Call(b.Ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(b.Ctx).BrowserContextID,
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return folder
}

// TestBrowserANewcomerTriesTheJobsOfADay: each job of the page "Try it" leads to where it is done, and has its mark once the API says
// that it is done, by whomever it was. Nothing of it asks another host.
func TestBrowserANewcomerTriesTheJobsOfADay(t *testing.T) {
	t.Parallel()
	in, p := pastDemo(t)
	b := inConsole(t, in, p, "admin", "/console/try", "en", 1280)
	asked := elsewhere(b, p.URL)
	says(b, "0 of 7 done")
	screen(b, "try-en-1280", 1280)

	// Find yesterday's payment by its customer's first name, and approve it.
	b.Click(`[data-job="deposit"] a`)
	b.Until(`location.pathname === "/console/transactions" && document.querySelectorAll("a.row").length === 50`)
	b.Key("/")
	b.Until(`document.activeElement.type === "search" && (document.activeElement.value = "") === ""`)
	b.Key("elif", kb.Enter)
	b.Until(`document.querySelectorAll("a.row").length === 1 && document.querySelector("td.cell-customer").innerText.includes("Elif Karaca")`)
	b.Key("j", kb.Enter)
	b.Until(`location.pathname.startsWith("/console/transactions/MAN-") && document.body.innerText.includes("Approve")`)
	b.Key("a")
	says(b, "is credited to the customer")
	press(b, "[role=dialog] button[type=submit]", "Approve")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("deposit"))

	// Claim a withdrawal and pay it.
	b.Click(`[data-job="withdrawal"] a`)
	b.Click(`[aria-label$="Claim: Tolga Er"]`)
	says(b, "What will happen")
	press(b, "[role=dialog] button[type=submit]", "Claim")
	b.Has("[role=dialog] [name=bankReference]") // claimed: the dialog goes on to paying it
	says(b, "goes to the customer")
	press(b, "[role=dialog] button[type=submit]", "")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("withdrawal"))

	// Match a bank line by the keyboard.
	b.Click(`[data-job="line"] a`)
	press(b, "button.row", "Hakan Yavuz")
	says(b, "Kerem Yavuz")
	b.Key("a")
	b.Has("[role=dialog]")
	b.Key(kb.Enter)
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("line"))

	// Approve a colleague's request.
	b.Click(`[data-job="approval"] a`)
	says(b, "12,500")
	press(b, "button.row", "Paying withdrawals")
	says(b, "What would change")
	b.Key("a")
	b.Until(`![...document.querySelectorAll("button.row")].some((row) => row.innerText.includes("Paying withdrawals"))`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("approval"))

	// Export last month for one provider, and open the file.
	b.Until(`document.querySelector('[data-job="export"] a').href.includes("provider=")`) // once the providers are read
	b.Click(`[data-job="export"] a`)
	b.Until(`location.search.includes("provider=") && document.querySelectorAll("a.row").length > 0`)
	shown := text(b, `[...document.querySelectorAll("a.row")].map((row) => row.innerText).join()`)
	press(b, "button", "Export")
	press(b, "[role=dialog] button[type=submit]", "")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("export"))
	folder := downloads(b)
	b.Visit(p.URL + "/console/jobs")
	press(b, "button", "Download")
	checkWorkbook(t, downloaded(t, folder), strings.Split(shown, ","))

	// Send again what failed: counted first.
	b.Visit(p.URL + "/console/try")
	b.Click(`[data-job="resend"] a`)
	b.Until(`location.pathname === "/console/callbacks" && document.querySelectorAll("a.row").length > 0`)
	failed := text(b, `String(document.querySelectorAll("a.row").length)`)
	press(b, ".actions button", "Send callbacks again")
	says(b, failed)
	screen(b, "resend-en-1280", 1280)
	press(b, "[role=dialog] button[type=submit]", "")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/try")
	b.Until(isDone("resend"))

	// See which gateway fails.
	b.Click(`[data-job="gateway"] a`)
	b.Until(`[...document.querySelectorAll("tr")].some((row) => row.innerText.startsWith("Boğaz Sanal POS") && row.innerText.includes("Payments fail")) &&
		[...document.querySelectorAll("tr")].some((row) => row.innerText.startsWith("Vezne Sandbox") && row.innerText.includes("Working"))`)
	screen(b, "gateways-en-1280", 1280)
	in.SignIn(p, "admin").UpdateGateway(t, gatewayNamed(t, in.SignIn(p, "admin"), "Boğaz Sanal POS"), map[string]any{"isEnabled": false})
	b.Visit(p.URL + "/console/try")
	says(b, "7 of 7 done")

	phone := inConsole(t, in, p, "operator", "/console/try", "tr", 360)
	says(phone, "Bir çekimi üstlenin")
	screen(phone, "try-tr-360", 360)
	if urls := asked(); len(urls) > 0 {
		t.Errorf("the console asks elsewhere: %v", urls)
	}
	p.Stop(t)
}

// TestBrowserNothingIsTriedWhereMoneyIsReal: an installation that is no demo has no such page in its menu, and says so at its address.
func TestBrowserNothingIsTriedWhereMoneyIsReal(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := inConsole(t, in, p, "admin", "/console/try", "en", 1280)
	says(b, "This is no demo.")
	b.Until(`![...document.querySelectorAll("nav#navigation a")].some((a) => a.innerText === "Try it")`)
	p.Stop(t)
}

// checkWorkbook: the file of an export has a row for each transaction that the list has shown.
func checkWorkbook(t *testing.T, file []byte, codes []string) {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil || len(rows) < len(codes)+1 {
		t.Fatalf("the file has %d rows for %d transactions (%v)", len(rows), len(codes), err)
	}
	provider := slices.IndexFunc(rows[0], func(name string) bool { return name == "Provider" })
	found := map[string]bool{}
	for _, row := range rows[1:] {
		for _, cell := range row {
			if slices.Contains(codes, cell) {
				found[cell] = true
				if provider < 0 || row[provider] != "Acme Pay" {
					t.Errorf("the row %q is not Acme Pay's", row)
				}
			}
		}
	}
	if len(found) != len(codes) {
		t.Errorf("the file has %d of the %d transactions that the list has", len(found), len(codes))
	}
}

func gatewayNamed(t *testing.T, s harness.Staff, name string) (id int64) {
	t.Helper()
	var data struct {
		GatewayAccounts []struct {
			ID   int64 `json:",string"`
			Name string
		}
	}
	if err := s.Ask(`{ gatewayAccounts { id name } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	for _, g := range data.GatewayAccounts {
		if g.Name == name {
			return g.ID
		}
	}
	t.Fatalf("there is no gateway %s", name)
	return 0
}

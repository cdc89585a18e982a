package backoffice_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/xuri/excelize/v2"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// inConsole opens an address of the console for a member, who signs in.
func inConsole(t *testing.T, in *harness.Installation, p *harness.Process, role, path, language string, width int64) *harness.Tab {
	t.Helper()
	b := openConsole(t, p, path, language, width)
	enter(b, in.Member(role))
	b.Until(`document.querySelector("h1") !== null && document.querySelector("#email") === null`)
	return b
}

// says waits for a text on the page.
func says(b *harness.Tab, text string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// TestBrowserARequestIsApprovedByAColleague: who asked for a large withdrawal sees their request and cannot approve it, neither on the
// screen nor through the API; a colleague sees what would change, proves who they are, and approves.
func TestBrowserARequestIsApprovedByAColleague(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	operator := in.SignIn(p, "operator")
	colleague := inConsole(t, in, p, "admin", "/console/approvals", "en", 1280)
	says(colleague, "No requests wait for approval.")
	w := in.Provider(p).Create(t, "start-manual-withdraw", "10000.01")
	if _, err := operator.Decide("claimWithdrawal", w.TrackingCode); harness.CodeOf(err) != "APPROVAL_NEEDED" {
		t.Fatalf("claiming it alone gives %v", err)
	}
	says(colleague, w.TrackingCode) // live
	says(colleague, "What would change")
	colleague.Until(`document.querySelector(".differs ins") !== null`)
	screen(colleague, "approval-en-1280", 1280)
	own := inConsole(t, in, p, "operator", "/console/approvals", "tr", 360)
	says(own, "Kendi isteğinizi onaylayamazsınız")
	own.Until(`[...document.querySelectorAll("button")].every((one) => !one.innerText.startsWith("Onayla"))`)
	screen(own, "approval-own-tr-360", 360)
	if err := operator.Approve(operator.Requests(t, "WAITING")[0].ID); harness.CodeOf(err) != "OWN_REQUEST" {
		t.Errorf("approving one's own request gives %v", err)
	}
	press(colleague, "button", "Approve")
	says(colleague, "No requests wait for approval.")
	if found := operator.Transaction(t, w.TrackingCode); found.Status != "PROCESSING" && found.Status != "PENDING" {
		t.Errorf("the withdrawal is %s", found.Status)
	}
}

// TestBrowserADiscrepancyIsResolvedWithItsPreview: money that came late is accepted, after the screen has said what that does.
func TestBrowserADiscrepancyIsResolvedWithItsPreview(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s := in.OpenShop("VEZNE_EXPIRY_DEPOSIT=4s")
	late := s.StartDeposit(t, "bank", "300.04")
	late.Must(t, harness.Press("begin"))
	reference := s.Operator.Reference(t, late, "DEPOSIT")
	b := inConsole(t, in, s.Server, "operator", "/console/discrepancies", "en", 360)
	says(b, "No discrepancies are open.")
	if l := s.To.Callback(t, late); l.Status != "expired" {
		t.Fatalf("it ends as %s", l.Status)
	}
	s.Till.FireEvent(t, reference, bank.Paid)
	says(b, late.TrackingCode) // live
	screen(b, "discrepancy-en-360", 360)
	press(b, "button", "Accept the money")
	opened(b, "300.04 TRY is credited")
	screen(b, "discrepancy-accept-en-360", 360)
	press(b, "[role=dialog] button", "Accept the money")
	says(b, "No discrepancies are open.")
	if told := s.To.Callbacks(t, late, 2)[1]; told.Status != "completed" || told.Amount != "300.04" {
		t.Errorf("the receiver is told %+v", told)
	}
}

// TestBrowserACustomerIsFoundByFirstName: and what they did is one click away.
func TestBrowserACustomerIsFoundByFirstName(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	ordersOfTheConsole(t, in, p)
	for _, width := range []int64{360, 1280} {
		b := inConsole(t, in, p, "operator", "/console/customers?q=ayse", "tr", width)
		b.Until(`document.querySelector("td b")?.innerText.toLocaleLowerCase("tr").startsWith("ayşe")`)
		screen(b, fmt.Sprintf("customers-tr-%d", width), width)
		b.Click("a.row")
		says(b, "Son işlemler")
		says(b, "1.250,50")
		screen(b, fmt.Sprintf("customer-tr-%d", width), width)
		blockAndUndo(b, width == 1280)
	}
}

// blockAndUndo blocks the customer of the screen and takes that back: by its key, or by its button.
func blockAndUndo(b *harness.Tab, byKey bool) {
	press(b, "button", "Engelle")
	b.Has("[role=dialog] textarea")
	b.Do(chromedp.SendKeys(chromedp.CSS("[role=dialog] textarea"), "kart kopyalanmış"))
	press(b, "[role=dialog] button", "Engelle")
	says(b, "kart kopyalanmış")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	if byKey {
		b.Key("z")
	} else {
		press(b, ".result button", "Geri al")
	}
	says(b, "Geri alındı.")
	b.Until(`!document.querySelector("main").innerText.includes("kart kopyalanmış")`)
}

// TestBrowserStatisticsAreExportedAndReadBack: the numbers of these days are on the screen as charts and tables, narrowed by what is
// clicked, and the file that Excel reads has the same header, names and sums.
func TestBrowserStatisticsAreExportedAndReadBack(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	ordersOfTheConsole(t, in, p)
	for _, width := range []int64{360, 1280} {
		b := inConsole(t, in, p, "finance", "/console/statistics?by=PROVIDER", "tr", width)
		b.Until(`document.querySelector(".plot canvas") !== null && document.querySelector(".bar") !== null`)
		screen(b, fmt.Sprintf("statistics-tr-%d", width), width)
		b.Visit(p.URL + "/console/statistics?by=SITE")
		b.Until(`document.querySelector(".bar")?.innerText.includes("acme.example")`)
		b.Click(".bar")
		b.Until(`/site=\d+/.test(location.search) && document.querySelector(".chip")?.innerText.includes("acme.example")`)
		b.Visit(p.URL + "/console/statistics?by=PROVIDER")
		b.Until(`document.querySelector(".plot canvas") !== null && document.querySelector(".bar") !== null`)
		b.Click(".bar")
		b.Until(`/provider=\d+/.test(location.search) && document.querySelector(".chip") !== null`)
		if width == 360 {
			continue
		}
		folder := t.TempDir()
		if _, err := chromedp.Call(b.Ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(b.Ctx).BrowserContextID,
		}); err != nil {
			t.Fatal(err)
		}
		press(b, "button", "Excel")
		press(b, "button", "Dosyayı indir")
		book, err := excelize.OpenReader(bytes.NewReader(downloaded(t, folder)))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := book.GetRows("İstatistik")
		if err != nil || len(rows) < 2 || !strings.Contains(strings.Join(rows[0], "|"), "Sağlayıcı no|Sağlayıcı|") {
			t.Fatalf("the sheet is %q (%v)", rows, err)
		}
		if panes, err := book.GetPanes("İstatistik"); err != nil || !panes.Freeze {
			t.Errorf("the header moves: %+v (%v)", panes, err)
		}
	}
}

// downloaded waits for the file of a folder.
func downloaded(t *testing.T, folder string) (file []byte) {
	t.Helper()
	harness.Eventually(t, func() error {
		names, err := filepath.Glob(filepath.Join(folder, "*.xlsx"))
		if err != nil {
			return err
		}
		if len(names) != 1 {
			return fmt.Errorf("the folder has %v", names)
		}
		file, err = os.ReadFile(names[0])
		return err
	})
	return file
}

package backoffice_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/e2e/harness"
)

// restoredInstallation is one whose backup was restored after it had gone on: a withdrawal and a deposit were open at the backup. It
// returns the process that serves it, frozen, and a session of finance from before the backup.
func restoredInstallation(t *testing.T, in *harness.Installation) (restored *harness.Process, before harness.Staff) {
	t.Helper()
	s := in.OpenBranch() // nothing is listed before its statements are read
	server, provider := s.Server, s.Provider
	provider.Create(t, "start-manual-withdraw", "250.00")
	provider.Create(t, "start-manual-deposit", "120.00")
	before = in.SignIn(server, "finance")
	file := filepath.Join(t.TempDir(), "backup.db")
	in.Succeed("backup", file)
	provider.Create(t, "start-manual-deposit", "11.00")
	server.Stop(t)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(in.Dir, "vezne.db"+suffix)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	in.Succeed("restore", file, "--reason", "a drill")
	restored = in.Serve(s.Settings...)
	before.Base = restored.URL
	return restored, before
}

// TestBrowserARestoredInstallationIsThawedByTwo: nobody is signed in any more. Finance follows the banner on a phone, looks at what
// remains and acknowledges it, but for staff, whom an admin looks at; finance asks for the thaw, the admin approves on a desktop, and money
// moves again everywhere.
func TestBrowserARestoredInstallationIsThawedByTwo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p, before := restoredInstallation(t, in)
	if err := before.Ask(`{ me { id } }`, nil, &struct{}{}); harness.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("a session from before the backup is answered %v", err)
	}
	b := inConsole(t, in, p, "finance", "/console", "en", 360)
	says(b, "A backup was restored")
	press(b, "main a", "What remains to be looked at")
	b.Until(`document.querySelector("h1")?.innerText === "After a restore"`)
	says(b, "First look at who works here")
	says(b, "A withdrawal that may have been paid")
	screen(b, "restore-open-en-360", 360)
	if isOff := text(b, `String([...document.querySelectorAll("main button")].find((x) => x.innerText === "Let money move again").disabled)`); isOff != "true" {
		t.Error("the thaw is offered while something remains")
	}
	says(b, "an admin")
	acknowledgesAll(b, "Compared with the bank", "Acknowledge")
	says(b, "1 entry is still to be looked at.")
	second := inConsole(t, in, p, "admin", "/console/restore", "tr", 1280)
	acknowledgesAll(second, "Herkes yerinde", "İncelendi")
	says(b, "Nothing is left to be looked at.")
	press(b, "main a", "Show acknowledged")
	says(b, "Compared with the bank")
	press(b, "main button", "Let money move again")
	writes(b, "[role=dialog] textarea[name=reason]", "All is compared")
	screen(b, "restore-thaw-en-360", 360)
	press(b, "[role=dialog] button", "Ask for it")
	says(b, "Somebody else with the role finance or admin has to approve it.")
	screen(b, "restore-asked-en-360", 360)

	says(second, "para hareketinin yeniden başlatılmasını istedi")
	screen(second, "restore-asked-tr-1280", 1280)
	press(second, "main a", "İsteğe git")
	press(second, "main button", "Onayla")
	says(second, "Onaylandı")
	second.Visit(p.URL + "/console/restore")
	says(second, "İncelenenler")
	says(second, "Herkes yerinde")
	says(second, "Compared with the bank")
	second.Until(`document.querySelector("main [role=alert]") === null`)
	screen(second, "restore-thawed-tr-1280", 1280)
	b.Until(`document.querySelector("main [role=alert]") === null`)
	says(b, "Money moves again since")
	var r struct{ Money string }
	if err := json.Unmarshal(harness.Get(t, p.URL+"/readyz").Body, &r); err != nil || r.Money != "ok" {
		t.Errorf("/readyz says of money %q, %v", r.Money, err)
	}
}

// acknowledgesAll chooses all that is offered, and says why it is in order.
func acknowledgesAll(b *harness.Tab, reason, button string) {
	b.T.Helper()
	const boxes = `[...document.querySelectorAll(".remain input:enabled")]`
	b.Until(boxes + `.length > 0`)
	b.Until(`(` + boxes + `.filter((box) => !box.checked).forEach((box) => box.click()), ` + boxes + `.every((box) => box.checked))`)
	b.Click("main .title .button.primary:enabled")
	writes(b, "[role=dialog] textarea[name=reason]", reason)
	press(b, "[role=dialog] button", button)
	b.Until(`document.querySelector("[role=dialog]") === null`)
}

// TestBrowserTheMenuHasNoRestoreWhereNoneWas, nor for whoever may not thaw; the banner is for all.
func TestBrowserTheMenuHasNoRestoreWhereNoneWas(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	const link = `document.querySelector('nav#navigation a[href="/console/restore"]')`
	b := inConsole(t, in, p, "finance", "/console/restore", "en", 1280)
	says(b, "No backup was ever restored here.")
	b.Until(link + ` === null`)
	p.Stop(t)
	p, _ = restoredInstallation(t, harness.NewEmbedded(t))
	operator := inConsole(t, in, p, "operator", "/console", "en", 1280)
	says(operator, "A backup was restored")
	operator.Until(link + ` === null && document.querySelector("main [role=alert] a") === null`)
	finance := inConsole(t, in, p, "finance", "/console", "tr", 360)
	finance.Until(link + ` !== null`)
	finance.Visit(p.URL + "/console/restore")
	for _, width := range []int64{360, 1280} {
		finance.Do(chromedp.EmulateViewport(width, 800))
		says(finance, "Önce personele bakın")
		screen(finance, fmt.Sprintf("restore-open-tr-%d", width), width)
	}
}

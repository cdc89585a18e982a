package operations_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

const sdkFolder = "../../sdk"

// TestLibrariesCallADemo makes every call of the libraries for integrators against a demo; in short runs those of one library.
func TestLibrariesCallADemo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	folder, err := filepath.Abs(sdkFolder)
	if err != nil {
		t.Fatal(err)
	}
	languages, which := []string{"php", "python", "node", "go", "csharp"}, "all"
	if testing.Short() {
		languages, which = languages[:1], "php"
	}
	said := in.Succeed("sdk-check", which, "--demo", in.Dir, "--sdk", folder)
	for _, l := range languages {
		if strings.Count(said, "\n"+l+": every call was answered as it should be\n") != 1 {
			t.Errorf("sdk-check says of %s\n%s", l, said)
		}
	}
	if strings.Contains(said, "FAILED") || strings.Contains(said, in.Keys.Provider.SecretKey) {
		t.Errorf("sdk-check says\n%s", said)
	}
	server.Stop(t)
	harness.Launch{Args: []string{"sdk-check", "php", "--demo", in.Dir, "--sdk", folder}}.ExpectFailure(t, "a library does not do what it should")
	harness.Launch{Args: []string{"sdk-check", "cobol", "--demo", in.Dir, "--sdk", folder}}.ExpectFailure(t, "there are php, python")
	harness.Launch{Args: []string{"sdk-check", "php", "--demo", in.Dir, "--sdk", t.TempDir()}}.ExpectFailure(t, "--sdk")
}

// sdkBlock is a program of sdk/README.md that says of itself that it is run here, and in which folder.
var sdkBlock = regexp.MustCompile("(?s)<!-- tested: the end-to-end tests run this in (\\w+) -->\\s*```\\w+\n(.*?)```")

// TestTheProgramsOfTheLibrariesReadme runs the first payment in each language against a demo, and every call in one; in short runs both in one.
func TestTheProgramsOfTheLibrariesReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(sdkFolder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := sdkBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("%d programs", len(blocks))
	}
	if testing.Short() {
		blocks = blocks[:1]
	}
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	runCalls(t, in, server, "php", programsOfCalls(t)["php"])
	for _, block := range blocks {
		cmd := programOf(t, block[1], block[2])
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "GOWORK=off", "PAY_URL="+server.URL, "PAY_API_KEY="+in.Keys.Provider.APIKey,
			"PAY_SECRET_KEY="+in.Keys.Provider.SecretKey, "PAY_CREDENTIAL_KEY="+in.Keys.Sites[0].CredentialKey)
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(said), server.URL+"/pay/") {
			t.Errorf("the program in %s says %s (%v)", block[1], said, err)
		}
	}
	server.Stop(t)
}

// csharp compiles a program, which is its argument, with the library and runs it.
const csharp = `mcs -langversion:7.2 -out:"$0.exe" -r:System.Net.Http.dll Vezne.cs "$0" && mono "$0.exe"`

// programOf is how a program is run beside its library.
func programOf(t *testing.T, folder, program string) *exec.Cmd {
	t.Helper()
	argv := map[string][]string{"php": {"php"}, "sh": {"sh", "-e", "-u"}, "typescript": {"node", "--input-type=module"}, "python": {"python3", "-"}, "go": {"go", "run", "."}, "csharp": {"sh", "-e", "-c", csharp}}[folder]
	if argv == nil {
		t.Fatalf("%s is no library's folder", folder)
	}
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin = filepath.Join(sdkFolder, folder), strings.NewReader(program)
	switch folder {
	case "sh":
		cmd.Dir = t.TempDir()
	case "go":
		cmd.Dir, cmd.Stdin = goModule(t, program), nil
	case "csharp":
		file := filepath.Join(t.TempDir(), "Shop.cs")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, file)
	}
	return cmd
}

// goModule is a module of somebody's own that has the library in Go from this checkout.
func goModule(t *testing.T, program string) string {
	t.Helper()
	library, err := filepath.Abs(filepath.Join(sdkFolder, "go"))
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/vezne/vezne/sdk/go"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.go": program,
		"go.mod":  "module example.com/shop\n\ngo 1.22\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + library + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

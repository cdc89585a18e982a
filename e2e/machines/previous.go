package machines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Previous builds the release before this one, which deploy/drill/previous names by its tag or commit, and returns the binary. A clone
// without its history does not have it: it is fetched from where the clone is from.
func Previous(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	named, err := os.ReadFile(filepath.Join(root, "deploy", "drill", "previous"))
	if err != nil {
		t.Fatal(err)
	}
	revision, dir := strings.TrimSpace(string(named)), t.TempDir()
	archive := filepath.Join(dir, "vezne.tar")
	const trust = "safe.directory=*" // a clone may belong to another user than the one who drills
	found := revision
	if err := command(t, root, "git", "-c", trust, "cat-file", "-e", revision+"^{commit}").Run(); err != nil {
		if said, err := command(t, root, "git", "-c", trust, "fetch", "--quiet", "--depth", "1", "--no-tags", "origin", revision).CombinedOutput(); err != nil {
			t.Fatalf("the release before this one, %s, is not in this clone, and cannot be fetched from its origin: %v\n%s", revision, err, said)
		}
		found = "FETCH_HEAD"
	}
	run(t, root, "git", "-c", trust, "archive", "--output", archive, found)
	source := filepath.Join(dir, "source")
	if err := os.Mkdir(source, 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, source, "tar", "-xf", archive)
	binary := filepath.Join(dir, "vezne")
	run(t, source, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X github.com/vezne/vezne/cmd/vezne/program.version=v0.0.0-previous",
		"-o", binary, "./cmd/vezne")
	return binary
}

func command(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GIT_TERMINAL_PROMPT=0")
	return cmd
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if said, err := command(t, dir, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
	}
}

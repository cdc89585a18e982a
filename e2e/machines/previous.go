package machines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Previous builds the release before this one, which deploy/drill/previous names by its tag or commit, and returns the binary.
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
	run(t, root, "git", "-c", "safe.directory=*", "archive", "--output", archive, revision)
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

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v (a clone without its history does not have the previous release)\n%s", name, strings.Join(args, " "), err, said)
	}
}

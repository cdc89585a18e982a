package dirlock_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/cmd/vezne/dirlock"
)

func TestADirectoryIsOneHoldersUntilItIsReleased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := dirlock.Take(dir, "serve")
	if err != nil {
		t.Fatal(err)
	}
	_, err = dirlock.Take(dir, "demo")
	var held *dirlock.HeldError
	want := fmt.Sprintf("vezne serve, process %d on ", os.Getpid())
	if !errors.As(err, &held) || !strings.Contains(held.Holder, want) {
		t.Fatalf("a second holder gets %v, want one that names %q", err, want)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := dirlock.Take(dir, "demo")
	if err != nil {
		t.Fatalf("a released directory: %v", err)
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
}

// TestWhatAHolderWroteIsPrintedAsText: whoever may write to the directory has nothing said to the terminal.
func TestWhatAHolderWroteIsPrintedAsText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := dirlock.Take(dir, "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Release() }()
	evil := "\x1b]0;owned\x07" + strings.Repeat("x", 1<<20)
	if err := os.WriteFile(filepath.Join(dir, dirlock.Name), []byte(evil), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dirlock.Take(dir, "demo"); err == nil || strings.ContainsAny(err.Error(), "\x1b\x07") || len(err.Error()) > 400 {
		t.Errorf("a second holder gets %.100q", err)
	}
}

func TestADirectoryThatIsNotThereIsNoHolder(t *testing.T) {
	t.Parallel()
	_, err := dirlock.Take(filepath.Join(t.TempDir(), "missing"), "serve")
	var held *dirlock.HeldError
	if err == nil || errors.As(err, &held) {
		t.Errorf("of a directory that is not there: %v", err)
	}
	var none *dirlock.Lock
	if err := none.Release(); err != nil {
		t.Error(err)
	}
}

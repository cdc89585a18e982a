//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package dirlock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vezne/vezne/cmd/vezne/dirlock"
)

// TestADirectoryStaysItsHoldersWhateverIsRemovedFromIt: somebody who tidies up removes the file and makes no second holder, and so
// does who moves the directory.
func TestADirectoryStaysItsHoldersWhateverIsRemovedFromIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := dirlock.Take(dir, "serve")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(dir string) {
		t.Helper()
		var held *dirlock.HeldError
		if _, err := dirlock.Take(dir, "demo"); !errors.As(err, &held) {
			t.Errorf("a second holder gets %v", err)
		}
	}
	if err := os.Remove(filepath.Join(dir, dirlock.Name)); err != nil {
		t.Fatal(err)
	}
	refused(dir)
	moved := dir + "-moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	refused(moved)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := dirlock.Take(moved, "demo")
	if err != nil {
		t.Fatalf("a released directory: %v", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}

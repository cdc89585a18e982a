package aesgcm_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/aesgcm"
)

func TestKeyFileIsMadeOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "master.key")
	first, err := aesgcm.LoadOrCreate(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", info.Mode(), err)
	}
	sealed, err := first.Seal("secret", "place")
	if err != nil {
		t.Fatal(err)
	}
	again, err := aesgcm.LoadOrCreate(path)
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := again.Open(sealed, "place"); err != nil || opened != "secret" {
		t.Fatalf("after a restart: %q, %v", opened, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Fatalf("left over beside the key file: %v, %v", entries, err)
	}
}

func TestStartingTogetherGivesOneKey(t *testing.T) {
	t.Parallel()
	for range 20 {
		path := filepath.Join(t.TempDir(), "master.key")
		var all sync.WaitGroup
		sealers := make([]*aesgcm.Sealer, 8)
		for i := range sealers {
			all.Go(func() {
				var err error
				if sealers[i], err = aesgcm.LoadOrCreate(path); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
		for i, s := range sealers {
			sealed, err := s.Seal("secret", "place")
			if err != nil {
				t.Fatal(err)
			}
			if opened, err := sealers[(i+1)%len(sealers)].Open(sealed, "place"); err != nil || opened != "secret" {
				t.Fatalf("two that started together have two keys: %q, %v", opened, err)
			}
		}
	}
}

func TestKeyFileThatOthersReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620, 0o601} {
		path := filepath.Join(t.TempDir(), "master.key")
		if err := os.WriteFile(path, []byte(key(1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := aesgcm.LoadOrCreate(path)
		if err == nil || !strings.Contains(err.Error(), "chmod 600 "+path) || strings.Contains(err.Error(), key(1)) {
			t.Errorf("mode %v gave %v", mode, err)
		}
	}
}

func TestBadKeyFilesAreRefusedAndKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "short", key(1)[:40], strings.Repeat(key(1)+",", 2000)} {
		path := filepath.Join(t.TempDir(), "master.key")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := aesgcm.LoadOrCreate(path); err == nil {
			t.Errorf("a file of %d bytes was taken", len(text))
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("the file was changed: %v", err)
		}
	}
	if _, err := aesgcm.LoadOrCreate(t.TempDir()); err == nil {
		t.Error("a directory was taken")
	}
}

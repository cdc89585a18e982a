package auditheads_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/auditheads"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/coretest/audittest"
	"github.com/vezne/vezne/ports"
)

func head(no int) audit.Checkpoint {
	return audit.Checkpoint{
		Name: audit.ChainName, Version: no, Head: audit.Head{No: int64(no), Hash: audit.Hash{byte(no)}},
		At: time.Date(2026, 3, 2, 9, 0, 0, 1000, time.UTC),
	}.Sign(audittest.Keys(1).Signer())
}

func read(t *testing.T, files ...string) []ports.KeptHead {
	t.Helper()
	var found []ports.KeptHead
	err := auditheads.Files(files).Heads(t.Context(), func(h ports.KeptHead) error { found = append(found, h); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func write(t *testing.T, f auditheads.File, no int) {
	t.Helper()
	if err := f.Write(t.Context(), head(no)); err != nil {
		t.Fatal(err)
	}
}

func TestAFileIsAppendedToAndRotated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "heads.jsonl")
	f := auditheads.File{Path: path}
	if !f.HasNone() || len(read(t, path)) > 0 {
		t.Error("there is something before anything was written")
	}
	write(t, f, 1)
	write(t, f, 2)
	if f.HasNone() {
		t.Error("there is nothing")
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if !f.HasNone() {
		t.Error("there is something in place of the file that was renamed")
	}
	write(t, f, 3)
	found := read(t, path+".1", path)
	if len(found) != 3 {
		t.Fatalf("there are %+v", found)
	}
	for i, h := range found {
		if !h.IsReadable || !h.IsSigned(audittest.Keys(1)) || h.Head.No != int64(i+1) {
			t.Errorf("%+v", h)
		}
	}
	if where := found[1].Where; !strings.Contains(where, "line 2 of "+path+".1") {
		t.Errorf("the second is at %q", where)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestALineCutShortByACrashIsPassedOverAndOthersAreNot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "heads.jsonl")
	whole := string(head(1).Line())
	if err := os.WriteFile(path, []byte(whole+"\n\n"+whole[:100]), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, auditheads.File{Path: path}, 2)
	if found := read(t, path); len(found) != 2 || found[1].Head.No != 2 || !found[1].IsReadable {
		t.Errorf("%+v", found)
	}
	if err := os.WriteFile(path, []byte("{}\n"+strings.Repeat("x", 200<<10)+"\n"+whole+"\n{\"a\":1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := read(t, path)
	if len(found) != 4 || found[0].IsReadable || found[1].IsReadable || !found[2].IsReadable || found[3].IsReadable {
		t.Errorf("%+v", found)
	}
}

func TestSeveralWritersShareAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "heads.jsonl")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 10 {
				if err := (auditheads.File{Path: path}).Write(context.Background(), head(1+i*10+n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[int64]bool{}
	for _, h := range read(t, path) {
		if !h.IsReadable || !h.IsSigned(audittest.Keys(1)) {
			t.Errorf("%+v", h)
		}
		seen[h.Head.No] = true
	}
	if len(seen) != 80 {
		t.Errorf("%d of 80 lines are there", len(seen))
	}
}

func TestAFileThatCannotBeWrittenIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, f := range []auditheads.File{{Path: dir}, {Path: filepath.Join(dir, "none", "heads.jsonl")}} {
		if f.Write(t.Context(), head(1)) == nil || f.Check() == nil {
			t.Errorf("%s is fine", f.Path)
		}
	}
	fine := auditheads.File{Path: filepath.Join(dir, "heads.jsonl")}
	if err := fine.Check(); err != nil || !fine.HasNone() {
		t.Errorf("before it is there: %v", err)
	}
	write(t, fine, 1)
	if err := fine.Check(); err != nil || len(read(t, fine.Path)) != 1 {
		t.Errorf("when it is there: %v", err)
	}
}

func TestAHeadIsPostedAsItsLine(t *testing.T) {
	t.Parallel()
	status := http.StatusNoContent
	var body, user, kind string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		name, password, _ := r.BasicAuth()
		body, user, kind = string(raw), name+"/"+password, r.Method+" "+r.Header.Get("Content-Type")
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer server.Close()
	u := auditheads.NewURL(strings.Replace(server.URL, "http://", "http://vezne:pw-in-url@", 1)+"/heads", "test")
	defer u.Close()
	if err := u.Write(t.Context(), head(7)); err != nil || body != string(head(7).Line()) || user != "vezne/pw-in-url" || kind != "POST application/json" {
		t.Errorf("%v; %s, %s, %s", err, body, user, kind)
	}
	for _, status = range []int{http.StatusFound, http.StatusForbidden, http.StatusInternalServerError} {
		if err := u.Write(t.Context(), head(7)); err == nil || strings.Contains(err.Error(), "pw-in-url") {
			t.Errorf("%d: %v", status, err)
		}
	}
	server.Close()
	if err := u.Write(t.Context(), head(7)); err == nil || strings.Contains(err.Error(), "pw-in-url") {
		t.Errorf("nobody answers: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := u.Write(ended, head(7)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

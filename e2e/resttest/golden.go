package resttest

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Compare compares a request and its answer with the golden file of a name. What is random of the caller's keys, and what
// follows from them, is named by names: pairs of a text and its name.
func (s *Server) Compare(t testing.TB, name string, r Request, a Answer, names ...string) {
	t.Helper()
	file, got := filepath.Join("testdata", name+".http"), s.transcript(r, a, names)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: want\n%s\ngot\n%s", file, want, got)
	}
}

func (s *Server) transcript(r Request, a Answer, names []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s\n", r.Method, s.PathOf(r))
	writeHeader(&b, r.Header)
	fmt.Fprintf(&b, "\n%s\n\n%d %s\n", r.Body, a.Status, http.StatusText(a.Status))
	writeHeader(&b, a.Header)
	fmt.Fprintf(&b, "\n%s\n", a.Body)
	if hash := r.Header.Get("X-Hash"); strings.Trim(hash, "0") != "" {
		names = append(names, hash, "<hash>")
	}
	return []byte(strings.NewReplacer(names...).Replace(b.String()))
}

func writeHeader(b *bytes.Buffer, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(b, "%s: %s\n", name, strings.Join(h[name], ", "))
	}
}

// AllUsed checks that every golden file is one of a test.
func AllUsed(t testing.TB, names []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.http")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.Contains(names, strings.TrimSuffix(filepath.Base(file), ".http")) {
			t.Errorf("%s belongs to no test", file)
		}
	}
}

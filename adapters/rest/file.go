package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"strings"
)

// File answers with what never changes while the process runs; a browser that has it already is told so.
func File(content []byte, contentType, policy string) http.HandlerFunc {
	return file(func() io.Reader { return bytes.NewReader(content) }, contentType, policy)
}

// Zipped answers as File does with an embedded file that is compressed by gzip, and sends it so. It is for what pages of our own load:
// every browser takes it, and so may a client that does not say what it takes (RFC 9110, 12.5.3). It is copied out of the program's file
// piece by piece: neither does a process keep what few ask for, nor does somebody who asks for it and does not read cost memory.
func Zipped(files fs.FS, name, contentType, policy string) http.HandlerFunc {
	serve := file(func() io.Reader {
		content, err := files.Open(name)
		if err != nil {
			panic(err) // the compiler has embedded it
		}
		return content
	}, contentType, policy)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		serve(w, r)
	}
}

// file answers with what is read from the beginning each time.
func file(open func() io.Reader, contentType, policy string) http.HandlerFunc {
	sum := sha256.New()
	if _, err := io.Copy(sum, open()); err != nil {
		panic(err) // it is in memory
	}
	etag := `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", etag)
		if strings.HasPrefix(contentType, "text/html") { // no page of this host that opens it reaches into it
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.Copy(w, open()) // a client that has gone is nobody to tell
	}
}

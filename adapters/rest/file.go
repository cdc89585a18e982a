package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// File answers with what never changes while the process runs; a browser that has it already is told so.
func File(content []byte, contentType, policy string) http.HandlerFunc {
	return file(func() []byte { return content }, contentType, policy)
}

// file answers with what read returns each time.
func file(read func() []byte, contentType, policy string) http.HandlerFunc {
	sum := sha256.Sum256(read())
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
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
		_, _ = w.Write(read()) // a client that has gone is nobody to tell
	}
}

// Zipped answers as File does with what is embedded compressed by gzip, and sends it so. It is for what pages of our own load:
// every browser takes it, and so may a client that does not say what it takes (RFC 9110, 12.5.3). What read returns is not kept: it is
// large, and few ask for it.
func Zipped(read func() []byte, contentType, policy string) http.HandlerFunc {
	serve := file(read, contentType, policy)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		serve(w, r)
	}
}

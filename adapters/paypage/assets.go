package paypage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed assets
var assetFiles embed.FS

const assetsPath = "/pay/assets/"

// assets serves the page's own files under a path that holds their content's hash, so that they may be kept for ever.
type assets struct {
	files map[string][]byte
	hash  string
}

func newAssets() *assets {
	a := &assets{files: map[string][]byte{}}
	sum := sha256.New()
	err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := assetFiles.ReadFile(name)
		a.files[path.Base(name)] = content
		sum.Write(content)
		return err
	})
	if err != nil {
		panic("paypage: embedded assets: " + err.Error()) // cannot happen: they are in the binary
	}
	a.hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return a
}

// URL is where an asset is.
func (a *assets) URL(name string) string { return assetsPath + a.hash + "/" + name }

// Icon answers a browser that asks for /favicon.ico, as it does for what names no icon of its own.
func Icon(w http.ResponseWriter, r *http.Request) {
	content, err := assetFiles.ReadFile("assets/icon.svg")
	if err != nil {
		panic("paypage: embedded icon: " + err.Error()) // cannot happen: it is in the binary
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, "icon.svg", time.Time{}, bytes.NewReader(content))
}

// serve answers with an asset. While a new version is being rolled out, a process may be asked for another's hash: it
// gives what it has, not to be kept.
func (a *assets) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	content, ok := a.files[name]
	if !ok {
		http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
		return
	}
	if r.PathValue("hash") == a.hash {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

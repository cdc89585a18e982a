package guide

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/lang"
)

// page is one of the guide.
type page struct {
	name string // in its address; empty: the first
	file string // in English, below the repository's root; the one in Turkish has the same name in the folder tr beside it
	part int    // of the menu
	en   string // in the menu
	tr   string
	form string // a template of its name stands before the second heading
}

// parts are the menu's headings, in English and Turkish.
var parts = [][2]string{{"Begin", "Başlarken"}, {"Build", "Geliştirme"}, {"Prove", "Doğrulama"}, {"Look up", "Başvuru"}}

// pages are all of the guide, in the menu's order.
var pages = []page{
	{name: "", file: "docs/guide/README.md", part: 0, en: "Overview", tr: "Genel bakış"},
	{name: "quick-start", file: "docs/guide/quick-start.md", part: 0, en: "Quick start", tr: "Hızlı başlangıç"},
	{name: "signatures", file: "docs/guide/signatures.md", part: 1, en: "Signatures", tr: "İmzalar"},
	{name: "payments", file: "docs/guide/payments.md", part: 1, en: "Payments", tr: "Ödemeler"},
	{name: "callbacks", file: "docs/guide/callbacks.md", part: 1, en: "Callbacks", tr: "Bildirimler"},
	{name: "errors", file: "docs/guide/errors.md", part: 1, en: "Errors", tr: "Hatalar"},
	{name: "idempotency", file: "docs/guide/idempotency.md", part: 1, en: "Idempotency", tr: "Güvenle yineleme"},
	{name: "testing", file: "docs/guide/testing.md", part: 2, en: "Testing", tr: "Test"},
	{name: "reconciliation", file: "docs/guide/reconciliation.md", part: 2, en: "Reconciliation", tr: "Mutabakat"},
	{name: "going-live", file: "docs/guide/going-live.md", part: 2, en: "Going live", tr: "Canlıya geçiş"},
	{name: "checker", file: "docs/guide/checker.md", part: 2, en: "Signature checker", tr: "İmza denetleyicisi", form: "checker"},
	{name: "dealers", file: "docs/dealers.md", part: 3, en: "For dealers", tr: "Bayiler için"},
	{name: "calls", file: "sdk/calls.md", part: 3, en: "Calls", tr: "Çağrılar", form: "calls"},
	{name: "libraries", file: "sdk/README.md", part: 3, en: "Libraries", tr: "Kitaplıklar"},
	{name: "examples", file: "sdk/examples/README.md", part: 3, en: "Examples", tr: "Örnekler"},
	{name: "quirks", file: "docs/guide/quirks.md", part: 3, en: "Quirks", tr: "Tuhaflıklar"},
	{name: "changes", file: "docs/guide/changes.md", part: 3, en: "Changes", tr: "Değişiklikler"},
	{name: "contract", file: "docs/contract.md", part: 3, en: "The contract", tr: "Sözleşme"},
}

// downloads are the libraries of one file or two, which whoever has nothing but a running Vezne takes from there: below sdk/.
var downloads = []string{"sdk/php/Vezne.php", "sdk/typescript/vezne.mjs", "sdk/typescript/vezne.d.mts", "sdk/python/vezne.py", "sdk/csharp/Vezne.cs"}

// search is the page of the search, which has no file and stands in no menu.
var search = page{name: "search", en: "Search", tr: "Ara", form: "search"}

// source is the file of a page in a language.
func (p page) source(tag lang.Tag) string {
	if tag == lang.TR {
		return path.Dir(p.file) + "/tr/" + path.Base(p.file)
	}
	return p.file
}

// key is the page's path below /docs.
func (p page) key(tag lang.Tag) string { return strings.TrimSuffix(string(tag)+"/"+p.name, "/") }

// address is where it is.
func (p page) address(tag lang.Tag) string { return "/docs/" + p.key(tag) }

func (p page) menuTitle(tag lang.Tag) string { return in(tag, p.en, p.tr) }

// in picks what is in a language.
func in(tag lang.Tag, en, tr string) string {
	if tag == lang.TR {
		return tr
	}
	return en
}

// repository is where what is no page of the guide can be read.
const repository = "https://github.com/vezne/vezne/blob/main/"

// follow makes the address that a link of a file leads to, in the guide where that has the page.
func follow(link, from string, tag lang.Tag) string {
	if u, err := url.Parse(link); err != nil || u.Scheme != "" || strings.HasPrefix(link, "/") {
		return link
	}
	file, anchor, hasAnchor := strings.Cut(link, "#")
	if hasAnchor {
		anchor = "#" + anchor
	}
	if file == "" {
		return anchor
	}
	file = path.Join(path.Dir(from), file)
	if file == "sdk/postman.json" {
		return "/docs/postman.json"
	}
	if slices.Contains(downloads, file) {
		return "/docs/sdk/" + path.Base(file)
	}
	for _, p := range pages {
		if p.source(tag) == file {
			return p.address(tag) + anchor
		}
	}
	return repository + file + anchor
}

package guide

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io/fs"
	"strings"

	"github.com/vezne/vezne/core/lang"
)

// frame is the template around every page. "say" picks what is in the page's language.
var frame = template.Must(template.New("page.html").Funcs(template.FuncMap{"say": in}).ParseFS(files, "page.html", "checker.html", "search.html", "calls.html"))

// builder makes pages of the sources.
type builder struct {
	documents map[string]document // by their keys: en/errors
}

func newBuilder(from Sources) *builder {
	b := &builder{documents: map[string]document{}}
	for _, p := range pages {
		for _, tag := range lang.Tags() {
			file := p.source(tag)
			made, err := render(from.read(file), file, tag)
			if err != nil {
				panic(err) // the tests have rendered every page
			}
			b.documents[p.key(tag)] = made
		}
	}
	return b
}

// read finds a file by its path in the repository.
func (s Sources) read(file string) []byte {
	folder, name, _ := strings.Cut(file, "/")
	text, err := fs.ReadFile(map[string]fs.FS{"docs": s.Docs, "sdk": s.SDK}[folder], name)
	if err != nil {
		panic(err) // likewise
	}
	return text
}

// shown is what the template shows.
type shown struct {
	Tag          lang.Tag
	Title        string
	Begin, Body  template.HTML // before and behind the form
	Form         string
	Menu         []menuPart
	Other        link // the same page in the other language
	Before, Next *link
}

// menuPart is a heading of the menu with what stands below it.
type menuPart struct {
	Title   string
	Entries []entry
}

// entry is a page in the menu, with the headings of the one that is shown.
type entry struct {
	link
	IsHere   bool
	Headings []link
}

type link struct{ Title, Address string }

// page is one in a language, as it is sent.
func (b *builder) page(p page, tag lang.Tag) []byte {
	made := b.documents[p.key(tag)]
	before, rest := "", made.html
	if at := strings.Index(rest, "<h2"); p.form != "" && at >= 0 {
		before, rest = rest[:at], rest[at:]
	}
	if p.file == "" {
		made.title = p.menuTitle(tag)
	}
	s := shown{Tag: tag, Title: made.title, Form: p.form, Menu: b.menu(p, tag)}
	s.Begin, s.Body = template.HTML(before), template.HTML(rest) //nolint:gosec // it is ours, and rendered without raw HTML
	for i, other := range pages {
		if other.name != p.name {
			continue
		}
		if i > 0 {
			s.Before = &link{pages[i-1].menuTitle(tag), pages[i-1].address(tag)}
		}
		if i+1 < len(pages) {
			s.Next = &link{pages[i+1].menuTitle(tag), pages[i+1].address(tag)}
		}
	}
	s.Other = link{"Türkçe", p.address(lang.TR)}
	if tag == lang.TR {
		s.Other = link{"English", p.address(lang.EN)}
	}
	var out bytes.Buffer
	if err := frame.Execute(&out, s); err != nil {
		panic(err) // likewise
	}
	return out.Bytes()
}

func (b *builder) menu(here page, tag lang.Tag) (menu []menuPart) {
	for _, title := range parts {
		menu = append(menu, menuPart{Title: in(tag, title[0], title[1])})
	}
	for _, p := range pages {
		e := entry{link: link{p.menuTitle(tag), p.address(tag)}, IsHere: p.name == here.name}
		for _, h := range b.documents[p.key(tag)].headings {
			if e.IsHere && (h.level == 2 || p.form == "calls") { // of these every one is looked for
				e.Headings = append(e.Headings, link{h.title, "#" + h.id})
			}
		}
		menu[p.part].Entries = append(menu[p.part].Entries, e)
	}
	return menu
}

// index is what the search looks through: of each section its address, the page's title, its own, and its text.
func (b *builder) index(tag lang.Tag) []byte {
	list := [][4]string{}
	for _, p := range pages {
		for _, s := range b.documents[p.key(tag)].sections {
			list = append(list, [4]string{p.address(tag) + "#" + s.ID, p.menuTitle(tag), s.Title, s.Text})
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts always encode
	}
	return text
}

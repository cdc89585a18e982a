package guide

import (
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/vezne/vezne/core/lang"
)

// writer writes what goldmark would write otherwise: headings that can be linked to, tables and code that scroll by themselves.
type writer struct{ tag lang.Tag }

func (w *writer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, w.heading)
	r.Register(ast.KindFencedCodeBlock, w.code)
	r.Register(east.KindTable, w.table)
	r.Register(east.KindTableCell, w.cell)
	r.Register(east.KindTaskCheckBox, w.box)
}

func escape(text string) string { return template.HTMLEscapeString(text) }

func (w *writer) heading(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	name := escape(attribute(n, "id"))
	if entering {
		_, err := fmt.Fprintf(out, `<h%d id="%s">`, h.Level, name)
		return ast.WalkContinue, err
	}
	link := ""
	if h.Level > 1 {
		link = fmt.Sprintf(` <a class="anchor" href="#%s" aria-label="%s: %s">#</a>`, name, in(w.tag, "Link to", "Bağlantı"), escape(plain(n, source)))
	}
	_, err := fmt.Fprintf(out, "%s</h%d>\n", link, h.Level)
	return ast.WalkContinue, err
}

func attribute(n ast.Node, name string) string {
	value, _ := n.AttributeString(name)
	text, _ := value.(string)
	return text
}

// name is what a part that scrolls is called, after the heading that it stands below.
func (w *writer) name(n ast.Node, en, tr string) string {
	return escape(in(w.tag, en, tr) + ": " + attribute(n, "of"))
}

func (w *writer) code(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text, language := string(n.Lines().Value(source)), string(n.(*ast.FencedCodeBlock).Language(source))
	if language == "mermaid" {
		s, err := parseSequence(text)
		if err == nil {
			_, err = out.WriteString(s.html(w.tag))
		}
		return ast.WalkSkipChildren, err
	}
	_, err := fmt.Fprintf(out, "<pre class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"%s\"><code class=\"language-%s\" translate=\"no\">%s</code></pre>\n",
		w.name(n, "Code", "Kod"), escape(language), escape(text))
	return ast.WalkSkipChildren, err
}

func (w *writer) table(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := out.WriteString("</table></div>\n")
		return ast.WalkContinue, err
	}
	_, err := fmt.Fprintf(out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"%s\"><table>\n", w.name(n, "Table", "Tablo"))
	return ast.WalkContinue, err
}

// cell writes one of a table. One of the first row that is empty heads nothing.
func (w *writer) cell(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if n.Parent().Kind() == east.KindTableHeader && n.HasChildren() {
		tag = "th"
	}
	closing := ">\n"
	if entering {
		closing = ">"
	}
	begin := "</"
	if entering {
		begin = "<"
	}
	_, err := out.WriteString(begin + tag + closing)
	return ast.WalkContinue, err
}

// box stands before what is to be done. It is to look at: nobody keeps what somebody has done.
func (w *writer) box(out util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := out.WriteString(`<span class="box" aria-hidden="true"></span> `)
	return ast.WalkContinue, err
}

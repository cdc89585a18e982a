package guide

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/vezne/vezne/core/lang"
)

// heading is one of a page, with what links name it.
type heading struct {
	level     int
	id, title string
}

// document is a page's Markdown, rendered.
type document struct {
	title    string // the first heading
	html     string
	headings []heading // but for the first
	sections []section
}

// section is what stands below a heading, as plain text: what is searched.
type section struct {
	ID, Title, Text string
}

// render makes a page of a file.
func render(source []byte, file string, tag lang.Tag) (document, error) {
	t := &transformer{file: file, tag: tag}
	md := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.TaskList),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(t, 100))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&writer{tag: tag}, 100))),
	)
	var out bytes.Buffer
	if err := md.Convert(source, &out); err != nil {
		return document{}, fmt.Errorf("rendering %s: %w", file, err)
	}
	if t.err != nil {
		return document{}, fmt.Errorf("rendering %s: %w", file, t.err)
	}
	t.made.html = out.String()
	return t.made, nil
}

// anchor is what links name a heading by, as where the repository is read.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		default:
			return -1
		}
	}, title)
}

// transformer gives headings their ids, links their addresses, and what scrolls its name.
type transformer struct {
	file string
	tag  lang.Tag
	made document
	err  error
}

func (t *transformer) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source, seen, below := reader.Source(), map[string]bool{}, ""
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch n := n.(type) {
		case *ast.HTMLBlock: // a remark for who writes
			doc.RemoveChild(doc, n)
		case *ast.Heading:
			h := heading{level: n.Level, title: plain(n, source)}
			h.id = anchor(h.title)
			if seen[h.id] {
				t.err = fmt.Errorf("two headings are #%s", h.id)
			}
			seen[h.id], below = true, h.title
			n.SetAttributeString("id", h.id)
			t.heading(h)
		default:
			t.block(n, source, below)
		}
		n = next
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it returns what the function does: no error
		if link, is := n.(*ast.Link); is && entering {
			link.Destination = []byte(follow(string(link.Destination), t.file, t.tag))
		}
		return ast.WalkContinue, nil
	})
}

func (t *transformer) heading(h heading) {
	if t.made.title == "" {
		t.made.title = h.title
	} else {
		t.made.headings = append(t.made.headings, h)
	}
	t.made.sections = append(t.made.sections, section{ID: h.id, Title: h.title})
}

// block takes a block's text into the section that it stands in, and names what may be wider than the page.
func (t *transformer) block(n ast.Node, source []byte, below string) {
	n.SetAttributeString("of", below)
	if code, is := n.(*ast.FencedCodeBlock); is && string(code.Language(source)) == "mermaid" {
		if _, err := parseSequence(string(code.Lines().Value(source))); err != nil {
			t.err = err
		}
	}
	if last := len(t.made.sections) - 1; last >= 0 {
		t.made.sections[last].Text = strings.TrimSpace(t.made.sections[last].Text + " " + plain(n, source))
	}
}

// plain is the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // likewise
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		case *east.TableCell, *ast.ListItem, *ast.Paragraph, *ast.TextBlock:
			if !entering {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

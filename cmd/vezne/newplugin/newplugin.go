// Package newplugin writes the folder of a new gateway plugin.
package newplugin

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
)

//go:embed *.tmpl
var templates embed.FS

// Command is `vezne new-plugin`.
type Command struct {
	Name string `arg:"" help:"Code of the gateway: lower-case letters, digits and dashes, such as demo-x."`
	Dir  string `help:"The checkout of Vezne." default:"." placeholder:"DIR"`
}

var codes = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// maxCode is how many characters a plugin's code may have.
const maxCode = 32

// plugin is what the templates know.
type plugin struct {
	Code, Package, Title, Module string
}

// Run writes plugins/NAME: a folder that compiles, and whose conformance test says what to do next.
func (c Command) Run(out io.Writer) error {
	if !codes.MatchString(c.Name) || len(c.Name) > maxCode || len(c.Name) < 2 {
		return fmt.Errorf("%q can't name a plugin: 2 to %d lower-case letters, digits and dashes, such as demo-x", c.Name, maxCode)
	}
	mod, err := os.ReadFile(filepath.Join(c.Dir, "go.mod"))
	module := modfile.ModulePath(mod)
	if _, missing := os.Stat(filepath.Join(c.Dir, "plugins", "plugins.go")); err != nil || missing != nil || module == "" {
		return errors.New("this is no checkout of Vezne: run it there, or name one with --dir")
	}
	p := plugin{Code: c.Name, Package: strings.ReplaceAll(c.Name, "-", ""), Title: titleOf(c.Name), Module: module}
	folder := filepath.Join(c.Dir, "plugins", c.Name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return fmt.Errorf("making the plugin's folder: %w", err)
	}
	if err := p.write(folder); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `%[1]s is there, and compiles. Next:

  go test ./plugins/%[2]s      fails, and says what to do
  docs/plugin-authors.md       leads there step by step
  plugins/all/all.go           takes the line %[3]s.Plugin() when it is done
`, folder, c.Name, p.Package)
	return err
}

func titleOf(name string) string {
	words := strings.Split(name, "-")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// write fills every template. The one called plugin.go is named after the package.
func (p plugin) write(folder string) error {
	all, err := template.New("").Delims("[[", "]]").ParseFS(templates, "*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the templates: %w", err)
	}
	for _, one := range all.Templates() {
		name := strings.TrimSuffix(one.Name(), ".tmpl")
		if name == "plugin.go" {
			name = p.Package + ".go"
		}
		var text bytes.Buffer
		if err := one.Execute(&text, p); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text.Bytes(), 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

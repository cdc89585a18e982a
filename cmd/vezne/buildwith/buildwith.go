// Package buildwith builds a vezne that has plugins from other repositories: a module of its own, whose main names them.
package buildwith

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"

	"github.com/vezne/vezne/cmd/vezne/settings"
)

// module is Vezne's own.
const module = "github.com/vezne/vezne"

// Command is `vezne build`.
type Command struct {
	With   []string `required:"" sep:"none" help:"A plugin: module@version, or the folder of a module that is here. Its package has func Plugin. May be repeated." placeholder:"MODULE@VERSION|DIR"`
	From   string   `help:"The version of Vezne to build, or a checkout of it; otherwise the version of this program." placeholder:"VERSION|DIR"`
	Output string   `short:"o" help:"Where the program goes." default:"vezne" placeholder:"FILE"`
}

// source is a module, from the network or in a folder.
type source struct {
	Path, Version, Dir string
}

var (
	paths    = regexp.MustCompile(`^[a-z0-9][a-zA-Z0-9.~_-]*\.[a-z]+(/[a-zA-Z0-9._~-]+)+$`)
	folders  = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._~/-]*$`) // the path of a module that is here need have no host
	versions = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.+/_-]*$`)
)

// sourceOf reads a module@version, or the go.mod of a folder.
func sourceOf(text string) (source, error) {
	if stat, err := os.Stat(text); err == nil && stat.IsDir() {
		mod, err := os.ReadFile(filepath.Join(text, "go.mod"))
		if err != nil {
			return source{}, fmt.Errorf("%s is the folder of no module: %w", text, err)
		}
		path := modfile.ModulePath(mod)
		if !folders.MatchString(path) {
			return source{}, fmt.Errorf("%s: go.mod names no module that can be imported", text)
		}
		dir, err := filepath.Abs(text)
		return source{Path: path, Dir: dir}, err
	}
	path, version, _ := strings.Cut(text, "@")
	if !paths.MatchString(path) || !versions.MatchString(version) {
		return source{}, fmt.Errorf("%q is neither module@version nor the folder of a module", text)
	}
	return source{Path: path, Version: version}, nil
}

var mainFile = template.Must(template.New("main").Parse(`// Command vezne has plugins from other repositories. "vezne build" has written this file.
package main

import (
	"` + module + `/cmd/vezne/program"
{{range $i, $p := .}}
	plugin{{$i}} "{{$p.Path}}"{{end}}
)

func main() {
	program.Main({{range $i, $p := .}}{{if $i}}, {{end}}plugin{{$i}}.Plugin(){{end}})
}
`))

// Run builds the program. What a plugin lacks is said by Go, or by the program itself when it starts.
func (c Command) Run(ctx context.Context, out io.Writer, version settings.Version) (err error) {
	if c.From == "" && !versions.MatchString(strings.TrimPrefix(string(version), "dev")) {
		return errors.New("this program has no released version to build again: say which with --from, or name a checkout")
	}
	from, err := sourceOf(cmp.Or(c.From, string(version)))
	if from.Dir == "" { // a version
		from, err = sourceOf(module + "@" + cmp.Or(c.From, string(version)))
	}
	if err == nil && from.Path != module {
		err = fmt.Errorf("--from: %s is not Vezne", from.Path)
	}
	sources := []source{from}
	for _, text := range c.With {
		s, wrong := sourceOf(text)
		sources, err = append(sources, s), errors.Join(err, wrong)
	}
	if err != nil {
		return err
	}
	output, err := filepath.Abs(c.Output)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "vezne-build-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var text bytes.Buffer
	if err := mainFile.Execute(&text, sources[1:]); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), text.Bytes(), 0o600); err != nil {
		return err
	}
	for _, args := range steps(sources, string(version), output) {
		step := exec.CommandContext(ctx, "go", args...)
		step.Dir, step.Stdout, step.Stderr = dir, out, out
		step.Env = append(os.Environ(), "GOWORK=") // the one that is made here, and no other
		if err := step.Run(); err != nil {
			return fmt.Errorf("go %s: %w", strings.Join(args[:2], " "), err)
		}
	}
	_, err = fmt.Fprintf(out, "%s is built; \"%s version\" lists its plugins\n", output, output)
	return err
}

// steps are what Go is asked to do. What is in a folder is built together in one workspace, so that neither needs to name a version of
// the other; what is on the network is required as usual.
func steps(sources []source, version, output string) [][]string {
	get, use := []string{"get"}, []string{"work", "init", "."}
	for _, s := range sources {
		if s.Dir != "" {
			use = append(use, s.Dir)
		} else {
			get = append(get, s.Path+"@"+s.Version)
		}
	}
	all := [][]string{{"mod", "init", "vezne.build/with"}}
	if len(get) > 1 {
		all = append(all, get)
	}
	return append(all, use, []string{"build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w -X " + module + "/cmd/vezne/program.version=" + version, "-o", output, "."})
}

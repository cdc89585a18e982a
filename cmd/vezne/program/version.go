package program

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/all"
)

// What the linker is told (-ldflags '-X …/cmd/vezne/program.version=v1.2.3'): the tag, the commit and the commit's time in RFC 3339.
// The time is the commit's and not the build's, so that two builds of one commit are the same bytes.
var (
	version = "dev"
	commit  string
	date    string
)

// buildInfo is what the program was built of.
type buildInfo struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`   // empty: built outside a repository
	Date     string   `json:"date,omitempty"`     // of the commit
	Go       string   `json:"go"`                 // such as go1.26.8
	Platform string   `json:"platform"`           // such as linux/amd64
	Gateways []string `json:"gateways,omitempty"` // beside those of Vezne's own, with their versions
}

// builtOf returns what the linker was told, and of the rest what Go has noted by itself: "go install" and "go build" in a clone tell the
// linker nothing.
func builtOf() buildInfo {
	b := buildInfo{
		Version: version, Commit: commit, Date: date, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	noted, isNoted := debug.ReadBuildInfo()
	if !isNoted {
		return b
	}
	for _, s := range noted.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, s.Value)
		case "vcs.time":
			b.Date = cmp.Or(b.Date, s.Value)
		}
	}
	return b
}

type versionCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Run prints what the program was built of, and the gateways that it has beside those of Vezne's own.
func (c versionCommand) Run(t terminal) error {
	b := builtOf()
	registry, err := plugins.NewRegistry(gateways...)
	if err != nil {
		return err
	}
	for _, p := range registry.Plugins() {
		d := p.Describe()
		if !slices.ContainsFunc(all.List(), func(own plugins.Registration) bool { return own.Describe().Code == d.Code }) {
			b.Gateways = append(b.Gateways, d.Code+" "+d.Version)
		}
	}
	if c.JSON {
		return json.NewEncoder(t.out).Encode(b)
	}
	text := "vezne " + b.Version + "\n"
	if b.Commit != "" {
		text += "commit " + b.Commit + " " + b.Date + "\n"
	}
	text += "built with " + b.Go + " for " + b.Platform + "\n"
	for _, g := range b.Gateways {
		text += "with " + g + "\n"
	}
	_, err = fmt.Fprint(t.out, text)
	return err
}

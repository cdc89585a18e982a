// Package newplugin writes the folder of a new gateway plugin.
package newplugin

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
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

// Command is `vezne new-plugin`. What it writes is a whole plugin for an imaginary gateway with its fake, so that the kit is green from
// the beginning: the author changes what is there, the fake first, and the kit says what the change has broken.
type Command struct {
	Name     string `arg:"" help:"Code of the gateway: lower-case letters, digits and dashes, such as demo-x."`
	Dir      string `help:"The checkout of Vezne." default:"." placeholder:"DIR"`
	Card     bool   `help:"Deposits by card on the gateway's own page. This is what it takes if nothing is said." xor:"deposits"`
	Transfer bool   `help:"Deposits by bank transfer to an account of the gateway's." xor:"deposits"`
	Crypto   bool   `help:"Deposits in a coin, priced in lira, on the gateway's own page." xor:"deposits"`
	Payout   bool   `help:"Payouts: to bank accounts, or with --crypto in the coin. Alone, it takes no deposits."`
	Refund   bool   `help:"Refunds of deposits, in parts."`
	Sign     string `help:"How requests are signed: key, with a key in a header alone; hmac, over nonce, method, path and body; token, with one that the gateway gives for a while." enum:"key,hmac,token" default:"key"`
	Hosts    string `help:"Where the gateway is: config, at an address of the configuration; fixed, at hosts that the descriptor names." enum:"config,fixed" default:"config"`
}

var codes = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// maxCode is how many characters a plugin's code may have.
const maxCode = 32

// plugin is what the templates know.
type plugin struct {
	Code, Package, Title, Module string
	Kind                         string // of gateway.Kind, as Go has it
	Deposit, Payout, Refund      bool
	Transfer, Crypto, IsFixed    bool
	IsHMAC, IsToken              bool
}

// Run writes plugins/NAME.
func (c Command) Run(out io.Writer) error {
	if !codes.MatchString(c.Name) || len(c.Name) > maxCode || len(c.Name) < 2 {
		return fmt.Errorf("%q can't name a plugin: 2 to %d lower-case letters, digits and dashes, such as demo-x", c.Name, maxCode)
	}
	mod, err := os.ReadFile(filepath.Join(c.Dir, "go.mod"))
	module := modfile.ModulePath(mod)
	if _, missing := os.Stat(filepath.Join(c.Dir, "plugins", "plugins.go")); err != nil || missing != nil || module == "" {
		return errors.New("this is no checkout of Vezne: run it there, or name one with --dir")
	}
	p := plugin{
		Code: c.Name, Package: strings.ReplaceAll(c.Name, "-", ""), Title: titleOf(c.Name), Module: module, Kind: "Card",
		Deposit: c.Card || c.Transfer || c.Crypto || !c.Payout, Payout: c.Payout, Refund: c.Refund, Transfer: c.Transfer, Crypto: c.Crypto,
		IsHMAC: c.Sign == "hmac", IsToken: c.Sign == "token", IsFixed: c.Hosts == "fixed",
	}
	switch {
	case c.Refund && !p.Deposit:
		return errors.New("--refund gives back deposits: say --card, --transfer or --crypto, too")
	case c.Crypto:
		p.Kind = "Crypto"
	case c.Transfer || !p.Deposit:
		p.Kind = "Bank"
	}
	folder := filepath.Join(c.Dir, "plugins", c.Name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return fmt.Errorf("making the plugin's folder: %w", err)
	}
	if err := p.write(folder); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `%[1]s is there: a whole plugin for an imaginary gateway. Next:

  fake_test.go                 make it your gateway, from its own documentation
  go test ./plugins/%[2]s      is green now; it says what your changes break, and what they lack
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

// write fills every template that the plugin needs. The one called plugin.go is named after the package.
func (p plugin) write(folder string) error {
	all, err := template.New("").Delims("[[", "]]").ParseFS(templates, "*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the templates: %w", err)
	}
	leaves := map[string]bool{"deposit.go": !p.Deposit, "refund.go": !p.Refund, "payout.go": !p.Payout, "session.go": !p.IsToken}
	for _, one := range all.Templates() {
		name := strings.TrimSuffix(one.Name(), ".tmpl")
		if leaves[name] {
			continue
		}
		var filled bytes.Buffer
		if err := one.Execute(&filled, p); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		text := filled.Bytes()
		if strings.HasSuffix(name, ".go") {
			if text, err = format.Source(text); err != nil {
				return fmt.Errorf("writing %s: %w", name, err)
			}
		}
		if name == "plugin.go" {
			name = p.Package + ".go"
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

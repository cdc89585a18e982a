package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/staff"
)

// staffCommand makes and repairs staff members from the command line. No rule about a second person holds it up: whoever has
// the server and its keys has the installation.
type staffCommand struct {
	Create       staffCreate       `cmd:"" help:"Create a staff member; the password is read from standard input or VEZNE_STAFF_PASSWORD."`
	ResetFactors staffResetFactors `cmd:"" help:"Reset a staff member's second factors, end their sessions and unlock the account."`
}

type staffCreate struct {
	settings.Config
	Email  string `required:"" help:"Email to sign in with."`
	Role   string `required:"" enum:"admin,operator,finance,support,auditor,viewer,dealer,provider" help:"admin, operator, finance, support, auditor, viewer, dealer or provider."`
	Dealer int64  `help:"Id of the dealer (role dealer)."`

	Provider int64 `help:"Id of the provider (role provider)."`
}

type staffResetFactors struct {
	settings.Config
	Email string `required:"" help:"Email of the staff member."`
}

// maxPasswordLine bounds the line read from standard input.
const maxPasswordLine = 1024

// Run creates the staff member.
func (c staffCreate) Run(ctx context.Context, t terminal) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	password, err := readPassword(t)
	if err != nil {
		return err
	}
	s, err := openForCommand(ctx, set, "staff create")
	if err != nil {
		return err
	}
	by := app.By(core.Actor{Kind: core.BySystem, Name: "vezne staff create"})
	member, err := s.staffService.Create(ctx, by, appstaff.NewStaff{
		Email: c.Email, Password: password, Role: staff.Role(c.Role), DealerID: c.Dealer, ProviderID: c.Provider,
	})
	err = errors.Join(explainStaff(err), s.close())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "created %s %s\n", member.Role, member.Email)
	return err
}

// openForCommand puts a service together for one command: nothing is served.
func openForCommand(ctx context.Context, set settings.Settings, command string) (*service, error) {
	o := serveOptions{command: command, role: settings.RoleAPI, migrate: set.IsEmbedded()}
	return build(ctx, set, o, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, slog.New(slog.DiscardHandler))
}

// Run resets the staff member.
func (c staffResetFactors) Run(ctx context.Context, t terminal) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	s, err := openForCommand(ctx, set, "staff reset-factors")
	if err != nil {
		return err
	}
	by := app.By(core.Actor{Kind: core.BySystem, Name: "vezne staff reset-factors"})
	err = s.staffService.ResetFactorsOf(ctx, by, c.Email)
	if fault.Is(err, fault.NotFound) {
		err = fmt.Errorf("there is no staff member %s", c.Email)
	}
	if err := errors.Join(err, s.close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s signs in with the password alone now\n", c.Email)
	return err
}

// readPassword takes the password from the environment or one line of standard input, never from an argument, which
// other users could see.
func readPassword(t terminal) (string, error) {
	if p := os.Getenv(settings.StaffPassword); p != "" {
		return p, nil
	}
	if name := os.Getenv(settings.StaffPasswordFile); name != "" {
		p, err := settings.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", settings.StaffPasswordFile, err)
		}
		return p, nil
	}
	if _, err := fmt.Fprint(t.err, "password: "); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(io.LimitReader(os.Stdin, maxPasswordLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// explainStaff says a refusal in sentences.
func explainStaff(err error) error {
	if fault.Is(err, fault.Conflict) {
		return errors.New("there is a staff member with this email already")
	}
	fields := fault.FieldsOf(err)
	if len(fields) == 0 {
		return err
	}
	var sentences []error
	for _, f := range fields {
		sentences = append(sentences, errors.New(lang.Say(lang.EN, f.Key, f.Args...)))
	}
	return errors.Join(sentences...)
}

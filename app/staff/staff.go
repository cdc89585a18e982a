package staff

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// maxPasswordBytes bounds a password.
const maxPasswordBytes = 256

// maxTokenBytes bounds a token, and an e-mail address, before it is looked up.
const maxTokenBytes = 512

// Config is what a Service works with.
type Config struct {
	UnitOfWork *app.UnitOfWork
	Store      ports.Staff
	Sequences  ports.Sequences
	Limiter    ports.Limiter
	Passkeys   ports.Passkeys
	BaseURL    string       // invitations point to it
	Issuer     string       // names this installation in authenticator apps
	Required   []staff.Role // whose members must have a second factor
}

// Service is the use cases of staff: sign-in, second factors, sessions, and who is a member.
type Service struct {
	Config
	passwords passwords
}

// New prepares sign-in.
func New(c Config) *Service {
	return &Service{Config: c, passwords: newPasswords(c.UnitOfWork.Random)}
}

// Origin is where a request comes from.
type Origin struct {
	Addr      netip.Addr
	UserAgent string
}

// addr is the address as audit rows have it.
func (o Origin) addr() string {
	if !o.Addr.IsValid() {
		return ""
	}
	return o.Addr.String()
}

// Place names where a request comes from, for counting what comes from there.
func (o Origin) Place() string { return core.PlaceOf(o.Addr) }

// agent is the user agent as it is kept: printable, and bounded.
func (o Origin) agent() string {
	text := lang.Clean(o.UserAgent[:min(len(o.UserAgent), 4*staff.MaxUserAgent)])
	for len(text) > staff.MaxUserAgent {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// record makes an audit row of a member.
func (s *Service) record(by core.Actor, action, target string) (core.AuditEntry, error) {
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return core.AuditEntry{}, fault.E("access.record", fault.Internal, err)
	}
	return core.AuditEntry{ID: ids.Next(), At: now, Actor: by, Action: action, Target: target}, nil
}

// commit commits what a decision changes, with its audit row, which the decision may complete.
func (s *Service) commit(
	ctx context.Context, v app.Request, action, target string, decide func(*core.AuditEntry) (core.Changeset, error),
) error {
	audit, err := s.record(v.Actor(), action, target)
	if err != nil {
		return err
	}
	change, err := decide(&audit)
	if err != nil {
		return err
	}
	return s.UnitOfWork.CommitFor(ctx, v, append(change, audit))
}

// targetOf names a member in audit rows.
func targetOf(m staff.Staff) string { return "staff/" + m.Email }

// membership is what audit rows say of a member before and after a change.
type membership struct {
	Role       staff.Role `json:"role"`
	DealerID   int64      `json:"dealerId,omitempty"`
	ProviderID int64      `json:"providerId,omitempty"`
	IsActive   bool       `json:"isActive"`
}

func membershipOf(m staff.Staff) string {
	text, err := json.Marshal(membership{m.Role, m.DealerID, m.ProviderID, m.IsActive})
	if err != nil {
		panic(err) // cannot happen: a struct of plain fields
	}
	return string(text)
}

// NewStaff is a staff member to be made.
type NewStaff struct {
	Email, Password string
	Role            staff.Role
	DealerID        int64 // role dealer only
	ProviderID      int64 // role provider only
}

// Create makes a staff member. Faults: Invalid; Conflict when the email is taken.
func (s *Service) Create(ctx context.Context, by app.Request, n NewStaff) (staff.Staff, error) {
	const op = "access.Create"
	n.Email = plainEmail(n.Email)
	if err := n.check(); err != nil {
		return staff.Staff{}, err
	}
	member, err := s.make(ctx, n)
	if err != nil {
		return staff.Staff{}, fault.E(op, "", err)
	}
	entry := core.AuditEntry{Action: "createStaff", Target: targetOf(member), After: membershipOf(member)}
	return member, s.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{member})
}

// make hashes the password and numbers the member.
func (s *Service) make(ctx context.Context, n NewStaff) (staff.Staff, error) {
	hash, err := s.passwords.hash(ctx, n.Password)
	if err != nil {
		return staff.Staff{}, err
	}
	id, err := s.Sequences.NextID(ctx, "staff")
	if err != nil {
		return staff.Staff{}, err
	}
	now := s.UnitOfWork.Clock.Now()
	return staff.Staff{
		ID: id, Version: 1, Email: n.Email, PasswordHash: core.NewSecret(hash), Role: n.Role, DealerID: n.DealerID,
		ProviderID: n.ProviderID, IsActive: true, CreatedAt: now, UpdatedAt: now,
	}, nil
}

func plainEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func (n NewStaff) check() error {
	var form core.Form
	checkEmail(&form, n.Email)
	checkPassword(&form, n.Password, n.Email)
	checkRole(&form, n.Role, n.DealerID, n.ProviderID)
	return form.Err("access.NewStaff.check")
}

// checkEmail takes letters of ASCII alone: staff are told apart by their email, and of "admın" and "аdmin" nobody sees that they are
// not "admin".
func checkEmail(form *core.Form, email string) {
	form.Exact("email", core.Input{Kind: core.TextInput, Text: email})
	name, host, ok := strings.Cut(email, "@")
	switch {
	case email == "":
	case !ok || name == "" || host == "":
		form.Fail("email", "field.email")
	case strings.ContainsFunc(email, func(r rune) bool { return r > unicode.MaxASCII || r == ' ' }):
		form.Fail("email", "field.ascii")
	}
}

// checkRole: dealer and provider staff belong to one, and nobody else does.
func checkRole(form *core.Form, role staff.Role, dealerID, providerID int64) {
	if !role.IsRole() {
		form.Fail("role", "field.choice", fmt.Sprint(staff.Roles()))
	}
	if role.IsDealers() != (dealerID != 0) {
		form.Fail("dealer", "field.dealer")
	}
	if role.IsProviders() != (providerID != 0) {
		form.Fail("provider", "field.provider")
	}
}

// checkTenant refuses a dealer or provider that there is not.
func (s *Service) checkTenant(ctx context.Context, form *core.Form, dealerID, providerID int64) error {
	if dealerID != 0 {
		if _, err := s.UnitOfWork.Directory.Dealer(ctx, dealerID); fault.Is(err, fault.NotFound) {
			form.Fail("dealer", "field.exists")
		} else if err != nil {
			return err
		}
	}
	if providerID != 0 {
		if _, err := s.UnitOfWork.Directory.Provider(ctx, providerID); fault.Is(err, fault.NotFound) {
			form.Fail("provider", "field.exists")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// isRequired reports whether members of the role must have a second factor.
func (s *Service) isRequired(role staff.Role) bool { return slices.Contains(s.Required, role) }

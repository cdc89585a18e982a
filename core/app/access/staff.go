package access

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/ports"
)

// sessionLife is how long a staff session lasts.
const sessionLife = 12 * time.Hour

// Bounds of a password, in characters and bytes.
const (
	minPasswordChars = 10
	maxPasswordBytes = 256
)

// loginFailRate bounds failed sign-ins for one email and for one address.
var loginFailRate = core.Rate{Events: 10, Per: time.Minute}

// StaffDesk is the use cases of staff: sign-in, sessions, and making the first members.
type StaffDesk struct {
	desk      *app.Desk
	staff     ports.StaffDirectory
	sequences ports.Sequences
	limiter   ports.Limiter
	passwords passwords
}

// NewStaffDesk prepares sign-in.
func NewStaffDesk(desk *app.Desk, staff ports.StaffDirectory, sequences ports.Sequences, limiter ports.Limiter) *StaffDesk {
	return &StaffDesk{
		desk: desk, staff: staff, sequences: sequences, limiter: limiter,
		passwords: passwords{random: desk.Random, slots: make(chan struct{}, maxHashing)},
	}
}

// Login checks email and password and gives a new session's bearer token. Faults: BadLogin, RateLimited.
func (s *StaffDesk) Login(ctx context.Context, email, password string, addr netip.Addr) (string, error) {
	const op = "access.Login"
	email = strings.ToLower(strings.TrimSpace(email))
	keys := []string{"login:" + sign.Fingerprint(email), "login:" + addr.String()}
	if s.isLockedOut(ctx, keys) {
		return "", fault.New(op, fault.RateLimited)
	}
	member, err := s.verify(ctx, email, password)
	isWithin := true
	if fault.Is(err, fault.BadLogin) {
		for _, key := range keys {
			isWithin = s.limiter.Take(ctx, key, 1, loginFailRate).OK && isWithin
		}
	}
	// Asked again, because of any number of guesses made at once each found the limit unused before it was looked at.
	if !isWithin || (err == nil && s.isLockedOut(ctx, keys)) {
		return "", fault.New(op, fault.RateLimited)
	}
	if err != nil {
		return "", fault.E(op, "", err)
	}
	return s.open(ctx, member, addr)
}

func (s *StaffDesk) isLockedOut(ctx context.Context, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return !s.limiter.Peek(ctx, key, loginFailRate).OK })
}

func (s *StaffDesk) verify(ctx context.Context, email, password string) (core.Staff, error) {
	const op = "access.verify"
	if len(password) > maxPasswordBytes || !core.IsCleanText(email) || len(email) > maxHeaderBytes {
		return core.Staff{}, fault.New(op, fault.BadLogin)
	}
	member, err := s.staff.StaffByEmail(ctx, email)
	encoded := member.PasswordHash.Reveal()
	if fault.Is(err, fault.NotFound) {
		encoded = decoy
	} else if err != nil {
		return core.Staff{}, err
	}
	ok, err := s.passwords.match(ctx, password, encoded)
	if err != nil {
		return core.Staff{}, fault.E(op, "", err)
	}
	if !ok || member.ID == 0 || !member.IsActive {
		return core.Staff{}, fault.New(op, fault.BadLogin)
	}
	return member, nil
}

func (s *StaffDesk) open(ctx context.Context, member core.Staff, addr netip.Addr) (string, error) {
	const op = "access.open"
	token, err := core.NewKey(core.StaffSessionKey, s.desk.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	now := s.desk.Clock.Now()
	ids, err := core.NewIDs(now, s.desk.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	session := core.Session{
		ID: ids.Next(), Version: 1, Fingerprint: sign.Fingerprint(token), StaffID: member.ID, Addr: addr.String(),
		CreatedAt: now, ExpiresAt: now.Add(sessionLife),
	}
	audit := core.AuditEntry{
		ID: ids.Next(), At: now, By: member.Actor(addr.String()), Action: "login", Target: "staff/" + member.Email,
	}
	err = s.desk.Commit(ctx, core.Changeset{Sessions: []core.Session{session}, Audit: []core.AuditEntry{audit}})
	if err != nil {
		return "", fault.E(op, "", err)
	}
	return token, nil
}

// Authenticate finds the active staff member of a bearer token. Fault: Unauthenticated.
func (s *StaffDesk) Authenticate(ctx context.Context, token string) (core.Staff, error) {
	const op = "access.Authenticate"
	if token == "" || len(token) > maxHeaderBytes {
		return core.Staff{}, fault.New(op, fault.Unauthenticated)
	}
	session, member, err := s.staff.SessionByFingerprint(ctx, sign.Fingerprint(token))
	if fault.Is(err, fault.NotFound) {
		return core.Staff{}, fault.New(op, fault.Unauthenticated)
	}
	if err != nil {
		return core.Staff{}, fault.E(op, "", err)
	}
	if !session.IsLive(s.desk.Clock.Now()) || !member.IsActive {
		return core.Staff{}, fault.New(op, fault.Unauthenticated)
	}
	return member, nil
}

// NewStaff is a staff member to be made.
type NewStaff struct {
	Email, Password string
	Role            core.Role
	DealerID        int64 // role dealer only
}

// Create makes a staff member. Faults: Invalid; Conflict when the email is taken.
func (s *StaffDesk) Create(ctx context.Context, by core.Actor, n NewStaff) (core.Staff, error) {
	const op = "access.Create"
	n.Email = strings.ToLower(strings.TrimSpace(n.Email))
	if err := n.check(); err != nil {
		return core.Staff{}, err
	}
	hash, err := s.passwords.hash(ctx, n.Password)
	if err != nil {
		return core.Staff{}, fault.E(op, "", err)
	}
	id, err := s.sequences.NextID(ctx, "staff")
	if err != nil {
		return core.Staff{}, fault.E(op, "", err)
	}
	now := s.desk.Clock.Now()
	ids, err := core.NewIDs(now, s.desk.Random)
	if err != nil {
		return core.Staff{}, fault.E(op, fault.Internal, err)
	}
	member := core.Staff{
		ID: id, Version: 1, Email: n.Email, PasswordHash: core.NewSecret(hash), Role: n.Role, DealerID: n.DealerID,
		IsActive: true, CreatedAt: now, UpdatedAt: now,
	}
	audit := core.AuditEntry{ID: ids.Next(), At: now, By: by, Action: "createStaff", Target: "staff/" + n.Email}
	return member, s.desk.Commit(ctx, core.Changeset{Staff: []core.Staff{member}, Audit: []core.AuditEntry{audit}})
}

func (n NewStaff) check() error {
	var form core.Form
	form.Name("email", core.Input{Kind: core.TextInput, Text: n.Email})
	if name, host, ok := strings.Cut(n.Email, "@"); n.Email != "" && (!ok || name == "" || host == "") {
		form.Fail("email", "field.email")
	}
	if utf8.RuneCountInString(n.Password) < minPasswordChars || len(n.Password) > maxPasswordBytes {
		form.Fail("password", "field.length", minPasswordChars, maxPasswordBytes)
	}
	if !n.Role.IsRole() {
		form.Fail("role", "field.choice", fmt.Sprint(core.Roles()))
	}
	if (n.Role == core.DealerStaff) != (n.DealerID != 0) {
		form.Fail("dealer", "field.dealer")
	}
	return form.Err("access.NewStaff.check")
}

// Package queues shows staff what waits: in the queue library, and by the database, which is the truth. It also lets them
// into the library's own web pages, where a browser has no bearer token to show.
package queues

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Path is where the library's pages are, and OpenPath where a browser is let in to them.
const (
	Path     = "/queues"
	OpenPath = Path + "/open"
)

const (
	// ticketLife is how long a browser may take from the mutation to the page.
	ticketLife = time.Minute
	// passLife bounds a pass; the session that it belongs to may end sooner.
	passLife = 12 * time.Hour

	ticketPrefix core.KeyPrefix = "vzq_"
	passPrefix   core.KeyPrefix = "vzqs_"
	maxKeyBytes                 = 100
)

// Service answers staff.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Tasks      ports.TaskQueues
	Reports    ports.Reports
	Tickets    ports.Tickets
	Sealer     ports.Sealer
	// Authenticate finds the active staff member of a bearer token. Fault: Unauthenticated.
	Authenticate func(ctx context.Context, token string) (staff.Staff, error)
	// BaseURL is how browsers reach this service.
	BaseURL string
}

// TaskQueues is what the queue library says. Faults: Forbidden, Unavailable.
func (s *Service) TaskQueues(ctx context.Context, by staff.Staff) ([]report.TaskQueue, error) {
	if err := by.Require(staff.ReadQueues); err != nil {
		return nil, err
	}
	return s.Tasks.TaskQueues(ctx)
}

// DueWork is what the database says. Fault: Forbidden.
func (s *Service) DueWork(ctx context.Context, by staff.Staff) ([]report.DueWork, error) {
	if err := by.Require(staff.ReadQueues); err != nil {
		return nil, err
	}
	return s.Reports.DueWork(ctx, s.UnitOfWork.Clock.Now())
}

// Open returns the address at which a browser is let in, once and within a minute, for as long as the session of the
// bearer token lasts. Faults: Forbidden, Unavailable.
func (s *Service) Open(ctx context.Context, by app.Request, token core.Secret) (string, error) {
	const op = "queues.Open"
	if err := by.Require(staff.EnterQueues); err != nil {
		return "", err
	}
	ticket, err := s.issue(ctx, ticketPrefix, ticketLife, token.Reveal())
	if err != nil {
		return "", fault.E(op, "", err)
	}
	if err := s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{Action: "openQueues", Target: "queues"}, nil); err != nil {
		return "", fault.E(op, "", err)
	}
	return s.BaseURL + OpenPath + "?ticket=" + ticket, nil
}

// Enter takes a ticket, which ends with that, and returns the pass that the browser shows from now on. Faults:
// Unauthenticated, Forbidden, Unavailable.
func (s *Service) Enter(ctx context.Context, ticket string) (pass string, err error) {
	const op = "queues.Enter"
	token, err := s.tokenOf(ctx, ticketPrefix, ticket, s.Tickets.Take)
	if err == nil {
		_, err = s.admit(ctx, token)
	}
	if err == nil {
		pass, err = s.issue(ctx, passPrefix, passLife, token)
	}
	return pass, fault.E(op, "", err)
}

// Admit finds who shows a pass: somebody whose session still lasts, and who may still look. Faults: Unauthenticated,
// Forbidden, Unavailable.
func (s *Service) Admit(ctx context.Context, pass string) (staff.Staff, error) {
	token, err := s.tokenOf(ctx, passPrefix, pass, s.Tickets.Kept)
	if err != nil {
		return staff.Staff{}, fault.E("queues.Admit", "", err)
	}
	return s.admit(ctx, token)
}

func (s *Service) admit(ctx context.Context, token string) (staff.Staff, error) {
	member, err := s.Authenticate(ctx, token)
	if err != nil {
		return staff.Staff{}, err
	}
	return member, member.Require(staff.EnterQueues)
}

// issue makes a key that stands for a session's bearer token. What is kept of it tells nobody either of the two: the key
// is kept as its fingerprint, and the token sealed.
func (s *Service) issue(ctx context.Context, prefix core.KeyPrefix, life time.Duration, token string) (string, error) {
	key, err := core.NewKey(prefix, s.UnitOfWork.Random)
	if err != nil {
		return "", fault.E("queues.issue", fault.Internal, err)
	}
	place := placeOf(prefix, key)
	sealed, err := s.Sealer.Seal(token, place)
	if err != nil {
		return "", fault.E("queues.issue", fault.Internal, err)
	}
	return key, s.Tickets.Keep(ctx, place, sealed, life)
}

func (s *Service) tokenOf(
	ctx context.Context, prefix core.KeyPrefix, key string, look func(context.Context, string) (string, error),
) (string, error) {
	if key == "" || len(key) > maxKeyBytes {
		return "", fault.New("queues.tokenOf", fault.Unauthenticated)
	}
	place := placeOf(prefix, key)
	sealed, err := look(ctx, place)
	if fault.Is(err, fault.NotFound) {
		return "", fault.New("queues.tokenOf", fault.Unauthenticated)
	}
	if err != nil {
		return "", err
	}
	token, err := s.Sealer.Open(sealed, place)
	if err != nil {
		return "", fault.E("queues.tokenOf", fault.Unauthenticated, err)
	}
	return token, nil
}

func placeOf(prefix core.KeyPrefix, key string) string {
	return "queues/" + string(prefix) + "/" + sign.Fingerprint(key)
}

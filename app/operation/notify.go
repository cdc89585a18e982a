package operation

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/ports"
)

// Rates of what anybody who knows a notification address may send: messages with a wrong signature that are kept, and
// messages that no signature protects, each of which has the gateway asked.
var (
	forgedRate = core.Rate{Events: 60, Per: time.Minute}  //nolint:gochecknoglobals // a constant
	hintRate   = core.Rate{Events: 600, Per: time.Minute} //nolint:gochecknoglobals // a constant
)

// Bounds of what is kept of a message, in bytes. What was refused is kept as evidence only.
const (
	maxKeyBytes     = 200
	maxHeaderBytes  = 16 << 10
	maxRefusedBytes = 4 << 10
)

// notificationLease is how long one worker has a notification, and how long it waits after that worker's crash.
const notificationLease = time.Minute

// Notify keeps a gateway's message and says how to answer it. It is worked on afterwards; only a message that could not
// be kept is asked for again. Faults: NotFound (no account has this token).
func (s *Service) Notify(ctx context.Context, hookToken string, in gateway.Inbound) (gateway.Reply, error) {
	const op = "operation.Notify"
	g, err := s.hooked(ctx, hookToken)
	if err != nil {
		return gateway.Reply{}, fault.E(op, "", err)
	}
	reader, ok := g.Gateway.(ports.NotificationReader)
	if !ok {
		return gateway.Reply{}, fault.New(op, fault.NotFound)
	}
	in.Arrived = s.UnitOfWork.Clock.Now()
	parsed, err := g.Read(ctx, reader, in)
	if app.LogPanic(s.Log, "gateway "+g.Account.Code, err) {
		return reader.Acknowledge(gateway.TryAgain), nil // the fault is ours
	}
	parsed = app.Sanitizer{Gateway: g}.Notification(parsed)
	n := notification.Notification{
		Version: 1, GatewayID: g.Account.ID, Key: keyOf(parsed.ID), Type: parsed.Type, Status: notification.Waiting,
		Parsed: parsed, Inbound: within(in, len(in.Body)), ReceivedAt: in.Arrived,
	}
	switch {
	case err != nil:
		return reader.Acknowledge(s.refuse(ctx, n, err)), nil
	case !isSigned(g, parsed) && !s.Limiter.Take(ctx, "hint:"+g.Account.Ref(), 1, hintRate).OK:
		return reader.Acknowledge(gateway.TryAgain), nil
	default:
		return reader.Acknowledge(s.store(ctx, n)), nil
	}
}

// keyOf is what distinguishes messages of a gateway, in bounds.
func keyOf(id string) string {
	if id == app.OneLine(id, maxKeyBytes) {
		return id
	}
	return "sha256 " + sign.Hash(id)
}

// within bounds what is kept of a message beside the part of its body.
func within(in gateway.Inbound, bodyBytes int) gateway.Inbound {
	in.Body = in.Body[:min(len(in.Body), bodyBytes)]
	in.Query = in.Query[:min(len(in.Query), maxHeaderBytes)]
	size := 0
	for i, f := range in.Header {
		if size += len(f.Name) + len(f.Value); size > maxHeaderBytes {
			in.Header = in.Header[:i:i]
			break
		}
	}
	return in
}

// isSigned reports whether everything in a message is protected by a signature.
func isSigned(g *app.Gateway, n gateway.Notification) bool {
	if traits := g.Descriptor.Notify; len(n.Lines) > 0 && (traits == nil || traits.Trust < gateway.Signed) {
		return false // a line says nothing of its own trust
	}
	for _, e := range n.Events {
		if e.Trust < gateway.Signed {
			return false
		}
	}
	for _, p := range n.Payouts {
		if p.Trust < gateway.Signed {
			return false
		}
	}
	for _, r := range n.Refunds {
		if r.Trust < gateway.Signed {
			return false
		}
	}
	return !slices.ContainsFunc(n.Disputes, func(d gateway.DisputeCue) bool { return d.Trust < gateway.Signed })
}

func (s *Service) hooked(ctx context.Context, token string) (*app.Gateway, error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if token != "" && core.NewSecret(a.HookToken).Equal(token) {
			return s.Gateways.Open(a)
		}
	}
	return nil, fault.New("operation.hooked", fault.NotFound)
}

func (s *Service) store(ctx context.Context, n notification.Notification) gateway.Disposition {
	ids, err := core.NewIDs(n.ReceivedAt, s.UnitOfWork.Random)
	if err != nil {
		return gateway.TryAgain
	}
	n.ID = ids.Next()
	switch err := s.UnitOfWork.Commit(ctx, core.Changeset{n}); {
	case fault.Is(err, fault.Conflict):
		return gateway.Duplicate
	case err != nil:
		s.Log.Error("keeping a notification; the gateway is asked to send it again", "gateway", n.GatewayID, "error", err)
		return gateway.TryAgain
	default:
		return gateway.Stored
	}
}

// refuse keeps a message apart that is forged, or no notification at all; a flood of them is only answered.
func (s *Service) refuse(ctx context.Context, n notification.Notification, cause error) gateway.Disposition {
	n.Status, n.Type, n.Parsed = notification.Forged, string(gateway.ErrorOf(cause).Class), gateway.Notification{}
	n.Key = "refused " + n.ReceivedAt.Format(time.RFC3339Nano)
	n.Inbound = within(n.Inbound, maxRefusedBytes)
	account := "notify:" + owner.GatewayAccount{ID: n.GatewayID}.Ref()
	if s.Limiter.Take(ctx, account, 1, forgedRate).OK {
		s.Log.Warn("a notification was refused", "gateway", n.GatewayID, "error", cause)
		if s.store(ctx, n) == gateway.TryAgain {
			return gateway.TryAgain
		}
	}
	return gateway.BadSignature
}

func (s *Service) claimNotifications(ctx context.Context, _ app.All, room int) (claimed []*notification.Notification, more bool, err error) {
	now := s.UnitOfWork.Clock.Now()
	rows, err := s.Operations.ClaimNotifications(ctx, now, now.Add(notificationLease), room)
	for i := range rows {
		claimed = append(claimed, &rows[i])
	}
	return claimed, len(rows) == room, fault.E("operation.claimNotifications", "", err)
}

// apply takes everything that a notification reports into what it is about, and ends it. What it says was read when it came:
// whether its account can be opened now does not matter.
//
// Its end is committed with the last thing that it brings. A notification about one operation, as those of every gateway of
// today are, is thus applied and ended by one commit, or by none. Of several reports each before the last is a commit of its
// own: two may be about one payment, and the second is decided on what the first has made of it. Whatever breaks off between
// them has all of them taken in again, which moves nothing twice: a report says how an operation stands, not what has
// changed, so that a state that is known moves no payment, only money beyond what is known is credited, and a discrepancy
// that is known is not opened again.
func (s *Service) apply(ctx context.Context, n *notification.Notification) error {
	parts, err := s.partsOf(ctx, n)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		s.Log.Warn("a notification is about nothing that is known here", "gateway", n.GatewayID, "id", n.ID, "type", n.Type)
		return s.UnitOfWork.Commit(ctx, core.Changeset{n.Worked(s.UnitOfWork.Clock.Now())})
	}
	for i, part := range parts {
		err := part(ctx, func(at time.Time) (core.Changeset, error) {
			switch {
			case !at.Before(n.LeaseUntil):
				return nil, errLeaseOver
			case i < len(parts)-1:
				return nil, nil
			default:
				return core.Changeset{n.Worked(at)}, nil
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errLeaseOver: another worker may have the notification by now.
var errLeaseOver = errors.New("its lease is over")

// part brings one thing that a notification says into what it is about, and commits end(now) along.
type part func(ctx context.Context, end func(at time.Time) (core.Changeset, error)) error

// partsOf finds what a notification is about, which it names in the notification.
func (s *Service) partsOf(ctx context.Context, n *notification.Notification) ([]part, error) {
	account, err := s.account(ctx, n.GatewayID)
	if err != nil {
		return nil, err
	}
	var parts []part
	var names []string
	for _, r := range reportsOf(n.Parsed) {
		o, err := app.OperationNamed(ctx, s.Operations, app.Named{GatewayID: n.GatewayID, Kind: r.kind, Ref: r.ref, External: r.external})
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names = append(names, o.TrackingCode)
		parts = append(parts, func(ctx context.Context, end func(time.Time) (core.Changeset, error)) error {
			_, err := s.take(ctx, o, app.By(account.Actor()), nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
				change, err := r.decide(c, d)
				if err != nil {
					return nil, err
				}
				ended, err := end(d.At)
				return change.Merge(ended), err
			})
			return err
		})
	}
	if len(n.Parsed.Lines) > 0 {
		feeds, err := s.Statements.FeedsAt(ctx, n.GatewayID)
		if err != nil {
			return nil, err
		}
		for _, f := range feeds {
			names = append(names, "wallet/"+strconv.FormatInt(f.WalletID, 10))
			parts = append(parts, func(ctx context.Context, end func(time.Time) (core.Changeset, error)) error {
				return s.UnitOfWork.Again(ctx, func() error { return s.readSoon(ctx, f.WalletID, n.Parsed.Lines, end) })
			})
		}
	}
	for _, cue := range n.Parsed.Disputes {
		names = append(names, "dispute/"+cue.ID)
		parts = append(parts, func(ctx context.Context, end func(time.Time) (core.Changeset, error)) error {
			return s.UnitOfWork.Again(ctx, func() error {
				change, err := app.NoteDispute(ctx, s.UnitOfWork, s.Disputes, n.GatewayID, cue.ID)
				if err != nil {
					return err
				}
				ended, err := end(s.UnitOfWork.Clock.Now())
				if err != nil {
					return err
				}
				return s.UnitOfWork.Commit(ctx, change.Merge(ended))
			})
		})
	}
	n.TrackCodes = strings.Join(names, " ")
	return parts, nil
}

// readSoon has the statement of a bank's wallet read now: the bank says that something was booked. The lines themselves are
// taken from the statement only, so that each comes once. One that is being read at this moment is read again soon anyway.
func (s *Service) readSoon(
	ctx context.Context, walletID int64, lines []gateway.StatementLine, end func(at time.Time) (core.Changeset, error),
) error {
	f, err := s.Statements.Feed(ctx, walletID)
	if err != nil {
		return err
	}
	now := s.UnitOfWork.Clock.Now()
	change, err := end(now)
	if err != nil {
		return err
	}
	if f.NextReadAt.After(now) && !f.LeaseUntil.After(now) {
		change = append(change, f.Told(lines, now))
	}
	return s.UnitOfWork.Commit(ctx, change)
}

// putOff leaves a notification for later, or to staff.
func (s *Service) putOff(ctx context.Context, n *notification.Notification, cause error) {
	s.Log.Error("working on a notification; it is tried again", "gateway", n.GatewayID, "id", n.ID, "tries", n.Tries, "error", cause)
	err := s.UnitOfWork.Commit(ctx, core.Changeset{n.PutOff(s.UnitOfWork.Clock.Now())})
	if err != nil && !fault.Is(err, fault.Conflict) {
		s.Log.Error("putting a notification off; it is worked on when its lease ends", "id", n.ID, "error", err)
	}
}

func (s *Service) account(ctx context.Context, id int64) (owner.GatewayAccount, error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return owner.GatewayAccount{}, err
	}
	for _, a := range accounts {
		if a.ID == id {
			return a, nil
		}
	}
	return owner.GatewayAccount{}, fault.New("operation.account", fault.NotFound)
}

// aReport is one thing that a notification says, and the decision about it.
type aReport struct {
	kind     operation.Kind
	ref      gateway.Ref
	external gateway.ExternalRef
	decide   decide
}

func reportsOf(n gateway.Notification) []aReport {
	var all []aReport
	for _, e := range n.Events {
		all = append(all, aReport{operation.DepositOperation, e.Ref, e.External, observed(e)})
	}
	for _, r := range n.Payouts {
		all = append(all, aReport{operation.PayoutOperation, r.Ref, r.External, reported(r)})
	}
	for _, r := range n.Refunds {
		all = append(all, aReport{operation.RefundOperation, r.RefundRef, r.External, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideRefundReported(c, r, d)
		}})
	}
	return all
}

package operation

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// forgedRate bounds how many notifications with a wrong signature are kept for an account.
var forgedRate = core.Rate{Events: 60, Per: time.Minute} //nolint:gochecknoglobals // a constant

// Sizes of the work on notifications.
const (
	notificationBatch = 32
	notificationLease = time.Minute
)

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
	in.Arrived = s.Desk.Clock.Now()
	parsed, err := reader.ReadNotification(ctx, in)
	n := core.Notification{
		Version: 1, GatewayID: g.Account.ID, Key: parsed.ID, Type: parsed.Type, State: core.NotificationWaiting,
		Parsed: parsed, Inbound: in, ReceivedAt: in.Arrived,
	}
	if err != nil {
		return reader.Acknowledge(s.refuse(ctx, n, err)), nil
	}
	return reader.Acknowledge(s.store(ctx, n)), nil
}

func (s *Service) hooked(ctx context.Context, token string) (*app.Gateway, error) {
	accounts, err := s.Store.GatewayAccounts(ctx)
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

func (s *Service) store(ctx context.Context, n core.Notification) gateway.Disposition {
	ids, err := core.NewIDs(n.ReceivedAt, s.Desk.Random)
	if err != nil {
		return gateway.TryAgain
	}
	n.ID = ids.Next()
	switch err := s.Desk.Commit(ctx, core.Changeset{Notifications: []core.Notification{n}}); {
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
func (s *Service) refuse(ctx context.Context, n core.Notification, cause error) gateway.Disposition {
	n.State, n.Type = core.NotificationForged, string(gateway.ErrorOf(cause).Class)
	n.Key = "refused " + n.ReceivedAt.Format(time.RFC3339Nano)
	account := "notify:" + core.GatewayAccount{ID: n.GatewayID}.Ref()
	if s.Limiter.Take(ctx, account, 1, forgedRate).OK {
		s.Log.Warn("a notification was refused", "gateway", n.GatewayID, "error", cause)
		if s.store(ctx, n) == gateway.TryAgain {
			return gateway.TryAgain
		}
	}
	return gateway.BadSignature
}

// workNotifications works on a batch of waiting ones.
func (s *Service) workNotifications() (more bool, err error) {
	now := s.Desk.Clock.Now()
	rows, err := s.Store.ClaimNotifications(s.ctx, now, now.Add(notificationLease), notificationBatch)
	if err != nil {
		return false, fault.E("operation.workNotifications", "", err)
	}
	var all sync.WaitGroup
	for _, n := range rows {
		all.Go(func() {
			if err := s.apply(s.ctx, n); err != nil && s.ctx.Err() == nil {
				s.Log.Error("working on a notification; it is tried again when its lease ends", "gateway", n.GatewayID, "id", n.ID, "error", err)
			}
		})
	}
	all.Wait()
	return len(rows) == notificationBatch, nil
}

// apply takes everything that a notification reports into the operations that it is about.
func (s *Service) apply(ctx context.Context, n core.Notification) error {
	g, err := s.Gateways.Gateway(ctx, n.GatewayID)
	if err != nil {
		return err
	}
	var codes []string
	for _, r := range reportsOf(n.Parsed) {
		o, err := s.operationOf(ctx, n.GatewayID, r)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err == nil {
			_, err = s.take(ctx, o, g.Account.Actor(), "", nil, r.decide)
		}
		if err != nil {
			return err
		}
		codes = append(codes, o.TrackingCode)
	}
	n.Version++
	n.State, n.WorkedAt, n.LeaseUntil, n.TrackCodes = core.NotificationDone, s.Desk.Clock.Now(), time.Time{}, strings.Join(codes, " ")
	if len(codes) == 0 {
		n.State = core.NotificationUnknown
		s.Log.Warn("a notification is about nothing that is known here", "gateway", g.Account.Code, "id", n.ID, "type", n.Type)
	}
	return s.Desk.Commit(ctx, core.Changeset{Notifications: []core.Notification{n}})
}

// aReport is one thing that a notification says, and the decision about it.
type aReport struct {
	ref      gateway.Ref
	external gateway.ExternalRef
	decide   decide
}

func reportsOf(n gateway.Notification) []aReport {
	var all []aReport
	for _, e := range n.Events {
		all = append(all, aReport{e.Ref, e.External, observed(e)})
	}
	for _, r := range n.Payouts {
		all = append(all, aReport{r.Ref, r.External, reported(r)})
	}
	for _, r := range n.Refunds {
		all = append(all, aReport{r.RefundRef, r.External, func(c core.Case, d core.Decision) (core.Changeset, error) {
			return core.DecideRefundReported(c, r, d)
		}})
	}
	return all
}

// operationOf finds what a report is about: by our reference, or by the gateway's own id; always within the account.
func (s *Service) operationOf(ctx context.Context, gatewayID int64, r aReport) (core.Operation, error) {
	const op = "operation.operationOf"
	key := core.OperationKey{Ref: string(r.ref)}
	if r.ref == "" {
		key = core.OperationKey{GatewayID: gatewayID, ExternalID: r.external.ID}
	}
	if key.Ref == "" && key.ExternalID == "" {
		return core.Operation{}, fault.New(op, fault.NotFound)
	}
	o, err := s.Store.OperationBy(ctx, key)
	if err == nil && o.GatewayID != gatewayID {
		return core.Operation{}, fault.New(op, fault.NotFound)
	}
	return o, err
}

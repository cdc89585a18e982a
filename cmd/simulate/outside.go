package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// Commit implements ports.Committer. What is committed is known to the world, whoever hears of it.
func (s store) Commit(ctx context.Context, change core.Changeset) error {
	w := s.p.w
	if s.p.isDead {
		return errDead
	}
	if w.mutant.commit != nil {
		change = w.mutant.commit(w, change)
	}
	happens := w.faults.happens(&w.faults.onCommit)
	switch happens {
	case crashBeforeCommit:
		s.p.isDead = true
		return errDead
	case commitRefused:
		return fault.E("simulate", fault.Unavailable, errors.New(string(happens)))
	}
	if err := s.Store.Commit(ctx, change); err != nil {
		return err
	}
	w.committed(change)
	switch happens {
	case crashAfterCommit:
		s.p.isDead = true
		return errDead
	case commitUnheard:
		return fault.E("simulate", fault.Unavailable, errors.New(string(happens)))
	}
	return nil
}

// ClaimCallbacks implements ports.Callbacks.
func (s store) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	if s.p.isDead {
		return nil, errDead
	}
	claim := s.Store.ClaimCallbacks
	if s.p.w.mutant.claim != nil {
		claim = s.p.w.mutant.claim(s.p.w)
	}
	return claim(ctx, receiver, now, until, limit)
}

// DiscrepanciesOf implements ports.Operations.
func (s store) DiscrepanciesOf(ctx context.Context, payments ...payment.Key) ([]discrepancy.Discrepancy, error) {
	list, err := s.Store.DiscrepanciesOf(ctx, payments...)
	if s.p.w.mutant.disputes != nil {
		list = s.p.w.mutant.disputes(list)
	}
	return list, err
}

// IBANUses implements ports.Owners.
func (s store) IBANUses(ctx context.Context, ibans []string) (map[string]owner.IBANUse, error) {
	if s.p.w.mutant.isShared {
		return map[string]owner.IBANUse{}, nil
	}
	return s.Store.IBANUses(ctx, ibans)
}

// doers lead from a process to the bank.
type doers struct{ *process }

var (
	_ ports.DoerMaker = doers{}
	_ ports.Doer      = doers{}
)

// Doer implements ports.DoerMaker.
func (d doers) Doer([]string, []string) ports.Doer { return d }

// Do implements ports.Doer: a call that may go wrong in all ways in which calls do.
func (d doers) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	w := d.w
	none := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: errors.New("not sent")}
	unknown := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, Err: errors.New("no answer")}
	if d.isDead {
		return gateway.Response{}, none
	}
	happens := w.faults.happens(&w.faults.onCall)
	switch {
	case happens == callNotSent:
		return gateway.Response{}, none
	case happens == callBroken:
		return gateway.Response{}, unknown
	case happens == callForgotten && r.Method == http.MethodGet:
		return gateway.Response{Status: http.StatusNotFound, Body: []byte(`{"error":{"code":"not_found","message":"no such thing"}}`)}, nil
	case happens == callRefusesKey:
		return gateway.Response{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"code":"bad_key","message":"not known"}}`)}, nil
	}
	answer, isCut := w.ask(ctx, r)
	last := w.lastAnswer
	if answer.Status < http.StatusMultipleChoices { // an error names no order: that it is another's can be seen by nobody
		w.lastAnswer = answer
	}
	if w.mutant.answer != nil {
		answer = w.mutant.answer(r, answer)
	}
	switch {
	case happens == callCrash:
		d.isDead = true
		return gateway.Response{}, unknown
	case isCut || happens == callLost:
		w.pass(ports.CallTimeout)
		if w.mutant.lost != nil {
			return gateway.Response{}, w.mutant.lost(unknown)
		}
		return gateway.Response{}, unknown
	case happens == callSlow:
		w.pass(ports.CallTimeout - time.Second)
	case happens == callHTML:
		return gateway.Response{Status: http.StatusBadGateway, Body: []byte("<!doctype html><title>502</title>")}, nil
	case happens == callMixedUp && last.Status != 0:
		return last, nil
	}
	return answer, nil
}

// ask asks the bank of an address. A call that orders what the bank has already is noted.
func (w *World) ask(ctx context.Context, r gateway.Request) (answer gateway.Response, isCut bool) {
	ref := orderedPayout(r)
	wasThere := ref != "" && w.hasPayout(ref)
	hosts := apptest.Hosts{}
	for at, b := range w.banks {
		hosts[sandboxHost(at)] = b
	}
	answer, err := hosts.Do(ctx, r)
	if wasThere {
		w.truth.again = append(w.truth.again, ref)
	}
	return answer, err != nil
}

// orderedPayout is the reference of a payout or transfer that a call orders.
func orderedPayout(r gateway.Request) string {
	u, err := url.Parse(r.URL)
	if err != nil || r.Method != http.MethodPost || u.Path != "/v1/payouts" && u.Path != "/v1/transfers" {
		return ""
	}
	var order struct {
		Reference string `json:"reference"`
	}
	_ = json.Unmarshal(r.Body, &order) // the plugin wrote it
	return order.Reference
}

func (w *World) hasPayout(ref string) bool {
	return slices.ContainsFunc(w.banks, func(b *bank.Bank) bool {
		_, ok := b.FindPayout(ref)
		return ok
	})
}

// post brings a notification of the bank to whichever process runs.
func (w *World) post(ctx context.Context, address string, header http.Header, body []byte) (int, error) {
	token := address[strings.LastIndex(address, "/")+1:]
	isAstray := w.truth.astray
	if w.truth.astray = false; isAstray { // their secrets are the same: its signature is right
		at := slices.IndexFunc(w.cast.gateways, func(g owner.GatewayAccount) bool { return g.HookToken != token })
		token = w.cast.gateways[at].HookToken
	}
	in := apptest.Inbound(header, body)
	reply, err := w.process.operations.Notify(ctx, token, in)
	if w.truth.twice {
		w.truth.twice = false
		reply, err = w.process.operations.Notify(ctx, token, in)
	}
	if err != nil || w.process.isDead {
		return 0, io.ErrUnexpectedEOF
	}
	if reply.Status == http.StatusOK && !isAstray {
		w.truth.tell(body)
	}
	return reply.Status, nil
}

// callbackSender brings callbacks to their receivers.
type callbackSender struct{ *process }

var _ ports.CallbackSender = callbackSender{}

// Send implements ports.CallbackSender.
func (c callbackSender) Send(_ context.Context, address string, m payment.CallbackMessage) payment.DeliveryResult {
	w := c.w
	if c.isDead || w.truth.isDown {
		return payment.DeliveryResult{Error: "connection refused"}
	}
	happens := w.faults.happens(&w.faults.onDelivery)
	if happens == deliveryRefused {
		return payment.DeliveryResult{HTTPStatus: http.StatusInternalServerError}
	}
	w.hear(address, m)
	switch happens {
	case deliveryCrash:
		c.isDead = true
		return payment.DeliveryResult{Error: "no answer"}
	case deliveryUnheard:
		w.pass(10 * time.Second)
		return payment.DeliveryResult{Error: "no answer"}
	}
	return payment.DeliveryResult{HTTPStatus: http.StatusOK}
}

package memory

import (
	"bytes"
	"maps"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

func cloneProvider(p core.Provider) core.Provider {
	p.IPWhitelist = slices.Clone(p.IPWhitelist)
	return p
}

func cloneDealer(d core.Dealer) core.Dealer {
	d.IPWhitelist = slices.Clone(d.IPWhitelist)
	return d
}

func cloneAnswer(r core.IdempotencyRecord) core.IdempotencyRecord {
	r.Body = bytes.Clone(r.Body)
	return r
}

func cloneOperation(o core.Operation) core.Operation {
	o.Quote = clonePointer(o.Quote)
	o.Fields = maps.Clone(o.Fields)
	o.External = cloneExternal(o.External)
	o.Next = cloneStep(o.Next)
	return o
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	copied := *p
	return &copied
}

func cloneExternal(e gateway.ExternalRef) gateway.ExternalRef {
	e.Alt, e.State = maps.Clone(e.Alt), bytes.Clone(e.State)
	return e
}

func cloneStep(n gateway.NextStep) gateway.NextStep {
	n.Redirect, n.Wait, n.Done = clonePointer(n.Redirect), clonePointer(n.Wait), nil // Done: not kept
	if n.Form = clonePointer(n.Form); n.Form != nil {
		n.Form.Fields = slices.Clone(n.Form.Fields)
	}
	if n.HTML = clonePointer(n.HTML); n.HTML != nil {
		n.HTML.Origins = slices.Clone(n.HTML.Origins)
	}
	if n.Pay = clonePointer(n.Pay); n.Pay != nil {
		n.Pay.Lines = slices.Clone(n.Pay.Lines)
	}
	return n
}

func cloneNotification(n core.Notification) core.Notification {
	n.Parsed.Events = cloneEach(n.Parsed.Events, cloneObservation)
	n.Parsed.Payouts = cloneEach(n.Parsed.Payouts, clonePayoutReport)
	n.Parsed.Refunds = cloneEach(n.Parsed.Refunds, cloneRefundReport)
	n.Parsed.Lines = cloneEach(n.Parsed.Lines, cloneLine)
	n.Inbound.Header, n.Inbound.Body = slices.Clone(n.Inbound.Header), bytes.Clone(n.Inbound.Body)
	return n
}

func cloneEach[T any](list []T, clone func(T) T) []T {
	list = slices.Clone(list)
	for i := range list {
		list[i] = clone(list[i])
	}
	return list
}

func cloneObservation(o gateway.Observation) gateway.Observation {
	o.External = cloneExternal(o.External)
	o.Paid, o.Refunded, o.Fee = clonePointer(o.Paid), clonePointer(o.Refunded), clonePointer(o.Fee)
	o.Reason = clonePointer(o.Reason)
	if o.Payer = clonePointer(o.Payer); o.Payer != nil {
		o.Payer.NationalID = "" // not kept
	}
	return o
}

func clonePayoutReport(r gateway.PayoutReport) gateway.PayoutReport {
	r.External = cloneExternal(r.External)
	r.Sent, r.Fee, r.Reason = clonePointer(r.Sent), clonePointer(r.Fee), clonePointer(r.Reason)
	return r
}

func cloneRefundReport(r gateway.RefundReport) gateway.RefundReport {
	r.External = cloneExternal(r.External)
	r.Amount, r.Reason = clonePointer(r.Amount), clonePointer(r.Reason)
	return r
}

func cloneLine(l gateway.StatementLine) gateway.StatementLine {
	l.BalanceAfter = clonePointer(l.BalanceAfter)
	l.Party.NationalID = "" // not kept
	return l
}

func cloneBankLine(l core.BankLine) core.BankLine {
	l.Party.NationalID = "" // not kept
	return l
}

func cloneReconciliation(r core.Reconciliation) core.Reconciliation {
	r.Differences = slices.Clone(r.Differences)
	return r
}

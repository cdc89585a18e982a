package conformance

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// call calls one method of the gateway, and has the ear listen to what comes of it.
func call[C, R any](w *world, name string, do func(c C) (R, error)) (R, error) {
	w.t.Helper()
	able, ok := w.gateway.(C)
	if !ok {
		w.t.Fatalf("the opened gateway lacks %s: Plugin.Has says that it has it", name)
	}
	report, err := do(able)
	if err != nil {
		w.ear.hearError(name, err)
	} else {
		w.ear.hearReport(name, report)
	}
	return report, err
}

func (w *world) startDeposit(o gateway.DepositOrder) (gateway.DepositStarted, error) {
	w.t.Helper()
	if o.Quote != nil { // the plugin gets a copy, as it would from the database
		quoted := *o.Quote
		o.Quote = &quoted
	}
	return call(w, "StartDeposit", func(g ports.DepositStarter) (gateway.DepositStarted, error) {
		return g.StartDeposit(w.ctx, o)
	})
}

func (w *world) readDeposit(k gateway.DepositKey) (gateway.Observation, error) {
	w.t.Helper()
	return call(w, "ReadDeposit", func(g ports.DepositReader) (gateway.Observation, error) {
		return g.ReadDeposit(w.ctx, k)
	})
}

func (w *world) finishReturn(v gateway.ReturnVisit) (gateway.Observation, error) {
	w.t.Helper()
	return call(w, "FinishReturn", func(g ports.ReturnFinisher) (gateway.Observation, error) {
		return g.FinishReturn(w.ctx, v)
	})
}

func (w *world) listDeposits(span gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	w.t.Helper()
	return call(w, "ListDeposits", func(g ports.DepositLister) (gateway.ObservationPage, error) {
		return g.ListDeposits(w.ctx, span, c)
	})
}

func (w *world) cancelDeposit(o gateway.CancelOrder) (gateway.Observation, error) {
	w.t.Helper()
	return call(w, "CancelDeposit", func(g ports.DepositCanceler) (gateway.Observation, error) {
		return g.CancelDeposit(w.ctx, o)
	})
}

func (w *world) refund(o gateway.RefundOrder) (gateway.RefundReport, error) {
	w.t.Helper()
	return call(w, "Refund", func(g ports.Refunder) (gateway.RefundReport, error) {
		return g.Refund(w.ctx, o)
	})
}

func (w *world) readRefund(k gateway.RefundKey) (gateway.RefundReport, error) {
	w.t.Helper()
	return call(w, "ReadRefund", func(g ports.Refunder) (gateway.RefundReport, error) {
		return g.ReadRefund(w.ctx, k)
	})
}

func (w *world) quote(q gateway.QuoteRequest) (gateway.Quote, error) {
	w.t.Helper()
	return call(w, "Quote", func(g ports.Quoter) (gateway.Quote, error) {
		return g.Quote(w.ctx, q)
	})
}

func (w *world) listOptions() ([]gateway.Option, error) {
	w.t.Helper()
	return call(w, "ListOptions", func(g ports.OptionLister) ([]gateway.Option, error) {
		return g.ListOptions(w.ctx)
	})
}

// readNotification reads a message; doing so must not make a call.
func (w *world) readNotification(in gateway.Inbound) (gateway.Notification, error) {
	w.t.Helper()
	before := len(w.wire.requests())
	n, err := call(w, "ReadNotification", func(g ports.NotificationReader) (gateway.Notification, error) {
		return g.ReadNotification(w.ctx, in)
	})
	if after := len(w.wire.requests()); after != before {
		w.ear.complain("pure", "ReadNotification made a call: it checks and translates what it is given, and nothing else")
	}
	return n, err
}

func (w *world) acknowledge(d gateway.Disposition) gateway.Reply {
	w.t.Helper()
	reply, _ := call(w, "Acknowledge", func(g ports.NotificationReader) (gateway.Reply, error) { return g.Acknowledge(d), nil })
	return reply
}

func (w *world) sendPayout(o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "SendPayout", func(g ports.Payer) (gateway.PayoutReport, error) {
		return g.SendPayout(w.ctx, o)
	})
}

func (w *world) readPayout(k gateway.PayoutKey) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "ReadPayout", func(g ports.Payer) (gateway.PayoutReport, error) {
		return g.ReadPayout(w.ctx, k)
	})
}

func (w *world) checkPayout(o gateway.PayoutOrder) (gateway.PayoutCheck, error) {
	w.t.Helper()
	return call(w, "CheckPayout", func(g ports.PayoutChecker) (gateway.PayoutCheck, error) {
		return g.CheckPayout(w.ctx, o)
	})
}

func (w *world) approvePayout(k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "ApprovePayout", func(g ports.PayoutApprover) (gateway.PayoutReport, error) {
		return g.ApprovePayout(w.ctx, k, code)
	})
}

func (w *world) cancelPayout(k gateway.PayoutKey) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "CancelPayout", func(g ports.PayoutCanceler) (gateway.PayoutReport, error) {
		return g.CancelPayout(w.ctx, k)
	})
}

func (w *world) listAccounts() ([]gateway.BankAccount, error) {
	w.t.Helper()
	return call(w, "ListAccounts", func(g ports.AccountReader) ([]gateway.BankAccount, error) {
		return g.ListAccounts(w.ctx)
	})
}

func (w *world) readBalance(account string) (gateway.Balance, error) {
	w.t.Helper()
	return call(w, "ReadBalance", func(g ports.AccountReader) (gateway.Balance, error) {
		return g.ReadBalance(w.ctx, account)
	})
}

func (w *world) readStatement(q gateway.StatementQuery) (gateway.StatementPage, error) {
	w.t.Helper()
	return call(w, "ReadStatement", func(g ports.StatementReader) (gateway.StatementPage, error) {
		return g.ReadStatement(w.ctx, q)
	})
}

func (w *world) sendTransfer(o gateway.TransferOrder) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "SendTransfer", func(g ports.TransferSender) (gateway.PayoutReport, error) {
		return g.SendTransfer(w.ctx, o)
	})
}

func (w *world) readTransfer(k gateway.PayoutKey) (gateway.PayoutReport, error) {
	w.t.Helper()
	return call(w, "ReadTransfer", func(g ports.TransferSender) (gateway.PayoutReport, error) {
		return g.ReadTransfer(w.ctx, k)
	})
}

func (w *world) probe() gateway.ProbeReport {
	w.t.Helper()
	report, _ := call(w, "Probe", func(g ports.Gateway) (gateway.ProbeReport, error) { return g.Probe(w.ctx), nil })
	return report
}

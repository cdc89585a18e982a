package conformance

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// call calls one method of the gateway, and has the leak detector check its report or error.
func call[G, I, O any](w *world, name string, method func(G, context.Context, I) (O, error), in I) (O, error) {
	able, ok := w.gateway.(G)
	if !ok {
		w.t.Fatalf("the opened gateway lacks %s: Plugin.Has says that it has it", name)
	}
	report, err := method(able, w.ctx, in)
	if err != nil {
		w.leaks.checkError(name, err)
	} else {
		w.leaks.checkReport(name, report)
	}
	return report, err
}

func (w *world) startDeposit(o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if o.Quote != nil { // the plugin gets a copy, as it would from the database
		quote := *o.Quote
		o.Quote = &quote
	}
	started, err := call(w, "StartDeposit", ports.DepositStarter.StartDeposit, o)
	if form := started.Next.Form; err == nil && form != nil {
		w.submit(form)
	}
	return started, err
}

// submit posts a form to the fake as the customer's browser does, which no failure between plugin and fake reaches.
func (w *world) submit(form *gateway.FormPost) {
	var fields []string
	for _, f := range form.Fields {
		fields = append(fields, url.QueryEscape(f[0])+"="+url.QueryEscape(f[1]))
	}
	r, err := http.NewRequestWithContext(w.ctx, http.MethodPost, form.Action, strings.NewReader(strings.Join(fields, "&")))
	w.ok("reading Form.Action", err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	page := httptest.NewRecorder()
	w.fake.Handler.ServeHTTP(page, r)
	w.check(page.Code < http.StatusBadRequest, "the gateway does not take the form that the customer's browser posts to %s: %d %s",
		form.Action, page.Code, page.Body)
}

func (w *world) readDeposit(k gateway.DepositKey) (gateway.Observation, error) {
	return call(w, "ReadDeposit", ports.DepositReader.ReadDeposit, k)
}

func (w *world) listDeposits(span gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	list := func(g ports.DepositLister, ctx context.Context, span gateway.Window) (gateway.ObservationPage, error) {
		return g.ListDeposits(ctx, span, c)
	}
	return call(w, "ListDeposits", list, span)
}

func (w *world) refund(o gateway.RefundOrder) (gateway.RefundReport, error) {
	return call(w, "Refund", ports.Refunder.Refund, o)
}

func (w *world) readRefund(k gateway.RefundKey) (gateway.RefundReport, error) {
	return call(w, "ReadRefund", ports.Refunder.ReadRefund, k)
}

func (w *world) readDispute(id string) (gateway.DisputeReport, error) {
	return call(w, "ReadDispute", ports.DisputeReader.ReadDispute, id)
}

func (w *world) listDisputes(span gateway.Window, c gateway.Cursor) (gateway.DisputePage, error) {
	list := func(g ports.DisputeLister, ctx context.Context, span gateway.Window) (gateway.DisputePage, error) {
		return g.ListDisputes(ctx, span, c)
	}
	return call(w, "ListDisputes", list, span)
}

func (w *world) acceptDispute(id string) (gateway.DisputeReport, error) {
	accept := func(g ports.DisputeAccepter, ctx context.Context, id string) (gateway.DisputeReport, error) {
		return g.AcceptDispute(ctx, id, gateway.Key("accept-"+id))
	}
	return call(w, "AcceptDispute", accept, id)
}

func (w *world) answerDispute(o gateway.EvidenceOrder) (gateway.DisputeReport, error) {
	return call(w, "AnswerDispute", ports.DisputeAnswerer.AnswerDispute, o)
}

func (w *world) quote(q gateway.QuoteRequest) (gateway.Quote, error) {
	return call(w, "Quote", ports.Quoter.Quote, q)
}

func (w *world) listOptions() ([]gateway.Option, error) {
	list := func(g ports.OptionLister, ctx context.Context, _ struct{}) ([]gateway.Option, error) {
		return g.ListOptions(ctx)
	}
	return call(w, "ListOptions", list, struct{}{})
}

// readNotification reads a message. Reading must not make a call.
func (w *world) readNotification(in gateway.Inbound) (gateway.Notification, error) {
	before := w.transport.count()
	n, err := call(w, "ReadNotification", ports.NotificationReader.ReadNotification, in)
	if w.transport.count() != before {
		w.leaks.add("pure", "ReadNotification made a call: it checks and translates what it is given, and nothing else")
	}
	return n, err
}

func (w *world) acknowledge(d gateway.Disposition) gateway.Reply {
	acknowledge := func(g ports.NotificationReader, _ context.Context, d gateway.Disposition) (gateway.Reply, error) {
		return g.Acknowledge(d), nil
	}
	reply, _ := call(w, "Acknowledge", acknowledge, d)
	return reply
}

func (w *world) sendPayout(o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	return call(w, "SendPayout", ports.Payer.SendPayout, o)
}

func (w *world) readPayout(k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return call(w, "ReadPayout", ports.Payer.ReadPayout, k)
}

func (w *world) approvePayout(k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	approve := func(g ports.PayoutApprover, ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
		return g.ApprovePayout(ctx, k, code)
	}
	return call(w, "ApprovePayout", approve, k)
}

func (w *world) sendTransfer(o gateway.TransferOrder) (gateway.PayoutReport, error) {
	return call(w, "SendTransfer", ports.TransferSender.SendTransfer, o)
}

func (w *world) readTransfer(k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return call(w, "ReadTransfer", ports.TransferSender.ReadTransfer, k)
}

func (w *world) listAccounts() ([]gateway.BankAccount, error) {
	list := func(g ports.AccountReader, ctx context.Context, _ struct{}) ([]gateway.BankAccount, error) {
		return g.ListAccounts(ctx)
	}
	return call(w, "ListAccounts", list, struct{}{})
}

func (w *world) readBalance(account string) (gateway.Balance, error) {
	return call(w, "ReadBalance", ports.AccountReader.ReadBalance, account)
}

func (w *world) readStatement(q gateway.StatementQuery) (gateway.StatementPage, error) {
	return call(w, "ReadStatement", ports.StatementReader.ReadStatement, q)
}

func (w *world) probe() gateway.ProbeReport {
	probe := func(g ports.Gateway, ctx context.Context, _ struct{}) (gateway.ProbeReport, error) {
		return g.Probe(ctx), nil
	}
	report, _ := call(w, "Probe", probe, struct{}{})
	return report
}

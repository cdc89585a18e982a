package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// spoiled is the sample with one of its methods replaced. What is nil is as it should be.
type spoiled struct {
	*sample
	flaws *flaws
	extra string // printed with the gateway
}

type flaws struct {
	descriptor   func(d *gateway.Descriptor)
	subject      func(t *testing.T, s *conformance.Subject)
	env          func(env *ports.GatewayEnv)
	printed      func(env ports.GatewayEnv) string
	start        func(g *sample, ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error)
	read         func(g *sample, ctx context.Context, k gateway.DepositKey) (gateway.Observation, error)
	finishReturn func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error)
	list         func(g *sample, ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error)
	cancel       func(g *sample, ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error)
	refund       func(g *sample, ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error)
	readRefund   func(g *sample, ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error)
	quote        func(g *sample, ctx context.Context, q gateway.QuoteRequest) (gateway.Quote, error)
	notify       func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error)
	acknowledge  func(d gateway.Disposition) gateway.Reply
	payout       func(g *sample, ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error)
	readPayout   func(g *sample, ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error)
	approve      func(g *sample, ctx context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error)
	transfer     func(g *sample, ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error)
	balance      func(g *sample, ctx context.Context, id string) (gateway.Balance, error)
	statement    func(g *sample, ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error)
	probe        func(g *sample, ctx context.Context) gateway.ProbeReport
}

// subject is the sample with flaws, ready for the kit.
func subject(t *testing.T, f flaws) conformance.Subject {
	t.Helper()
	d := descriptor()
	if f.descriptor != nil {
		f.descriptor(&d)
	}
	s := conformance.Subject{
		Plugin: plugins.Register(d, func(env ports.GatewayEnv) (*spoiled, error) {
			if f.env != nil {
				f.env(&env)
			}
			g, err := openSample(env)
			extra := ""
			if f.printed != nil {
				extra = f.printed(env)
			}
			return &spoiled{g, &f, extra}, err
		}),
		Environment:     gateway.Production,
		Config:          map[string]string{"account": "acme-1", "api_key": "k-live-1", "hook_secret": "h-live-1"},
		MisplacedConfig: map[string]string{"account": "test-1", "api_key": "k-test-1", "hook_secret": "h-test-1"},
		NewFake:         newBank,
		Fields:          map[string]string{"iban": "TR330006100519786457841326", "account_holder": "Gizem Saklıoğlu"},
		Vectors: []conformance.Vector{{Name: "HMAC of nothing", Check: func() (string, string) {
			return "b613679a0814d9ec", "b613679a0814d9ec"
		}}},
		Source: source(t, "package sample\n"), StaleAfter: staleAfter, ApprovalCode: "246810",
		Replies: map[gateway.Disposition]gateway.Reply{
			gateway.Stored: {Status: 200, ContentType: "text/plain; charset=utf-8", Body: "OK"},
		},
	}
	if f.subject != nil {
		f.subject(t, &s)
	}
	return s
}

// source is a folder with a plugin's source in it.
func source(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "sample.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func (g *spoiled) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if g.flaws.start != nil {
		return g.flaws.start(g.sample, ctx, o)
	}
	return g.sample.StartDeposit(ctx, o)
}

func (g *spoiled) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	if g.flaws.read != nil {
		return g.flaws.read(g.sample, ctx, k)
	}
	return g.sample.ReadDeposit(ctx, k)
}

func (g *spoiled) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	if g.flaws.finishReturn != nil {
		return g.flaws.finishReturn(g.sample, ctx, v)
	}
	return g.sample.FinishReturn(ctx, v)
}

func (g *spoiled) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	if g.flaws.list != nil {
		return g.flaws.list(g.sample, ctx, w, c)
	}
	return g.sample.ListDeposits(ctx, w, c)
}

func (g *spoiled) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	if g.flaws.cancel != nil {
		return g.flaws.cancel(g.sample, ctx, o)
	}
	return g.sample.CancelDeposit(ctx, o)
}

func (g *spoiled) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if g.flaws.refund != nil {
		return g.flaws.refund(g.sample, ctx, o)
	}
	return g.sample.Refund(ctx, o)
}

func (g *spoiled) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	if g.flaws.readRefund != nil {
		return g.flaws.readRefund(g.sample, ctx, k)
	}
	return g.sample.ReadRefund(ctx, k)
}

func (g *spoiled) Quote(ctx context.Context, q gateway.QuoteRequest) (gateway.Quote, error) {
	if g.flaws.quote != nil {
		return g.flaws.quote(g.sample, ctx, q)
	}
	return g.sample.Quote(ctx, q)
}

func (g *spoiled) ReadNotification(ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if g.flaws.notify != nil {
		return g.flaws.notify(g.sample, ctx, in)
	}
	return g.sample.ReadNotification(ctx, in)
}

func (g *spoiled) Acknowledge(d gateway.Disposition) gateway.Reply {
	if g.flaws.acknowledge != nil {
		return g.flaws.acknowledge(d)
	}
	return g.sample.Acknowledge(d)
}

func (g *spoiled) SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	if g.flaws.payout != nil {
		return g.flaws.payout(g.sample, ctx, o)
	}
	return g.sample.SendPayout(ctx, o)
}

func (g *spoiled) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	if g.flaws.readPayout != nil {
		return g.flaws.readPayout(g.sample, ctx, k)
	}
	return g.sample.ReadPayout(ctx, k)
}

func (g *spoiled) ApprovePayout(ctx context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	if g.flaws.approve != nil {
		return g.flaws.approve(g.sample, ctx, k, code)
	}
	return g.sample.ApprovePayout(ctx, k, code)
}

func (g *spoiled) SendTransfer(ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	if g.flaws.transfer != nil {
		return g.flaws.transfer(g.sample, ctx, o)
	}
	return g.sample.SendTransfer(ctx, o)
}

func (g *spoiled) ReadBalance(ctx context.Context, id string) (gateway.Balance, error) {
	if g.flaws.balance != nil {
		return g.flaws.balance(g.sample, ctx, id)
	}
	return g.sample.ReadBalance(ctx, id)
}

func (g *spoiled) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	if g.flaws.statement != nil {
		return g.flaws.statement(g.sample, ctx, q)
	}
	return g.sample.ReadStatement(ctx, q)
}

func (g *spoiled) Probe(ctx context.Context) gateway.ProbeReport {
	if g.flaws.probe != nil {
		return g.flaws.probe(g.sample, ctx)
	}
	return g.sample.Probe(ctx)
}

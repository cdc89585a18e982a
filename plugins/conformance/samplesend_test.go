package conformance_test

import (
	"context"
	"encoding/json"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

func invalid(why string) error {
	return &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, RawText: why}
}

// SendPayout implements ports.Payer.
func (g *sample) SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	in := order{
		Ref: string(o.Ref), Amount: o.Amount.Amount.String(), Currency: o.Asset.Code, IBAN: o.Fields["iban"],
		Name: o.Fields["account_holder"],
	}
	return g.send(ctx, "payouts", o.Key, in)
}

func (g *sample) send(ctx context.Context, kind string, key gateway.Key, in order) (gateway.PayoutReport, error) {
	if !iban.IsValid(in.IBAN) || in.Name == "" {
		return gateway.PayoutReport{}, invalid("the payee is not whole")
	}
	var out order
	if err := g.post(ctx, plugkit.Path(kind), key, in, &out); err != nil {
		return gateway.PayoutReport{}, err
	}
	return out.sent(gateway.Answered)
}

func (g *sample) sending(ctx context.Context, kind string, ref gateway.Ref) (gateway.PayoutReport, error) {
	var out order
	if err := g.api.Call(ctx, "GET", plugkit.Path(kind, string(ref)), nil, &out); err != nil {
		return gateway.PayoutReport{}, err
	}
	return out.sent(gateway.Answered)
}

func (o order) sent(trust gateway.Trust) (gateway.PayoutReport, error) {
	amount, err := amountOf(o.Amount, o.Currency)
	table := plugkit.Payouts{
		"queued": gateway.PayoutQueued, "sent": gateway.PayoutSent, "done": gateway.PayoutDone, "rejected": gateway.PayoutRejected,
		"broken": gateway.PayoutFailed, "returned": gateway.PayoutReturned, "approval": gateway.PayoutNeedsApproval,
		"canceled": gateway.PayoutCanceled,
	}
	return gateway.PayoutReport{
		Ref: gateway.Ref(o.Ref), External: gateway.ExternalRef{ID: o.ID}, State: table.Of(o.Status), Trust: trust,
		Sent: &amount, Raw: o.Status,
	}, err
}

// ReadPayout implements ports.Payer.
func (g *sample) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return g.sending(ctx, "payouts", k.Ref)
}

// CheckPayout implements ports.PayoutChecker.
func (g *sample) CheckPayout(_ context.Context, o gateway.PayoutOrder) (gateway.PayoutCheck, error) {
	return gateway.PayoutCheck{OK: iban.IsValid(o.Fields["iban"])}, nil
}

// ApprovePayout implements ports.PayoutApprover.
func (g *sample) ApprovePayout(ctx context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	var out order
	if err := g.post(ctx, plugkit.Path("payouts", string(k.Ref), "approve"), "", order{Name: code}, &out); err != nil {
		return gateway.PayoutReport{}, err
	}
	return out.sent(gateway.Answered)
}

// CancelPayout implements ports.PayoutCanceler.
func (g *sample) CancelPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	var out order
	err := g.post(ctx, plugkit.Path("payouts", string(k.Ref), "cancel"), "", order{}, &out)
	if gateway.IsClass(err, gateway.Conflicting) {
		return g.ReadPayout(ctx, k)
	}
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	return out.sent(gateway.Answered)
}

// SendTransfer implements ports.TransferSender.
func (g *sample) SendTransfer(ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	return g.send(ctx, "transfers", o.Key, order{
		Ref: string(o.Ref), Amount: o.Amount.Amount.String(), Currency: o.Amount.Asset.Code, IBAN: o.To.IBAN, Name: o.To.Name,
		Account: o.AccountID,
	})
}

// ReadTransfer implements ports.TransferSender.
func (g *sample) ReadTransfer(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return g.sending(ctx, "transfers", k.Ref)
}

// ListAccounts implements ports.AccountReader.
func (g *sample) ListAccounts(ctx context.Context) ([]gateway.BankAccount, error) {
	var out []struct{ ID, IBAN string }
	if err := g.api.Call(ctx, "GET", "/accounts", nil, &out); err != nil {
		return nil, err
	}
	var list []gateway.BankAccount
	for _, a := range out {
		list = append(list, gateway.BankAccount{ID: a.ID, IBAN: a.IBAN, Asset: gateway.TRY, IsOpen: true})
	}
	return list, nil
}

// ReadBalance implements ports.AccountReader.
func (g *sample) ReadBalance(ctx context.Context, id string) (gateway.Balance, error) {
	var out struct {
		Total, Available money.Decimal
		At               time.Time
	}
	if err := g.api.Call(ctx, "GET", plugkit.Path("accounts", id), nil, &out); err != nil {
		return gateway.Balance{}, err
	}
	return gateway.Balance{Total: out.Total, Available: out.Available, Asset: gateway.TRY, At: out.At}, nil
}

// booking is a line as the sample's API gives it: what goes out is negative.
type booking struct {
	ID       string
	Amount   money.Decimal
	BookedAt time.Time
	Text     string
}

// ReadStatement implements ports.StatementReader.
func (g *sample) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	var out struct {
		Items []booking
		Next  string
	}
	path := plugkit.Path("accounts", q.AccountID, "lines") + "?" + query(q.Window, q.Cursor, q.Limit)
	if err := g.api.Call(ctx, "GET", path, nil, &out); err != nil {
		return gateway.StatementPage{}, err
	}
	page := gateway.StatementPage{Next: gateway.Cursor(out.Next)}
	for _, b := range out.Items {
		l := gateway.StatementLine{
			ID: b.ID, Direction: gateway.Incoming, Amount: b.Amount, Asset: gateway.TRY, BookedAt: b.BookedAt, Text: b.Text,
		}
		if b.Amount.Sign() < 0 {
			l.Direction, l.Amount = gateway.Outgoing, money.Decimal{}.Sub(b.Amount)
		}
		page.Lines = append(page.Lines, l)
	}
	return page, nil
}

// message is a notification of the sample.
type message struct {
	ID     string
	Events []order
}

// ReadNotification implements ports.NotificationReader.
func (g *sample) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	kind, _, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if in.Method != "POST" || err != nil || kind != "application/json" {
		return gateway.Notification{}, invalid("no notification")
	}
	trust, err := g.verify(in)
	if err != nil {
		return gateway.Notification{}, err
	}
	return readMessage(in.Body, trust)
}

// signatureHeader is "t=<seconds>,v1=<hex>": HMAC-SHA256 over the seconds, a point and the body.
const signatureHeader = "Sample-Signature"

func (g *sample) verify(in gateway.Inbound) (gateway.Trust, error) {
	secrets := g.config.Secrets("hook_secret")
	if len(secrets) == 0 {
		return gateway.Hint, nil
	}
	forged := &gateway.Error{Class: gateway.Unauthenticated, Effect: gateway.EffectNone, RawText: "bad signature"}
	given := in.Header.Values(signatureHeader)
	if len(given) != 1 {
		return 0, forged
	}
	stamp, sum, _ := strings.Cut(strings.TrimPrefix(given[0], "t="), ",v1=")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || g.clock.Now().Sub(time.Unix(seconds, 0)).Abs() > staleAfter {
		return 0, forged
	}
	isRight := plugkit.SignedByAny(sum, secrets, func(secret string) []byte {
		return plugkit.HMAC256(secret, stamp, ".", string(in.Body))
	})
	if !isRight {
		return 0, forged
	}
	return gateway.Signed, nil
}

func readMessage(body []byte, trust gateway.Trust) (gateway.Notification, error) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil || m.ID == "" {
		return gateway.Notification{}, invalid("no notification")
	}
	n := gateway.Notification{ID: m.ID, Type: "order"}
	for _, o := range m.Events {
		var err error
		switch o.Kind {
		case "deposits":
			var seen gateway.Observation
			seen, err = o.observed(trust)
			n.Events = append(n.Events, seen)
		case "payouts", "transfers":
			var sent gateway.PayoutReport
			sent, err = o.sent(trust)
			n.Payouts = append(n.Payouts, sent)
		}
		if err != nil {
			return gateway.Notification{}, invalid(err.Error())
		}
	}
	return n, nil
}

// Acknowledge implements ports.NotificationReader.
func (g *sample) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }

package storetest

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
)

// tether is an amount in a coin: a store that puts it into a binary fraction or into minor units loses some of it.
func tether(amount string) gateway.Money {
	return gateway.Money{
		Amount: money.MustDecimal(amount), Asset: gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6},
	}
}

func pointer[T any](value T) *T { return &value }

// raw is bytes that are no text.
func raw() []byte { return append([]byte(awkward), 0x00, 0xff, 0xfe) }

func external(id string) gateway.ExternalRef {
	return gateway.ExternalRef{ID: id, Alt: map[string]string{"token": awkward, "": longName}, State: raw()}
}

func reason() gateway.Reason {
	return gateway.Reason{Code: gateway.LostOrStolen, RawCode: "43", RawText: awkward, Soft: true}
}

// operation has every next step, of which a real one has one. What stores do not keep (Next.Done) is not in it.
func (m *maker) operation(paymentID core.ID) operation.Operation {
	id, n, at := m.next()
	return operation.Operation{
		ID: id, Version: 1, PaymentID: paymentID, TrackingCode: "CC-" + string(id[10:]), Kind: operation.RefundOperation,
		Number: 2, GatewayID: n, GatewayKind: gateway.Crypto, Ref: gateway.Ref("R" + id), Key: gateway.Key("key " + id),
		ReturnToken: "return " + string(id), Of: id, Why: awkward, By: core.Actor{Kind: core.ByStaff, ID: "7", Name: awkward, Addr: "192.0.2.7"},
		Amount: tether("0.1"), Due: tether("123456789012345678.123456789012345678"),
		Quote: &gateway.Quote{
			From: tether("99999999.999999"), To: tether("0.000001"), Rate: money.MustDecimal("41.123456789"), Source: awkward,
			At: at, Until: at.Add(time.Minute),
		},
		Option: awkward, Asset: tether("1").Asset, Fields: map[string]string{"iban": longName, awkward: "", "": awkward},
		Phase: operation.Open, State: string(gateway.PartPaid), Raw: awkward, Paid: tether("-7.1"), Brought: lira(25_000), Reason: reason(),
		External: external("id " + string(id)), Next: steps(at), Confirms: 3, Proof: awkward, IsHeld: true, IsFinished: true,
		IsUnwanted: true, IsCanceled: true, Tries: 4, Checks: 5, NotFound: 6, NextAt: at, LeaseUntil: at.Add(-time.Hour),
		DeadlineAt: at.Add(time.Hour), LateUntil: at.Add(2 * time.Hour), CreatedAt: at.Add(-time.Minute),
		StartedAt: at.Add(-time.Second), EndedAt: at.Add(3 * time.Hour), CuedAt: at.Add(4 * time.Second), CueVersion: 7,
		CueTries: 8, AnsweredVersion: 9, AnsweredAt: at.Add(5 * time.Second), ReleasedAt: at.Add(6 * time.Second),
	}
}

func steps(at time.Time) gateway.NextStep {
	return gateway.NextStep{
		Redirect: &gateway.Redirect{URL: "https://example.com/öde?a=1&b=%20"},
		Form: &gateway.FormPost{
			Action: "https://example.com/3d", Fields: [][2]string{{"b", awkward}, {"a", ""}, {"b", longName}},
		},
		HTML: &gateway.HostedHTML{Document: "<!doctype html>" + awkward, Origins: []string{"https://example.com"}},
		Pay: &gateway.Instructions{
			Kind: gateway.Bank, IBAN: "TR330006100519786457841326", Holder: longName, Bank: awkward, Reference: "VZ1",
			Address: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", Memo: awkward, Asset: tether("1").Asset,
			Exact: money.MustDecimal("7.100001"), QR: awkward, ExpiresAt: at.Add(time.Hour), Confirms: 19,
			Lines: [][2]string{{awkward, longName}, {"", ""}},
		},
		Wait: &gateway.Wait{PollAfter: 1500 * time.Millisecond},
	}
}

// bareOperation has only what every operation has.
func (m *maker) bareOperation(paymentID core.ID) operation.Operation {
	id, n, at := m.next()
	return operation.Operation{
		ID: id, Version: 1, PaymentID: paymentID, Kind: operation.DepositOperation, GatewayID: n, Phase: operation.Calling,
		CreatedAt: at,
	}
}

// dueOperation is an operation of a payment of its own that nobody has and that is due at a moment.
func (m *maker) dueOperation(gatewayID int64, at time.Time) operation.Operation {
	paymentID, _, _ := m.next()
	o := m.operation(paymentID)
	o.GatewayID, o.NextAt, o.LeaseUntil = gatewayID, at, time.Time{}
	return o
}

func (m *maker) discrepancy(paymentID core.ID) discrepancy.Discrepancy {
	id, n, at := m.next()
	return discrepancy.Discrepancy{
		ID: id, Version: 1, PaymentID: paymentID, TrackingCode: "TPCD-" + string(id[10:]), OperationID: id, GatewayID: n,
		WalletID: n, LineID: awkward, DealerID: n + 1, ProviderID: n + 2, Kind: discrepancy.ShortMoney, State: discrepancy.DiscrepancyWrittenOff, Expected: tether("7.1"),
		Seen: tether("0.000001"), Detail: awkward, RefundID: id, CreatedAt: at, UpdatedAt: at.Add(time.Second),
		ResolvedBy: actor(n), Reason: longName,
	}
}

func (m *maker) gatewayCall(paymentID core.ID) operation.GatewayCall {
	id, n, at := m.next()
	return operation.GatewayCall{
		ID: id, GatewayID: n, OperationID: id, PaymentID: paymentID, Name: "start_deposit", At: at,
		Duration: 1234 * time.Millisecond, Outcome: string(gateway.RateLimited), Effect: "unknown", Detail: awkward,
	}
}

// notification is waiting; a worker had it once. What stores do not keep (Party.NationalID) is not in it.
func (m *maker) notification() operation.Notification {
	id, n, at := m.next()
	return operation.Notification{
		ID: id, Version: 1, GatewayID: n, Key: fmt.Sprint("key ", n, awkward), Type: awkward,
		State: operation.NotificationWaiting, TrackCodes: "CC-1 CC-2", Parsed: parsed(string(id), at), Inbound: inbound(at),
		ReceivedAt: at, WorkedAt: at.Add(time.Minute), LeaseUntil: at.Add(-time.Hour), Tries: 3,
	}
}

func inbound(at time.Time) gateway.Inbound {
	return gateway.Inbound{
		Method: "POST", Path: "/hook/\xff" + awkward, Query: "a=%FF&a=\xfe",
		Header: gateway.Header{{Name: "X-Signature", Value: "\xff\xfe"}, {Name: "x-signature", Value: awkward}},
		Body:   raw(), Peer: netip.MustParseAddr("2001:db8::7%eth0"), Arrived: at,
	}
}

func party() gateway.Party {
	return gateway.Party{Name: longName, IBAN: "TR330006100519786457841326", Wallet: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"}
}

func parsed(id string, at time.Time) gateway.Notification {
	return gateway.Notification{
		ID: id, Type: awkward,
		Events: []gateway.Observation{{
			Ref: "R1", External: external(id), State: gateway.OverPaid, Trust: gateway.Signed, Paid: pointer(tether("7.2")),
			CanStillPay: true, Refunded: pointer(tether("0.1")), Fee: pointer(tether("0.01")), At: at,
			Reason: pointer(reason()), Raw: awkward, Payer: pointer(party()), Confirms: 2,
		}, {State: gateway.Waiting}},
		Payouts: []gateway.PayoutReport{{
			Ref: "R2", External: external(id), State: gateway.PayoutReturned, Trust: gateway.Answered,
			Sent: pointer(tether("1")), Fee: pointer(tether("0.5")), At: at, Proof: awkward, Reason: pointer(reason()),
			Raw: awkward,
		}, {State: gateway.PayoutQueued, Fee: &gateway.Money{}}},
		Refunds: []gateway.RefundReport{{
			RefundRef: "R3", External: external(id), State: gateway.RefundDone, Trust: gateway.SharedSecret,
			Amount: pointer(tether("2")), Reason: pointer(reason()), Raw: awkward,
		}, {State: gateway.RefundPending, Reason: &gateway.Reason{}}},
		Lines: []gateway.StatementLine{{
			ID: awkward, EndToEnd: "R4", Direction: gateway.Outgoing, Amount: money.MustDecimal("12.34"), Asset: tether("1").Asset,
			BookedAt: at, Text: awkward, Party: party(), BalanceAfter: pointer(money.MustDecimal("-0.01")), Reverses: "L0",
		}, {Direction: gateway.Incoming, Asset: gateway.TRY, BalanceAfter: &money.Decimal{}}},
	}
}

// bareNotification has only what every notification has.
func (m *maker) bareNotification() operation.Notification {
	id, n, at := m.next()
	return operation.Notification{ID: id, Version: 1, GatewayID: n, State: operation.NotificationForged, ReceivedAt: at}
}

// waiting is a notification that nobody has.
func (m *maker) waiting() operation.Notification {
	n := m.notification()
	n.LeaseUntil = time.Time{}
	return n
}

func (m *maker) gatewayAccount() owner.GatewayAccount {
	_, n, at := m.next()
	return owner.GatewayAccount{
		ID: n, Version: 1, Plugin: "sandbox", Code: fmt.Sprint("sandbox-", n), Name: longName, Description: awkward,
		Environment: gateway.Production, IsEnabled: true, Config: secret(`{"key":`, n), PreviousConfig: secret(`{"old":`, n),
		HookToken: fmt.Sprint("hook ", n), Collects: []string{fmt.Sprintf("TR%024d", n), "TR1"}, Priority: -3, Weight: 4, Min: lira(1), Max: lira(money.MaxMinor),
		ApprovalFrom: lira(1_000_000), Trouble: awkward, CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

func (m *maker) routeRule() routing.RouteRule {
	_, n, at := m.next()
	return routing.RouteRule{
		ID: n, Version: 1, Name: awkward, IsActive: true, Kind: gateway.Card, ProviderID: n + 1, SiteID: n + 2, Min: lira(1),
		Max: lira(money.MaxMinor), GatewayID: n + 3, Priority: -1, Weight: 2, CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

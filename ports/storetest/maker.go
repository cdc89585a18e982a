package storetest

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// epoch is when the kit's rows begin, with every digit of a microsecond in use.
var epoch = time.Date(2026, time.March, 14, 9, 26, 53, 589_793_000, time.UTC)

const (
	today    = core.Day("2026-03-14")
	tomorrow = core.Day("2026-03-15")
)

// firstNumber is beyond 32 bits: the ids of providers and the like have 64.
const firstNumber = 5_000_000_000

// maker makes rows in which every field has a value and that share no id and no name with each other. IDs and times
// rise in the order of making. It is safe for concurrent use.
type maker struct {
	mu     sync.Mutex
	ids    *core.IDs
	number int64
}

func newMaker() *maker {
	ids, err := core.NewIDs(epoch, strings.NewReader(strings.Repeat("\x2a", 10)))
	if err != nil {
		panic(err) // ten bytes are enough
	}
	return &maker{ids: ids, number: firstNumber}
}

// next returns an ID, a number and a moment that were not given before.
func (m *maker) next() (core.ID, int64, time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.number++
	return m.ids.Next(), m.number, epoch.Add(time.Duration(m.number-firstNumber) * 1001 * time.Microsecond)
}

// idAt makes an ID of a moment.
func (m *maker) idAt(at time.Time) core.ID {
	_, n, _ := m.next()
	ids, err := core.NewIDs(at, strings.NewReader(fmt.Sprintf("%010d", n%10_000_000_000)))
	if err != nil {
		panic(err) // ten bytes are enough
	}
	return ids.Next()
}

func (m *maker) filling() *filling {
	id, n, at := m.next()
	return &filling{id: id, n: n, enum: n, at: at}
}

// made is a new row with a value in every field, of which some are given.
func made[R core.Row](m *maker, given R) R { return filled(m.filling(), given) }

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// tether is an amount in a coin: a store that puts it into a binary fraction or into minor units loses some of it.
func tether(amount string) gateway.Money {
	return gateway.Money{
		Amount: money.MustDecimal(amount), Asset: gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6},
	}
}

func (m *maker) payment() payment.Payment {
	f := m.filling()
	return filled(f, payment.Payment{
		TrackingCode: "MAN-" + string(f.id[10:]), TokenFingerprint: sign.Fingerprint("T" + string(f.id)), Method: payment.ManualDeposit, Status: payment.Processing,
		Customer: owner.Customer{UserID: fmt.Sprint("user ", f.n), Username: awkward, Fullname: longName},
		Amount:   lira(25_000 + f.n%1000), IBAN: "TR330006100519786457841326", CreatedAt: f.at, UpdatedAt: f.at.Add(time.Second),
		ExpiresAt: f.at.Add(15 * time.Minute), FinishedAt: f.at.Add(time.Minute),
	})
}

// showing is a deposit that no gateway has and that expires at a moment.
func (m *maker) showing(expiresAt time.Time) payment.Payment {
	p := m.payment()
	p.Status, p.ExpiresAt, p.FinishedAt = payment.Showing, expiresAt, time.Time{}
	p.Gateway.OperationID = ""
	return p
}

func (m *maker) move(paymentID core.ID) payment.Transition {
	return made(m, payment.Transition{PaymentID: paymentID})
}

func actor(n int64) core.Actor {
	return core.Actor{Kind: core.ByStaff, ID: fmt.Sprint(n), Name: awkward, Addr: "2001:db8::7"}
}

// callback is waiting and due when it was made; a worker had it once. Of two callbacks the one that is made later has the
// greater number.
func (m *maker) callback(paymentID core.ID, receiver string) payment.Callback {
	f := m.filling()
	c := filled(f, payment.Callback{
		PaymentID: paymentID, Sequence: int(f.n - firstNumber), Receiver: receiver, Status: payment.Waiting, NextAttemptAt: f.at,
		LeaseUntil: f.at.Add(-time.Hour), CreatedAt: f.at,
	})
	c.SupersededAt = time.Time{}
	return c
}

// due is a fresh callback of a payment of its own, due at a moment.
func (m *maker) due(receiver string, at time.Time) payment.Callback {
	paymentID, _, _ := m.next()
	c := m.callback(paymentID, receiver)
	c.AttemptCount, c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = 0, at, time.Time{}, time.Time{}
	return c
}

func (m *maker) attempt(callbackID core.ID) payment.Attempt {
	f := m.filling()
	return filled(f, payment.Attempt{CallbackID: callbackID, Number: int(f.n - firstNumber)})
}

func (m *maker) audit() core.AuditEntry { return made(m, core.AuditEntry{}) }

func (m *maker) record() payment.IdempotencyRecord {
	f := m.filling()
	return filled(f, payment.IdempotencyRecord{CreatedAt: f.at, ReplacesBefore: f.at.Add(-payment.IdempotencyWindow)})
}

func whitelist() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("198.51.100.7/32"),
		netip.MustParsePrefix("2001:db8:a::/48"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("0.0.0.0/0"),
	}
}

func (m *maker) provider() owner.Provider { return made(m, owner.Provider{IPWhitelist: whitelist()}) }

func (m *maker) site(providerID int64) owner.Site {
	return made(m, owner.Site{ProviderID: providerID, Returns: returns()})
}

// returns are addresses that are as origins are: without white space.
func returns() owner.Returns {
	return owner.Returns{ReturnOrigins: []string{"https://shop.example", "http://127.0.0.1:3000"}, HomeURL: "https://shop.example/home"}
}

// creditOf is a staff member's word about a payment.
func (m *maker) creditOf(p payment.Payment, number int) payment.Credit {
	id, n, at := m.next()
	return payment.Credit{
		ID: id, Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, DealerID: p.DealerID, ProviderID: p.ProviderID,
		Number: number, Amount: p.Amount, Source: payment.CreditOfStaff, Brought: lira(0), Actor: actor(n), Reason: awkward, At: at,
	}
}

func (m *maker) dealer() owner.Dealer {
	return made(m, owner.Dealer{IPWhitelist: whitelist(), Returns: returns()})
}

func (m *maker) account(dealerID int64) owner.Account {
	return made(m, owner.Account{DealerID: dealerID, Kind: owner.ManualAccount})
}

func (m *maker) block() owner.Block { return made(m, owner.Block{}) }

func (m *maker) staff() staff.Staff { return made(m, staff.Staff{}) }

func (m *maker) session(staffID int64) staff.Session {
	f := m.filling()
	return filled(f, staff.Session{StaffID: staffID, ExpiresAt: f.at.Add(12 * time.Hour), RevokedAt: f.at.Add(time.Hour)})
}

// operation has every next step, of which a real one has one.
func (m *maker) operation(paymentID core.ID) operation.Operation {
	f := m.filling()
	return filled(f, operation.Operation{
		PaymentID: paymentID, Phase: operation.Open, GatewayID: f.n, Brought: lira(25_000), NextAt: f.at, LeaseUntil: f.at.Add(-time.Hour),
	})
}

// dueOperation is an operation of a payment of its own that nobody has and that is due at a moment.
func (m *maker) dueOperation(gatewayID int64, at time.Time) operation.Operation {
	paymentID, _, _ := m.next()
	o := m.operation(paymentID)
	o.GatewayID, o.NextAt, o.LeaseUntil = gatewayID, at, time.Time{}
	return o
}

func (m *maker) discrepancy(paymentID core.ID) discrepancy.Discrepancy {
	return made(m, discrepancy.Discrepancy{PaymentID: paymentID})
}

// dispute is due; a worker had it once. It has done nothing to its payment's credit.
func (m *maker) dispute(paymentID core.ID) dispute.Dispute {
	f := m.filling()
	return filled(f, dispute.Dispute{
		PaymentID: paymentID, GatewayID: f.n, NextAt: f.at, LeaseUntil: f.at.Add(-time.Hour), Taken: lira(0), Returned: lira(0),
	})
}

// dueDispute is one of its own payment that nobody has and that is due at a moment.
func (m *maker) dueDispute(gatewayID int64, at time.Time) dispute.Dispute {
	paymentID, _, _ := m.next()
	d := m.dispute(paymentID)
	d.GatewayID, d.NextAt, d.LeaseUntil = gatewayID, at, time.Time{}
	return d
}

// dueListing is of a gateway account that nobody has and that is due at a moment.
func (m *maker) dueListing(gatewayID int64, at time.Time) dispute.Listing {
	return dispute.Listing{GatewayID: gatewayID, Version: 1, ListedUntil: epoch, NextAt: at}
}

// notification is waiting; a worker had it once. What came has bytes that are no text.
func (m *maker) notification() notification.Notification {
	f := m.filling()
	return filled(f, notification.Notification{
		Status: notification.Waiting, LeaseUntil: f.at.Add(-time.Hour), ReceivedAt: f.at,
		Inbound: gateway.Inbound{
			Path: "/hook/\xff" + awkward, Query: "a=%FF&a=\xfe", Arrived: f.at,
			Header: gateway.Header{{Name: "X-Signature", Value: "\xff\xfe"}, {Name: "x-signature", Value: awkward}},
		},
	})
}

// waiting is a notification that nobody has.
func (m *maker) waiting() notification.Notification {
	n := m.notification()
	n.LeaseUntil = time.Time{}
	return n
}

func (m *maker) job() report.Job {
	f := m.filling()
	return filled(f, report.Job{Status: report.JobQueued, NextAt: f.at.Add(time.Minute), LeaseUntil: f.at.Add(-time.Minute)})
}

// dueJob has nothing but a time at which it is due.
func (m *maker) dueJob(at time.Time) report.Job {
	id, n, made := m.next()
	return report.Job{
		ID: id, Version: 1, Status: report.JobQueued, StaffID: n, NextAt: at, CreatedAt: made, JobOrder: report.JobOrder{Kind: report.ResendJob},
	}
}

func (m *maker) invitation() staff.Invitation { return made(m, staff.Invitation{}) }

// approval is a request that waits.
func (m *maker) approval() approval.Approval {
	f := m.filling()
	a := filled(f, approval.Approval{
		Status: approval.Waiting, CreatedAt: f.at, ExpiresAt: f.at.Add(time.Hour), RequesterID: f.n,
		Guards: []core.Guard{{Subject: "payment/" + string(f.id), DealerID: f.n}},
	})
	a.DecidedBy, a.DecidedByName, a.DecidedAt, a.DecisionReason, a.Result = 0, "", time.Time{}, "", core.Secret{}
	return a
}

// use takes one offer of 100.00 from an account's day.
func use(accountID int64, expect int) owner.LimitUsage {
	return owner.LimitUsage{AccountID: accountID, Day: today, Amount: lira(10_000), Count: 1, Expect: expect, At: epoch}
}

// everything is a changeset with a new row of every kind, and a condition of every kind.
func (w *world) everything() core.Changeset {
	w.t.Helper()
	var all core.Changeset
	for _, k := range kinds() {
		f, given := k.new(w)
		all = append(all, k.full(w, f, given))
	}
	return append(all, use(core.RowsOf[owner.Account](all)[0].ID, 0), owner.NotBlocked(w.block().CustomerKey),
		owner.IBANClaim{IBAN: w.iban(), Use: owner.GatewayIBAN, Holders: 1},
		payment.OpenBound{ProviderID: 1, UserID: "u", OpenLimits: payment.OpenLimits{PerCustomer: 1 << 30}})
}

// Fill commits a row of every kind to a store, with a value in every field, and returns what fails the test unless a store has
// them all as they are.
func Fill(t *testing.T, store Store) (isThere func(t *testing.T, store Store)) {
	t.Helper()
	w := newWorld(t, store)
	all := w.everything()
	w.commit(all)
	return func(t *testing.T, store Store) {
		t.Helper()
		w := newWorld(t, store)
		for _, row := range all {
			if slices.Contains(Conditions(), reflect.TypeOf(row)) {
				continue
			}
			w.isStored(row)
		}
	}
}

// senderIBAN is that of every line of the maker's.
const senderIBAN = "TR330006100519786457841326"

func (m *maker) feed(walletID int64) wallet.Feed {
	f := m.filling()
	return filled(f, wallet.Feed{WalletID: walletID, NextReadAt: f.at.Add(3 * time.Minute), LeaseUntil: f.at.Add(-time.Minute)})
}

// dueFeed is of a wallet of its own, and due at a moment.
func (m *maker) dueFeed(at time.Time) wallet.Feed {
	_, n, _ := m.next()
	return wallet.Feed{WalletID: n, Version: 1, OpenedAt: epoch, ReadUntil: epoch, NextReadAt: at}
}

func (m *maker) reconciliation(walletID int64, day core.Day) wallet.Reconciliation {
	return made(m, wallet.Reconciliation{
		WalletID: walletID, Day: day, Differences: []wallet.Difference{m.explained(wallet.AmountDiffers), m.unexplained(wallet.MissingHere)},
	})
}

package storetest

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// epoch is when the kit's rows begin, with every digit of a microsecond in use.
var epoch = time.Date(2026, time.March, 14, 9, 26, 53, 589_793_000, time.UTC)

const (
	today    = core.Day("2026-03-14")
	tomorrow = core.Day("2026-03-15")
)

// awkward is a text that breaks whoever builds SQL or JSON by hand; longName has the 191 characters that a name may
// have, in twice as many bytes.
const awkward = "İıŞğÜçÖ 'O''Neil' \"x\" \\ \\n \n\t %s %d ? $1 :a @b {{.}} <b>&amp;</b> ;-- /* 🏦 \u202e"

var longName = strings.Repeat("ğ", 191)

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

// next gives an ID, a number and a moment that were not given before.
func (m *maker) next() (core.ID, int64, time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.number++
	return m.ids.Next(), m.number, epoch.Add(time.Duration(m.number-firstNumber) * 1001 * time.Microsecond)
}

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

func (m *maker) payment() payment.Payment {
	id, n, at := m.next()
	return payment.Payment{
		ID: id, Version: 1, TrackingCode: "MAN-" + string(id[10:]), Token: "T" + string(id), Method: payment.ManualDeposit,
		Status: payment.Processing, ProviderID: n, SiteID: n + 1, SiteName: longName, DealerID: n + 2,
		Customer: owner.Customer{UserID: fmt.Sprint("user ", n), Username: awkward, Fullname: longName},
		Language: lang.EN, Requested: lira(money.MaxMinor), Amount: lira(25_000 + n%1000),
		IBAN: "TR330006100519786457841326", IsIBANSuspect: true,
		Account: owner.OfferedAccount{
			AccountID: n + 3, BankName: awkward, Holder: longName, IBAN: "TR330006100519786457841327", Day: today,
			Held: lira(1),
		},
		Payer: payment.CardPayer{
			OrderID: string(id), FirstName: awkward, LastName: longName, Email: "ayşe@example.com", Phone: "+905321234567",
			Description: awkward,
		},
		Payee: payment.Payee{
			CryptoType: "USDT (TRC20)", WalletAddress: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", WalletNumber: "0'7",
			WalletID: n + 5, Recipient: longName, Description: awkward,
		},
		Claim: payment.Claim{
			StaffID: n + 6, Name: awkward, Until: at.Add(time.Hour),
			Hold: payment.ClaimHold{ApprovalID: id, StaffID: n + 7, Name: longName, Until: at.Add(-time.Hour)},
		},
		Cleared:   lira(9),
		AtGate:    payment.AtGateway{GatewayID: n + 4, OperationID: id, Refunded: lira(7)},
		Corrected: lira(-3),
		Failure:   payment.Failure{Code: "DO_NOT_HONOUR", Message: awkward},
		Reason:    awkward, ExpiresAt: at.Add(15 * time.Minute), CreatedAt: at, UpdatedAt: at.Add(time.Second),
		FinishedAt: at.Add(time.Minute),
	}
}

// barePayment has only what every payment has.
func (m *maker) barePayment() payment.Payment {
	id, n, at := m.next()
	return payment.Payment{
		ID: id, Version: 1, TrackingCode: "EIBAN-WIT-" + string(id[10:]), Method: payment.EIBANWithdrawal,
		Status: payment.Pending, ProviderID: n, Requested: lira(1), Amount: lira(1), CreatedAt: at, UpdatedAt: at,
	}
}

// showing is a deposit that no gateway has and that expires at a moment.
func (m *maker) showing(expiresAt time.Time) payment.Payment {
	p := m.payment()
	p.Status, p.ExpiresAt, p.FinishedAt = payment.Showing, expiresAt, time.Time{}
	p.AtGate.OperationID = ""
	return p
}

func (m *maker) move(paymentID core.ID) payment.Move {
	id, n, at := m.next()
	return payment.Move{
		ID: id, PaymentID: paymentID, At: at, By: actor(n), Command: payment.Approve, From: payment.Processing,
		To: payment.Completed, Amount: lira(n), Reason: awkward,
	}
}

func actor(n int64) core.Actor {
	return core.Actor{Kind: core.ByStaff, ID: fmt.Sprint(n), Name: awkward, Addr: "2001:db8::7"}
}

// callback is waiting and due when it was made; a worker had it once. Of two callbacks the one that is made later has the
// greater number.
func (m *maker) callback(paymentID core.ID, receiver string) payment.Callback {
	id, n, at := m.next()
	return payment.Callback{
		ID: id, Version: 1, PaymentID: paymentID, Sequence: int(n - firstNumber), ProviderID: n, SiteID: n + 1,
		DealerID: n + 3, Kind: payment.WithdrawalCallback, Receiver: receiver, State: payment.Waiting,
		Payload: payment.Payload{
			TrackingCode: "WIT-" + string(id[10:]), Status: payment.Completed, Amount: lira(n), Username: awkward,
			Fullname: longName, UserID: awkward, SiteID: n + 2, IBAN: "TR330006100519786457841326",
			Card: payment.CardPayload{
				OrderID: "CC1", CustomerName: longName, CustomerEmail: "ayşe@example.com",
				CustomerPhone: "+905321234567", FinishedAt: at.Add(time.Minute), Language: lang.EN,
				ErrorCode: "DO_NOT_HONOUR", ErrorMessage: awkward,
			},
			Correction: payment.Correction{IsSet: true, PreviousAmount: lira(n + 1)},
		},
		Attempts: 3, NextAttemptAt: at, LeaseUntil: at.Add(-time.Hour), CreatedAt: at, FinishedAt: at.Add(time.Hour),
	}
}

// due is a fresh callback of a payment of its own, due at a moment.
func (m *maker) due(receiver string, at time.Time) payment.Callback {
	paymentID, _, _ := m.next()
	c := m.callback(paymentID, receiver)
	c.Attempts, c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = 0, at, time.Time{}, time.Time{}
	return c
}

func (m *maker) attempt(callbackID core.ID) payment.Attempt {
	id, n, at := m.next()
	return payment.Attempt{
		ID: id, CallbackID: callbackID, Number: int(n - firstNumber), At: at, Duration: 1234 * time.Millisecond,
		URL: "https://example.com/çağrı?a=1&b=%20", HTTPStatus: 503, Error: awkward,
		Answer: strings.Repeat("ş", payment.MaxAnswerBytes/2),
	}
}

func (m *maker) audit() core.AuditEntry {
	id, n, at := m.next()
	return core.AuditEntry{
		ID: id, At: at, By: actor(n), Action: "approveDeposit", Target: fmt.Sprint("provider/", n), Reason: awkward,
		Before: `{"status":"processing"}`, After: `{"status":"completed","note":"İ\"\\"}`,
	}
}

func (m *maker) record() payment.IdempotencyRecord {
	_, n, at := m.next()
	return payment.IdempotencyRecord{
		IdempotencyKey: payment.IdempotencyKey{Caller: fmt.Sprint("provider/", n), Endpoint: "E3", Key: awkward},
		RequestHash:    strings.Repeat("ab", 32), Status: 201, Body: append([]byte(awkward), 0x00, 0xff, 0xfe),
		CreatedAt: at, ReplacesBefore: at.Add(-payment.IdempotencyWindow),
	}
}

// urls of some owner, each another one.
func urls(n int64) owner.CallbackURLs {
	base := fmt.Sprintf("https://example.com/%d/", n)
	return owner.CallbackURLs{
		Deposit: base + "ödeme?x='", EIBANDeposit: base + "eiban", Withdrawal: base + "çekim", CreditCard: base + "kart",
	}
}

func whitelist() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("198.51.100.7/32"),
		netip.MustParsePrefix("2001:db8:a::/48"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("0.0.0.0/0"),
	}
}

func (m *maker) provider() owner.Provider {
	_, n, at := m.next()
	return owner.Provider{
		ID: n, Version: 1, Name: longName, IsActive: true, APIKey: fmt.Sprint("vzp_", n), SecretKey: secret("vzs_", n),
		VerificationKey: secret("vzv_", n), WebhookSecret: secret("whsec_", n), IPWhitelist: whitelist(), URLs: urls(n),
		PreviousAPIKey: previous("vzp_old_", n, at), PreviousSecret: previous("vzs_old_", n, at),
		PreviousVerification: previous("vzv_old_", n, at), PreviousWebhook: previous("whsec_old_", n, at),
		Language: lang.EN, IsCreditCardEnabled: true, CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

func secret(prefix string, n int64) core.Secret {
	return core.NewSecret(fmt.Sprint(prefix, n, awkward))
}

// previous is a key before its rotation, used once since.
func previous(prefix string, n int64, at time.Time) owner.PreviousKey {
	return owner.PreviousKey{Key: secret(prefix, n), Until: at.Add(time.Hour), UsedAt: at.Add(time.Minute)}
}

func (m *maker) site(providerID int64) owner.Site {
	_, n, at := m.next()
	return owner.Site{
		ID: n, Version: 1, ProviderID: providerID, DealerID: n + 1, Name: awkward, IsActive: true,
		CredentialFingerprint: fmt.Sprint("fingerprint ", n), IsIBANStrict: true, URLs: urls(n),
		PreviousCredential: previous("old fingerprint ", n, at), CreatedAt: at,
		UpdatedAt: at.Add(time.Second),
	}
}

// creditOf is a staff member's word about a payment.
func (m *maker) creditOf(p payment.Payment, number int) payment.Credit {
	id, n, at := m.next()
	return payment.Credit{
		ID: id, Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, DealerID: p.DealerID, ProviderID: p.ProviderID,
		Number: number, Amount: p.Amount, Source: payment.CreditOfStaff, Brought: lira(0), By: actor(n), Reason: awkward, At: at,
	}
}

func (m *maker) dealer() owner.Dealer {
	_, n, at := m.next()
	return owner.Dealer{
		ID: n, Version: 1, Name: awkward, IsActive: true, APIKey: fmt.Sprint("vzd_", n), SecretKey: secret("vzds_", n),
		IPWhitelist: whitelist(), IsCreditCardEnabled: true, IsEIBANEnabled: true, IsManualIBANEnabled: true,
		HandCreditMax: lira(1_000_00),
		URLs:          urls(n), PreviousAPIKey: previous("vzd_old_", n, at), PreviousSecret: previous("vzds_old_", n, at),
		CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

func (m *maker) siteToken() owner.SiteToken {
	_, n, at := m.next()
	return owner.SiteToken{
		ID: n, Version: 1, DealerID: n + 1, Name: awkward, IsActive: true, Token: fmt.Sprint("vzt_", n),
		SecretKey: secret("vzts_", n), PreviousToken: previous("vzt_old_", n, at),
		PreviousSecret: previous("vzts_old_", n, at), CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

func (m *maker) account(dealerID int64) owner.Account {
	_, n, at := m.next()
	return owner.Account{
		ID: n, Version: 1, DealerID: dealerID, Kind: owner.ManualAccount, BankName: awkward, Holder: longName,
		IBAN: "TR330006100519786457841326", IsActive: true, Min: lira(1), Max: lira(money.MaxMinor),
		DailyLimit: lira(1_000_000), DailyCount: 100, CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
}

func (m *maker) block() owner.Block {
	_, n, at := m.next()
	return owner.Block{
		CustomerKey: owner.CustomerKey{ProviderID: n, UserID: awkward}, Reason: awkward, By: actor(n), CreatedAt: at,
	}
}

func (m *maker) staff() staff.Staff {
	_, n, at := m.next()
	return staff.Staff{
		ID: n, Version: 1, Email: fmt.Sprintf("çalışan+%d@example.com", n), PasswordHash: secret("$argon2id$v=19$", n),
		Role: staff.DealerStaff, DealerID: n + 1, ProviderID: n + 2, IsActive: true, CreatedAt: at,
		UpdatedAt: at.Add(time.Second),
	}
}

func (m *maker) session(staffID int64) staff.Session {
	id, n, at := m.next()
	return staff.Session{
		ID: id, Version: 1, Fingerprint: fmt.Sprint("session ", n), StaffID: staffID, Addr: "2001:db8::7",
		UserAgent: awkward, HasFactor: true, CreatedAt: at, LastSeenAt: at.Add(time.Minute), ProvenAt: at.Add(time.Second),
		ExpiresAt: at.Add(12 * time.Hour), RevokedAt: at.Add(time.Hour),
	}
}

// use takes one offer of 100.00 from an account's day.
func use(accountID int64, expect int) owner.AccountUse {
	return owner.AccountUse{AccountID: accountID, Day: today, Amount: lira(10_000), Count: 1, Expect: expect, At: epoch}
}

// everything is a changeset with a new row of every kind.
func (m *maker) everything() core.Changeset {
	p, provider, staff, record := m.payment(), m.provider(), m.staff(), m.record()
	callback, account := m.callback(p.ID, "site/1/deposit"), m.account(provider.ID)
	wallet := m.wallet(provider.ID)
	line := m.bankLine(wallet.ID)
	return core.Changeset{
		p,
		m.move(p.ID),
		callback,
		m.attempt(callback.ID),
		use(account.ID, 0),
		m.audit(),
		record,
		owner.NotBlocked(owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}),
		provider,
		m.site(provider.ID),
		m.dealer(),
		m.siteToken(),
		account,
		m.block(),
		staff,
		m.session(staff.ID),
		m.operation(p.ID),
		m.discrepancy(p.ID),
		m.gatewayCall(p.ID),
		m.notification(),
		owner.IBANClaim{IBAN: fmt.Sprintf("DE%020d", account.ID), Use: owner.GatewayIBAN, Holders: 1},
		m.gatewayAccount(),
		m.routeRule(),
		wallet,
		line,
		m.credit(line),
		m.entry(wallet.ID, ledger.EntryReserve, 1),
		m.feed(wallet.ID),
		m.reconciliation(wallet.ID, today),
		m.job(),
		report.JobChunk{JobID: callback.ID, Number: 1, Bytes: []byte(awkward)},
		m.factors(staff.ID),
		m.passkey(staff.ID),
		m.challenge(staff.ID),
		m.invitation(),
		m.approval(),
		m.approvalRule(),
		m.runningTotal(),
	}
}

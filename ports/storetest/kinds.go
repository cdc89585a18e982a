package storetest

import (
	"reflect"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// kind is one kind of row, for the sentences that hold for every kind.
type kind struct {
	row         reflect.Type
	isVersioned bool                                             // it is saved, again and again, by compare-and-set
	given       func(f *filling) core.Row                        // what a row cannot be without
	tidy        func(w *world, row core.Row) core.Row            // makes a row one that the store takes
	reads       []func(w *world, row core.Row) (core.Row, error) // how it is found; the first finds one with empty fields, too
}

// Conditions are the kinds of rows that are never read back as such: each has sentences of its own.
func Conditions() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[owner.AccountUse](), reflect.TypeFor[owner.NotBlocked](), reflect.TypeFor[owner.Unblock](),
		reflect.TypeFor[owner.IBANClaim](),
	}
}

// Kinds are the kinds of rows that the kit knows. A store compares them with those that it has tables for: a new one is in
// every sentence about all kinds.
func Kinds() []reflect.Type {
	all := Conditions()
	for _, k := range kinds() {
		all = append(all, k.row)
	}
	return all
}

func kindOf(row core.Row) kind {
	all := kinds()
	return all[slices.IndexFunc(all, func(k kind) bool { return k.row == reflect.TypeOf(row) })]
}

// rowsOf is a kind of row by what it cannot be without and by how it is found.
func rowsOf[R core.Row](given func(f *filling) R, reads ...func(w *world, r R) (R, error)) kind {
	_, isVersioned := reflect.TypeFor[R]().FieldByName("Version")
	k := kind{
		row: reflect.TypeFor[R](), isVersioned: isVersioned, given: func(f *filling) core.Row { return given(f) },
		tidy: func(_ *world, row core.Row) core.Row { return row },
	}
	for _, read := range reads {
		k.reads = append(k.reads, func(w *world, row core.Row) (core.Row, error) { return read(w, row.(R)) })
	}
	return k
}

// tidied is the kind with rows that need more than values.
func tidied[R core.Row](k kind, tidy func(w *world, r *R)) kind {
	k.tidy = func(w *world, row core.Row) core.Row {
		r := row.(R)
		tidy(w, &r)
		return r
	}
	return k
}

// inserted is the kind with rows that have a version and are not simply saved.
func inserted(k kind) kind {
	k.isVersioned = false
	return k
}

// among finds a row in a list.
func among[R core.Row](r R) func(rows []R, err error) (R, error) {
	return func(rows []R, err error) (found R, _ error) {
		i := slices.IndexFunc(rows, func(other R) bool { return unversioned(other) == unversioned(r) })
		if err == nil && i < 0 {
			err = fault.New("among", fault.NotFound)
		}
		if err == nil {
			found = rows[i]
		}
		return found, err
	}
}

func unversioned(r core.Row) core.Identity {
	id := r.Identity()
	id.Version = 0
	return id
}

func kinds() []kind {
	return slices.Concat(kindsOfPayments(), kindsOfOwners(), kindsOfWallets(), kindsOfStaff())
}

func kindsOfPayments() []kind {
	return []kind{
		tidied(rowsOf(func(f *filling) payment.Payment {
			return payment.Payment{ID: f.id, TrackingCode: "MAN-" + string(f.id[10:])}
		},
			func(w *world, p payment.Payment) (payment.Payment, error) { return w.store.PaymentByID(w.ctx, p.ID) },
			func(w *world, p payment.Payment) (payment.Payment, error) {
				return w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
			},
			func(w *world, p payment.Payment) (payment.Payment, error) {
				return w.store.PaymentByToken(w.ctx, p.Token)
			},
			func(w *world, p payment.Payment) (payment.Payment, error) {
				return among(p)(w.store.PaymentsByID(w.ctx, []core.ID{p.ID}))
			},
			func(w *world, p payment.Payment) (payment.Payment, error) {
				found, err := w.store.SearchPayments(w.ctx, report.PaymentQuery{TrackingCode: p.TrackingCode, Limit: 1})
				return among(p)(found.Payments, err)
			},
		), func(_ *world, p *payment.Payment) {
			if p.Version > 1 { // others have to be credited
				p.Status = payment.Processing
			}
		}),
		rowsOf(func(f *filling) payment.Move { return payment.Move{ID: f.id, PaymentID: f.id} },
			func(w *world, m payment.Move) (payment.Move, error) {
				return among(m)(w.store.MovesOf(w.ctx, m.PaymentID))
			}),
		tidied(rowsOf(func(f *filling) payment.Callback {
			return payment.Callback{ID: f.id, PaymentID: f.id, Sequence: 1, NextAttemptAt: f.at}
		},
			func(w *world, c payment.Callback) (payment.Callback, error) { return w.store.Callback(w.ctx, c.ID) },
			func(w *world, c payment.Callback) (payment.Callback, error) {
				return among(c)(w.store.CallbacksOf(w.ctx, c.PaymentID))
			},
		), func(_ *world, c *payment.Callback) {
			if c.SupersededAt = c.CreatedAt; c.State != payment.Superseded {
				c.SupersededAt = time.Time{}
			}
			if c.State == payment.Waiting && c.NextAttemptAt.IsZero() {
				c.NextAttemptAt = c.CreatedAt
			}
		}),
		tidied(rowsOf(func(f *filling) payment.Attempt { return payment.Attempt{ID: f.id, Number: 1} }, attemptOf),
			func(w *world, a *payment.Attempt) {
				c := w.callback(a.ID, receiver)
				w.commit(core.Changeset{c})
				a.CallbackID = c.ID
			}),
		tidied(inserted(rowsOf(func(f *filling) payment.Credit { return payment.Credit{ID: f.id, PaymentID: f.id, Number: 1} },
			func(w *world, k payment.Credit) (payment.Credit, error) {
				return among(k)(w.store.CreditsOf(w.ctx, k.PaymentID))
			},
		)), tidyCredit),
		rowsOf(func(f *filling) payment.IdempotencyRecord {
			return payment.IdempotencyRecord{IdempotencyKey: payment.IdempotencyKey{Caller: f.text(), Endpoint: "E3", Key: f.text()}}
		}, func(w *world, r payment.IdempotencyRecord) (payment.IdempotencyRecord, error) {
			return w.store.FirstAnswer(w.ctx, r.IdempotencyKey)
		}),
		rowsOf(func(f *filling) operation.Operation { return operation.Operation{ID: f.id, PaymentID: f.id} },
			append(operationReads(), func(w *world, o operation.Operation) (operation.Operation, error) {
				return among(o)(w.store.OperationsOf(w.ctx, o.PaymentID))
			})...),
		rowsOf(func(f *filling) discrepancy.Discrepancy { return discrepancy.Discrepancy{ID: f.id, PaymentID: f.id} },
			func(w *world, d discrepancy.Discrepancy) (discrepancy.Discrepancy, error) {
				return among(d)(w.store.DiscrepanciesOf(w.ctx, d.PaymentID))
			},
			func(w *world, d discrepancy.Discrepancy) (discrepancy.Discrepancy, error) {
				return among(d)(w.store.Discrepancies(w.ctx, discrepancy.DiscrepancyQuery{ID: d.ID, Limit: 1}))
			}),
		rowsOf(func(f *filling) operation.GatewayCall { return operation.GatewayCall{ID: f.id, PaymentID: f.id} },
			func(w *world, c operation.GatewayCall) (operation.GatewayCall, error) {
				return among(c)(w.store.GatewayCalls(w.ctx, operation.GatewayCallQuery{Payments: []core.ID{c.PaymentID}, Limit: 9}))
			}),
		rowsOf(func(f *filling) operation.Notification { return operation.Notification{ID: f.id, GatewayID: f.n} },
			func(w *world, n operation.Notification) (operation.Notification, error) {
				return among(n)(w.store.Notifications(w.ctx, operation.NotificationQuery{GatewayID: n.GatewayID, Limit: 9}))
			}),
	}
}

// operationReads find an operation by each of its names.
func operationReads() (reads []func(w *world, o operation.Operation) (operation.Operation, error)) {
	for i := range keysOf(operation.Operation{}) {
		reads = append(reads, func(w *world, o operation.Operation) (operation.Operation, error) {
			return w.store.OperationBy(w.ctx, keysOf(o)[i])
		})
	}
	return reads
}

// keysOf gives every way to name an operation.
func keysOf(o operation.Operation) []operation.OperationKey {
	return []operation.OperationKey{
		{ID: o.ID}, {Ref: string(o.Ref)}, {ReturnToken: o.ReturnToken}, {GatewayID: o.GatewayID, ExternalID: o.External.ID},
	}
}

func attemptOf(w *world, a payment.Attempt) (payment.Attempt, error) {
	c, err := w.store.Callback(w.ctx, a.CallbackID)
	if err != nil {
		return a, err
	}
	logs, err := w.store.CallbackLogs(w.ctx, c.PaymentID)
	for _, log := range logs {
		if log.ID == c.ID {
			return among(a)(log.Tries, err)
		}
	}
	return among(a)(nil, err)
}

// tidyCredit puts the money behind a credit that its source promises.
func tidyCredit(w *world, k *payment.Credit) {
	k.Amount, k.Brought, k.WalletID, k.LineID, k.OperationID, k.AwaitsMoney = lira(25_000), lira(0), 0, "", "", false
	switch k.Source {
	case payment.CreditOfLine:
		l := w.incoming()
		k.WalletID, k.LineID, k.Brought = l.WalletID, l.LineID, l.Amount
	case payment.CreditOfOperation:
		o := w.operation(k.PaymentID)
		w.commit(core.Changeset{o})
		k.OperationID, k.Brought = o.ID, o.Brought
	case payment.CreditOfStaff:
		k.AwaitsMoney = true
	}
}

func kindsOfOwners() []kind {
	return []kind{
		rowsOf(func(f *filling) owner.Provider { return owner.Provider{ID: f.n} },
			func(w *world, p owner.Provider) (owner.Provider, error) { return w.store.Provider(w.ctx, p.ID) },
			func(w *world, p owner.Provider) (owner.Provider, error) {
				return w.store.ProviderByAPIKey(w.ctx, p.APIKey)
			},
			func(w *world, p owner.Provider) (owner.Provider, error) {
				return among(p)(w.store.ProvidersByID(w.ctx, []int64{p.ID}))
			}),
		rowsOf(func(f *filling) owner.Site { return owner.Site{ID: f.n, ProviderID: f.n} },
			func(w *world, s owner.Site) (owner.Site, error) { return w.store.Site(w.ctx, s.ID) },
			func(w *world, s owner.Site) (owner.Site, error) {
				return w.store.SiteByCredential(w.ctx, s.CredentialFingerprint)
			},
			func(w *world, s owner.Site) (owner.Site, error) { return among(s)(w.store.Sites(w.ctx, s.ProviderID)) }),
		rowsOf(func(f *filling) owner.Dealer { return owner.Dealer{ID: f.n} },
			func(w *world, d owner.Dealer) (owner.Dealer, error) { return w.store.Dealer(w.ctx, d.ID) },
			func(w *world, d owner.Dealer) (owner.Dealer, error) { return w.store.DealerByAPIKey(w.ctx, d.APIKey) },
			func(w *world, d owner.Dealer) (owner.Dealer, error) {
				return among(d)(w.store.DealersByID(w.ctx, []int64{d.ID}))
			}),
		rowsOf(func(f *filling) owner.SiteToken { return owner.SiteToken{ID: f.n, DealerID: f.n} },
			func(w *world, t owner.SiteToken) (owner.SiteToken, error) { return w.store.SiteToken(w.ctx, t.ID) },
			func(w *world, t owner.SiteToken) (owner.SiteToken, error) {
				return w.store.SiteTokenByToken(w.ctx, t.Token)
			},
			func(w *world, t owner.SiteToken) (owner.SiteToken, error) {
				return among(t)(w.store.SiteTokensOf(w.ctx, t.DealerID))
			}),
		rowsOf(func(f *filling) owner.Account { return owner.Account{ID: f.n, DealerID: f.n} },
			func(w *world, a owner.Account) (owner.Account, error) { return w.store.Account(w.ctx, a.ID) }),
		rowsOf(func(f *filling) owner.Block {
			return owner.Block{CustomerKey: owner.CustomerKey{ProviderID: f.n, UserID: f.text()}}
		},
			func(w *world, b owner.Block) (owner.Block, error) { return w.store.BlockOf(w.ctx, b.CustomerKey) },
			func(w *world, b owner.Block) (owner.Block, error) {
				return among(b)(w.store.Blocks(w.ctx, owner.BlockQuery{ProviderID: b.ProviderID, Limit: 9}))
			}),
		rowsOf(func(f *filling) owner.GatewayAccount { return owner.GatewayAccount{ID: f.n} },
			func(w *world, a owner.GatewayAccount) (owner.GatewayAccount, error) {
				return among(a)(w.store.GatewayAccounts(w.ctx))
			}),
		rowsOf(func(f *filling) routing.RouteRule { return routing.RouteRule{ID: f.n} },
			func(w *world, r routing.RouteRule) (routing.RouteRule, error) {
				return among(r)(w.store.RouteRules(w.ctx))
			}),
		rowsOf(func(f *filling) report.Job { return report.Job{ID: f.id} },
			func(w *world, j report.Job) (report.Job, error) { return w.store.Job(w.ctx, j.ID) },
			func(w *world, j report.Job) (report.Job, error) {
				return among(j)(w.store.ListJobs(w.ctx, report.JobQuery{StaffID: j.StaffID, Limit: 9}))
			}),
		rowsOf(func(f *filling) report.JobChunk { return report.JobChunk{JobID: f.id, Number: 1} },
			func(w *world, c report.JobChunk) (report.JobChunk, error) {
				return w.store.JobChunk(w.ctx, c.JobID, c.Number)
			}),
	}
}

func kindsOfWallets() []kind {
	return []kind{
		rowsOf(func(f *filling) wallet.Wallet { return wallet.Wallet{ID: f.n, DealerID: f.n} },
			func(w *world, r wallet.Wallet) (wallet.Wallet, error) {
				found, err := w.store.Wallet(w.ctx, r.ID)
				return found.Wallet, err
			},
			func(w *world, r wallet.Wallet) (wallet.Wallet, error) {
				found, err := w.store.WalletBy(w.ctx, r.WalletID)
				return found.Wallet, err
			}),
		rowsOf(func(f *filling) wallet.Feed { return wallet.Feed{WalletID: f.n} },
			func(w *world, f wallet.Feed) (wallet.Feed, error) { return w.store.Feed(w.ctx, f.WalletID) },
			func(w *world, f wallet.Feed) (wallet.Feed, error) {
				return among(f)(w.store.FeedsOf(w.ctx, f.WalletID))
			},
			func(w *world, f wallet.Feed) (wallet.Feed, error) {
				return among(f)(w.store.FeedsAt(w.ctx, f.GatewayID))
			}),
		rowsOf(func(f *filling) wallet.Reconciliation { return wallet.Reconciliation{WalletID: f.n, Day: today} },
			func(w *world, r wallet.Reconciliation) (wallet.Reconciliation, error) {
				return w.store.Reconciliation(w.ctx, r.WalletID, r.Day)
			},
			func(w *world, r wallet.Reconciliation) (wallet.Reconciliation, error) {
				return among(r)(w.store.Reconciliations(w.ctx, wallet.ReconciliationQuery{WalletID: r.WalletID, Limit: 9}))
			}),
		inserted(rowsOf(func(f *filling) wallet.BankLine { return wallet.BankLine{WalletID: f.n, LineID: f.text(), ID: f.id} },
			func(w *world, l wallet.BankLine) (wallet.BankLine, error) {
				return w.store.BankLine(w.ctx, l.WalletID, l.LineID)
			},
			func(w *world, l wallet.BankLine) (wallet.BankLine, error) {
				return among(l)(w.store.LinesIn(w.ctx, wallet.LineQuery{WalletID: l.WalletID, Limit: 9}))
			})),
		tidied(rowsOf(func(f *filling) ledger.LedgerEntry { return ledger.LedgerEntry{ID: f.id} },
			func(w *world, e ledger.LedgerEntry) (ledger.LedgerEntry, error) {
				return among(e)(w.store.Entries(w.ctx, e.WalletID, "", core.MaxPage))
			},
		), func(w *world, e *ledger.LedgerEntry) {
			e.WalletID, e.Outside = w.funded(0).ID, lira(-e.Available.Minor()-e.Reserved.Minor())
		}),
		rowsOf(func(f *filling) core.AuditEntry { return core.AuditEntry{ID: f.id} },
			func(w *world, e core.AuditEntry) (core.AuditEntry, error) {
				found, _, err := w.store.Unchained(w.ctx, "", core.MaxPage)
				return among(e)(found, err)
			},
			func(w *world, e core.AuditEntry) (core.AuditEntry, error) {
				found, err := w.store.AuditEntries(w.ctx, core.AuditQuery{Target: e.Target, Limit: 1})
				return among(e)(idsOf(found, func(r core.AuditRecord) core.AuditEntry { return r.AuditEntry }), err)
			}),
		inserted(rowsOf(func(f *filling) core.AuditLink { return core.AuditLink{No: f.n, EntryID: f.id} },
			func(w *world, l core.AuditLink) (core.AuditLink, error) {
				found, err := w.store.AuditLinks(w.ctx, l.No, 1)
				return among(l)(idsOf(found, func(e core.ChainedEntry) core.AuditLink { return e.Link }), err)
			})),
	}
}

func kindsOfStaff() []kind {
	return []kind{
		rowsOf(func(f *filling) staff.Staff { return staff.Staff{ID: f.n} },
			func(w *world, s staff.Staff) (staff.Staff, error) { return w.store.StaffByID(w.ctx, s.ID) },
			func(w *world, s staff.Staff) (staff.Staff, error) { return w.store.StaffByEmail(w.ctx, s.Email) }),
		tidied(rowsOf(func(f *filling) staff.Session { return staff.Session{ID: f.id, Fingerprint: f.text()} },
			func(w *world, s staff.Session) (staff.Session, error) {
				found, _, err := w.store.SessionByFingerprint(w.ctx, s.Fingerprint)
				return found, err
			},
		), func(w *world, s *staff.Session) {
			member := w.staff()
			w.commit(core.Changeset{member})
			s.StaffID = member.ID
		}),
		rowsOf(func(f *filling) staff.Factors { return staff.Factors{StaffID: f.n} },
			func(w *world, f staff.Factors) (staff.Factors, error) {
				found, err := w.store.FactorsOf(w.ctx, f.StaffID)
				if err == nil && found.Version == 0 {
					err = fault.New("factors", fault.NotFound)
				}
				return found, err
			}),
		rowsOf(func(f *filling) staff.Passkey { return staff.Passkey{ID: f.id, StaffID: f.n} },
			func(w *world, p staff.Passkey) (staff.Passkey, error) {
				return among(p)(w.store.PasskeysOf(w.ctx, p.StaffID))
			},
			func(w *world, p staff.Passkey) (staff.Passkey, error) {
				return w.store.PasskeyByCredential(w.ctx, p.CredentialID)
			}),
		rowsOf(func(f *filling) staff.Challenge { return staff.Challenge{Fingerprint: f.text()} },
			func(w *world, c staff.Challenge) (staff.Challenge, error) {
				return w.store.ChallengeByFingerprint(w.ctx, c.Fingerprint)
			}),
		rowsOf(func(f *filling) staff.Invitation { return staff.Invitation{ID: f.id} },
			func(w *world, i staff.Invitation) (staff.Invitation, error) { return w.store.Invitation(w.ctx, i.ID) },
			func(w *world, i staff.Invitation) (staff.Invitation, error) {
				return w.store.InvitationByFingerprint(w.ctx, i.Fingerprint)
			}),
		tidied(rowsOf(func(f *filling) approval.Approval { return approval.Approval{ID: f.id} },
			func(w *world, a approval.Approval) (approval.Approval, error) { return w.store.Approval(w.ctx, a.ID) },
			func(w *world, a approval.Approval) (approval.Approval, error) {
				return among(a)(w.store.ListApprovals(w.ctx, approval.ApprovalQuery{RequesterID: a.RequesterID, Limit: 9}))
			},
		), func(_ *world, a *approval.Approval) { a.DecidedBy = decider(*a, a.State) }),
		rowsOf(func(f *filling) approval.ApprovalRule {
			return approval.ApprovalRule{Action: core.GuardedAction(f.text())}
		}, func(w *world, r approval.ApprovalRule) (approval.ApprovalRule, error) {
			found, err := w.store.ApprovalRules(w.ctx)
			return among(r)(found, err)
		}),
		rowsOf(func(f *filling) approval.RunningTotal { return approval.RunningTotal{Key: f.text()} },
			func(w *world, t approval.RunningTotal) (approval.RunningTotal, error) {
				return among(t)(w.store.RunningTotals(w.ctx, []string{t.Key}))
			}),
	}
}

package storetest

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	restored "github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/core/wallet"
)

// kind is one kind of row, for the test cases that hold for every kind.
type kind struct {
	row         reflect.Type
	isVersioned bool                                  // it is saved, again and again, by compare-and-set
	given       []string                              // the fields without which no row is, beside those that always are
	tidy        func(w *world, row core.Row) core.Row // makes a row one that the store takes
	lookups     []lookup                              // how it is found; by the first with empty fields too
	fixed       []string                              // the fields that saving leaves as they were
	dealer      []string                              // the fields that say whose it is: saving with others finds nothing
}

// lookup is a method of the store that finds a row by some of its fields.
type lookup struct {
	method string
	fields []string
	with   any // the query, where the method takes one: the fields narrow it
}

// rows is a kind of row, the fields without which none is, and the lookups that find it, each a method and its fields.
func rows[R core.Row](given string, lookups ...string) kind {
	_, isVersioned := reflect.TypeFor[R]().FieldByName("Version")
	k := kind{
		row: reflect.TypeFor[R](), isVersioned: isVersioned, given: strings.Fields(given),
		tidy: func(_ *world, row core.Row) core.Row { return row },
	}
	for _, spec := range lookups {
		words := strings.Fields(spec)
		k.lookups = append(k.lookups, lookup{method: words[0], fields: words[1:]})
	}
	return k
}

// asked is the kind with one more lookup, a query that some of a row's fields narrow.
func asked(k kind, method string, query any, fields ...string) kind {
	k.lookups = append(slices.Clone(k.lookups), lookup{method, fields, query})
	return k
}

// inserted is the kind with rows that have a version and are not simply saved.
func inserted(k kind) kind {
	k.isVersioned = false
	return k
}

// fixing is the kind with fields that are written once, with the row.
func fixing(k kind, fields ...string) kind {
	k.fixed = fields
	return k
}

// ofDealer is the kind with rows that stay their dealer's, by fields that say whose they are.
func ofDealer(k kind, fields ...string) kind {
	k.dealer = fields
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

// origins are texts as origins are: without white space, and not empty.
func origins(list []string) []string {
	for i, text := range list {
		list[i] = "https://" + strings.Join(strings.Fields(text), "")
	}
	return list
}

func kinds() []kind {
	return []kind{
		ofDealer(fixing(tidied(asked(rows[payment.Payment]("ID TrackingCode", "PaymentByID ID", "PaymentByTrackingCode TrackingCode",
			"PaymentsByID DealerID ID"), "SearchPayments", report.PaymentQuery{}, "TrackingCode"), tidyPayment),
			"TrackingCode", "TokenFingerprint", "Method", "ProviderID", "SiteID", "SiteName", "Language", "RequestedAmount", "IsIBANSuspect", "CreatedAt",
			"Customer", "IBAN", "Payer", "Payee", "Reference", "ReturnURL"), "DealerID"),
		tidied(rows[payment.Transition]("ID PaymentID", "MovesOf PaymentID"), func(_ *world, m *payment.Transition) {
			if !core.IsID(string(m.PaymentID)) { // no payment has it, and it is of no month
				m.PaymentID = m.ID
			}
		}),
		fixing(tidied(rows[payment.Callback]("ID PaymentID Sequence", "Callback ID", "CallbacksOf PaymentID"), tidyCallback),
			"PaymentID", "Sequence", "ProviderID", "SiteID", "DealerID", "Kind", "Receiver", "Payload", "CreatedAt", "Trace"),
		tidied(rows[payment.Attempt]("ID Number", "CallbackLogs ID"), func(w *world, a *payment.Attempt) {
			c := w.callback(a.ID, receiver) // of a payment that has the attempt's id
			w.commit(core.Changeset{c})
			a.CallbackID = c.ID
		}),
		tidied(inserted(rows[payment.Credit]("ID PaymentID", "CreditsOf PaymentID DealerID")), tidyCredit),
		rows[testplan.Plan]("PaymentID", "TestPlan PaymentID"),
		rows[payment.IdempotencyRecord]("IdempotencyKey", "FirstAnswer IdempotencyKey"),
		asked(asked(asked(asked(rows[operation.Operation]("ID PaymentID", "OperationsOf PaymentID"),
			"OperationBy", operation.Key{}, "ID"), "OperationBy", operation.Key{}, "Reference"),
			"OperationBy", operation.Key{}, "ReturnToken"), "OperationBy", operation.Key{}, "GatewayID", "External.ID"),
		ofDealer(asked(rows[discrepancy.Discrepancy]("ID PaymentID", "DiscrepanciesOf PaymentID DealerID"), "Discrepancies", discrepancy.Query{}, "ID"), "DealerID"),
		asked(rows[dispute.Dispute]("ID PaymentID ExternalID", "Dispute ID", "DisputesOf PaymentID DealerID", "DisputeNamed GatewayID ExternalID"),
			"ListDisputes", dispute.Query{}, "ID"),
		rows[dispute.Listing]("GatewayID", "DisputeListings"),
		asked(rows[operation.GatewayCall]("ID GatewayID"), "GatewayCalls", operation.GatewayCallQuery{}, "GatewayID"),
		asked(rows[notification.Notification]("ID GatewayID"), "Notifications", notification.Query{}, "GatewayID"),
		rows[owner.Provider]("ID", "Provider ID", "ProviderByAPIKey APIKey", "ProvidersByID ID"),
		tidied(rows[owner.Site]("ID ProviderID", "Site ID", "SiteByCredential CredentialFingerprint", "Sites ProviderID"),
			func(_ *world, s *owner.Site) { s.ReturnOrigins = origins(s.ReturnOrigins) }),
		tidied(rows[owner.Dealer]("ID", "Dealer ID", "DealerByAPIKey APIKey", "DealersByID ID"),
			func(_ *world, d *owner.Dealer) { d.ReturnOrigins = origins(d.ReturnOrigins) }),
		rows[owner.SiteToken]("ID DealerID", "SiteToken ID", "SiteTokenByToken Token", "SiteTokensOf DealerID"),
		ofDealer(rows[owner.Account]("ID", "Account ID"), "DealerID"),
		asked(rows[owner.Block]("CustomerKey", "BlockOf CustomerKey"), "Blocks", owner.BlockQuery{}, "ProviderID"),
		rows[owner.GatewayAccount]("ID", "GatewayAccounts"),
		rows[routing.Rule]("ID", "RouteRules"),
		asked(rows[report.Job]("ID", "Job ID"), "ListJobs", report.JobQuery{}, "StaffID"),
		rows[report.JobChunk]("JobID Number Bytes", "JobChunk JobID Number"),
		ofDealer(rows[wallet.Wallet]("ID DealerID", "Wallet DealerID ID", "WalletBy DealerID WalletID", "WalletsOf DealerID"), "DealerID"),
		rows[wallet.Feed]("WalletID", "Feed WalletID", "FeedsOf WalletID", "FeedsAt GatewayID"),
		ofDealer(asked(rows[wallet.Reconciliation]("WalletID Day", "Reconciliation DealerID WalletID Day"), "Reconciliations", wallet.ReconciliationQuery{}, "WalletID"),
			"DealerID"),
		asked(inserted(rows[wallet.BankLine]("WalletID LineID ID", "BankLine WalletID LineID")), "LinesIn", wallet.LineQuery{}, "WalletID"),
		tidied(rows[ledger.Entry]("ID", "Entries WalletID"), func(w *world, e *ledger.Entry) {
			e.WalletID, e.Outside = w.funded(0).ID, lira(-e.Available.Minor()-e.Reserved.Minor())
		}),
		asked(rows[core.AuditEntry]("ID Target"), "AuditEntries", core.AuditQuery{}, "Target"),
		inserted(rows[audit.Link]("No EntryID", "AuditLinks No")),
		rows[audit.Checkpoint]("Name", "AuditEnd Name"),
		rows[audit.Check]("Name", "AuditCheck Name"),
		rows[staff.Staff]("ID", "StaffByID ID", "StaffByEmail Email"),
		tidied(rows[staff.Session]("ID Fingerprint", "SessionByFingerprint Fingerprint"), func(w *world, s *staff.Session) {
			member := w.staff()
			w.commit(core.Changeset{member})
			s.StaffID = member.ID
		}),
		rows[staff.Factors]("StaffID", "FactorsOf StaffID"),
		rows[staff.Passkey]("ID StaffID", "PasskeysOf StaffID", "PasskeyByCredential CredentialID"),
		rows[staff.Challenge]("Fingerprint", "ChallengeByFingerprint Fingerprint"),
		rows[staff.Invitation]("ID", "Invitation ID", "InvitationByFingerprint Fingerprint"),
		rows[staff.Profile]("StaffID", "ProfileOf StaffID"),
		asked(rows[staff.SavedView]("ID StaffID", "SavedView ID"), "SavedViews", staff.ViewQuery{}, "StaffID", "Scope"),
		ofDealer(tidied(asked(rows[approval.Approval]("ID", "Approval ID"), "ListApprovals", approval.Query{}, "RequesterID"),
			func(_ *world, a *approval.Approval) { a.DecidedBy = decider(*a, a.Status) }), "Guards"),
		rows[approval.Rule]("Action", "ApprovalRules"),
		rows[approval.RunningTotal]("Key", "RunningTotals Key"),
		asked(rows[restored.Remain]("ID Freeze Subject"), "Remains", restored.RemainQuery{}, "Freeze"),
	}
}

// Conditions are the kinds of rows that are never read back as such, and those that are sealed with the key of another row: each has
// test cases of its own.
func Conditions() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[owner.LimitUsage](), reflect.TypeFor[owner.NotBlocked](), reflect.TypeFor[owner.Unblock](),
		reflect.TypeFor[owner.IBANClaim](), reflect.TypeFor[owner.Nonce](), reflect.TypeFor[payment.OpenBound](),
		reflect.TypeFor[owner.Erasure](), reflect.TypeFor[note.Note](), reflect.TypeFor[note.File](), reflect.TypeFor[restored.Epoch](),
	}
}

// Kinds are the kinds of rows that the kit knows. A store compares them with those that it has tables for: a new one is in
// every test case about all kinds.
func Kinds() []reflect.Type {
	return append(Conditions(), idsOf(kinds(), func(k kind) reflect.Type { return k.row })...)
}

func kindOf(row core.Row) kind {
	all := kinds()
	return all[slices.IndexFunc(all, func(k kind) bool { return k.row == reflect.TypeOf(row) })]
}

func tidyPayment(_ *world, p *payment.Payment) {
	if p.Version > 1 { // others have to be credited
		p.Status = payment.Processing
	}
}

func tidyCallback(_ *world, c *payment.Callback) {
	if c.SupersededAt = c.CreatedAt; c.Status != payment.Superseded {
		c.SupersededAt = time.Time{}
	}
	if c.Status == payment.Waiting && c.NextAttemptAt.IsZero() {
		c.NextAttemptAt = c.CreatedAt
	}
}

// tidyCredit puts the money behind a credit that its source promises.
func tidyCredit(w *world, k *payment.Credit) {
	k.Number, k.Amount, k.Brought, k.WalletID, k.LineID, k.OperationID, k.AwaitsMoney = 1, lira(25_000), lira(0), 0, "", "", false
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

func unversioned(r core.Row) core.Identity {
	id := r.Identity()
	id.Version = 0
	return id
}

// find reads the row with the identity of another, by that one's fields.
func (l lookup) find(w *world, row core.Row) (core.Row, error) {
	return l.read(w, reflect.ValueOf(row), func(found core.Row) bool { return unversioned(found) == unversioned(row) })
}

// asking reads any row of the kind by a row's fields, one of which has another value.
func (l lookup) asking(w *world, row core.Row, path, value string) (core.Row, error) {
	other := reflect.New(reflect.TypeOf(row)).Elem()
	other.Set(reflect.ValueOf(row))
	fieldAt(other, path).SetString(value)
	return l.read(w, other, func(core.Row) bool { return true })
}

// read returns the first row of the kind that is as wanted.
func (l lookup) read(w *world, from reflect.Value, isWanted func(core.Row) bool) (core.Row, error) {
	args := slices.Clone(l.fields)
	does := reflect.ValueOf(w.store).MethodByName(l.method)
	results, err := call{l.method, does}.with(w.ctx, func(t reflect.Type) reflect.Value {
		if l.with != nil {
			return l.query(from)
		}
		if len(args) == 0 { // a page of a list, from its beginning
			return firstPage(reflect.New(t).Elem())
		}
		arg := fieldAt(from, args[0])
		switch t {
		case reflect.TypeFor[[]payment.Key]():
			arg = reflect.ValueOf(payment.Key{ID: core.ID(arg.String()), DealerID: from.FieldByName("DealerID").Int()})
		case reflect.TypeFor[core.Scope]():
			arg = reflect.ValueOf(core.Scope{DealerID: arg.Int()})
		}
		if args = args[1:]; t.Kind() == reflect.Slice {
			return reflect.Append(reflect.Zero(t), arg)
		}
		return arg.Convert(t)
	})
	if err != nil {
		return nil, err
	}
	return rowIn(reflect.ValueOf(results[0]), from.Type(), isWanted)
}

// firstPage asks for as many rows as a page may have.
func firstPage(q reflect.Value) reflect.Value {
	switch q.Kind() {
	case reflect.Int:
		q.SetInt(core.MaxPage)
	case reflect.Struct:
		q.FieldByName("Limit").SetInt(core.MaxPage)
	default:
	}
	return q
}

// query is the query that the row's fields narrow.
func (l lookup) query(row reflect.Value) reflect.Value {
	q := reflect.New(reflect.TypeOf(l.with)).Elem()
	if q.FieldByName("Limit").IsValid() {
		firstPage(q)
	}
	for _, path := range l.fields {
		value, name := fieldAt(row, path), strings.ReplaceAll(path, ".", "")
		if f := q.FieldByName(name); f.IsValid() {
			f.Set(value.Convert(f.Type()))
		} else {
			f := q.FieldByName(strings.TrimSuffix(name, "ID") + "s") // a list of them
			f.Set(reflect.Append(f, value))
		}
	}
	return q
}

func fieldAt(row reflect.Value, path string) reflect.Value {
	for name := range strings.SplitSeq(path, ".") {
		row = row.FieldByName(name)
	}
	return row
}

// rowIn finds a row of a type in what was read, whatever it is in.
func rowIn(v reflect.Value, row reflect.Type, isWanted func(core.Row) bool) (core.Row, error) {
	switch {
	case v.Type() == row:
		if found := v.Interface().(core.Row); !v.IsZero() && found.Identity().Version > 0 && isWanted(found) {
			return found, nil
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if found, err := rowIn(v.Index(i), row, isWanted); err == nil {
				return found, nil
			}
		}
	case v.Kind() == reflect.Struct && !slices.Contains(leaves, v.Type()):
		for i := range v.NumField() {
			if found, err := rowIn(v.Field(i), row, isWanted); err == nil {
				return found, nil
			}
		}
	}
	return nil, fault.New("storetest", fault.NotFound)
}

package memory

import (
	"slices"
	"strconv"

	"github.com/vezne/vezne/core"
)

func (s *Store) makePaymentTables() {
	s.payments = newTable(row[core.ID, core.Payment]{
		key:     func(p core.Payment) core.ID { return p.ID },
		version: func(p core.Payment) int { return p.Version },
		names:   func(p core.Payment) []string { return []string{code(p.TrackingCode), token(p.Token)} },
	})
	s.moves = newTable(row[core.ID, core.Move]{
		key: func(m core.Move) core.ID { return m.ID }, version: once[core.Move],
	})
	s.callbacks = newTable(row[core.ID, core.Callback]{
		key:     func(c core.Callback) core.ID { return c.ID },
		version: func(c core.Callback) int { return c.Version },
		names: func(c core.Callback) []string {
			return []string{named(strconv.Itoa(c.Sequence)+"/", string(c.PaymentID))}
		},
	})
	s.attempts = newTable(row[core.ID, core.Attempt]{
		key: func(a core.Attempt) core.ID { return a.ID }, version: once[core.Attempt],
	})
	s.audit = newTable(row[core.ID, core.AuditEntry]{
		key: func(e core.AuditEntry) core.ID { return e.ID }, version: once[core.AuditEntry],
	})
}

func (s *Store) makeOwnerTables() {
	s.providers = newTable(row[int64, core.Provider]{
		key:     func(p core.Provider) int64 { return p.ID },
		version: func(p core.Provider) int { return p.Version },
		names:   func(p core.Provider) []string { return []string{p.APIKey, previous(p.PreviousAPIKey)} },
		clone:   cloneProvider,
	})
	s.sites = newTable(row[int64, core.Site]{
		key:     func(x core.Site) int64 { return x.ID },
		version: func(x core.Site) int { return x.Version },
		names:   func(x core.Site) []string { return []string{x.CredentialFingerprint, previous(x.PreviousCredential)} },
	})
	s.dealers = newTable(row[int64, core.Dealer]{
		key:     func(d core.Dealer) int64 { return d.ID },
		version: func(d core.Dealer) int { return d.Version },
		names:   func(d core.Dealer) []string { return []string{d.APIKey, previous(d.PreviousAPIKey)} },
		clone:   cloneDealer,
	})
	s.siteTokens = newTable(row[int64, core.SiteToken]{
		key:     func(x core.SiteToken) int64 { return x.ID },
		version: func(x core.SiteToken) int { return x.Version },
		names:   func(x core.SiteToken) []string { return []string{x.Token, previous(x.PreviousToken)} },
	})
	s.accounts = newTable(row[int64, core.Account]{
		key:     func(a core.Account) int64 { return a.ID },
		version: func(a core.Account) int { return a.Version },
	})
	s.staff = newTable(row[int64, core.Staff]{
		key:     func(x core.Staff) int64 { return x.ID },
		version: func(x core.Staff) int { return x.Version },
		names:   func(x core.Staff) []string { return []string{x.Email} },
	})
	s.sessions = newTable(row[core.ID, core.Session]{
		key:     func(x core.Session) core.ID { return x.ID },
		version: func(x core.Session) int { return x.Version },
		names:   func(x core.Session) []string { return []string{x.Fingerprint} },
	})
}

func (s *Store) makeGatewayTables() {
	s.operations = newTable(row[core.ID, core.Operation]{
		key:     func(o core.Operation) core.ID { return o.ID },
		version: func(o core.Operation) int { return o.Version },
		names:   func(o core.Operation) []string { return []string{ref(string(o.Ref)), returnToken(o.ReturnToken)} },
		clone:   cloneOperation,
	})
	s.discrepancies = newTable(row[core.ID, core.Discrepancy]{
		key:     func(d core.Discrepancy) core.ID { return d.ID },
		version: func(d core.Discrepancy) int { return d.Version },
	})
	s.gatewayCalls = newTable(row[core.ID, core.GatewayCall]{
		key: func(c core.GatewayCall) core.ID { return c.ID }, version: once[core.GatewayCall],
	})
	s.notifications = newTable(row[core.ID, core.Notification]{
		key:     func(n core.Notification) core.ID { return n.ID },
		version: func(n core.Notification) int { return n.Version },
		names: func(n core.Notification) []string {
			return []string{named(strconv.FormatInt(n.GatewayID, 10)+"/", n.Key)}
		},
		clone: cloneNotification,
	})
	s.gatewayAccounts = newTable(row[int64, core.GatewayAccount]{
		key:     func(a core.GatewayAccount) int64 { return a.ID },
		version: func(a core.GatewayAccount) int { return a.Version },
		names: func(a core.GatewayAccount) []string {
			return []string{named("code/", a.Code), named("hook/", a.HookToken)}
		},
		clone: func(a core.GatewayAccount) core.GatewayAccount {
			a.Collects = slices.Clone(a.Collects)
			return a
		},
	})
	s.routeRules = newTable(row[int64, core.RouteRule]{
		key:     func(r core.RouteRule) int64 { return r.ID },
		version: func(r core.RouteRule) int { return r.Version },
	})
}

// code and token keep the two names of a payment apart, ref and returnToken those of an operation.
func code(trackingCode string) string { return named("code/", trackingCode) }
func token(pageToken string) string   { return named("token/", pageToken) }
func ref(ref string) string           { return named("ref/", ref) }
func returnToken(token string) string { return named("return/", token) }

func named(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
